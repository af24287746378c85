/* Best first: the states with the least (steps so far) + weight * (steps to go), of equals the oldest. How
 * many steps there are to go at least is told by a survey of abstract states (cegar/survey.h); a state from
 * which nothing can be violated is done with at once.
 *
 * It begins breadth first and makes surveys, each finer than the one before, in a share of the time; states
 * that wait are then taken in turn by age and by promise, so that neither surveys nor promises that do not
 * hold cost much more than breadth-first search would. `auto` also estimates distances to what a reach
 * property asks for (search/estimate.h) as long as no survey is finished. Only with weight 1, where the order
 * itself promises something, `coarse` and `fine` make the survey before anything else. */
#include "base/clock.h"
#include "base/heap.h"
#include "cegar/survey.h"
#include "explore/player.h"
#include "search/estimate.h"
#include "search/internal.h"

enum {
    MOST_OF_FIRST = 20000, /* states of a survey of control alone; twice as many of the next, and so on */
    COARSE_LEVEL = 1,
    FINE_LEVEL = 6,
    DISTANCE_FAR = 1 << 20, /* nothing that is asked about can be violated, but the verdict is not decided */
    EFFORT_OF_A_LOOK = 1,   /* at a survey, where effort is not measured by the clock; ... */
    EFFORT_OF_A_TRANSITION = 4, /* ... of the search, ... */
    EFFORT_OF_A_STEP = 16       /* ... and of a survey */
};

/* Of what the search itself has cost so far. */
static const double share_of_surveys = 0.25, share_of_looks = 0.2;

struct guided {
    survey *now;                   /* tells distances; NULL: not yet */
    survey *next;                  /* under way */
    estimate *estimate;            /* used while there is no survey; NULL: not yet, or not possible */
    uint64_t expansions, next_try; /* to estimate */
    bool settled;                  /* there will be no finer one */
    bool leaves_out;               /* some states were done with because of what a survey told */
    VEC(uint32_t) steps, distance; /* of each element of the queue: to there, and to go at least */
    VEC(uint32_t) corridor; /* of each element: where the way to it began on which there was no choice */
    number_heap heap;       /* elements, the most promising first */
    size_t not_looked_at;   /* from here on there may be such */
    size_t oldest;          /* of the elements that wait */
    uint32_t nearest;       /* distance so far */
    uint64_t in_vain;       /* expansions by promise since it came nearer */
    uint64_t taken;         /* expansions by promise when it does not: every so many by age */
    uint64_t by_estimate, by_age; /* expansions */
    bool by_promise;              /* the present expansion is: its successors are looked up in any case */
    double effort;                /* for surveys ... */
    double look_effort;           /* ... and for looks at them, and estimates */
    double search_began, spent;   /* by the clock */
};

/* --- effort --------------------------------------------------------------------------------------------- */

static double search_effort(const search *x) {
    const guided *g = x->guided;
    if (x->options.deterministic) return EFFORT_OF_A_TRANSITION * (double)x->stats->transitions;
    return clock_wall() - g->search_began - g->spent;
}

typedef struct stretch { /* of work for the guide */
    double began;
} stretch;

static stretch begin_stretch(void) {
    return (stretch){clock_wall()};
}

static void end_stretch(search *x, stretch s, double steps, double *effort) {
    guided *g = x->guided;
    double seconds = clock_wall() - s.began;
    g->spent += seconds;
    *effort += x->options.deterministic ? steps : seconds;
    x->stats->guide_seconds = g->spent;
}

/* --- the heap ------------------------------------------------------------------------------------------- */

static uint64_t priority_of(const search *x, uint32_t element) {
    const guided *g = x->guided;
    assert(element < g->distance.size && g->distance.size == g->steps.size);
    if (!g->now) return g->distance.data[element]; /* an estimate is no number of steps */
    return g->steps.data[element] + (uint64_t)x->options.weight * g->distance.data[element];
}

/* Estimates do not change for long: whoever was taken goes on until there is a choice. */
static bool comes_first(const void *data, uint32_t a, uint32_t b) {
    const search *x = data;
    uint64_t of_a = priority_of(x, a), of_b = priority_of(x, b);
    if (of_a != of_b) return of_a < of_b;
    const uint32_t *corridor = x->guided->corridor.data;
    return !x->guided->now && corridor[a] != corridor[b] ? corridor[a] < corridor[b] : a < b;
}

/* --- distances ------------------------------------------------------------------------------------------ */

enum { NOT_TOLD = 0 };

/* With these weights the order itself promises something, so every distance is a lower bound. Otherwise who
 * was not found is not thought to have come nearer, or not thought about at all: there is the
 * order of age. */
static bool needs_all_distances(const search *x) {
    return x->options.weight <= 1;
}

/* After so many steps. One is needed to violate something. */
static uint32_t less(uint32_t distance, uint32_t steps) {
    return distance > steps ? distance - steps : 1;
}

/* What is known of a distance before anybody looks: a lower bound, and what it is thought to be if nobody
 * knows; both may be NOT_TOLD. */
typedef struct expectation {
    uint32_t bound, otherwise;
} expectation;

/* The distance of a state, from what the survey tells. */
static uint32_t distance_of(const search *x, uint32_t told, expectation e) {
    switch (told) {
    case SURVEY_NEVER: return SURVEY_NEVER;
    case SURVEY_FAR: return DISTANCE_FAR;
    case SURVEY_UNKNOWN: return e.otherwise == NOT_TOLD && needs_all_distances(x) ? 1 : e.otherwise;
    }
    uint32_t bound = e.bound == NOT_TOLD ? 1 : e.bound;
    return told > bound ? told : bound;
}

static uint32_t estimate_of(search *x, const state *before, const state *s) {
    stretch work = begin_stretch();
    estimated e = estimate_state(x->guided->estimate, before, s);
    end_stretch(x, work, EFFORT_OF_A_LOOK, &x->guided->look_effort);
    return 1 + 2 * e.distance + !e.novel;
}

static uint32_t look_up(search *x, const state *s, expectation e) {
    guided *g = x->guided;
    if (!g->now) return estimate_of(x, x->queue.data[x->turn].s, s);
    stretch work = begin_stretch();
    uint32_t told = survey_distance(g->now, s);
    end_stretch(x, work, EFFORT_OF_A_LOOK, &x->guided->look_effort);
    return distance_of(x, told, e);
}

/* A survey knows no states where only one thing can happen: looks for the first one after s that it knows. */
static uint32_t look_ahead(search *x, const state *s) {
    enum { MOST_AHEAD = 64 };
    transitions enabled = {0};
    stretch work = begin_stretch();
    player p = player_begin_at(x->machine, s, &x->how);
    uint32_t steps = 0, told = survey_distance(x->guided->now, s);
    for (; told == SURVEY_UNKNOWN && steps < MOST_AHEAD; steps++) {
        vec_clear(&enabled);
        machine_enabled(x->machine, p.now, &enabled);
        if (enabled.size != 1) break;
        player_look(&p, enabled.data[0]);
        const successor *only = player_only_way(&p);
        if (!only) break;
        player_take(&p, only);
        told = survey_distance(x->guided->now, p.now);
    }
    player_end(&p);
    vec_free(&enabled);
    end_stretch(x, work, EFFORT_OF_A_LOOK * (1 + steps), &x->guided->look_effort);
    return told < SURVEY_UNKNOWN ? told + steps : told;
}

/* Looks at a survey, too, must not cost more than a share of the search. */
static bool is_affordable(const search *x) {
    static const double first_seconds = 0.0005, first_steps = 64;
    double first = x->options.deterministic ? first_steps : first_seconds;
    return needs_all_distances(x) || x->guided->look_effort <= first + search_effort(x) * share_of_looks;
}

static bool is_guided(const guided *g) {
    return g->now || g->estimate;
}

static void note_progress(guided *g, uint32_t distance) {
    if (distance >= g->nearest) return;
    g->nearest = distance;
    g->in_vain = 0;
}

static void add_to_heap(search *x, uint32_t element) {
    guided *g = x->guided;
    if (!is_guided(g) || g->distance.data[element] == NOT_TOLD) return;
    note_progress(g, g->distance.data[element]);
    heap_push(&x->guided->heap, element, comes_first, x);
}

bool guided_receive(search *x, const state *s, bool only) {
    guided *g = x->guided;
    uint32_t made = 1 + vec_last(&x->queue).chain;
    uint32_t before = g->distance.data[x->turn], distance = NOT_TOLD;
    uint32_t bound = before == NOT_TOLD ? NOT_TOLD : less(before, made);
    bool looks = g->now ? !only : g->estimate != NULL;
    if (only && g->now && before != NOT_TOLD)
        distance = bound;
    else if (looks && (g->by_promise || is_affordable(x)))
        distance = look_up(x, s, (expectation){bound, x->options.weight > 1 ? before : bound});
    uint32_t corridor = only ? g->corridor.data[x->turn] : (uint32_t)g->corridor.size;
    vec_push(&g->steps, g->steps.data[x->turn] + made);
    vec_push(&g->corridor, corridor);
    vec_push(&g->distance, distance);
    if (distance == SURVEY_NEVER) {
        g->leaves_out = true;
        return false;
    }
    add_to_heap(x, (uint32_t)x->queue.size - 1);
    return true;
}

bool guided_is_shorter(const search *x, size_t element) {
    const guided *g = x->guided;
    return x->options.weight == 1 && g->steps.data[x->turn] + x->ahead.size < g->steps.data[element];
}

/* --- surveys -------------------------------------------------------------------------------------------- */

/* The present survey says how far this state, which waits, has to go. */
static void look_at(search *x, size_t element) {
    guided *g = x->guided;
    queued *q = &x->queue.data[element];
    state *s = search_queued_state(x, q);
    uint32_t known = g->distance.data[element];
    uint32_t distance =
        g->now ? distance_of(x, look_ahead(x, s), (expectation){known, known}) : estimate_of(x, NULL, s);
    state_release(x->machine, s);
    g->distance.data[element] = distance;
    g->leaves_out |= distance == SURVEY_NEVER;
    if (distance == SURVEY_NEVER)
        search_finish_queued(x, q);
    else
        add_to_heap(x, (uint32_t)element);
}

/* Distances of different surveys do not compare: what a coarser one told is forgotten, unless it is needed as
 * a lower bound. */
static void look_again(search *x) {
    guided *g = x->guided;
    vec_clear(&g->heap);
    g->nearest = UINT32_MAX;
    g->not_looked_at = g->oldest;
    for (size_t i = g->oldest; i < x->queue.size; i++) {
        if (x->queue.data[i].done) continue;
        if (needs_all_distances(x))
            look_at(x, i);
        else
            g->distance.data[i] = NOT_TOLD;
    }
}

/* At some more of what waits and has no distance, as far as that is affordable. */
static void look_further(search *x) {
    enum { AT_ONCE = 16 };
    guided *g = x->guided;
    for (unsigned k = 0; is_guided(g) && k < AT_ONCE && is_affordable(x);) {
        if (g->not_looked_at >= x->queue.size) return;
        size_t i = g->not_looked_at++;
        if (x->queue.data[i].done || g->distance.data[i] != NOT_TOLD) continue;
        look_at(x, i);
        k++;
    }
}

void guided_meet_again(search *x, size_t element) {
    const guided *g = x->guided;
    if (g->by_promise && !x->queue.data[element].done && g->distance.data[element] == NOT_TOLD)
        look_at(x, element);
}

/* What the initial state never leads to, no other one does. */
static bool is_never_violated(search *x) {
    state *first = machine_initial(x->machine, x->options.stops);
    bool never = look_ahead(x, first) == SURVEY_NEVER;
    state_release(x->machine, first);
    return never;
}

static void finish_all(search *x) {
    x->guided->leaves_out = true;
    for (size_t i = x->guided->oldest; i < x->queue.size; i++)
        if (!x->queue.data[i].done) search_finish_queued(x, &x->queue.data[i]);
}

static void use_next(search *x) {
    guided *g = x->guided;
    survey_measure(g->next);
    survey_destroy(g->now);
    g->now = g->next;
    g->next = NULL;
    if (is_never_violated(x))
        finish_all(x);
    else
        look_again(x);
}

static unsigned most_level(const search *x) {
    return x->options.guide == GUIDE_COARSE ? COARSE_LEVEL : FINE_LEVEL;
}

/* One that knows less is not always smaller: what it does not know it must try. */
static void try_finer(search *x) {
    guided *g = x->guided;
    survey *finer = survey_level(g->next) < most_level(x) ? survey_begin_finer(g->next) : NULL;
    survey_destroy(g->next);
    g->next = finer;
    g->settled = !finer;
}

/* Goes on with the survey under way. True: it is finished, and used from now on. */
static bool survey_further(search *x, double most) {
    guided *g = x->guided;
    stretch work = begin_stretch();
    survey_budget budget = {.seconds = most};
    if (x->options.deterministic) budget = (survey_budget){.steps = 1 + (uint64_t)(most / EFFORT_OF_A_STEP)};
    size_t states = survey_size(g->next);
    uint64_t steps = survey_steps(g->next);
    bool complete = survey_go_on(g->next, budget);
    x->stats->guide_states += survey_size(g->next) - states;
    end_stretch(x, work, (double)(1 + survey_steps(g->next) - steps) * EFFORT_OF_A_STEP, &g->effort);
    if (complete) use_next(x);
    return complete;
}

static void begin_finer(search *x) {
    guided *g = x->guided;
    if (!g->now)
        g->next = survey_begin(x->machine, &x->options);
    else if (survey_level(g->now) < most_level(x))
        g->next = survey_begin_finer(g->now);
    g->settled = !g->next;
}

/* With weight 1 a share of all time. Else next to nothing; by the clock nothing at all, as one step of a
 * survey may take longer than all of a small search. */
static double most_effort_before(const search *x) {
    enum { SHARE = 4, MOST_SECONDS = 60, MOST_STEPS = 100000, FEW_STEPS = 512 };
    const explore_options *o = &x->options;
    if (!needs_all_distances(x)) return o->deterministic ? EFFORT_OF_A_STEP * FEW_STEPS : 0;
    if (o->deterministic)
        return EFFORT_OF_A_TRANSITION * (double)(o->max_transitions && o->max_transitions < MOST_STEPS
                                                     ? o->max_transitions
                                                     : MOST_STEPS);
    return o->seconds > 0 ? o->seconds / SHARE : MOST_SECONDS;
}

/* Before anything else. With weight 1 an unfinished one is better than none; else there is time later. */
static void survey_first(search *x) {
    guided *g = x->guided;
    double most = most_effort_before(x);
    if (most > 0) begin_finer(x);
    while (g->next && !x->queue.data[0].done && g->effort < most && survey_further(x, most - g->effort))
        begin_finer(x);
    if (!needs_all_distances(x)) return;
    if (!g->now && g->next) use_next(x);
    survey_destroy(g->next);
    g->next = NULL;
    g->settled = true;
}

/* If none was finished after a while perhaps none will be; and estimates do without. */
static double share_of_surveys_now(const search *x) {
    static const double while_seconds = 0.1, small = 0.08, first = 0.15;
    const guided *g = x->guided;
    if (g->now || x->options.deterministic) return share_of_surveys;
    return g->estimate || g->spent > while_seconds ? small : first;
}

/* Meanwhile: never more than a share of what the search itself has cost. */
static void survey_meanwhile(search *x) {
    enum { FIRST_STEPS = 512 };
    guided *g = x->guided;
    double first_seconds = x->options.guide == GUIDE_AUTO ? 0.1 : 0.02;
    double searched = search_effort(x), most = searched * share_of_surveys_now(x) - g->effort;
    if (g->settled || most <= 0 || searched < (x->options.deterministic ? FIRST_STEPS : first_seconds))
        return;
    if (!g->next) begin_finer(x);
    if (!g->next || survey_further(x, most)) return;
    if (survey_size(g->next) > (size_t)MOST_OF_FIRST << survey_level(g->next)) try_finer(x);
}

/* --- which state is next -------------------------------------------------------------------------------- */

static uint32_t take_oldest(search *x) {
    guided *g = x->guided;
    while (g->oldest < x->queue.size && x->queue.data[g->oldest].done) g->oldest++;
    return g->oldest < x->queue.size ? (uint32_t)g->oldest : NO_INDEX;
}

static uint32_t take_nearest(search *x) {
    guided *g = x->guided;
    while (g->heap.size) {
        uint32_t element = heap_pop(&g->heap, comes_first, x);
        if (!x->queue.data[element].done) return element;
    }
    return NO_INDEX;
}

/* As long as it comes nearer all turns are its own. Estimates may be wrong: they have a share,
 * whatever they promise. */
static bool is_turn_of_promise(const search *x) {
    enum { PATIENCE = 64, SHARE_OF_ALL = 8, EVERY = 3, OF_EACH = 2 };
    const guided *g = x->guided;
    if (!is_guided(g)) return false;
    if (needs_all_distances(x)) return true;
    if (!g->now) return g->by_estimate < PATIENCE + g->by_age / OF_EACH;
    if (g->in_vain < PATIENCE + g->steps.size / SHARE_OF_ALL) return true;
    return g->taken % EVERY == 0 && is_affordable(x);
}

/* Whatever has no distance, or an unknown one, is still taken by age: NO_INDEX means that nothing waits. */
static uint32_t take_next(search *x) {
    guided *g = x->guided;
    uint32_t element = is_turn_of_promise(x) ? take_nearest(x) : NO_INDEX;
    g->by_promise = element != NO_INDEX;
    g->taken++;
    g->in_vain += g->by_promise;
    if (g->by_promise)
        g->by_estimate++;
    else
        g->by_age++;
    return g->by_promise ? element : take_oldest(x);
}

/* Late enough for objects to exist, and for small programs to be done with. */
static void try_to_estimate(search *x) {
    enum { FIRST_TRY = 64 };
    guided *g = x->guided;
    if (g->estimate || g->now || ++g->expansions < FIRST_TRY || g->expansions < g->next_try) return;
    g->next_try = 2 * g->expansions;
    uint32_t oldest = take_oldest(x);
    if (oldest == NO_INDEX) return;
    state *s = search_queued_state(x, &x->queue.data[oldest]);
    g->estimate = estimate_create(x->machine, s);
    state_release(x->machine, s);
    g->not_looked_at = g->oldest;
}

static void explore(search *x) {
    bool estimates = x->options.guide == GUIDE_AUTO && !needs_all_distances(x) &&
                     x->options.properties & property_of_check(CHECK_REACH);
    expansion buffers = {0};
    for (uint32_t element = 0; !x->stop && element != NO_INDEX;) {
        survey_meanwhile(x);
        if (estimates) try_to_estimate(x);
        if (!needs_all_distances(x)) look_further(x);
        element = take_next(x);
        if (element == NO_INDEX) break;
        x->turn = element;
        search_expand_queued(x, &buffers);
    }
    x->out->complete = !x->stop;
    search_free_expansion(x, &buffers);
}

/* --- the whole ------------------------------------------------------------------------------------------ */

/* Abstract states tell nothing about these. */
static bool has_unsurveyed_property(const explore_options *o) {
    return o->properties & (PROPERTY_DEADLOCK | PROPERTY_LIVELOCK | PROPERTY_RACE | PROPERTY_LEAK);
}

static void free_guide(guided *g) {
    survey_destroy(g->now);
    survey_destroy(g->next);
    estimate_destroy(g->estimate);
    vec_free(&g->corridor);
    vec_free(&g->steps);
    vec_free(&g->distance);
    vec_free(&g->heap);
}

void search_guided(search *x) {
    if (!x->options.weight || has_unsurveyed_property(&x->options)) {
        search_breadth_first(x);
        return;
    }
    state *first = search_begin(x);
    if (!first) return;
    guided g = {.nearest = UINT32_MAX, .search_began = clock_wall()};
    x->guided = &g;
    vec_push(&x->queue, ((queued){.s = first}));
    vec_push(&g.steps, 0);
    vec_push(&g.corridor, 0);
    vec_push(&g.distance, NOT_TOLD);
    if (x->options.guide != GUIDE_AUTO) survey_first(x);
    explore(x);
    if (g.leaves_out) machine_keep_imagined(x->machine);
    free_guide(&g);
    x->guided = NULL;
}
