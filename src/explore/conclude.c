/* What an exploration has met on its way becomes part of its outcome: the doubts, and what was seen. */
#include "explore/explore.h"
#include "explore/judge.h"

#include <string.h>

void explore_begin(machine *m) {
    machine_seen before = machine_exchange_seen(m, (machine_seen){0});
    seen_free(&before);
    machine_begin_work(m);
}

static void doubt_context_bound(const machine_seen *seen, outcome *out, doubt_reach reach) {
    if (seen->context_bound_hit) outcome_add_doubt(out, (doubt){.reason = "context bound", .reach = reach});
}

/* The machine makes its leak check where a program ends: if there is none, nobody looked. */
static void doubt_leaks(const machine *m, const explore_options *how, outcome *out, doubt_reach reach) {
    if (!(how->properties & PROPERTY_LEAK)) return;
    for (uint32_t i = 0; i < machine_check_count(m); i++)
        if (machine_check(m, i)->kind == CHECK_LEAK && seen_reached(machine_seen_so_far(m), i)) return;
    outcome_add_doubt(
        out, (doubt){.reason = "no end of the program was seen, where leaks are looked for", .reach = reach});
}

static void doubt_coarse_copies(const machine_seen *seen, outcome *out, doubt_reach reach) {
    if (seen->coarse_copy)
        outcome_add_doubt(out,
                          (doubt){.reason = "a large, overlapping or unknown range was copied in one step",
                                  .reach = reach});
}

static void doubt_thread_ids(const machine *m, outcome *out, doubt_reach reach) {
    seen_place p;
    if (machine_ids_come_again(m, &p))
        outcome_add_doubt(out, (doubt){.reason = "the identity of a thread that has ended may be used again",
                                       .at = p.at,
                                       .file = p.file,
                                       .about = p.about,
                                       .reach = reach});
}

/* Whoever called the explorer lets it begin again with that order followed, if it can. */
static void doubt_heap_order(const machine *m, const machine_seen *seen, outcome *out) {
    out->follows_heap_order = machine_follows_heap_order(m);
    out->heap_order_is_open = machine_heap_order_is_open(m, seen);
    if (out->heap_order_is_open)
        outcome_add_doubt(out, (doubt){.reason = "in which order threads free and allocate decides whether "
                                                 "compared pointers are equal",
                                       .at = seen->blocks_compared_at.at,
                                       .file = seen->blocks_compared_at.file,
                                       .about = seen->blocks_compared_at.about,
                                       .reach = DOUBT_OF_EXPLORER});
}

static void doubt_memory_model(const machine_seen *seen, const explore_options *how, outcome *out,
                               doubt_reach reach) {
    if (seen->weak_access && !how->sequentially_consistent)
        outcome_add_doubt(out, (doubt){.reason = "memory model",
                                       .at = seen->weak_at.at,
                                       .file = seen->weak_at.file,
                                       .about = seen->weak_at.about,
                                       .reach = reach});
}

/* What was broken off says what it was busy with. */
static void tell_work(machine *m, outcome *out) {
    for (size_t i = 0; i < out->doubts.size; i++) {
        doubt *d = &out->doubts.data[i];
        if (d->about || (strcmp(d->reason, "time limit") && strcmp(d->reason, "interrupted"))) continue;
        text said = {0};
        machine_describe_work(m, &said);
        d->about = machine_keep_text(m, text_cstr(&said));
        d->busy = machine_asked_mostly(m) ? BUSY_ASKING : BUSY_EXPLORING;
        text_free(&said);
    }
}

static void doubt_open_loops(const machine_seen *seen, const explore_options *how, outcome *out,
                             doubt_reach reach) {
    if (seen->open_loop && how->properties & PROPERTY_LIVELOCK)
        outcome_add_doubt(out, (doubt){.reason = JUDGE_OPEN_LOOP,
                                       .at = seen->open_loop_at.at,
                                       .file = seen->open_loop_at.file,
                                       .reach = reach});
}

void explore_conclude(machine *m, const explore_options *how, explored_kind what, outcome *out) {
    doubt_reach reach = what == EXPLORED_STATES ? DOUBT_OF_PROGRAM : DOUBT_OF_EXPLORER;
    const machine_seen *seen = machine_seen_so_far(m);
    doubt_context_bound(seen, out, reach);
    doubt_leaks(m, how, out, reach);
    doubt_coarse_copies(seen, out, reach);
    doubt_thread_ids(m, out, reach);
    doubt_heap_order(m, seen, out);
    doubt_memory_model(seen, how, out, reach);
    doubt_open_loops(seen, how, out, reach);
    tell_work(m, out);
    seen_free(&out->seen);
    out->seen = machine_exchange_seen(m, (machine_seen){0});
}
