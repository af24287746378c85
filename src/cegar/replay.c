/* The real path that an abstract one stands for, found by executing the program again from
 * its initial state. */
#include "cegar/internal.h"

/* Steps that ended only because they were abstracted there belong together. */
typedef struct whole_step {
    size_t first, last; /* steps of the trace */
} whole_step;

typedef VEC(whole_step) whole_steps;

static void join_steps(const abstract_trace *t, whole_steps *out) {
    for (size_t i = 0; i < t->steps.size; i++) {
        bool goes_on = i && t->steps.data[i - 1].went->inside;
        if (!goes_on) vec_push(out, ((whole_step){i, i}));
        vec_last(out).last = i;
    }
}

/* Branches only: what else is on a way depends on how much was known. */
typedef struct branch_reader {
    const trace_step *steps;
    whole_step at;
    size_t mark;
} branch_reader;

static bool next_branch(branch_reader *r, uint8_t *kind) {
    for (; r->at.first <= r->at.last; r->at.first++, r->mark = 0) {
        const step_way *w = r->steps[r->at.first].went;
        while (r->mark < w->marks.size) {
            *kind = w->marks.data[r->mark++].kind;
            if (*kind <= WAY_YES) return true;
        }
    }
    return false;
}

/* Whether the branches of a piece of a step are the next ones of the trace, which are passed then. */
static bool goes_on_alike(const step_way *w, branch_reader *r) {
    uint8_t kind;
    for (size_t i = 0; i < w->marks.size; i++) {
        if (w->marks.data[i].kind > WAY_YES) continue;
        if (!next_branch(r, &kind) || kind != w->marks.data[i].kind) return false;
    }
    return true;
}

static bool is_at_end(branch_reader r) {
    uint8_t kind;
    return !next_branch(&r, &kind);
}

bool trace_has_summaries(const abstract_trace *t) {
    for (size_t i = 0; i < t->steps.size; i++)
        if (abstract_has_summaries(t->steps.data[i].from)) return true;
    return abstract_has_summaries(t->end->to);
}

/* Whether the end of a whole step is like that of the trace. Which of many objects a thread means is no
 * matter: the real one may be told apart from others, or not. */
static bool ends_whole_step(cegar *x, const successor *s, const abstract_trace *t, whole_step which) {
    const trace_step *last = &t->steps.data[which.last];
    if (!last->to) return s->end == t->end->end && (s->end != STEP_VIOLATION || s->check == t->end->check);
    if (s->end != STEP_STOPPED) return false;
    reason_kind trouble;
    state *renamed = abstract_rename(x->machine, s->to, names_of(x), &trouble);
    bool by_stops = trace_has_summaries(t);
    bool same = renamed &&
                (by_stops ? abstract_same_stops(renamed, last->to) : abstract_same_stacks(renamed, last->to));
    if (renamed) state_release(x->machine, renamed);
    return same;
}

typedef struct tried {
    state *s;
    size_t whole;     /* which whole step of the trace it is in, ... */
    branch_reader at; /* ... and how far */
    transition by;
    successors next; /* of the step from s */
    uint32_t index;  /* the next one to look at */
    bool stepped;
} tried;

enum { MOST_TRIES = 100000 };

static tried begin_whole_step(const abstract_trace *t, const whole_steps *steps, size_t whole, state *s) {
    whole_step which = steps->data[whole];
    return (tried){
        .s = s, .whole = whole, .at = {t->steps.data, which, 0}, .by = t->steps.data[which.first].by};
}

/* Of a step that was cut into pieces: only its thread goes on. */
static transition rest_of_step(cegar *x, const state *s) {
    transitions enabled = {0};
    machine_enabled(x->machine, s, &enabled);
    assert(enabled.size == 1);
    transition rest = enabled.data[0];
    vec_free(&enabled);
    return rest;
}

/* The next of the successors of `from` that is like the trace, and where it is then; false: there is none. */
static bool next_alike(cegar *x, const abstract_trace *t, const whole_steps *steps, tried *from, tried *to) {
    while (from->index < from->next.size) {
        const successor *s = &from->next.data[from->index++];
        branch_reader at = from->at;
        if (!goes_on_alike(s->went, &at)) continue;
        if (s->end == STEP_STOPPED && s->went->inside) {
            *to = (tried){.s = s->to, .whole = from->whole, .at = at, .by = rest_of_step(x, s->to)};
            return true;
        }
        if (!is_at_end(at) || !ends_whole_step(x, s, t, steps->data[from->whole])) continue;
        *to = from->whole + 1 < steps->size ? begin_whole_step(t, steps, from->whole + 1, s->to)
                                            : (tried){.whole = steps->size};
        return true;
    }
    return false;
}

/* Depth first over the successors that are like the abstract ones: mostly there is one. Steps are cut where
 * branches come together: whole ones may have too many paths. */
bool trace_replay(cegar *x, const abstract_trace *t, path *out) {
    VEC(tried) stack = {0};
    whole_steps steps = {0};
    step_options how = x->judge.how;
    how.record = how.keep_path = how.settle_times = true; /* ends are compared with abstract ones */
    bool found = false;
    size_t tries = 0;
    join_steps(t, &steps);
    vec_push(&stack, begin_whole_step(t, &steps, 0, machine_initial(x->machine, x->how.stops)));
    while (stack.size && !found && tries < MOST_TRIES) {
        tried *top = &vec_last(&stack), next;
        if (!top->stepped) {
            machine_step(x->machine, top->s, top->by, &how, &top->next);
            top->stepped = true;
            tries++;
        }
        if (!next_alike(x, t, &steps, top, &next)) {
            successors_free(x->machine, &top->next);
            state_release(x->machine, top->s);
            stack.size--;
            continue;
        }
        found = next.whole == steps.size;
        if (found) continue;
        next.s = state_share(next.s);
        vec_push(&stack, next);
    }
    for (size_t i = 0; i < stack.size; i++) {
        if (found) vec_push(out, stack.data[i].next.data[stack.data[i].index - 1].step);
        successors_free(x->machine, &stack.data[i].next);
        state_release(x->machine, stack.data[i].s);
    }
    vec_free(&stack);
    vec_free(&steps);
    return found;
}
