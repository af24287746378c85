/* Summaries: heaps of any size are proved, and nothing is proved that is not so. */
#include "c_text.h"

#include "cegar/cegar.h"
#include "certify/certify.h"
#include "esst/esst.h"
#include "machine/state.h"
#include "partial/abstract.h"

#define HEADER                                                                                               \
    "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"                                       \
    "extern int __VERIFIER_nondet_int(void);\n"                                                              \
    "struct node { int value; struct node *next; };\n"                                                       \
    "static struct node *make(int value, struct node *next) {\n"                                             \
    "    struct node *n = malloc(sizeof *n); n->value = value; n->next = next; return n; }\n"

/* A list of any length, of ones and twos. */
#define LIST                                                                                                 \
    "struct node *head = 0;\n"                                                                               \
    "while (__VERIFIER_nondet_int()) {\n"                                                                    \
    "    if (__VERIFIER_nondet_int()) head = make(1, head); else head = make(2, head); }\n"

/* --- partly unknown states ------------------------------------------------------------------------------ */

/* Ten nodes, the last one with 0 and then 1, 0, 1, ...; main goes round for ever behind them. */
static const char ten_nodes[] = HEADER "struct node *head; int main(void) {\n"
                                       "for (int i = 0; i < 10; i++) head = make(i & 1, head);\n"
                                       "for (;;) { } }\n";

static state *run_main(const fixture *f) {
    successors list = {0};
    step_options how = {0};
    state *initial = machine_initial(f->m, 0);
    machine_step(f->m, initial, (transition){0, 0}, &how, &list);
    assert_int_equal(list.size, 1);
    assert_int_equal(list.data[0].end, STEP_STOPPED);
    state *s = state_share(list.data[0].to);
    successors_free(f->m, &list);
    state_release(f->m, initial);
    return s;
}

static state *rename_with(const fixture *f, const state *s, uint32_t apart) {
    reason_kind trouble;
    state *renamed = abstract_rename(f->m, s, (rename_options){.apart = apart}, &trouble);
    assert_non_null(renamed);
    return renamed;
}

static const memory_object *summary_in(const state *s, uint32_t *heap_objects, uint32_t *name) {
    const memory_object *found = NULL;
    *heap_objects = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        *heap_objects += o->heap;
        if (!o->summary) continue;
        assert_null(found);
        found = o;
        *name = s->dynamic[i].name;
    }
    return found;
}

static void further_objects_become_one(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(ten_nodes), NULL, 0);
    state *s = run_main(&f), *renamed = rename_with(&f, s, 3);
    uint32_t objects, name;
    const memory_object *o = summary_in(renamed, &objects, &name);
    assert_int_equal(objects, 4);
    assert_non_null(o);
    assert_true(o->single && o->shared && !o->perhaps_freed);
    /* 0 or 1 as value; the end of the list or another one of them as next */
    assert_int_equal(o->cells, 4);
    for (uint32_t k = 0; k < 4; k++) assert_int_equal(object_starts(o)[k], k < 2 ? 0 : 8);
    assert_int_equal(o->cell[0].bits->value, 0);
    assert_int_equal(o->cell[1].bits->value, 1);
    assert_int_equal(o->cell[2].base, 0);
    assert_int_equal(o->cell[2].bits->value, 0);
    assert_int_equal(o->cell[3].base, name + 1);
    state_release(f.m, renamed);
    state_release(f.m, s);
    fixture_close(&f);
}

static void names_settle(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(ten_nodes), NULL, 0);
    state *s = run_main(&f), *once = rename_with(&f, s, 3), *twice = rename_with(&f, once, 3);
    assert_true(abstract_same_control(once, twice));
    assert_int_equal(abstract_control_hash(once), abstract_control_hash(twice));
    state_release(f.m, twice);
    state_release(f.m, once);
    state_release(f.m, s);
    fixture_close(&f);
}

static void few_objects_stay_what_they_are(void **unused) {
    (void)unused;
    fixture f = fixture_of_program(translate_c(ten_nodes), NULL, 0);
    state *s = run_main(&f), *renamed = rename_with(&f, s, 10);
    uint32_t objects, name;
    assert_null(summary_in(renamed, &objects, &name));
    assert_int_equal(objects, 10);
    assert_false(abstract_has_summaries(renamed));
    state_release(f.m, renamed);
    state_release(f.m, s);
    fixture_close(&f);
}

/* --- verdicts ------------------------------------------------------------------------------------------- */

static explore_options asking(void) {
    explore_options o = explore_default_options();
    o.deterministic = true;
    o.max_transitions = 20000;
    o.properties = PROPERTY_ASSERT | PROPERTY_MEMORY;
    return o;
}

static verdict answer_with(const char *source, explore_options how,
                           void (*run)(machine *, const explore_options *, outcome *), text *certificate) {
    fixture f = fixture_of_program(translate_c(source), NULL, 0);
    certificate_writer *w = certificate_writer_create(f.m);
    outcome out = {0};
    how.invariant = certificate ? certificate_writer_add : NULL;
    how.invariant_data = w;
    run(f.m, &how, &out);
    verdict v = outcome_verdict(&out);
    if (certificate && certificate_writer_states(w)) certificate_write(w, "cegar", certificate);
    certificate_writer_destroy(w);
    outcome_free(&out);
    fixture_close(&f);
    return v;
}

static verdict answer_on(const char *source) {
    return answer_with(source, asking(), cegar_run, NULL);
}

static const char looked_through[] =
    HEADER "int main(void) { " LIST "for (struct node *n = head; n; n = n->next)\n"
           "    assert(n->value == 1 || n->value == 2); }\n";
static const char freed_at_last[] =
    HEADER "int main(void) { " LIST "while (head) { struct node *n = head; head = n->next; free(n); } }\n";
static const char in_a_mailbox[] =
    HEADER "struct node *box; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
           "void *produce(void *a) { for (;;) { struct node *n = make(7, 0); pthread_mutex_lock(&m);\n"
           "n->next = box; box = n; pthread_mutex_unlock(&m); } return a; }\n"
           "int main(void) { pthread_t t; pthread_create(&t, 0, produce, 0); for (;;) {\n"
           "pthread_mutex_lock(&m); struct node *n = box; if (n) box = n->next; pthread_mutex_unlock(&m);\n"
           "if (n) assert(n->value == 7); } }\n";

static void heaps_of_any_size_are_proved(void **unused) {
    (void)unused;
    static const char *const sources[] = {looked_through, freed_at_last, in_a_mailbox};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        assert_int_equal(answer_on(sources[i]), VERDICT_SAFE);
        assert_int_equal(answer_with(sources[i], asking(), esst_run, NULL), VERDICT_SAFE);
    }
}

static void every_reduction_proves_them(void **unused) {
    (void)unused;
    static const por_kind kinds[] = {POR_NONE, POR_SLEEP, POR_PERSISTENT_SLEEP, POR_AWARE};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        explore_options how = asking();
        how.por = kinds[i];
        assert_int_equal(answer_with(in_a_mailbox, how, cegar_run, NULL), VERDICT_SAFE);
    }
}

/* Each needs more objects than are told apart at first. */
static void violations_are_found_behind_summaries(void **unused) {
    (void)unused;
    static const char *const sources[] = {
        /* the seventh node is another one */
        HEADER "int main(void) { struct node *head = 0; int n = 0;\n"
               "while (__VERIFIER_nondet_int()) { head = make(n == 6 ? 3 : 1, head); n++; }\n"
               "for (; head; head = head->next) assert(head->value == 1); }\n",
        /* the last node is written after all of them were made */
        HEADER "int main(void) { struct node *head = 0, *n; int k = 0;\n"
               "while (__VERIFIER_nondet_int()) { head = make(1, head); k++; }\n"
               "if (k < 6) return 0; for (n = head; n->next; n = n->next) { } n->value = 3;\n"
               "for (n = head; n; n = n->next) assert(n->value == 1); }\n",
        /* the first one is used after all were freed */
        HEADER "int main(void) { struct node *head = 0, *first = 0; int k = 0;\n"
               "while (__VERIFIER_nondet_int()) { head = make(1, head); if (!first) first = head; k++; }\n"
               "while (head) { struct node *n = head; head = n->next; free(n); }\n"
               "if (k > 6) first->value = 2; }\n",
        /* two ways lead to the same node */
        HEADER "int main(void) { struct node *head = 0, *other = 0; int k = 0;\n"
               "while (__VERIFIER_nondet_int()) { head = make(1, head); other = make(1, head); k++; }\n"
               "if (k < 6) return 0; struct node *n = head->next->next->next->next, *o = other->next->next;\n"
               "assert(o->next->next->next != n); }\n",
        /* a node that two cells of the one before it point to is used after it was freed */
        HEADER
        "struct pair { struct pair *one, *other; int value; };\n"
        "int main(void) { struct pair *a = 0; int k = 0;\n"
        "while (__VERIFIER_nondet_int()) { struct pair *p = malloc(sizeof *p); p->one = p->other = a;\n"
        "p->value = 1; a = p; if (k < 10) k++; }\n"
        "if (k < 8) return 0; struct pair *before = a->one->one->one->one->one;\n"
        "struct pair *x = before->one, *y = before->other; free(x); y->value = 3; }\n",
        /* another cell points to some node before all of them are freed */
        HEADER "struct node *kept; int main(void) { struct node *head = 0, *n; int k = 0;\n"
               "while (__VERIFIER_nondet_int()) { head = make(1, head); if (k < 10) k++; }\n"
               "if (k < 8) return 0; n = head; while (n->next && __VERIFIER_nondet_int()) n = n->next;\n"
               "kept = n; while (head) { n = head; head = n->next; free(n); } kept->value = 3; }\n",
        /* a node is freed twice, by both of the lists that it is in */
        HEADER "int main(void) { struct node *last = make(1, 0), *a = last, *b = last; int k = 0;\n"
               "while (__VERIFIER_nondet_int()) { a = make(1, a); b = make(1, b); k++; }\n"
               "if (k < 4) return 0; while (a) { struct node *n = a; a = n->next; free(n); }\n"
               "while (b) { struct node *n = b; b = n->next; free(n); } }\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        verdict v = answer_on(sources[i]);
        if (v != VERDICT_UNSAFE) fail_msg("program %zu: %d", i, v);
    }
}

/* With everything but one object in a summary. Each program catches another mistake in what a summary, or the
 * object split off it, stands for. */
#define NODES                                                                                                \
    "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n"                                        \
    "int __VERIFIER_nondet_int(void);\n"                                                                     \
    "struct N { int v; struct N *a; } *g, *h;\n"                                                             \
    "static struct N *mk(int v, struct N *a) {\n"                                                            \
    "    struct N *n = malloc(sizeof *n); n->v = v; n->a = a; return n; }\n"
#define STOP "while (__VERIFIER_nondet_int()) {}\n"

static void summaries_forget_nothing_that_may_be(void **unused) {
    (void)unused;
    static const char *const sources[] = {
        /* two registers into one summary, different objects */
        NODES "int main(void) { g = mk(1, mk(1, mk(1, mk(1, 0)))); struct N *x = g->a, *y = x->a;\n" STOP
              "if (x != y) assert(0); }\n",
        /* a later one holds another value */
        NODES "int main(void) { g = mk(1, mk(1, mk(1, mk(3, 0))));\n" STOP
              "for (struct N *p = g; p; p = p->a) assert(p->v == 1); }\n",
        /* a pointer is copied between nodes */
        NODES "int main(void) { g = mk(1, mk(1, mk(1, mk(1, 0)))); h = mk(2, mk(2, 0));\n" STOP
              "struct N *p = g->a, *q = h->a; memcpy(&q->a, &p->a, sizeof p->a);\n" STOP
              "struct N *x = g->a->a, *y = h->a->a; x->v = 5; y->v = 6; assert(x->v == 5); }\n",
        /* one is freed through a register, then the list is walked */
        NODES "int main(void) { g = mk(1, mk(1, mk(1, mk(1, 0))));\n" STOP "struct N *r = g->a->a;\n" STOP
              "free(r);\n" STOP "struct N *p = g; while (p) p = p->a; }\n",
        /* the object that is read points to itself */
        NODES
        "int main(void) { struct N *last = mk(1, 0); last->a = last; g = mk(1, mk(1, last)); last = 0;\n" STOP
        "struct N *p = g->a->a, *q = p->a; p->v = 5; q->v = 6; assert(p->v == 5); }\n",
        /* what several of a summary point to becomes part of another one */
        NODES
        "struct T { int v; } *t0; struct S { struct T *pay; struct S *a; } *s0;\n"
        "static struct T *mt(void) { struct T *t = malloc(sizeof *t); t->v = 0; return t; }\n"
        "static struct S *ms(struct T *p, struct S *a) {\n"
        "    struct S *s = malloc(sizeof *s); s->pay = p; s->a = a; return s; }\n"
        "int main(void) { struct T *t = mt(); s0 = ms(0, ms(t, ms(t, 0))); t = 0;\n" STOP "t0 = mt();\n" STOP
        "struct T *x = s0->a->pay; struct S *two = s0->a->a; if (!two) return 0; struct T *y = two->pay;\n"
        "if (x && y) { x->v = 5; y->v = 6; assert(x->v == 5); } }\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        explore_options how = asking();
        how.abstraction.apart = 1;
        verdict v = answer_with(sources[i], how, cegar_run, NULL);
        if (v != VERDICT_UNSAFE) fail_msg("program %zu: %d", i, v);
    }
}

/* --- certificates --------------------------------------------------------------------------------------- */

static bool is_confirmed(const char *source, const char *json, size_t length) {
    fixture f = fixture_of_program(translate_c(source), NULL, 0);
    explore_options how = asking();
    outcome out = {0};
    const char *trouble;
    certificate *c = certificate_read(f.m, json, length, &trouble);
    if (c) certify_run(f.m, c, &how, &out);
    bool confirmed = c && outcome_verdict(&out) == VERDICT_SAFE;
    certificate_destroy(c);
    outcome_free(&out);
    fixture_close(&f);
    return confirmed;
}

static void proofs_about_summaries_are_confirmed(void **unused) {
    (void)unused;
    static const char *const sources[] = {looked_through, freed_at_last, in_a_mailbox};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        text json = {0};
        assert_int_equal(answer_with(sources[i], asking(), cegar_run, &json), VERDICT_SAFE);
        assert_true(is_confirmed(sources[i], text_cstr(&json), json.size));
        char *apart = strstr(text_cstr(&json), "\"apart\": 4");
        assert_non_null(apart);
        apart[strlen("\"apart\": ")] = '9'; /* its states are others then */
        assert_false(is_confirmed(sources[i], text_cstr(&json), json.size));
        apart[strlen("\"apart\": ")] = '0';
        assert_false(is_confirmed(sources[i], text_cstr(&json), json.size));
        text_free(&json);
    }
}

static void a_proof_of_another_program_is_refused(void **unused) {
    (void)unused;
    static const char others[] =
        HEADER "int main(void) { " LIST "for (struct node *n = head; n; n = n->next)\n"
               "    assert(n->value == 1 || n->value == 3); }\n";
    text json = {0};
    assert_int_equal(answer_with(looked_through, asking(), cegar_run, &json), VERDICT_SAFE);
    assert_false(is_confirmed(others, text_cstr(&json), json.size));
    text_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(further_objects_become_one),
        cmocka_unit_test(names_settle),
        cmocka_unit_test(few_objects_stay_what_they_are),
        cmocka_unit_test(heaps_of_any_size_are_proved),
        cmocka_unit_test(every_reduction_proves_them),
        cmocka_unit_test(violations_are_found_behind_summaries),
        cmocka_unit_test(summaries_forget_nothing_that_may_be),
        cmocka_unit_test(proofs_about_summaries_are_confirmed),
        cmocka_unit_test(a_proof_of_another_program_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
