/* Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal dynamic partial order reduction).
 *
 * The node before the first event e of a race keeps an ordered tree of thread sequences that are still to be
 * explored from there. For a race with a later event e' the sequence v is: what comes behind e in this
 * execution without depending on it, then e'. If a sleeping thread can start v, or a branch of the tree
 * already leads into v, nothing is to be done. Otherwise a branch is added.
 *
 * Deviations from the paper, both for speed and memory:
 * - The branch is not all of v but the part that is needed: e', for every sleeping thread and every earlier
 *   branch one event that disturbs it (so that it wakes up and the branch is not redundant), and what happens
 *   before these. Executions that differ in independent races then share branches, and the trees stay small.
 * - A race is looked at again in another execution only if what its answer relied on has changed (`settled`).
 *
 * A branch ends with e', which may touch other cells when it comes first (a compare-and-swap that succeeds
 * now, a critical section of which only the blocked lock was seen). What it really touches then must be
 * known, or the branch would be cut too short: see footprint_if_reversed. Most races are found to be covered
 * without that.
 *
 * Where steps fork, a branch may meet another outcome than the one it was recorded with and then leaves
 * threads asleep that it was meant to wake. That a sleeping thread or a branch is independent of v says
 * nothing then; only what can start v covers it, which is the condition of source sets. */
#include "base/hash.h"
#include "dpor/internal.h"

enum { FEW = 2 };

/* What a thread does in a branch. The same few steps occur in very many branches, so each is kept once. */
typedef struct step {
    uint32_t thread;
    footprint touched; /* in its own list */
    union {
        access few[FEW];
        access *many;
    };
} step;

typedef struct branch {
    uint32_t step, child, next;
} branch;

typedef struct element { /* of the sequence v */
    uint32_t thread, position;
    uint32_t next; /* element of the same thread, or NO_INDEX */
    bool consumed; /* the path down the tree has it already */
    bool needed;
    const footprint *touched;
    const uint32_t *clock;
    uint64_t reads_up_to, writes_up_to; /* filters of this element and those before it */
    bool everything_up_to;              /* one of them conflicts with every step */
} element;

struct wakeup {
    VEC(branch) branches;
    VEC(step) steps;
    map known_steps; /* hash -> step */
    uint32_t unused; /* list of free branches, linked by next */
    VEC(uint32_t) stack, copies;
    VEC(element) sequence;
    uint32_t first;          /* of the race it was built for */
    footprint second;        /* of its last element, as it will be ... */
    bool second_is_known;    /* ... once that was asked for */
    bool all;                /* it could not be found out: all of v is needed */
    VEC(uint32_t) of_thread; /* per thread: its first element that is not consumed, or NO_INDEX */
    VEC(uint32_t) needed_clock;
};

/* --- trees ---------------------------------------------------------------------------------------------- */

wakeup *wakeup_create(void) {
    wakeup *w = mem_zero(1, sizeof *w);
    w->unused = NO_INDEX;
    return w;
}

void wakeup_destroy(wakeup *w) {
    if (!w) return;
    for (size_t i = 0; i < w->steps.size; i++)
        if (w->steps.data[i].touched.end > FEW) mem_free(w->steps.data[i].many);
    vec_free(&w->steps);
    map_free(&w->known_steps);
    vec_free(&w->branches);
    vec_free(&w->stack);
    vec_free(&w->copies);
    vec_free(&w->sequence);
    vec_free(&w->of_thread);
    vec_free(&w->needed_clock);
    mem_free(w);
}

static const access *list_of(const step *s) {
    return s->touched.end > FEW ? s->many : s->few;
}

static uint64_t step_hash(uint32_t thread, const footprint *f, const access *list) {
    uint64_t h = hash_pair(thread, f->everything);
    for (uint32_t i = 0; i < f->end - f->begin; i++) {
        uint64_t how = list[i].kind | (uint64_t)list[i].op << 8 | (uint64_t)list[i].plain << 16 |
                       (uint64_t)list[i].section << 24 | (uint64_t)list[i].name << 32;
        h = hash_pair(hash_pair(h, how), (uint64_t)list[i].low << 32 | list[i].high);
    }
    return h;
}

static bool is_step(const step *s, uint32_t thread, const footprint *f, const access *list) {
    uint32_t count = f->end - f->begin;
    return s->thread == thread && s->touched.end == count && s->touched.everything == f->everything &&
           (!count || !memcmp(list_of(s), list, count * sizeof *list));
}

static uint32_t add_step(wakeup *w, uint32_t thread, const footprint *f, const access *list) {
    uint32_t count = f->end - f->begin;
    step s = {.thread = thread, .touched = *f};
    s.touched.begin = 0;
    s.touched.end = count;
    if (count > FEW)
        s.many = mem_duplicate(list, count * sizeof *list);
    else if (count)
        memcpy(s.few, list, count * sizeof *list);
    vec_push(&w->steps, s);
    return (uint32_t)w->steps.size - 1;
}

static uint32_t find_step(wakeup *w, uint32_t thread, const footprint *f, const access *list) {
    for (uint64_t key = step_hash(thread, f, list);; key++) {
        uint64_t known = map_get(&w->known_steps, key);
        if (known != MAP_NONE && !is_step(&w->steps.data[known], thread, f, list)) continue;
        if (known != MAP_NONE) return (uint32_t)known;
        uint32_t added = add_step(w, thread, f, list);
        map_put(&w->known_steps, key, added);
        return added;
    }
}

static uint32_t new_branch(wakeup *w, uint32_t step_index) {
    uint32_t id = w->unused;
    if (id == NO_INDEX) {
        id = (uint32_t)w->branches.size;
        vec_push(&w->branches, ((branch){0}));
    } else {
        w->unused = w->branches.data[id].next;
    }
    assert(id < w->branches.size && step_index < w->steps.size);
    w->branches.data[id] = (branch){step_index, NO_INDEX, NO_INDEX};
    return id;
}

static void release(wakeup *w, uint32_t id) {
    assert(id < w->branches.size && w->branches.data[id].step != NO_INDEX); /* it is in no other tree */
    w->branches.data[id] = (branch){NO_INDEX, NO_INDEX, w->unused};
    w->unused = id;
}

uint32_t wakeup_thread(const wakeup *w, uint32_t id) {
    assert(id < w->branches.size && w->branches.data[id].step < w->steps.size);
    return w->steps.data[w->branches.data[id].step].thread;
}

uint32_t wakeup_take(wakeup *w, uint32_t *branches) {
    assert(*branches < w->branches.size);
    uint32_t id = *branches, subtree = w->branches.data[id].child;
    *branches = w->branches.data[id].next;
    release(w, id);
    return subtree;
}

void wakeup_skip(wakeup *w, uint32_t *branches) {
    uint32_t rest = w->branches.data[*branches].next, subtree = wakeup_take(w, branches);
    if (subtree == NO_INDEX) return;
    uint32_t last = subtree;
    while (w->branches.data[last].next != NO_INDEX) last = w->branches.data[last].next;
    w->branches.data[last].next = rest;
    *branches = subtree;
}

void wakeup_drop(wakeup *w, uint32_t subtree) {
    vec_clear(&w->stack);
    vec_push(&w->stack, subtree);
    while (w->stack.size) {
        uint32_t id = vec_pop(&w->stack);
        while (id != NO_INDEX) {
            branch *b = &w->branches.data[id];
            uint32_t next = b->next;
            if (b->child != NO_INDEX) vec_push(&w->stack, b->child);
            release(w, id);
            id = next;
        }
    }
}

static uint32_t copy_one(wakeup *w, uint32_t id) {
    return new_branch(w, w->branches.data[id].step);
}

uint32_t wakeup_copy(wakeup *w, uint32_t subtree) {
    uint32_t root = NO_INDEX;
    vec_clear(&w->stack);
    vec_clear(&w->copies);
    if (subtree != NO_INDEX) {
        root = copy_one(w, subtree);
        vec_push(&w->stack, subtree);
        vec_push(&w->copies, root);
    }
    while (w->stack.size) {
        uint32_t id = vec_pop(&w->stack), copy = vec_pop(&w->copies);
        uint32_t next = w->branches.data[id].next, child = w->branches.data[id].child;
        if (next != NO_INDEX) {
            uint32_t next_copy = copy_one(w, next);
            w->branches.data[copy].next = next_copy;
            vec_push(&w->stack, next);
            vec_push(&w->copies, next_copy);
        }
        if (child != NO_INDEX) {
            uint32_t child_copy = copy_one(w, child);
            w->branches.data[copy].child = child_copy;
            vec_push(&w->stack, child);
            vec_push(&w->copies, child_copy);
        }
    }
    assert(w->stack.size == w->copies.size);
    return root;
}

/* --- what holds of trees -------------------------------------------------------------------------------- */

/* Whether each branch of the tree is met for the first time. */
FOR_ASSERTIONS static bool is_apart(const wakeup *w, uint32_t root, uint64_t *met) {
    VEC(uint32_t) open = {0};
    bool apart = true;
    if (root != NO_INDEX) vec_push(&open, root);
    while (open.size && apart) {
        uint32_t id = vec_pop(&open);
        apart = id < w->branches.size && w->branches.data[id].step < w->steps.size && !bits_has(met, id);
        if (!apart) break;
        const branch *b = &w->branches.data[id];
        bits_add(met, id);
        if (b->next != NO_INDEX) vec_push(&open, b->next);
        if (b->child != NO_INDEX) vec_push(&open, b->child);
    }
    vec_free(&open);
    return apart;
}

/* Every branch is in one tree, at one place. */
FOR_ASSERTIONS static bool are_trees(const dpor *x) {
    const wakeup *w = x->wakeup;
    uint64_t *met = mem_zero(BITS_WORDS(w->branches.size) + 1, sizeof *met);
    bool apart = true;
    for (size_t i = 0; i < x->nodes.size && apart; i++)
        apart = is_apart(w, x->nodes.data[i].branches, met) && is_apart(w, x->nodes.data[i].subtree, met);
    mem_free(met);
    return apart;
}

/* A branch that begins with the thread leads elsewhere than its siblings, and nobody is woken for what sleeping
 * threads have covered. */
FOR_ASSERTIONS static bool begins_anew(const dpor *x, const race *r, uint32_t parent, uint32_t thread) {
    const wakeup *w = x->wakeup;
    const node *n = &x->nodes.data[r->first];
    uint32_t id = parent == NO_INDEX ? n->branches : w->branches.data[parent].child;
    for (; id != NO_INDEX; id = w->branches.data[id].next)
        if (wakeup_thread(w, id) == thread) return false;
    return parent != NO_INDEX || !is_asleep(x, n, thread);
}

/* --- the sequence --------------------------------------------------------------------------------------- */

static void append_element(wakeup *w, element e) {
    const element *before = w->sequence.size ? &vec_last(&w->sequence) : NULL;
    assert(!before || before->position < e.position || before->thread != e.thread);
    e.reads_up_to = e.touched->reads | (before ? before->reads_up_to : 0);
    e.writes_up_to = e.touched->writes | (before ? before->writes_up_to : 0);
    e.everything_up_to = e.touched->everything || (before && before->everything_up_to);
    vec_push(&w->sequence, e);
}

/* Nothing is consumed yet. */
static void start_at_its_begin(dpor *x) {
    wakeup *w = x->wakeup;
    vec_reserve(&w->of_thread, x->threads);
    memset(w->of_thread.data, 0xff, x->threads * sizeof *w->of_thread.data); /* NO_INDEX */
    for (size_t i = w->sequence.size; i-- > 0;) {
        element *e = &w->sequence.data[i];
        e->consumed = e->needed = false;
        e->next = w->of_thread.data[e->thread];
        w->of_thread.data[e->thread] = (uint32_t)i;
    }
}

/* The events behind the first that do not depend on it, which are the same for all races with this first
 * event in the execution, then the second. */
static void build_sequence(dpor *x, const race *r) {
    wakeup *w = x->wakeup;
    bool known = w->first == r->first && w->sequence.size;
    if (known) {
        w->sequence.size--;
    } else {
        vec_clear(&w->sequence);
        for (uint32_t i = r->first + 1; i < x->events.size; i++) {
            if (happens_before(x, r->first, i)) continue;
            const event *e = &x->events.data[i];
            append_element(
                w, (element){
                       .thread = e->thread, .position = i, .touched = &e->touched, .clock = clock_row(x, i)});
        }
    }
    w->first = r->first;
    w->second_is_known = false;
    append_element(w, (element){.thread = r->thread, .position = r->second, .touched = &r->touched});
    start_at_its_begin(x);
}

static void find_out_about_second(dpor *x, const race *r) {
    wakeup *w = x->wakeup;
    if (w->second_is_known) return;
    uint32_t outcomes = 0;
    w->second = footprint_if_reversed(x, r, &outcomes);
    w->second_is_known = true;
    w->all = !outcomes;
    element e = vec_pop(&w->sequence);
    e.touched = &w->second;
    e.clock = reversed_clock(x, r, &w->second);
    append_element(w, e);
}

void wakeup_forget_execution(wakeup *w) {
    vec_clear(&w->sequence);
}

static bool comes_before(const element *a, const element *b) {
    assert(b->clock);
    return a->position < b->clock[a->thread];
}

static bool is_minimal(const wakeup *w, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        const element *e = &w->sequence.data[i];
        if (!e->consumed && comes_before(e, &w->sequence.data[index])) return false;
    }
    return true;
}

typedef enum {
    STARTS,      /* the thread's step is an event of the sequence that can come first */
    INDEPENDENT, /* it is none, and conflicts with none */
    DISTURBED    /* it conflicts with an event that comes before it */
} relation;

static bool may_conflict_up_to(const footprint *f, const element *e) {
    uint64_t common = (f->writes & (e->reads_up_to | e->writes_up_to)) | (f->reads & e->writes_up_to);
    return common || f->everything || e->everything_up_to;
}

/* The first element below `end` that is not consumed and conflicts; NO_INDEX: none. */
static uint32_t first_conflict(const dpor *x, const access *list, const footprint *f, uint32_t end) {
    const element *sequence = x->wakeup->sequence.data;
    if (!end || !may_conflict_up_to(f, &sequence[end - 1])) return NO_INDEX;
    uint32_t low = 0, high = end - 1; /* none below `low` conflicts; up to `high` one may */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (may_conflict_up_to(f, &sequence[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    for (uint32_t i = low; i < end; i++)
        if (!sequence[i].consumed && footprint_conflict(list, f, x->accesses.data, sequence[i].touched))
            return i;
    return NO_INDEX;
}

/* Where steps fork, what was recorded of a step shows one outcome only. It is the outcome in the sequence
 * that counts then, and a step that is not there may have any: it is never taken as independent. */
static relation relate_with_forks(const dpor *x, uint32_t thread, const access *list, const footprint *f,
                                  uint32_t *index) {
    const wakeup *w = x->wakeup;
    uint32_t own = w->of_thread.data[thread];
    *index = first_conflict(x, list, f, own != NO_INDEX ? own : (uint32_t)w->sequence.size);
    if (own == NO_INDEX) return DISTURBED;
    bool starts = is_minimal(w, own);
    if (starts || *index == NO_INDEX) *index = own;
    return starts ? STARTS : DISTURBED;
}

/* How a thread's next step is related to the rest of the sequence; index: the event in question, or NO_INDEX.
 * What the second event touches must be known, unless the thread is in the sequence and nothing forks. */
static relation relate(const dpor *x, uint32_t thread, const access *list, const footprint *f,
                       uint32_t *index) {
    if (x->forks) return relate_with_forks(x, thread, list, f, index);
    const wakeup *w = x->wakeup;
    uint32_t own = w->of_thread.data[thread];
    *index = first_conflict(x, list, f, own != NO_INDEX ? own : (uint32_t)w->sequence.size);
    if (*index != NO_INDEX) return DISTURBED;
    *index = own;
    return own != NO_INDEX ? STARTS : INDEPENDENT;
}

static void consume(wakeup *w, uint32_t index) {
    element *e = &w->sequence.data[index];
    assert(!e->consumed && w->of_thread.data[e->thread] == index); /* in the order of its thread */
    e->consumed = true;
    w->of_thread.data[e->thread] = e->next;
}

/* --- insertion ------------------------------------------------------------------------------------------ */

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* Whether a sleeping thread can start the sequence. */
static bool is_started_by_sleeper(dpor *x, race *r) {
    const wakeup *w = x->wakeup;
    const node *n = &x->nodes.data[r->first];
    for (uint32_t i = n->sleep_begin; i < n->sleep_end; i++) {
        const sleeper *s = &x->sleepers.data[i];
        uint32_t index;
        if (w->of_thread.data[s->thread] == NO_INDEX ||
            relate(x, s->thread, x->accesses.data, &s->touched, &index) != STARTS)
            continue;
        r->settled = later(r->second, w->sequence.data[index].position);
        return true;
    }
    return false;
}

/* Whether a sleeping thread is independent of the sequence. Marks what wakes the others. */
static bool is_ignored_by_sleeper(dpor *x, race *r, uint32_t *relied_on) {
    wakeup *w = x->wakeup;
    const node *n = &x->nodes.data[r->first];
    for (uint32_t i = n->sleep_begin; i < n->sleep_end; i++) {
        const sleeper *s = &x->sleepers.data[i];
        uint32_t index;
        if (relate(x, s->thread, x->accesses.data, &s->touched, &index) == INDEPENDENT) {
            r->settled = NOT_SETTLED;
            return true;
        }
        if (index == NO_INDEX) continue;
        w->sequence.data[index].needed = true;
        *relied_on = later(*relied_on, w->sequence.data[index].position);
    }
    return false;
}

static bool is_covered_by_sleeper(dpor *x, race *r, uint32_t *relied_on) {
    const node *n = &x->nodes.data[r->first];
    if (n->sleep_begin == n->sleep_end) return false;
    if (is_started_by_sleeper(x, r)) return true;
    find_out_about_second(x, r);
    return is_ignored_by_sleeper(x, r, relied_on);
}

static void mark_what_happens_before_needed_ones(dpor *x, bool all) {
    wakeup *w = x->wakeup;
    vec_reserve(&w->needed_clock, x->threads);
    uint32_t *clock = w->needed_clock.data;
    memset(clock, 0, x->threads * sizeof *clock);
    vec_last(&w->sequence).needed = true;
    for (size_t i = w->sequence.size; i-- > 0;) {
        element *e = &w->sequence.data[i];
        bool last = i + 1 == w->sequence.size;
        if (!last && (all || e->position < clock[e->thread])) e->needed = true;
        if (e->needed) clock_join(clock, e->clock, x->threads);
    }
}

/* Appends the needed part of the sequence as a new branch; returns the last position in it. */
static uint32_t add_branch(dpor *x, const race *r, uint32_t parent, uint32_t last_sibling) {
    wakeup *w = x->wakeup;
    find_out_about_second(x, r);
    mark_what_happens_before_needed_ones(x, w->all);
    assert(parent == NO_INDEX || parent < w->branches.size);
    uint32_t latest = 0;
    FOR_ASSERTIONS bool first = true;
    for (size_t i = 0; i < w->sequence.size; i++) {
        const element *e = &w->sequence.data[i];
        if (!e->needed || e->consumed) continue;
        slow_assert(!first || begins_anew(x, r, parent, e->thread));
        first = false;
        uint32_t id =
            new_branch(w, find_step(w, e->thread, e->touched, x->accesses.data + e->touched->begin));
        bool second = i + 1 == w->sequence.size;
        if (last_sibling != NO_INDEX)
            w->branches.data[last_sibling].next = id;
        else if (parent != NO_INDEX)
            w->branches.data[parent].child = id;
        else
            x->nodes.data[r->first].branches = id;
        parent = id;
        last_sibling = NO_INDEX;
        if (!second || r->second < x->events.size) latest = later(latest, e->position);
    }
    return latest;
}

static void insert(dpor *x, race *r) {
    wakeup *w = x->wakeup;
    uint32_t relied_on = r->second;
    if (is_covered_by_sleeper(x, r, &relied_on)) return;
    bool settles = true;
    uint32_t parent = NO_INDEX, id = x->nodes.data[r->first].branches, last_sibling = NO_INDEX;
    while (id != NO_INDEX) {
        const branch *b = &w->branches.data[id];
        uint32_t index;
        const step *first = &w->steps.data[b->step];
        if (w->of_thread.data[first->thread] == NO_INDEX) find_out_about_second(x, r);
        relation how = relate(x, first->thread, list_of(first), &first->touched, &index);
        if (index != NO_INDEX) relied_on = later(relied_on, w->sequence.data[index].position);
        if (how == DISTURBED) {
            if (index != NO_INDEX) w->sequence.data[index].needed = true;
            last_sibling = id;
            id = b->next;
            continue;
        }
        if (how == STARTS)
            consume(w, index);
        else
            settles = false;
        if (b->child == NO_INDEX) { /* a leaf leads into the sequence */
            r->settled = settles ? relied_on : NOT_SETTLED;
            return;
        }
        parent = id;
        last_sibling = NO_INDEX;
        id = b->child;
    }
    relied_on = later(relied_on, add_branch(x, r, parent, last_sibling));
    r->settled = settles ? relied_on : NOT_SETTLED;
}

void wakeup_insert(dpor *x, race *r) {
    assert(r->first < r->second && r->second <= x->events.size);
    size_t pool = x->accesses.size;
    build_sequence(x, r);
    if (x->forks) find_out_about_second(x, r);
    insert(x, r);
    slow_assert(are_trees(x));
    x->accesses.size = pool;
}
