/* What an explorer that abstracts calls safe must have a certificate that a machine of its own confirms. */
#ifndef HEDDLE_TESTS_ORACLE_CERTIFIED_H
#define HEDDLE_TESTS_ORACLE_CERTIFIED_H

#include "certify/certify.h"
#include "machine/setup.h"

/* Before a run: collects its invariant. To be given to certified_close. */
static inline certificate_writer *certified_open(machine *m, explore_options *options) {
    certificate_writer *w = certificate_writer_create(m);
    options->invariant = certificate_writer_add;
    options->invariant_data = w;
    return w;
}

static inline void certified_confirm(machine *first, const char *json, size_t length,
                                     const explore_options *options, outcome *o) {
    terms *c = terms_create();
    solver_options solver_choice = solver_default_options();
    solver_choice.z3 = false;
    solver_choice.query_seconds = 0;
    solver_choice.interrupted = options->interrupted;
    solver_choice.interrupted_data = options->interrupted_data;
    solver *s = solver_create(c, &solver_choice);
    machine_options machine_choice = machine_default_options();
    machine_choice.checks_cut = options->all;
    machine_choice.check_leaks = machine_checks_leaks(first);
    machine_choice.exit_anywhere = machine_exits_anywhere(first);
    machine_choice.interrupted = options->interrupted;
    machine_choice.interrupted_data = options->interrupted_data;
    machine *m = machine_create(machine_program(first), c, s, &machine_choice);
    const char *trouble;
    outcome second = {0};
    certificate *proof = certificate_read(m, json, length, &trouble);
    if (proof) {
        certify_run(m, proof, options, &second);
    } else {
        outcome_add_doubt(&second, (doubt){.why = {REASON_CERTIFICATE_UNREADABLE, trouble}});
        outcome_conclude(&second);
    }
    outcome_take_doubts(o, first, &second);
    certificate_destroy(proof);
    outcome_free(&second);
    machine_destroy(m);
    solver_destroy(s);
    terms_destroy(c);
}

/* After it: an answer whose certificate is refused has doubts. Without a certificate (the whole graph may be
 * too large) there is nothing to say. */
static inline void certified_close(certificate_writer *w, machine *m, const explore_options *options,
                                   outcome *o) {
    if (w && outcome_verdict(o) == VERDICT_SAFE && certificate_writer_states(w)) {
        text json = {0};
        certificate_write(w, o->engine, &json);
        certified_confirm(m, text_cstr(&json), json.size, options, o);
        text_free(&json);
    }
    certificate_writer_destroy(w);
}

#endif
