#include "strategy/wire.h"

#include "explore/prefix.h"
#include "machine/record.h"
#include "machine/seen.h"

enum { BEGIN = 0x48656464, END = 0x6c656f6b, MOST_ITEMS = 1 << 28 };

/* --- writing -------------------------------------------------------------------------------------------- */

static void put(bytes *w, const void *bytes, size_t count) {
    vec_reserve(w, w->size + count);
    if (count) memcpy(w->data + w->size, bytes, count);
    w->size += count;
}

static void put_number(bytes *w, uint64_t n) {
    put(w, &n, sizeof n);
}

static void put_text(bytes *w, const char *text) {
    size_t length = text ? strlen(text) + 1 : 0;
    put_number(w, length);
    put(w, text, length);
}

static void put_reason(bytes *w, reason why) {
    put_number(w, why.kind);
    put_text(w, why.words);
}

static void put_doubt(bytes *w, const doubt *d) {
    put_reason(w, d->why);
    put(w, &d->at, sizeof d->at);
    put_text(w, d->file);
    put_number(w, d->reach);
    put_text(w, d->about);
    put_number(w, d->busy);
}

/* A path that cannot be followed any more, because the solver answers less than it did, is "?": no way to
 * anywhere. */
static void put_way(bytes *w, machine *m, const step_options *how, const path *steps) {
    text way = {0};
    put_text(w, prefix_print(m, steps, how, &way) ? text_cstr(&way) : "?");
    text_free(&way);
}

static void put_violation(bytes *w, machine *m, const step_options *how, const violation *v) {
    put_number(w, v->kind);
    put(w, v->racing, sizeof v->racing);
    put_number(w, v->earlier);
    put_number(w, v->places);
    put_way(w, m, how, &v->path);
}

static void put_attempt(bytes *w, const attempt *a) {
    put_text(w, a->engine);
    put_text(w, a->por);
    put_text(w, a->match);
    put_reason(w, a->why);
    put(w, &a->seconds, sizeof a->seconds);
}

static void put_threads(bytes *w, machine *m) {
    machine_names names = {0};
    machine_names_collect(m, &names);
    put_number(w, names.threads.size);
    put(w, names.threads.data, names.threads.size * sizeof *names.threads.data);
    machine_names_free(&names);
}

static void put_work(bytes *w, machine *m, const machine_statistics *before) {
    const machine_statistics *now = machine_stats(m);
    machine_statistics work = {now->steps - before->steps, now->instructions - before->instructions,
                               now->forks - before->forks};
    put(w, &work, sizeof work);
}

static void put_blocked(bytes *w, const blocked_thread *b) {
    put_number(w, b->known);
    put_number(w, b->spins);
    put_number(w, b->thread);
    put_text(w, b->file);
    put(w, &b->at, sizeof b->at);
}

static void put_place(bytes *w, const seen_place *p) {
    put(w, &p->at, sizeof p->at);
    put_text(w, p->file);
    put_text(w, p->about);
}

static void put_fact(bytes *w, const seen_fact *f) {
    put_number(w, f->met);
    put_place(w, &f->at);
}

static void put_identities(bytes *w, const machine_seen *seen) {
    uint64_t thread, by;
    put_number(w, seen->joiners.size);
    for (size_t at = 0; map_next(&seen->joiners, &at, &thread, &by);) {
        put_number(w, thread);
        put_number(w, by);
    }
    put_number(w, seen->ids_compared.size);
    for (size_t i = 0; i < seen->ids_compared.size; i++) {
        put_number(w, seen->ids_compared.data[i].one);
        put_number(w, seen->ids_compared.data[i].other);
        put_place(w, &seen->ids_compared.data[i].at);
    }
}

static void put_seen(bytes *w, const machine_seen *seen, size_t checks) {
#define PUT(name, reason) put_fact(w, &seen->name);
    SEEN_FACTS(PUT)
#undef PUT
#define PUT(name) put_blocked(w, &seen->name);
    SEEN_BLOCKED(PUT)
#undef PUT
#define PUT(name) put_number(w, seen->name);
    SEEN_WHO(PUT)
    PUT(endings_looked_at)
#undef PUT
    put_identities(w, seen);
    put(w, &seen->race, sizeof seen->race);
    put_number(w, checks);
    for (uint32_t i = 0; i < checks; i++) put_number(w, seen_reached(seen, i));
}

/* Checks that the machine made at pointer accesses have numbers of its own. */
static size_t count_common_checks(machine *m) {
    return machine_program(m)->checks.size + machine_checks_leaks(m);
}

/* It is read as what was written. */
FOR_ASSERTIONS static bool can_be_read(const bytes *w, const outcome *out) {
    arena memory = {0};
    message m;
    bool same = wire_read(w, &memory, &m);
    if (same) {
        same = m.out.concluded == out->concluded && m.out.doubts.size == out->doubts.size &&
               m.out.violations.size == out->violations.size && m.ways.size == out->violations.size;
        outcome_free(&m.out);
        message_free(&m);
    }
    arena_free(&memory);
    return same;
}

void wire_write(bytes *w, machine *m, const machine_statistics *before, const step_options *how,
                const outcome *out, const attempts *given_up) {
    put_number(w, BEGIN);
    put_threads(w, m);
    put_work(w, m, before);
    put_seen(w, &out->seen, count_common_checks(m));
    put(w, &out->stats, sizeof out->stats);
    put_number(w, out->complete);
    put_number(w, out->concluded);
    put_number(w, out->explored);
    put_number(w, out->heap_order_is_open);
    put_number(w, out->stops);
    put_number(w, out->reduction_errors);
    put_text(w, out->engine);
    put_text(w, out->por);
    put_text(w, out->match);
    put_number(w, out->doubts.size);
    for (size_t i = 0; i < out->doubts.size; i++) put_doubt(w, &out->doubts.data[i]);
    put_number(w, out->violations.size);
    for (size_t i = 0; i < out->violations.size; i++) put_violation(w, m, how, &out->violations.data[i]);
    put_number(w, given_up->size);
    for (size_t i = 0; i < given_up->size; i++) put_attempt(w, &given_up->data[i]);
    put_number(w, END);
    slow_assert(can_be_read(w, out));
}

/* --- reading -------------------------------------------------------------------------------------------- */

typedef struct reader {
    const bytes *from;
    size_t at;
    arena *memory; /* for texts */
    bool broken;
} reader;

static const void *get(reader *r, size_t count) {
    r->broken |= count > r->from->size - r->at;
    if (r->broken) return NULL;
    r->at += count;
    return r->from->data + (r->at - count);
}

static void get_into(reader *r, void *to, size_t count) {
    const void *bytes = get(r, count);
    if (bytes) memcpy(to, bytes, count);
}

static uint64_t get_number(reader *r) {
    uint64_t n = 0;
    get_into(r, &n, sizeof n);
    return n;
}

static size_t get_count(reader *r) {
    uint64_t n = get_number(r);
    r->broken |= n > MOST_ITEMS;
    return r->broken ? 0 : (size_t)n;
}

static const char *get_text(reader *r) {
    size_t length = get_count(r);
    const char *bytes = length ? get(r, length) : NULL;
    return bytes ? arena_string(r->memory, bytes, length - 1) : NULL;
}

static reason get_reason(reader *r) {
    uint64_t kind = get_number(r);
    r->broken |= kind >= REASON_KINDS;
    const char *words = get_text(r);
    return (reason){r->broken ? REASON_NONE : (reason_kind)kind, words};
}

static doubt get_doubt(reader *r) {
    doubt d = {.why = get_reason(r)};
    get_into(r, &d.at, sizeof d.at);
    d.file = get_text(r);
    d.reach = (doubt_reach)get_number(r);
    d.about = get_text(r);
    d.busy = (busy_kind)get_number(r);
    return d;
}

static violation get_violation(reader *r, message *m) {
    violation v = {.kind = (violation_kind)get_number(r), .check = NO_INDEX};
    get_into(r, v.racing, sizeof v.racing);
    v.earlier = (uint32_t)get_number(r);
    v.places = get_number(r);
    const char *way = get_text(r);
    r->broken |= !way;
    vec_push(&m->ways, way);
    return v;
}

static attempt get_attempt(reader *r) {
    attempt a = {.engine = get_text(r)};
    a.por = get_text(r);
    a.match = get_text(r);
    a.why = get_reason(r);
    get_into(r, &a.seconds, sizeof a.seconds);
    return a;
}

static void get_threads(reader *r, message *m) {
    for (size_t n = get_count(r); n && !r->broken; n--) {
        thread_birth t = {0};
        get_into(r, &t, sizeof t);
        vec_push(&m->threads, t);
    }
}

static void get_work(reader *r, message *m) {
    get_into(r, &m->work, sizeof m->work);
}

static blocked_thread get_blocked(reader *r) {
    blocked_thread b = {.known = get_number(r)};
    b.spins = get_number(r);
    b.thread = (uint32_t)get_number(r);
    b.file = get_text(r);
    get_into(r, &b.at, sizeof b.at);
    return b;
}

static seen_place get_place(reader *r) {
    seen_place p = {0};
    get_into(r, &p.at, sizeof p.at);
    p.file = get_text(r);
    p.about = get_text(r);
    return p;
}

static seen_fact get_fact(reader *r) {
    seen_fact f = {.met = get_number(r)};
    f.at = get_place(r);
    return f;
}

static void get_identities(reader *r, machine_seen *seen) {
    for (size_t n = get_count(r); n && !r->broken; n--) {
        uint32_t thread = (uint32_t)get_number(r);
        seen_note_joined(seen, thread, (uint32_t)get_number(r));
    }
    for (size_t n = get_count(r); n && !r->broken; n--) {
        ids_compared c = {.one = (uint32_t)get_number(r)};
        c.other = (uint32_t)get_number(r);
        c.at = get_place(r);
        seen_note_ids_compared(seen, c);
    }
}

static void get_seen(reader *r, machine_seen *seen) {
#define GET(name, reason) seen->name = get_fact(r);
    SEEN_FACTS(GET)
#undef GET
#define GET(name) seen->name = get_blocked(r);
    SEEN_BLOCKED(GET)
#undef GET
#define GET(name) seen->name = (uint32_t)get_number(r);
    SEEN_WHO(GET)
#undef GET
    seen->endings_looked_at = get_number(r);
    get_identities(r, seen);
    get_into(r, &seen->race, sizeof seen->race);
    size_t checks = get_count(r);
    for (uint32_t i = 0; i < checks && !r->broken; i++)
        if (get_number(r)) seen_reach(seen, i);
}

static void get_outcome(reader *r, message *m) {
    outcome *out = &m->out;
    get_into(r, &out->stats, sizeof out->stats);
    out->complete = get_number(r);
    out->concluded = get_number(r);
    out->explored = (explored_kind)get_number(r);
    out->heap_order_is_open = get_number(r);
    out->stops = (unsigned)get_number(r);
    out->reduction_errors = get_number(r);
    out->engine = get_text(r);
    out->por = get_text(r);
    out->match = get_text(r);
    for (size_t n = get_count(r); n && !r->broken; n--) vec_push(&out->doubts, get_doubt(r));
    for (size_t n = get_count(r); n && !r->broken; n--) vec_push(&out->violations, get_violation(r, m));
}

bool wire_read(const bytes *w, arena *memory, message *m) {
    reader r = {.from = w, .memory = memory};
    *m = (message){0};
    r.broken = get_number(&r) != BEGIN;
    if (!r.broken) get_threads(&r, m);
    if (!r.broken) get_work(&r, m);
    if (!r.broken) get_seen(&r, &m->out.seen);
    if (!r.broken) get_outcome(&r, m);
    for (size_t n = r.broken ? 0 : get_count(&r); n && !r.broken; n--)
        vec_push(&m->given_up, get_attempt(&r));
    r.broken |= get_number(&r) != END || r.at != w->size;
    if (r.broken) {
        outcome_free(&m->out);
        message_free(m);
    }
    return !r.broken;
}

void message_free(message *m) {
    vec_free(&m->threads);
    vec_free(&m->ways);
    vec_free(&m->given_up);
}
