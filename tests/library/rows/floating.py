"""<math.h>. The translator knows these functions by name and calls the models."""

import struct


def fill(table):
    row = table.row
    table.include("math.h", "string.h")
    BITS = """
static inline long long bits_of(double d) { long long b; memcpy(&b, &d, 8); return d != d ? 1 : b; }
static inline long long bits_of_f(float f) { int b; memcpy(&b, &f, 4); return f != f ? 1 : b; }
static inline double with_bits(unsigned long long b) { double d; memcpy(&d, &b, 8); return d; }
double sqrt(double), floor(double), ceil(double), trunc(double), round(double), rint(double);
"""

    def operand(c):
        kind = c.number(0, 5)
        if kind == 0:
            return "0x%xULL" % c.pick(0, 1 << 63, 0x7FF << 52, 0xFFF << 52, 0x7FF8 << 48, 1, 0x10000000000000)
        if kind == 1:
            return "0x%xULL" % c.random.getrandbits(64)
        value = c.pick(c.number(-99, 99) / 2, c.number(-10**6, 10**6) / 4, c.random.uniform(-2, 2), c.random.uniform(0, 1e18), 0.49999999999999994, 4503599627370497.5)
        return "0x%xULL" % struct.unpack("<Q", struct.pack("<d", value))[0]

    def function(name, mutant):
        model = "__model_f64_" + name

        def write(c):
            c.line(f"volatile double a = with_bits({operand(c)});")
            c.exact(f"bits_of({name}(a))")
            c.line("volatile float f = a;")
            c.exact(f"bits_of_f({name}f(f))")

        row(model, mutant, BITS, cases=12)(write)

    function("sqrt", ("k < 27", "k < 26"))
    function("floor", ("DOWN", "UP"))
    function("ceil", ("UP", "DOWN"))
    function("trunc", ("TO_ZERO", "UP"))
    function("rint", ("NEAREST_EVEN", "NEAREST_AWAY"))
    function("round", ("NEAREST_AWAY", "NEAREST_EVEN"))
