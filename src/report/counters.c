#include "report/counters.h"

#define EXPLORER(name)                                                                                       \
    { #name, COUNTER_NUMBER, offsetof(counters, explorer.name) }
#define MACHINE(name)                                                                                        \
    { #name, COUNTER_NUMBER, offsetof(counters, machine.name) }
#define SOLVER(name, counter)                                                                                \
    { name, COUNTER_NUMBER, offsetof(counters, solver.counter) }

const counter_info counter_table[] = {
    EXPLORER(states),
    EXPLORER(transitions),
    EXPLORER(executions),
    EXPLORER(blocked_executions),
    EXPLORER(matched),
    EXPLORER(match_attempts),
    EXPLORER(hash_matches),
    EXPLORER(evicted),
    EXPLORER(chained),
    EXPLORER(nodes),
    EXPLORER(refinements),
    EXPLORER(guide_states),
    EXPLORER(depth),
    EXPLORER(reduction_checks),
    EXPLORER(solver_queries),
    SOLVER("solver_trivial", trivial),
    SOLVER("solver_by_model", by_model),
    SOLVER("solver_by_cache", by_cache),
    SOLVER("solver_by_sat", by_sat),
    SOLVER("solver_by_z3", by_z3),
    SOLVER("solver_unknown", unknown),
    SOLVER("solver_exists_forall", exists_forall),
    SOLVER("solver_instantiations", instantiations),
    {"solver_seconds", COUNTER_SECONDS, offsetof(counters, solver.seconds)},
    MACHINE(steps),
    MACHINE(instructions),
    MACHINE(forks),
    {"cpu_seconds", COUNTER_SECONDS, offsetof(counters, explorer.cpu_seconds)},
    {"guide_seconds", COUNTER_SECONDS, offsetof(counters, explorer.guide_seconds)},
    {"seconds", COUNTER_SECONDS, offsetof(counters, explorer.seconds)},
    {"visited_bytes", COUNTER_SIZE, offsetof(counters, explorer.visited_bytes)},
    {"peak_memory_bytes", COUNTER_SIZE, offsetof(counters, explorer.peak_memory_bytes)},
};
const size_t counter_count = sizeof counter_table / sizeof *counter_table;

double counter_value(const counters *c, const counter_info *which) {
    const char *at = (const char *)c + which->offset;
    switch (which->kind) {
    case COUNTER_NUMBER: return (double)*(const uint64_t *)(const void *)at;
    case COUNTER_SIZE: return (double)*(const size_t *)(const void *)at;
    case COUNTER_SECONDS: return *(const double *)(const void *)at;
    }
    return 0;
}

void counters_from_json(counters *c, const json_t *object) {
    for (size_t i = 0; i < counter_count; i++) {
        char *at = (char *)c + counter_table[i].offset;
        double number = json_number_value(json_object_get(object, counter_table[i].name));
        switch (counter_table[i].kind) {
        case COUNTER_NUMBER: *(uint64_t *)(void *)at = (uint64_t)number; break;
        case COUNTER_SIZE: *(size_t *)(void *)at = (size_t)number; break;
        case COUNTER_SECONDS: *(double *)(void *)at = number; break;
        }
    }
}

const counter_info *counter_find(const char *name) {
    for (size_t i = 0; i < counter_count; i++)
        if (!strcmp(counter_table[i].name, name)) return &counter_table[i];
    return NULL;
}
