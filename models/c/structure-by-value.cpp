// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
//
// A structure with padding that is passed and returned by value, in one register: its fields arrive. What lies between
// them is any number (BUG=1), and after another value was stored not the same one (BUG=2).

#include <cassert>

#ifndef BUG
#define BUG 0
#endif

struct Mixed {
    char small;
    int large;
};

static Mixed make(char small, int large) {
    Mixed made;
    made.small = small;
    made.large = large;
    return made;
}

static int sum(Mixed m) { return m.small + m.large; }

int main() {
    Mixed m = make(3, 4);
    assert(sum(m) == 7);
    const unsigned char *between = reinterpret_cast<const unsigned char *>(&m) + 1;
    unsigned char before = *between;
    if (BUG == 1) assert(before == 0);
    m = make(-1, 1 << 30);
    assert(sum(m) == (1 << 30) - 1);
    if (BUG == 2) assert(*between == before);
}
