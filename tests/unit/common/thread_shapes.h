/* Small programs of threads that several explorers are tried on. Include thread_programs.h before. */
#ifndef HEDDLE_TESTS_THREAD_SHAPES_H
#define HEDDLE_TESTS_THREAD_SHAPES_H

static inline void create_all(maker *k, uint32_t threads) {
    begin_main(k);
    for (uint32_t t = 0; t < threads; t++) put_create(k, t);
    put_sync(k, SYNC_EXIT);
    end_function(k);
}

static inline maker critical_sections(unsigned count) {
    static const char *const cells[] = {"lock", "x"};
    maker k = maker_create(cells, 2);
    for (unsigned i = 0; i < count; i++) {
        begin_function(&k, "section", FUNCTION_THREAD);
        put_lock(&k, 0);
        put_store(&k, 1, operand_const(32, i));
        put_unlock(&k, 0);
        end_function(&k);
    }
    create_all(&k, count);
    return k;
}

static inline maker crossed_locks(void) {
    static const char *const cells[] = {"a", "b"};
    maker k = maker_create(cells, 2);
    for (unsigned i = 0; i < 2; i++) {
        begin_function(&k, i ? "q" : "p", FUNCTION_THREAD);
        put_lock(&k, i);
        put_lock(&k, 1 - i);
        put_unlock(&k, 1 - i);
        put_unlock(&k, i);
        end_function(&k);
    }
    create_all(&k, 2);
    return k;
}

/* The thread that waits is blocked for ever if the flag is lowered before it looks. */
static inline maker lowered_flag(void) {
    static const char *const cells[] = {"flag", "x"};
    maker k = maker_create(cells, 2);
    begin_function(&k, "lowers", FUNCTION_THREAD);
    put_store(&k, 0, operand_const(32, 1));
    end_function(&k);
    begin_function(&k, "waits", FUNCTION_THREAD);
    put_await(&k, 0, ARITH_EQ, 0);
    put_sync(&k, SYNC_ATOMIC_END);
    put_store(&k, 1, operand_const(32, 1));
    end_function(&k);
    create_all(&k, 2);
    return k;
}

#endif
