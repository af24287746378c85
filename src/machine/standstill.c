/* Who is blocked for ever: threads in a wait or a join that no other thread can end, whatever happens.
 *
 * Those that wait and those that spin in vain are supposed to be dead at first. A thread is taken out if one
 * that is not dead may write what it waits for (a static over-approximation, future.h), or if one that spins
 * changes it for a while in each of its rounds. What remains never moves again, or moves in rounds that
 * nobody sees: a fact about all executions from here on. */
#include "machine/hangs.h"
#include "machine/internal.h"
#include "machine/place.h"

typedef enum {
    STANDING_OVER,    /* ended, not begun, or at the end of the program */
    STANDING_MOVES,   /* may go on, at once or when others let it */
    STANDING_BLOCKED, /* in a wait or a join */
    STANDING_SPINS    /* goes round for ever, as long as nothing changes */
} standing;

typedef struct standstill {
    machine *m;
    const state *s;
    bool believe;          /* that a round which may go another way, by the inputs it draws, never does */
    bool believed;         /* that had to be believed of some thread */
    VEC(uint8_t) standing; /* per thread */
} standstill;

/* --- where threads stand -------------------------------------------------------------------------------- */

/* A round that draws inputs may end in another way next time. */
static bool spins_for_ever(standstill *x, uint32_t thread) {
    const thread_part *t = x->s->threads[thread];
    assert(t->spin && t->spin->waiting);
    if (!thread_has_asked(t, t->spin->anchor)) return true;
    round_end end = round_waits(x->m, t->spin->round) ? round_explore(x->m, x->s, thread) : ROUND_LEFT;
    if (end == ROUND_OPEN) x->believed = true;
    return end == ROUND_CLOSED || (end == ROUND_OPEN && x->believe);
}

/* False: nothing can be said, as a thread was stopped by an assumption or the program can end. */
static bool look_at_threads(standstill *x) {
    for (uint32_t k = 0; k < x->s->thread_count; k++) {
        const thread_part *t = x->s->threads[k];
        uint8_t how = STANDING_OVER;
        if (t->status == THREAD_STUCK) return false;
        if (t->status == THREAD_DRAWING) how = STANDING_MOVES;
        if (thread_goes_round(t->status)) how = STANDING_SPINS;
        if (t->status == THREAD_RUNNABLE) {
            bool vain = preemptive_spins_in_vain(x->m, x->s, t);
            if (preemptive_is_at_program_end(x->m, x->s, k)) {
                if (!x->m->options.blocked_at_exit && !x->m->options.spinning_at_exit) return false;
            } else if (vain) {
                how = spins_for_ever(x, k) ? STANDING_SPINS : STANDING_MOVES;
            } else {
                how = preemptive_may_go_on(x->m, x->s, k) ? STANDING_MOVES : STANDING_BLOCKED;
            }
        }
        vec_push(&x->standing, how);
    }
    return true;
}

static bool has(const standstill *x, standing how) {
    for (size_t k = 0; k < x->standing.size; k++)
        if (x->standing.data[k] == how) return true;
    return false;
}

/* --- who can free whom ---------------------------------------------------------------------------------- */

static const futures *futures_of(machine *m) {
    return analyses_futures(m->analyses);
}

static void list_call_sites(const thread_part *t, call_sites *out) {
    vec_clear(out);
    for (uint32_t k = 0; k < t->frame_count; k++)
        vec_push(out, ((call_site){t->frames[k].function, t->frames[k].block, t->frames[k].index}));
}

static bool changes_in_rounds(const thread_part *spinning, const access *a) {
    const spin_watch *w = spinning->spin;
    for (uint32_t k = 0; w && k < w->count; k++) {
        const spin_read *r = &w->read[k];
        bool overlaps =
            r->object == a->name && r->offset < a->high && a->low < r->offset + (r->width + 7) / 8;
        if (r->changes && overlaps) return true;
    }
    return false;
}

static bool may_write(standstill *x, uint32_t thread, const access *a) {
    const thread_part *t = x->s->threads[thread];
    const memory_object *o = state_object(x->s, a->name);
    assert(x->standing.size == x->s->thread_count);
    if (x->standing.data[thread] == STANDING_SPINS) return changes_in_rounds(t, a);
    if (x->standing.data[thread] != STANDING_MOVES) return false;
    if (!o) return true;
    call_sites stack = {0};
    list_call_sites(t, &stack);
    uint32_t object = a->name < x->s->static_count ? a->name : NO_INDEX;
    bool may = futures_may_access(futures_of(x->m), stack.data, stack.size, object, o->site, true);
    vec_free(&stack);
    return may;
}

static bool may_be_freed_by_some(standstill *x, uint32_t thread, const access *a) {
    if (a->kind == ACCESS_JOIN)
        return a->name < x->standing.size && x->standing.data[a->name] == STANDING_MOVES;
    if (a->kind == ACCESS_CLAIM) return false;
    for (uint32_t k = 0; k < x->s->thread_count; k++)
        if (k != thread && may_write(x, k, a)) return true;
    return false;
}

/* What it waits for; a thread that waits for an object of its own waits for nothing that
 * others could give. */
static bool may_be_freed(standstill *x, uint32_t thread) {
    if (thread_goes_round(x->s->threads[thread]->status)) return false;
    pending next;
    effect waits = {0};
    preemptive_pending(x->m, x->s, thread, &next);
    for (size_t i = 0; i < next.next->size; i++) vec_push(&waits, next.next->data[i]);
    bool may = false;
    for (size_t i = 0; i < waits.size && !may; i++) may = may_be_freed_by_some(x, thread, &waits.data[i]);
    effect_free(&waits);
    return may;
}

static void free_whom_others_can(standstill *x) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = 0; k < x->s->thread_count; k++) {
            uint8_t *how = &x->standing.data[k];
            if ((*how != STANDING_BLOCKED && *how != STANDING_SPINS) || !may_be_freed(x, k)) continue;
            *how = STANDING_MOVES;
            changed = true;
        }
    }
}

/* --- the answer ----------------------------------------------------------------------------------------- */

/* Whoever still moves could end the program, which ends every wait. */
static bool program_may_end(standstill *x) {
    call_sites stack = {0};
    bool may = false;
    for (uint32_t k = 0; k < x->s->thread_count && !may; k++) {
        if (x->standing.data[k] != STANDING_MOVES) continue;
        list_call_sites(x->s->threads[k], &stack);
        may = futures_may_join(futures_of(x->m), stack.data, stack.size);
    }
    vec_free(&stack);
    return may;
}

static uint32_t joined_thread(standstill *x, uint32_t thread) {
    pending next;
    preemptive_pending(x->m, x->s, thread, &next);
    bool joins = next.next->size && next.next->data[0].kind == ACCESS_JOIN;
    return joins ? next.next->data[0].name : NO_INDEX;
}

/* To wait for the end of a thread that goes round for ever is what many a main does: no deadlock. */
static bool waits_for_spinning(standstill *x, uint32_t thread) {
    for (uint32_t hops = 0; hops <= x->s->thread_count; hops++) {
        thread = joined_thread(x, thread);
        if (thread >= x->standing.size) return false;
        if (x->standing.data[thread] != STANDING_BLOCKED) return x->standing.data[thread] == STANDING_SPINS;
    }
    return false;
}

static bool some_thread_is_dead(standstill *x) {
    if (!has(x, STANDING_BLOCKED)) return false;
    free_whom_others_can(x);
    bool dead = false;
    for (uint32_t k = 0; k < x->s->thread_count && !dead; k++)
        dead = x->standing.data[k] == STANDING_BLOCKED && !waits_for_spinning(x, k);
    return dead && !program_may_end(x);
}

static bool can_be_looked_at(const state *s) {
    return s->scheduler->phase != PHASE_DONE && s->scheduler->running == NO_INDEX;
}

bool preemptive_deadlocked(machine *m, const state *s) {
    if (!can_be_looked_at(s)) return false;
    standstill x = {.m = m, .s = s};
    bool dead = look_at_threads(&x) && some_thread_is_dead(&x);
    vec_free(&x.standing);
    return dead;
}

/* --- livelocks ------------------------------------------------------------------------------------------ */

bool machine_spins_in_vain(machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    if (t->status == THREAD_HANGING) return true;
    return t->status == THREAD_RUNNABLE && preemptive_spins_in_vain(m, s, t) &&
           round_waits(m, t->spin->round);
}

static bool some_thread_hangs(standstill *x) {
    bool hangs = false;
    free_whom_others_can(x);
    for (uint32_t k = 0; k < x->s->thread_count && !hangs; k++)
        hangs = x->standing.data[k] == STANDING_SPINS && machine_spins_in_vain(x->m, x->s, k);
    return hangs && !program_may_end(x);
}

static bool hangs_if(machine *m, const state *s, bool believe, bool *believed) {
    standstill x = {.m = m, .s = s, .believe = believe};
    bool hangs = look_at_threads(&x) && some_thread_hangs(&x);
    *believed |= x.believed;
    vec_free(&x.standing);
    return hangs;
}

hang_answer preemptive_livelocked(machine *m, const state *s) {
    bool believed = false, anybody = false;
    for (uint32_t k = 0; k < s->thread_count && !anybody; k++) anybody = machine_spins_in_vain(m, s, k);
    if (!anybody || !can_be_looked_at(s)) return HANG_NOT;
    if (hangs_if(m, s, false, &believed)) return HANG_CERTAIN;
    return believed && hangs_if(m, s, true, &believed) ? HANG_PERHAPS : HANG_NOT;
}

/* --- by a look at all that can happen ------------------------------------------------------------------- */

static bool is_blocked(machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    return t->status == THREAD_RUNNABLE && !preemptive_is_at_program_end(m, s, thread) &&
           !preemptive_spins_in_vain(m, s, t) && !preemptive_may_go_on(m, s, thread);
}

/* Threads that join each other in a circle, or one that joins itself. */
static bool joins_in_circle(standstill *x, uint32_t thread) {
    uint32_t begin = thread;
    for (uint32_t hops = 0; hops <= x->s->thread_count; hops++) {
        thread = thread < x->s->thread_count && is_blocked(x->m, x->s, thread) ? joined_thread(x, thread)
                                                                               : NO_INDEX;
        if (thread == begin) return true;
        if (thread == NO_INDEX) return false;
    }
    return false;
}

void machine_list_blocked(machine *m, const state *s, suspects *out) {
    standstill x = {.m = m, .s = s};
    vec_clear(out);
    for (uint32_t k = 0; can_be_looked_at(s) && k < s->thread_count; k++) {
        if (!is_blocked(m, s, k)) continue;
        if (joined_thread(&x, k) == NO_INDEX || joins_in_circle(&x, k)) vec_push(out, (suspect){.thread = k});
    }
}

void machine_list_waiting(machine *m, const state *s, suspects *out) {
    loop_places around = {0};
    vec_clear(out);
    for (uint32_t k = 0; can_be_looked_at(s) && k < s->thread_count; k++) {
        machine_waiting_loops(m, s, k, &around);
        for (size_t i = 0; s->threads[k]->status != THREAD_HANGING && i < around.size; i++)
            vec_push(out, ((suspect){k, true, around.data[i]}));
    }
    vec_free(&around);
}

static bool program_can_end_at_once(machine *m, const state *s) {
    for (uint32_t k = 0; k < s->thread_count; k++)
        if (preemptive_is_at_program_end(m, s, k)) return true;
    return false;
}

static bool some_thread_still_moves(machine *m, const state *s) {
    for (uint32_t k = 0; k < s->thread_count; k++) {
        const thread_part *t = s->threads[k];
        if (t->status == THREAD_DRAWING) return true;
        if (t->status == THREAD_RUNNABLE &&
            (preemptive_spins_in_vain(m, s, t) || preemptive_may_go_on(m, s, k)))
            return true;
    }
    return false;
}

static hang_answer look_at_suspects(machine *m, const state *s, const suspects *list) {
    hang_answer worst = HANG_NOT;
    for (size_t i = 0; i < list->size && worst != HANG_CERTAIN; i++) {
        hang_answer one = machine_stays_for_ever(m, s, &list->data[i]);
        if (one > worst) worst = one;
    }
    return worst;
}

static hang_answer look_further(machine *m, const state *s,
                                void (*list)(machine *m, const state *s, suspects *out)) {
    if (!m->traits->threads_hang_apart || !some_thread_still_moves(m, s)) return HANG_NOT;
    bool excused = !m->options.blocked_at_exit && !m->options.spinning_at_exit;
    if (excused && program_can_end_at_once(m, s)) return HANG_NOT;
    suspects found = {0};
    list(m, s, &found);
    hang_answer answer = look_at_suspects(m, s, &found);
    vec_free(&found);
    return answer;
}

hang_answer machine_blocked_for_ever(machine *m, const state *s) {
    return machine_deadlocked(m, s) ? HANG_CERTAIN : look_further(m, s, machine_list_blocked);
}

hang_answer machine_spins_for_ever(machine *m, const state *s) {
    hang_answer quick = machine_livelocked(m, s);
    if (quick == HANG_CERTAIN || !m->options.sleep_spins) return quick;
    return look_further(m, s, machine_list_waiting);
}

/* --- what is told beside the verdict -------------------------------------------------------------------- */

static blocked_thread describe(const machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    const function *in = thread_visible_function(m->program, t);
    return (blocked_thread){.known = true,
                            .spins = thread_goes_round(t->status) || (t->spin && t->spin->waiting),
                            .thread = thread,
                            .file = in ? in->file : NULL,
                            .at = thread_position(m->program, t)};
}

void preemptive_note_blocked(machine *m, const state *s, uint32_t ending) {
    blocked_thread first = {0};
    if (m->seen->blocked_at_exit.known) return;
    for (uint32_t k = 0; k < s->thread_count; k++) {
        const thread_part *t = s->threads[k];
        if (t->status == THREAD_STUCK || t->status == THREAD_DRAWING) return;
        if (k == ending || t->status != THREAD_RUNNABLE || preemptive_is_at_program_end(m, s, k) ||
            (preemptive_spins_in_vain(m, s, t) && !round_waits(m, t->spin->round)))
            continue;
        if (preemptive_may_go_on(m, s, k)) return; /* the end came before it could */
        if (!first.known) first = describe(m, s, k);
    }
    m->seen->blocked_at_exit = first;
}

void preemptive_note_standstill(machine *m, const state *s) {
    blocked_thread first = {0};
    if (m->seen->stands_still.known) return;
    for (uint32_t k = 0; k < s->thread_count; k++) {
        uint8_t status = s->threads[k]->status;
        if (status == THREAD_STUCK || status == THREAD_DRAWING) return; /* what goes on is another path */
        if (!first.known && (status == THREAD_RUNNABLE || thread_goes_round(status)))
            first = describe(m, s, k);
    }
    m->seen->stands_still = first;
}
