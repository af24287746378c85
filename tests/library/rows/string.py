"""<string.h> and <strings.h>."""

LETTERS = "abAB z"


def fill(table):
    row = table.row
    table.include("stdlib.h", "string.h", "strings.h")

    # --- blocks ---------------------------------------------------------------------------------------------------

    # Under their own names clang makes intrinsics of some: both are called.
    ALIASES = """
void *called_memcpy(void *, const void *, size_t) __asm__("memcpy");
void *called_memmove(void *, const void *, size_t) __asm__("memmove");
void *called_memset(void *, int, size_t) __asm__("memset");
void called_bzero(void *, size_t) __asm__("bzero");
void called_bcopy(const void *, void *, size_t) __asm__("bcopy");
void *called_mempcpy(void *, const void *, size_t) __asm__("mempcpy");
int called_memcmp(const void *, const void *, size_t) __asm__("memcmp");
"""

    def own_name(c, name):
        return name if c.index % 2 else "called_" + name

    def block_copy(name, how, mutant, overlaps=False):
        def write(c):
            size = 12
            c.buffer("a", [c.number(0, 255) for _ in range(size)], char="unsigned char")
            if overlaps:
                length = c.number(0, size)
                source, target = c.number(0, size - length), c.number(0, size - length)
                c.line(f"unsigned char *from = a + {source}, *to = a + {target};")
            else:
                length = c.number(0, size)
                source, target = c.number(0, size - length), c.number(0, 16 - length)
                c.buffer("b", [], 16, char="unsigned char")
                c.line(f"unsigned char *from = a + {source}, *to = b + {target};")
                c.line(f"volatile size_t n = {length};")
                how(c, "b")
                c.exact_bytes("b", 16)
                c.exact_bytes("a", size)
                return
            c.line(f"volatile size_t n = {length};")
            how(c, "a")
            c.exact_bytes("a", size)

        row(name, mutant, ALIASES, cases=10)(write)

    def returning(call):
        return lambda c, base: c.exact(f"(unsigned char *){call(c)} - {base}")

    block_copy("memcpy", returning(lambda c: own_name(c, "memcpy") + "(to, from, n)"), ("copy(to, from, bytes)", "copy(to, from, bytes / 2)"))
    block_copy("memmove", returning(lambda c: own_name(c, "memmove") + "(to, from, n)"), ("copy(to, from, bytes)", "copy(to, from, bytes / 2)"), True)
    block_copy("mempcpy", returning(lambda c: own_name(c, "mempcpy") + "(to, from, n)"), ("to + bytes", "to + bytes / 2"))
    block_copy("bcopy", lambda c, base: c.line(own_name(c, "bcopy") + "(from, to, n);"), ("(to, from, bytes)", "(to, from, bytes / 2)"), True)

    @row("memset", ("byte, bytes", "byte, bytes / 2"), ALIASES)
    def memset(c):
        start = c.number(0, 9)
        c.buffer("a", [], 9)
        c.line(f"volatile int byte = {c.integer()};\nvolatile size_t n = {c.number(0, 9 - start)};")
        c.exact(f"(char *){own_name(c, 'memset')}(a + {start}, byte, n) - a")
        c.exact_bytes("a", 9)

    @row("bzero", ("bytes", "bytes / 2"), ALIASES)
    def bzero(c):
        start = c.number(0, 9)
        c.buffer("a", [], 9)
        c.line(f"volatile size_t n = {c.number(0, 9 - start)};\n{own_name(c, 'bzero')}(a + {start}, n);")
        c.exact_bytes("a", 9)

    def nearly_equal(c, size):
        a = [c.number(0, 255) for _ in range(size)]
        b = list(a)
        for _ in range(c.number(0, 2)):
            b[c.number(0, size - 1)] = c.number(0, 255)
        return a, b

    @row("memcmp", ("x[i] - y[i]", "y[i] - x[i]"), ALIASES, cases=10)
    def memcmp(c):
        a, b = nearly_equal(c, 6)
        length = c.number(0, 6)
        c.buffer("a", a, char="unsigned char")
        c.buffer("b", b, char="unsigned char")
        c.line(f"volatile size_t n = {length};")
        c.line(f"int r = {own_name(c, 'memcmp')}(a, b, n);")
        c.exact("(r > 0) - (r < 0)")
        c.possible("r")

    @row("memchr", ("(unsigned char)byte", "(signed char)byte"), cases=10)
    def memchr(c):
        a = [c.pick(0, 1, 2, 255, 200) for _ in range(7)]
        c.buffer("a", a, char="unsigned char")
        c.line(f"unsigned char *p = memchr(a, {c.pick(0, 1, 2, 255, 200, -1, 456)}, {c.number(0, 7)});")
        c.exact("p ? p - a : -1")

    @row("memrchr", ("x + bytes", "x + bytes / 2"), cases=10)
    def memrchr(c):
        a = [c.pick(0, 1, 2, 255, 200) for _ in range(7)]
        c.buffer("a", a, char="unsigned char")
        c.line(f"unsigned char *p = memrchr(a, {c.pick(0, 1, 2, 255, 200, -1, 456)}, {c.number(0, 7)});")
        c.exact("p ? p - a : -1")

    # --- strings ----------------------------------------------------------------------------------------------------

    @row("strlen", ("return length", "return length + 1"))
    def strlen(c):
        c.string("a", c.text(), 10)
        c.exact("strlen(a)")

    @row("strnlen", ("length < most", "length < most + 1"))
    def strnlen(c):
        c.string("a", c.text(), 10)
        c.exact(f"strnlen(a, {c.number(0, 9)})")

    def copies(name, call, mutant, size=20):
        def write(c):
            c.string("to", c.text(high=5), size)
            c.string("from", c.text())
            c.line(f"volatile size_t n = {c.number(0, 9)};")
            c.exact(f"{call} - to")
            c.exact_bytes("to", size)

        row(name, mutant)(write)

    copies("strcpy", "strcpy(to, from)", ("return to", "return to + 1"))
    copies("stpcpy", "stpcpy(to, from)", ("return to", "return to + 1"))
    copies("strncpy", "strncpy(to, from, n)", ("to[i] = 0", "to[i] = 1"))
    copies("strcat", "strcat(to, from)", ("strlen(to)", "0"))
    copies("strncat", "strncat(to, from, n)", ("length < bytes", "length + 1 < bytes"))

    def similar(c):
        a = c.text(low=1)
        b = a if c.number(0, 2) == 0 else a[: c.number(0, len(a))] + c.text(high=2)
        if c.number(0, 2) == 0:
            b = b.swapcase()
        if c.number(0, 3) == 0:
            b += "\xe9"
        return a, b

    def compares(name, call, mutant):
        def write(c):
            a, b = similar(c)
            c.string("a", a)
            c.string("b", b)
            c.line(f"volatile size_t n = {c.number(0, 7)};\nint r = {call};")
            c.exact("(r > 0) - (r < 0)")
            c.possible("r")

        row(name, mutant, cases=16)(write)

    compares("strcmp", "strcmp(a, b)", ("x - y", "y - x"))
    compares("strncmp", "strncmp(a, b, n)", ("bytes > 0", "bytes > 1"))
    compares("strcasecmp", "strcasecmp(a, b)", ("lower(*b)", "(unsigned char)*b"))
    compares("strncasecmp", "strncasecmp(a, b, n)", ("bytes > 0", "bytes > 1"))

    def finds(name, call, mutant):
        def write(c):
            c.string("a", c.text(alphabet="ab "))
            c.string("b", c.text(alphabet="ab", high=2))
            c.line(f"volatile int byte = {c.pick(97, 98, 32, 0, 353, 113)};\nchar *p = {call};")
            c.exact("p ? p - a : -1")

        row(name, mutant, cases=12)(write)

    finds("strchr", "strchr(a, byte)", ("return (char *)s", "return (char *)s + 1"))
    finds("strrchr", "strrchr(a, byte)", ("if (c == (char)byte) last = s", "if (c == (char)byte && !last) last = s"))
    finds("strpbrk", "strpbrk(a, b)", ("*s ?", "1 ?"))
    finds("strstr", "strstr(a, b)", ("*s; s++", "*s; s += 2"))

    def spans(name, mutant):
        def write(c):
            c.string("a", c.text(alphabet="abc"))
            c.string("b", c.text(alphabet="ab", high=2))
            c.exact(f"{name}(a, b)")

        row(name, mutant, cases=12)(write)

    spans("strspn", ("length = 0", "length = 1"))
    spans("strcspn", ("!is_among", "is_among"))

    @row("strtok_r", ("*end++ = 0", "*end = 0"))
    def strtok_r(c):
        c.string("a", c.text(alphabet="ab,;", high=9), 12)
        c.line('char *rest = 0, *p = strtok_r(a, ",;", &rest);')
        for k in range(4):
            c.exact("p ? p - a : -1")
            c.exact_bytes("a", 12)
            c.line(f'if (p) p = strtok_r(0, "{c.pick(",", ";", ",;", "")}", &rest);')

    @row("strtok", ("return strtok_r(s", "return strtok_r(s ? s + 1 : s"))
    def strtok(c):
        c.string("a", c.text(alphabet="ab,;", low=1, high=9), 12)
        c.line('char *p = strtok(a, ",;");')
        for k in range(3):
            c.exact("p ? p - a : -1")
            c.exact_bytes("a", 12)
            c.line('if (p) p = strtok(0, ",;");')

    @row("strdup", ("strlen(s)", "strlen(s) / 2"))
    def strdup(c):
        text = c.text(low=2)
        c.string("a", text)
        c.line("char *p = strdup(a);\nif (!p) return;")
        c.exact_bytes("p", len(text) + 1)
        c.line("free(p);")

    @row("strndup", ("__heddle_copy(copy, s, length)", "__heddle_copy(copy, s, length / 2)"))
    def strndup(c):
        text = c.text()
        most = c.number(0, 8)
        c.string("a", text)
        c.line(f"char *p = strndup(a, {most});\nif (!p) return;")
        c.exact_bytes("p", min(len(text), most) + 1)
        c.line("free(p);")

    @row("strerror", cases=20, mutant= ("(char *)texts[error]", "(char *)texts[error] + 1"))
    def strerror(c):
        c.line(f"char *p = strerror({c.number(0, 140) if c.number(0, 4) else c.integer()});")
        c.exact("strlen(p)")
        c.line('char text[64] = "";\nstrncpy(text, p, 63);')
        c.exact_bytes("text", 56)
