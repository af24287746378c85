#include "transform/decisive.h"

/* Something that may not come back, so that whoever enters the block need not get to what follows. */
static bool may_stay(const instruction *i) {
    return i->kind == INSTR_CALL || i->kind == INSTR_SYNC || i->kind == INSTR_ASSUME;
}

/* 1 + the check that every execution of the block fails; 0: none. Of a report nobody asks. */
static uint32_t failing_check(const program *p, const block *b) {
    for (size_t k = 0; k < b->code.size && !may_stay(&b->code.data[k]); k++) {
        const instruction *i = &b->code.data[k];
        if (instruction_always_fails(i)) return p->checks.data[i->check].is_report ? 0 : 1 + i->check;
    }
    return 0;
}

/* `assert(a); assert(0);`: both ways fail. An assertion stands where its branch does. */
static uint32_t own_check(const program *p, const instruction *branch, uint32_t one, uint32_t other) {
    if (!one || !other) return one ? one : other;
    position at = p->checks.data[other - 1].at;
    return at.line == branch->at.line && at.column == branch->at.column ? other : one;
}

static void mark_function(const program *p, function *f) {
    for (size_t b = 0; b < f->blocks.size; b++) {
        block *from = &f->blocks.data[b];
        instruction *last = from->code.size ? &vec_last(&from->code) : NULL;
        if (!last || last->kind != INSTR_BRANCH) continue;
        last->decides = own_check(p, last, failing_check(p, &f->blocks.data[last->target[0]]),
                                  failing_check(p, &f->blocks.data[last->target[1]]));
    }
}

void program_mark_decisive(program *p) {
    for (size_t f = 0; f < p->functions.size; f++) mark_function(p, &p->functions.data[f]);
}
