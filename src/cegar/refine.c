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
    const arg_node *node;
    const term_list *before; /* the conditions one step earlier */
    effort effort;
    bool values;
    const term_list *fixed; /* conditions that depend on no input */
    stubbornness how;
    bool relevant; /* something here matters, whether or not it is new */
    bool added;
} addition;

/* Up to how many constants a place is tracked again that had too many. */
enum { NOT_AGAIN = 0, AGAIN = 200, AGAIN_AND_AGAIN = 200000 };

static void track_places(addition *a, const term *t, uint64_t again) {
    for (uint32_t i = 0; i < t->support->size; i++) {
        const term *place = t->support->symbol[i];
        if (!abstract_is_place(place)) continue;
        if (again) a->added |= precision_track_again(a->x->precision, place, again);
        a->added |= precision_track(a->x->precision, place);
        a->relevant |= precision_is_tracked(a->x->precision, place);
    }
}

static bool is_in(const term_list *list, const term *t) {
    for (size_t i = 0; i < list->size; i++)
        if (list->data[i] == t) return true;
    return false;
}

static void add_to_scope(addition *a, const term *t) {
    const cegar_variant *v = a->x->variant;
    const arg_node *n = a->node;
    uint64_t scope;
    if (v->scope_for) {
        predicate_need need = {t, n->s, n->by.thread, is_in(a->before, t), a->effort > EFFORT_LIGHT};
        scope = v->scope_for(v->data, &need);
    } else {
        scope = precision_scope_of(a->x->precision, n->s, n->by.thread);
    }
    a->relevant = true;
    a->added |= precision_add(a->x->precision, scope, t);
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
            add_to_scope(a, part);
        } else {
            for (unsigned i = 0; i < part->arity; i++)
                if (part->arg[i]->support) vec_push(&open, part->arg[i]);
        }
    }
    vec_free(&open);
}

static void add_predicate(addition *a, const term *t) {
    if (a->x->options->abstraction.domain == DOMAIN_EXPLICIT) return;
    if (only_places(t))
        add_to_scope(a, t);
    else
        add_parts(a, t);
}

/* Conditions on one place are about its constants, as long as there are not too many of them. */
static bool is_about_constants(const addition *a, const term *t) {
    return t->support->size == 1 && only_places(t) &&
           precision_may_track(a->x->precision, t->support->symbol[0]);
}

/* Of such conditions the solver makes heavy weather, and they say little about other paths. */
static bool is_complicated(const term *t) {
    enum { MOST_TERMS = 64 };
    term_list open = {0};
    bool found = false;
    vec_push(&open, t);
    for (unsigned terms = 0; open.size && !found; terms++) {
        const term *now = vec_pop(&open);
        bool factor = now->op == TERM_MUL && term_is_const(now->arg[1]) &&
                      now->arg[1]->value == ((UINT64_C(2) << (now->width - 1)) - 1); /* -1 */
        found = terms > MOST_TERMS || (now->op >= TERM_MUL && now->op <= TERM_ASHR && !factor);
        for (unsigned i = 0; i < now->arity; i++)
            if (now->arg[i]->support) vec_push(&open, now->arg[i]);
    }
    vec_free(&open);
    return found;
}

static bool is_fixed(const addition *a, const term *t) {
    for (size_t i = 0; i < a->fixed->size; i++)
        if (a->fixed->data[i] == t) return only_places(t);
    return false;
}

static bool places_may_be_tracked(const addition *a, const term *t) {
    for (uint32_t i = 0; i < t->support->size; i++)
        if (!precision_may_track(a->x->precision, t->support->symbol[i])) return false;
    return true;
}

/* Constants of the places decide it, or will. */
static bool is_left_to_constants(addition *a, const term *t) {
    abstract_domain domain = a->x->options->abstraction.domain;
    if (domain != DOMAIN_PRODUCT && domain != DOMAIN_EXPLICIT) return false;
    bool fixed = is_fixed(a, t), complicated = fixed && is_complicated(t);
    if (!is_about_constants(a, t) && !complicated && !(fixed && a->how != PATIENT)) return false;
    uint64_t again = fixed && a->how == VERY_STUBBORN ? AGAIN_AND_AGAIN : complicated ? AGAIN : NOT_AGAIN;
    if (!again && !places_may_be_tracked(a, t)) return false;
    track_places(a, t, again);
    return places_may_be_tracked(a, t);
}

static void add_condition(addition *a, const term *t) {
    bool only_values = a->values || a->x->options->abstraction.domain == DOMAIN_EXPLICIT;
    if (only_values || a->effort >= EFFORT_VALUES)
        track_places(a, t, a->values ? AGAIN_AND_AGAIN : NOT_AGAIN);
    bool left = is_left_to_constants(a, t);
    if (!only_values && !(left && a->effort == EFFORT_LIGHT)) add_predicate(a, t);
}

/* Of the two places the distance is kept, or else the equality is a predicate. */
static void add_equality(addition *a, const term *distance, const term *equality) {
    precision *p = a->x->precision;
    if (a->how == VERY_STUBBORN) a->added |= precision_keep_distance_again(p, distance);
    add_predicate(a, precision_may_keep_distance(p, distance) ? distance : equality);
}

static void add_conjunction(addition *a, const term_list *conditions) {
    terms *c = machine_terms(a->x->machine);
    const term *all = term_true(c);
    for (size_t i = 0; i < conditions->size; i++)
        if (only_places(conditions->data[i])) all = term_and(c, all, conditions->data[i]);
    if (!term_is_const(all)) add_predicate(a, all);
}

static uint32_t refine_with(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                            effort effort, stubbornness how) {
    uint32_t first = NO_INDEX, version = precision_version(x->precision);
    for (uint32_t i = 1; i < t->steps.size; i++) { /* of the initial state everything is known */
        const term_list *conditions = &why->before.data[i];
        const arg_node *n = &x->graph.nodes.data[nodes[i]];
        addition a = {.x = x, .node = n, .before = &why->before.data[i - 1], .effort = effort};
        a.values = why->values;
        a.fixed = &why->fixed.data[i];
        a.how = how;
        for (size_t k = 0; k < conditions->size; k++) add_condition(&a, conditions->data[k]);
        if (effort >= EFFORT_WHOLE && conditions->size > 1 && !why->values) add_conjunction(&a, conditions);
        for (size_t k = 0; i < why->equal.size && k < why->equal.data[i].size; k++)
            add_equality(&a, why->apart.data[i].data[k], why->equal.data[i].data[k]);
        bool outdated = a.relevant && n->version < version;
        if ((a.added || outdated) && first == NO_INDEX) first = i;
    }
    return first;
}

/* One predicate after the other about the same end of paths: perhaps there is a loop that counts, and
 * constants come to an end sooner. */
stubbornness refine_stubbornness(cegar *x, const successor *end) {
    enum { OFTEN = 6, VERY_OFTEN = 4 };
    uint64_t key =
        hash_pair(hash_pair(end->end, end->check), (uint64_t)end->place.line << 32 | end->place.column);
    uint64_t before = map_get(&x->ends, key), times = before == MAP_NONE ? 1 : before + 1, next = VERY_OFTEN;
    map_put(&x->ends, key, times);
    while (next < times) next += next / 2;
    if (next == times) return VERY_STUBBORN;
    return times > OFTEN ? STUBBORN : PATIENT;
}

uint32_t refine(cegar *x, const abstract_trace *t, const uint32_t *nodes, const trace_reason *why,
                stubbornness how) {
    uint64_t key = hash_of_trace(t), before = map_get(&x->seen, key);
    uint32_t first = NO_INDEX;
    unsigned e = before == MAP_NONE ? EFFORT_LIGHT : (unsigned)before;
    for (; e < EFFORTS && first == NO_INDEX; e++) {
        first = refine_with(x, t, nodes, why, (effort)e, how);
        map_put(&x->seen, key, e);
    }
    return first;
}
