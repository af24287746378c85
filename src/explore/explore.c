#include "explore/explore.h"

#include "base/invariant.h"
#include "machine/record.h"
#include "machine/seen.h"

#include <string.h>

explore_options explore_default_options(void) {
    return (explore_options){
        .por = POR_AUTO,
        .match = MATCH_AUTO,
        .weight = 100,
        .all_ways_back = true,
        .properties = PROPERTY_ASSERT | PROPERTY_MEMORY | PROPERTY_MISUSE,
        .proviso = true,
        .validity = true,
        .edge_replacement = true,
        .cycle_expansion = true,
        .stateful_effects = true,
        .necessary_enabling = true,
        .time_abstraction = true,
    };
}

static const char *const por_names[POR_KINDS] = {
#define REDUCTION(number, name) name,
#include "explore/choices.def"
};
static const char *const match_names[MATCH_KINDS] = {
#define MATCHER(number, name) name,
#include "explore/choices.def"
};

const char *property_name(unsigned index) {
    static const char *const names[PROPERTIES] = {
#define PROPERTY(number, name) name,
#include "explore/choices.def"
    };
    assert(index < PROPERTIES);
    return names[index];
}

unsigned property_of_check(check_kind kind) {
    switch (kind) {
    case CHECK_ASSERTION: return PROPERTY_ASSERT;
    case CHECK_OVERFLOW: return PROPERTY_OVERFLOW;
    case CHECK_LEAK: return PROPERTY_LEAK;
    case CHECK_RACE: return PROPERTY_RACE;
    case CHECK_REACH: return PROPERTY_REACH;
    case CHECK_MISUSE: return PROPERTY_MISUSE;
    default: return PROPERTY_MEMORY;
    }
}

bool check_is_asked_for(unsigned properties, unsigned unasked, check_kind kind) {
    return properties & property_of_check(kind) && !(unasked & 1u << kind);
}

const char *por_name(por_kind k) {
    assert(k < POR_KINDS);
    return por_names[k];
}
const char *match_name(match_kind k) {
    assert(k < MATCH_KINDS);
    return match_names[k];
}

bool por_from_name(const char *name, por_kind *out) {
    for (int k = 0; k < POR_KINDS; k++)
        if (!strcmp(name, por_names[k])) {
            *out = (por_kind)k;
            return true;
        }
    return false;
}

bool match_from_name(const char *name, match_kind *out) {
    for (int k = 0; k < MATCH_KINDS; k++)
        if (!strcmp(name, match_names[k])) {
            *out = (match_kind)k;
            return true;
        }
    return false;
}

static bool is_same_file(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static void add_doubt(outcome *o, doubt d) {
    assert(d.why.kind != REASON_NONE); /* a doubt says why */
    for (size_t i = 0; i < o->doubts.size; i++) {
        const doubt *known = &o->doubts.data[i];
        if (reason_is_same(known->why, d.why) && known->at.line == d.at.line &&
            known->at.column == d.at.column && is_same_file(known->file, d.file))
            return;
    }
    vec_push(&o->doubts, d);
}

void outcome_add_doubt(outcome *o, doubt d) {
    assert(!o->concluded);
    add_doubt(o, d);
}

void outcome_add_violation(outcome *o, violation v) {
    assert(!o->concluded);
    vec_push(&o->violations, v);
}

static const char *keep_text(machine *m, const char *s) {
    return s ? machine_keep_text(m, s) : NULL;
}

void outcome_take_doubts(outcome *o, machine *keeps, const outcome *others) {
    for (size_t i = 0; i < others->doubts.size; i++) {
        doubt d = others->doubts.data[i];
        d.why.words = keep_text(keeps, d.why.words);
        d.file = keep_text(keeps, d.file);
        d.about = keep_text(keeps, d.about);
        outcome_amend(o, &(amendment){.more = d});
    }
}

void outcome_leave_seen(const outcome *lost, machine_seen *to) {
    if (lost->explored == EXPLORED_ABSTRACT_STATES)
        seen_keep_confirmed(to, &lost->seen);
    else
        seen_merge(to, &lost->seen);
}

static void add_statistics(statistics *to, const statistics *before) {
    to->states += before->states;
    to->transitions += before->transitions;
    to->executions += before->executions;
    to->blocked_executions += before->blocked_executions;
    to->matched += before->matched;
    to->match_attempts += before->match_attempts;
    to->hash_matches += before->hash_matches;
    to->evicted += before->evicted;
    to->chained += before->chained;
    to->nodes += before->nodes;
    to->refinements += before->refinements;
    to->guide_states += before->guide_states;
    to->reduction_checks += before->reduction_checks;
    to->seconds += before->seconds;
    to->cpu_seconds += before->cpu_seconds;
    to->guide_seconds += before->guide_seconds;
}

void outcome_add_earlier(outcome *o, outcome *before) {
    add_statistics(&o->stats, &before->stats);
    outcome_amend(o, &(amendment){.lost = before});
    outcome_free(before);
    *before = (outcome){0};
}

void outcome_conclude(outcome *o) {
    assert(!o->concluded && !o->complete);
    o->concluded = true;
}

static void say_instead(outcome *o, doubt more, bool (*is_said_by)(const doubt *d)) {
    outcome again = {0};
    add_doubt(&again, more);
    for (size_t i = 0; i < o->doubts.size; i++)
        if (!is_said_by(&o->doubts.data[i])) add_doubt(&again, o->doubts.data[i]);
    vec_free(&o->doubts);
    o->doubts = again.doubts;
}

static void drop_unconfirmed(outcome *o) {
    size_t kept = 0;
    for (size_t i = 0; i < o->violations.size; i++) {
        violation *v = &o->violations.data[i];
        if (v->confirmed) {
            o->violations.data[kept++] = *v;
            continue;
        }
        vec_free(&v->path);
        valuation_destroy(v->inputs);
    }
    o->violations.size = kept;
}

void outcome_amend(outcome *o, const amendment *by) {
    verdict before = outcome_verdict(o);
    assert(o->concluded);
    if (by->is_said_by)
        say_instead(o, by->more, by->is_said_by);
    else if (by->more.why.kind != REASON_NONE)
        add_doubt(o, by->more);
    if (by->only_confirmed) drop_unconfirmed(o);
    if (by->lost) outcome_leave_seen(by->lost, &o->seen);
    if (by->seen) seen_merge(&o->seen, by->seen);
    verdict after = outcome_verdict(o);
    assert(after == before || after == VERDICT_UNKNOWN);
    (void)before, (void)after;
}

void outcome_doubt(outcome *o, reason_kind kind, position at) {
    outcome_add_doubt(o, (doubt){.why.kind = kind, .at = at});
}

void outcome_doubt_fact(outcome *o, reason_kind kind, const seen_fact *met, doubt_reach reach) {
    outcome_add_doubt(o, (doubt){.why.kind = kind,
                                 .at = met->at.at,
                                 .file = met->at.file,
                                 .about = met->at.about,
                                 .reach = reach});
}

bool outcome_is_exhaustive(const outcome *o) {
    return o->complete && !o->doubts.size && !o->reduction_errors;
}

verdict outcome_verdict(const outcome *o) {
    if (o->reduction_errors) return VERDICT_ERROR;
    for (size_t i = 0; i < o->violations.size; i++)
        if (o->violations.data[i].confirmed) return VERDICT_UNSAFE;
    return outcome_is_exhaustive(o) && !o->violations.size ? VERDICT_SAFE : VERDICT_UNKNOWN;
}

verdict outcome_verdict_of(const outcome *o, violation_kind kind, uint32_t check) {
    verdict open = outcome_is_exhaustive(o) ? VERDICT_SAFE : VERDICT_UNKNOWN;
    for (size_t i = 0; i < o->violations.size; i++) {
        const violation *v = &o->violations.data[i];
        if (v->kind != kind || (kind == VIOLATION_CHECK && v->check != check)) continue;
        if (v->confirmed) return VERDICT_UNSAFE;
        open = VERDICT_UNKNOWN;
    }
    return open;
}

/* A matched state may close a cycle, which is an execution without end: then it cannot be said. Nor of abstract
 * states: how real paths end was seen by others then, who gave up before they had seen all. */
bool outcome_is_vacuous(const outcome *o) {
    bool of_real_paths = o->complete && o->explored != EXPLORED_ABSTRACT_STATES;
    return of_real_paths && seen_all_assumed_away(&o->seen) && !o->stats.matched;
}

bool outcome_is_settled(const outcome *o) {
    if (outcome_verdict(o) != VERDICT_UNKNOWN) return true;
    for (size_t i = 0; i < o->doubts.size; i++)
        if (o->doubts.data[i].reach != DOUBT_OF_PROGRAM) return false;
    return o->complete && !o->violations.size;
}

void outcome_free(outcome *o) {
    for (size_t i = 0; i < o->violations.size; i++) {
        vec_free(&o->violations.data[i].path);
        valuation_destroy(o->violations.data[i].inputs);
    }
    vec_free(&o->violations);
    vec_free(&o->doubts);
    vec_free(&o->trace_classes);
    seen_free(&o->seen);
}
