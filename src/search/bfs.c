/* Breadth-first search: shortest counterexamples. With static reduction only; the proviso for any order is
 * used: a state is expanded fully as soon as one of its reduced successors was visited before. */
#include "search/internal.h"

typedef enum { SEEN_NEW, SEEN_BEFORE, SEEN_END } seen;

static seen meet(search *x, successor *s, transition by, uint32_t index) {
    x->stats->transitions += s->parts;
    if (!search_judge(x, s, by, index)) return SEEN_END;
    state *to = s->to;
    if (search_is_scheduling_point(to)) {
        if (x->visited && visited_find(x->visited, to)) {
            x->stats->matched++;
            x->stats->executions++;
            search_look_for_dead_threads(x, to, &(path_step){by, index});
            return SEEN_BEFORE;
        }
        if (x->visited) visited_add(x->visited, to)->on_stack = false;
        x->stats->states++;
    }
    vec_push(&x->queue, ((queued){state_share(to), {by, index}, x->turn}));
    return SEEN_NEW;
}

/* Executes one transition; true if it led to a visited state. */
static bool step_from(search *x, const state *s, transition t, successors *list) {
    bool revisits = false;
    successors_clear(x->machine, list);
    machine_step(x->machine, s, t, &x->how, list);
    x->stats->transitions++;
    for (uint32_t i = 0; i < list->size && !x->stop; i++)
        revisits |= meet(x, &list->data[i], t, i) == SEEN_BEFORE;
    search_look_at_limits(x);
    return revisits;
}

static void expand(search *x, transitions *enabled, successors *list) {
    state *s = x->queue.data[x->turn].s;
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
        revisits |= step_from(x, s, enabled->data[x->buffer.data[i]], list);
    bool full = !revisits || !x->options.proviso || x->buffer.size == enabled->size;
    for (uint32_t i = 0, next = 0; i < enabled->size && !full && !x->stop; i++) {
        if (next < x->buffer.size && x->buffer.data[next] == i)
            next++;
        else
            step_from(x, s, enabled->data[i], list);
    }
}

void search_breadth_first(search *x) {
    transitions enabled = {0};
    successors list = {0};
    vec_push(&x->queue, ((queued){machine_initial(x->machine), {{0, 0}, 0}, 0}));
    for (x->turn = 0; x->turn < x->queue.size && !x->stop; x->turn++) {
        expand(x, &enabled, &list);
        state_release(x->machine, x->queue.data[x->turn].s);
        x->queue.data[x->turn].s = NULL;
    }
    x->out->complete = !x->stop;
    vec_free(&enabled);
    successors_free(x->machine, &list);
}
