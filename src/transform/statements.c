#include "transform/statements.h"

static bool accesses_memory(const instruction *i) {
    switch ((instruction_kind)i->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_HAVOC:
    case INSTR_COPY:
    case INSTR_FILL: return true;
    case INSTR_FREE: return i->extra == FREE_HEAP;
    default: return false;
    }
}

/* A function of the library that only computes and draws: its calls are part of an expression. */
static bool only_computes(const function *f) {
    if (!f->hidden) return false;
    for (size_t b = 0; b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            switch ((instruction_kind)f->blocks.data[b].code.data[k].kind) {
            case INSTR_MOVE:
            case INSTR_ARITH:
            case INSTR_INPUT:
            case INSTR_RETURN:
            case INSTR_JUMP:
            case INSTR_BRANCH: break;
            default: return false;
            }
    return true;
}

/* What no atomic section can hold, or need not. */
static bool stands_alone(const program *p, const instruction *i) {
    switch ((instruction_kind)i->kind) {
    case INSTR_CALL: return i->callee == NO_INDEX || !only_computes(&p->functions.data[i->callee]);
    case INSTR_RETURN:
    case INSTR_JUMP:
    case INSTR_BRANCH:
    case INSTR_SYNC: return true;
    default: return false;
    }
}

typedef VEC(instruction) code;

/* A single access that comes first is indivisible as it is. */
static bool needs_section(const instruction *list, size_t count) {
    size_t accesses = 0;
    for (size_t k = 0; k < count; k++) accesses += accesses_memory(&list[k]);
    return accesses > 1 || (accesses == 1 && !accesses_memory(&list[0]));
}

/* The mark moves to the end of the section: the statement is not over before. */
static void add_statement(code *out, const instruction *list, size_t count) {
    bool section = needs_section(list, count);
    if (section) vec_push(out, instruction_section(SYNC_ATOMIC_BEGIN, operand_none(), list[0].at));
    for (size_t k = 0; k < count; k++) vec_push(out, list[k]);
    if (!section) return;
    bool ended = vec_last(out).ends_statement;
    vec_last(out).ends_statement = false;
    vec_push(out, instruction_section(SYNC_ATOMIC_END, operand_none(), list[count - 1].at));
    vec_last(out).ends_statement = ended;
}

FOR_ASSERTIONS static size_t count_ends(const instruction *list, size_t count) {
    size_t ends = 0;
    for (size_t k = 0; k < count; k++) ends += list[k].ends_statement;
    return ends;
}

static void rewrite_block(const program *p, block *b) {
    code out = {0};
    size_t begin = 0;
    for (size_t k = 0; k < b->code.size; k++) {
        const instruction *i = &b->code.data[k];
        bool alone = stands_alone(p, i);
        if (!alone && !i->ends_statement) continue;
        size_t end = alone ? k : k + 1;
        if (end > begin) add_statement(&out, b->code.data + begin, end - begin);
        if (alone) vec_push(&out, *i);
        begin = k + 1;
    }
    assert(begin == b->code.size); /* what ends a block stands alone */
    assert(count_ends(out.data, out.size) == count_ends(b->code.data, b->code.size));
    vec_clear(&b->code);
    for (size_t k = 0; k < out.size; k++) vec_push(&b->code, out.data[k]);
    vec_free(&out);
}

void statements_make_atomic(program *p) {
    if (!program_kernel(p)->preempts) return;
    for (size_t f = 0; f < p->functions.size; f++) {
        function *of = &p->functions.data[f];
        if (of->hidden) continue;
        for (size_t b = 0; b < of->blocks.size; b++) rewrite_block(p, &of->blocks.data[b]);
    }
}
