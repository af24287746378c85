/* Where the library of Accellera (2.3.4) loses bits or treats like cases unlike, and these types do not. With
 * the library nothing is checked, so that its output is that of a program in which every check holds. */
#include "types.h"

#ifdef WITH_ACCELLERA
#define CHECK(e) (std::cout << #e ": holds\n")
#else
#define CHECK(e) (std::cout << #e << ((e) ? ": holds\n" : ": FAILS\n"))
#endif

static void run_test() {
    /* Exact results where the library keeps the length of the operand. */
    CHECK(-sc_bigint<8>(-128) == 128);
    CHECK(sc_bigint<8>(-128) / sc_bigint<8>(-1) == 128);
    /* ~ inverts the bits of an unsigned number, and not one more. */
    CHECK(~sc_biguint<8>(0) == 255);
    /* The top bit of a uint64 is no sign. */
    CHECK((sc_biguint<70>(0) | ~0ull) == ~0ull);
    CHECK((sc_bigint<70>(-1) & ~0ull) == ~0ull);
    CHECK((sc_biguint<70>(1) ^ ~0ull) == ~0ull - 1);
    /* A negative int64 is extended to all of a longer part select. */
    sc_biguint<128> a;
    a.range(127, 8) = -1ll;
    CHECK(a.range(127, 100) == 0xfffffff);
    CHECK(a.range(7, 0) == 0);
    /* A reversed part select of a number reverses also what it is assigned. */
    sc_biguint<8> b = 0xb0;
    b.range(0, 3) = 7;
    CHECK(b == 0xbe);
    /* A part select assigned a shorter part select is filled with zeros. */
    sc_bv<8> c = "11111111";
    const sc_bv<8> d = "10101010";
    c.range(3, 0) = d.range(1, 0);
    CHECK(c == "11110010");
    /* unsigned long has 64 bits here. */
    CHECK(sc_bv<40>(-1).to_ulong() == 0xfffffffffful);
}
