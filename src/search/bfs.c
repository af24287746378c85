/* Breadth-first search: shortest counterexamples. With static reduction only; the proviso for any order is
 * used: a state is expanded fully as soon as one of its reduced successors was visited before. */
#include "search/internal.h"

typedef enum { SEEN_NEW, SEEN_BEFORE, SEEN_END } seen;

static void add_to_queue(search *x, state *s, path_step by, bool only) {
    vec_push(&x->queue, ((queued){state_share(s), by, x->turn}));
    if (!x->guided || guided_receive(x, only)) return;
    state_release(x->machine, s);
    vec_last(&x->queue).s = NULL;
}

static void remember(search *x, state *s) {
    visited_entry *e = visited_add(x->visited, s);
    e->on_stack = false;
    e->graph_id = (uint32_t)x->queue.size;
}

static seen meet(search *x, successor *s, transition by, uint32_t index, bool only) {
    x->stats->transitions += s->parts;
    if (!search_judge(x, s, by, index)) return SEEN_END;
    state *to = s->to;
    path_step step = {by, index};
    bool matches = x->visited && search_is_match_point(to);
    visited_entry *hit = matches ? visited_find(x->visited, to) : NULL;
    if (hit && !(x->guided && guided_is_shorter(x, hit->graph_id))) {
        if (x->guided) guided_meet_again(x, hit->graph_id);
        x->stats->matched++;
        x->stats->executions++;
        search_look_for_dead_threads(x, to, &step);
        return SEEN_BEFORE;
    }
    if (matches) remember(x, to);
    if (search_is_scheduling_point(to)) x->stats->states++;
    add_to_queue(x, to, step, only);
    return hit ? SEEN_BEFORE : SEEN_NEW;
}

/* Executes one transition; true if it led to a visited state. */
static bool step_from(search *x, const state *s, transition t, bool only, successors *list) {
    bool revisits = false;
    successors_clear(x->machine, list);
    machine_step(x->machine, s, t, &x->how, list);
    x->stats->transitions++;
    for (uint32_t i = 0; i < list->size && !x->stop; i++)
        revisits |= meet(x, &list->data[i], t, i, only && list->size == 1) == SEEN_BEFORE;
    search_look_at_limits(x);
    return revisits;
}

void search_expand_queued(search *x, expansion *buffers) {
    state *s = x->queue.data[x->turn].s;
    transitions *enabled = &buffers->enabled;
    vec_clear(enabled);
    machine_enabled(x->machine, s, enabled);
    if (!enabled->size) x->stats->executions++;
    bool compete = search_threads_compete(x, s, enabled);
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
    state_release(x->machine, s);
    x->queue.data[x->turn].s = NULL;
}

void search_free_expansion(search *x, expansion *buffers) {
    vec_free(&buffers->enabled);
    successors_free(x->machine, &buffers->list);
}

void search_breadth_first(search *x) {
    expansion buffers = {0};
    vec_push(&x->queue, ((queued){machine_initial(x->machine), {{0, 0}, 0}, 0}));
    for (x->turn = 0; x->turn < x->queue.size && !x->stop; x->turn++) search_expand_queued(x, &buffers);
    x->out->complete = !x->stop;
    search_free_expansion(x, &buffers);
}
