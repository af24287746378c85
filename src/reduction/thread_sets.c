#include "reduction/thread_sets.h"

#include "analysis/analyses.h"

typedef struct touch { /* an access, and which object that is for the futures of others */
    access a;
    object_origin origin;
} touch;

typedef VEC(touch) touches;

typedef struct next_step {
    touches touched; /* blocked: what it waits for */
    bool seen;       /* `touched` is filled */
    bool unknown;    /* ... but may be anything */
} next_step;

typedef struct thread_view {
    call_sites stands; /* empty: it does nothing any more */
    next_step first;   /* its first operation alone */
    next_step whole;
    bool enabled;
} thread_view;

struct thread_sets {
    machine *machine;
    unsigned stops;
    bool sizes_are_read; /* INSTR_SIZE looks at objects, but is no visible operation */
    const futures *futures;
    successors next; /* of the step that is tried */
    VEC(thread_view) threads;
    VEC(uint32_t) open;
    bool *in_set; /* per thread */
    size_t in_set_capacity;
    const relevance *matters;
    bool only_first; /* operations count, which are known at once: a set cannot get smaller than that */
};

static bool reads_sizes(const program *p) {
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *code = &p->functions.data[f].blocks.data[b];
            for (size_t k = 0; k < code->code.size; k++)
                if (code->code.data[k].kind == INSTR_SIZE) return true;
        }
    return false;
}

thread_sets *thread_sets_create(machine *m, unsigned stops) {
    thread_sets *p = mem_zero(1, sizeof *p);
    p->machine = m;
    p->stops = stops;
    p->sizes_are_read = reads_sizes(machine_program(m));
    p->futures = analyses_futures(machine_analyses(m));
    return p;
}

void thread_sets_destroy(thread_sets *p) {
    if (!p) return;
    successors_free(p->machine, &p->next);
    for (size_t i = 0; i < p->threads.size; i++) {
        vec_free(&p->threads.data[i].stands);
        vec_free(&p->threads.data[i].first.touched);
        vec_free(&p->threads.data[i].whole.touched);
    }
    vec_free(&p->threads);
    vec_free(&p->open);
    mem_free(p->in_set);
    mem_free(p);
}

/* --- what threads do ------------------------------------------------------------------------------------ */

static void look_where_threads_stand(thread_sets *p, const state *s, const transitions *enabled) {
    while (p->threads.size < state_thread_count(s)) vec_push(&p->threads, ((thread_view){.enabled = false}));
    for (uint32_t t = 0; t < p->threads.size; t++) {
        thread_view *v = &p->threads.data[t];
        vec_clear(&v->stands);
        v->first.seen = v->whole.seen = v->enabled = false;
        if (state_thread_status(s, t) == THREAD_RUNNABLE) state_stack(s, t, &v->stands);
    }
    for (size_t i = 0; i < enabled->size; i++) p->threads.data[enabled->data[i].thread].enabled = true;
}

static void add_touches(next_step *n, const state *s, const state *after, const effect *e) {
    for (size_t i = 0; i < e->size; i++) {
        touch t = {.a = e->data[i], .origin.object = NO_INDEX};
        if (t.a.kind > ACCESS_UPDATE) { /* threads that end or begin disable and change no others */
            if (t.a.kind == ACCESS_JOIN || t.a.kind == ACCESS_CLAIM) vec_push(&n->touched, t);
            continue;
        }
        bool known = t.a.name != ACCESS_ANY &&
                     (state_origin(s, t.a.name, &t.origin) || state_origin(after, t.a.name, &t.origin));
        n->unknown |= !known;
        if (!known) continue;
        vec_push(&n->touched, t);
    }
}

/* A step that only was cut into pieces has no visible operation left unless it is in an atomic section. */
static bool shows_no_more(const thread_sets *p, const state *to, uint32_t thread) {
    if (!state_is_inside_step(to)) return true;
    return !state_thread(to, thread).in_section && !p->sizes_are_read;
}

static void execute_next_step(thread_sets *p, const state *s, uint32_t thread) {
    step_options how = {.effects = true, .stops = p->stops};
    successors_clear(p->machine, &p->next);
    machine_step_thread(p->machine, s, thread, &how, &p->next);
}

static bool step_is_known(const thread_sets *p, uint32_t thread) {
    bool known = p->next.size > 0;
    for (size_t i = 0; i < p->next.size && known; i++)
        known = p->next.data[i].end == STEP_STOPPED && shows_no_more(p, p->next.data[i].to, thread);
    return known;
}

static bool begin_to_look(next_step *n) {
    if (n->seen) return false;
    n->seen = true;
    n->unknown = false;
    vec_clear(&n->touched);
    return true;
}

static void look_at_first_operation(thread_sets *p, const state *s, uint32_t thread, next_step *out) {
    pending first;
    machine_pending(p->machine, s, thread, &first);
    add_touches(out, s, s, first.next);
}

static const next_step *look_at_next_step(thread_sets *p, const state *s, uint32_t thread) {
    thread_view *v = &p->threads.data[thread];
    if (p->only_first && v->enabled) {
        if (begin_to_look(&v->first)) look_at_first_operation(p, s, thread, &v->first);
        return &v->first;
    }
    next_step *n = &v->whole;
    if (!begin_to_look(n)) return n;
    if (!v->enabled) {
        look_at_first_operation(p, s, thread, n);
        n->unknown |= !n->touched.size;
        return n;
    }
    execute_next_step(p, s, thread);
    n->unknown = !step_is_known(p, thread);
    for (size_t i = 0; i < p->next.size && !n->unknown; i++)
        add_touches(n, s, p->next.data[i].to, &p->next.data[i].touched);
    return n;
}

/* One operation, and no atomic section behind it. */
static bool is_single_operation(const pending *first) {
    bool plain = first->next->size > 0 && !first->section;
    for (size_t i = 0; i < first->next->size && plain; i++) plain = first->next->data[i].plain;
    return plain;
}

bool thread_sets_next_effect(thread_sets *p, const state *s, uint32_t thread, effect *out) {
    pending first;
    effect_clear(out);
    machine_pending(p->machine, s, thread, &first);
    if (!first.live || !first.enabled) return false;
    if (is_single_operation(&first) && !p->sizes_are_read) {
        effect_join(out, first.next);
        return true;
    }
    if (state_is_inside_step(s)) return false;
    execute_next_step(p, s, thread);
    if (!step_is_known(p, thread)) return false;
    for (size_t i = 0; i < p->next.size; i++) effect_join(out, &p->next.data[i].touched);
    return true;
}

/* --- closing -------------------------------------------------------------------------------------------- */

static bool may_ever_meet(const thread_sets *p, const touch *t, uint32_t other, bool only_writes) {
    const call_sites *stands = &p->threads.data[other].stands;
    return stands->size && futures_may_access(p->futures, stands->data, stands->size, t->origin.object,
                                              t->origin.site, only_writes);
}

/* Whether a thread in the set, with this next step, brings another one in. */
static bool brings_in(const thread_sets *p, const next_step *n, bool goes_on, uint32_t other) {
    if (n->unknown) return true;
    for (size_t i = 0; i < n->touched.size; i++) {
        const touch *t = &n->touched.data[i];
        if (t->a.kind == ACCESS_CLAIM) {
            const call_sites *stands = &p->threads.data[other].stands;
            if (goes_on && futures_may_join(p->futures, stands->data, stands->size)) return true;
            continue;
        }
        if (t->a.kind == ACCESS_JOIN) {
            if (!goes_on && t->a.name == other) return true;
            continue;
        }
        if (relevance_ignores(p->matters, &t->a)) continue;
        if (may_ever_meet(p, t, other, !goes_on || t->a.kind == ACCESS_READ)) return true;
    }
    return false;
}

static void take(thread_sets *p, uint32_t thread) {
    if (p->in_set[thread]) return;
    p->in_set[thread] = true;
    vec_push(&p->open, thread);
}

/* Nobody outside is brought in by somebody inside. */
FOR_ASSERTIONS static bool is_closed(const thread_sets *p, const state *s) {
    for (uint32_t thread = 0; thread < state_thread_count(s); thread++) {
        const thread_view *v = &p->threads.data[thread];
        const next_step *n = p->only_first && v->enabled ? &v->first : &v->whole;
        for (uint32_t other = 0; other < state_thread_count(s) && p->in_set[thread]; other++)
            if (!p->in_set[other] && p->threads.data[other].stands.size && brings_in(p, n, v->enabled, other))
                return false;
    }
    return true;
}

static void close_set(thread_sets *p, const state *s) {
    while (p->open.size) {
        uint32_t thread = vec_pop(&p->open);
        const next_step *n = look_at_next_step(p, s, thread);
        bool goes_on = p->threads.data[thread].enabled;
        for (uint32_t other = 0; other < state_thread_count(s); other++)
            if (!p->in_set[other] && p->threads.data[other].stands.size && brings_in(p, n, goes_on, other))
                take(p, other);
    }
    slow_assert(is_closed(p, s));
}

static void begin_set(thread_sets *p, const state *s) {
    if (p->in_set_capacity < state_thread_count(s)) {
        mem_free(p->in_set);
        p->in_set_capacity = 2 * state_thread_count(s);
        p->in_set = mem_zero(p->in_set_capacity, sizeof *p->in_set);
    }
    memset(p->in_set, 0, p->in_set_capacity * sizeof *p->in_set);
}

static uint64_t enabled_of_set(const thread_sets *p, const transitions *enabled) {
    uint64_t set = 0;
    for (size_t i = 0; i < enabled->size; i++)
        if (p->in_set[enabled->data[i].thread]) set |= UINT64_C(1) << i;
    return set;
}

static uint64_t closed_set(thread_sets *p, const state *s, const transitions *enabled, uint64_t from) {
    begin_set(p, s);
    for (size_t i = 0; i < enabled->size; i++)
        if (from >> i & 1) take(p, enabled->data[i].thread);
    close_set(p, s);
    assert(!(from & ~enabled_of_set(p, enabled))); /* it grew out of these */
    return enabled_of_set(p, enabled);
}

static uint64_t least_set(thread_sets *p, const state *s, const transitions *enabled, uint64_t from) {
    p->only_first = true;
    uint64_t set = closed_set(p, s, enabled, from);
    p->only_first = false;
    return set;
}

static bool is_smaller(uint64_t a, uint64_t b) {
    return __builtin_popcountll(a) < __builtin_popcountll(b);
}

static void note_relied(object_list *relied, uint32_t object) {
    for (size_t i = 0; i < relied->size; i++)
        if (relied->data[i] == object) return;
    vec_push(relied, object);
}

/* The objects that would have brought in another thread: the set is good until one of them matters. */
static void collect_relied(const thread_sets *p, const state *s, object_list *relied) {
    for (uint32_t thread = 0; thread < state_thread_count(s); thread++) {
        const thread_view *v = &p->threads.data[thread];
        if (!p->in_set[thread]) continue;
        for (size_t i = 0; i < v->whole.touched.size; i++) {
            const touch *t = &v->whole.touched.data[i];
            if (!relevance_ignores(p->matters, &t->a)) continue;
            bool meets = false;
            for (uint32_t other = 0; other < state_thread_count(s) && !meets; other++)
                meets =
                    !p->in_set[other] && may_ever_meet(p, t, other, !v->enabled || t->a.kind == ACCESS_READ);
            if (meets) note_relied(relied, t->a.name);
        }
    }
}

uint64_t thread_sets_compute(thread_sets *p, const state *s, const transitions *enabled, uint64_t taken,
                             const relevance *matters, object_list *relied) {
    size_t n = enabled->size;
    uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX, best = all, from = taken;
    assert(n <= 64 && !(taken & ~all));
    if (relied) vec_clear(relied);
    /* The end of the program can come before any step: then nothing is independent. */
    if (n < 2 || machine_exits_anywhere(p->machine)) return all;
    p->matters = matters;
    look_where_threads_stand(p, s, enabled);
    for (size_t i = 0; i < n && !taken && best & (best - 1); i++) {
        uint64_t start = UINT64_C(1) << i;
        if (!is_smaller(least_set(p, s, enabled, start), best)) continue;
        uint64_t set = closed_set(p, s, enabled, start);
        if (!is_smaller(set, best)) continue;
        best = set;
        from = start;
    }
    if (taken) best = closed_set(p, s, enabled, taken);
    if (relied && matters && best != all) {
        closed_set(p, s, enabled, from);
        collect_relied(p, s, relied);
    }
    assert(best && !(best & ~all) && !(taken & ~best));
    return best;
}
