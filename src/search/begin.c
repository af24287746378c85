/* Where a search begins: in the initial state, or behind a prefix. The steps of the prefix are judged like
 * any others. */
#include "explore/prefix.h"
#include "search/internal.h"

/* As they are called in this machine. */
static bool read_prefix(search *x, path *out) {
    player p = player_begin(x->machine, &x->how);
    bool follows = prefix_follow(&p, x->options.from);
    path_append(out, &p.done);
    player_end(&p);
    return follows;
}

static bool judge_step(search *x, const player *p, const successor *s) {
    x->stats->transitions += 1 + s->parts;
    x->stats->states += search_is_scheduling_point(p->now);
    x->ahead_from = p->now;
    bool goes_on = search_judge(x, s);
    x->ahead_from = NULL;
    return goes_on;
}

/* False: a step could not be made, as it was interrupted. */
static bool follow(search *x, const path *steps, player *p, bool *goes_on) {
    for (size_t i = 0; i < steps->size && *goes_on; i++) {
        player_look(p, steps->data[i].by);
        const successor *s = player_recorded(p, steps->data[i]);
        if (!s) return false;
        *goes_on = judge_step(x, p, s);
        player_take(p, s);
        vec_push(&x->begun, steps->data[i]);
        search_look_at_limits(x);
    }
    return true;
}

static state *begin_behind(search *x) {
    path steps = {0};
    player p = player_begin(x->machine, &x->how);
    bool goes_on = read_prefix(x, &steps), follows = goes_on && follow(x, &steps, &p, &goes_on);
    if (!follows) outcome_doubt(x->out, REASON_PREFIX_NOT_FOLLOWED, (position){0, 0});
    x->stop |= !follows;
    x->out->complete = !x->stop; /* where the prefix ends the execution */
    vec_free(&steps);
    if (goes_on && !x->stop) {
        bool counted = x->options.order == ORDER_DFS; /* as soon as it is on the stack */
        if (!counted) x->stats->states += search_is_scheduling_point(p.now);
        return player_leave(&p);
    }
    player_end(&p);
    return NULL;
}

state *search_begin(search *x) {
    return x->options.from ? begin_behind(x) : machine_initial(x->machine, x->options.stops);
}
