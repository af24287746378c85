#include "machine/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CHARACTERS = 1 << 16, MOST_DIGITS = 400, MOST_WORDS = 4096, MOST_WIDTH = 1 << 12 };

output output_create(machine *m) {
    return (output){.m = m, .flags = PRINT_DEC, .precision = 6, .fill = ' '};
}

void output_free(output *o) {
    text_free(&o->printed);
}

/* --- reading -------------------------------------------------------------------------------------------- */

static bool number_of(value v, uint64_t *out) {
    if (!v.bits || v.base || !term_is_const(v.bits)) return false;
    *out = v.bits->value;
    return true;
}

static bool number_at(machine *m, const state *s, value base, uint64_t offset, unsigned width,
                      uint64_t *out) {
    uint32_t object = value_object(base);
    if (object == NO_INDEX || !term_is_const(base.bits)) return false;
    return number_of(memory_peek(m, s, object, base.bits->value + offset, width), out);
}

static void read_bytes(machine *m, const state *s, value from, uint64_t most, bool has_end, text *out) {
    uint64_t c;
    for (uint64_t k = 0; k < most && k < MOST_CHARACTERS; k++) {
        bool known = number_at(m, s, from, k, 8, &c);
        if (has_end && (!known || !c)) return;
        text_char(out, known ? (char)c : '?');
    }
}

void output_read_text(machine *m, const state *s, value from, text *out) {
    read_bytes(m, s, from, MOST_CHARACTERS, true, out);
}

/* --- as streams show it --------------------------------------------------------------------------------- */

/* `sign` characters stay in front of what is filled in. */
static void add_padded(output *o, const char *word, size_t length, size_t sign) {
    size_t missing = o->width > length ? o->width - length : 0;
    bool behind = o->flags & PRINT_LEFT, between = o->flags & PRINT_INTERNAL && !behind;
    if (between) text_add_bytes(&o->printed, word, sign);
    for (size_t k = 0; k < missing && !behind; k++) text_char(&o->printed, o->fill);
    text_add_bytes(&o->printed, between ? word + sign : word, between ? length - sign : length);
    for (size_t k = 0; k < missing && behind; k++) text_char(&o->printed, o->fill);
    o->width = 0;
}

static void add_word(output *o, const char *word) {
    add_padded(o, word, strlen(word), 0);
}

static void add_unsigned(output *o, uint64_t n) {
    char digits[32];
    bool upper = o->flags & PRINT_UPPERCASE, based = o->flags & PRINT_SHOWBASE && n;
    if (o->flags & PRINT_HEX)
        snprintf(digits, sizeof digits, upper ? "%s%" PRIX64 : "%s%" PRIx64,
                 based ? (upper ? "0X" : "0x") : "", n);
    else if (o->flags & PRINT_OCT)
        snprintf(digits, sizeof digits, "%s%" PRIo64, based ? "0" : "", n);
    else
        snprintf(digits, sizeof digits, "%s%" PRIu64, o->flags & PRINT_SHOWPOS ? "+" : "", n);
    size_t sign = o->flags & PRINT_HEX && based ? 2 : digits[0] == '+';
    add_padded(o, digits, strlen(digits), sign);
}

static void add_signed(output *o, uint64_t n, uint64_t without_sign) {
    char digits[32];
    if (o->flags & (PRINT_HEX | PRINT_OCT)) {
        add_unsigned(o, without_sign);
        return;
    }
    snprintf(digits, sizeof digits, o->flags & PRINT_SHOWPOS ? "%+" PRId64 : "%" PRId64, (int64_t)n);
    add_padded(o, digits, strlen(digits), digits[0] == '-' || digits[0] == '+');
}

static void add_floating(output *o, uint64_t bits) {
    double v;
    memcpy(&v, &bits, sizeof v);
    char letter = 'g', format[16], digits[MOST_DIGITS];
    if (o->flags & PRINT_FIXED) letter = 'f';
    if (o->flags & PRINT_SCIENTIFIC) letter = 'e';
    if (o->flags & PRINT_UPPERCASE) letter = (char)(letter - 'a' + 'A');
    snprintf(format, sizeof format, "%%%s%s.*%c", o->flags & PRINT_SHOWPOS ? "+" : "",
             o->flags & PRINT_SHOWPOINT ? "#" : "", letter);
    int precision = o->precision < 40 ? (int)o->precision : 40;
    snprintf(digits, sizeof digits, format, precision, v);
    add_padded(o, digits, strlen(digits), digits[0] == '-' || digits[0] == '+');
}

/* --- numbers and vectors of SystemC --------------------------------------------------------------------- */

typedef VEC(uint32_t) words;

static bool read_words(output *o, const state *s, value from, uint64_t count, words *out) {
    uint64_t n;
    for (uint64_t k = 0; k < count && k < MOST_WORDS; k++) {
        if (!number_at(o->m, s, from, 4 * k, 32, &n)) return false;
        vec_push(out, (uint32_t)n);
    }
    return count <= MOST_WORDS;
}

static unsigned bit_of(const words *w, uint64_t k) {
    return k / 32 < w->size ? w->data[k / 32] >> (k % 32) & 1 : 0;
}

static void negate(words *w) {
    uint64_t carry = 1;
    for (size_t k = 0; k < w->size; k++) {
        carry += (uint32_t)~w->data[k];
        w->data[k] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void reverse(text *t, size_t from) {
    for (size_t k = from, l = t->size; k + 1 < l; k++) {
        char c = t->data[k];
        t->data[k] = t->data[--l];
        t->data[l] = c;
    }
}

/* The last digit first. */
static void add_decimal_reversed(words *w, text *out) {
    for (;;) {
        uint64_t left = 0;
        bool zero = true;
        for (size_t k = w->size; k-- > 0;) {
            left = left << 32 | w->data[k];
            w->data[k] = (uint32_t)(left / 10);
            left %= 10;
            zero &= !w->data[k];
        }
        text_char(out, (char)('0' + left));
        if (zero) return;
    }
}

/* In two's complement; numbers without a sign have a 0 in front. */
static void add_digits_reversed(const words *w, uint64_t length, bool has_sign, unsigned bits, text *out) {
    bool negative = has_sign && length && bit_of(w, length - 1);
    for (uint64_t at = 0; at < length + !has_sign; at += bits) {
        unsigned digit = 0;
        for (unsigned k = 0; k < bits; k++) digit |= (at + k < length ? bit_of(w, at + k) : negative) << k;
        text_char(out, "0123456789abcdef"[digit]);
    }
}

static void add_wide(output *o, words *w, uint64_t length, bool has_sign) {
    text shown = {0};
    bool negative = has_sign && length && bit_of(w, length - 1);
    const char *base = "0d";
    if (o->flags & (PRINT_HEX | PRINT_OCT)) {
        base = o->flags & PRINT_HEX ? "0x" : "0o";
        add_digits_reversed(w, length, has_sign, o->flags & PRINT_HEX ? 4 : 3, &shown);
        negative = false;
    } else {
        for (uint64_t k = length; negative && k < 32 * w->size; k++)
            w->data[k / 32] |= UINT32_C(1) << (k % 32);
        if (negative) negate(w);
        add_decimal_reversed(w, &shown);
    }
    if (o->flags & PRINT_SHOWBASE) {
        text_char(&shown, base[1]);
        text_char(&shown, base[0]);
    }
    if (negative) text_char(&shown, '-');
    reverse(&shown, 0);
    add_word(o, text_cstr(&shown));
    text_free(&shown);
}

static void print_wide(output *o, const state *s, const value *given) {
    words w = {0};
    uint64_t count, length, has_sign;
    bool known = number_of(given[1], &count) && number_of(given[2], &length) &&
                 number_of(given[3], &has_sign) && read_words(o, s, given[0], count, &w);
    if (known)
        add_wide(o, &w, length, has_sign);
    else
        add_word(o, "?");
    vec_free(&w);
}

static void print_logic(output *o, const state *s, const value *given) {
    words data = {0}, control = {0};
    uint64_t length, none;
    bool known =
        number_of(given[2], &length) && read_words(o, s, given[0], (length + 31) / 32, &data) &&
        ((number_of(given[1], &none) && !none) || read_words(o, s, given[1], (length + 31) / 32, &control));
    if (!known) {
        add_word(o, "?");
    } else if (o->flags & (PRINT_HEX | PRINT_OCT)) {
        add_wide(o, &data, length, false);
    } else {
        text shown = {0};
        for (uint64_t k = length; k-- > 0;)
            text_char(&shown, "01ZX"[bit_of(&data, k) | bit_of(&control, k) << 1]);
        add_word(o, text_cstr(&shown));
        text_free(&shown);
    }
    vec_free(&data);
    vec_free(&control);
}

static void print_time(output *o, const value *given) {
    static const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
    char shown[32];
    uint64_t n, unit;
    int k = 0;
    if (!number_of(given[0], &n) || !number_of(given[1], &unit)) {
        add_word(o, "?");
        return;
    }
    if (!n) {
        add_word(o, "0 s");
        return;
    }
    for (; unit >= 1000; unit /= 1000) k++;
    for (n *= unit; n % 1000 == 0 && k < 5; n /= 1000) k++;
    snprintf(shown, sizeof shown, "%" PRIu64 " %s", n, units[k]);
    add_word(o, shown);
}

/* --- formats -------------------------------------------------------------------------------------------- */

typedef struct formatting {
    output *o;
    const state *s;
    const value *given;
    uint32_t count, next;
    value list; /* slots of 8 bytes in memory instead; bits NULL: no */
} formatting;

static value next_value(formatting *f, unsigned width) {
    uint32_t k = f->next++, object = value_object(f->list);
    if (!f->list.bits) return k < f->count ? f->given[k] : (value){NULL, 0};
    if (object == NO_INDEX || !term_is_const(f->list.bits)) return (value){NULL, 0};
    return memory_peek(f->o->m, f->s, object, f->list.bits->value + 8 * (uint64_t)k, width);
}

static bool next_number(formatting *f, unsigned width, uint64_t *out) {
    return number_of(next_value(f, width), out);
}

/* A width or precision. */
static void copy_number(formatting *f, const char **at, text *spec) {
    uint64_t n = 0;
    if (**at == '*') {
        (*at)++;
        next_number(f, 32, &n);
        text_format(spec, "%d", (int)n);
    }
    while (**at >= '0' && **at <= '9') text_char(spec, *(*at)++);
}

static void add_conversion(formatting *f, text *spec, char letter, unsigned bits) {
    uint64_t n;
    text *out = &f->o->printed;
    if (letter == 's') {
        text word = {0};
        output_read_text(f->o->m, f->s, next_value(f, 64), &word);
        text_char(spec, 's');
        char *shown = NULL;
        if (asprintf(&shown, text_cstr(spec), text_cstr(&word)) >= 0) text_add(out, shown);
        free(shown);
        text_free(&word);
        return;
    }
    bool is_floating = strchr("fFeEgGaA", letter);
    if (!next_number(f, is_floating || bits == 64 ? 64 : 32, &n)) {
        text_char(out, '?');
        return;
    }
    char shown[MOST_DIGITS + MOST_WIDTH];
    if (is_floating) {
        double v;
        memcpy(&v, &n, sizeof v);
        text_char(spec, letter);
        snprintf(shown, sizeof shown, text_cstr(spec), v);
    } else if (letter == 'c') {
        text_char(spec, letter);
        snprintf(shown, sizeof shown, text_cstr(spec), (int)n);
    } else {
        bool has_sign = letter == 'd' || letter == 'i';
        if (bits < 64)
            n = has_sign ? (uint64_t)((int64_t)(n << (64 - bits)) >> (64 - bits))
                         : n << (64 - bits) >> (64 - bits);
        text_format(spec, "ll%c", letter);
        snprintf(shown, sizeof shown, text_cstr(spec), (unsigned long long)n);
    }
    text_add(out, shown);
}

static unsigned size_of_length(const char **at) {
    unsigned bits = 32;
    for (; **at && strchr("hljztL", **at); (*at)++) bits = **at == 'h' ? bits / 2 : 64;
    return bits;
}

/* Of a va_list: where its arguments lie. */
static value listed_arguments(output *o, const state *s, value list) {
    uint32_t object = value_object(list);
    if (object == NO_INDEX || !term_is_const(list.bits)) return (value){NULL, 0};
    return memory_peek(o->m, s, object, list.bits->value + 8, 64);
}

static void print_formatted(output *o, const state *s, const value *given, uint32_t count, bool listed) {
    text format = {0};
    formatting f = {o, s, given, count, 1, {NULL, 0}};
    if (listed) {
        f.list = listed_arguments(o, s, given[1]);
        f.next = f.count = 0;
    }
    output_read_text(o->m, s, given[0], &format);
    for (const char *at = text_cstr(&format); *at;) {
        if (*at != '%') {
            text_char(&o->printed, *at++);
            continue;
        }
        text spec = {0};
        text_char(&spec, *at++);
        while (*at && strchr("-+ #0'", *at)) text_char(&spec, *at++);
        copy_number(&f, &at, &spec);
        if (*at == '.') {
            text_char(&spec, *at++);
            copy_number(&f, &at, &spec);
        }
        unsigned bits = size_of_length(&at);
        if (*at == '%')
            text_char(&o->printed, '%');
        else if (*at && strchr("diouxXcsfFeEgGaA", *at) && spec.size < 32)
            add_conversion(&f, &spec, *at, bits);
        else
            text_char(&o->printed, '?');
        if (*at) at++;
        text_free(&spec);
    }
    text_free(&format);
}

/* --- all forms ------------------------------------------------------------------------------------------ */

static void change_setting(output *o, uint64_t which, uint64_t n) {
    switch ((print_setting)which) {
    case PRINT_SET_FLAGS: o->flags |= (unsigned)n; break;
    case PRINT_CLEAR_FLAGS: o->flags &= ~(unsigned)n; break;
    case PRINT_WIDTH: o->width = n < MOST_WIDTH ? n : 0; break;
    case PRINT_FILL: o->fill = (char)n; break;
    case PRINT_PRECISION: o->precision = n; break;
    }
}

static void print_number(output *o, print_form form, uint64_t n, uint64_t second) {
    char c = (char)n;
    switch (form) {
    case PRINT_SETTING: change_setting(o, n, second); break;
    case PRINT_CHARACTER: add_padded(o, &c, 1, 0); break;
    case PRINT_BOOL:
        if (o->flags & PRINT_BOOLALPHA)
            add_word(o, n & 1 ? "true" : "false");
        else
            add_unsigned(o, n & 1);
        break;
    case PRINT_SIGNED: add_signed(o, n, second); break;
    case PRINT_FLOATING: add_floating(o, n); break;
    default: add_unsigned(o, n); break;
    }
}

static void print_text(output *o, const state *s, print_form form, const value *given) {
    text word = {0};
    uint64_t most = MOST_CHARACTERS;
    if (form == PRINT_STRING || number_of(given[1], &most))
        read_bytes(o->m, s, given[0], most, form == PRINT_STRING, &word);
    if (form == PRINT_RAW)
        text_add_bytes(&o->printed, text_cstr(&word), word.size);
    else
        add_padded(o, text_cstr(&word), word.size, 0);
    text_free(&word);
}

void output_print(void *data, const state *s, print_form form, const value *given, uint32_t count) {
    static const uint8_t least[PRINT_FORMS] = {
        [PRINT_SETTING] = 2,   [PRINT_RAW] = 2,   [PRINT_WORD] = 2,   [PRINT_STRING] = 1,
        [PRINT_CHARACTER] = 1, [PRINT_BOOL] = 1,  [PRINT_SIGNED] = 2, [PRINT_UNSIGNED] = 1,
        [PRINT_FLOATING] = 1,  [PRINT_WIDE] = 4,  [PRINT_LOGIC] = 3,  [PRINT_TIME] = 2,
        [PRINT_FORMATTED] = 1, [PRINT_LISTED] = 2};
    output *o = data;
    uint64_t n, second = 0;
    if (form >= PRINT_FORMS || count < least[form]) return;
    switch (form) {
    case PRINT_RAW:
    case PRINT_WORD:
    case PRINT_STRING: print_text(o, s, form, given); break;
    case PRINT_WIDE: print_wide(o, s, given); break;
    case PRINT_LOGIC: print_logic(o, s, given); break;
    case PRINT_TIME: print_time(o, given); break;
    case PRINT_HANDED: break;
    case PRINT_FORMATTED:
    case PRINT_LISTED: print_formatted(o, s, given, count, form == PRINT_LISTED); break;
    default:
        if (!number_of(given[0], &n) || (count > 1 && !number_of(given[1], &second)))
            add_word(o, "?");
        else
            print_number(o, form, n, second);
    }
}
