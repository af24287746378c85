"""<stdlib.h>: memory, numbers, sorting."""


def fill(table):
    row = table.row
    table.include("stdlib.h", "string.h", "malloc.h", "stdint.h")

    # --- memory -----------------------------------------------------------------------------------------------------

    def use(c, size):
        """All of it can be written and read."""
        if size > 0:
            c.line(f"memset(p, {c.number(0, 255)}, {size});\np[{size - 1}] = 7;")
            c.exact(f"p[0] + p[{size // 2}] * 256 + p[{size - 1}] * 65536")

    def allocates(name, call, mutant, prelude=""):
        def write(c):
            size = c.number(1, 40)
            c.line(f"unsigned char *p = {call(c, size)};")
            c.exact("p != 0")
            c.exact_errno()
            c.line("if (!p) return;")
            use(c, size)
            c.line("free(p);")

        row(name, mutant, prelude)(write)

    allocates("malloc", lambda c, size: f"malloc({size})", ("alloc(bytes,", "alloc(bytes / 2,"))
    allocates("free", lambda c, size: f"malloc({size})", ("free(p)", "free((char *)p + 1)"))
    allocates("memalign", lambda c, size: f"memalign({1 << c.number(0, 6)}, {size})", ("alignment, bytes", "alignment, bytes / 2"))
    allocates("aligned_alloc", lambda c, size: f"aligned_alloc({1 << c.number(0, 6)}, {size})", ("alloc(bytes,", "alloc(bytes / 2,"))
    table.leave_out("glibc has no such function any more", "cfree")

    def product(c):
        """Two factors, and whether they are too large for memory."""
        if c.index % 3 == 2:
            return c.pick(("SIZE_MAX / 2 + 1", "2"), ("SIZE_MAX", "3"), ("(size_t)1 << 40", "(size_t)1 << 40")), True
        return (str(c.number(1, 5)), str(c.number(1, 5))), False

    @row("calloc", ("total, 1", "total, 0"))
    def calloc(c):
        (count, size), too_large = product(c)
        c.line(f"volatile size_t count = {count}, size = {size};\nunsigned char *p = calloc(count, size);")
        c.exact("p != 0")
        c.exact_errno()
        if not too_large:
            c.line("if (!p) return;")
            c.exact_bytes("p", int(count) * int(size))
            c.line("free(p);")

    @row("realloc", ("old < bytes ? old : bytes", "1"))
    def realloc(c):
        old, new = c.number(2, 12), c.number(2, 12)
        c.line(f"unsigned char *p = {c.pick('0', 'malloc(%d)' % old)};\nint was = p != 0;\nif (p) memset(p, 5, {old});")
        c.line(f"p = realloc(p, {new});")
        c.exact("p != 0")
        c.line("if (!p) return;")
        c.exact(f"was ? p[0] + 256 * p[{min(old, new) - 1}] : 0")
        c.line("p = realloc(p, 0);")
        c.exact("p != 0")
        c.exact_errno()

    @row("reallocarray", ("realloc(p, total)", "realloc(p, total / 2)"))
    def reallocarray(c):
        (count, size), too_large = product(c)
        c.line(f"volatile size_t count = {count}, size = {size};\nunsigned char *old = malloc(3), *p;\nmemset(old, 9, 3);\np = reallocarray(old, count, size);")
        c.exact("p != 0")
        c.exact_errno()
        if too_large:
            c.exact("old[2]")
            c.line("free(old);")
        else:
            use(c, int(count) * int(size))
            c.line("free(p);")

    # --- numbers ------------------------------------------------------------------------------------------------------

    ALIASES = """
int called_abs(int) __asm__("abs");
long called_labs(long) __asm__("labs");
long long called_llabs(long long) __asm__("llabs");
"""

    def absolute(name, bits):
        def write(c):
            number = c.integer(bits)
            if "- 1" in number:
                number = "(-1)"
            c.line(f"volatile {'int' if bits == 32 else 'long long'} n = {number};")
            c.exact(f"{name if c.index % 2 else 'called_' + name}(n)")

        row(name, ("n < 0", "n > 0"), ALIASES)(write)

    absolute("abs", 32)
    absolute("labs", 64)
    absolute("llabs", 64)

    # --- numbers that nobody knows ----------------------------------------------------------------------------------

    def random_number(name, mutant, draw, sow):
        def write(c):
            first, second = c.number(0, 2), c.number(0, 2)
            c.line(f"{sow}({first});\nlong a = {draw}, b = {draw};\n{sow}({second});\nlong x = {draw}, y = {draw};")
            c.possible("a")
            c.possible("y")
            c.promise("0 <= a && a <= 2147483647")
            if max(first, 1) == max(second, 1):
                c.promise("a == x && b == y")

        row(name, mutant, cases=8)(write)

    random_number("rand", ("int number = next_number()", "int number = next_number() & 0xffff"), "rand()", "srand")
    random_number("srand", ("begin_sequence(seed)", "begin_sequence(seed ^ (unsigned)(has_seed = !has_seed))"), "rand()", "srand")
    random_number("random", ("rand()", "-rand()"), "random()", "srandom")
    random_number("srandom", ("srand(seed)", "srand(seed ? seed + rand() % 2 : seed)"), "random()", "srandom")

    @row("rand_r", ("*seed =", "now.seed ="), cases=3)
    def rand_r(c):
        first = c.number(0, 9)
        c.line(f"unsigned seed = {first}, again = {first};\nint r = rand_r(&seed), s = rand_r(&again);")
        c.possible("r")
        c.possible("seed")
        c.possible("rand_r(&again)")
        c.promise("r >= 0 && r == s")

    @row("srand48", ("0x330e", "0x330f"))
    def srand48(c):
        c.line(f"srand48({c.integer()});")
        c.exact("lrand48()")
        c.exact("lrand48()")

    @row("lrand48", (">> 17", ">> 16"))
    def lrand48(c):
        c.line(f"srand48({c.integer()});")
        for _ in range(3):
            c.exact("lrand48()")

    @row("drand48", ("0x1p-48", "0x1p-47"))
    def drand48(c):
        c.line(f"srand48({c.integer()});\ndouble d = drand48();\nlong long bits;\nmemcpy(&bits, &d, 8);")
        c.exact("bits")

    @row("posix_memalign", ("return EINVAL", "return 0"), cases=12)
    def posix_memalign(c):
        c.line(f"void *p = 0;\nint r = posix_memalign(&p, {c.pick(0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 64)}, {c.number(1, 9)});")
        c.exact("r")
        c.exact("p != 0")
        c.exact_errno()
        c.line("free(p);")

    @row("malloc_usable_size", ("unsigned more = spare[k]", "unsigned more = spare[k] + __heddle_input_1(\"more\")"), cases=4)
    def malloc_usable_size(c):
        size = c.number(0, 60)
        c.line(f"void *p = malloc({size}), *q = malloc(9);\nsize_t n = malloc_usable_size(p);")
        c.possible("n")
        c.promise(f"n >= {size}")
        c.possible("malloc_usable_size(q)")
        c.exact("n - malloc_usable_size(p)")
        c.line("free(q);")
        c.exact("malloc_usable_size(0)")
        c.line("free(p);")

    # --- sorting --------------------------------------------------------------------------------------------------------

    ORDER = """
static int by_value(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int by_byte(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
"""

    @row("qsort", ("> 0) place--", "< 0) place--"), ORDER, cases=12)
    def qsort(c):
        if c.index % 2:
            pairs = [(c.number(0, 1), k) for k in range(c.number(0, 5))]
            c.line(f"struct pair {{ unsigned char key; {c.pick('char', 'int', 'long', 'short')} value; }} a[6] = {{{', '.join('{%d, %d}' % p for p in pairs) or '{0, 0}'}}};")
            c.line(f"qsort(a, {len(pairs)}, sizeof *a, by_byte);")
            for k, key in enumerate(sorted(key for key, _ in pairs)):
                c.exact(f"a[{k}].key")
                c.possible(f"a[{k}].value")
                c.promise(" || ".join(f"a[{k}].value == {value}" for own, value in pairs if own == key))
            c.promise(" + ".join(["0"] + [f"(1 << a[{k}].value)" for k in range(len(pairs))]) + f" == {(1 << len(pairs)) - 1}")
            return
        numbers = [c.number(-3, 3) for _ in range(c.number(0, 7))]
        c.line(f"int a[8] = {{{', '.join(map(str, numbers)) or '0'}}};\nqsort(a, {len(numbers)}, sizeof *a, by_value);")
        for k in range(len(numbers)):
            c.exact(f"a[{k}]")

    @row("bsearch", ("equal == 0", "equal == 1"), ORDER, cases=12)
    def bsearch(c):
        if c.index % 2:
            numbers = sorted(c.number(0, 3) for _ in range(6))
            key = c.number(0, 3)
            c.line(f"unsigned char a[6] = {{{', '.join(map(str, numbers))}}}, key = {key}, *p = bsearch(&key, a, 6, 1, by_byte);")
            c.exact("p != 0")
            c.possible("p ? p - a : -1")
            if key in numbers:
                c.promise("a[p - a] == key")
            return
        numbers = sorted(set(c.number(-9, 9) for _ in range(c.number(0, 7))))
        c.line(f"int a[8] = {{{', '.join(map(str, numbers)) or '0'}}}, key = {c.number(-9, 9)};")
        c.line(f"int *p = bsearch(&key, a, {len(numbers)}, sizeof *a, by_value);")
        c.exact("p ? p - a : -1")

    @row("getenv", ("return NULL", "return (char *)name"))
    def getenv(c):
        c.string("name", c.text(low=1))
        c.exact("getenv(name) != 0")
