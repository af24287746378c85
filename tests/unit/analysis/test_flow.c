/* Liveness and loop heads against their definitions, on every function of every model. */
#include "model_files.h"

#include "analysis/flow.h"

/* --- liveness by definition: some path reads the register before writing it ----------------------------- */

typedef struct question {
    uint32_t wanted;
    bool reads;
} question;

static void note_read(void *data, const operand *o) {
    question *q = data;
    q->reads |= o->kind == OPERAND_REGISTER && o->index == q->wanted;
}

/* What one instruction says about a register: read first, overwritten, or neither. */
typedef enum { SAYS_LIVE, SAYS_DEAD, SAYS_NOTHING } says;

static says instruction_says(const instruction *i, uint32_t reg) {
    question q = {reg, false};
    instruction_each_operand(i, note_read, &q);
    return q.reads ? SAYS_LIVE : i->dst == reg ? SAYS_DEAD : SAYS_NOTHING;
}

static says rest_of_block_says(const block *b, size_t from, uint32_t reg) {
    for (size_t i = from; i < b->code.size; i++) {
        says answer = instruction_says(&b->code.data[i], reg);
        if (answer != SAYS_NOTHING) return answer;
    }
    return SAYS_NOTHING;
}

static bool is_live(const function *f, uint32_t block_index, size_t from, uint32_t reg) {
    says first = rest_of_block_says(&f->blocks.data[block_index], from, reg);
    if (first != SAYS_NOTHING) return first == SAYS_LIVE;
    bool *seen = mem_zero(f->blocks.size, sizeof *seen), live = false;
    VEC(uint32_t) open = {0};
    vec_push(&open, block_index);
    while (open.size && !live) {
        uint32_t targets[2], count = block_targets(&f->blocks.data[vec_pop(&open)], targets);
        for (uint32_t k = 0; k < count; k++) {
            if (seen[targets[k]]) continue;
            seen[targets[k]] = true;
            says answer = rest_of_block_says(&f->blocks.data[targets[k]], 0, reg);
            live |= answer == SAYS_LIVE;
            if (answer == SAYS_NOTHING) vec_push(&open, targets[k]);
        }
    }
    vec_free(&open);
    mem_free(seen);
    return live;
}

static size_t facts_checked;

static void check_liveness(const char *name, const char *source) {
    program *p = compile_with(source, NULL, 0);
    for (size_t k = 0; k < p->functions.size; k++) {
        const function *f = &p->functions.data[k];
        flow computed = flow_compute(f);
        for (uint32_t b = 0; b < f->blocks.size; b++)
            for (uint32_t i = 0; i < f->blocks.data[b].code.size; i++)
                for (uint32_t r = 0; r < f->registers.size; r++, facts_checked++)
                    if (bits_has(flow_live(&computed, b, i), r) != is_live(f, b, i, r))
                        fail_msg("%s: register %u before %s:%u:%u", name, r, f->name, b, i);
        flow_free(&computed);
    }
    program_destroy(p);
}

static void liveness_is_what_its_definition_says(void **unused) {
    (void)unused;
    each_model(check_liveness);
    assert_true(facts_checked > 10000);
}

/* --- loop heads ----------------------------------------------------------------------------------------- */

/* Whether `to` can be reached from `from` by at least one edge, without entering blocks marked in `avoid`. */
static bool reaches(const function *f, uint32_t from, uint32_t to, const flow *avoid) {
    bool *seen = mem_zero(f->blocks.size, sizeof *seen), found = false;
    VEC(uint32_t) open = {0};
    vec_push(&open, from);
    while (open.size && !found) {
        uint32_t targets[2], count = block_targets(&f->blocks.data[vec_pop(&open)], targets);
        for (uint32_t k = 0; k < count; k++) {
            if (avoid && flow_is_loop_head(avoid, targets[k])) continue;
            found |= targets[k] == to;
            if (seen[targets[k]]) continue;
            seen[targets[k]] = true;
            vec_push(&open, targets[k]);
        }
    }
    vec_free(&open);
    mem_free(seen);
    return found;
}

static void check_loop_heads(const char *name, const char *source) {
    program *p = compile_with(source, NULL, 0);
    for (size_t k = 0; k < p->functions.size; k++) {
        const function *f = &p->functions.data[k];
        flow computed = flow_compute(f);
        for (uint32_t b = 0; b < f->blocks.size; b++) {
            bool entered = b == 0 || reaches(f, 0, b, NULL);
            if (flow_is_loop_head(&computed, b) && !reaches(f, b, b, NULL))
                fail_msg("%s: %s:%u is on no cycle", name, f->name, b);
            if (entered && !flow_is_loop_head(&computed, b) && reaches(f, b, b, &computed))
                fail_msg("%s: a cycle through %s:%u has no head", name, f->name, b);
        }
        flow_free(&computed);
    }
    program_destroy(p);
}

static void every_cycle_has_a_head_and_every_head_a_cycle(void **unused) {
    (void)unused;
    each_model(check_loop_heads);
}

static size_t count_heads(const char *thread_body) {
    char source[512];
    snprintf(source, sizeof source, "int x; event e; thread A{%s} main{start;}", thread_body);
    fixture f = fixture_open(source);
    const function *a = &f.p->functions.data[f.p->threads.data[thread_named(&f, "A")].function];
    flow computed = flow_compute(a);
    size_t heads = bits_count(computed.loop_heads, BITS_WORDS(a->blocks.size));
    flow_free(&computed);
    fixture_close(&f);
    return heads;
}

static void loops_have_one_head_each(void **unused) {
    (void)unused;
    assert_int_equal(count_heads("x = 1;"), 0);
    assert_int_equal(count_heads("if (x) x = 1; else x = 2;"), 0);
    assert_int_equal(count_heads("while (x < 3) x += 1;"), 1);
    assert_int_equal(count_heads("do x += 1; while (x < 3);"), 1);
    assert_int_equal(count_heads("for (int i = 0; i < 3; i += 1) for (int k = 0; k < 3; k += 1) x += 1;"), 2);
    assert_int_equal(count_heads("while (x < 3) { x += 1; if (x == 2) continue; x += 2; }"), 1);
    assert_int_equal(count_heads("L: x += 1; wait e; goto L;"), 1);
}

static void no_function_is_too_small(void **unused) {
    (void)unused;
    program *p = program_create(KERNEL_IVL, "empty");
    uint32_t f = program_add_function(p, "f", FUNCTION_PLAIN, (position){1, 1});
    flow none = flow_compute(&p->functions.data[f]);
    flow_free(&none);
    function_add_block(p, f);
    function_emit(p, f, 0, INSTR_RETURN, (position){1, 1});
    flow one = flow_compute(&p->functions.data[f]);
    assert_false(flow_is_loop_head(&one, 0));
    flow_free(&one);
    program_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liveness_is_what_its_definition_says),
        cmocka_unit_test(every_cycle_has_a_head_and_every_head_a_cycle),
        cmocka_unit_test(loops_have_one_head_each),
        cmocka_unit_test(no_function_is_too_small),
    };
    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
