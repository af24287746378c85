// expect: unsafe --property race
// expect: unsafe --property race --engine search
// expect: unsafe --property race --engine dpor
// expect: safe --property race -DATOMIC
// expect: unsafe --property race -DLARGE
// expect: unsafe --property race -DLARGE --engine search
//
// An atomic operation inside a function of the C++ library's headers, where its memory order is an argument, or in
// one that compilers call for structures of odd sizes, and a plain access to the same variable: only one of the two
// is atomic.

#include <atomic>
#include <cassert>
#include <thread>

#ifdef LARGE
struct triple {
    char first, second, third;
};
static std::atomic<triple> value;

static void add() {
    value.store({1, 2, 3});
}
#else
static std::atomic<int> value;

static void add_as(std::memory_order order) {
    value.fetch_add(1, order);
}

static void add() {
    add_as(std::memory_order_seq_cst);
}
#endif

int main() {
    std::thread other(add);
#ifdef ATOMIC
    add();
#else
    *(volatile char *)&value = 2;
#endif
    other.join();
}
