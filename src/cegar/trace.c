/* Is there a path like this abstract one?
 *
 * Each step is executed once more from a state in which everything about the data is unknown, led the way it
 * went. That gives the conditions on the values before it, and the values after it as terms over those before
 * it. Substituting backwards from the last step to the initial state gives the condition on the inputs for
 * the whole path. If it is unsatisfiable, the conditions of a core, taken back to each step only, say what
 * must be known there: from a state that violates them no step of the core's path leads to one
 * that fulfils them. */
#include "cegar/internal.h"

/* Inputs of different steps have different names. */
enum { INPUTS_OF_A_STEP = 4096, MOST_STEPS = 1 << 19 };

typedef struct led_step {
    state *after;         /* values over those before; NULL for the last step */
    term_list conditions; /* on the values before */
    const term *needed;   /* last step, at a limit: the number that was not exact */
} led_step;

typedef VEC(led_step) led_steps;

static void free_led(cegar *x, led_steps *list) {
    for (size_t i = 0; i < list->size; i++) {
        if (list->data[i].after) state_release(x->machine, list->data[i].after);
        vec_free(&list->data[i].conditions);
    }
    vec_free(list);
}

void trace_reason_free(trace_reason *r) {
    for (size_t i = 0; i < r->before.size; i++) {
        vec_free(&r->before.data[i]);
        vec_free(&r->fixed.data[i]);
    }
    for (size_t i = 0; i < r->equal.size; i++) {
        vec_free(&r->equal.data[i]);
        vec_free(&r->apart.data[i]);
    }
    vec_free(&r->equal);
    vec_free(&r->apart);
    vec_free(&r->before);
    vec_free(&r->fixed);
}

/* --- leading a step ------------------------------------------------------------------------------------- */

static state *unknown_state(cegar *x, const state *s, size_t number, reason_kind *trouble) {
    rename_options names = names_of(x);
    names.first_input = (uint32_t)number * INPUTS_OF_A_STEP;
    state *all = abstract_rename(x->machine, s, names, trouble);
    if (!all) return NULL;
    *trouble = abstract_forget(x->machine, all, NULL, NULL);
    if (*trouble) {
        state_release(x->machine, all);
        return NULL;
    }
    abstract_assume_only(all, NULL, 0);
    return all;
}

static bool is_impossible(const successor *s) {
    for (size_t i = 0; i < s->went->conditions.size; i++)
        if (term_is_false(s->went->conditions.data[i])) return true;
    return false;
}

static bool ends_alike(const successor *s, const trace_step *step, const successor *end) {
    if (!s->went || s->went->lost || s->went->next != step->went->marks.size) return false;
    if (step->to) return s->end == STEP_STOPPED;
    return s->end == end->end && (s->end != STEP_VIOLATION || s->check == end->check);
}

/* Conjunctions are taken apart: a core should have no more than it needs. */
static void add_split(terms *c, const term *condition, term_list *out) {
    term_list open = {0};
    vec_push(&open, condition);
    while (open.size) {
        const term *t = vec_pop(&open);
        bool neither = t->op == TERM_NOT && t->arg[0]->op == TERM_OR;
        if (neither || (t->op == TERM_AND && t->width == 1)) {
            const term *const *parts = neither ? t->arg[0]->arg : t->arg;
            for (int i = 0; i < 2; i++) vec_push(&open, neither ? term_not(c, parts[i]) : parts[i]);
        } else {
            vec_push(out, t);
        }
    }
    vec_free(&open);
}

static void take_conditions(cegar *x, const successor *s, led_step *out) {
    terms *c = machine_terms(x->machine);
    for (size_t i = 0; i < s->went->conditions.size; i++)
        add_split(c, s->went->conditions.data[i], &out->conditions);
    for (uint32_t i = 0; i < state_path_count(s->to); i++)
        add_split(c, state_path(s->to)[i], &out->conditions);
    out->needed = s->end == STEP_STOPPED ? abstract_open_time(s->to) : s->needed;
}

typedef bool (*likeness)(const state *a, const state *b);

/* The successor that ends where the step did. */
static bool take_led(cegar *x, const successors *list, const trace_step *step, const successor *end,
                     bool possible_only, likeness is_like, led_step *out) {
    for (size_t i = 0; i < list->size; i++) {
        const successor *s = &list->data[i];
        if (!ends_alike(s, step, end) || (possible_only && is_impossible(s))) continue;
        if (!step->to) {
            take_conditions(x, s, out);
            return true;
        }
        reason_kind trouble;
        state *after = abstract_rename(x->machine, s->to, names_of(x), &trouble);
        if (after && is_like(after, step->to)) {
            take_conditions(x, s, out);
            out->after = after;
            return true;
        }
        if (after) state_release(x->machine, after);
    }
    return false;
}

static bool lead(cegar *x, const trace_step *step, const successor *end, size_t number, led_step *out,
                 reason_kind *trouble) {
    state *from = unknown_state(x, step->from, number, trouble);
    if (!from) return false;
    successors list = {0};
    step_options how = x->how;
    how.record = false;
    how.follow = step->went;
    how.keep_path = true;
    machine_step(x->machine, from, step->by, &how, &list);
    bool found = take_led(x, &list, step, end, true, abstract_same_control, out) ||
                 take_led(x, &list, step, end, false, abstract_same_control, out) ||
                 take_led(x, &list, step, end, true, abstract_same_stacks, out) ||
                 take_led(x, &list, step, end, false, abstract_same_stacks, out);
    if (!found) *trouble = REASON_PATH_NOT_FOLLOWED;
    successors_free(x->machine, &list);
    state_release(x->machine, from);
    return found;
}

/* --- substituting backwards ----------------------------------------------------------------------------- */

/* Unset bytes of later steps are not those that have the same names here: objects come and go. */
static void tell_unset_bytes_apart(cegar *x, term_list *conditions) {
    substitution *others = NULL;
    map set = {0};
    for (size_t i = 0; i < conditions->size; i++) {
        const term_support *symbols = conditions->data[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size; k++) {
            const term *byte = symbols->symbol[k];
            if (!abstract_is_unset_byte(byte) || map_get(&set, byte->id) != MAP_NONE) continue;
            map_put(&set, byte->id, 1);
            if (!others) others = substitution_create(machine_terms(x->machine));
            substitution_set(others, byte, abstract_other_byte(x->machine, x->unset_bytes++));
        }
    }
    for (size_t i = 0; i < conditions->size && others; i++)
        conditions->data[i] = substitution_apply(others, conditions->data[i]);
    if (others) substitution_destroy(others);
    map_free(&set);
}

/* Conditions on the values after a step become conditions on those before it. False: some
 * place is missing. */
static bool take_back(cegar *x, const state *after, term_list *conditions) {
    tell_unset_bytes_apart(x, conditions);
    substitution *values = substitution_create(machine_terms(x->machine));
    map set = {0};
    bool there = true;
    for (size_t i = 0; i < conditions->size && there; i++) {
        const term_support *symbols = conditions->data[i]->support;
        for (uint32_t k = 0; symbols && k < symbols->size && there; k++) {
            const term *place = symbols->symbol[k];
            if (!abstract_is_place(place) || map_get(&set, place->id) != MAP_NONE) continue;
            map_put(&set, place->id, 1);
            value v = abstract_value(x->machine, after, place);
            there = v.bits != NULL; /* of a pointer it is the offset */
            if (there) substitution_set(values, place, v.bits);
        }
    }
    for (size_t i = 0; i < conditions->size && there; i++)
        conditions->data[i] = substitution_apply(values, conditions->data[i]);
    substitution_destroy(values);
    map_free(&set);
    return there;
}

static void append(term_list *to, const term_list *from) {
    for (size_t i = 0; i < from->size; i++) vec_push(to, from->data[i]);
}

/* The conditions of a path: those of steps i and later, last step first, on the values before step i; an
 * index means the same condition in each list that has it. */
typedef struct path_conditions {
    VEC(term_list) before;
    term_list on_inputs; /* all of them, from the initial state */
} path_conditions;

static void free_conditions(path_conditions *p) {
    for (size_t i = 0; i < p->before.size; i++) vec_free(&p->before.data[i]);
    vec_free(&p->before);
    vec_free(&p->on_inputs);
}

/* Paths may be long, and looking at one of them must not take longer than there is time. */
static bool may_go_on(cegar *x, size_t step) {
    cegar_look_at_limits(x, step);
    return !x->stop;
}

static bool collect_conditions(cegar *x, const led_steps *led, const state *initial, path_conditions *out) {
    while (out->before.size < led->size) vec_push(&out->before, ((term_list){0}));
    term_list now = {0};
    bool there = true;
    for (size_t i = led->size; i-- > 0 && there;) {
        if (i + 1 < led->size) there = may_go_on(x, i) && take_back(x, led->data[i].after, &now);
        append(&now, &led->data[i].conditions);
        append(&out->before.data[i], &now);
    }
    there = there && take_back(x, initial, &now);
    out->on_inputs = now;
    return there;
}

static void drop_trivial(term_list *list) {
    size_t kept = 0;
    for (size_t i = 0; i < list->size; i++) {
        bool known = term_is_const(list->data[i]);
        for (size_t k = 0; k < kept && !known; k++) known = list->data[k] == list->data[i];
        if (!known) list->data[kept++] = list->data[i];
    }
    list->size = kept;
}

/* --- the question --------------------------------------------------------------------------------------- */

static bool is_unsat(cegar *x, const term_list *list) {
    return solver_check(machine_solver(x->machine), list->data, list->size) == SOLVER_UNSAT;
}

/* The end of the path that no state whatsoever can go is the best reason: it does not depend on how the path
 * came there, say on how many turns of a loop it took. Returns where it begins; NO_INDEX: there is none. */
static uint32_t impossible_end(cegar *x, const path_conditions *p) {
    uint32_t low = 0,
             high = (uint32_t)p->before.size; /* before low it is impossible, before high it is not */
    if (!is_unsat(x, &p->before.data[0])) return NO_INDEX;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (is_unsat(x, &p->before.data[middle]))
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The conditions of the core before each step behind which it begins. */
static void explain(const path_conditions *p, const solver_core *core, size_t behind, trace_reason *why) {
    while (why->before.size < p->before.size) {
        vec_push(&why->before, ((term_list){0}));
        vec_push(&why->fixed, ((term_list){0}));
    }
    for (size_t i = behind; i < p->before.size; i++) {
        term_list *list = &why->before.data[i], *fixed = &why->fixed.data[i];
        for (size_t k = 0; k < core->size; k++) {
            size_t index = core->data[k];
            assert(index < p->on_inputs.size);
            if (index >= p->before.data[i].size) continue;
            vec_push(list, p->before.data[i].data[index]);
            if (term_is_const(p->on_inputs.data[index])) vec_push(fixed, p->before.data[i].data[index]);
        }
        drop_trivial(list);
        drop_trivial(fixed);
    }
}

/* Conditions of the whole path, from one to before another. */
typedef struct condition_range {
    size_t from, to;
} condition_range;

static bool is_impossible_part(cegar *x, const path_conditions *p, condition_range part) {
    term_list conditions = {p->on_inputs.data + part.from, part.to - part.from, 0};
    return conditions.size && is_unsat(x, &conditions);
}

/* Which variables are to have their constants tracked: those that the violated property speaks of, if that is
 * enough; how threads came out of their loops matters less then. Otherwise those of the shortest beginning of
 * the path that is impossible. */
static condition_range impossible_constants(cegar *x, const path_conditions *p) {
    size_t count = p->on_inputs.size, of_property = 0;
    for (size_t i = p->before.size; i-- > 0 && !of_property;) of_property = p->before.data[i].size;
    condition_range property = {0, of_property}; /* conditions stand last step first */
    if (is_impossible_part(x, p, property)) return property;
    size_t low = 0, high = p->before.size; /* the steps before low are possible, those before high are not */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (is_impossible_part(x, p, (condition_range){p->before.data[middle].size, count}))
            high = middle;
        else
            low = middle;
    }
    return (condition_range){high < p->before.size ? p->before.data[high].size : 0, count};
}

static trace_answer find_core_of_constants(cegar *x, const path_conditions *p, trace_reason *why) {
    condition_range part = impossible_constants(x, p);
    if (!is_impossible_part(x, p, part)) return TRACE_UNDECIDED;
    const solver_core *found = solver_unsat_core(machine_solver(x->machine), true);
    solver_core core = {0};
    for (size_t i = 0; i < found->size; i++) vec_push(&core, part.from + found->data[i]);
    explain(p, &core, 0, why);
    vec_free(&core);
    return TRACE_SPURIOUS;
}

static trace_answer find_core(cegar *x, const path_conditions *p, trace_reason *why) {
    solver *s = machine_solver(x->machine);
    switch (solver_check(s, p->on_inputs.data, p->on_inputs.size)) {
    case SOLVER_SAT: return TRACE_FEASIBLE;
    case SOLVER_UNKNOWN: why->trouble = REASON_SOLVER; return TRACE_UNDECIDED;
    case SOLVER_UNSAT: break;
    }
    if (x->options->abstraction.domain == DOMAIN_EXPLICIT) return find_core_of_constants(x, p, why);
    uint32_t end = impossible_end(x, p);
    const term_list *all = end == NO_INDEX ? &p->on_inputs : &p->before.data[end];
    if (!is_unsat(x, all)) return TRACE_UNDECIDED;
    explain(p, solver_unsat_core(s, true), end == NO_INDEX ? 0 : end + 1, why);
    return TRACE_SPURIOUS;
}

/* --- what places have in common ------------------------------------------------------------------------- */

enum { MOST_PLACES = 8 };

static void places_of(const term_list *conditions, term_list *out) {
    for (size_t i = 0; i < conditions->size; i++) {
        const term_support *symbols = conditions->data[i]->support;
        for (uint32_t k = 0; k < symbols->size && out->size < MOST_PLACES; k++) {
            bool known = !abstract_is_place(symbols->symbol[k]);
            for (size_t n = 0; n < out->size && !known; n++) known = out->data[n] == symbols->symbol[k];
            if (!known) vec_push(out, symbols->symbol[k]);
        }
    }
}

/* The difference of two values, if it is the same for all inputs and worth a predicate. */
static bool differ_by_constant(terms *c, const term *a, const term *b, const term **by) {
    *by = term_sub(c, a, b);
    if (!term_is_const(*by)) return false;
    int64_t distance = term_signed(a->width, (*by)->value);
    return !term_is_const(a) || (distance >= -1 && distance <= 1);
}

/* Conditions taken back lead from one number of turns to the next; what values have in common does not. */
static void find_equalities(cegar *x, const led_steps *led, const state *initial, trace_reason *why) {
    terms *c = machine_terms(x->machine);
    while (why->equal.size < why->before.size) {
        vec_push(&why->equal, ((term_list){0}));
        vec_push(&why->apart, ((term_list){0}));
    }
    for (size_t i = 1; i < why->before.size && !x->stop; i++) {
        term_list places = {0}, values = {0};
        places_of(&why->before.data[i], &places);
        append(&values, &places);
        bool there = places.size > 1;
        for (size_t k = i; k-- > 0 && there;)
            there = may_go_on(x, k) && take_back(x, led->data[k].after, &values);
        there = there && take_back(x, initial, &values);
        for (size_t a = 0; a < places.size && there; a++)
            for (size_t b = 0; b < a; b++) {
                const term *by, *first = places.data[a], *second = places.data[b];
                if (first->width != second->width || first->width == 1) continue;
                if (!differ_by_constant(c, values.data[a], values.data[b], &by)) continue;
                vec_push(&why->equal.data[i], term_eq(c, first, term_add(c, second, by)));
                bool in_order = first->hash < second->hash;
                vec_push(&why->apart.data[i],
                         in_order ? term_sub(c, first, second) : term_sub(c, second, first));
            }
        vec_free(&places);
        vec_free(&values);
    }
}

/* The path to a limit exists. If the number that was not exact there has one value on it, the condition that
 * it has another one explains what must be known. */
static trace_answer explain_limit(cegar *x, led_steps *led, const state *initial, const term *value,
                                  trace_reason *why) {
    terms *c = machine_terms(x->machine);
    const valuation *model = solver_model(machine_solver(x->machine));
    led_step *last = &vec_last(led);
    if (term_is_const(last->needed)) return TRACE_FEASIBLE;
    uint64_t number = term_evaluate(c, value, model);
    vec_push(&last->conditions, term_ne(c, last->needed, term_const(c, last->needed->width, number)));
    path_conditions p = {0};
    trace_answer answer = TRACE_UNDECIDED;
    if (collect_conditions(x, led, initial, &p)) answer = find_core(x, &p, why);
    why->values = answer == TRACE_SPURIOUS;
    free_conditions(&p);
    return answer;
}

static const term *needed_on_inputs(cegar *x, const led_steps *led, const state *initial) {
    const led_step *last = &vec_last(led);
    if (!last->needed) return NULL;
    term_list one = {0};
    vec_push(&one, last->needed);
    bool there = true;
    for (size_t i = led->size - 1; i-- > 0 && there;)
        there = may_go_on(x, i) && take_back(x, led->data[i].after, &one);
    there = there && take_back(x, initial, &one);
    const term *result = there ? one.data[0] : NULL;
    vec_free(&one);
    return result;
}

trace_answer trace_examine(cegar *x, const abstract_trace *t, bool equalities, trace_reason *why) {
    led_steps led = {0};
    trace_answer answer = TRACE_UNDECIDED;
    state *start = machine_initial(x->machine, x->how.stops);
    state *initial = abstract_rename(x->machine, start, names_of(x), &why->trouble);
    bool ok = initial && t->steps.size < MOST_STEPS;
    for (size_t i = 0; i < t->steps.size && ok; i++) {
        led_step next = {0};
        ok = may_go_on(x, i) && lead(x, &t->steps.data[i], t->end, i, &next, &why->trouble);
        vec_push(&led, next);
    }
    path_conditions p = {0};
    if (ok) why->trouble = REASON_PATH_NOT_EXPLAINED;
    if (ok && collect_conditions(x, &led, initial, &p)) {
        answer = find_core(x, &p, why);
        bool limit = answer == TRACE_FEASIBLE && t->end->end != STEP_VIOLATION;
        const term *needed = limit ? needed_on_inputs(x, &led, initial) : NULL;
        if (needed) answer = explain_limit(x, &led, initial, needed, why);
        if (equalities && answer == TRACE_SPURIOUS) find_equalities(x, &led, initial, why);
    }
    assert(answer != TRACE_SPURIOUS || why->before.size == t->steps.size); /* each step is explained */
    free_conditions(&p);
    free_led(x, &led);
    if (initial) state_release(x->machine, initial);
    state_release(x->machine, start);
    return answer;
}
