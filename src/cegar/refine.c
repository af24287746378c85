/* What to add to the precision so that a spurious path is not taken again. */
#include "base/hash.h"
#include "cegar/internal.h"

/* How much is tried, the more often the same path comes back. */
typedef enum {
    EFFORT_LIGHT,  /* constants of single places, predicates over several */
    EFFORT_ATOMS,  /* predicates for all conditions */
    EFFORT_WHOLE,  /* also all conditions of a step as one predicate */
    EFFORT_VALUES, /* also the constants of all places */
    EFFORTS
} effort;

static uint64_t hash_of_trace(const abstract_trace *t) {
    uint64_t h = t->end->check;
    for (size_t i = 0; i < t->steps.size; i++) {
        const trace_step *s = &t->steps.data[i];
        h = hash_pair(h, hash_pair(s->by.thread, s->by.choice));
        for (size_t k = 0; k < s->went->marks.size; k++)
            if (s->went->marks.data[k].kind <= WAY_YES) h = hash_pair(h, s->went->marks.data[k].kind);
    }
    return h;
}

static bool only_places(const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++)
        if (!abstract_is_place(t->support->symbol[i])) return false;
    return true;
}

typedef struct addition {
    cegar *x;
    uint64_t scope;
    effort effort;
    bool values;
    const term_list *fixed; /* conditions that constants decide, if these are preferred now */
    bool relevant;          /* something here matters, whether or not it is new */
    bool added;
} addition;

static void track_places(addition *a, const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++) {
        const term *place = t->support->symbol[i];
        if (!abstract_is_place(place)) continue;
        a->added |= precision_track(a->x->precision, place);
        a->relevant |= precision_is_tracked(a->x->precision, place);
    }
}

/* Of a condition on inputs, too, what it says about places alone. */
static void add_parts(addition *a, const term *t) {
    enum { MOST_PARTS = 64 };
    term_list open = {0};
    vec_push(&open, t);
    for (unsigned parts = 0; open.size && parts < MOST_PARTS; parts++) {
        const term *part = vec_pop(&open);
        if (!part->support->size) continue;
        if (part->width == 1 && only_places(part)) {
            a->relevant = true;
            a->added |= precision_add(a->x->precision, a->scope, part);
        } else {
            for (unsigned i = 0; i < part->arity; i++)
                if (part->arg[i]->support) vec_push(&open, part->arg[i]);
        }
    }
    vec_free(&open);
}

static void add_predicate(addition *a, const term *t) {
    if (a->x->options->abstraction.domain == DOMAIN_EXPLICIT) return;
    if (!only_places(t)) {
        add_parts(a, t);
        return;
    }
    a->relevant = true;
    a->added |= precision_add(a->x->precision, a->scope, t);
}

/* Conditions on one place are about its constants, as long as there are not too many of them. */
static bool is_about_constants(const addition *a, const term *t) {
    return t->support->size == 1 && only_places(t) &&
           precision_may_track(a->x->precision, t->support->symbol[0]);
}

static bool constants_decide(const addition *a, const term *t) {
    bool fixed = false;
    for (size_t i = 0; a->fixed && i < a->fixed->size; i++) fixed |= a->fixed->data[i] == t;
    for (uint32_t i = 0; i < t->support->size && fixed; i++)
        fixed = precision_may_track(a->x->precision, t->support->symbol[i]);
    return fixed;
}

static void add_condition(addition *a, const term *t) {
    abstract_domain domain = a->x->options->abstraction.domain;
    bool explicit_values = domain == DOMAIN_PRODUCT || domain == DOMAIN_EXPLICIT;
    if (a->values || domain == DOMAIN_EXPLICIT || a->effort >= EFFORT_VALUES ||
        (explicit_values && (is_about_constants(a, t) || constants_decide(a, t))))
        track_places(a, t);
    bool enough =
        explicit_values && a->effort == EFFORT_LIGHT && (is_about_constants(a, t) || constants_decide(a, t));
    if (!enough && !a->values) add_predicate(a, t);
}

static void add_conjunction(addition *a, const term_list *conditions) {
    terms *c = machine_terms(a->x->machine);
    const term *all = term_true(c);
    for (size_t i = 0; i < conditions->size; i++)
        if (only_places(conditions->data[i])) all = term_and(c, all, conditions->data[i]);
    if (!term_is_const(all)) add_predicate(a, all);
}

static uint32_t refine_with(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                            effort effort, bool stubborn) {
    uint32_t first = NO_INDEX, version = precision_version(x->precision);
    for (uint32_t i = 1; i < t->steps.size; i++) { /* of the initial state everything is known */
        const term_list *conditions = &why->before.data[i];
        const arg_node *n = &x->graph.nodes.data[nodes[i]];
        addition a = {.x = x, .effort = effort, .values = why->values};
        if (stubborn) a.fixed = &why->fixed.data[i];
        a.scope = precision_scope_of(x->precision, n->s, n->by.thread);
        for (size_t k = 0; k < conditions->size; k++) add_condition(&a, conditions->data[k]);
        if (effort >= EFFORT_WHOLE && conditions->size > 1 && !why->values) add_conjunction(&a, conditions);
        for (size_t k = 0; i < why->equal.size && k < why->equal.data[i].size; k++)
            add_predicate(&a, why->equal.data[i].data[k]);
        bool outdated = a.relevant && n->version < version;
        if ((a.added || outdated) && first == NO_INDEX) first = i;
    }
    return first;
}

enum { OFTEN = 6 };

/* One predicate after the other about the same end of paths: perhaps there is a loop that counts, and
 * constants come to an end sooner. */
bool refine_is_stubborn(cegar *x, const successor *end) {
    uint64_t key =
        hash_pair(hash_pair(end->end, end->check), (uint64_t)end->place.line << 32 | end->place.column);
    uint64_t before = map_get(&x->ends, key), times = before == MAP_NONE ? 1 : before + 1;
    map_put(&x->ends, key, times);
    return times > OFTEN;
}

uint32_t refine(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                bool stubborn) {
    uint64_t key = hash_of_trace(t), before = map_get(&x->seen, key);
    uint32_t first = NO_INDEX;
    unsigned e = before == MAP_NONE ? EFFORT_LIGHT : (unsigned)before;
    for (; e < EFFORTS && first == NO_INDEX; e++) {
        first = refine_with(x, t, nodes, why, (effort)e, stubborn);
        map_put(&x->seen, key, e);
    }
    return first;
}
