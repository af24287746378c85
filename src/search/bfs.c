/* Breadth-first search: shortest counterexamples. With static reduction only; the proviso for any order is
 * used: a state is expanded fully as soon as one of its reduced successors was visited before. */
#include "search/internal.h"

typedef enum { SEEN_NEW, SEEN_BEFORE, SEEN_END } seen;

state *search_queued_state(search *x, const queued *q) {
    return q->s ? state_share(q->s) : visited_restore(x->visited, q->entry);
}

void search_finish_queued(search *x, queued *q) {
    state_release(x->machine, q->s);
    q->s = NULL;
    q->done = true;
}

/* A compact set has the state itself, but not the watches of threads that go round a loop. */
static bool can_be_restored(const search *x, const state *s) {
    if (!visited_is_compact(x->visited)) return false;
    for (uint32_t t = 0; t < state_thread_count(s); t++)
        if (state_thread(s, t).watched) return false;
    return true;
}

static visited_entry *remember(search *x, state *s) {
    visited_entry *e = visited_add_after(x->visited, s, x->queue.data[x->turn].entry);
    e->on_stack = false;
    e->graph_id = (uint32_t)x->queue.size;
    return e;
}

static void add_to_queue(search *x, state *s, visited_entry *stored, uint32_t chain, bool only) {
    assert(x->ahead.size == 1 + (size_t)chain && x->turn < x->queue.size);
    assert(!stored || stored->graph_id == x->queue.size);
    queued q = {.s = stored && can_be_restored(x, s) ? NULL : state_share(s),
                .entry = stored ? stored : x->queue.data[x->turn].entry,
                .by = x->ahead.data[0],
                .chain = chain,
                .parent = (uint32_t)x->turn,
                .depth = x->queue.data[x->turn].depth + 1};
    if (x->hangs) {
        uint32_t from = x->queue.data[x->turn].hang_state;
        q.hang_state = hangs_add_state(x->hangs, s, from, q.by, chain);
        hangs_add_way(x->hangs, from, q.hang_state, hangs_end_way(x->hangs), x->hang_step);
    }
    vec_push(&x->queue, q);
    if (x->guided && !guided_receive(x, s, only)) search_finish_queued(x, &vec_last(&x->queue));
}

static void meet_in_hangs(search *x, const visited_entry *hit) {
    if (!x->hangs) return;
    hangs_note_cycle(x->hangs); /* perhaps */
    hangs_add_way(x->hangs, x->queue.data[x->turn].hang_state, x->queue.data[hit->graph_id].hang_state,
                  hangs_end_way(x->hangs), x->hang_step);
}

/* x->ahead leads to the state. */
static seen store(search *x, state *to, uint32_t chain, bool only) {
    bool matches = x->visited && search_is_match_point(to);
    visited_entry *hit = matches ? visited_find(x->visited, to) : NULL;
    if (hit && !(x->guided && guided_is_shorter(x, hit->graph_id))) {
        if (x->guided) guided_meet_again(x, hit->graph_id);
        x->stats->matched++;
        x->stats->executions++;
        meet_in_hangs(x, hit);
        search_look_for_dead_threads(x, to);
        return SEEN_BEFORE;
    }
    visited_entry *stored = matches ? remember(x, to) : NULL;
    if (search_is_scheduling_point(to)) x->stats->states++;
    add_to_queue(x, to, stored, chain, only);
    return hit ? SEEN_BEFORE : SEEN_NEW;
}

static seen meet(search *x, successor *s, bool only) {
    x->stats->transitions += s->parts;
    if (x->hangs) {
        hangs_begin_way(x->hangs);
        hangs_add_step(x->hangs, s->step.by.thread, &s->course);
    }
    if (!search_judge(x, s)) {
        if (x->hangs && s->end == STEP_FINISHED)
            hangs_add_way(x->hangs, x->queue.data[x->turn].hang_state, HANGS_END, hangs_end_way(x->hangs),
                          x->hang_step);
        return SEEN_END;
    }
    state *to = state_share(s->to);
    uint32_t chain = 0;
    bool past_full = false;
    if (x->options.chain)
        chain = search_follow_chain(x, x->queue.data[x->turn].s, s->step, &to, &past_full);
    else
        vec_push(&x->ahead, s->step);
    seen how = x->stop ? SEEN_END : store(x, to, chain, only);
    vec_clear(&x->ahead);
    state_release(x->machine, to);
    return how;
}

/* Executes one transition; true if it led to a visited state. */
static bool step_from(search *x, const state *s, transition t, bool only, successors *list) {
    bool revisits = false;
    successors_clear(x->machine, list);
    if (x->hangs) x->hang_step = hangs_new_step(x->hangs);
    machine_step(x->machine, s, t, &x->how, list);
    x->stats->transitions++;
    shape_add_step(&x->stats->shape, x->queue.data[x->turn].depth);
    for (uint32_t i = 0; i < list->size && !x->stop; i++)
        revisits |= meet(x, &list->data[i], only && list->size == 1) == SEEN_BEFORE;
    search_look_at_limits(x);
    return revisits;
}

void search_expand_queued(search *x, expansion *buffers) {
    assert(x->turn < x->queue.size);
    queued *q = &x->queue.data[x->turn];
    assert(!q->done && (!x->turn || q->parent < x->turn || x->guided)); /* parents come before children */
    if (!q->s) q->s = visited_restore(x->visited, q->entry);
    state *s = q->s; /* the queue may move */
    transitions *enabled = &buffers->enabled;
    vec_clear(enabled);
    machine_enabled(x->machine, s, enabled);
    if (!enabled->size) x->stats->executions++;
    shape_add_state(&x->stats->shape, q->depth, enabled->size);
    bool compete = search_threads_compete(x, s, enabled);
    if (x->checker && compete)
        x->out->reduction_errors += checker_look(x->checker, s, enabled, &x->stats->reduction_checks);
    vec_clear(&x->buffer);
    if (compete)
        search_choose_enough(x, s, enabled);
    else
        for (uint32_t i = 0; i < enabled->size; i++) vec_push(&x->buffer, i);
    bool revisits = false;
    for (size_t i = 0; i < x->buffer.size && !x->stop; i++)
        revisits |= step_from(x, s, enabled->data[x->buffer.data[i]], enabled->size == 1, &buffers->list);
    bool full = !revisits || !x->options.proviso || x->buffer.size == enabled->size;
    for (uint32_t i = 0, next = 0; i < enabled->size && !full && !x->stop; i++) {
        if (next < x->buffer.size && x->buffer.data[next] == i)
            next++;
        else
            step_from(x, s, enabled->data[i], false, &buffers->list);
    }
    search_finish_queued(x, &x->queue.data[x->turn]);
}

void search_free_expansion(search *x, expansion *buffers) {
    vec_free(&buffers->enabled);
    successors_free(x->machine, &buffers->list);
}

/* --- by steps ------------------------------------------------------------------------------------------- */

typedef VEC(uint32_t) numbers;

typedef struct calendar { /* of the queue: who comes after how many steps, of equals the oldest */
    numbers first, last;  /* by steps; NO_INDEX: nobody */
    numbers next, steps;  /* of each element */
    size_t today;
} calendar;

/* What was queued since the last time. */
static void enter_new(calendar *c, const search *x) {
    for (uint32_t i = (uint32_t)c->next.size; i < x->queue.size; i++) {
        const queued *q = &x->queue.data[i];
        uint32_t steps = i ? c->steps.data[q->parent] + 1 + q->chain : 0;
        while (c->first.size <= steps) {
            vec_push(&c->first, NO_INDEX);
            vec_push(&c->last, NO_INDEX);
        }
        vec_push(&c->next, NO_INDEX);
        vec_push(&c->steps, steps);
        if (c->first.data[steps] == NO_INDEX)
            c->first.data[steps] = i;
        else
            c->next.data[c->last.data[steps]] = i;
        c->last.data[steps] = i;
    }
}

static bool take_next(calendar *c, size_t *turn) {
    while (c->today < c->first.size && c->first.data[c->today] == NO_INDEX) c->today++;
    if (c->today == c->first.size) return false;
    *turn = c->first.data[c->today];
    assert(c->steps.data[*turn] == c->today);
    c->first.data[c->today] = c->next.data[*turn];
    return true;
}

static void expand_by_steps(search *x, expansion *buffers) {
    calendar c = {0};
    enter_new(&c, x);
    while (!x->stop && take_next(&c, &x->turn)) {
        search_expand_queued(x, buffers);
        enter_new(&c, x);
    }
    vec_free(&c.first);
    vec_free(&c.last);
    vec_free(&c.next);
    vec_free(&c.steps);
}

void search_breadth_first(search *x) {
    expansion buffers = {0};
    state *first = search_begin(x);
    if (!first) return;
    vec_push(&x->queue, ((queued){.s = first}));
    search_begin_hangs(x);
    if (x->options.fewest_steps_first)
        expand_by_steps(x, &buffers);
    else
        for (x->turn = 0; x->turn < x->queue.size && !x->stop; x->turn++) search_expand_queued(x, &buffers);
    x->out->complete = !x->stop;
    search_free_expansion(x, &buffers);
}
