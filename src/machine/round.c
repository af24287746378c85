/* Which loop a thread goes round in, and whether it can get out of it by itself.
 *
 * A round that comes back to where it began has passed the head of every loop that it went round in. The
 * outermost of them, in the frame that lies lowest, is the one that is not left. */
#include "machine/hangs.h"
#include "machine/internal.h"

static loops *loops_of(machine *m) {
    return analyses_loops(m->analyses);
}

static bool is_within(machine *m, loop_place inner, loop_place outer) {
    return inner.depth == outer.depth && inner.loop.function == outer.loop.function &&
           loops_contain(loops_of(m), outer.loop, inner.loop.head);
}

void round_widen(machine *m, loop_place *to, loop_place by) {
    if (!by.depth || (to->depth && by.depth > to->depth)) return;
    if (!to->depth || !is_within(m, by, *to)) *to = by;
}

void preemptive_enter_loop_head(run *r, context *c) {
    if (!r->m->options.sleep_spins || r->how->stay_awake) return;
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    loop_place here = {t->frame_count, {f->function, f->block}};
    round_widen(r->m, &c->round, here);
    round_widen(r->m, &c->round_since_witness, here);
}

bool round_waits(machine *m, loop_place round) {
    return round.depth && loops_wait(loops_of(m), round.loop);
}

static bool may_go_round(const thread_part *t) {
    return t->status == THREAD_RUNNABLE || t->status == THREAD_HANGING || t->status == THREAD_DRAWING;
}

void machine_waiting_loops(machine *m, const state *s, uint32_t thread, loop_places *out) {
    const thread_part *t = s->threads[thread];
    vec_clear(out);
    for (uint32_t k = 0; may_go_round(t) && k < t->frame_count; k++) {
        const frame *f = &t->frames[k];
        const loop_heads *heads = loops_that_wait_around(loops_of(m), f->function, f->block);
        for (size_t i = 0; i < heads->size; i++)
            vec_push(out, ((loop_place){k + 1, {f->function, heads->data[i]}}));
    }
}

bool machine_is_in_waiting_loop(machine *m, const state *s, uint32_t thread) {
    loop_places around = {0};
    machine_waiting_loops(m, s, thread, &around);
    bool waits = around.size || s->threads[thread]->status == THREAD_HANGING;
    vec_free(&around);
    return waits;
}

/* --- which loops a step leaves -------------------------------------------------------------------------- */

static void note_left(context *c, size_t loop) {
    if (loop < c->course.left) c->course.left = (uint32_t)loop;
}

void round_note_depth(const run *r, context *c) {
    uint32_t depth = c->s->threads[c->thread]->frame_count;
    for (size_t k = 0; k < r->watched.size; k++)
        if (r->watched.data[k].depth > depth) note_left(c, k);
}

void round_note_jump(const run *r, context *c, uint32_t block) {
    uint32_t depth = c->s->threads[c->thread]->frame_count;
    round_note_depth(r, c);
    for (size_t k = 0; k < r->watched.size && k < c->course.left; k++) {
        const loop_place *p = &r->watched.data[k];
        if (p->depth != depth) continue;
        if (!loops_contain(loops_of(r->m), p->loop, block)) note_left(c, k);
        if (p->loop.head == block && k < 64 && k < c->course.left) c->course.rounds |= UINT64_C(1) << k;
    }
}

/* --- on its own ----------------------------------------------------------------------------------------- */

enum { MOST_STATES = 200 };

typedef VEC(state *) state_list;

static bool has_left(machine *m, const thread_part *t, loop_place round) {
    if (t->status != THREAD_RUNNABLE) return t->status == THREAD_ENDED;
    if (t->frame_count < round.depth) return true;
    const frame *f = &t->frames[round.depth - 1];
    return f->function != round.loop.function || !loops_contain(loops_of(m), round.loop, f->block);
}

static bool is_among(const state_list *seen, const state *s) {
    for (size_t i = 0; i < seen->size; i++)
        if (state_identical(seen->data[i], s)) return true;
    return false;
}

/* One step of the thread from this state, whatever it draws; new states are appended. */
static round_end step_alone(machine *m, const state *from, uint32_t thread, loop_place round,
                            state_list *seen) {
    successors list = {0};
    step_options how = {0};
    round_end end = ROUND_CLOSED;
    machine_step_thread(m, from, thread, &how, &list);
    for (size_t i = 0; i < list.size && end == ROUND_CLOSED; i++) {
        const successor *to = &list.data[i];
        if (to->end == STEP_FINISHED ||
            (to->end == STEP_STOPPED && has_left(m, to->to->threads[thread], round)))
            end = ROUND_LEFT;
        else if (to->end == STEP_LIMIT || to->uncertain)
            end = ROUND_OPEN;
        else if (to->end == STEP_STOPPED && to->to->threads[thread]->status == THREAD_RUNNABLE &&
                 !is_among(seen, to->to))
            vec_push(seen, state_share(to->to));
    }
    successors_free(m, &list);
    return end;
}

/* Also asked while a path is replayed with its inputs, or with all its conditions: any inputs may come next,
 * and what they were before does not matter. */
round_end round_explore(machine *m, const state *s, uint32_t thread) {
    loop_place round = s->threads[thread]->spin->round;
    state_list seen = {0};
    round_end end = round.depth ? ROUND_CLOSED : ROUND_OPEN;
    state *begin = state_clone(s);
    path_collect(m, begin);
    vec_push(&seen, begin);
    for (size_t i = 0; i < seen.size && end == ROUND_CLOSED; i++)
        end = i < MOST_STATES ? step_alone(m, seen.data[i], thread, round, &seen) : ROUND_OPEN;
    for (size_t i = 0; i < seen.size; i++) state_release(m, seen.data[i]);
    vec_free(&seen);
    return end;
}
