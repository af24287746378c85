#include "analysis/loops.h"

#include "analysis/flow.h"
#include "base/bits.h"
#include "base/map.h"

#include <string.h>

typedef enum { NOT_ASKED, YES, NO } answer;

typedef struct loop {
    uint64_t *body; /* blocks */
    answer waits;
} loop;

struct loops {
    const program *p;
    flows *flows;
    map known;     /* function << 32 | head -> loop */
    map waiting;   /* function -> loop_heads of those that wait */
    map around;    /* function << 32 | block -> loop_heads of those that wait and contain it */
    uint8_t *read; /* per function: answer, whether it or one that it calls reads memory of others */
};

loops *loops_create(const program *p, flows *of) {
    loops *l = mem_zero(1, sizeof *l);
    l->p = p;
    l->flows = of;
    l->read = mem_zero(p->functions.size + 1, sizeof *l->read);
    return l;
}

static void free_heads(map *of) {
    for (size_t i = 0; i < of->capacity; i++) {
        if (of->slots[i].value == MAP_NONE) continue;
        loop_heads *heads = (loop_heads *)(uintptr_t)of->slots[i].value;
        vec_free(heads);
        mem_free(heads);
    }
    map_free(of);
}

void loops_destroy(loops *l) {
    if (!l) return;
    for (size_t i = 0; i < l->known.capacity; i++) {
        if (l->known.slots[i].value == MAP_NONE) continue;
        loop *one = (loop *)(uintptr_t)l->known.slots[i].value;
        mem_free(one->body);
        mem_free(one);
    }
    map_free(&l->known);
    free_heads(&l->waiting);
    free_heads(&l->around);
    mem_free(l->read);
    mem_free(l);
}

/* --- which blocks --------------------------------------------------------------------------------------- */

/* Blocks that can be reached from the entry without passing `avoided`. */
static void reach_without(const function *f, uint32_t avoided, uint64_t *out) {
    VEC(uint32_t) work = {0};
    if (avoided != 0) {
        bits_add(out, 0);
        vec_push(&work, 0);
    }
    while (work.size) {
        uint32_t targets[2], count = block_targets(&f->blocks.data[vec_pop(&work)], targets);
        for (uint32_t k = 0; k < count; k++) {
            if (targets[k] == avoided || bits_has(out, targets[k])) continue;
            bits_add(out, targets[k]);
            vec_push(&work, targets[k]);
        }
    }
    vec_free(&work);
}

static bool leads_into(const function *f, uint32_t from, const uint64_t *set) {
    uint32_t targets[2], count = block_targets(&f->blocks.data[from], targets);
    for (uint32_t k = 0; k < count; k++)
        if (bits_has(set, targets[k])) return true;
    return false;
}

/* Whoever comes from outside comes to the head. */
FOR_ASSERTIONS static bool is_entered_at_head(const function *f, uint32_t head, const uint64_t *elsewhere,
                                              const uint64_t *body) {
    for (uint32_t b = 0; b < f->blocks.size; b++) {
        uint32_t targets[2], count = bits_has(elsewhere, b) ? block_targets(&f->blocks.data[b], targets) : 0;
        for (uint32_t k = 0; k < count; k++)
            if (targets[k] != head && bits_has(body, targets[k])) return false;
    }
    return true;
}

/* The head, and what leads back to it: of blocks that are only reached through it. */
static uint64_t *body_of(const function *f, uint32_t head) {
    size_t words = BITS_WORDS(f->blocks.size) + 1;
    uint64_t *elsewhere = mem_zero(words, sizeof *elsewhere), *body = mem_zero(words, sizeof *body);
    reach_without(f, head, elsewhere);
    bits_add(body, head);
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t b = 0; b < f->blocks.size; b++) {
            if (bits_has(body, b) || bits_has(elsewhere, b) || !leads_into(f, b, body)) continue;
            bits_add(body, b);
            grows = true;
        }
    }
    slow_assert(is_entered_at_head(f, head, elsewhere, body));
    mem_free(elsewhere);
    return body;
}

static loop *find_loop(loops *l, loop_name name) {
    uint64_t key = (uint64_t)name.function << 32 | name.head, found = map_get(&l->known, key);
    if (found != MAP_NONE) return (loop *)(uintptr_t)found;
    loop *made = mem_zero(1, sizeof *made);
    made->body = body_of(&l->p->functions.data[name.function], name.head);
    map_put(&l->known, key, (uintptr_t)made);
    return made;
}

bool loops_contain(loops *l, loop_name loop, uint32_t block) {
    return bits_has(find_loop(l, loop)->body, block);
}

/* --- what is read --------------------------------------------------------------------------------------- */

/* The record of exceptions in flight is the thread's own. */
static bool is_of_exceptions(const function *f, const operand *address) {
    const char *name = address->kind == OPERAND_REGISTER ? f->registers.data[address->index].name
                       : address->kind == OPERAND_LOCAL  ? f->locals.data[address->index].name
                                                         : NULL;
    return name && !strcmp(name, ".exceptions");
}

/* Memory that others may write. */
static bool reads_of_others(const program *p, const function *f, const instruction *i) {
    bool reads = i->kind == INSTR_LOAD || (i->kind == INSTR_SYNC && i->sync == SYNC_AWAIT);
    if (!reads || i->a.kind == OPERAND_LOCAL || is_of_exceptions(f, &i->a)) return false;
    return i->a.kind != OPERAND_OBJECT || !p->objects.data[i->a.index].is_constant;
}

static bool function_reads(loops *l, uint32_t function);

static bool instruction_reads(loops *l, const function *f, const instruction *i) {
    if (i->kind == INSTR_CALL) return i->callee == NO_INDEX || function_reads(l, i->callee);
    return i->kind == INSTR_COPY || reads_of_others(l->p, f, i);
}

/* A function that is being looked at calls itself: that adds nothing. Calls nest as deep as the program's
 * call graph does, which is not bounded: the walk keeps its own list. */
static bool function_reads(loops *l, uint32_t function) {
    if (l->read[function] != NOT_ASKED) return l->read[function] == YES;
    VEC(uint32_t) work = {0};
    uint64_t *seen = mem_zero(BITS_WORDS(l->p->functions.size) + 1, sizeof *seen);
    bool reads = false;
    vec_push(&work, function);
    bits_add(seen, function);
    while (work.size && !reads) {
        const struct function *f = &l->p->functions.data[vec_pop(&work)];
        for (size_t b = 0; b < f->blocks.size && !reads; b++)
            for (size_t k = 0; k < f->blocks.data[b].code.size && !reads; k++) {
                const instruction *i = &f->blocks.data[b].code.data[k];
                if (i->kind != INSTR_CALL || i->callee == NO_INDEX) {
                    reads = instruction_reads(l, f, i);
                } else if (!bits_has(seen, i->callee)) {
                    bits_add(seen, i->callee);
                    vec_push(&work, i->callee);
                }
            }
    }
    vec_free(&work);
    mem_free(seen);
    l->read[function] = reads ? YES : NO;
    return reads;
}

/* --- what an exit depends on ---------------------------------------------------------------------------- */

typedef struct slice {
    loops *l;
    const function *f;
    const uint64_t *body;
    uint64_t *wanted; /* registers that decide */
    bool own_memory;  /* so does memory of the frame */
    bool branches;    /* so do the branches inside: one of the registers is set there */
    bool reads;       /* so does memory of others */
    bool grew;
} slice;

static void want(void *data, const operand *o) {
    slice *x = data;
    if (o->kind == OPERAND_LOCAL && !is_of_exceptions(x->f, o))
        x->grew |= !x->own_memory, x->own_memory = true;
    if (o->kind != OPERAND_REGISTER || bits_has(x->wanted, o->index) || is_of_exceptions(x->f, o)) return;
    bits_add(x->wanted, o->index);
    x->grew = true;
}

/* What can only fail is no way out. */
static bool is_way_out(const slice *x, uint32_t target) {
    const block *b = &x->f->blocks.data[target];
    if (bits_has(x->body, target)) return false;
    for (size_t k = 0; k < b->code.size; k++) {
        const instruction *i = &b->code.data[k];
        bool never_on = i->kind == INSTR_ASSUME && i->a.kind == OPERAND_CONST && !i->a.value;
        if (instruction_always_fails(i) || never_on) return false;
        if (i->kind == INSTR_CALL || i->kind == INSTR_SYNC) break;
    }
    return true;
}

static const instruction *branch_of(const slice *x, uint32_t b) {
    const block *code = &x->f->blocks.data[b];
    const instruction *last = code->code.size ? &vec_last(&code->code) : NULL;
    return last && last->kind == INSTR_BRANCH ? last : NULL;
}

static void want_conditions(slice *x, bool of_exits) {
    for (uint32_t b = 0; b < x->f->blocks.size; b++) {
        const instruction *last = bits_has(x->body, b) ? branch_of(x, b) : NULL;
        if (!last) continue;
        bool leaves = is_way_out(x, last->target[0]) || is_way_out(x, last->target[1]);
        bool inside = bits_has(x->body, last->target[0]) && bits_has(x->body, last->target[1]);
        if (of_exits ? leaves : inside) want(x, &last->a);
    }
}

static void look_at(slice *x, const instruction *i) {
    bool decides = i->dst != NO_INDEX && bits_has(x->wanted, i->dst);
    bool stores = i->kind == INSTR_STORE && x->own_memory;
    if (decides) {
        if (!x->branches) x->grew = x->branches = true;
        x->reads |= instruction_reads(x->l, x->f, i);
    }
    /* Somebody who is called may leave what it has read in a variable whose address it was given. */
    if (x->own_memory && i->kind == INSTR_CALL) x->reads |= instruction_reads(x->l, x->f, i);
    if (decides || stores) instruction_each_operand(i, want, x);
}

static bool exit_depends_on_others(loops *l, const function *f, const uint64_t *body) {
    slice x = {.l = l, .f = f, .body = body};
    x.wanted = mem_zero(BITS_WORDS(f->registers.size) + 1, sizeof *x.wanted);
    want_conditions(&x, true);
    while (x.grew && !x.reads) {
        x.grew = false;
        if (x.branches) want_conditions(&x, false);
        for (uint32_t b = 0; b < f->blocks.size && !x.reads; b++)
            for (size_t k = 0; bits_has(body, b) && k < f->blocks.data[b].code.size; k++)
                look_at(&x, &f->blocks.data[b].code.data[k]);
    }
    mem_free(x.wanted);
    return x.reads;
}

bool loops_wait(loops *l, loop_name name) {
    loop *one = find_loop(l, name);
    if (one->waits == NOT_ASKED)
        one->waits = exit_depends_on_others(l, &l->p->functions.data[name.function], one->body) ? YES : NO;
    return one->waits == YES;
}

static loop_heads *new_heads(map *of, uint64_t key) {
    loop_heads *made = mem_zero(1, sizeof *made);
    map_put(of, key, (uintptr_t)made);
    return made;
}

static const loop_heads *waiting_loops_of(loops *l, uint32_t function) {
    uint64_t known = map_get(&l->waiting, function);
    if (known != MAP_NONE) return (const loop_heads *)(uintptr_t)known;
    const struct function *f = &l->p->functions.data[function];
    const flow *of = flows_of(l->flows, function);
    loop_heads *heads = new_heads(&l->waiting, function);
    for (uint32_t head = 0; head < f->blocks.size; head++)
        if (flow_is_loop_head(of, head) && loops_wait(l, (loop_name){function, head})) vec_push(heads, head);
    return heads;
}

/* Of two loops around one block the outer one contains the head of the inner one. */
static void insert_by_nesting(loops *l, uint32_t function, loop_heads *to, uint32_t head) {
    vec_push(to, head);
    for (size_t k = to->size - 1; k > 0; k--) {
        if (!loops_contain(l, (loop_name){function, head}, to->data[k - 1])) return;
        to->data[k] = to->data[k - 1];
        to->data[k - 1] = head;
    }
}

/* The outermost first. */
FOR_ASSERTIONS static bool are_nested(loops *l, uint32_t function, const loop_heads *heads) {
    for (size_t k = 1; k < heads->size; k++)
        if (!loops_contain(l, (loop_name){function, heads->data[k - 1]}, heads->data[k])) return false;
    return true;
}

const loop_heads *loops_that_wait_around(loops *l, uint32_t function, uint32_t block) {
    uint64_t key = (uint64_t)function << 32 | block, known = map_get(&l->around, key);
    if (known != MAP_NONE) return (const loop_heads *)(uintptr_t)known;
    const loop_heads *all = waiting_loops_of(l, function);
    loop_heads *heads = new_heads(&l->around, key);
    for (size_t k = 0; k < all->size; k++)
        if (loops_contain(l, (loop_name){function, all->data[k]}, block))
            insert_by_nesting(l, function, heads, all->data[k]);
    slow_assert(are_nested(l, function, heads));
    return heads;
}
