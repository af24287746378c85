// expect: safe
// expect: safe --engine search --por none --order bfs
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2 --engine search
// expect: unsafe -DBUG=3 --engine search
// expect: unsafe -DBUG=2 --engine search --match ceq
// expect: unsafe -DBUG=2 --engine search --visited compact
// expect: unsafe -DBUG=4 --engine search --no-path-gc
//
// Three objects lie in memory in some order, which nobody knows, but it is an order and stays the same. Two
// states whose objects are exchanged are the same only if the order of the objects is exchanged as well. With
// BUG=1 the first one made is expected to lie first; with BUG=2, 3 and 4 what was found out about the
// order is expected to hold for the exchanged objects.

#include <cassert>
#include <symcpp.h>

#ifndef BUG
#define BUG 0
#endif

int *left, *middle, *right;
bool isLess;
int turn;

class Other : public Thread {
    void Run() override {
        turn = 1;
        turn = 2;
    }
} other;

static void make() {
    int *first = new int(0), *second = new int(0);
    isLess = first < second;
    if (BUG == 4 && !isLess) return;
    bool exchanged = BUG > 1 && symcpp_choose(0, 1);
    left = exchanged ? second : first;
    right = exchanged ? first : second;
    middle = new int(0);
}

int main() {
    make();
    other.Start();
    turn = 3;
    if (!left) return 0;
    assert(left < right || right < left);
    assert(!(left < middle && middle < right && right < left));
    assert(!(left > middle && middle > right && right > left));
    if (BUG == 1) assert(left < right);
    if (BUG == 3)
        assert(isLess != (left < right));
    else if (BUG == 4)
        assert(right < left);
    else
        assert(isLess == (left < right));
}
