/* What one process says comes out of it as it went in: written here field by field, whatever tables say. */
#include "core_fixture.h"

#include "machine/record.h"
#include "machine/seen.h"
#include "strategy/wire.h"

static const char *const model = "int x = ?(int);\nthread A { x += 1; }\n"
                                 "main { start; assert x != 5; assert x != 6; }";

static const step_options plain = {0};

static const racing_places race = {true, {61, 62}, {{63, 64}, {65, 66}}};

static statistics counted(void) {
    statistics s = {.states = 101,
                    .transitions = 102,
                    .executions = 103,
                    .blocked_executions = 104,
                    .matched = 105,
                    .match_attempts = 106,
                    .hash_matches = 107,
                    .evicted = 108,
                    .chained = 109,
                    .nodes = 110,
                    .refinements = 111,
                    .guide_states = 112,
                    .solver_queries = 113,
                    .depth = 114,
                    .reduction_checks = 115,
                    .seconds = 116.5,
                    .cpu_seconds = 117.5,
                    .guide_seconds = 118.5,
                    .visited_bytes = 119,
                    .peak_memory_bytes = 120,
                    .waiting = 121,
                    .done = 0.5,
                    .engines = "search, dpor",
                    .shape = {.width = 122, .states = {123}, .enabled = {124}, .explored = {125}}};
    return s;
}

static void fill_facts(machine_seen *s) {
    s->coarse_copy = (seen_fact){true, {{1, 2}, "f1", "a1"}};
    s->thread_bound = (seen_fact){true, {{3, 4}, "f2", "a2"}};
    s->context_bound = (seen_fact){true, {{5, 6}, "f3", "a3"}};
    s->weak_access = (seen_fact){true, {{7, 8}, "f4", "a4"}};
    s->loose_access = (seen_fact){true, {{9, 10}, "f5", "a5"}};
    s->lost_order = (seen_fact){true, {{11, 12}, "f6", "a6"}};
    s->open_loop = (seen_fact){true, {{13, 14}, "f7", "a7"}};
    s->program_ended = (seen_fact){true, {{15, 16}, "f8", "a8"}};
    s->assumed_away = (seen_fact){true, {{17, 18}, "f9", "a9"}};
    s->ended_otherwise = (seen_fact){true, {{19, 20}, "f10", "a10"}};
    s->blocks_compared = (seen_fact){true, {{21, 22}, NULL, "a11"}};
    s->reuse_refuted = (seen_fact){true, {{23, 24}, "f12", NULL}};
    s->detached = (seen_fact){true, {{25, 26}, "f13", ""}};
}

static void fill_seen(machine_seen *s) {
    fill_facts(s);
    s->blocked_at_exit = (blocked_thread){true, false, 31, "f14", {32, 33}};
    s->stands_still = (blocked_thread){true, true, 34, NULL, {35, 36}};
    s->heap_freed_by = 37;
    s->heap_made_by = SEEN_SEVERAL;
    s->endings_looked_at = UINT64_C(1) << 40;
    s->race = race;
    seen_reach(s, 1);
    seen_note_joined(s, 3, 1);
    seen_note_joined(s, 4, 1);
    seen_note_joined(s, 4, 2); /* several */
    seen_note_ids_compared(s, (ids_compared){41, 42, {{43, 44}, "f15", "a15"}});
    seen_note_ids_compared(s, (ids_compared){46, 45, {{47, 48}, "f16", "a16"}});
}

static void fill(outcome *o, attempts *tried) {
    vec_push(&o->violations, ((violation){.kind = VIOLATION_RACE,
                                          .check = 51,
                                          .racing = {52, 53},
                                          .earlier = 54,
                                          .places = UINT64_C(55) << 32,
                                          .confirmed = true}));
    violation v = {.kind = VIOLATION_LIVELOCK};
    vec_push(&v.path, ((path_step){{7, 2}, 3})); /* there is no such step */
    vec_push(&o->violations, v);
    vec_push(&o->doubts, ((doubt){.why = {REASON_NOT_MODELLED, "words"},
                                  .at = {71, 72},
                                  .file = "f17",
                                  .reach = DOUBT_OF_PROGRAM,
                                  .about = "a17",
                                  .busy = BUSY_ELABORATING}));
    vec_push(&o->doubts, ((doubt){.why.kind = REASON_DEPTH}));
    vec_push(&o->trace_classes, UINT64_C(81));
    vec_push(&o->trace_classes, UINT64_MAX);
    fill_seen(&o->seen);
    o->reduction_errors = 82;
    o->complete = true;
    o->concluded = true;
    o->explored = EXPLORED_ABSTRACT_STATES;
    o->heap_order_is_open = true;
    o->stats = counted();
    o->engine = "cegar";
    o->por = "persistent";
    o->match = "none";
    o->stops = 83;
    vec_push(tried, ((attempt){"search", "ample", "auto", {REASON_TIME, "other words"}, 1.5}));
}

/* --- equal ---------------------------------------------------------------------------------------------- */

static void assert_same_text(const char *a, const char *b) {
    if (!a || !b)
        assert_ptr_equal(a, b);
    else
        assert_string_equal(a, b);
}

static void assert_same_position(position a, position b) {
    assert_int_equal(a.line, b.line);
    assert_int_equal(a.column, b.column);
}

static void assert_same_place(const seen_place *a, const seen_place *b) {
    assert_same_position(a->at, b->at);
    assert_same_text(a->file, b->file);
    assert_same_text(a->about, b->about);
}

static void assert_same_fact(const seen_fact *a, const seen_fact *b) {
    assert_int_equal(a->met, b->met);
    assert_same_place(&a->at, &b->at);
}

static void assert_same_blocked(const blocked_thread *a, const blocked_thread *b) {
    assert_int_equal(a->known, b->known);
    assert_int_equal(a->spins, b->spins);
    assert_int_equal(a->thread, b->thread);
    assert_same_text(a->file, b->file);
    assert_same_position(a->at, b->at);
}

static void assert_same_facts(const machine_seen *a, const machine_seen *b) {
    assert_same_fact(&a->coarse_copy, &b->coarse_copy);
    assert_same_fact(&a->thread_bound, &b->thread_bound);
    assert_same_fact(&a->context_bound, &b->context_bound);
    assert_same_fact(&a->weak_access, &b->weak_access);
    assert_same_fact(&a->loose_access, &b->loose_access);
    assert_same_fact(&a->lost_order, &b->lost_order);
    assert_same_fact(&a->open_loop, &b->open_loop);
    assert_same_fact(&a->program_ended, &b->program_ended);
    assert_same_fact(&a->assumed_away, &b->assumed_away);
    assert_same_fact(&a->ended_otherwise, &b->ended_otherwise);
    assert_same_fact(&a->blocks_compared, &b->blocks_compared);
    assert_same_fact(&a->reuse_refuted, &b->reuse_refuted);
    assert_same_fact(&a->detached, &b->detached);
}

static void assert_same_race(const racing_places *a, const racing_places *b) {
    assert_int_equal(a->known, b->known);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(a->function[i], b->function[i]);
        assert_same_position(a->at[i], b->at[i]);
    }
}

static void assert_same_seen(const machine_seen *a, const machine_seen *b) {
    assert_same_facts(a, b);
    assert_same_blocked(&a->blocked_at_exit, &b->blocked_at_exit);
    assert_same_blocked(&a->stands_still, &b->stands_still);
    assert_int_equal(a->heap_freed_by, b->heap_freed_by);
    assert_int_equal(a->heap_made_by, b->heap_made_by);
    assert_int_equal(a->endings_looked_at, b->endings_looked_at);
    assert_same_race(&a->race, &b->race);
    for (uint32_t check = 0; check < 4; check++)
        assert_int_equal(seen_reached(a, check), seen_reached(b, check));
    assert_int_equal(a->joiners.size, b->joiners.size);
    for (uint32_t t = 0; t < 8; t++) assert_int_equal(map_get(&a->joiners, t), map_get(&b->joiners, t));
    assert_int_equal(a->ids_compared.size, b->ids_compared.size);
    assert_int_equal(a->pairs_compared.size, b->pairs_compared.size);
    for (size_t i = 0; i < a->ids_compared.size; i++) {
        const ids_compared *c = &a->ids_compared.data[i], *d = &b->ids_compared.data[i];
        assert_int_equal(c->one, d->one);
        assert_int_equal(c->other, d->other);
        assert_same_place(&c->at, &d->at);
        assert_true(seen_knows_ids_compared(b, c->other, c->one));
    }
}

static void assert_same_reason(reason a, reason b) {
    assert_int_equal(a.kind, b.kind);
    assert_same_text(a.words, b.words);
}

static void assert_same_doubts(const outcome *a, const outcome *b) {
    assert_int_equal(a->doubts.size, b->doubts.size);
    for (size_t i = 0; i < a->doubts.size; i++) {
        const doubt *c = &a->doubts.data[i], *d = &b->doubts.data[i];
        assert_same_reason(c->why, d->why);
        assert_same_position(c->at, d->at);
        assert_same_text(c->file, d->file);
        assert_int_equal(c->reach, d->reach);
        assert_same_text(c->about, d->about);
        assert_int_equal(c->busy, d->busy);
    }
}

/* But for what following them again tells: paths, checks, inputs, and that they are confirmed. */
static void assert_same_violations(const outcome *a, const outcome *b) {
    assert_int_equal(a->violations.size, b->violations.size);
    for (size_t i = 0; i < a->violations.size; i++) {
        const violation *c = &a->violations.data[i], *d = &b->violations.data[i];
        assert_int_equal(c->kind, d->kind);
        assert_int_equal(c->racing[0], d->racing[0]);
        assert_int_equal(c->racing[1], d->racing[1]);
        assert_int_equal(c->earlier, d->earlier);
        assert_int_equal(c->places, d->places);
        assert_false(d->path.size || d->confirmed || d->inputs);
        assert_int_equal(d->check, NO_INDEX);
    }
}

static void assert_same_statistics(const statistics *a, const statistics *b) {
    assert_int_equal(a->states, b->states);
    assert_int_equal(a->transitions, b->transitions);
    assert_int_equal(a->executions, b->executions);
    assert_int_equal(a->blocked_executions, b->blocked_executions);
    assert_int_equal(a->matched, b->matched);
    assert_int_equal(a->match_attempts, b->match_attempts);
    assert_int_equal(a->hash_matches, b->hash_matches);
    assert_int_equal(a->evicted, b->evicted);
    assert_int_equal(a->chained, b->chained);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->refinements, b->refinements);
    assert_int_equal(a->guide_states, b->guide_states);
    assert_int_equal(a->solver_queries, b->solver_queries);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->reduction_checks, b->reduction_checks);
    assert_int_equal(a->visited_bytes, b->visited_bytes);
    assert_int_equal(a->peak_memory_bytes, b->peak_memory_bytes);
    assert_int_equal(a->waiting, b->waiting);
    assert_true(a->seconds == b->seconds && a->cpu_seconds == b->cpu_seconds);
    assert_true(a->guide_seconds == b->guide_seconds && a->done == b->done);
    assert_string_equal(a->engines, b->engines);
    assert_memory_equal(&a->shape, &b->shape, sizeof a->shape);
}

static void assert_same_outcome(const outcome *a, const outcome *b) {
    assert_same_violations(a, b);
    assert_same_doubts(a, b);
    assert_int_equal(a->trace_classes.size, b->trace_classes.size);
    for (size_t i = 0; i < a->trace_classes.size; i++)
        assert_int_equal(a->trace_classes.data[i], b->trace_classes.data[i]);
    assert_same_seen(&a->seen, &b->seen);
    assert_int_equal(a->reduction_errors, b->reduction_errors);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->concluded, b->concluded);
    assert_int_equal(a->explored, b->explored);
    assert_int_equal(a->heap_order_is_open, b->heap_order_is_open);
    assert_same_statistics(&a->stats, &b->stats);
    assert_same_text(a->engine, b->engine);
    assert_same_text(a->por, b->por);
    assert_same_text(a->match, b->match);
    assert_int_equal(a->stops, b->stops);
}

/* --- tests ---------------------------------------------------------------------------------------------- */

typedef struct said {
    fixture f;
    outcome out;
    attempts tried;
    machine_statistics before;
    bytes w;
} said;

static void say(said *s) {
    *s = (said){.f = fixture_open(model)};
    machine_add_statistics(s->f.m, &(machine_statistics){100, 200, 300});
    s->before = (machine_statistics){1, 2, 3};
    fill(&s->out, &s->tried);
    wire_write(&s->w, s->f.m, &s->before, &plain, &s->out, &s->tried);
}

static void said_free(said *s) {
    outcome_free(&s->out);
    vec_free(&s->tried);
    vec_free(&s->w);
    fixture_close(&s->f);
}

static void what_is_written_is_read(void **unused) {
    (void)unused;
    said s;
    message m;
    say(&s);
    assert_true(wire_read(&s.w, &s.f.p->memory, &m));
    assert_same_outcome(&s.out, &m.out);
    assert_int_equal(m.ways.size, 2);
    assert_string_equal(m.ways.data[1], "?");
    assert_int_equal(m.work.steps, 99);
    assert_int_equal(m.work.instructions, 198);
    assert_int_equal(m.work.forks, 297);
    assert_int_equal(m.given_up.size, 1);
    const attempt *a = &m.given_up.data[0], *b = &s.tried.data[0];
    assert_same_text(a->engine, b->engine);
    assert_same_text(a->por, b->por);
    assert_same_text(a->match, b->match);
    assert_same_reason(a->why, b->why);
    assert_true(a->seconds == b->seconds);
    outcome_free(&m.out);
    message_free(&m);
    said_free(&s);
}

/* Checks that a machine makes at pointer accesses have numbers of its own. */
static void checks_of_a_machine_stay_there(void **unused) {
    (void)unused;
    said s;
    message m;
    say(&s);
    uint32_t common = (uint32_t)s.f.p->checks.size;
    seen_reach(&s.out.seen, common - 1);
    seen_reach(&s.out.seen, common + 3);
    s.w.size = 0;
    wire_write(&s.w, s.f.m, &s.before, &plain, &s.out, &s.tried);
    assert_true(wire_read(&s.w, &s.f.p->memory, &m));
    assert_true(seen_reached(&m.out.seen, common - 1));
    assert_false(seen_reached(&m.out.seen, common + 3));
    assert_true(seen_reached(&s.out.seen, common + 3)); /* nothing happened to what was written */
    outcome_free(&m.out);
    message_free(&m);
    said_free(&s);
}

static void half_a_message_is_none(void **unused) {
    (void)unused;
    said s;
    say(&s);
    size_t whole = s.w.size;
    message m;
    for (s.w.size = 0; s.w.size < whole; s.w.size++) assert_false(wire_read(&s.w, &s.f.p->memory, &m));
    vec_push(&s.w, 'x'); /* too much */
    vec_push(&s.w, 'x');
    assert_false(wire_read(&s.w, &s.f.p->memory, &m));
    said_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(checks_of_a_machine_stay_there),
        cmocka_unit_test(half_a_message_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
