#include "api/certification.h"

static void add_state(void *data, const state *s, invariant_kind of) {
    certification *c = data;
    if (c->writer) certificate_writer_add(c->writer, s, of);
    if (c->found) invariants_add(c->found, s, of);
}

void certification_open(certification *c, const session *s, explore_options *how) {
    const option_value *v = s->options->value;
    *c = (certification){0};
    if (v[OPTION_CERTIFY].on || *v[OPTION_CERTIFICATE].written)
        c->writer = certificate_writer_create(s->machine);
    if (*v[OPTION_WITNESS].written && invariants_are_possible(s->program))
        c->found = invariants_create(s->machine);
    if (!c->writer && !c->found) return;
    how->invariant = add_state;
    how->invariant_data = c;
}

void certification_close(certification *c) {
    certificate_writer_destroy(c->writer);
    invariants_destroy(c->found);
    loop_invariants_free(&c->loops);
    text_free(&c->written);
}

void certification_write(certification *c, const outcome *o) {
    if (c->found && outcome_verdict(o) == VERDICT_SAFE) invariants_list(c->found, &c->loops);
    if (!c->writer || !certificate_writer_states(c->writer) || outcome_verdict(o) != VERDICT_SAFE) return;
    certificate_write(c->writer, o->engine, &c->written);
}

void certification_check(certification *c, session *s, const char *json, size_t length, outcome *o) {
    const char *trouble;
    explore_options how = session_explore_options(s);
    certificate *given = certificate_read(s->machine, json, length, &trouble);
    c->looked_at = true;
    if (given) {
        c->states = certificate_states(given);
        certify_run(s->machine, given, &how, o);
    } else {
        o->engine = "certificate";
        outcome_doubt(o, REASON_NOT_CERTIFIED, (position){0, 0});
        outcome_add_doubt(o, (doubt){.why = {REASON_CERTIFICATE_UNREADABLE, trouble}});
        outcome_conclude(o);
    }
    c->confirmed = outcome_verdict(o) == VERDICT_SAFE;
    c->effort = o->stats;
    certificate_destroy(given);
}

void certification_confirm(certification *c, const session *s, session_doubts doubts, outcome *o) {
    if (!s->options->value[OPTION_CERTIFY].on || outcome_verdict(o) != VERDICT_SAFE) return;
    if (!c->written.size) {
        c->looked_at = true;
        outcome_amend(o, &(amendment){.more.why.kind = REASON_NO_CERTIFICATE});
        return;
    }
    session again;
    outcome second = {0};
    session_open_again(&again, s);
    certification_check(c, &again, c->written.data, c->written.size, &second);
    doubts(&again, &second);
    c->confirmed = outcome_verdict(&second) == VERDICT_SAFE;
    outcome_take_doubts(o, s->machine, &second);
    if (!c->confirmed && !second.doubts.size)
        outcome_amend(o, &(amendment){.more.why.kind = REASON_NOT_CERTIFIED});
    outcome_free(&second);
    session_close(&again);
}
