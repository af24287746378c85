/* Heap objects under other names: a state and its permuted copy count as equal, and so do their successors
 * (lemma 4.2 of the SymC++ document), on every state of random programs that make, link and free objects. */
#include "c_text.h"

#include "base/map.h"
#include "machine/positions.h"
#include "machine/setup.h"
#include "machine/state.h"
#include "matching/matcher.h"
#include "random_programs.h"

/* --- programs ------------------------------------------------------------------------------------------- */

static void put_statement(text *out, uint64_t *seed) {
    char a = "pqr"[random_below(seed, 3)], b = "pqr"[random_below(seed, 3)];
    switch (random_below(seed, 9)) {
    case 0:
    case 1: text_format(out, "%c = make(%u);\n", a, random_below(seed, 3)); break;
    case 2: text_format(out, "if (%c) %c->next = %c;\n", a, a, b); break;
    case 3: text_format(out, "if (%c) %c = %c->next;\n", b, a, b); break;
    case 4: text_format(out, "%c = %c;\n", a, b); break;
    case 5: text_format(out, "free(%c); %c = 0;\n", a, a); break;
    case 6: text_format(out, "if (%c && %c) %c->value = %c->value + 1;\n", a, b, a, b); break;
    case 7: text_format(out, "if (%c == %c) %c = 0;\n", a, b, b); break;
    case 8: text_format(out, "if (%c) assert(%c->value < 3);\n", a, a); break;
    }
}

static program *random_heap_program(uint64_t *seed) {
    text source = {0};
    text_format(&source, "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
                         "struct node { int value; struct node *next; } *p, *q, *r;\n"
                         "static struct node *make(int value) { struct node *n = malloc(sizeof *n);\n"
                         "    if (!n) abort(); n->value = value; n->next = 0; return n; }\n"
                         "void *other(void *unused) {\n");
    for (unsigned i = 0; i < 3; i++) put_statement(&source, seed);
    text_format(&source, "return unused; }\n"
                         "int main(void) { p = make(0); q = make(1); r = make(2); p->next = q;\n"
                         "pthread_t t; pthread_create(&t, 0, other, 0);\n");
    for (unsigned i = 0; i < 4; i++) put_statement(&source, seed);
    text_format(&source, "}\n");
    program *p = translate_c(text_cstr(&source));
    text_free(&source);
    return p;
}

/* --- permuting ------------------------------------------------------------------------------------------ */

/* Objects by position in state.dynamic: the one at i goes to (i + by) % count. */
static value renamed(const state *s, uint32_t by, value v) {
    uint32_t name = value_object(v);
    if (name == NO_INDEX || name < s->static_count) return v;
    uint32_t at = state_dynamic_position(s, name);
    if (at == s->dynamic_count || s->dynamic[at].name != name) return v; /* gone */
    v.base += s->dynamic[(at + by) % s->dynamic_count].name - name;
    return v;
}

static void rename_all(const state *s, uint32_t by, value *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) list[i] = renamed(s, by, list[i]);
}

/* Where an object lies goes with it. */
static void rename_positions(terms *c, const state *s, uint32_t by, state *t) {
    substitution *moved = substitution_create(c);
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        substitution_set(moved, object_position(c, s->dynamic[i].name),
                         object_position(c, s->dynamic[(i + by) % s->dynamic_count].name));
    VEC(const term *) conjuncts = {0};
    for (uint32_t i = 0; i < s->path_count; i++)
        vec_push(&conjuncts, substitution_apply(moved, state_path(s)[i]));
    if (conjuncts.size) state_set_path(t, conjuncts.data, (uint32_t)conjuncts.size);
    vec_free(&conjuncts);
    substitution_destroy(moved);
}

static state *permuted(terms *c, const state *s, uint32_t by) {
    state *t = state_clone(s);
    rename_positions(c, s, by, t);
    for (uint32_t i = 0; i < t->static_count; i++) {
        memory_object *o = state_own_object(t, i);
        rename_all(s, by, o->cell, o->cells);
    }
    for (uint32_t i = 0; i < t->dynamic_count; i++) {
        memory_object *o = state_own_object(t, s->dynamic[i].name);
        rename_all(s, by, o->cell, o->cells);
    }
    for (uint32_t i = 0; i < t->thread_count; i++) {
        thread_part *p = state_own_thread(t, i);
        rename_all(s, by, p->values, p->value_count);
        p->result = renamed(s, by, p->result);
    }
    memory_object **moved = mem_alloc(t->dynamic_count * sizeof *moved);
    for (uint32_t i = 0; i < t->dynamic_count; i++) moved[(i + by) % t->dynamic_count] = t->dynamic[i].object;
    for (uint32_t i = 0; i < t->dynamic_count; i++) t->dynamic[i].object = moved[i];
    mem_free(moved);
    return t;
}

/* --- comparing ------------------------------------------------------------------------------------------ */

static void assert_equal_states(matcher *x, const state *a, const state *b) {
    for (int kind = 0; kind < HASH_KINDS; kind++)
        assert_int_equal(state_hash(a, (hash_kind)kind), state_hash(b, (hash_kind)kind));
    assert_true(matcher_covers(x, a, b));
    assert_true(matcher_covers(x, b, a));
}

typedef struct walk_over {
    const fixture *f;
    matcher *x;
    map seen; /* hash -> 0 */
    VEC(state *) open;
    transitions enabled, of_copy;
    successors list, copies;
    unsigned compared;
} walk_over;

static void look_at(walk_over *w, const state *s) {
    if (map_get(&w->seen, state_hash(s, HASH_EXACT)) != MAP_NONE) return;
    map_put(&w->seen, state_hash(s, HASH_EXACT), 0);
    vec_push(&w->open, state_clone(s));
}

static void compare_successors(walk_over *w, const state *s, const state *copy, transition by) {
    step_options how = {.effects = false};
    machine *m = w->f->m;
    successors_clear(m, &w->copies);
    machine_step(m, copy, by, &how, &w->copies);
    assert_int_equal(w->copies.size, w->list.size);
    for (size_t i = 0; i < w->list.size; i++) {
        const successor *a = &w->list.data[i], *b = &w->copies.data[i];
        assert_int_equal(a->end, b->end);
        if (a->end == STEP_VIOLATION) assert_int_equal(a->check, b->check);
        if (a->end == STEP_STOPPED || a->end == STEP_FINISHED) assert_equal_states(w->x, a->to, b->to);
    }
    w->compared += !state_identical(s, copy);
}

static void expand(walk_over *w, const state *s, uint64_t *seed) {
    machine *m = w->f->m;
    state *copy = s->dynamic_count > 1
                      ? permuted(machine_terms(m), s, 1 + random_below(seed, s->dynamic_count - 1))
                      : state_clone(s);
    step_options how = {.effects = false};
    vec_clear(&w->enabled);
    vec_clear(&w->of_copy);
    assert_equal_states(w->x, s, copy);
    machine_enabled(m, s, &w->enabled);
    machine_enabled(m, copy, &w->of_copy);
    assert_int_equal(w->enabled.size, w->of_copy.size);
    for (size_t i = 0; i < w->enabled.size; i++) {
        successors_clear(m, &w->list);
        machine_step(m, s, w->enabled.data[i], &how, &w->list);
        compare_successors(w, s, copy, w->enabled.data[i]);
        for (size_t n = 0; n < w->list.size; n++)
            if (w->list.data[n].end == STEP_STOPPED) look_at(w, w->list.data[n].to);
    }
    state_release(m, copy);
}

static void successors_of_permuted_states_are_permuted(void **unused) {
    (void)unused;
    enum { PROGRAMS = 8, STATES = 400 };
    uint64_t seed = 26;
    unsigned compared = 0;
    for (int round = 0; round < PROGRAMS; round++) {
        machine_options awake = awake_options();
        fixture f = fixture_of_program(random_heap_program(&seed), &awake, 0);
        /* Where objects lie is unknown, and renamed with them. */
        walk_over w = {.f = &f, .x = matcher_create(f.m, &(match_options){.kind = MATCH_ESM})};
        state *first = machine_initial(f.m, 0);
        look_at(&w, first);
        state_release(f.m, first);
        size_t done = 0;
        while (done < w.open.size && done < STATES) expand(&w, w.open.data[done++], &seed);
        compared += w.compared;
        for (size_t i = 0; i < w.open.size; i++) state_release(f.m, w.open.data[i]);
        vec_free(&w.open);
        vec_free(&w.enabled);
        vec_free(&w.of_copy);
        successors_free(f.m, &w.list);
        successors_free(f.m, &w.copies);
        map_free(&w.seen);
        matcher_destroy(w.x);
        fixture_close(&f);
    }
    assert_true(compared > PROGRAMS * 20); /* steps of copies that differ */
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(successors_of_permuted_states_are_permuted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
