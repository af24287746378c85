/* Operands that have their value behind read(), as signals and ports do. */
#include "types.h"

template <class T> struct box {
    T m_value;
    box(const T &v) : m_value(v) {}
    const T &read() const { return m_value; }
    operator const T &() const { return m_value; }
    box &operator=(const T &v) {
        m_value = v;
        return *this;
    }
};

static void run_test() {
    box<sc_uint<8>> a(sc_uint<8>(200));
    box<sc_uint<4>> b(sc_uint<4>(9));
    box<sc_bigint<70>> c(sc_bigint<70>(-4));
    box<sc_biguint<70>> d(sc_biguint<70>(77));
    box<sc_bv<8>> e(sc_bv<8>("1010"));
    box<sc_lv<8>> f(sc_lv<8>("1X"));
    box<int> g(-3);
    box<bool> h(true);
    box<sc_logic> i(SC_LOGIC_Z);
    sc_uint<8> x = a;
    SHOW(x);
    AFTER(x = b, x);
    AFTER(x = g, x);
    AFTER(x = h, x);
    AFTER(x = a.read() + 100, x);
    AFTER(x[0] = h, x);
    sc_uint<8> y(b);
    SHOW(y);
    sc_bigint<70> z = c;
    SHOW(z);
    AFTER(z = d, z);
    SHOW(c + 1);
    SHOW(c * d);
    SHOW(d - c);
    SHOW(c < d);
    SHOW(c == -4);
    SHOW((d << 3));
    SHOW(concat(a, b));
    SHOW((a.read(), b.read()));
    sc_bv<8> v = e;
    SHOW(v);
    sc_lv<8> w = f;
    SHOW(w);
    AFTER(w = e.read(), w);
    AFTER(x = e.read(), x);
    SHOW(i == 'Z');
    SHOW((i & SC_LOGIC_0));
    AFTER(a = x.range(7, 4), a.read());
    AFTER(a = b.read(), a.read());
    AFTER(e = v.range(3, 0), e.read());
    AFTER(g = x.range(3, 1), g.read());
    AFTER(h = x[3], h.read());
    AFTER(c = z + 1, c.read());
    AFTER(i = w[1], i.read());
}
