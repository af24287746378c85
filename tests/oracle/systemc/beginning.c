/* What main does before the simulation, where inputs are drawn while the design is elaborated. */
#include "base/hash.h"
#include "design_internal.h"

/* For some inputs there is no simulation. */
static void make_refusal(maker *m) {
    uint32_t last = m->p->body[0].first;
    for (uint32_t k = below(m, 3); k && m->p->stmts.data[last].next != design_first_start(m->p); k--)
        last = m->p->stmts.data[last].next;
    uint32_t condition = make_condition(m, 0), s = tiny_insert(m->p, last, STMT_IF);
    uint32_t yes = tiny_list(m->p, 0), no = tiny_list(m->p, 0);
    tiny_insert(m->p, yes, STMT_RETURN);
    tiny_at(m->p, s)->a = condition;
    tiny_at(m->p, s)->body = yes;
    tiny_at(m->p, s)->other = no;
}

void design_add_beginning(tiny_program *p, uint64_t seed) {
    if (!p->globals || design_first_start(p) == TINY_NONE) return;
    maker m = {.p = p, .random = {hash_pair(seed, 0xbe)}};
    m.taste = (flavour){.assign = 30, .update = 20, .branch = 30, .loop = 5, .check = 8, .assume = 6};
    m.taste.input = 45;
    m.taste.element = 20;
    make_list(&m, p->body[0].first, 2 + below(&m, 3), 0, false);
    if (chance(&m, 30)) make_refusal(&m);
}
