#include "machine/seen.h"

#include "machine/internal.h"

void machine_begin_seeing(machine *m) {
    assert(!m->explores && !m->looks_away);
    m->explores = true;
    seen_free(&m->met); /* by whoever did not explore: replays, looks for a smaller counterexample */
    seen_free(&m->imagined);
}

machine_seen machine_end_seeing(machine *m) {
    assert(m->explores && !m->looks_away);
    machine_seen seen = m->met;
    m->met = (machine_seen){0};
    m->explores = false;
    seen_free(&m->imagined);
    return seen;
}

const machine_seen *machine_seen_so_far(const machine *m) {
    return &m->met;
}

void machine_look_away(machine *m) {
    m->looks_away++;
    m->seen = &m->imagined;
}

void machine_look_back(machine *m) {
    assert(m->looks_away);
    if (!--m->looks_away) m->seen = &m->met;
}

uint32_t machine_facts_noted(machine *m) {
    uint32_t noted = m->facts_noted;
    m->facts_noted = 0;
    return noted;
}

enum { MOST_ENDINGS_LOOKED_AT = 10000 }; /* without an end: then nothing is said about all executions */

/* Threads that were stopped by assumptions, or stand still for another reason. */
static void note_standstill(machine *m, const state *s) {
    machine_seen *seen = m->seen;
    if (seen->ended_otherwise.met) return;
    if (seen->endings_looked_at++ > MOST_ENDINGS_LOOKED_AT) {
        NOTE_FACT(m, ended_otherwise);
        return;
    }
    transitions enabled = {0};
    machine_enabled(m, s, &enabled);
    bool stuck = false;
    for (uint32_t t = 0; t < s->thread_count; t++) stuck |= s->threads[t]->status == THREAD_STUCK;
    if (!enabled.size && !stuck) NOTE_FACT(m, ended_otherwise);
    if (!enabled.size && stuck) NOTE_FACT(m, assumed_away);
    vec_free(&enabled);
}

void machine_note_ending(machine *m, const successor *s) {
    if (s->end == STEP_ASSUMED_AWAY)
        NOTE_FACT(m, assumed_away);
    else if (s->end != STEP_STOPPED)
        NOTE_FACT(m, ended_otherwise);
    else if (m->traits->others_go_on_without)
        note_standstill(m, s->to);
}

bool seen_all_assumed_away(const machine_seen *s) {
    return s->assumed_away.met && !s->ended_otherwise.met;
}

void seen_note_who(uint32_t *who, uint32_t thread) {
    if (*who == SEEN_SEVERAL || *who == thread + 1) return;
    *who = *who == SEEN_NOBODY ? thread + 1 : SEEN_SEVERAL;
}

void seen_note_joined(machine_seen *s, uint32_t thread, uint32_t by) {
    uint64_t before = map_get(&s->joiners, thread);
    map_put(&s->joiners, thread, before == MAP_NONE || before == by ? by : NO_INDEX);
}

static uint64_t pair_key(uint32_t one, uint32_t other) {
    return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

bool seen_knows_ids_compared(const machine_seen *s, uint32_t one, uint32_t other) {
    return map_get(&s->pairs_compared, pair_key(one, other)) != MAP_NONE;
}

void seen_note_ids_compared(machine_seen *s, ids_compared which) {
    if (seen_knows_ids_compared(s, which.one, which.other)) return;
    map_put(&s->pairs_compared, pair_key(which.one, which.other), 1);
    vec_push(&s->ids_compared, which);
}

static void merge_who(uint32_t *into, uint32_t from) {
    if (from == SEEN_SEVERAL)
        *into = SEEN_SEVERAL;
    else if (from != SEEN_NOBODY)
        seen_note_who(into, from - 1);
}

#define MERGE_FACT(name, reason)                                                                             \
    if (!into->name.met) into->name = from->name;
#define MERGE_BLOCKED(name)                                                                                  \
    if (!into->name.known) into->name = from->name;
#define MERGE_RACE(name)  MERGE_BLOCKED(name)
#define MERGE_WHO(name)   merge_who(&into->name, from->name);
#define MERGE_COUNT(name) into->name += from->name;
#define MERGE_CHECKS(name)                                                                                   \
    for (uint32_t i = 0; i < from->name.size; i++)                                                           \
        if (from->name.data[i]) seen_reach(into, i);
#define MERGE_JOINERS(name)                                                                                  \
    for (size_t at = 0; map_next(&from->name, &at, &thread, &by);)                                           \
        seen_note_joined(into, (uint32_t)thread, (uint32_t)by);
#define MERGE_COMPARED(name)                                                                                 \
    for (size_t i = 0; i < from->name.size; i++) seen_note_ids_compared(into, from->name.data[i]);
#define MERGE_INDEX(name)

void seen_merge(machine_seen *into, const machine_seen *from) {
    uint64_t thread, by;
    SEEN_MEMBERS(MERGE)
}

/* How executions end that were left out nobody knows. */
#define KEEP_FACT(name, reason)                                                                              \
    if (reason == REASON_NONE && !into->name.met) into->name = from->name;
#define KEEP_BLOCKED(name)
#define KEEP_WHO(name) MERGE_WHO(name)
#define KEEP_COUNT(name)
#define KEEP_RACE(name)
#define KEEP_CHECKS(name)   MERGE_CHECKS(name)
#define KEEP_JOINERS(name)  MERGE_JOINERS(name)
#define KEEP_COMPARED(name) MERGE_COMPARED(name)
#define KEEP_INDEX(name)

void machine_keep_imagined(machine *m) {
    machine_seen *into = &m->met, *from = &m->imagined;
    uint64_t thread, by;
    SEEN_MEMBERS(KEEP)
    into->ended_otherwise.met = true;
}

#define RENAME_FACT(name, reason) named.name = s->name;
#define RENAME_BLOCKED(name)                                                                                 \
    named.name = s->name;                                                                                    \
    if (s->name.known) named.name.thread = number(data, s->name.thread);
#define RENAME_WHO(name)                                                                                     \
    named.name = s->name == SEEN_NOBODY || s->name == SEEN_SEVERAL ? s->name : number(data, s->name - 1) + 1;
#define RENAME_COUNT(name)  named.name = s->name;
#define RENAME_RACE(name)   named.name = s->name;
#define RENAME_CHECKS(name) named.name = s->name;
#define RENAME_JOINERS(name)                                                                                 \
    for (size_t at = 0; map_next(&s->name, &at, &thread, &by);)                                              \
        seen_note_joined(&named, number(data, (uint32_t)thread),                                             \
                         by == NO_INDEX ? NO_INDEX : number(data, (uint32_t)by));                            \
    map_free(&s->name);
#define RENAME_COMPARED(name)                                                                                \
    for (size_t i = 0; i < s->name.size; i++) {                                                              \
        ids_compared c = s->name.data[i];                                                                    \
        c.one = number(data, c.one);                                                                         \
        c.other = number(data, c.other);                                                                     \
        seen_note_ids_compared(&named, c);                                                                   \
    }                                                                                                        \
    vec_free(&s->name);
#define RENAME_INDEX(name) map_free(&s->name);

void seen_rename_threads(machine_seen *s, uint32_t (*number)(void *data, uint32_t thread), void *data) {
    machine_seen named = {0};
    uint64_t thread, by;
    SEEN_MEMBERS(RENAME)
    *s = named;
}

void seen_keep_confirmed(machine_seen *into, const machine_seen *from) {
    if (!into->race.known) into->race = from->race;
}

bool seen_reached(const machine_seen *s, uint32_t check) {
    return check < s->reached.size && s->reached.data[check];
}

void seen_reach(machine_seen *s, uint32_t check) {
    while (s->reached.size <= check) vec_push(&s->reached, false);
    s->reached.data[check] = true;
}

#define FREE_FACT(name, reason)
#define FREE_BLOCKED(name)
#define FREE_WHO(name)
#define FREE_COUNT(name)
#define FREE_RACE(name)
#define FREE_CHECKS(name)   vec_free(&s->name);
#define FREE_JOINERS(name)  map_free(&s->name);
#define FREE_COMPARED(name) vec_free(&s->name);
#define FREE_INDEX(name)    map_free(&s->name);

void seen_free(machine_seen *s) {
    SEEN_MEMBERS(FREE)
    *s = (machine_seen){0};
}
