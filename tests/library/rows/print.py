"""Functions that print. The front end knows them by name: a mutant is a definition of the program's."""


def fill(table):
    row = table.row
    table.include("stdio.h", "stdarg.h", "string.h")

    def argument(c):
        return c.pick(("%d", str(c.number(0, 99))), ("%s", '"text"'), ("%5s", "word"), ("%.2s", "word"), ("%c", "'a'"), ("%%", None), ("%ld", "7L"), ("%g", "0.5"), ("%p", "(void *)0"))

    def formatted(name, call, own, prelude="", listed=False):
        def write(c):
            chosen = [argument(c) for _ in range(c.number(0, 3))]
            format = "x".join(text for text, _ in chosen)
            given = "".join(", " + value for _, value in chosen if value)
            c.line('char word[] = "abc";')
            c.line(f'char format[] = "{format}";')
            c.line(f"int r = {call % ((c.pick('format', chr(34) + format + chr(34))) + given)};")
            c.possible("r")
            c.line("int count = -1;")
            if not listed and c.index % 2:
                c.line(f'char counting[] = "{"y" * c.number(0, 5)}%s%n";\n{call % "counting, word, &count"};')
                c.exact("count")

        row(name, own=own, prelude=prelude)(write)

    TELL = "static int tell_%s(const char *format, ...) { va_list list; va_start(list, format); int r = %s; va_end(list); return r; }\n"
    formatted("printf", "printf(%s)", "int printf(const char *format, ...) { return -5; }")
    formatted("fprintf", "fprintf(stdout, %s)", "int fprintf(void *stream, const char *format, ...) { return -5; }")
    formatted("dprintf", "dprintf(1, %s)", "int dprintf(int file, const char *format, ...) { return -5; }")
    formatted("vprintf", "tell_vprintf(%s)", "int vprintf(const char *format, void *list) { return -5; }", TELL % ("vprintf", "vprintf(format, list)"), True)
    formatted("vfprintf", "tell_vfprintf(%s)", "int vfprintf(void *stream, const char *format, void *list) { return -5; }", TELL % ("vfprintf", "vfprintf(stdout, format, list)"), True)
    CHECKED = "int __printf_chk(int, const char *, ...), __fprintf_chk(FILE *, int, const char *, ...), __vprintf_chk(int, const char *, va_list), __vfprintf_chk(FILE *, int, const char *, va_list);\n"
    formatted("__printf_chk", "__printf_chk(0, %s)", "int __printf_chk(int flag, const char *format, ...) { return -5; }", CHECKED)
    formatted("__fprintf_chk", "__fprintf_chk(stdout, 0, %s)", "int __fprintf_chk(void *stream, int flag, const char *format, ...) { return -5; }", CHECKED)
    formatted("__vprintf_chk", "tell_vprintf_chk(%s)", "int __vprintf_chk(int flag, const char *format, void *list) { return -5; }", CHECKED + TELL % ("vprintf_chk", "__vprintf_chk(0, format, list)"), True)
    formatted("__vfprintf_chk", "tell_vfprintf_chk(%s)", "int __vfprintf_chk(void *stream, int flag, const char *format, void *list) { return -5; }", CHECKED + TELL % ("vfprintf_chk", "__vfprintf_chk(stdout, 0, format, list)"), True)

    def character(name, call):
        def write(c):
            c.line(f"volatile int c = {c.pick(0, 65, 255, 256, -1, 1000)};\nint r = {call};")
            c.possible("r")
            c.promise("r == EOF || r == (unsigned char)c")

        parameters = "int c" if call.count(",") == 0 else "int c, void *stream"
        row(name, own=f"int {name}({parameters}) {{ return c + 1; }}")(write)

    for name in ("putchar", "putchar_unlocked"):
        character(name, f"({name})(c)")
    for name in ("putc", "fputc", "putc_unlocked"):
        character(name, f"({name})(c, stdout)")
    table.leave_out("what putc was called in old versions of glibc; known as putc", "_IO_putc")

    def text(name, call, parameters):
        def write(c):
            c.string("a", c.text())
            c.line(f"int r = {call};")
            c.possible("r")
            c.promise("r >= -1")

        row(name, own=f"int {name}({parameters}) {{ return -2; }}")(write)

    text("puts", "puts(a)", "const char *s")
    text("fputs", "fputs(a, stdout)", "const char *s, void *stream")
    text("fputs_unlocked", "fputs_unlocked(a, stdout)", "const char *s, void *stream")
    table.leave_out("no function of glibc; known as puts", "puts_unlocked")

    @row("fflush", own="int fflush(void *stream) { return 1; }")
    def fflush(c):
        c.line(f"int r = fflush({c.pick('stdout', '0')});")
        c.possible("r")
        c.promise("r == 0 || r == EOF")

    @row("fwrite", own="unsigned long fwrite(const void *p, unsigned long bytes, unsigned long count, void *stream) { return count + 1; }")
    def fwrite(c):
        bytes, count = c.number(0, 3), c.number(0, 3)
        c.line(f"char a[9] = {{0}};\nsize_t r = fwrite(a, {bytes}, {count}, stdout);")
        c.possible("r")
        c.promise(f"r <= {count if bytes else 0}")

    table.leave_out("give nothing, and say what they read to people: models/c/print-race.c", "perror", "psignal", "syslog", "printk")
    table.leave_out("change how a stream is buffered, which nobody here sees; setvbuf may fail", "setbuf", "setvbuf", "setlinebuf")
    table.leave_out("called by what the front end makes of functions that print; their rows look at it", "__model_read_string", "__model_read_bytes", "__model_print", "__model_print_list", "__model_put_character", "__model_put_string", "__model_flush", "__model_put_items")
