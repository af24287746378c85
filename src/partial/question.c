/* What the monitor of a reach property (transform/reach.h) says of a state whose numbers are all unknown. It
 * is asked where the start function asks it, by main in an atomic section, one instruction at a time so that
 * main goes no further. */
#include "partial/abstract.h"

#include "machine/seen.h"
#include "machine/state.h"

enum { MOST_STEPS = 4096, ITS_THREAD = 0, ITS_INSTRUCTIONS = 3 /* call, compare, check: see reach.c */ };

static bool is_question(const program *p, const instruction *i) {
    return i->kind == INSTR_CALL && i->callee < p->functions.size && p->functions.data[i->callee].observes;
}

static bool find_question(const program *p, uint32_t start, frame *at) {
    const function *f = &p->functions.data[start];
    for (at->block = 0; at->block < f->blocks.size; at->block++) {
        const block *b = &f->blocks.data[at->block];
        for (at->index = 0; at->index < b->code.size; at->index++)
            if (is_question(p, &b->code.data[at->index])) {
                assert(at->index + ITS_INSTRUCTIONS < b->code.size); /* something comes behind it */
                return true;
            }
    }
    return false;
}

/* NULL: main does not stand where it could be asked. */
static state *about_to_ask(machine *m, const state *from, const frame *at) {
    const thread_part *main = from->threads[ITS_THREAD];
    if (!main->frame_count || main->frames[0].function != machine_program(m)->threads.data[0].function)
        return NULL;
    state *s = state_clone(from);
    thread_part *t = state_own_thread(s, ITS_THREAD);
    while (t->frame_count > 1) thread_pop_frame(t);
    t->frames[0].block = at->block;
    t->frames[0].index = at->index;
    t->status = THREAD_RUNNABLE;
    t->atomic_depth = 1;
    t->copied = t->held = 0;
    thread_set_spin(t, NULL);
    state_own_scheduler(s)->running = NO_INDEX;
    if (!abstract_forget(m, s, NULL, NULL)) {
        state_set_path(s, NULL, 0);
        return s;
    }
    state_free(s);
    return NULL;
}

static bool was_asked(const state *s, const frame *question) {
    const thread_part *t = s->threads[ITS_THREAD];
    const frame *now = &t->frames[0];
    return t->frame_count == 1 &&
           (now->block != question->block || now->index >= question->index + ITS_INSTRUCTIONS);
}

static bool says_yes(const machine *m, const successor *s) {
    return s->end == STEP_VIOLATION && machine_check(m, s->check)->kind == CHECK_REACH;
}

static bool ask(machine *m, const state *from, const frame *question, successors *yes) {
    VEC(state *) open = {0};
    successors list = {0};
    state *first = about_to_ask(m, from, question);
    if (first) vec_push(&open, first);
    for (unsigned steps = 0; open.size && steps < MOST_STEPS; steps++) {
        state *s = vec_pop(&open);
        machine_step_thread(m, s, ITS_THREAD, &(step_options){.stops = STOP_INSTRUCTION, .keep_path = true},
                            &list);
        state_release(m, s);
        for (size_t i = 0; i < list.size; i++) {
            successor *next = &list.data[i];
            if (says_yes(m, next)) {
                vec_push(yes, *next);
                *next = (successor){0};
            } else if (next->end == STEP_STOPPED && !was_asked(next->to, question)) {
                vec_push(&open, state_share(next->to));
            }
        }
        successors_clear(m, &list);
    }
    bool all = first && !open.size;
    while (open.size) state_release(m, vec_pop(&open));
    vec_free(&open);
    successors_free(m, &list);
    return all;
}

bool abstract_ask_monitor(machine *m, const state *from, successors *yes) {
    frame question;
    if (!program_kernel(machine_program(m))->preempts ||
        !find_question(machine_program(m), machine_program(m)->threads.data[0].function, &question))
        return false;
    machine_look_away(m);
    bool all = ask(m, from, &question, yes);
    machine_look_back(m);
    return all;
}
