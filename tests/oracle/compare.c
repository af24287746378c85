#include "compare.h"

static void show_keys(text *out, const uint32_t *keys, size_t count) {
    if (!count) text_add(out, " none");
    for (size_t i = 0; i < count; i++)
        text_format(out, " line %u%s", keys[i] / 2, keys[i] & 1 ? " (implicit)" : "");
}

static bool has_key(const uint32_t *keys, size_t count, uint32_t key) {
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key) return true;
    return false;
}

static bool is_wanted(const configuration *how, uint32_t key) {
    return how->properties & (key & 1 ? PROPERTY_MEMORY : PROPERTY_ASSERT);
}

/* Everything found must be real, conclusive or not. */
static bool found_only_real_ones(const trial *t, const configuration *how, const reference_result *r,
                                 text *why) {
    for (size_t i = 0; i < t->violations.size; i++) {
        if (is_wanted(how, t->violations.data[i]) &&
            has_key(r->violations.data, r->violations.size, t->violations.data[i]))
            continue;
        text_add(why, "violations that cannot be: expected");
        show_keys(why, r->violations.data, r->violations.size);
        text_add(why, ", got");
        show_keys(why, t->violations.data, t->violations.size);
        return false;
    }
    if (t->deadlock && !r->deadlock) text_add(why, "a deadlock that cannot be");
    return !t->deadlock || r->deadlock;
}

static bool found_all(const trial *t, const configuration *how, const reference_result *r, text *why) {
    for (size_t i = 0; i < r->violations.size; i++) {
        uint32_t key = r->violations.data[i];
        if (!is_wanted(how, key) || has_key(t->violations.data, t->violations.size, key)) continue;
        text_add(why, "violations missed: expected");
        show_keys(why, r->violations.data, r->violations.size);
        text_add(why, ", got");
        show_keys(why, t->violations.data, t->violations.size);
        return false;
    }
    bool missed = r->deadlock && how->properties & PROPERTY_DEADLOCK && !t->deadlock;
    if (missed) text_add(why, "deadlock missed");
    return !missed;
}

static bool expects_violation(const configuration *how, const reference_result *r) {
    if (r->deadlock && how->properties & PROPERTY_DEADLOCK) return true;
    for (size_t i = 0; i < r->violations.size; i++)
        if (is_wanted(how, r->violations.data[i])) return true;
    return false;
}

static const char *const limits[] = {"transition limit", "state limit", "solver gave up"};

/* What abstraction cannot know, or a domain cannot say. */
static bool gives_up_rightly(const char *line, block_kind blocks) {
    static const char *const reasons[] = {
        "simulation time depends on inputs", "no predicates were found that exclude a path",
        "an abstract path could not be followed", "an abstract path could not be explained"};
    static const char unconfirmed[] = "a possible violation could not be confirmed by replay";
    if (blocks == BLOCKS_SMALL && !strncmp(line, unconfirmed, sizeof unconfirmed - 1)) return true;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (!strncmp(line, reasons[i], strlen(reasons[i]))) return true;
    return false;
}

static bool reason_is_allowed(const char *line, size_t length, const configuration *how,
                              const reference_result *r) {
    static const char unchecked[] = "path ended at a violation of a property that is not checked";
    if (!strncmp(line, unchecked, sizeof unchecked - 1))
        return r->cut_by_check && !(how->properties & PROPERTY_MEMORY);
    static const char approximated[] = "states were matched approximately";
    if (how->match == MATCH_APPROXIMATE && !strncmp(line, approximated, sizeof approximated - 1)) return true;
    if (how->cegar && gives_up_rightly(line, how->abstraction.blocks)) return true;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (length >= strlen(limits[i]) && !strncmp(line, limits[i], strlen(limits[i]))) return true;
    return false;
}

static bool doubts_are_allowed(const trial *t, const configuration *how, const reference_result *r,
                               text *why) {
    if (how->last_look || strstr(text_cstr(&t->doubts), "interrupted"))
        return true; /* out of time: the solver's answers are incomplete too */
    for (const char *line = text_cstr(&t->doubts); *line;) {
        size_t length = strcspn(line, "\n");
        if (!reason_is_allowed(line, length, how, r)) {
            text_format(why, "an unknown that is not allowed: %.*s", (int)length, line);
            return false;
        }
        line += length + (line[length] != 0);
    }
    return true;
}

static const char *verdict_name(verdict v) {
    return v == VERDICT_SAFE ? "safe" : v == VERDICT_UNSAFE ? "unsafe" : "unknown";
}

static bool verdict_is_right(const trial *t, const configuration *how, const reference_result *r, text *why) {
    bool unsafe = expects_violation(how, r);
    if (t->verdict == VERDICT_UNKNOWN || (t->verdict == VERDICT_UNSAFE) == unsafe) return true;
    text_format(why, "verdict: expected %s, got %s", unsafe ? "unsafe" : "safe", verdict_name(t->verdict));
    return false;
}

static bool observations_are_right(const trial *t, const trial *unreduced, text *why) {
    size_t n = t->observations.size, m = unreduced->observations.size;
    if (n == m && (!n || !memcmp(t->observations.data, unreduced->observations.data, n * sizeof(uint64_t))))
        return true;
    text_format(why, "observations: %zu without reduction, %zu with it, or others", m, n);
    return false;
}

agreement compare_trial(const trial *t, const configuration *how, const expectation *expected, text *why) {
    const reference_result *r = expected->reference;
    if (t->refused) {
        text_format(why, "does not compile: %s", t->refused);
        return DISAGREES;
    }
    if (!found_only_real_ones(t, how, r, why) || !verdict_is_right(t, how, r, why) ||
        !doubts_are_allowed(t, how, r, why))
        return DISAGREES;
    if (t->reduction_errors) {
        text_format(why, "%llu pairs declared independent are not", (unsigned long long)t->reduction_errors);
        return DISAGREES;
    }
    if (t->final_problem.size) {
        text_add(why, text_cstr(&t->final_problem));
        return DISAGREES;
    }
    if (!t->conclusive) return t->verdict == VERDICT_UNKNOWN || how->all ? GAVE_UP : AGREES;
    if (how->all && !found_all(t, how, r, why)) return DISAGREES;
    if (expected->unreduced && !observations_are_right(t, expected->unreduced, why)) return DISAGREES;
    return AGREES;
}
