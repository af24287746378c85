/* What main does before the simulation, where inputs are drawn while the design is elaborated. */
#include "base/hash.h"
#include "design_internal.h"

void design_add_beginning(tiny_program *p, uint64_t seed) {
    if (!p->globals || design_first_start(p) == TINY_NONE) return;
    maker m = {.p = p, .random = {hash_pair(seed, 0xbe)}};
    m.taste = (flavour){.assign = 30, .update = 20, .branch = 30, .loop = 5, .check = 8, .assume = 6};
    m.taste.input = 45;
    m.taste.element = 20;
    make_list(&m, p->body[0].first, 2 + below(&m, 3), 0, false);
}
