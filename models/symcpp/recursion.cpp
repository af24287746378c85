// expect: safe
// expect: unsafe -DBUG=1
// expect: safe -DBUG=2 -DALONE
// expect: unsafe -DBUG=2
//
// Two threads in recursive functions at the same time: each has its own frames, and every call returns to its place.
// One computes factorials, the other asks two functions that call each other whether a number is even; both count the
// calls in a tree that is walked by recursion, and both compute factorials. With BUG=1 a local variable is static,
// which one thread alone shows. With BUG=2 results are handed over in a static variable: that is right as long as the
// second thread leaves factorials ALONE.

#include <cassert>
#include <symcpp.h>

#ifndef BUG
#define BUG 0
#endif

#ifndef DEPTH
#define DEPTH 4
#endif

class Tree {
  public:
    Tree *left, *right;
    explicit Tree(int depth) : left(depth ? new Tree(depth - 1) : nullptr), right(depth ? new Tree(depth - 1) : nullptr) {}
    ~Tree() {
        delete left;
        delete right;
    }
    int size() const { return 1 + (left ? left->size() + right->size() : 0); }
};

static int factorial(int n) {
#if BUG == 1
    static int smaller;
#else
    int smaller;
#endif
    if (n <= 1) return 1;
    smaller = n - 1;
#if BUG == 2
    static int product;
#else
    int product;
#endif
    product = factorial(smaller);
    return product * (smaller + 1);
}

static bool isOdd(int n);
static bool isEven(int n) { return n == 0 || isOdd(n - 1); }
static bool isOdd(int n) { return n != 0 && isEven(n - 1); }

class Factorials : public Thread {
    void Run() override {
        int expected = 1;
        for (int i = 1; i <= DEPTH; i++) {
            expected *= i;
            assert(factorial(i) == expected);
        }
    }
};

class Parities : public Thread {
    void Run() override {
        int n = symcpp_nondet(0, DEPTH);
        assert(isEven(n) == (n % 2 == 0));
        Tree tree(2);
        assert(tree.size() == 7);
#ifndef ALONE
        assert(factorial(3) == 6);
#endif
    }
};

Factorials factorials;
Parities parities;

int main() {
    factorials.Start();
    parities.Start();
}
