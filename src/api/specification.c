#include "api/specification.h"

#include <ctype.h>
#include <string.h>

#define KIND(k) (1u << (k))

enum { DEREFERENCES = KIND(CHECK_NULL) | KIND(CHECK_BOUNDS) | KIND(CHECK_FREED) };

/* Formulas without blanks. Memory that is still allocated at the end need not be lost: of valid-memtrack only
 * the absence of such memory says something, so no check violates it. */
static const struct {
    const char *formula;
    unsigned properties, kinds;
} formulas[] = {
    {"G!call(reach_error())", PROPERTY_ASSERT, KIND(CHECK_ASSERTION)},
    {"G!call(__VERIFIER_error())", PROPERTY_ASSERT, KIND(CHECK_ASSERTION)},
    {"Gvalid-deref", PROPERTY_MEMORY, DEREFERENCES},
    {"Gvalid-free", PROPERTY_MEMORY, KIND(CHECK_FREE)},
    {"Gvalid-memtrack", PROPERTY_LEAK, 0},
    {"Gvalid-memcleanup", PROPERTY_LEAK, KIND(CHECK_LEAK)},
    {"G!overflow", PROPERTY_OVERFLOW, KIND(CHECK_OVERFLOW)},
    {"G!data-race", PROPERTY_RACE, KIND(CHECK_RACE)},
    {"G!deadlock", PROPERTY_DEADLOCK, 0},
    {"Gno-deadlock", PROPERTY_DEADLOCK, 0},
};

static void add_formula(const char *formula, position at, diagnostics *d, specification *out) {
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (!strcmp(formula, formulas[i].formula)) {
            out->properties |= formulas[i].properties;
            out->kinds |= formulas[i].kinds;
            out->deadlock |= formulas[i].properties == PROPERTY_DEADLOCK;
            out->only_calls |= formulas[i].properties == PROPERTY_ASSERT;
            return;
        }
    diag_report(d, DIAG_ERROR, at, "the property '%s' cannot be verified", formula);
}

/* Takes `prefix` off the front of *s and `suffix` off its end. */
static bool unwrap(char **s, const char *prefix, const char *suffix) {
    size_t length = strlen(*s), front = strlen(prefix), back = strlen(suffix);
    if (length < front + back || memcmp(*s, prefix, front) || strcmp(*s + length - back, suffix))
        return false;
    (*s)[length - back] = 0;
    *s += front;
    return true;
}

/* "CHECK(init(main()),LTL(G!overflow))" without blanks. */
static void read_check(char *s, position at, diagnostics *d, specification *out) {
    char *comma = strstr(s, "()),");
    if (!comma || strncmp(s, "CHECK(init(", 11)) {
        diag_report(d, DIAG_ERROR, at, "expected 'CHECK( init(FUNCTION()), LTL(FORMULA) )'");
        return;
    }
    char *formula = comma + 4, *entry = s + 11;
    *comma = 0;
    if (!unwrap(&formula, "LTL(", "))")) {
        diag_report(d, DIAG_ERROR, at, "the property '%s' cannot be verified", formula);
        return;
    }
    if (out->entry && strcmp(out->entry, entry))
        diag_report(d, DIAG_ERROR, at, "all properties of a file must begin at the same function");
    if (!out->entry) out->entry = mem_copy_string(entry);
    add_formula(formula, at, d, out);
}

bool specification_parse(const char *source, size_t length, diagnostics *d, specification *out) {
    *out = (specification){0};
    uint32_t number = 0;
    for (const char *s = source, *end = source + length; s < end;) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        if (!stop) stop = end;
        text line = {0};
        for (const char *c = s; c < stop; c++)
            if (!isspace((unsigned char)*c)) text_char(&line, *c ? *c : '?');
        number++;
        if (line.size && strncmp(line.data, "//", 2)) read_check(line.data, (position){number, 1}, d, out);
        text_free(&line);
        s = stop + 1;
    }
    if (!d->errors && !out->properties)
        diag_report(d, DIAG_ERROR, (position){0, 0}, "there is no property in this file");
    if (d->errors) specification_free(out);
    return !d->errors;
}

void specification_free(specification *s) {
    mem_free(s->entry);
    mem_free(s->reach);
    *s = (specification){0};
}

specification specification_of_properties(unsigned properties) {
    if (properties & PROPERTY_MEMORY) properties |= PROPERTY_MISUSE;
    specification s = {.properties = properties,
                       .deadlock = properties & PROPERTY_DEADLOCK,
                       .livelock = properties & PROPERTY_LIVELOCK};
    for (int k = 0; k < CHECK_KINDS; k++)
        if (property_of_check((check_kind)k) & properties) s.kinds |= KIND(k);
    return s;
}

/* The next part of "a || b || c" that stands in no bracket. */
static size_t disjunct_length(const char *s) {
    int depth = 0;
    size_t k = 0;
    for (; s[k] && (depth > 0 || strncmp(s + k, "||", 2)); k++)
        depth += (s[k] == '(' || s[k] == '[') - (s[k] == ')' || s[k] == ']');
    return k;
}

static bool is_word(const char *s, size_t length, const char *word) {
    while (length && isspace((unsigned char)*s)) s++, length--;
    while (length && isspace((unsigned char)s[length - 1])) length--;
    return length == strlen(word) && !memcmp(s, word, length);
}

void specification_reach(specification *s, const char *expression) {
    unsigned asked = s->properties & ~(unsigned)PROPERTY_REACH;
    text rest = {0};
    for (const char *at = expression;;) {
        size_t length = disjunct_length(at);
        if (is_word(at, length, "fail"))
            asked |= PROPERTY_MEMORY;
        else if (is_word(at, length, "deadlock"))
            asked |= PROPERTY_DEADLOCK;
        else
            text_format(&rest, "%s%.*s", rest.size ? "||" : "", (int)length, at);
        if (!at[length]) break;
        at += length + 2;
    }
    specification_free(s);
    *s = specification_of_properties(asked | (rest.size ? (unsigned)PROPERTY_REACH : 0));
    if (rest.size) s->reach = mem_copy_string(text_cstr(&rest));
    text_free(&rest);
}

const char *specification_violated(const specification *s, violation_kind v, check_kind k) {
    if (v == VIOLATION_DEADLOCK) return s->deadlock ? "no-deadlock" : NULL;
    if (v == VIOLATION_LIVELOCK) return s->livelock ? "no-livelock" : NULL;
    if (v == VIOLATION_RACE) k = CHECK_RACE;
    if (!(s->kinds & KIND(k))) return NULL;
    switch (k) {
    case CHECK_ASSERTION: return "unreach-call";
    case CHECK_NULL:
    case CHECK_BOUNDS:
    case CHECK_CONSTANT:
    case CHECK_FREED: return "valid-deref";
    case CHECK_FREE: return "valid-free";
    case CHECK_LEAK: return "valid-memcleanup";
    case CHECK_OVERFLOW: return "no-overflow";
    case CHECK_RACE: return "no-data-race";
    case CHECK_REACH: return "reach";
    case CHECK_MISUSE: return "misuse";
    default: return "def-behavior";
    }
}

void specification_formulas(const specification *s, const char *verdict, text *out) {
    static const struct {
        const char *name, *formula;
        check_kind kind;
    } known[] = {{"unreach-call", "G ! call(reach_error())", CHECK_ASSERTION},
                 {"valid-deref", "G valid-deref", CHECK_NULL},
                 {"valid-free", "G valid-free", CHECK_FREE},
                 {"valid-memcleanup", "G valid-memcleanup", CHECK_LEAK},
                 {"no-overflow", "G ! overflow", CHECK_OVERFLOW},
                 {"no-data-race", "G ! data-race", CHECK_RACE}};
    const char *violated = !strncmp(verdict, "false(", 6) ? verdict + 6 : NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        bool counts = violated ? !strncmp(violated, known[i].name, length) && violated[length] == ')'
                               : (s->kinds & KIND(known[i].kind)) != 0;
        if (counts) text_format(out, "%s%s", out->size ? "\n" : "", known[i].formula);
    }
}
