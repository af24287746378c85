/* Random programs of up to four threads, which take locks and execute statements that the user of this file
 * makes. Include thread_programs.h and random_programs.h before. */
#ifndef HEDDLE_TESTS_RANDOM_THREADS_H
#define HEDDLE_TESTS_RANDOM_THREADS_H

enum { CELLS = 3, LOCKS = 2 };
static const char *const cell_names[] = {"x", "y", "z", "lock1", "lock2"};

typedef struct shape {
    unsigned threads, statements;
    bool inputs, assertions, locks, sections, joins, spins;
} shape;

/* `local` is a register that an earlier statement of the thread has set, or NO_INDEX. */
typedef void thread_statement(maker *k, uint64_t *seed, const shape *s, uint32_t *local);

static inline uint32_t random_cell(uint64_t *seed) {
    return random_below(seed, CELLS);
}

/* while (cell == number) {} */
static inline void put_spin(maker *k, uint32_t cell, uint32_t number) {
    uint32_t head = function_add_block(k->p, k->f), after = function_add_block(k->p, k->f);
    put(k, INSTR_JUMP)->target[0] = head;
    k->block = head;
    uint32_t again = put_compare(k, ARITH_EQ, put_load(k, cell), number);
    instruction *i = put(k, INSTR_BRANCH);
    i->a = operand_register(again, 1);
    i->target[0] = head;
    i->target[1] = after;
    k->block = after;
}

static inline void random_thread(maker *k, uint64_t *seed, const shape *s, thread_statement *statement,
                                 unsigned index) {
    static const char *const names[] = {"a", "b", "c", "d"};
    begin_function(k, names[index], FUNCTION_THREAD);
    unsigned style = s->locks ? random_below(seed, 4) : 0;
    uint32_t local = NO_INDEX, first = CELLS + random_below(seed, LOCKS), second = 2 * CELLS + 1 - first;
    unsigned count = 1 + random_below(seed, s->statements);
    if (style) put_lock(k, first);
    if (style == 3) put_lock(k, second);
    for (unsigned i = 0; i < count; i++) statement(k, seed, s, &local);
    if (style == 3) put_unlock(k, second);
    if (style) put_unlock(k, first);
    if (style == 2) statement(k, seed, s, &local);
    end_function(k);
}

static inline maker random_threads(uint64_t *seed, const shape *s, thread_statement *statement) {
    maker k = maker_create(cell_names, CELLS + LOCKS);
    for (unsigned t = 0; t < s->threads; t++) random_thread(&k, seed, s, statement, t);
    begin_main(&k);
    uint32_t made[4], local = NO_INDEX;
    for (unsigned t = 0; t < s->threads; t++) {
        made[t] = put_create(&k, t);
        if (!random_below(seed, 4)) statement(&k, seed, s, &local);
    }
    if (s->joins && random_below(seed, 2)) put_join(&k, made[random_below(seed, s->threads)]);
    if (random_below(seed, 2)) statement(&k, seed, s, &local);
    end_function(&k);
    return k;
}

#endif
