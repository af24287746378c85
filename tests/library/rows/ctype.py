"""<ctype.h>: every argument that is allowed."""

CLASSES = {
    "isupper": "UPPER", "islower": "LOWER", "isalpha": "ALPHA", "isdigit": "DIGIT", "isxdigit": "HEX", "isspace": "SPACE",
    "isprint": "PRINT", "isgraph": "GRAPH", "isblank": "BLANK", "iscntrl": "CONTROL", "ispunct": "PUNCTUATION", "isalnum": "ALPHANUMERIC",
}


def fill(table):
    row = table.row
    table.include("ctype.h")

    def over_all(name, mutant, zero, low=-1):
        """Arguments are taken by 64; the macro and the function behind it."""

        def write(c):
            first = low + 64 * (c.index % 5)
            last = min(first + 63, 255)
            what = f"{name}(k)" if c.index < 5 else f"({name})(k)"
            if zero:
                c.line(f"unsigned long long bits = 0;\nfor (int k = {first}; k <= {last}; k++) bits |= (unsigned long long)({what} != 0) << (k - ({first}));")
                c.exact("bits")
            else:
                c.line(f"unsigned long long sum = 0;\nfor (int k = {first}; k <= {last}; k++) sum = sum * 31 + {what};")
                c.exact("sum")

        row(name, mutant, cases=10)(write)

    for name, bit in CLASSES.items():
        over_all(name, (bit, "UPPER" if bit != "UPPER" else "LOWER"), True)
    over_all("isascii", ("127", "63"), True)
    over_all("toascii", ("127", "63"), False)
    over_all("tolower", ("'A'", "'B'"), False)
    over_all("toupper", ("'a'", "'b'"), False)

    def table_of(name, element, mutant):
        @row(name, mutant, cases=6)
        def write(c):
            first = -128 + 64 * c.index
            c.line(f"const {element} *t = *{name}();\nunsigned long long sum = 0;\nfor (int k = {first}; k < {first + 64}; k++) sum = sum * 31 + t[k];")
            c.exact("sum")

    table_of("__ctype_b_loc", "unsigned short", ("return &classes_at_zero", "static const unsigned short *const wrong = classes + 1; return &wrong"))
    table_of("__ctype_tolower_loc", "int", ("to_lower_at_zero", "to_upper_at_zero"))
    table_of("__ctype_toupper_loc", "int", ("to_upper_at_zero", "to_lower_at_zero"))
