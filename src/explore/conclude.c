/* What an exploration has met on its way becomes part of its outcome: the doubts, and what was seen. */
#include "base/invariant.h"
#include "explore/explore.h"
#include "explore/judge.h"
#include "machine/hangs.h"
#include "machine/positions.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "machine/setup.h"

#include <string.h>

void explore_begin(machine *m) {
    machine_begin_seeing(m);
    machine_begin_work(m);
}

void explore_note_step(machine *m, const explore_options *how, const state *from, const successor *to) {
    machine_note_ending(m, to);
    if (how->observe) how->observe(how->observe_data, from, to->step.by, to);
}

/* The machine makes its leak check where a program ends: if there is none, nobody looked. */
static void doubt_leaks(const machine *m, const explore_options *how, outcome *out, doubt_reach reach) {
    if (!(how->properties & PROPERTY_LEAK)) return;
    for (uint32_t i = 0; i < machine_check_count(m); i++)
        if (machine_check(m, i)->kind == CHECK_LEAK && seen_reached(machine_seen_so_far(m), i)) return;
    outcome_add_doubt(out, (doubt){.why.kind = REASON_NO_END_SEEN, .reach = reach});
}

static void doubt_program(outcome *out, reason_kind kind) {
    outcome_add_doubt(out, (doubt){.why.kind = kind, .reach = DOUBT_OF_PROGRAM});
}

/* Who asks for deadlocks asks for livelocks where there are any. */
static void doubt_unsought(const machine *m, const explore_options *how, outcome *out) {
    const kernel_traits *kernel = program_kernel(machine_program(m));
    bool races = how->properties & PROPERTY_RACE, livelocks = how->properties & PROPERTY_LIVELOCK;
    bool deadlocks = how->properties & PROPERTY_DEADLOCK;
    if (races && !kernel->accesses_may_race) doubt_program(out, REASON_COOPERATIVE_RACES);
    if (livelocks && !kernel->loops_can_wait && !deadlocks) doubt_program(out, REASON_COOPERATIVE_LIVELOCKS);
    if (livelocks && kernel->loops_can_wait && !machine_lets_spins_sleep(m))
        doubt_program(out, REASON_LIVELOCKS_WITHOUT_SLEEP);
}

static void doubt_thread_ids(const machine *m, outcome *out, doubt_reach reach) {
    seen_place p;
    if (machine_ids_come_again(m, &p))
        outcome_add_doubt(out, (doubt){.why.kind = REASON_THREAD_ID_REUSED,
                                       .at = p.at,
                                       .file = p.file,
                                       .about = p.about,
                                       .reach = reach});
}

/* Whoever called the explorer lets it begin again with that order followed, if it can. */
static void doubt_heap_order(const machine_seen *seen, outcome *out) {
    out->heap_order_is_open = seen_heap_order_is_open(seen);
    if (out->heap_order_is_open)
        outcome_doubt_fact(out, REASON_HEAP_ORDER, &seen->blocks_compared, DOUBT_OF_EXPLORER);
}

/* What was broken off says what it was busy with. */
static void tell_work(machine *m, outcome *out) {
    for (size_t i = 0; i < out->doubts.size; i++) {
        doubt *d = &out->doubts.data[i];
        if (d->about || (d->why.kind != REASON_TIME && d->why.kind != REASON_INTERRUPTED)) continue;
        text said = {0};
        machine_describe_work(m, &said);
        d->about = machine_keep_text(m, text_cstr(&said));
        d->busy = machine_asked_mostly(m) ? BUSY_ASKING : BUSY_EXPLORING;
        text_free(&said);
    }
}

/* Some facts are doubts only if what they touch is asked for. */
static bool matters(reason_kind why, const explore_options *how) {
    if (why == REASON_MEMORY_MODEL) return how->memory != MEMORY_SC;
    if (why == REASON_OPEN_LOOP) return how->properties & PROPERTY_LIVELOCK;
    return why != REASON_NONE;
}

uint32_t explore_doubtful_facts(const explore_options *how) {
    uint32_t found = 0;
#define ADD(name, reason) found |= (uint32_t)matters(reason, how) << SEEN_##name;
    SEEN_FACTS(ADD)
#undef ADD
    return found;
}

/* A bound of the exploration alone (explore_options.threads) says nothing about another one. */
static doubt_reach reach_of(reason_kind why, doubt_reach reach) {
    return why == REASON_TOO_MANY_THREADS ? DOUBT_OF_EXPLORER : reach;
}

static void doubt_fact(const seen_fact *met, reason_kind why, const explore_options *how, outcome *out,
                       doubt_reach reach) {
    if (met->met && matters(why, how)) outcome_doubt_fact(out, why, met, reach_of(why, reach));
}

static void doubt_facts(const machine_seen *seen, const explore_options *how, outcome *out,
                        doubt_reach reach) {
#define DOUBT(name, reason) doubt_fact(&seen->name, reason, how, out, reach);
    SEEN_FACTS(DOUBT)
#undef DOUBT
}

void explore_conclude(machine *m, const explore_options *how, outcome *out) {
    assert(!out->concluded);
    doubt_reach reach = out->explored == EXPLORED_ABSTRACT_STATES ? DOUBT_OF_EXPLORER : DOUBT_OF_PROGRAM;
    const machine_seen *seen = machine_seen_so_far(m);
    doubt_facts(seen, how, out, reach);
    doubt_unsought(m, how, out);
    doubt_leaks(m, how, out, reach);
    doubt_thread_ids(m, out, reach);
    doubt_heap_order(seen, out);
    tell_work(m, out);
    seen_free(&out->seen);
    out->seen = machine_end_seeing(m);
    out->concluded = true;
}
