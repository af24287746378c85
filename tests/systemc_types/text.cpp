/* Literals of numbers and vectors, to_string in every representation, and output to streams. */
#include "types.h"

static const sc_numrep numreps[] = {SC_DEC,    SC_BIN,    SC_OCT,    SC_HEX,    SC_BIN_US, SC_BIN_SM,
                                    SC_OCT_US, SC_OCT_SM, SC_HEX_US, SC_HEX_SM, SC_CSD};

template <class T> static void representations(const char *name, const T &x) {
    std::cout << name << " " << x;
    for (sc_numrep n : numreps) std::cout << " " << x.to_string(n) << " " << x.to_string(n, false);
    std::cout << "\n";
    std::cout << std::hex << x << " " << std::oct << x << " " << std::showbase << x << " " << std::hex << x
              << std::noshowbase << std::dec << " " << x << "\n";
}

template <int W> static void widths() {
    const long long samples[] = {0,  1,   -1,  2,   -2,  3,    5,   10,   -10,
                                 77, -77, 100, 127, 128, -128, 255, 4660, -4660};
    for (long long v : samples) {
        representations("int", sc_int<W>(v));
        representations("uint", sc_uint<W>(v));
        representations("bigint", sc_bigint<W>(v));
        representations("biguint", sc_biguint<W>(v));
        representations("bv", sc_bv<W>(v));
        representations("lv", sc_lv<W>(v));
        sc_uint<W> x = v;
        sc_biguint<W + 1> y = v;
        representations("part", x.range(W - 1, W / 2));
        representations("part", y.range(W, W / 2));
        representations("concat", (x, y));
    }
}

static void literals() {
    const char *const texts[] = {
        "0",     "1",        "12",        "-12",      "+12",      "0b0",       "0b1",
        "0b01",  "0b1011",   "0b01011",   "0bus1011", "0bsm1011", "-0bsm101",  "0o7",
        "0o07",  "0o17",     "0ous7",     "0osm17",   "-0osm17",  "0xf",       "0x0f",
        "0xF0",  "0xABCDEF", "0x0abcdef", "0xus8",    "0xsm8",    "-0xsm8",    "0d19",
        "-0d19", "0csd1",    "0csd10-",   "0csd0-01", "0csd-001", "123456789", "0x7fffffffffffffffff"};
    for (const char *s : texts) {
        std::cout << s << " " << sc_int<12>(s) << " " << sc_uint<12>(s) << " " << sc_bigint<12>(s) << " "
                  << sc_biguint<12>(s) << " " << sc_bigint<90>(s) << " " << sc_biguint<90>(s) << " "
                  << sc_int<40>(s) << "\n";
    }
    const char *const vectors[] = {"0",        "1",    "10",    "0b1011",  "0b01011",  "0bus1011",
                                   "-0bsm101", "0o7",  "0xf",   "0x0f",    "0xABCDEF", "0xus8",
                                   "-0xsm8",   "0d19", "-0d19", "0csd10-", "11111",    "0000000000001111111",
                                   "0b0",      "0b1"};
    for (const char *s : vectors)
        std::cout << s << " " << sc_bv<12>(s) << " " << sc_lv<12>(s) << " " << sc_lv<90>(s) << " "
                  << sc_bv<3>(s) << "\n";
    const char *const fours[] = {"X", "Z", "1X0Z", "zx01",
                                 "ZZZZZZZZZZZZZZZZXXXXXXXXXXXXXXXX1111111100000000"};
    for (const char *s : fours)
        std::cout << s << " " << sc_lv<12>(s) << " " << sc_lv<40>(s) << " " << sc_lv<90>(s) << " "
                  << sc_lv<12>(s).to_string() << "\n";
    std::cout << SC_BIN << " " << SC_HEX << " " << SC_DEC << " " << SC_CSD << "\n";
}

static void run_test() {
    widths<2>();
    widths<5>();
    widths<8>();
    widths<33>();
    widths<64>();
    literals();
}
