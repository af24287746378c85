/* The functions that clang calls where an atomic operation has no instruction: objects of odd sizes, of sizes
 * known only at run time, or wider than the target can do. Each is one atomic section.
 *
 * Compilers know these names, so they are given by labels. */
#include "models.h"

/* Whatever is weaker than sequentially consistent must be seen as such. */
static void note_order(int order) {
    if (order != __ATOMIC_SEQ_CST) __heddle_lost_order();
}

typedef unsigned char bytes_1;
typedef unsigned short bytes_2;
typedef unsigned bytes_4;
typedef unsigned long long bytes_8;

/* --- any size ------------------------------------------------------------------------------------------- */

void atomic_load_any(size_t bytes, const void *from, void *to, int order) __asm__("__atomic_load");
void atomic_store_any(size_t bytes, void *to, const void *from, int order) __asm__("__atomic_store");
void atomic_exchange_any(size_t bytes, void *cell, const void *new, void *old,
                         int order) __asm__("__atomic_exchange");
_Bool atomic_compare_exchange_any(size_t bytes, void *cell, void *expected, const void *desired, int success,
                                  int failure) __asm__("__atomic_compare_exchange");

void atomic_load_any(size_t bytes, const void *from, void *to, int order) {
    __heddle_atomic_begin();
    note_order(order);
    __heddle_copy(to, from, bytes);
    __heddle_atomic_end();
}

void atomic_store_any(size_t bytes, void *to, const void *from, int order) {
    __heddle_atomic_begin();
    note_order(order);
    __heddle_copy(to, from, bytes);
    __heddle_atomic_end();
}

void atomic_exchange_any(size_t bytes, void *cell, const void *new, void *old, int order) {
    __heddle_atomic_begin();
    note_order(order);
    void *before = __builtin_alloca(bytes);
    __heddle_copy(before, cell, bytes);
    __heddle_copy(cell, new, bytes);
    __heddle_copy(old, before, bytes);
    __heddle_atomic_end();
}

_Bool atomic_compare_exchange_any(size_t bytes, void *cell, void *expected, const void *desired, int success,
                                  int failure) {
    __heddle_atomic_begin();
    note_order(success);
    note_order(failure);
    const unsigned char *present = cell, *wanted = expected;
    int equal = 1;
    for (size_t i = 0; i < bytes && equal; i++) equal = present[i] == wanted[i];
    if (equal)
        __heddle_copy(cell, desired, bytes);
    else
        __heddle_copy(expected, cell, bytes);
    __heddle_atomic_end();
    return equal;
}

/* --- fixed sizes ---------------------------------------------------------------------------------------- */

#define NAMED(name, size) __asm__(name #size)

#define FETCH(size, name, after, label)                                                                      \
    bytes_##size name##_##size(void *cell, bytes_##size operand, int order) NAMED(label, size);              \
    bytes_##size name##_##size(void *cell, bytes_##size operand, int order) {                                \
        __heddle_atomic_begin();                                                                             \
        note_order(order);                                                                                   \
        bytes_##size before = *(bytes_##size *)cell;                                                         \
        *(bytes_##size *)cell = (bytes_##size)(after);                                                       \
        __heddle_atomic_end();                                                                               \
        return before;                                                                                       \
    }

#define SIZED(size)                                                                                          \
    bytes_##size load_##size(const void *cell, int order) NAMED("__atomic_load_", size);                     \
    bytes_##size load_##size(const void *cell, int order) {                                                  \
        __heddle_atomic_begin();                                                                             \
        note_order(order);                                                                                   \
        bytes_##size value = *(const bytes_##size *)cell;                                                    \
        __heddle_atomic_end();                                                                               \
        return value;                                                                                        \
    }                                                                                                        \
    void store_##size(void *cell, bytes_##size value, int order) NAMED("__atomic_store_", size);             \
    void store_##size(void *cell, bytes_##size value, int order) {                                           \
        __heddle_atomic_begin();                                                                             \
        note_order(order);                                                                                   \
        *(bytes_##size *)cell = value;                                                                       \
        __heddle_atomic_end();                                                                               \
    }                                                                                                        \
    _Bool compare_exchange_##size(void *cell, void *expected, bytes_##size desired, int success,             \
                                  int failure) NAMED("__atomic_compare_exchange_", size);                    \
    _Bool compare_exchange_##size(void *cell, void *expected, bytes_##size desired, int success,             \
                                  int failure) {                                                             \
        __heddle_atomic_begin();                                                                             \
        note_order(success);                                                                                 \
        note_order(failure);                                                                                 \
        bytes_##size before = *(bytes_##size *)cell;                                                         \
        int equal = before == *(bytes_##size *)expected;                                                     \
        if (equal)                                                                                           \
            *(bytes_##size *)cell = desired;                                                                 \
        else                                                                                                 \
            *(bytes_##size *)expected = before;                                                              \
        __heddle_atomic_end();                                                                               \
        return equal;                                                                                        \
    }                                                                                                        \
    FETCH(size, exchange, operand, "__atomic_exchange_")                                                     \
    FETCH(size, fetch_add, before + operand, "__atomic_fetch_add_")                                          \
    FETCH(size, fetch_sub, before - operand, "__atomic_fetch_sub_")                                          \
    FETCH(size, fetch_and, before &operand, "__atomic_fetch_and_")                                           \
    FETCH(size, fetch_or, before | operand, "__atomic_fetch_or_")                                            \
    FETCH(size, fetch_xor, before ^ operand, "__atomic_fetch_xor_")                                          \
    FETCH(size, fetch_nand, ~(before & operand), "__atomic_fetch_nand_")

SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)

enum { MOST_WITHOUT_LOCK = 16 };

_Bool atomic_is_lock_free(size_t bytes, const void *cell) __asm__("__atomic_is_lock_free");

/* Of odd sizes, and of those beyond a word that some processors can do, libatomic decides by the place and by
 * the processor. */
_Bool atomic_is_lock_free(size_t bytes, const void *cell) {
    (void)cell;
    if (bytes <= sizeof(void *) && (bytes & (bytes - 1)) == 0) return 1;
    return bytes <= MOST_WITHOUT_LOCK && __heddle_input_1("atomic without a lock");
}
