#include "mutants.h"
#include "machine/setup.h"

static const char *const names[MUTANTS] = {
    [MUTANT_NONE] = "none",
    [MUTANT_FEW_SWITCHES] = "few-switches",
    [MUTANT_FEW_ROUNDS] = "few-rounds",
    [MUTANT_PRUNED] = "state-tracking",
    [MUTANT_NO_PROVISO] = "no-proviso",
    [MUTANT_NO_VALIDITY] = "no-validity",
    [MUTANT_ONE_WAY_BACK] = "one-way-back",
    [MUTANT_PAST_CHOICES] = "past-choices",
    [MUTANT_NO_PENDING] = "no-pending",
    [MUTANT_NO_CONFLICT] = "no-conflict",
    [MUTANT_NO_FUTURE] = "no-future",
    [MUTANT_EARLY_END] = "early-end",
    [MUTANT_ASSUME_ENDS] = "assume-ends",
    [MUTANT_NEVER_DEADLOCKED] = "never-deadlocked",
    [MUTANT_NEVER_LIVELOCKED] = "never-livelocked",
    [MUTANT_UNSEEN_ROUNDS] = "unseen-rounds",
    [MUTANT_WRONG_WAY] = "wrong-way",
};

const char *mutant_name(mutant m) {
    return names[m];
}

void mutant_spoil_options(mutant m, explore_options *o) {
    if (m == MUTANT_PRUNED) o->state_tracking = true;
    if (m == MUTANT_NO_PROVISO) o->proviso = false;
    if (m == MUTANT_NO_VALIDITY) o->validity = false;
    if (m == MUTANT_ONE_WAY_BACK) o->all_ways_back = false;
    if (m == MUTANT_PAST_CHOICES) o->chain_past_choices = true;
}

void mutant_spoil_machine(mutant m, machine_options *o) {
    if (m == MUTANT_FEW_SWITCHES) o->context_bound = 1;
    if (m == MUTANT_FEW_ROUNDS) o->unwind = 1;
    if (m == MUTANT_EARLY_END) o->exit_anywhere = true;
}

void mutant_spoil_outcome(mutant m, outcome *o) {
    if (m == MUTANT_PRUNED || m == MUTANT_FEW_ROUNDS) vec_clear(&o->doubts);
}

bool mutant_fits(mutant m, engine_kind e, por_kind por) {
    switch (m) {
    case MUTANT_PRUNED: return e == ENGINE_LAZYPOR;
    case MUTANT_PAST_CHOICES:
    case MUTANT_WRONG_WAY: return e == ENGINE_SEARCH;
    case MUTANT_NO_PROVISO:
    case MUTANT_NO_FUTURE:
        return (e == ENGINE_SEARCH && por == POR_AMPLE) ||
               ((e == ENGINE_CEGAR || e == ENGINE_ESST) && por == POR_PERSISTENT);
    case MUTANT_ONE_WAY_BACK: return e == ENGINE_SEARCH;
    case MUTANT_NO_VALIDITY: return (e == ENGINE_CEGAR || e == ENGINE_ESST) && por == POR_AWARE;
    case MUTANT_NO_PENDING:
    case MUTANT_NO_CONFLICT:
    case MUTANT_EARLY_END: return e == ENGINE_DPOR || e == ENGINE_LAZYPOR;
    case MUTANT_NONE: return true;
    default: return e != ENGINE_AUTO;
    }
}
