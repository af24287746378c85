/* Pseudo-random operations on sc_bv and sc_lv of many lengths. */
#include "random_values.h"
#include "types.h"

static random_values values(777);

template <class A, class B> static void operators(const char *name, const A &a, const B &b) {
    std::cout << name << " " << a << " " << b << " " << (a & b) << " " << (a | b) << " " << (a ^ b) << " "
              << (b & a) << " " << (a == b) << (a != b) << (b == a) << "\n";
}

template <class A, class B> static void assignments(const char *name, const A &a, const B &b) {
    A x = a;
    x = b;
    std::cout << name << " assign " << x;
    x = a;
    x &= b;
    std::cout << " " << x;
    x = a;
    x |= b;
    std::cout << " " << x;
    x = a;
    x ^= b;
    std::cout << " " << x << "\n";
}

template <class A> static void alone(const char *name, const A &a) {
    int length = a.length(), n = values.below(length + 20);
    A x = a;
    std::cout << name << " " << a << " ~ " << ~a << " " << a.and_reduce() << a.nand_reduce() << a.or_reduce()
              << a.nor_reduce() << a.xor_reduce() << a.xnor_reduce() << " by " << n << " " << (a << n) << " "
              << (a >> n);
    x <<= n;
    std::cout << " " << x;
    x = a;
    x >>= n;
    std::cout << " " << x;
    x = a;
    std::cout << " " << x.lrotate(n) << " " << x.rrotate(values.below(length)) << " " << x.reverse() << " "
              << x.b_not() << " " << lrotate(a, n) << " " << rrotate(a, n) << " " << reverse(a) << "\n";
    /* to_ulong is left out: that of the library of Accellera has 32 bits. */
    std::cout << a.to_int() << " " << a.to_uint() << " " << a.to_long() << " " << a.to_int64() << " "
              << a.to_uint64() << "\n";
}

template <class A, class B> static void selects(const char *name, A a, const B &b) {
    const A constant = a;
    int length = a.length();
    int i = values.below(length), j = values.below(length), k = values.below(length);
    std::cout << name << " select " << a << " [" << i << "] " << a[i] << constant[i] << ~a[i]
              << a[i].to_char() << " (" << j << "," << k << ") " << a.range(j, k) << " " << constant(j, k)
              << " " << a(j, k).length() << " " << ~a(j, k) << " " << (a(j, k) & constant(k, j)) << " "
              << a.range(j, k).or_reduce();
    a[i] = b[0];
    std::cout << " " << a;
    a[i] ^= SC_LOGIC_1;
    std::cout << " " << a;
    a.range(j, k) = b;
    std::cout << " " << a;
    a(k, j) = constant.range(j, k);
    std::cout << " " << a;
    a.range(j, k) = 5;
    std::cout << " " << a;
    a.range(j, k) = -2;
    std::cout << " " << a;
    a.range(j, k) |= 9;
    std::cout << " " << a << "\n";
}

template <int V, int W> static void vectors() {
    for (int i = 0; i < 80; i++) {
        sc_bv<V> a(values.bits(V, "01").c_str());
        sc_bv<W> b(values.bits(W, "10").c_str());
        sc_lv<V> c(("1" + values.bits(V - 1, "10XZ")).c_str());
        sc_lv<W> d(("Z" + values.bits(W - 1, "01ZX")).c_str());
        if (V > 1) c[V - 1] = d[0];
        operators("bv bv", a, b);
        operators("bv lv", a, d);
        operators("lv bv", c, b);
        operators("lv lv", c, d);
        operators("lv lv", c, c);
        int n = int(values.word());
        unsigned u = values.word();
        long long l = values.value64();
        sc_biguint<W> big;
        big = b;
        sc_bigint<W> sbig;
        sbig = b;
        sc_int<40> si = l;
        sc_uint<40> su = l;
        operators("bv int", a, n - 12345);
        operators("lv int", c, n);
        operators("bv unsigned", a, u);
        operators("lv int64", c, int64(l));
        operators("bv uint64", a, uint64(l));
        operators("bv sc_int", a, si);
        operators("lv sc_uint", c, su);
        operators("bv biguint", a, big);
        operators("lv bigint", c, sbig);
        operators("lv text", c, values.bits(W, "01").c_str());
        assignments("bv bv", a, b);
        assignments("lv bv", c, b);
        assignments("lv lv", c, d);
        assignments("lv int", c, n);
        assignments("bv int64", a, int64(l));
        assignments("lv bigint", c, sbig);
        assignments("bv sc_int", a, si);
        assignments("bv text", a, values.bits(W, "01").c_str());
        alone("bv", a);
        alone("lv", c);
        selects("bv", a, b);
        selects("lv", c, d);
        sc_lv<V + W> joined;
        joined = (c, d);
        sc_bv<V + W> whole;
        whole = (a, b);
        std::cout << "concat " << joined << " " << whole << " " << (c, d) << " " << concat(a, b) << " "
                  << (a, c, b) << " " << (a, c).length() << " " << (a, b).range(V + W - 1, W / 2) << " "
                  << (c[0], a) << " " << (a, SC_LOGIC_Z) << " " << ("10X", d) << "\n";
        (c, d) = whole;
        (b, a) = whole;
        std::cout << "parts " << c << " " << d << " " << b << " " << a << "\n";
        (c.range(V - 1, V / 2), d[W / 2]) = joined;
        std::cout << "parts " << c << " " << d << "\n";
    }
}

static void run_test() {
    vectors<1, 1>();
    vectors<4, 9>();
    vectors<32, 31>();
    vectors<33, 70>();
    vectors<128, 64>();
}
