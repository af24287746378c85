#include "program/effect.h"
#include "base/invariant.h"

#include <string.h>

/* The dependence table. An entry names the condition under which two accesses conflict:
 *   .  never                      o  the same thing is named (objects: overlapping bytes)
 *   u  the same thing is named, unless both are updates by the same operator (of the same bytes: sums of
 *      different widths do not commute)
 *   x  always
 *
 * Reasons beyond plain data: an immediate notification is lost on a thread that waits only later
 * (notify/wait), and cancels a pending delayed one (notify/after); of several delayed ones the earliest
 * survives in either order (after/after commute); a suspension takes a step away from its thread
 * (suspend/run), and the later of suspend and resume wins. Whoever asks what is pending depends on every step
 * of others, as a suspension of everybody does, and is written down as that. A path that ends in an
 * assumption hides the violations of others (assume/check). Who makes another run here and now does what that
 * one does. Of two that want to join or detach a thread only the first may (claim/claim). Delayed
 * notifications, resumes and update requests take effect only after all steps of the evaluation phase, so
 * they never race with waits. */
// clang-format off
static const char conflict_table[ACCESS_KINDS][ACCESS_KINDS + 1] = {
    /* in the order of the enum:  RWU  NAC w  rSM q s  ac  ej  l  k  cfrw */
    [ACCESS_READ]         =      ".oo" "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_WRITE]        =      "ooo" "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_UPDATE]       =      "oou" "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_NOTIFY]       =      "..." ".oo" "o" "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_NOTIFY_AFTER] =      "..." "o.o" "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_CANCEL]       =      "..." "oo." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_WAIT]         =      "..." "o.." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_RUN]          =      "..." "..." "." ".o." "." "." ".." ".." "." "x" "....",
    [ACCESS_SUSPEND]      =      "..." "..." "." "o.o" "." "." ".." ".." "." "x" "....",
    [ACCESS_RESUME]       =      "..." "..." "." ".o." "." "." ".." ".." "." "x" "....",
    [ACCESS_REQUEST]      =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_STOP]         =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_ASSUME]       =      "..." "..." "." "..." "." "." ".x" ".." "." "x" "....",
    [ACCESS_CHECK]        =      "..." "..." "." "..." "." "." "x." ".." "." "x" "....",
    [ACCESS_END]          =      "..." "..." "." "..." "." "." ".." ".o" "." "x" "....",
    [ACCESS_JOIN]         =      "..." "..." "." "..." "." "." ".." "o." "." "x" "....",
    [ACCESS_CLAIM]        =      "..." "..." "." "..." "." "." ".." ".." "o" "x" "....",
    [ACCESS_CONTROL]      =      "xxx" "xxx" "x" "xxx" "x" "x" "xx" "xx" "x" "x" "xxxx",
    [ACCESS_CREATE]       =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_FENCE]        =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_EARLY_READ]   =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
    [ACCESS_EARLY_WRITE]  =      "..." "..." "." "..." "." "." ".." ".." "." "x" "....",
};
// clang-format on

static bool names_cell(uint8_t kind) {
    return kind <= ACCESS_UPDATE;
}

static bool same_thing(const access *a, const access *b) {
    if (a->name == ACCESS_ANY || b->name == ACCESS_ANY) return true;
    if (a->name != b->name) return false;
    return !names_cell(a->kind) || (a->low < b->high && b->low < a->high);
}

/* Both are known exactly and differ. */
static bool overlap_partly(const access *a, const access *b) {
    bool exact = a->high != UINT32_MAX && b->high != UINT32_MAX;
    return exact && (a->low != b->low || a->high != b->high);
}

bool access_conflict(const access *a, const access *b) {
    assert(a->kind < ACCESS_KINDS && b->kind < ACCESS_KINDS);
    assert(conflict_table[a->kind][b->kind] == conflict_table[b->kind][a->kind]); /* neither comes first */
    switch (conflict_table[a->kind][b->kind]) {
    case 'x': return true;
    case 'o': return same_thing(a, b);
    case 'u': return same_thing(a, b) && (a->op != b->op || overlap_partly(a, b));
    default: return false;
    }
}

bool effect_conflict(const effect *a, const effect *b) {
    for (size_t i = 0; i < a->size; i++)
        for (size_t j = 0; j < b->size; j++)
            if (access_conflict(&a->data[i], &b->data[j])) return true;
    return false;
}

/* Whether `a` already says everything that `b` says. */
static bool covers(const access *a, const access *b) {
    if (a->kind != b->kind || a->op != b->op || a->plain != b->plain || a->section != b->section ||
        a->sync != b->sync)
        return false;
    if (a->name == ACCESS_ANY) return true;
    return a->name == b->name && a->low <= b->low && b->high <= a->high;
}

/* Whether what comes now says something that the same access at its earlier place does not: a fence is
 * between them, or something is handed on, by one of them or on the way. */
static bool is_cut_off(const effect *e, size_t i, const access *a) {
    if (i + 1 == e->size) return false;
    if (a->kind == ACCESS_FENCE || a->sync & SYNC_RELEASES) return true;
    for (size_t k = i + 1; k < e->size; k++)
        if (e->data[k].kind == ACCESS_FENCE || e->data[k].sync & SYNC_RELEASES) return true;
    return false;
}

/* An array that one access after the other goes through is one range. */
static bool goes_on(const access *last, const access *a) {
    bool early = a->kind == ACCESS_EARLY_READ || a->kind == ACCESS_EARLY_WRITE;
    return early && last->kind == a->kind && last->name == a->name && last->high == a->low &&
           last->plain == a->plain && last->section == a->section && last->plain;
}

/* Of equal accesses the first and the last say all: nobody else comes between them. Fences stay. */
static void push_as_last(effect *e, size_t first, access a) {
    for (size_t k = first + 1; k < e->size && a.kind != ACCESS_FENCE; k++) {
        if (!covers(&e->data[k], &a) || !covers(&a, &e->data[k])) continue;
        memmove(&e->data[k], &e->data[k + 1], (e->size - k - 1) * sizeof a);
        e->size--;
        break;
    }
    vec_push(e, a);
}

void effect_add(effect *e, access a) {
    assert(a.kind < ACCESS_KINDS && (!names_cell(a.kind) || a.low <= a.high));
    if (e->size && goes_on(&vec_last(e), &a)) {
        vec_last(e).high = a.high;
        return;
    }
    for (size_t i = 0; i < e->size; i++) {
        bool covered = covers(&e->data[i], &a), covering = covers(&a, &e->data[i]);
        if (!covered && !covering) continue;
        if (is_cut_off(e, i, &a)) {
            push_as_last(e, i, a);
            return;
        }
        if (covering && !covered) e->data[i] = a;
        return;
    }
    vec_push(e, a);
}

void effect_join(effect *e, const effect *other) {
    for (size_t i = 0; i < other->size; i++) effect_add(e, other->data[i]);
}

void effect_clear(effect *e) {
    vec_clear(e);
}
void effect_free(effect *e) {
    vec_free(e);
}

static void print_name(const program *p, const access *a, text *out) {
    if (a->name == ACCESS_ANY) {
        text_add(out, "anything");
        return;
    }
    switch (a->kind) {
    case ACCESS_READ:
    case ACCESS_WRITE:
    case ACCESS_UPDATE:
    case ACCESS_EARLY_READ:
    case ACCESS_EARLY_WRITE:
        if (a->name == ACCESS_HEAP) {
            text_add(out, "heap");
        } else if (a->name >= ACCESS_LOCALS) {
            text_format(out, "locals of %s", p->threads.data[a->name - ACCESS_LOCALS].name);
        } else if (a->name >= p->objects.size) {
            text_format(out, "object %u", a->name);
        } else {
            const static_object *object = &p->objects.data[a->name];
            bool one_cell = a->high - a->low <= 8 && object->count * object->shape->stride > a->high - a->low;
            if (one_cell)
                program_cell_name(p, a->name, a->low, out);
            else
                text_add(out, object->name);
        }
        break;
    case ACCESS_NOTIFY:
    case ACCESS_NOTIFY_AFTER:
    case ACCESS_CANCEL:
    case ACCESS_WAIT: text_add(out, p->events.data[a->name].name); break;
    case ACCESS_RUN:
    case ACCESS_SUSPEND:
    case ACCESS_RESUME:
    case ACCESS_END:
    case ACCESS_JOIN:
    case ACCESS_CLAIM:
    case ACCESS_CONTROL:
    case ACCESS_CREATE:
        if (a->name < p->threads.size)
            text_add(out, p->threads.data[a->name].name);
        else
            text_format(out, "thread %u", a->name);
        break;
    case ACCESS_REQUEST: text_add(out, p->updates.data[a->name].name); break;
    default: break;
    }
}

void effect_print(const program *p, const effect *e, text *out) {
    static const char *const verbs[ACCESS_KINDS] = {
        "read",    "write",   "update",  "notify", "notify-after", "cancel",     "wait", "run",
        "suspend", "resume",  "request", "stop",   "assume",       "check",      "end",  "join",
        "claim",   "control", "create",  "fence",  "early read",   "early write"};
    for (size_t i = 0; i < e->size; i++) {
        text_format(out, "%s%s ", i ? ", " : "", verbs[e->data[i].kind]);
        print_name(p, &e->data[i], out);
    }
}
