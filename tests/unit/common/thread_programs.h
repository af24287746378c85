/* Preemptive programs written by hand or at random, through the builder: shared 32-bit cells, locks, waits,
 * compare-and-swap, inputs, assertions; main creates the threads and may join them. */
#ifndef HEDDLE_TESTS_THREAD_PROGRAMS_H
#define HEDDLE_TESTS_THREAD_PROGRAMS_H

#include "core_fixture.h"
#include "dpor/dpor.h"

typedef struct maker {
    program *p;
    uint32_t f, block; /* where code goes */
} maker;

static inline position nowhere(void) {
    return (position){1, 1};
}

static inline maker maker_create(const char *const *cells, uint32_t count) {
    maker k = {.p = program_create(KERNEL_PREEMPTIVE, "test")};
    k.p->pointer_bits = 64;
    scalar_type word = {32, VIEW_SIGNED};
    for (uint32_t i = 0; i < count; i++)
        vec_push(
            &k.p->objects,
            ((static_object){
                .name = cells[i], .shape = program_scalar_layout(k.p, word), .count = 1, .at = nowhere()}));
    return k;
}

static inline instruction *put(maker *k, instruction_kind kind) {
    return function_emit(k->p, k->f, k->block, kind, nowhere());
}

static inline uint32_t new_register(maker *k, unsigned width) {
    return function_add_register(k->p, k->f, (scalar_type){(uint8_t)width, VIEW_SIGNED}, NULL);
}

static inline void begin_function(maker *k, const char *name, function_role role) {
    k->f = program_add_function(k->p, name, role, nowhere());
    k->block = function_add_block(k->p, k->f);
}

static inline void end_function(maker *k) {
    put(k, INSTR_RETURN);
}

static inline uint32_t put_load(maker *k, uint32_t cell) {
    uint32_t r = new_register(k, 32);
    instruction *i = put(k, INSTR_LOAD);
    i->dst = r;
    i->a = operand_object(cell, 0);
    return r;
}

static inline void put_store(maker *k, uint32_t cell, operand value) {
    instruction *i = put(k, INSTR_STORE);
    i->a = operand_object(cell, 0);
    i->b = value;
}

static inline void put_add(maker *k, uint32_t cell, uint32_t number) {
    instruction *i = put(k, INSTR_UPDATE);
    i->arith = ARITH_ADD;
    i->a = operand_object(cell, 0);
    i->b = operand_const(32, number);
}

static inline void put_sync(maker *k, sync_op op) {
    put(k, INSTR_SYNC)->sync = (uint8_t)op;
}

/* Waits until cell == number (or !=), then is inside an atomic section. */
static inline void put_await(maker *k, uint32_t cell, arith how, uint32_t number) {
    instruction *i = put(k, INSTR_SYNC);
    i->sync = SYNC_AWAIT;
    i->arith = (uint8_t)how;
    i->a = operand_object(cell, 0);
    i->b = operand_const(32, UINT32_MAX);
    i->c = operand_const(32, number);
}

static inline void put_lock(maker *k, uint32_t cell) {
    put_await(k, cell, ARITH_EQ, 0);
    put_store(k, cell, operand_const(32, 1));
    put_sync(k, SYNC_ATOMIC_END);
}

static inline void put_unlock(maker *k, uint32_t cell) {
    put_store(k, cell, operand_const(32, 0));
}

static inline uint32_t put_compare(maker *k, arith how, uint32_t a, uint32_t number) {
    uint32_t r = new_register(k, 1);
    instruction *i = put(k, INSTR_ARITH);
    i->arith = (uint8_t)how;
    i->dst = r;
    i->a = operand_register(a, 32);
    i->b = operand_const(32, number);
    return r;
}

typedef struct fork_in_code {
    uint32_t then_block, after_block;
} fork_in_code;

/* if (condition) { ... } closed by end_if. */
static inline fork_in_code begin_if(maker *k, uint32_t condition) {
    fork_in_code fork = {function_add_block(k->p, k->f), function_add_block(k->p, k->f)};
    instruction *i = put(k, INSTR_BRANCH);
    i->a = operand_register(condition, 1);
    i->target[0] = fork.then_block;
    i->target[1] = fork.after_block;
    k->block = fork.then_block;
    return fork;
}

static inline void end_if(maker *k, fork_in_code fork) {
    put(k, INSTR_JUMP)->target[0] = fork.after_block;
    k->block = fork.after_block;
}

static inline void put_compare_and_swap(maker *k, uint32_t cell, uint32_t expected, uint32_t wanted) {
    put_sync(k, SYNC_ATOMIC_BEGIN);
    uint32_t old = put_load(k, cell);
    fork_in_code fork = begin_if(k, put_compare(k, ARITH_EQ, old, expected));
    put_store(k, cell, operand_const(32, wanted));
    end_if(k, fork);
    put_sync(k, SYNC_ATOMIC_END);
}

static inline uint32_t put_input(maker *k) {
    vec_push(&k->p->inputs, ((input){"input", {32, VIEW_SIGNED}, nowhere()}));
    uint32_t r = new_register(k, 32);
    instruction *i = put(k, INSTR_INPUT);
    i->dst = r;
    i->extra = (uint32_t)k->p->inputs.size - 1;
    return r;
}

static inline void put_assert(maker *k, uint32_t condition) {
    vec_push(&k->p->checks, ((check){.kind = CHECK_ASSERTION,
                                     .text = "asserted",
                                     .thread_or_function = k->p->functions.data[k->f].name,
                                     .at = nowhere()}));
    instruction *i = put(k, INSTR_CHECK);
    i->a = operand_register(condition, 1);
    i->check = (uint32_t)k->p->checks.size - 1;
}

static inline uint32_t put_create(maker *k, uint32_t function) {
    uint32_t r = new_register(k, 64);
    instruction *i = put(k, INSTR_SYNC);
    i->sync = SYNC_CREATE;
    i->dst = r;
    i->a = operand_function(function);
    i->b = operand_const(64, 0);
    return r;
}

static inline void put_join(maker *k, uint32_t number) {
    instruction *i = put(k, INSTR_SYNC);
    i->sync = SYNC_JOIN;
    i->a = operand_register(number, 64);
}

/* main begins; threads' functions must be there already. */
static inline void begin_main(maker *k) {
    begin_function(k, "main", FUNCTION_MAIN);
    vec_push(&k->p->threads, ((thread_info){.name = "main", .function = k->f, .at = nowhere()}));
}

/* --- running -------------------------------------------------------------------------------------------- */

typedef struct finals {
    machine *m;
    VEC(uint64_t) hashes;
} finals;

static inline void collect_final(void *data, const state *from, transition by, const successor *to) {
    (void)from, (void)by;
    finals *f = data;
    transitions enabled = {0};
    if (to->end == STEP_STOPPED) machine_enabled(f->m, to->to, &enabled);
    if (to->end == STEP_FINISHED || (to->end == STEP_STOPPED && !enabled.size)) {
        uint64_t hash = state_hash(to->to, HASH_EXACT);
        bool known = false;
        for (size_t i = 0; i < f->hashes.size; i++) known |= f->hashes.data[i] == hash;
        if (!known) vec_push(&f->hashes, hash);
    }
    vec_free(&enabled);
}

static inline int compare_hashes(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

typedef struct found {
    outcome out;
    finals final;
} found;

static inline found run_dpor_within(fixture *f, por_kind por, unsigned properties, bool all,
                                    uint64_t transitions) {
    found r = {.final = {.m = f->m}};
    explore_options o = explore_default_options();
    o.por = por;
    o.properties = properties;
    o.all = all;
    o.dump_traces = true;
    o.max_transitions = transitions;
    o.observe = collect_final;
    o.observe_data = &r.final;
    dpor_run(f->m, &o, &r.out);
    if (r.final.hashes.size)
        qsort(r.final.hashes.data, r.final.hashes.size, sizeof(uint64_t), compare_hashes);
    return r;
}

static inline found run_dpor(fixture *f, por_kind por, unsigned properties, bool all) {
    return run_dpor_within(f, por, properties, all, 0);
}

static inline void found_free(found *r) {
    outcome_free(&r->out);
    vec_free(&r->final.hashes);
}

static inline fixture open_maker(maker *k) {
    diagnostics d = {.file = "test"};
    bool right = program_check(k->p, &d);
    if (!right) {
        text said = {0};
        diag_print(&d, &said);
        program_print(k->p, &said);
        fprintf(stderr, "%s\n", text_cstr(&said));
        text_free(&said);
    }
    diag_free(&d);
    assert_true(right);
    return fixture_of_program(k->p, NULL, 0);
}

#endif
