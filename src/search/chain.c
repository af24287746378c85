/* Deterministic chains: states that have one successor are passed without being stored.
 *
 * Nothing is skipped: every state of a chain is judged like any other, and a path says how many steps a chain
 * has, which can only be made in one way. A chain ends where there is a choice, an end or anything but a
 * plain step, or where a thread jumps back after enough transitions, because every cycle has such a jump. */
#include "explore/player.h"
#include "search/internal.h"

/* Whether the thread stands further on in the program: frame by frame, where having returned comes after all
 * that the call did. No sequence of such moves comes back to where it began. */
static bool went_forward(const call_sites *before, const call_sites *after) {
    for (size_t i = 0; i < before->size && i < after->size; i++) {
        const call_site *f = &before->data[i], *g = &after->data[i];
        if (f->function != g->function) return false;
        if (f->block != g->block) return f->block < g->block;
        if (f->index != g->index) return f->index < g->index;
    }
    return after->size < before->size;
}

static bool jumps_back(search *x, const state *before, const state *after, transition by) {
    if (by.thread == MACHINE_KERNEL) return true;
    state_stack(before, by.thread, &x->stack_before);
    state_stack(after, by.thread, &x->stack_after);
    return !went_forward(&x->stack_before, &x->stack_after);
}

/* Whether s goes on in one way only; the step and what it leads to are in the buffers then. */
static bool has_one_successor(search *x, state *s) {
    vec_clear(&x->chain_enabled);
    machine_enabled(x->machine, s, &x->chain_enabled);
    bool choice = x->chain_enabled.size > 1 && !x->options.chain_past_choices;
    if (!x->chain_enabled.size || choice) return false;
    successors_clear(x->machine, &x->chain_next);
    step_options how = x->how;
    how.one_way = true; /* most chains end in states that were visited: what they branch to is known then */
    machine_step(x->machine, s, x->chain_enabled.data[0], &how, &x->chain_next);
    return x->chain_next.size == 1 && x->chain_next.data[0].end == STEP_STOPPED;
}

uint32_t search_follow_chain(search *x, const state *from, path_step first, state **now, bool *past_full) {
    assert(*now && !x->ahead_from);
    vec_clear(&x->ahead);
    vec_push(&x->ahead, first);
    bool cut = x->options.chain <= 1 && jumps_back(x, from, *now, first.by);
    uint32_t made = 0;
    while (!(cut && search_is_match_point(*now)) && has_one_successor(x, *now)) {
        successor *next = &x->chain_next.data[0];
        path_step step = next->step;
        x->stats->transitions += 1 + next->parts;
        x->stats->chained++;
        if (x->hangs) hangs_add_step(x->hangs, step.by.thread, &next->course);
        x->ahead_from = *now;
        bool goes_on = search_judge(x, next);
        x->ahead_from = NULL;
        vec_push(&x->ahead, step);
        made++;
        cut = cut || (made + 1 >= x->options.chain && jumps_back(x, *now, next->to, step.by));
        *past_full |= !state_is_inside_step(*now);
        state_release(x->machine, *now);
        *now = next->to;
        next->to = NULL;
        search_look_at_limits(x);
        if (!goes_on || x->stop) break;
    }
    assert(x->ahead.size == 1 + made);
    machine_collect_path(x->machine, *now);
    return made;
}

/* --- paths ---------------------------------------------------------------------------------------------- */

static bool some_chain(const path_links *links) {
    for (size_t i = 0; i < links->size; i++)
        if (links->data[i].chain) return true;
    return false;
}

/* False: a step does not lead on, because it was interrupted this time. */
static bool unfold(player *p, const path_link *link, path *out) {
    transitions enabled = {0};
    vec_push(out, link->by);
    bool leads_on = player_follow(p, link->by);
    for (uint32_t k = 0; k < link->chain && leads_on; k++) {
        vec_clear(&enabled);
        machine_enabled(p->m, p->now, &enabled);
        leads_on = enabled.size;
        if (!leads_on) break;
        path_step step = {enabled.data[0], 0};
        vec_push(out, step);
        leads_on = player_follow(p, step);
    }
    vec_free(&enabled);
    return leads_on;
}

/* The way to where the search began, and the links. The steps of a chain are found by making them again.
 * Should one of them fail to, the path stays short and is not confirmed. */
void search_unfold_chains(search *x, const path_links *links, path *out) {
    assert(!out->size);
    bool again = some_chain(links);
    player p = again ? player_begin(x->machine, &x->how) : (player){.m = x->machine};
    again = again && player_follow_path(&p, &x->begun);
    for (size_t i = 0; i < x->begun.size; i++) vec_push(out, x->begun.data[i]);
    for (size_t i = 0; i < links->size; i++) {
        if (again)
            again = unfold(&p, &links->data[i], out);
        else
            vec_push(out, links->data[i].by);
    }
    player_end(&p);
}

void search_close_chains(search *x) {
    vec_free(&x->ahead);
    vec_free(&x->stack_before);
    vec_free(&x->stack_after);
    vec_free(&x->chain_enabled);
    successors_free(x->machine, &x->chain_next);
}
