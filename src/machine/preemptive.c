/* The kernel of free interleaving: any enabled thread may go next, with a scheduling point before each
 * visible operation. What is visible: accesses to objects that other threads can reach,
 * blocking, atomic sections. */
#include "machine/hangs.h"
#include "machine/kernel.h"
#include "machine/place.h"
#include "machine/seen.h"

#include <string.h>

/* --- where a thread stands ------------------------------------------------------------------------------ */

static bool is_alone(const state *s) {
    return s->thread_count == 1;
}

static const instruction *next_instruction(const machine *m, const thread_part *t) {
    assert(t->frame_count);
    const frame *f = &t->frames[t->frame_count - 1];
    assert(f->index < m->program->functions.data[f->function].blocks.data[f->block].code.size);
    return &m->program->functions.data[f->function].blocks.data[f->block].code.data[f->index];
}

static bool is_sync(const instruction *i, sync_op op) {
    return i->kind == INSTR_SYNC && i->sync == op;
}

static value operand_at(const machine *m, const state *s, uint32_t thread, const operand *o) {
    context reader = {.s = (state *)s, .thread = thread}; /* only read */
    return operand_value(m, &reader, o);
}

static bool is_exact(value v) {
    return v.bits && term_is_const(v.bits);
}

/* --- what blocks ---------------------------------------------------------------------------------------- */

static const term *await_guard(machine *m, const instruction *i, value cell, value mask, value wanted) {
    assert(!cell.base && !mask.base && !wanted.base && cell.bits->width == mask.bits->width);
    const term *masked = arith_term(m->terms, ARITH_AND, i->b.width, cell.bits, mask.bits, NULL);
    if (i->arith == ARITH_SLT) return arith_term(m->terms, ARITH_SLT, 1, wanted.bits, masked, NULL);
    return arith_term(m->terms, i->arith, 1, masked, wanted.bits, NULL);
}

/* False only if the guard cannot hold here. A bad address lets the thread go on, into the violation. */
static bool await_may_go_on(machine *m, const state *s, uint32_t thread, const instruction *i) {
    value address = operand_at(m, s, thread, &i->a);
    if (!address.base || !is_exact(address)) return true;
    value cell = memory_peek(m, s, address.base - 1, address.bits->value, i->b.width);
    if (!cell.bits || cell.base) return true;
    const term *guard =
        await_guard(m, i, cell, operand_at(m, s, thread, &i->b), operand_at(m, s, thread, &i->c));
    if (term_is_const(guard)) return term_is_true(guard);
    return machine_ask(m, s, thread, guard) != SOLVER_UNSAT;
}

static bool join_may_go_on(const machine *m, const state *s, uint32_t thread, const instruction *i) {
    value number = operand_at(m, s, thread, &i->a);
    if (number.base || !is_exact(number) || number.bits->value >= s->thread_count) return true;
    uint8_t status = s->threads[number.bits->value]->status;
    return status == THREAD_ENDED || status == THREAD_UNBORN;
}

bool preemptive_may_go_on(machine *m, const state *s, uint32_t thread) {
    assert(thread < s->thread_count);
    const thread_part *t = s->threads[thread];
    if (t->status != THREAD_RUNNABLE || preemptive_spins_in_vain(m, s, t)) return false;
    const instruction *i = next_instruction(m, t);
    if (is_sync(i, SYNC_AWAIT)) return await_may_go_on(m, s, thread, i);
    if (is_sync(i, SYNC_JOIN)) return join_may_go_on(m, s, thread, i);
    return true;
}

static bool comes_to_program_end(const machine *m, const thread_part *t, uint32_t thread) {
    const instruction *i = next_instruction(m, t);
    return is_sync(i, SYNC_END) || (thread == 0 && t->frame_count == 1 && i->kind == INSTR_RETURN);
}

/* Who is there depends on others: it waits for them. */
bool preemptive_is_at_program_end(const machine *m, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    if (t->status != THREAD_RUNNABLE) return false;
    assert(t->poise != POISE_GOES_ON || !comes_to_program_end(m, t, thread));
    return t->poise != POISE_GOES_ON && comes_to_program_end(m, t, thread);
}

static thread_poise poise_in(const machine *m, const state *s, uint32_t thread) {
    thread_part *t = s->threads[thread];
    assert(t->poise == POISE_NOT_LOOKED_AT || (t->poise == POISE_OVER) == (t->status != THREAD_RUNNABLE));
    if (t->poise != POISE_NOT_LOOKED_AT) return t->poise;
    if (t->status != THREAD_RUNNABLE) return t->poise = POISE_OVER;
    const instruction *i = next_instruction(m, t);
    bool depends = t->spin || is_sync(i, SYNC_AWAIT) || is_sync(i, SYNC_JOIN) ||
                   preemptive_is_at_program_end(m, s, thread);
    return t->poise = depends ? POISE_DEPENDS : POISE_GOES_ON;
}

static inline void offer(const machine *m, const state *s, uint32_t thread, transitions *out) {
    transition t = {.thread = thread};
    uint32_t left = m->kernel->choices(m, s, thread);
    for (; left; left--, t.choice++) vec_push(out, t);
}

/* With the bound used up, a thread that can go on does. */
static void keep_within_context_bound(machine *m, const state *s, transitions *out) {
    if (!m->options.context_bound || s->scheduler->switches < m->options.context_bound) return;
    size_t kept = 0;
    for (size_t i = 0; i < out->size; i++)
        if (out->data[i].thread + 1 == s->scheduler->last_thread) out->data[kept++] = out->data[i];
    if (!kept) return;
    if (kept < out->size) NOTE_FACT(m, context_bound);
    out->size = kept;
}

static void count_switch(machine *m, state *s, uint32_t thread) {
    uint32_t last = s->scheduler->last_thread;
    assert(last <= s->thread_count && thread < s->thread_count);
    if (!m->options.context_bound || last == thread + 1) return;
    bool preempted = last && preemptive_may_go_on(m, s, last - 1);
    scheduler_part *own = state_own_scheduler(s);
    own->last_thread = thread + 1;
    own->switches += preempted;
}

static void enabled(machine *m, const state *s, transitions *out) {
    vec_clear(out);
    if (s->scheduler->phase == PHASE_DONE) return;
    if (s->scheduler->running != NO_INDEX) {
        assert(s->threads[s->scheduler->running]->status == THREAD_RUNNABLE);
        offer(m, s, s->scheduler->running, out);
        return;
    }
    bool someone_ends = false;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        thread_poise poise = poise_in(m, s, t);
        if (poise == POISE_OVER) continue;
        bool waits_to_end =
            poise == POISE_DEPENDS && !m->options.exit_anywhere && preemptive_is_at_program_end(m, s, t);
        someone_ends |= waits_to_end;
        if (!waits_to_end && (poise == POISE_GOES_ON || preemptive_may_go_on(m, s, t))) offer(m, s, t, out);
    }
    keep_within_context_bound(m, s, out);
    bool only_end_is_left = m->options.blocked_at_exit || m->options.spinning_at_exit;
    for (size_t i = 0; i < out->size && only_end_is_left; i++)
        only_end_is_left = preemptive_is_at_program_end(m, s, out->data[i].thread);
    if (only_end_is_left && (preemptive_deadlocked(m, s) ||
                             (m->options.spinning_at_exit && preemptive_livelocked(m, s) == HANG_CERTAIN))) {
        vec_clear(out);
        return;
    }
    if (!out->size && !someone_ends) preemptive_note_standstill(m, s);
    if (out->size || !someone_ends) return;
    for (uint32_t t = 0; t < s->thread_count; t++)
        if (preemptive_is_at_program_end(m, s, t)) {
            offer(m, s, t, out);
            return; /* whoever ends the program: the same */
        }
}

/* --- what is visible ------------------------------------------------------------------------------------ */

static bool returns_shared_locals(const machine *m, const context *c) {
    const thread_part *t = c->s->threads[c->thread];
    const frame *f = &t->frames[t->frame_count - 1];
    const function *of = &m->program->functions.data[f->function];
    for (size_t k = 0; k < of->locals.size; k++) {
        value local = t->values[f->registers + of->registers.size + k];
        const memory_object *o = local.base ? state_object(c->s, local.base - 1) : NULL;
        if (o && o->shared) return true;
    }
    for (uint32_t k = 0; f->allocates && k < c->s->dynamic_count; k++) {
        const memory_object *o = c->s->dynamic[k].object;
        if (o->shared && o->frame == t->frame_count && o->owner == c->thread) return true;
    }
    return false;
}

/* Of a block that was left before it made its array there is none. */
static bool ends_shared_local(const machine *m, const context *c, const instruction *i) {
    value address = operand_value(m, c, &i->a);
    return address.base && memory_is_shared(c, address);
}

static bool is_visible(const machine *m, const context *c, const instruction *i) {
    switch ((instruction_kind)i->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_FREE:
        if (i->kind == INSTR_FREE && i->extra != FREE_HEAP) return ends_shared_local(m, c, i);
        if (m->options.check_leaks) return true; /* the program may end before or after it */
        if (i->kind == INSTR_FREE && c->s->scheduler->heap_order) return true;
        return memory_is_shared(c, operand_value(m, c, &i->a));
    case INSTR_HAVOC:
    case INSTR_FILL: return memory_is_shared(c, operand_value(m, c, &i->a));
    case INSTR_COPY:
        return memory_is_shared(c, operand_value(m, c, &i->a)) ||
               memory_is_shared(c, operand_value(m, c, &i->b));
    case INSTR_ALLOC:
        return (m->options.check_leaks || c->s->scheduler->heap_order) && i->extra != ALLOC_FRAME_UNSET;
    case INSTR_RETURN: return preemptive_is_at_program_end(m, c->s, c->thread) || returns_shared_locals(m, c);
    case INSTR_SYNC:
        if (i->sync == SYNC_ATOMIC_BEGIN)
            return i->a.kind == OPERAND_NONE || memory_is_shared(c, operand_value(m, c, &i->a));
        return i->sync == SYNC_AWAIT || i->sync == SYNC_JOIN || i->sync == SYNC_END;
    default: return false;
    }
}

static bool stops_before(run *r, context *c, const instruction *i) {
    if (c->granted || is_alone(c->s) || c->s->threads[c->thread]->atomic_depth) return false;
    if (!is_visible(r->m, c, i)) return false;
    /* Only where a step begins: what a step does must not depend on whether its operation happened to be
     * enabled when the thread came to it. */
    if (c->visible_done || c->instructions > 1) return true;
    c->visible_done = c->granted = true;
    return false;
}

/* --- copies and fills, piece by piece ------------------------------------------------------------------- */

enum { MOST_PIECES = 64 };

static uint64_t cell_rest(const state *s, value address, uint64_t offset) {
    const memory_object *o =
        address.base && address.base < FUNCTION_BASE ? state_object(s, address.base - 1) : NULL;
    uint64_t at = address.bits->value + offset;
    if (!o || o->summary || at >= object_bytes(o)) return UINT64_MAX; /* a summary is a limit then */
    cell_view view = object_view(o, (uint32_t)at);
    return view.high - at;
}

static value moved(machine *m, value address, uint64_t bytes) {
    if (address.bits && bytes)
        address.bits = term_add(m->terms, address.bits, term_const(m->terms, address.bits->width, bytes));
    return address;
}

static piece whole_block(machine *m, value length, bool seen) {
    if (seen) NOTE_FACT(m, coarse_copy);
    bool exact = is_exact(length) && !length.base;
    return (piece){.exact = exact, .bytes = exact ? length.bits->value : 0, .reads = true, .writes = true};
}

static bool overlap(value to, value from, uint64_t bytes) {
    uint64_t a = to.bits->value, b = from.bits->value;
    return to.base == from.base && (a < b ? b - a : a - b) < bytes;
}

/* Copying a structure is no atomic operation: where others can see it, it goes cell by cell, and if they can
 * see both sides each cell is read first and written in another step. Overlapping ranges, unknown places and
 * very many cells are taken at once; that is noted, as `safe` may not be said then. */
static piece next_piece(machine *m, const context *c, const instruction *i, value length) {
    const thread_part *t = c->s->threads[c->thread];
    value to = operand_value(m, c, &i->a);
    value from = i->kind == INSTR_COPY ? operand_value(m, c, &i->b) : to;
    bool to_shared = memory_is_shared(c, to),
         from_shared = i->kind == INSTR_COPY && memory_is_shared(c, from);
    bool unseen = is_alone(c->s) || t->atomic_depth || !(to_shared || from_shared) ||
                  !function_can_race(&m->program->functions.data[t->frames[t->frame_count - 1].function]);
    if (unseen) return whole_block(m, length, false);
    if (!is_exact(length) || length.base || !is_exact(to) || !is_exact(from))
        return whole_block(m, length, true);
    uint64_t total = length.bits->value;
    if (!total) return whole_block(m, length, false);
    if (i->kind == INSTR_COPY && overlap(to, from, total)) return whole_block(m, length, true);
    assert(t->copied < total && t->held <= total - t->copied); /* a piece is left */
    uint64_t rest = total - t->copied;
    if (t->held) return (piece){true, t->copied, t->held, t->held < rest, .writes = true};
    uint64_t bytes = cell_rest(c->s, to, t->copied), other = cell_rest(c->s, from, t->copied);
    if (other < bytes) bytes = other;
    if (bytes > 8) bytes = 8;
    if (total > bytes * MOST_PIECES) return whole_block(m, length, true);
    if (bytes > rest) bytes = rest;
    if (to_shared && from_shared) return (piece){true, t->copied, bytes, true, .reads = true};
    return (piece){true, t->copied, bytes, bytes < rest, true, true};
}

/* --- the next operation, for explorers ------------------------------------------------------------------ */

enum { WHOLE_OBJECT = 0 };

static uint64_t bytes_of_bits(unsigned width) {
    return (width + 7) / 8;
}

static uint64_t operand_bytes(const machine *m, const operand *o) {
    bool pointer = o->kind == OPERAND_OBJECT || o->kind == OPERAND_LOCAL || o->kind == OPERAND_FUNCTION;
    return bytes_of_bits(pointer ? m->program->pointer_bits : o->width);
}

static void add_next(machine *m, const state *s, const thread_part *t, const instruction *i, access_kind kind,
                     value address, uint64_t bytes) {
    if (!address.base) return;
    const memory_object *o = state_object(s, address.base - 1);
    if (!o || !o->shared) return;
    access a = {.kind = (uint8_t)kind, .name = address.base - 1, .high = UINT32_MAX};
    if (kind == ACCESS_UPDATE) a.op = i->arith;
    const function *f = &m->program->functions.data[t->frames[t->frame_count - 1].function];
    a.plain = access_is_plain(f, i);
    a.section = t->atomic_depth > 0;
    a.sync = access_sync(f, i, kind, a.section);
    if (bytes && bytes < UINT32_MAX / 2 && is_exact(address) && address.bits->value < UINT32_MAX / 2) {
        a.low = (uint32_t)address.bits->value;
        a.high = a.low + (uint32_t)bytes;
    }
    effect_add(&m->next_touch, a);
}

static void add_next_operation(machine *m, const state *s, uint32_t thread, const thread_part *t,
                               const instruction *i) {
    const function *f = &m->program->functions.data[t->frames[t->frame_count - 1].function];
    value a = i->a.kind == OPERAND_NONE ? (value){NULL, 0} : operand_at(m, s, thread, &i->a);
    switch ((instruction_kind)i->kind) {
    case INSTR_LOAD:
        add_next(m, s, t, i, ACCESS_READ, a, bytes_of_bits(f->registers.data[i->dst].type.width));
        break;
    case INSTR_STORE: add_next(m, s, t, i, ACCESS_WRITE, a, operand_bytes(m, &i->b)); break;
    case INSTR_UPDATE: add_next(m, s, t, i, ACCESS_UPDATE, a, bytes_of_bits(i->b.width)); break;
    case INSTR_HAVOC: add_next(m, s, t, i, ACCESS_WRITE, a, WHOLE_OBJECT); break;
    case INSTR_FREE:
        add_next(m, s, t, i, ACCESS_WRITE, a, WHOLE_OBJECT);
        if (s->scheduler->heap_order && i->extra == FREE_HEAP)
            effect_add(&m->next_touch, heap_order_access(ACCESS_UPDATE));
        break;
    case INSTR_ALLOC:
        if (s->scheduler->heap_order && i->extra != ALLOC_FRAME_UNSET)
            effect_add(&m->next_touch, heap_order_access(ACCESS_READ));
        break;
    case INSTR_FILL:
    case INSTR_COPY: {
        context reader = {.s = (state *)s, .thread = thread}; /* only read */
        machine_look_away(m); /* nothing is copied yet, and the state may be made up (machine_would_go_on) */
        piece p = next_piece(m, &reader, i, operand_at(m, s, thread, &i->c));
        machine_look_back(m);
        if (p.exact && !p.bytes) break; /* nothing is touched */
        uint64_t bytes = p.exact ? p.bytes : WHOLE_OBJECT;
        if (p.writes) add_next(m, s, t, i, ACCESS_WRITE, moved(m, a, p.from), bytes);
        if (i->kind == INSTR_COPY && p.reads)
            add_next(m, s, t, i, ACCESS_READ, moved(m, operand_at(m, s, thread, &i->b), p.from), bytes);
        break;
    }
    case INSTR_SYNC:
        if (i->sync == SYNC_AWAIT) add_next(m, s, t, i, ACCESS_READ, a, bytes_of_bits(i->b.width));
        if (i->sync == SYNC_JOIN && !a.base && is_exact(a))
            for (int kind = ACCESS_JOIN; kind <= ACCESS_CLAIM; kind++) /* which follows a join */
                effect_add(&m->next_touch, (access){.kind = (uint8_t)kind, .name = (uint32_t)a.bits->value});
        break;
    default: break;
    }
}

void preemptive_pending(machine *m, const state *s, uint32_t thread, pending *out) {
    assert(thread < s->thread_count);
    const thread_part *t = s->threads[thread];
    effect_clear(&m->next_touch);
    *out = (pending){.segment = NO_INDEX, .next = &m->next_touch};
    out->live = t->status == THREAD_RUNNABLE;
    if (!out->live) return;
    out->enabled = preemptive_may_go_on(m, s, thread);
    const instruction *i = next_instruction(m, t);
    out->at = i->at;
    out->section = is_sync(i, SYNC_ATOMIC_BEGIN);
    if (!out->enabled && t->spin && t->spin->waiting) {
        thread_add_watched(t, &m->next_touch);
        return;
    }
    add_next_operation(m, s, thread, t, i);
}

/* --- threads -------------------------------------------------------------------------------------------- */

uint32_t preemptive_thread_number(machine *m, uint32_t creator, uint32_t count, uint32_t function) {
    uint64_t key = (uint64_t)creator << 32 | count;
    uint64_t known = map_get(&m->thread_numbers, key);
    if (known != MAP_NONE) return (uint32_t)known;
    uint32_t number = (uint32_t)(1 + m->thread_numbers.size);
    assert(number == 1 + m->thread_births.size);
    map_put(&m->thread_numbers, key, number);
    thread_names_add(m, function);
    vec_push(&m->thread_births, ((thread_birth){creator, count, function}));
    return number;
}

static sync_result limit(run *r, context *c, reason_kind reason, const instruction *i) {
    run_limit(r, c, reason, i->at);
    return SYNC_CONSUMED;
}

static void set_result(context *c, uint32_t reg, value v) {
    if (reg == NO_INDEX) return;
    thread_part *t = state_own_thread(c->s, c->thread);
    assert(t->frames[t->frame_count - 1].registers + reg < t->value_count);
    t->values[t->frames[t->frame_count - 1].registers + reg] = v;
}

static uint32_t threads_on_path(const state *s) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < s->thread_count; t++) count += s->threads[t]->status != THREAD_UNBORN;
    return count;
}

/* An assumption failed. Inside an atomic section nothing of the section has happened: the thread
 * stays before it. */
static void stick(run *r, context *c) {
    if (c->s->threads[c->thread]->atomic_depth && !is_alone(r->from)) {
        if (r->from->threads[c->thread]->atomic_depth) { /* it began in an earlier piece of the step */
            run_end(r, c, STEP_ASSUMED_AWAY);
            return;
        }
        state *before = state_clone(r->from);
        state_set_path(before, state_path(c->s), c->s->path_count);
        before->uncertain = c->s->uncertain;
        if (before->scheduler->running != NO_INDEX) state_own_scheduler(before)->running = NO_INDEX;
        state_free(c->s);
        c->s = before;
    }
    thread_part *t = state_own_thread(c->s, c->thread);
    t->status = THREAD_STUCK;
    thread_set_spin(t, NULL);
    if (is_alone(c->s))
        run_end(r, c, STEP_ASSUMED_AWAY);
    else
        run_end(r, c, STEP_STOPPED);
}

static void note_thread_bound(run *r, const context *c, const instruction *i) {
    if (NOTE_FACT(r->m, thread_bound))
        r->m->seen->thread_bound.at = place_to_tell(r, c, i, "another thread would be created");
}

static sync_result create_thread(run *r, context *c, const instruction *i) {
    machine *m = r->m;
    value start = operand_value(m, c, &i->a), argument = operand_value(m, c, &i->b);
    uint32_t function_index = value_function(start);
    if (function_index == NO_INDEX) return limit(r, c, REASON_THREAD_WITHOUT_FUNCTION, i);
    const function *f = &m->program->functions.data[function_index];
    if (f->parameters > 1) return limit(r, c, REASON_THREAD_ARGUMENTS, i);
    thread_part *creator = state_own_thread(c->s, c->thread);
    bool recycles = creator->recycles;
    uint32_t number = preemptive_thread_number(m, c->thread, creator->threads_made++, function_index);
    thread_names_note(m, c->s, number, function_index, argument);
    uint32_t threads = threads_on_path(c->s);
    if (threads > m->options.threads) return limit(r, c, REASON_TOO_MANY_THREADS, i);
    if (r->how->threads && threads > r->how->threads) {
        note_thread_bound(r, c, i);
        stick(r, c);
        return SYNC_CONSUMED;
    }
    memory_publish(c->s, argument);
    context_touch(r, c, ACCESS_CREATE, number);
    c->wrote = true;
    c->visible_done = true; /* the new thread may come before the next visible operation of this one */
    context_advance(c);
    set_result(c, i->dst, (value){term_const(m->terms, m->program->pointer_bits, number), 0});
    c->s = state_grow_threads(c->s, number + 1);
    assert(number && c->s->threads[number]->status == THREAD_UNBORN); /* a name is given once on a path */
    context born = *c;
    born.thread = number;
    state_own_thread(c->s, number)->status = THREAD_RUNNABLE;
    state_own_thread(c->s, number)->recycles = recycles;
    enter_function(r, &born, function_index, NO_INDEX);
    if (f->parameters) {
        thread_part *t = state_own_thread(c->s, number);
        t->values[t->frames[0].registers] = argument;
    }
    return SYNC_GOES_ON;
}

static bool is_live(const thread_part *t) {
    return t->status == THREAD_RUNNABLE || t->status == THREAD_STUCK || t->status == THREAD_DRAWING ||
           thread_goes_round(t->status);
}

static bool leaves_heap_objects(const state *s) {
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        if (s->dynamic[i].object->heap && !s->dynamic[i].object->freed) return true;
    return false;
}

static void finish_program(run *r, context *c, position at) {
    NOTE_FACT(r->m, program_ended);
    preemptive_note_blocked(r->m, c->s, c->thread);
    if (r->m->leak_check != NO_INDEX) {
        seen_reach(r->m->seen, r->m->leak_check);
        if (leaves_heap_objects(c->s)) {
            run_violate(r, c, r->m->leak_check, at);
            return;
        }
    }
    state_own_scheduler(c->s)->phase = PHASE_DONE;
    run_end(r, c, STEP_FINISHED);
}

static void thread_ends(run *r, context *c, value result) {
    bool all_over = true;
    assert(c->s->threads[c->thread]->status == THREAD_RUNNABLE);
    memory_publish(c->s, result);
    release_thread_objects(r, c);
    thread_part *t = state_own_thread(c->s, c->thread);
    while (t->frame_count) {
        release_frame_objects(r, c);
        t = state_own_thread(c->s, c->thread);
        thread_pop_frame(t);
    }
    thread_set_spin(t, NULL);
    assert(!t->frame_count && !t->value_count);
    t->status = THREAD_ENDED;
    t->result = result;
    t->held = 0;
    t->atomic_depth = 0;
    context_touch(r, c, ACCESS_END, c->thread);
    for (uint32_t k = 0; k < c->s->thread_count; k++) all_over &= !is_live(c->s->threads[k]);
    if (all_over)
        finish_program(r, c, r->m->program->threads.data[0].at);
    else
        run_end(r, c, STEP_STOPPED);
}

/* What the next round of a loop does is known only if this one asked nobody. */
static void goes_round(run *r, context *c, position at) {
    (void)at;
    assert(c->loop_witness); /* it came round to where it was */
    thread_part *t = state_own_thread(c->s, c->thread);
    bool asked = thread_has_asked(t, c->loop_witness->threads[c->thread]);
    bool waits = (is_alone(c->s) || t->atomic_depth) && round_waits(r->m, c->round_since_witness);
    if (asked || t->atomic_depth) {
        if (waits && NOTE_FACT(r->m, open_loop)) {
            const function *in = thread_visible_function(r->m->program, t);
            r->m->seen->open_loop.at =
                (seen_place){.at = thread_position(r->m->program, t), .file = in ? in->file : NULL};
        }
        if (is_alone(c->s) || t->atomic_depth) {
            stick(r, c);
            return;
        }
    }
    t->status = asked ? THREAD_DRAWING : waits ? THREAD_HANGING : THREAD_LOOPING;
    thread_set_spin(t, NULL);
    run_end(r, c, STEP_STOPPED);
}

/* NO_INDEX: the operand is the number of no thread. */
static uint32_t named_thread(run *r, context *c, const operand *o) {
    value number = operand_value(r->m, c, o);
    number.bits = c->needed = run_exact_thread(r, c, number.bits);
    bool known = !number.base && is_exact(number) && number.bits->value < c->s->thread_count &&
                 c->s->threads[number.bits->value]->status != THREAD_UNBORN;
    return known ? (uint32_t)number.bits->value : NO_INDEX;
}

/* Who joins or detaches a thread claims it: nobody else may. */
static sync_result claim_thread(run *r, context *c, const instruction *i) {
    uint32_t claimed = named_thread(r, c, &i->a);
    if (claimed == NO_INDEX) return limit(r, c, REASON_CLAIM_OF_NO_THREAD, i);
    context_touch(r, c, ACCESS_CLAIM, claimed);
    c->wrote = true;
    uint8_t before = c->s->threads[claimed]->claimed, from_now_on = (uint8_t)i->b.value;
    if (from_now_on && from_now_on != before) state_own_thread(c->s, claimed)->claimed = from_now_on;
    context_advance(c);
    set_result(c, i->dst, (value){term_const(r->m->terms, r->m->program->pointer_bits, before), 0});
    return SYNC_GOES_ON;
}

static sync_result join_thread(run *r, context *c, const instruction *i) {
    uint32_t joined = named_thread(r, c, &i->a);
    if (joined == NO_INDEX) return limit(r, c, REASON_JOIN_OF_NO_THREAD, i);
    const thread_part *t = c->s->threads[joined];
    assert(t->status != THREAD_UNBORN);
    context_touch(r, c, ACCESS_JOIN, joined);
    c->wrote = true;
    if (t->status != THREAD_ENDED) return SYNC_STOPS;
    value result = t->result;
    if (!result.bits && i->dst != NO_INDEX) /* its function returns nothing */
        result = (value){fresh_unknown(r->m, c, r->m->program->pointer_bits, "missing result"), 0};
    context_advance(c);
    set_result(c, i->dst, result);
    state_own_thread(c->s, c->thread)->recycles = true;
    note_joined(r->m, joined, c->thread);
    return SYNC_GOES_ON;
}

static sync_result await_cell(run *r, context *c, const instruction *i) {
    value cell;
    if (memory_load(r, c, i, operand_value(r->m, c, &i->a), i->b.width, &cell) != ACCESS_DONE)
        return SYNC_CONSUMED;
    if (cell.base) return limit(r, c, REASON_LOCK_HOLDS_POINTER, i);
    const term *guard =
        await_guard(r->m, i, cell, operand_value(r->m, c, &i->b), operand_value(r->m, c, &i->c));
    switch (run_decide_way(r, c, guard)) {
    case DECIDED_NEITHER: run_drop(c); return SYNC_CONSUMED;
    case DECIDED_FALSE: return SYNC_STOPS;
    case DECIDED_TRUE: break;
    }
    context_advance(c);
    state_own_thread(c->s, c->thread)->atomic_depth++;
    return SYNC_GOES_ON;
}

static sync_result sync(run *r, context *c, const instruction *i) {
    assert(i->kind == INSTR_SYNC && c->s->threads[c->thread]->status == THREAD_RUNNABLE);
    switch ((sync_op)i->sync) {
    case SYNC_ATOMIC_BEGIN:
        state_own_thread(c->s, c->thread)->atomic_depth++;
        context_advance(c);
        return SYNC_GOES_ON;
    case SYNC_ATOMIC_END: {
        thread_part *t = state_own_thread(c->s, c->thread);
        if (!t->atomic_depth) return limit(r, c, REASON_SECTION_NEVER_BEGAN, i);
        t->atomic_depth--;
        context_advance(c);
        return SYNC_GOES_ON;
    }
    case SYNC_AWAIT: return await_cell(r, c, i);
    case SYNC_CREATE: return create_thread(r, c, i);
    case SYNC_JOIN: return join_thread(r, c, i);
    case SYNC_CLAIM: return claim_thread(r, c, i);
    case SYNC_EXIT: {
        value none = {NULL, 0};
        thread_ends(r, c, i->a.kind == OPERAND_NONE ? none : operand_value(r->m, c, &i->a));
        return SYNC_CONSUMED;
    }
    case SYNC_SELF:
        context_advance(c);
        set_result(c, i->dst, (value){term_const(r->m->terms, r->m->program->pointer_bits, c->thread), 0});
        return SYNC_GOES_ON;
    case SYNC_DETACH:
        NOTE_FACT(r->m, detached);
        context_advance(c);
        return SYNC_GOES_ON;
    case SYNC_FENCE:
        memory_fence(r, c, i);
        context_advance(c);
        return SYNC_GOES_ON;
    case SYNC_END: finish_program(r, c, i->at); return SYNC_CONSUMED;
    default: return limit(r, c, REASON_OTHER_KERNEL, i);
    }
}

/* --- the table ------------------------------------------------------------------------------------------ */

static void begin(machine *m, state *s) {
    (void)m;
    s->scheduler->phase = PHASE_EVALUATE;
}

/* Memory is sequentially consistent: a thread reads what was written last. */
static uint32_t choices(const machine *m, const state *s, uint32_t thread) {
    (void)m, (void)s, (void)thread;
    return 1;
}

/* A path that was found may begin where `enabled` would let somebody else go first. */
static bool can_step(machine *m, const state *s, transition t) {
    uint32_t running = s->scheduler->running;
    return t.thread < s->thread_count && s->threads[t.thread]->status == THREAD_RUNNABLE &&
           (running == NO_INDEX || running == t.thread) && t.choice < m->kernel->choices(m, s, t.thread);
}

/* A spinning thread that may run again has seen a change: it watches anew. */
static void forget_spinning(state *s, uint32_t thread) {
    const spin_watch *w = s->threads[thread]->spin;
    if (w && w->waiting) thread_set_spin(state_own_thread(s, thread), NULL);
}

static void begin_step(run *r, context *c, transition t) {
    if (!r->how->looks_ahead) count_switch(r->m, c->s, t.thread);
    forget_spinning(c->s, t.thread);
    run_begin_thread(r, c);
}

static bool stops(run *r, context *c) {
    run_forget_dead(r, c);
    preemptive_step_ended(r, c);
    return true;
}

static bool sleeps(machine *m, const state *s, uint32_t thread) {
    return preemptive_spins_in_vain(m, s, s->threads[thread]);
}

const kernel preemptive_kernel = {.name = "preemptive",
                                  .begin = begin,
                                  .enabled = enabled,
                                  .pending = preemptive_pending,
                                  .choices = choices,
                                  .can_step = can_step,
                                  .deadlocked = preemptive_deadlocked,
                                  .begin_step = begin_step,
                                  .sync = sync,
                                  .stops = stops,
                                  .thread_returns = thread_ends,
                                  .goes_round = goes_round,
                                  .stops_before = stops_before,
                                  .next_piece = next_piece,
                                  .stick = stick,
                                  .is_at_program_end = preemptive_is_at_program_end,
                                  .enter_loop_head = preemptive_enter_loop_head,
                                  .sleeps = sleeps,
                                  .livelocked = preemptive_livelocked};
