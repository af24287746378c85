#include "compare.h"

static bool is_wanted(const configuration *how, uint32_t key) {
    return how->properties & (key & 1 ? PROPERTY_MEMORY : PROPERTY_ASSERT);
}

static bool has_key(const uint32_t *keys, size_t count, uint32_t key) {
    for (size_t i = 0; i < count; i++)
        if (keys[i] == key) return true;
    return false;
}

static void name_key(text *out, const char *what, uint32_t key) {
    text_format(out, "%s: %s in line %u", what, key & 1 ? "memory" : "assertion", key / 2);
}

/* Everything found must be real, conclusive or not. */
static bool found_only_real_ones(const trial *t, const configuration *how, const reference *r, text *why) {
    for (size_t i = 0; i < t->violations.size; i++) {
        uint32_t key = t->violations.data[i];
        if (is_wanted(how, key) && has_key(r->violations.data, r->violations.size, key)) continue;
        name_key(why, "found, but cannot happen", key);
        return false;
    }
    if (t->deadlock && !r->deadlock.possible) text_add(why, "a deadlock that cannot happen");
    if (t->livelock && !r->livelock.possible) text_add(why, "a livelock that cannot happen");
    if (t->race && !r->race.possible) text_add(why, "a data race that cannot happen");
    if (t->leak && !r->leak) text_add(why, "a leak that cannot happen");
    if (t->unconfirmed) text_add(why, "an unconfirmed violation");
    return !why->size;
}

static bool hangs(const configuration *how, const reference *r, bool at_all) {
    const finding *d = &r->deadlock, *l = &r->livelock;
    return (how->properties & PROPERTY_DEADLOCK && (at_all ? d->possible : d->certain)) ||
           (how->properties & PROPERTY_LIVELOCK && (at_all ? l->possible : l->certain));
}

/* Everything real must have been found. */
static bool found_all(const trial *t, const configuration *how, const reference *r, text *why) {
    for (size_t i = 0; i < r->violations.size; i++) {
        uint32_t key = r->violations.data[i];
        if (!is_wanted(how, key) || has_key(t->violations.data, t->violations.size, key)) continue;
        name_key(why, "missed", key);
        return false;
    }
    bool wants_race = how->properties & PROPERTY_RACE;
    /* Who has found a thread that never gets on again looks for no other. */
    if (hangs(how, r, false) && !t->deadlock && !t->livelock)
        text_add(why, r->deadlock.certain ? "missed: a deadlock" : "missed: a livelock");
    if (wants_race && r->race.certain && !t->race) text_add(why, "missed: a data race");
    if (how->properties & PROPERTY_LEAK && r->leak && !t->leak) text_add(why, "missed: a leak");
    return !why->size;
}

static bool something_is_wrong(const configuration *how, const reference *r, bool at_all) {
    for (size_t i = 0; i < r->violations.size; i++)
        if (is_wanted(how, r->violations.data[i])) return true;
    return hangs(how, r, at_all) || (how->properties & PROPERTY_LEAK && r->leak) ||
           (how->properties & PROPERTY_RACE && (at_all ? r->race.possible : r->race.certain));
}

static bool verdict_fits(const trial *t, const configuration *how, const reference *r, text *why) {
    if (t->verdict == VERDICT_SAFE && something_is_wrong(how, r, false)) {
        if (t->lists_violations)
            found_all(t, how, r, why);
        else
            text_add(why, "safe, but something is violated");
    }
    if (t->verdict == VERDICT_UNSAFE && !something_is_wrong(how, r, true))
        text_add(why, "unsafe, but nothing is violated");
    return !why->size;
}

agreement compare_trial(const trial *t, const configuration *how, const reference *r, text *why) {
    if (!found_only_real_ones(t, how, r, why) || !verdict_fits(t, how, r, why)) return DISAGREES;
    if (t->reduction_errors) {
        text_add(why, "the reduction checker found an error");
        return DISAGREES;
    }
    if (t->final_problem.size) {
        text_add(why, text_cstr(&t->final_problem));
        return DISAGREES;
    }
    if (t->verdict == VERDICT_UNKNOWN) return GAVE_UP;
    if (!how->all || !t->lists_violations) return AGREES;
    if (!t->conclusive) return GAVE_UP;
    return found_all(t, how, r, why) ? AGREES : DISAGREES;
}
