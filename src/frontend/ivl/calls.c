/* Which bodies may wait or start, also through the functions they call. */
#include "frontend/ivl/resolve.h"

typedef struct caller {
    const symbol *from;
    uint32_t next; /* next caller of the same function, or NO_CALLER */
} caller;

#define NO_CALLER UINT32_MAX

static bool has_body(const symbol *s) {
    return s->kind == SYMBOL_FUNCTION || s->kind == SYMBOL_THREAD || s->kind == SYMBOL_UPDATE ||
           s->kind == SYMBOL_MAIN;
}

/* Marks in `does`, by symbol number, all bodies from which a marked one can be called. */
static void spread_to_callers(const symbols *s, bool *does) {
    VEC(caller) callers = {0};
    VEC(uint32_t) work = {0};
    uint32_t *first = mem_alloc(s->all.size * sizeof *first);
    memset(first, 0xff, s->all.size * sizeof *first);
    for (size_t k = 0; k < s->all.size; k++) {
        const symbol *from = s->all.data[k];
        if (does[k]) vec_push(&work, (uint32_t)k);
        for (size_t c = 0; has_body(from) && c < from->calls.size; c++) {
            uint32_t callee = from->calls.data[c].callee->number;
            caller entry = {from, first[callee]};
            vec_push(&callers, entry);
            first[callee] = (uint32_t)(callers.size - 1);
        }
    }
    while (work.size) {
        uint32_t callee = vec_pop(&work);
        for (uint32_t c = first[callee]; c != NO_CALLER; c = callers.data[c].next) {
            uint32_t from = callers.data[c].from->number;
            if (does[from]) continue;
            does[from] = true;
            vec_push(&work, from);
        }
    }
    vec_free(&work);
    vec_free(&callers);
    mem_free(first);
}

/* Reports the body's own statement, or else the first call that leads to one. */
static void report_forbidden(const symbol *body, position direct, const bool *does, const char *who,
                             const char *what, diagnostics *d) {
    if (direct.line) {
        diag_report(d, DIAG_ERROR, direct, "%s must not %s", who, what);
        return;
    }
    for (size_t c = 0; c < body->calls.size; c++)
        if (does[body->calls.data[c].callee->number]) {
            diag_report(d, DIAG_ERROR, body->calls.data[c].at, "%s must not %s, but the function '%s' may",
                        who, what, body->calls.data[c].callee->name);
            return;
        }
}

bool ivl_check_calls(const symbols *s, diagnostics *d) {
    unsigned before = d->errors;
    bool *waits = mem_zero(s->all.size, sizeof *waits), *starts = mem_zero(s->all.size, sizeof *starts);
    for (size_t k = 0; k < s->all.size; k++) {
        waits[k] = s->all.data[k]->waits_at.line != 0;
        starts[k] = s->all.data[k]->starts_at.line != 0;
    }
    spread_to_callers(s, waits);
    spread_to_callers(s, starts);
    for (size_t k = 0; k < s->all.size; k++) {
        const symbol *body = s->all.data[k];
        if (waits[k] && body->kind == SYMBOL_MAIN)
            report_forbidden(body, body->waits_at, waits, "main", "wait", d);
        if (waits[k] && body->kind == SYMBOL_UPDATE)
            report_forbidden(body, body->waits_at, waits, "an update", "wait", d);
        if (starts[k] && body->kind == SYMBOL_THREAD)
            report_forbidden(body, body->starts_at, starts, "a thread", "start", d);
        if (starts[k] && body->kind == SYMBOL_UPDATE)
            report_forbidden(body, body->starts_at, starts, "an update", "start", d);
    }
    mem_free(waits);
    mem_free(starts);
    return d->errors == before;
}
