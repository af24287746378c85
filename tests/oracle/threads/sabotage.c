#include "sabotage.h"

#include "analysis/future.h"
#include "machine/hangs.h"
#include "machine/internal.h"
#include "matching/cursor.h"

static mutant present; /* of the whole process, like the code that it spoils */

bool sabotage_begin(mutant m) {
    present = m;
    return true;
}

/* The linker turns calls of f into calls of __wrap_f, and __real_f is what f was. */

void __real_machine_pending(machine *m, const state *s, uint32_t thread, pending *out);
void __wrap_machine_pending(machine *m, const state *s, uint32_t thread, pending *out);
void __wrap_machine_pending(machine *m, const state *s, uint32_t thread, pending *out) {
    __real_machine_pending(m, s, thread, out);
    if (present == MUTANT_NO_PENDING && !out->enabled) out->live = false;
}

bool __real_access_conflict(const access *a, const access *b);
bool __wrap_access_conflict(const access *a, const access *b);
bool __wrap_access_conflict(const access *a, const access *b) {
    bool one_reads = a->kind == ACCESS_READ || b->kind == ACCESS_READ;
    return !(present == MUTANT_NO_CONFLICT && one_reads) && __real_access_conflict(a, b);
}

bool __real_futures_may_access(const futures *f, const call_site *stack, size_t depth, uint32_t object,
                               uint64_t place, bool only_writes);
bool __wrap_futures_may_access(const futures *f, const call_site *stack, size_t depth, uint32_t object,
                               uint64_t place, bool only_writes);
bool __wrap_futures_may_access(const futures *f, const call_site *stack, size_t depth, uint32_t object,
                               uint64_t place, bool only_writes) {
    return present != MUTANT_NO_FUTURE &&
           __real_futures_may_access(f, stack, depth, object, place, only_writes);
}

bool __real_machine_exits_anywhere(const machine *m);
bool __wrap_machine_exits_anywhere(const machine *m);
bool __wrap_machine_exits_anywhere(const machine *m) {
    return present != MUTANT_EARLY_END && __real_machine_exits_anywhere(m);
}

void __real_run_stick(run *r, context *c);
void __wrap_run_stick(run *r, context *c);
void __wrap_run_stick(run *r, context *c) {
    if (present == MUTANT_ASSUME_ENDS)
        run_end(r, c, STEP_ASSUMED_AWAY);
    else
        __real_run_stick(r, c);
}

bool __real_machine_deadlocked(machine *m, const state *s);
bool __wrap_machine_deadlocked(machine *m, const state *s);
bool __wrap_machine_deadlocked(machine *m, const state *s) {
    return present != MUTANT_NEVER_DEADLOCKED && __real_machine_deadlocked(m, s);
}

hang_answer __real_machine_livelocked(machine *m, const state *s);
hang_answer __wrap_machine_livelocked(machine *m, const state *s);
hang_answer __wrap_machine_livelocked(machine *m, const state *s) {
    return present == MUTANT_NEVER_LIVELOCKED ? HANG_NOT : __real_machine_livelocked(m, s);
}

hang_answer __real_machine_stays_for_ever(machine *m, const state *s, const suspect *who);
hang_answer __wrap_machine_stays_for_ever(machine *m, const state *s, const suspect *who);
hang_answer __wrap_machine_stays_for_ever(machine *m, const state *s, const suspect *who) {
    return present == MUTANT_NEVER_LIVELOCKED ? HANG_NOT : __real_machine_stays_for_ever(m, s, who);
}

void __real_thread_set_spin(thread_part *t, spin_watch *w);
void __wrap_thread_set_spin(thread_part *t, spin_watch *w);
void __wrap_thread_set_spin(thread_part *t, spin_watch *w) {
    if (w && present == MUTANT_UNSEEN_ROUNDS) w->observed = false;
    __real_thread_set_spin(t, w);
}

void __real_cursor_redo(cursor *c, const parts *p, const change *what);
void __wrap_cursor_redo(cursor *c, const parts *p, const change *what);
void __wrap_cursor_redo(cursor *c, const parts *p, const change *what) {
    bool memory = what->place % PLACE_KINDS == PLACE_OBJECT; /* half a thread would crash */
    if (present == MUTANT_WRONG_WAY && memory && what->before)
        cursor_undo(c, p, what);
    else
        __real_cursor_redo(c, p, what);
}
