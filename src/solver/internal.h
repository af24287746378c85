/* The solver from inside, for the files of this folder. */
#ifndef HEDDLE_SOLVER_INTERNAL_H
#define HEDDLE_SOLVER_INTERNAL_H

#include "solver/bounds.h"
#include "solver/cache.h"
#include "solver/encodings.h"
#include "solver/models.h"
#include "solver/query.h"
#include "solver/solver.h"

typedef VEC(const term *) term_list;

struct solver {
    terms *context;
    solver_options options;
    solver_statistics statistics;
    encodings encodings;
    ranges ranges;
    bounds_table bounds;
    models models;
    cache cache;
    marks seen, scratch, members;
    valuation *model;
    solver_core core;
    term_list core_conditions; /* the conditions behind `core`, for minimising */
    void (*log)(void *data, const char *smtlib, solver_answer answer);
    void *log_data;
    bool quick, unhurried;
};

/* Deadline and interruption for one query that starts now. */
sat_limits solver_limits(const solver *s);

/* The layers below slicing, for conjuncts that belong together; used by everything that asks questions. The
 * answer's model goes to `model` (may be NULL), the unsatisfiable subset to `core` (may be NULL). */
solver_answer solver_decide(solver *s, const term *const *conditions, size_t count, const sat_limits *limits,
                            valuation *model, term_list *core);

/* Slicing and the layers below: is (path ∧ extra) satisfiable? With extra conditions, only what is connected
 * with them is looked at, so a satisfiable answer supposes that `path` alone is satisfiable; without,
 * everything is. The model covers what was looked at. Does not touch what solver_model and
 * solver_unsat_core report. */
solver_answer solver_ask(solver *s, const term *const *path, size_t count, const term *const *extra,
                         size_t extra_count, const sat_limits *limits, valuation *model);

#endif
