#include "sampling/sampling.h"

#include "base/hash.h"
#include "base/invariant.h"
#include "explore/judge.h"
#include "explore/limits.h"
#include "explore/player.h"

enum {
    DEFAULT_DEPTH = 20000, /* of one execution */
    MOST_CHANGES = 4,
    LONGEST_PERIOD = 16,
    MOST_PATIENCE = 4
};

/* What kind of schedule an execution gets; they alternate. */
typedef enum {
    /* Probabilistic concurrency testing: the most important thread goes on until the next of a few changes of
     * priority, placed anywhere. */
    BY_PRIORITY,
    PERIODICALLY, /* each thread in turn does the same number of visible operations */
    BY_CHANCE,    /* any thread; the present one more probably, to a degree */
    SCHEDULES
} schedule_kind;

typedef struct sampling {
    machine *machine;
    explore_options options;
    judge judge;
    limits limits;
    outcome *out;
    uint64_t random;
    transitions enabled;
    player root;             /* where executions begin: before, nothing can be chosen */
    player at;               /* from there on */
    const successor *judged; /* of the step that was looked at last */
    bool chose;              /* the present execution was not the only one possible */

    /* the schedule of the present execution */
    schedule_kind kind;
    VEC(uint64_t) priority; /* of each thread; 0: not drawn yet */
    uint64_t lowest;        /* priorities below all of those that were drawn are given from here down */
    size_t changes[MOST_CHANGES], change_count;
    uint32_t period, spent; /* visible operations in a row; what the present thread has done of them */
    uint32_t patience;
    uint32_t delayed; /* goes only where no other can */
    uint32_t last;    /* who moved last; NO_INDEX at the beginning */
    uint32_t threads; /* seen so far */
    size_t longest;   /* execution so far */
} sampling;

static size_t steps_made(const sampling *x) {
    return x->root.done.size + x->at.done.size;
}

/* --- chance --------------------------------------------------------------------------------------------- */

static uint64_t draw(sampling *x) {
    x->random += UINT64_C(0x9e3779b97f4a7c15);
    return hash_mix(x->random);
}

static size_t draw_below(sampling *x, size_t bound) {
    return (size_t)(draw(x) % bound);
}

static void draw_schedule(sampling *x, uint64_t number) {
    assert(x->longest >= x->root.done.size);
    x->kind = (schedule_kind)(number % SCHEDULES);
    uint64_t round = number / SCHEDULES;
    vec_clear(&x->priority);
    x->lowest = UINT32_MAX;
    x->change_count = round % (MOST_CHANGES + 1);
    for (size_t i = 0; i < x->change_count; i++)
        x->changes[i] = x->root.done.size + draw_below(x, x->longest - x->root.done.size + 1);
    x->period = 1 + (uint32_t)(round % LONGEST_PERIOD);
    x->spent = 0;
    x->patience = (uint32_t)(round % MOST_PATIENCE);
    x->delayed = (uint32_t)draw_below(x, x->threads + 1);
    x->last = NO_INDEX;
}

/* --- who goes next -------------------------------------------------------------------------------------- */

static uint64_t *priority_of(sampling *x, uint32_t thread) {
    while (x->priority.size <= thread) vec_push(&x->priority, 0);
    uint64_t *p = &x->priority.data[thread];
    if (!*p) *p = (uint64_t)UINT32_MAX + 1 + (draw(x) >> 2);
    assert(*p > x->lowest);
    return p;
}

static size_t most_important(sampling *x) {
    assert(x->enabled.size);
    size_t best = 0;
    for (size_t i = 1; i < x->enabled.size; i++)
        if (*priority_of(x, x->enabled.data[i].thread) > *priority_of(x, x->enabled.data[best].thread))
            best = i;
    return best;
}

static size_t next_by_priority(sampling *x) {
    size_t best = most_important(x);
    for (size_t i = 0; i < x->change_count; i++) {
        if (x->changes[i] != steps_made(x)) continue;
        *priority_of(x, x->enabled.data[best].thread) = x->lowest--;
        best = most_important(x);
    }
    return best;
}

static size_t index_of_thread(const sampling *x, uint32_t thread) {
    for (size_t i = 0; i < x->enabled.size; i++)
        if (x->enabled.data[i].thread == thread) return i;
    return x->enabled.size;
}

static size_t next_periodically(sampling *x) {
    size_t present = index_of_thread(x, x->last);
    if (present < x->enabled.size && x->spent < x->period) return present;
    x->spent = 0;
    for (size_t i = 0; i < x->enabled.size; i++)
        if (x->last == NO_INDEX || x->enabled.data[i].thread > x->last) return i;
    return 0;
}

static size_t next_by_chance(sampling *x) {
    size_t present = index_of_thread(x, x->last);
    bool goes_on = present < x->enabled.size && draw_below(x, 1 + x->patience * x->patience);
    return goes_on ? present : draw_below(x, x->enabled.size);
}

static void leave_out_delayed(sampling *x) {
    size_t kept = 0;
    for (size_t i = 0; i < x->enabled.size; i++) kept += x->enabled.data[i].thread != x->delayed;
    for (size_t i = x->enabled.size; kept && i-- > 0;)
        if (x->enabled.data[i].thread == x->delayed) vec_remove(&x->enabled, i);
}

/* One of those that the thread of this one has. */
static transition draw_choice(sampling *x, transition one) {
    transition chosen = one;
    size_t seen = 0;
    for (size_t i = 0; i < x->enabled.size; i++)
        if (x->enabled.data[i].thread == one.thread && (!seen++ || !draw_below(x, seen)))
            chosen = x->enabled.data[i];
    return chosen;
}

static transition choose(sampling *x) {
    size_t chosen = 0;
    x->chose |= x->enabled.size > 1;
    leave_out_delayed(x);
    switch (x->kind) {
    case BY_PRIORITY: chosen = next_by_priority(x); break;
    case PERIODICALLY: chosen = next_periodically(x); break;
    default: chosen = next_by_chance(x); break;
    }
    assert(chosen < x->enabled.size);
    return draw_choice(x, x->enabled.data[chosen]);
}

/* --- one execution -------------------------------------------------------------------------------------- */

static void record_path(void *data, path *out) {
    const sampling *x = data;
    path_append(out, &x->root.done);
    path_append(out, &x->at.done);
    vec_push(out, x->judged->step);
}

static void judge_races(sampling *x, const state *s) {
    machine_enabled(x->machine, s, &x->enabled);
    for (size_t a = 0; a < x->enabled.size && !x->judge.stop; a++)
        for (size_t b = a + 1; b < x->enabled.size && !x->judge.stop; b++) {
            violation v = {.kind = VIOLATION_RACE,
                           .racing = {x->enabled.data[a].thread, x->enabled.data[b].thread}};
            access racing[2];
            seen_place places[2];
            if (!state_races(x->machine, s, &(step_options){0}, v.racing, racing, places)) continue;
            v.places = race_places(state_place(s, v.racing[0]), state_place(s, v.racing[1]));
            if (x->options.properties & PROPERTY_RACE)
                judge_violation(&x->judge, v, &(successor){.place = places[0].at, .file = places[0].file},
                                record_path, x);
            else if (judge_wants_race_note(&x->judge))
                judge_note_race(&x->judge, v, record_path, x);
        }
}

static void judge_successor(sampling *x, const successor *s) {
    x->judged = s;
    judge_step_end(&x->judge, s, record_path, x);
    if (s->end == STEP_STOPPED) {
        judge_standstill(&x->judge, s->to, record_path, x);
        if (x->options.properties & PROPERTY_RACE || judge_wants_race_note(&x->judge)) judge_races(x, s->to);
    }
}

/* One of the outcomes of a step that go on; NULL if none does. */
static const successor *draw_outcome(sampling *x) {
    const successor *chosen = NULL;
    size_t seen = 0;
    for (size_t i = 0; i < x->at.next.size; i++)
        if (x->at.next.data[i].end == STEP_STOPPED && !draw_below(x, ++seen)) chosen = &x->at.next.data[i];
    return chosen;
}

/* False: the execution is over. */
static bool step(sampling *x, transition by) {
    player_look(&x->at, by);
    x->out->stats.transitions++;
    x->chose |= x->at.next.size > 1;
    for (size_t i = 0; i < x->at.next.size; i++) {
        const successor *s = &x->at.next.data[i];
        x->out->stats.transitions += s->parts;
        explore_note_step(x->machine, &x->options, x->at.now, s);
        if (!x->judge.stop) judge_successor(x, s);
    }
    const successor *chosen = draw_outcome(x);
    if (!chosen || x->judge.stop) return false;
    x->spent = by.thread == x->last ? x->spent : 0;
    x->spent += chosen->touched.size > 0;
    x->last = by.thread;
    player_take(&x->at, chosen);
    return true;
}

static bool may_go_on(sampling *x) {
    if (!limits_allow(&x->limits)) x->judge.stop = true;
    return !x->judge.stop && steps_made(x) < x->options.max_depth;
}

static void execute(sampling *x) {
    player_move_to(&x->at, x->root.now);
    x->chose = false;
    while (may_go_on(x)) {
        machine_enabled(x->machine, x->at.now, &x->enabled);
        x->out->stats.states++;
        if (state_thread_count(x->at.now) > x->threads) x->threads = state_thread_count(x->at.now);
        if (!x->enabled.size || !step(x, choose(x))) break;
    }
    size_t steps = steps_made(x);
    if (steps > x->longest) x->longest = steps;
    if (steps > x->out->stats.depth) x->out->stats.depth = steps;
    x->out->stats.executions++;
}

/* What comes before the first choice is executed once for all. */
static void find_root(sampling *x) {
    x->root = player_begin(x->machine, &x->judge.how);
    while (may_go_on(x)) {
        machine_enabled(x->machine, x->root.now, &x->enabled);
        if (x->enabled.size != 1) break;
        player_look(&x->root, x->enabled.data[0]);
        const successor *only = player_only_way(&x->root);
        if (!only) break;
        explore_note_step(x->machine, &x->options, x->root.now, only);
        judge_successor(x, only);
        x->out->stats.transitions++;
        player_take(&x->root, only);
    }
    x->longest = x->root.done.size;
    x->at = player_begin_at(x->machine, x->root.now, &x->judge.how);
}

/* --- all of them ---------------------------------------------------------------------------------------- */

void sampling_run(machine *m, const explore_options *options, outcome *out) {
    sampling x = {.machine = m, .options = *options, .out = out};
    if (!explorer_settle(&explorer_sampling, m, &x.options, out)) return;
    explore_begin(m);
    if (!x.options.max_depth) x.options.max_depth = DEFAULT_DEPTH;
    x.judge = judge_create(m, &x.options, out);
    x.limits = limits_start(m, &x.options, out);
    find_root(&x);
    for (uint64_t number = 0; !x.judge.stop; number++) {
        draw_schedule(&x, number);
        execute(&x);
        if (!x.chose) break;
    }
    outcome_doubt(out, REASON_SAMPLED, (position){0, 0});
    limits_refresh(&x.limits);
    player_end(&x.at);
    player_end(&x.root);
    vec_free(&x.enabled);
    vec_free(&x.priority);
    explore_conclude(m, options, out);
}
