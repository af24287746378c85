"""Text to integers."""


def fill(table):
    row = table.row
    table.include("stdlib.h", "limits.h")

    def numeral(c):
        digits = c.pick(
            lambda: str(c.number(0, 999)),
            lambda: "0" + str(c.number(0, 99)),
            lambda: "0x" + c.text("09afAFgz", 0, 4),
            lambda: c.pick("9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "2147483648"),
            lambda: c.text("0129azAZ", 0, 5),
            lambda: str(c.number(0, 10**30)),
        )()
        return c.text(" \t\n", 0, 2) + c.pick("", "", "+", "-", "-") + digits + c.pick("", "", " ", "x")

    def converts(name, mutant):
        def write(c):
            c.string("a", numeral(c))
            c.line(f"char *end = a;\nvolatile int base = {c.pick(0, 0, 2, 8, 10, 10, 16, 36, c.number(2, 36), c.pick(1, 37, -1, -10, 1000))};")
            c.exact(f"{name}(a, &end, base)")
            c.exact("end - a")
            c.exact_errno()
            if c.index % 4 == 0:
                c.exact(f"{name}(a, 0, base)")

        row(name, mutant, cases=30)(write)

    converts("strtol", ("negative ? -value : value", "value"))
    converts("strtoll", ("negative ? -value : value", "value"))
    converts("strtoul", ("negative ? -value : value", "value"))
    converts("strtoull", ("negative ? -value : value", "value"))

    def reads(name, bits):
        def write(c):
            c.string("a", c.text(" \t", 0, 2) + c.pick("", "-", "+") + str(c.number(0, 2 ** (bits - 1) - 1)) + c.pick("", "a", " 1"))
            c.exact(f"{name}(a)")

        row(name, (", 10)", ", 9)"))(write)

    reads("atoi", 32)
    reads("atol", 64)
    reads("atoll", 64)
