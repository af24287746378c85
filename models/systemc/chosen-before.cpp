// expect: safe
// expect: unsafe -DLONG
// stimulus: width 3
// stimulus: offset 65535
// stimulus: mode 2
// stimulus: a 4000000001
// stimulus: b 77
//
// Inputs that are chosen before the simulation starts, and what sc_main computes of them: parameters of a module,
// the content of a table, local variables. What was computed before must be what is computed afterwards, with every
// operator. With LONG the counter is allowed to go on for longer than its width says.

#include <cassert>
#include <cstring>
#include <systemc.h>

#include "heddle_stimulus.h"

enum mode_kind { UP, DOWN, HOLD };

struct results {
    unsigned sum, product, quotient, rest, left, right, mixed;
    int signed_quotient, signed_rest, signed_right;
    unsigned long long wide;
    short narrow;
    bool below, signed_below, same;
    unsigned char bytes[4];
};

static results compute(unsigned a, unsigned b) {
    results r;
    int x = static_cast<int>(a), y = static_cast<int>(b & 255u) + 1;
    r.sum = a + b * 3u - 7u;
    r.product = a * (b & 15u);
    r.quotient = a / ((b & 7u) + 1u);
    r.rest = a % ((b & 7u) + 1u);
    r.left = a << (b & 31u);
    r.right = a >> (b & 31u);
    r.mixed = ((a & b) ^ ~b) | (a >> 3);
    r.signed_quotient = (x >> 8) / y;
    r.signed_rest = (x >> 8) % y;
    r.signed_right = x >> (b & 31u);
    r.wide = static_cast<unsigned long long>(a) << 20 | b;
    r.narrow = static_cast<short>(x);
    r.below = a < b;
    r.signed_below = x < static_cast<int>(b);
    r.same = static_cast<unsigned char>(a) == static_cast<unsigned char>(b);
    std::memcpy(r.bytes, &a, sizeof a);
    return r;
}

static void must_be_the_same(const results &p, const results &q) {
    assert(p.sum == q.sum && p.product == q.product && p.left == q.left && p.right == q.right);
    assert(p.quotient == q.quotient && p.rest == q.rest && p.mixed == q.mixed);
    assert(p.signed_quotient == q.signed_quotient && p.signed_rest == q.signed_rest);
    assert(p.signed_right == q.signed_right && p.wide == q.wide && p.narrow == q.narrow);
    assert(p.below == q.below && p.signed_below == q.signed_below && p.same == q.same);
    for (int k = 0; k < 4; k++) assert(p.bytes[k] == q.bytes[k]);
}

SC_MODULE(counter) {
    const unsigned width;
    const short offset;
    const mode_kind mode;
    int count = 0;

    void run() {
        for (unsigned k = 0; k < width; k++) {
            wait(1, SC_NS);
            if (mode == UP) count++;
            if (mode == DOWN) count--;
        }
    }
    SC_HAS_PROCESS(counter);
    counter(sc_module_name name, unsigned how_wide, short from, mode_kind how)
        : sc_module(name), width(how_wide), offset(from), mode(how) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    unsigned width = heddle::input<unsigned>("width") % 4;
    short offset = heddle::input<short>("offset");
    mode_kind mode = static_cast<mode_kind>(heddle::input<unsigned char>("mode") & 3);
    heddle::assume(mode == UP || mode == DOWN || mode == HOLD);
    unsigned a = heddle::input<unsigned>("a"), b = heddle::input<unsigned>("b");
    const results before = compute(a, b);
    int order = a < b ? -1 : a > b ? 1 : 0; // several ways to the start, one design
#ifdef LONG
    counter c("counter", width + 1, offset, mode);
#else
    counter c("counter", width, offset, mode);
#endif
    sc_start();
    std::cout << "count " << c.count << " of " << width << " from " << offset << std::endl;
    std::cout << before.sum << " " << before.signed_rest << " " << before.wide << std::endl;
    assert(c.offset == offset);
    assert(c.count <= static_cast<int>(width) && -c.count <= static_cast<int>(width));
    assert((mode != HOLD || c.count == 0) && (mode != UP || c.count >= 0));
    assert(order == (a > b) - (a < b));
    must_be_the_same(before, compute(a, b));
    return 0;
}
