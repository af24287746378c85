#include "simulate.h"

/* --- set-up --------------------------------------------------------------------------------------------- */

void simulation_begin(simulation *s, const tiny_program *p) {
    *s = (simulation){.p = p};
    flat_make(p, &s->flat);
    for (unsigned g = 0; g < p->globals; g++) {
        s->cell_of[g] = (uint32_t)s->cells;
        s->cells += p->global[g].elements ? p->global[g].elements : 1;
    }
    for (size_t i = 0; i < p->exprs.size; i++) s->looks_at_time |= p->exprs.data[i].kind == EXPR_TIME;
}

void simulation_free(simulation *s) {
    flat_free(&s->flat);
    vec_free(&s->choices.list);
    vec_free(&s->violations);
}

static bool is_thread(const simulation *s, uint32_t b) {
    return s->p->body[b].role == BODY_THREAD && !s->p->body[b].absent;
}

static void set_locals(const simulation *s, const tiny_body *b, int64_t *locals) {
    for (unsigned k = 0; k < b->locals; k++) {
        const tiny_local *l = &b->local[k];
        locals[k] = !l->pointer ? l->initial : l->initial < 0 ? 0 : (int64_t)s->cell_of[l->initial] + 1;
    }
}

void simulation_initial(simulation *s, world *w) {
    memset(w, 0, sizeof *w);
    for (unsigned g = 0; g < s->p->globals; g++) {
        const tiny_global *x = &s->p->global[g];
        for (unsigned i = 0; i < (x->elements ? x->elements : 1u); i++)
            w->cells[s->cell_of[g] + i] =
                x->input ? x->low + (int64_t)script_choose(&s->choices, (uint32_t)(x->high - x->low + 1))
                         : x->low;
    }
    for (uint32_t b = 0; b < s->p->bodies; b++) {
        w->thread[b].timer = NEVER;
        if (b && !is_thread(s, b)) continue;
        w->thread[b].at = s->flat.start[b];
        set_locals(s, &s->p->body[b], w->locals[b]);
    }
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++) w->event[e] = NEVER;
    w->limit = NEVER;
}

static bool can_run(const world_thread *t) {
    return t->life == LIFE_RUNNABLE && !t->suspended;
}

size_t simulation_movers(const simulation *s, const world *w, uint32_t *movers) {
    size_t n = 0;
    if (w->phase == PHASE_OVER) return 0;
    if (w->phase == PHASE_OF_MAIN)
        movers[n++] = 0;
    else
        for (uint32_t b = 1; b < s->p->bodies; b++)
            if (is_thread(s, b) && can_run(&w->thread[b])) movers[n++] = b;
    if (!n) movers[n++] = MOVER_KERNEL;
    return n;
}

/* --- notification --------------------------------------------------------------------------------------- */

static void wake(world_thread *t) {
    t->life = LIFE_RUNNABLE;
    t->awaited = t->wait_all = 0;
    t->timer = NEVER;
}

static void event_happens(const simulation *s, world *w, unsigned event) {
    for (uint32_t b = 1; b < s->p->bodies; b++) {
        world_thread *t = &w->thread[b];
        if (t->life != LIFE_WAITING || t->disabled || !(t->awaited >> event & 1)) continue;
        t->awaited &= (uint8_t) ~(1u << event);
        if (!t->wait_all || !t->awaited) wake(t);
    }
}

/* All notifications that are due now: in the delta phase NEXT_DELTA, in the timed phase those whose
 * time has come. */
static void fire_due(const simulation *s, world *w, int32_t now) {
    bool due[TINY_MOST_EVENTS];
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++) {
        due[e] = w->event[e] == now;
        if (due[e]) w->event[e] = NEVER;
    }
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++)
        if (due[e]) event_happens(s, w, e);
    for (uint32_t b = 1; b < s->p->bodies; b++)
        if (w->thread[b].life == LIFE_WAITING && w->thread[b].timer == now) wake(&w->thread[b]);
}

static void delta_notification(const simulation *s, world *w) {
    for (uint32_t b = 1; b < s->p->bodies; b++)
        if (w->thread[b].resuming) w->thread[b].resuming = w->thread[b].suspended = 0;
    fire_due(s, w, NEXT_DELTA);
}

static bool somebody_can_run(const simulation *s, const world *w) {
    for (uint32_t b = 1; b < s->p->bodies; b++)
        if (is_thread(s, b) && can_run(&w->thread[b])) return true;
    return false;
}

/* --- statements ----------------------------------------------------------------------------------------- */

typedef struct runner {
    simulation *s;
    world *w;
    uint32_t body;   /* main, a thread or an update */
    int64_t *locals; /* all its slots */
    uint32_t at;
    scope scope;
} runner;

typedef enum {
    GOES_ON,
    STOPS,
    ASSUMED_AWAY,
    CHECK_FAILED,
    FAILED_INSIDE, /* a check of what the statement made run: already noted there */
    FINISHED,
    ENDLESS,
    ABSURD
} stmt_end;

static void note_violation(simulation *s, uint32_t line, bool implicit) {
    uint32_t key = 2 * line + implicit;
    for (size_t i = 0; i < s->violations.size; i++)
        if (s->violations.data[i] == key) return;
    vec_push(&s->violations, key);
}

enum { LONGEST_DELAY = 1000 };

/* A delay in time units from now; false if it is none that the oracle wants to see. */
static bool delay_of(runner *r, uint32_t expr, int32_t *out) {
    int64_t v = convert(evaluate(&r->scope, expr), TINY_ULONG);
    *out = (int32_t)v;
    return v >= 0 && v <= LONGEST_DELAY;
}

static void notify_after(world *w, unsigned event, int32_t delay) {
    if (w->event[event] == NEVER || delay < w->event[event]) w->event[event] = delay;
}

/* The event that a statement names; false after a failed check. */
static bool event_of(runner *r, const tiny_stmt *t, unsigned *event) {
    *event = (unsigned)t->number;
    if (t->target == TINY_NONE) return true;
    tiny_value index = evaluate(&r->scope, t->target);
    bool inside = index.v >= 0 && index.v < r->s->p->events;
    if (!inside) r->scope.check_failed = true;
    *event = inside ? (unsigned)index.v : 0;
    return !r->scope.check_failed;
}

static stmt_end do_event(runner *r, const tiny_stmt *t) {
    unsigned event;
    if (!event_of(r, t, &event)) return CHECK_FAILED;
    if (t->kind == STMT_NOTIFY_AFTER) {
        int32_t delay;
        bool sane = delay_of(r, t->a, &delay);
        if (r->scope.check_failed) return CHECK_FAILED;
        if (!sane) return ABSURD;
        notify_after(r->w, event, delay);
        return GOES_ON;
    }
    r->w->event[event] = NEVER;
    if (t->kind == STMT_NOTIFY) event_happens(r->s, r->w, event);
    return GOES_ON;
}

static stmt_end do_wait(runner *r, const tiny_stmt *t) {
    world_thread *me = &r->w->thread[r->body];
    int32_t timer = NEVER;
    bool timed = t->kind == STMT_WAIT_TIME || t->a != TINY_NONE;
    if (timed && !delay_of(r, t->a, &timer)) return r->scope.check_failed ? CHECK_FAILED : ABSURD;
    if (r->scope.check_failed) return CHECK_FAILED;
    if (timed && me->disabled) return ABSURD;
    unsigned event = 0;
    if (t->kind == STMT_WAIT && !event_of(r, t, &event)) return CHECK_FAILED;
    uint8_t events = t->target == TINY_NONE ? t->events : (uint8_t)(1u << event);
    me->life = LIFE_WAITING;
    me->awaited = t->kind == STMT_WAIT ? events : 0;
    me->wait_all = t->kind == STMT_WAIT && t->op;
    me->timer = timer;
    return STOPS;
}

static stmt_end do_assign(runner *r, const tiny_stmt *t) {
    tiny_type type;
    if (t->kind == STMT_RANGE) {
        int64_t v = t->number + (int64_t)script_choose(&r->s->choices, (uint32_t)(t->more - t->number + 1));
        int64_t *place = evaluate_target(&r->scope, t->target, &type);
        if (place) *place = v;
        return place ? GOES_ON : CHECK_FAILED;
    }
    tiny_value v = evaluate(&r->scope, t->a);
    if (r->scope.check_failed) return CHECK_FAILED;
    int64_t *place = evaluate_target(&r->scope, t->target, &type);
    if (!place) return CHECK_FAILED;
    if (t->kind == STMT_UPDATE) v = apply_binary(&r->scope, t->op, (tiny_value){*place, (uint8_t)type}, v);
    if (r->scope.check_failed) return CHECK_FAILED;
    *place = convert(v, type);
    return GOES_ON;
}

static stmt_end do_point(runner *r, const tiny_stmt *t) {
    tiny_type type;
    int64_t *place = evaluate_target(&r->scope, t->a, &type);
    if (!place) return CHECK_FAILED;
    *pointer_place(&r->scope, t->target) = place - r->w->cells + 1;
    return GOES_ON;
}

static stmt_end do_new(runner *r, const tiny_stmt *t) {
    tiny_heap *heap = &r->w->heap;
    unsigned slot = 0;
    while (slot < HEAP_SLOTS && heap->life[slot] != SLOT_UNUSED) slot++;
    if (slot == HEAP_SLOTS) return ABSURD;
    heap->life[slot] = SLOT_ALIVE;
    heap->value[slot] = 0;
    *pointer_place(&r->scope, t->target) = HEAP_BASE + slot;
    return GOES_ON;
}

static stmt_end do_delete(runner *r, const tiny_stmt *t) {
    int64_t pointer = pointer_value(&r->scope, t->target);
    if (!pointer) return GOES_ON;
    bool alive = pointer >= HEAP_BASE && r->w->heap.life[pointer - HEAP_BASE] == SLOT_ALIVE;
    if (!alive) return CHECK_FAILED;
    r->w->heap.life[pointer - HEAP_BASE] = SLOT_FREED;
    r->w->heap.value[pointer - HEAP_BASE] = 0;
    return GOES_ON;
}

/* Slots that no variable names are as good as unused: what they held cannot be seen any more. */
static void collect_heap(world *w) {
    bool named[HEAP_SLOTS] = {0};
    for (unsigned i = 0; i < WORLD_MOST_CELLS; i++)
        if (w->cells[i] >= HEAP_BASE && w->cells[i] < HEAP_BASE + HEAP_SLOTS)
            named[w->cells[i] - HEAP_BASE] = true;
    for (unsigned b = 0; b < TINY_MOST_BODIES; b++)
        for (unsigned i = 0; i < FLAT_SLOTS; i++) {
            int64_t v = w->locals[b][i];
            if (v >= HEAP_BASE && v < HEAP_BASE + HEAP_SLOTS) named[v - HEAP_BASE] = true;
        }
    for (unsigned k = 0; k < HEAP_SLOTS; k++)
        if (!named[k]) {
            w->heap.life[k] = SLOT_UNUSED;
            w->heap.value[k] = 0;
        }
}

static stmt_end do_suspend(runner *r, const tiny_stmt *t) {
    world_thread *victim = &r->w->thread[t->number];
    if (victim->life == LIFE_ENDED) return GOES_ON;
    if (victim->resets_at_waits || (victim->acts && (uint32_t)t->number != r->body)) return ABSURD;
    victim->suspended = 1;
    victim->resuming = 0;
    return (uint32_t)t->number == r->body ? STOPS : GOES_ON;
}

static stmt_end do_start(runner *r, const tiny_stmt *t);
static stmt_end do_control(runner *r, const tiny_stmt *t);

static stmt_end do_disable(runner *r, const tiny_stmt *t) {
    world_thread *target = &r->w->thread[t->number];
    if (target->life == LIFE_ENDED) return GOES_ON;
    if (t->kind == STMT_DISABLE && target->timer != NEVER) return ABSURD;
    target->disabled = t->kind == STMT_DISABLE;
    return GOES_ON;
}

static stmt_end do_sync_reset(runner *r, const tiny_stmt *t) {
    world_thread *target = &r->w->thread[t->number];
    if (target->life == LIFE_ENDED) return GOES_ON;
    if (target->suspended) return ABSURD;
    target->resets_at_waits = t->op;
    return GOES_ON;
}

static stmt_end do_stmt(runner *r, const tiny_stmt *t) {
    world *w = r->w;
    scope *s = &r->scope;
    s->check_failed = false;
    switch ((tiny_stmt_kind)t->kind) {
    case STMT_ASSIGN:
    case STMT_UPDATE:
    case STMT_RANGE: return do_assign(r, t);
    case STMT_POINT: return do_point(r, t);
    case STMT_NEW: return do_new(r, t);
    case STMT_DELETE: return do_delete(r, t);
    case STMT_COPY: *pointer_place(s, t->target) = pointer_value(s, t->a); return GOES_ON;
    case STMT_WAIT:
    case STMT_WAIT_TIME: return do_wait(r, t);
    case STMT_NOTIFY:
    case STMT_NOTIFY_AFTER:
    case STMT_CANCEL: return do_event(r, t);
    case STMT_SUSPEND: return do_suspend(r, t);
    case STMT_RESUME:
        if (w->thread[t->number].suspended && w->thread[t->number].disabled) return ABSURD;
        if (r->s->as_library)
            w->thread[t->number].suspended = 0;
        else if (w->thread[t->number].suspended)
            w->thread[t->number].resuming = 1;
        return GOES_ON;
    case STMT_REQUEST: w->requested |= (uint16_t)(1u << t->number); return GOES_ON;
    case STMT_ASSERT: {
        bool holds = evaluate_truth(s, t->a);
        if (s->check_failed) return CHECK_FAILED;
        if (!holds) note_violation(r->s, t->line, false);
        return GOES_ON;
    }
    case STMT_ASSUME: {
        bool holds = evaluate_truth(s, t->a);
        return s->check_failed ? CHECK_FAILED : holds ? GOES_ON : ASSUMED_AWAY;
    }
    case STMT_START: return do_start(r, t);
    case STMT_STOP: w->stopping = 1; return GOES_ON;
    case STMT_KILL:
    case STMT_RESET:
    case STMT_THROW: return do_control(r, t);
    case STMT_DISABLE:
    case STMT_ENABLE: return do_disable(r, t);
    case STMT_SYNC_RESET: return do_sync_reset(r, t);
    default: return GOES_ON;
    }
}

/* --- code ----------------------------------------------------------------------------------------------- */

/* Bodies of nested calls: the body a statement belongs to says what its locals are. */
static void enter_scope(runner *r, const code *c) {
    r->scope.locals = r->locals + c->base;
    r->scope.body = &r->s->p->body[r->s->p->stmts.data[c->stmt].owner];
}

static stmt_end do_enter(runner *r, const tiny_stmt *t, uint32_t inner) {
    const tiny_body *callee = &r->s->p->body[t->number];
    r->scope.check_failed = false;
    int64_t argument = 0;
    if (callee->parameter) {
        const tiny_expr *e = &r->s->p->exprs.data[t->a];
        bool passes_pointer = callee->local[0].pointer;
        if (passes_pointer)
            argument = e->kind == EXPR_LOCAL ? r->scope.locals[e->number] : 0;
        else
            argument = convert(evaluate(&r->scope, t->a), callee->local[0].type);
        if (r->scope.check_failed) return CHECK_FAILED;
    }
    set_locals(r->s, callee, r->locals + inner);
    if (callee->parameter) r->locals[inner] = argument;
    return GOES_ON;
}

enum { MOST_CODE_PER_STEP = 3000 };

static stmt_end run_code(runner *r) {
    for (unsigned fuel = 0; fuel < MOST_CODE_PER_STEP; fuel++) {
        const code *c = &r->s->flat.code.data[r->at++];
        const tiny_stmt *t = c->stmt == TINY_NONE ? NULL : &r->s->p->stmts.data[c->stmt];
        if (t) enter_scope(r, c);
        stmt_end end = GOES_ON;
        r->scope.check_failed = false;
        switch ((code_kind)c->kind) {
        case CODE_DO: end = do_stmt(r, t); break;
        case CODE_BRANCH:
            if (!evaluate_truth(&r->scope, t->a)) r->at = c->target;
            if (r->scope.check_failed) end = CHECK_FAILED;
            break;
        case CODE_JUMP: r->at = c->target; break;
        case CODE_COUNT: r->scope.locals[t->number] = 0; break;
        case CODE_BELOW:
            if (r->scope.locals[t->number] >= t->more) r->at = c->target;
            break;
        case CODE_STEP: r->scope.locals[t->number]++; break;
        case CODE_ENTER: end = do_enter(r, t, c->target); break;
        case CODE_LEAVE: memset(r->locals + c->target, 0, TINY_MOST_LOCALS * sizeof *r->locals); break;
        case CODE_END: return FINISHED;
        }
        if (end == CHECK_FAILED) note_violation(r->s, t->line, true);
        if (end != GOES_ON) return end;
    }
    return ENDLESS;
}

static runner runner_of(simulation *s, world *w, uint32_t body, int64_t *locals, uint32_t at) {
    return (runner){.s = s,
                    .w = w,
                    .body = body,
                    .locals = locals,
                    .at = at,
                    .scope = {.p = s->p,
                              .cells = w->cells,
                              .cell_of = s->cell_of,
                              .heap = &w->heap,
                              .time = w->time,
                              .choices = &s->choices}};
}

static stmt_end run_update(simulation *s, world *w, uint32_t body) {
    int64_t locals[FLAT_SLOTS] = {0};
    set_locals(s, &s->p->body[body], locals);
    runner r = runner_of(s, w, body, locals, s->flat.start[body]);
    stmt_end end = run_code(&r);
    return end == FINISHED ? GOES_ON : end == STOPS ? ABSURD : end;
}

/* Every requested update once, in an order that the script chooses. */
static stmt_end update_phase(simulation *s, world *w) {
    while (w->requested) {
        uint32_t pick = script_choose(&s->choices, (uint32_t)__builtin_popcount(w->requested));
        uint32_t body = 0;
        for (uint16_t rest = w->requested;; rest &= (uint16_t)(rest - 1)) {
            body = (uint32_t)__builtin_ctz(rest);
            if (!pick--) break;
        }
        w->requested &= (uint16_t) ~(1u << body);
        stmt_end end = run_update(s, w, body);
        if (end != GOES_ON) return end;
    }
    return GOES_ON;
}

/* --- processes that are killed, reset or made to throw -------------------------------------------------- */

static void end_thread(world *w, uint32_t body) {
    world_thread *t = &w->thread[body];
    *t = (world_thread){.life = LIFE_ENDED, .at = t->at, .timer = NEVER};
    memset(w->locals[body], 0, sizeof w->locals[body]);
}

/* From its beginning, or from its handler; only the latter sees what locals of the process have been. */
static void place_thread(runner *r, bool at_handler) {
    uint32_t body = r->body;
    wake(&r->w->thread[body]);
    if (at_handler) {
        memset(r->locals + TINY_MOST_LOCALS, 0, (FLAT_SLOTS - TINY_MOST_LOCALS) * sizeof *r->locals);
    } else {
        memset(r->locals, 0, FLAT_SLOTS * sizeof *r->locals);
        set_locals(r->s, &r->s->p->body[body], r->locals);
    }
    r->at = at_handler ? r->s->flat.handler[body] : r->s->flat.start[body];
}

static bool has_begun(const simulation *s, const world *w, uint32_t body) {
    const world_thread *t = &w->thread[body];
    return t->life != LIFE_UNBORN && t->at != s->flat.start[body];
}

/* Until it stops or ends. */
static stmt_end run_thread(runner *r) {
    world_thread *t = &r->w->thread[r->body];
    t->acts = 1;
    stmt_end end = run_code(r);
    t->acts = 0;
    t->at = r->at;
    if (end == FINISHED) end_thread(r->w, r->body);
    return end;
}

/* What the library calls corner cases is absurd here: control of a process that controls another one, by a
 * process under a synchronous reset, and an exception that nobody would catch. */
static stmt_end do_control(runner *r, const tiny_stmt *t) {
    uint32_t body = (uint32_t)t->number;
    world_thread *target = &r->w->thread[body];
    bool self = body == r->body, throws = t->kind == STMT_THROW;
    if (target->life == LIFE_ENDED) return GOES_ON;
    if (!self && (target->acts || r->w->thread[r->body].resets_at_waits)) return ABSURD;
    uint32_t at = self ? r->at : target->at;
    if (throws && (!has_begun(r->s, r->w, body) || at > r->s->flat.handler[body])) return ABSURD;
    if (t->kind == STMT_KILL) {
        if (r->s->begun_only && !has_begun(r->s, r->w, body)) return ABSURD;
        if (self) return FINISHED;
        end_thread(r->w, body);
        return GOES_ON;
    }
    if (self) {
        place_thread(r, throws);
        return GOES_ON;
    }
    runner other = runner_of(r->s, r->w, body, r->w->locals[body], 0);
    place_thread(&other, throws);
    stmt_end end = run_thread(&other);
    return end == FINISHED || end == STOPS ? GOES_ON : end == CHECK_FAILED ? FAILED_INSIDE : end;
}

/* --- starting ------------------------------------------------------------------------------------------- */

static stmt_end do_start(runner *r, const tiny_stmt *t) {
    world *w = r->w;
    int32_t limit = NEVER;
    if (t->a != TINY_NONE) {
        int64_t v = convert(evaluate(&r->scope, t->a), TINY_LONG);
        if (r->scope.check_failed) return CHECK_FAILED;
        if (v > LONGEST_DELAY) return ABSURD;
        if (v >= 0) limit = (int32_t)v;
    }
    if (w->stopping) return GOES_ON;
    w->limit = limit;
    w->phase = PHASE_OF_THREADS;
    if (w->initialised) return STOPS;
    w->initialised = 1;
    stmt_end end = update_phase(r->s, w);
    if (end == CHECK_FAILED) return FAILED_INSIDE;
    if (end != GOES_ON) return end;
    for (uint32_t b = 1; b < r->s->p->bodies; b++)
        if (is_thread(r->s, b) && w->thread[b].life == LIFE_UNBORN) w->thread[b].life = LIFE_RUNNABLE;
    delta_notification(r->s, w);
    return STOPS;
}

/* --- the scheduler -------------------------------------------------------------------------------------- */

static int32_t earliest_due(const simulation *s, const world *w) {
    int32_t earliest = NEVER;
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++)
        if (w->event[e] != NEVER && (earliest == NEVER || w->event[e] < earliest)) earliest = w->event[e];
    for (uint32_t b = 1; b < s->p->bodies; b++)
        if (w->thread[b].timer != NEVER && (earliest == NEVER || w->thread[b].timer < earliest))
            earliest = w->thread[b].timer;
    return earliest;
}

static void time_passes(const simulation *s, world *w, int32_t amount) {
    if (s->looks_at_time) w->time += (uint64_t)amount;
    if (w->limit != NEVER) w->limit -= amount;
    for (unsigned e = 0; e < TINY_MOST_EVENTS; e++)
        if (w->event[e] != NEVER) w->event[e] -= amount;
    for (uint32_t b = 1; b < s->p->bodies; b++)
        if (w->thread[b].timer != NEVER) w->thread[b].timer -= amount;
}

static void end_simulation(simulation *s, world *w) {
    if (!w->stopping && earliest_due(s, w) == NEVER)
        for (uint32_t b = 1; b < s->p->bodies; b++)
            if (is_thread(s, b) && w->thread[b].life != LIFE_ENDED) s->blocked |= (uint16_t)(1u << b);
    if (!w->stopping && w->limit > 0) time_passes(s, w, w->limit);
    w->limit = NEVER;
    w->phase = PHASE_OF_MAIN;
}

static stmt_end kernel_step(simulation *s, world *w) {
    if (!w->stopping || s->as_library) {
        stmt_end end = update_phase(s, w);
        if (end != GOES_ON) return end;
    }
    if (w->stopping) {
        end_simulation(s, w);
        return GOES_ON;
    }
    delta_notification(s, w);
    while (!somebody_can_run(s, w)) {
        int32_t earliest = earliest_due(s, w);
        if (earliest == NEVER || (w->limit != NEVER && earliest > w->limit)) {
            end_simulation(s, w);
            return GOES_ON;
        }
        time_passes(s, w, earliest);
        fire_due(s, w, 0);
    }
    return GOES_ON;
}

static move_end meaning(stmt_end end) {
    switch (end) {
    case ASSUMED_AWAY: return MOVE_ASSUMED_AWAY;
    case CHECK_FAILED:
    case FAILED_INSIDE: return MOVE_CHECK_FAILED;
    case ENDLESS: return MOVE_ENDLESS;
    case ABSURD: return MOVE_ABSURD;
    default: return MOVE_DONE;
    }
}

static move_end move(simulation *s, world *w, uint32_t mover) {
    if (mover == MOVER_KERNEL) return meaning(kernel_step(s, w));
    runner r = runner_of(s, w, mover, w->locals[mover], w->thread[mover].at);
    if (w->thread[mover].resets_at_waits && has_begun(s, w, mover)) place_thread(&r, false);
    stmt_end end = run_thread(&r);
    if (end != FINISHED) return meaning(end);
    if (mover != 0) return MOVE_DONE;
    w->phase = PHASE_OVER;
    return MOVE_FINISHED;
}

move_end simulation_move(simulation *s, world *w, uint32_t mover) {
    move_end end = move(s, w, mover);
    collect_heap(w);
    return end;
}
