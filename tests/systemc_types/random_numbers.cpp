/* Pseudo-random operations on numbers of many lengths. */
#include "random_values.h"
#include "types.h"

static random_values values(20240611);

template <class T> static T random_number(T, int length) {
    T x;
    x = ("0bus" + values.bits(length)).c_str();
    return x;
}

/* The results are assigned to T, so that nothing depends on the length of an intermediate result. */
template <class T, class A, class B> static void operators(const char *name, const A &a, const B &b) {
    T r[13];
    r[0] = a + b;
    r[1] = a - b;
    r[2] = a * b;
    r[3] = a & b;
    r[4] = a | b;
    r[5] = a ^ b;
    if (b != 0) {
        r[6] = a / b;
        r[7] = a % b;
    }
    std::cout << name << " " << a << " " << b;
    for (int i = 0; i < 8; i++) std::cout << " " << r[i];
    std::cout << " " << (a == b) << (a != b) << (a < b) << (a <= b) << (a > b) << (a >= b) << "\n";
}

template <class T, class V> static void compounds(const char *name, const T &a, const V &b) {
    T x = a;
    std::cout << name << " compound";
    std::cout << " " << (x += b);
    std::cout << " " << (x -= b, x);
    std::cout << " " << (x *= b, x);
    x = a;
    x &= b;
    std::cout << " " << x;
    x |= b;
    std::cout << " " << x;
    x ^= b;
    std::cout << " " << x;
    x = a;
    if (b != 0) {
        x /= b;
        std::cout << " " << x;
        x = a;
        x %= b;
        std::cout << " " << x;
    }
    ++x;
    std::cout << " " << x << " " << x++ << " " << x << " " << x-- << " " << --x << "\n";
}

template <class T> static void shifts(const char *name, const T &a) {
    int n = values.below(a.length() + 40);
    T left, right, x = a, y = a;
    left = a << n;
    right = a >> n;
    x <<= n;
    y >>= n;
    std::cout << name << " shift " << a << " by " << n << " " << left << " " << right << " " << x << " " << y
              << " " << (a << values.below(20)) << " " << (a >> values.below(20)) << "\n";
}

template <class T> static void unary(const char *name, const T &a) {
    T minus, inverse, plus;
    minus = -a;
    inverse = ~a;
    plus = +a;
    std::cout << name << " unary " << minus << " " << inverse << " " << plus << " " << a.and_reduce()
              << a.nand_reduce() << a.or_reduce() << a.nor_reduce() << a.xor_reduce() << a.xnor_reduce()
              << " " << a.to_int() << " " << a.to_uint() << " " << a.to_long() << " " << a.to_ulong() << " "
              << a.to_int64() << " " << a.to_uint64() << " " << a.to_string(SC_BIN) << " "
              << a.to_string(SC_HEX) << " " << a.to_string(SC_OCT) << "\n";
}

template <class T> static void selects(const char *name, T a) {
    const T &constant = a;
    int l = values.below(a.length()), r = values.below(l + 1), i = values.below(a.length());
    std::cout << name << " select " << a << " [" << i << "] " << a[i] << constant[i] << !a[i] << ~a[i] << " ("
              << l << "," << r << ") " << a.range(l, r) << " " << constant(l, r) << " "
              << a.range(l, r).length() << " " << a.range(l, r).to_string(SC_BIN) << " "
              << a(l, r).to_uint64() << " " << a(l, r).and_reduce() << a(l, r).or_reduce()
              << a(l, r).xor_reduce();
    a[i] = values.below(2) == 1;
    std::cout << " " << a;
    a[i] ^= true;
    std::cout << " " << a;
    /* Not negative: the library of Accellera extends the sign to 64 bits only. */
    a.range(l, r) = values.value64() & 0x7fffffffffffffff;
    std::cout << " " << a;
    a(l, r) = unsigned(values.word());
    std::cout << " " << a;
    a.range(l, r) = constant.range(a.length() - 1, 0);
    std::cout << " " << a << "\n";
}

template <int W> static void narrow() {
    for (int i = 0; i < 100; i++) {
        sc_int<W> a = random_number(sc_int<W>(), W), b = random_number(sc_int<W>(), W);
        sc_uint<W> c = random_number(sc_uint<W>(), W), d = random_number(sc_uint<W>(), W);
        int n = values.below(W);
        compounds("int", a, sc_int<W>(W == 64 && b == -1 ? sc_int<W>(3) : b));
        compounds("uint", c, d);
        std::cout << a << " " << c << " " << (a >> n) << " " << (c >> n) << " " << (c << n) << " " << (a == b)
                  << (a < b) << (c < d) << (c != d) << " " << (c + d) << " " << (c * d) << " " << (c & d)
                  << " " << (a & b) << " " << (a | b) << " " << (a ^ b) << " " << ~a << " " << ~c << "\n";
        selects("int", a);
        selects("uint", c);
        sc_int<W> x = a;
        sc_uint<W> y = c;
        x <<= n;
        y <<= n;
        std::cout << a.to_int() << " " << a.to_uint() << " " << a.to_uint64() << " " << c.to_int() << " "
                  << c.to_int64() << " " << c.to_ulong() << " " << a.to_double() << " " << c.to_double()
                  << "\n";
        std::cout << x << " " << y << " " << (x >>= n) << " " << (y >>= n) << " " << a.to_string(SC_HEX)
                  << " " << c.to_string(SC_HEX) << " " << a.xor_reduce() << c.and_reduce() << "\n";
    }
}

template <int V, int W> static void wide() {
    typedef sc_bigint<2 * (V > W ? V : W) + 8> result;
    for (int i = 0; i < 120; i++) {
        sc_bigint<V> a = random_number(sc_bigint<V>(), V);
        sc_bigint<W> b = random_number(sc_bigint<W>(), W);
        sc_biguint<V> c = random_number(sc_biguint<V>(), V);
        sc_biguint<W> d = random_number(sc_biguint<W>(), W);
        /* The least number by -1 is one bit longer, which the library of Accellera loses. */
        if (b == -1) b = 3;
        operators<result>("bigint bigint", a, b);
        operators<result>("bigint biguint", a, d);
        operators<result>("biguint bigint", c, b);
        operators<result>("biguint biguint", c, d);
        int n = int(values.word());
        unsigned u = values.word();
        long long l = values.value64();
        /* The library of Accellera takes the top bit of a uint64 for a sign in &, | and ^. */
        unsigned long long ul = (unsigned long long)values.value64() >> 1;
        if (l == -1) l = 5;
        if (n == -1) n = 5;
        operators<sc_bigint<V + 80>>("bigint int", a, n);
        operators<sc_bigint<V + 80>>("bigint unsigned", a, u);
        operators<sc_bigint<V + 80>>("bigint int64", a, int64(l));
        operators<sc_bigint<V + 80>>("bigint uint64", a, uint64(ul));
        operators<sc_bigint<V + 80>>("biguint int", c, n);
        operators<sc_bigint<V + 80>>("biguint unsigned", c, u);
        operators<sc_bigint<V + 80>>("biguint int64", c, int64(l));
        operators<sc_bigint<V + 80>>("biguint uint64", c, uint64(ul));
        operators<sc_bigint<V + 80>>("int64 biguint", int64(l), c);
        operators<sc_bigint<V + 80>>("uint64 bigint", uint64(ul), b);
        sc_int<40> si = l;
        sc_uint<40> su = ul;
        if (si == -1) si = 7;
        operators<sc_bigint<V + 80>>("bigint sc_int", a, si);
        operators<sc_bigint<V + 80>>("bigint sc_uint", a, su);
        operators<sc_bigint<V + 80>>("biguint sc_int", c, si);
        operators<sc_bigint<V + 80>>("sc_uint biguint", su, c);
        compounds("bigint", a, b);
        compounds("biguint", c, d);
        compounds("bigint", a, d);
        compounds("biguint", c, n);
        shifts("bigint", a);
        shifts("biguint", c);
        unary("bigint", a);
        unary("biguint", c);
        selects("bigint", a);
        selects("biguint", c);
    }
}

static void run_test() {
    narrow<1>();
    narrow<7>();
    narrow<8>();
    narrow<32>();
    narrow<33>();
    narrow<63>();
    narrow<64>();
    wide<1, 1>();
    wide<5, 9>();
    wide<33, 64>();
    wide<128, 96>();
    wide<70, 200>();
}
