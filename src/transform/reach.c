#include "transform/reach.h"

#include "analysis/future.h"
#include "analysis/points_to.h"
#include "base/bits.h"
#include "base/memory.h"

typedef struct watch {
    program *p;
    points_to *pointers;
    uint32_t monitor, check;
    uint64_t *watched; /* abstract objects that the monitor reads */
    size_t words;
    bool *observing; /* functions that only run as part of the monitor */
} watch;

/* --- what the monitor does ------------------------------------------------------------------------------ */

static bool writes_elsewhere(const watch *w, uint32_t f, const instruction *i) {
    const function *of = &w->p->functions.data[f];
    uint64_t *set = mem_zero(w->words, sizeof *set);
    points_to_join(w->pointers, f, &i->a, set);
    for (size_t k = 0; k < of->locals.size; k++) {
        uint32_t own = points_to_object_at(w->pointers, place_of_local(f, (uint32_t)k));
        if (own != NO_INDEX) bits_remove(set, own);
    }
    bool any = bits_count(set, w->words) != 0;
    mem_free(set);
    return any;
}

static const char *not_only_reading(const watch *w, uint32_t f, const instruction *i) {
    switch ((instruction_kind)i->kind) {
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_COPY:
    case INSTR_FILL:
    case INSTR_HAVOC: return writes_elsewhere(w, f, i) ? "it changes memory" : NULL;
    case INSTR_FREE: return i->extra == FREE_HEAP ? "it changes memory" : NULL;
    case INSTR_ALLOC: return "it changes memory";
    case INSTR_INPUT: return "it draws an input";
    case INSTR_SYNC: {
        bool harmless = i->sync == SYNC_END || i->sync == SYNC_ATOMIC_BEGIN || i->sync == SYNC_ATOMIC_END;
        return harmless ? NULL : "it synchronises";
    }
    default: return NULL;
    }
}

/* All functions that the monitor may call, itself first. */
static void list_observing(watch *w, function_list *out) {
    vec_push(out, w->monitor);
    w->observing[w->monitor] = true;
    for (size_t next = 0; next < out->size; next++) {
        const function *f = &w->p->functions.data[out->data[next]];
        for (size_t b = 0; b < f->blocks.size; b++)
            for (size_t k = 0; k < f->blocks.data[b].code.size; k++) {
                const instruction *i = &f->blocks.data[b].code.data[k];
                if (i->kind != INSTR_CALL) continue;
                size_t before = out->size;
                points_to_targets(w->pointers, out->data[next], i, out);
                size_t kept = before;
                for (size_t t = before; t < out->size; t++)
                    if (!w->observing[out->data[t]]) {
                        w->observing[out->data[t]] = true;
                        out->data[kept++] = out->data[t];
                    }
                out->size = kept;
            }
    }
}

static const char *look_at_monitor(watch *w, const function_list *all) {
    const char *reason = NULL;
    for (size_t n = 0; n < all->size; n++) {
        const function *f = &w->p->functions.data[all->data[n]];
        for (size_t b = 0; b < f->blocks.size; b++)
            for (size_t k = 0; k < f->blocks.data[b].code.size && !reason; k++) {
                const instruction *i = &f->blocks.data[b].code.data[k];
                reason = not_only_reading(w, all->data[n], i);
                if (i->kind == INSTR_LOAD) points_to_join(w->pointers, all->data[n], &i->a, w->watched);
                if (i->kind == INSTR_COPY) points_to_join(w->pointers, all->data[n], &i->b, w->watched);
            }
    }
    return reason;
}

/* --- where it is asked ---------------------------------------------------------------------------------- */

static bool may_change_it(const watch *w, uint32_t f, const instruction *i) {
    switch ((instruction_kind)i->kind) {
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_COPY:
    case INSTR_FILL:
    case INSTR_HAVOC: break;
    case INSTR_FREE:
        if (i->extra == FREE_HEAP) break;
        return false; /* what is left can be asked nothing, and what is not yet set is asked when it is */
    default: return false;
    }
    if (!points_to_reaches(w->pointers, f)) return true; /* nothing is known of its pointers */
    uint64_t *set = mem_zero(w->words, sizeof *set);
    points_to_join(w->pointers, f, &i->a, set);
    bool hits = bits_meet(set, w->watched, w->words);
    mem_free(set);
    return hits;
}

typedef VEC(instruction) code;

static void add_section_mark(const watch *w, code *out, sync_op op, operand about, position at) {
    if (!program_kernel(w->p)->preempts) return; /* nobody comes between */
    vec_push(out, instruction_section(op, about, at));
}

/* `about`: the pointer to what was written; none: whatever. */
static void add_question(watch *w, uint32_t f, code *out, operand about, position at) {
    program *p = w->p;
    const function *monitor = &p->functions.data[w->monitor];
    operand args[PROGRAM_MOST_ARGUMENTS];
    uint32_t parameters = monitor->parameters;
    assert(parameters <= PROGRAM_MOST_ARGUMENTS && monitor->result.width);
    for (uint32_t k = 0; k < parameters; k++) /* a record of exceptions, which it does not throw */
        args[k] = operand_const(monitor->registers.data[k].type.width, 0);
    scalar_type answer_type = monitor->result;
    uint32_t answer = function_add_register(p, f, answer_type, NULL);
    uint32_t never = function_add_register(p, f, (scalar_type){1, VIEW_BOOL}, NULL);
    instruction ask = instruction_blank(INSTR_CALL, at);
    ask.dst = answer;
    ask.callee = w->monitor;
    ask.a = about;
    ask.args = program_copy_operands(p, args, parameters);
    ask.arg_count = parameters;
    vec_push(out, ask);
    instruction compare = instruction_blank(INSTR_ARITH, at);
    compare.arith = ARITH_EQ;
    compare.dst = never;
    compare.a = operand_register(answer, answer_type.width);
    compare.b = operand_const(answer_type.width, 0);
    vec_push(out, compare);
    instruction check = instruction_blank(INSTR_CHECK, at);
    check.check = w->check;
    check.a = operand_register(never, 1);
    vec_push(out, check);
}

static void watch_block(watch *w, uint32_t f, size_t b) {
    code out = {0};
    block *of = &w->p->functions.data[f].blocks.data[b];
    for (size_t k = 0; k < of->code.size; k++) {
        instruction i = of->code.data[k];
        if (!may_change_it(w, f, &i)) {
            vec_push(&out, i);
            continue;
        }
        bool ends = i.ends_statement;
        i.ends_statement = false;
        operand about = i.kind == INSTR_FREE ? operand_none() : i.a; /* what is freed can be asked nothing */
        add_section_mark(w, &out, SYNC_ATOMIC_BEGIN, about, i.at);
        vec_push(&out, i);
        add_question(w, f, &out, about, i.at);
        add_section_mark(w, &out, SYNC_ATOMIC_END, operand_none(), i.at);
        vec_last(&out).ends_statement = ends;
    }
    of = &w->p->functions.data[f].blocks.data[b];
    vec_clear(&of->code);
    for (size_t k = 0; k < out.size; k++) vec_push(&of->code, out.data[k]);
    vec_free(&out);
}

/* Before the first call of the start function, where static objects have their first values. While these are
 * being set nobody looks: that is not execution yet. */
static void watch_start(watch *w, uint32_t f) {
    for (size_t b = 0; b < w->p->functions.data[f].blocks.size; b++) {
        block *of = &w->p->functions.data[f].blocks.data[b];
        for (size_t k = 0; k < of->code.size; k++) {
            if (of->code.data[k].kind != INSTR_CALL) continue;
            code out = {0};
            for (size_t n = 0; n < k; n++) vec_push(&out, of->code.data[n]);
            add_question(w, f, &out, operand_none(), of->code.data[k].at);
            for (size_t n = k; n < of->code.size; n++) vec_push(&out, of->code.data[n]);
            vec_clear(&of->code);
            for (size_t n = 0; n < out.size; n++) vec_push(&of->code, out.data[n]);
            vec_free(&out);
            return;
        }
    }
}

static void watch_everything(watch *w, const char *text) {
    program *p = w->p;
    w->check = (uint32_t)p->checks.size;
    check entry = {.kind = CHECK_REACH, .text = program_copy_text(p, text), .thread_or_function = ""};
    vec_push(&p->checks, entry);
    uint32_t start = p->threads.data[0].function;
    for (uint32_t f = 0; f < p->functions.size; f++) {
        if (f == start || w->observing[f]) continue;
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) watch_block(w, f, b);
    }
    watch_start(w, start);
    p->functions.data[w->monitor].observes = p->functions.data[w->monitor].hidden = true;
}

/* The analysis only knows functions that the program comes to: let it come to the monitor. */
static void call_monitor_for_analysis(program *p, uint32_t monitor) {
    uint32_t start = p->threads.data[0].function;
    const function *m = &p->functions.data[monitor];
    operand args[PROGRAM_MOST_ARGUMENTS];
    for (uint32_t k = 0; k < m->parameters; k++) args[k] = operand_const(m->registers.data[k].type.width, 0);
    instruction call = instruction_blank(INSTR_CALL, (position){0, 0});
    call.callee = monitor;
    call.args = program_copy_operands(p, args, m->parameters);
    call.arg_count = m->parameters;
    block *first = &p->functions.data[start].blocks.data[0];
    instruction last = vec_pop(&first->code);
    vec_push(&first->code, call);
    vec_push(&first->code, last);
}

static void take_call_away(program *p) {
    block *first = &p->functions.data[p->threads.data[0].function].blocks.data[0];
    instruction last = vec_pop(&first->code);
    assert(vec_last(&first->code).kind == INSTR_CALL);
    first->code.size--;
    vec_push(&first->code, last);
}

bool reach_watch(program *p, uint32_t monitor, const char *text, const char **reason) {
    watch w = {.p = p, .monitor = monitor};
    function_list all = {0};
    call_monitor_for_analysis(p, monitor);
    w.pointers = points_to_compute(p);
    take_call_away(p);
    w.words = BITS_WORDS(points_to_objects(w.pointers));
    w.watched = mem_zero(w.words, sizeof *w.watched);
    w.observing = mem_zero(p->functions.size, sizeof *w.observing);
    list_observing(&w, &all);
    *reason = look_at_monitor(&w, &all);
    if (!*reason) watch_everything(&w, text);
    points_to_destroy(w.pointers);
    mem_free(w.watched);
    mem_free(w.observing);
    vec_free(&all);
    return !*reason;
}
