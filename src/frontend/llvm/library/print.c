/* What functions that print look at (printing.c of the front end), and what they give. Formats that are known
 * when the program is translated are followed there; the others here, when it runs. */
#include "models.h"

CALLERS_ACCESS size_t __model_read_string(const char *s, size_t most) {
    size_t length = 0;
    while (length < most && s[length]) length++;
    return length;
}

CALLERS_ACCESS void __model_read_bytes(const void *from, size_t bytes) {
    const volatile char *p = from;
    for (size_t i = 0; i < bytes; i++) (void)p[i];
}

/* --- formats -------------------------------------------------------------------------------------------- */

enum { SHORTER = 1, LONG = 2, LONGER = 4, OF_SIZE = 8, LONG_DOUBLE = 16 };

struct printing {
    const char *format;
    char *arguments; /* slots of the size of a pointer, as va_arg walks over them */
    size_t printed;  /* so far */
    int is_exact;    /* nothing else was */
};

/* What a conversion says between the per cent sign and its letter. */
struct conversion {
    int has_width;
    size_t most; /* precision */
    int modifiers;
    int shorter; /* how often `h` */
};

CALLERS_ACCESS static void *take(struct printing *p, size_t bytes) {
    char *at = p->arguments;
    (void)*(volatile char *)at; /* it has to be there */
    p->arguments = at + (bytes + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    return at;
}

static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

CALLERS_ACCESS static void read_width(struct printing *p, struct conversion *c) {
    for (char f; (f = *p->format); p->format++) {
        if (f == '*') {
            (void)*(volatile int *)take(p, sizeof(int));
            c->has_width = 1;
        } else if (is_digit(f)) {
            c->has_width |= f != '0';
        } else if (f != '-' && f != '+' && f != ' ' && f != '#' && f != '\'') {
            return;
        }
    }
}

CALLERS_ACCESS static void read_precision(struct printing *p, struct conversion *c) {
    c->most = (size_t)-1;
    if (*p->format != '.') return;
    p->format++;
    if (*p->format == '*') {
        int most = *(int *)take(p, sizeof(int));
        if (most >= 0) c->most = (size_t)most;
        p->format++;
        return;
    }
    for (c->most = 0; is_digit(*p->format); p->format++) c->most = c->most * 10 + (size_t)(*p->format - '0');
}

CALLERS_ACCESS static void read_modifiers(struct printing *p, struct conversion *c) {
    for (;; p->format++) {
        switch (*p->format) {
        case 'h': c->shorter++; break;
        case 'l': c->modifiers |= c->modifiers & LONG ? LONGER : LONG; break;
        case 'q':
        case 'j': c->modifiers |= LONGER; break;
        case 'z':
        case 't': c->modifiers |= OF_SIZE; break;
        case 'L': c->modifiers |= LONG_DOUBLE; break;
        default: return;
        }
    }
}

static size_t integer_bytes(const struct conversion *c) {
    return c->modifiers & LONGER             ? sizeof(long long)
           : c->modifiers & (LONG | OF_SIZE) ? sizeof(long)
                                             : sizeof(int);
}

CALLERS_ACCESS static void write_count(struct printing *p, const struct conversion *c) {
    void *at = *(void **)take(p, sizeof(void *));
    if (!p->is_exact) {
        *(char *)at = 0; /* it is written in any case */
        __heddle_unsupported("%n behind a conversion");
    }
    if (c->shorter > 1)
        *(char *)at = (char)p->printed;
    else if (c->shorter)
        *(short *)at = (short)p->printed;
    else if (integer_bytes(c) == sizeof(int))
        *(int *)at = (int)p->printed;
    else
        *(long long *)at = (long long)p->printed;
}

/* From behind the per cent sign. */
CALLERS_ACCESS static void convert(struct printing *p) {
    struct conversion c = {0};
    read_width(p, &c);
    read_precision(p, &c);
    read_modifiers(p, &c);
    int is_exact = p->is_exact && !c.has_width;
    switch (*p->format++) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        (void)take(p, integer_bytes(&c));
        p->is_exact = 0;
        return;
    case 'c':
        if (c.modifiers) break;
        (void)take(p, sizeof(int));
        p->printed++;
        p->is_exact = is_exact;
        return;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        if (c.modifiers & LONG_DOUBLE) break;
        (void)take(p, sizeof(double));
        p->is_exact = 0;
        return;
    case 'p':
        (void)take(p, sizeof(void *));
        p->is_exact = 0;
        return;
    case 's':
        if (c.modifiers) break;
        p->printed += __model_read_string(*(char **)take(p, sizeof(char *)), c.most);
        p->is_exact = is_exact;
        return;
    case 'n': write_count(p, &c); return;
    case 'm': p->is_exact = 0; return;
    case '%': p->printed++; return;
    default: break;
    }
    __heddle_unsupported("a format with numbered arguments, wide characters or an unknown conversion");
}

CALLERS_ACCESS void __model_print(const char *format, char *arguments) {
    struct printing p = {.format = format, .arguments = arguments, .is_exact = 1};
    for (char c; (c = *p.format); p.printed++) {
        p.format++;
        if (c == '%') {
            convert(&p);
            p.printed--;
        }
    }
}

/* The same with a va_list, as a program for x86 has it: all arguments lie in the area for those that
 * found no register. */
#if __SIZEOF_POINTER__ == 8
struct list {
    unsigned general, floating;
    char *area;
    void *saved;
};

CALLERS_ACCESS void __model_print_list(const char *format, const struct list *list) {
    __model_print(format, list->area);
}
#else
CALLERS_ACCESS void __model_print_list(const char *format, char *area) {
    __model_print(format, area);
}
#endif

/* --- results: any of them may fail ---------------------------------------------------------------------- */

static _Bool fails(void) {
    return __heddle_input_1("output fails");
}

int __model_put_character(int c) {
    return (int)__heddle_select_32(fails(), -1u, (unsigned char)c);
}

int __model_put_string(void) {
    return (int)__heddle_select_32(fails(), -1u, __heddle_input_32("puts") >> 1);
}

int __model_flush(void) {
    return (int)__heddle_select_32(fails(), -1u, 0);
}

size_t __model_put_items(size_t bytes, size_t count) {
    if (bytes == 0 || count == 0) return 0;
    size_t written =
        (size_t)(sizeof(size_t) == 8 ? __heddle_input_64("fwrite") : __heddle_input_32("fwrite"));
    _Bool is_possible = written < count;
    return __heddle_select_word(is_possible, written, count);
}
