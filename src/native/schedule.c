#include "native/schedule.h"

#include "base/invariant.h"
#include "explore/player.h"
#include "machine/look.h"
#include "machine/record.h"
#include "machine/setup.h"
#include "machine/watch.h"

typedef struct place_count {
    uint32_t thread;
    operation_kind kind;
    position at;
    uint32_t count; /* since the thread's last operation */
} place_count;

typedef struct open_call { /* the library function that a thread is inside of */
    bool open;
    uint32_t depth; /* of the calling frame */
    uint32_t last;  /* its last operation, or NO_INDEX */
    bool draws;     /* an unknown value was drawn in it */
} open_call;

typedef struct walk {
    player at; /* goes instruction by instruction */
    const program *p;
    const valuation *inputs;
    unsigned stops; /* of the path */
    schedule *out;
    uint32_t stepping; /* the thread that makes the present step */
    VEC(place_count) counts;
    VEC(open_call) calls;  /* by thread */
    VEC(uint32_t) drawing; /* functions of the library that drew unknown values */
    /* The next instruction is the operation itself: not one to be skipped before another. */
    bool at_operation;
} walk;

enum { MOST_INSTRUCTIONS = 2000000 }; /* of the whole path */

/* --- places --------------------------------------------------------------------------------------------- */

static const function *function_at(const walk *w, const thread_part *t, uint32_t depth) {
    assert(depth < frame_count_of(t));
    return &w->p->functions.data[frames_of(t)[depth].function];
}

static const instruction *instruction_at(const walk *w, const thread_part *t, uint32_t depth, uint32_t back) {
    const frame *f = &frames_of(t)[depth];
    const block *b = &function_at(w, t, depth)->blocks.data[f->block];
    return f->index >= back && f->index - back < b->code.size ? &b->code.data[f->index - back] : NULL;
}

/* Depth of the innermost frame of the program itself; NO_INDEX: none. */
static uint32_t user_depth(const walk *w, const thread_part *t) {
    for (uint32_t d = frame_count_of(t); d-- > 0;)
        if (!function_at(w, t, d)->hidden) return d;
    return NO_INDEX;
}

static bool is_memory_access(const instruction *i) {
    switch (i->kind) {
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_COPY:
    case INSTR_FILL: return true;
    case INSTR_SYNC: return i->sync == SYNC_ATOMIC_BEGIN;
    default: return false;
    }
}

static bool is_atomic_function(const function *f) {
    return !strncmp(f->name, "__VERIFIER_atomic_", strlen("__VERIFIER_atomic_"));
}

/* What the thread does next, as the compiled program sees it. False: nothing that is counted there. */
static bool next_place(const walk *w, const thread_part *t, operation_kind *kind, position *at) {
    uint32_t depth = user_depth(w, t);
    if (depth == NO_INDEX) return false;
    bool inside = depth + 1 < frame_count_of(t);
    const instruction *i = instruction_at(w, t, depth, inside ? 1 : 0);
    if (!i) return false;
    *at = i->at;
    *kind = inside ? OPERATION_CALL : OPERATION_MEMORY;
    if (inside) return true;
    if (i->kind == INSTR_SYNC && i->sync == SYNC_ATOMIC_BEGIN && is_atomic_function(function_at(w, t, depth)))
        *kind = OPERATION_SECTION;
    return is_memory_access(i);
}

static place_count *place_count_of(walk *w, uint32_t thread, operation_kind kind, position at) {
    for (size_t i = 0; i < w->counts.size; i++) {
        place_count *c = &w->counts.data[i];
        if (c->thread == thread && c->kind == kind && c->at.line == at.line && c->at.column == at.column)
            return c;
    }
    vec_push(&w->counts, ((place_count){thread, kind, at, 0}));
    return &vec_last(&w->counts);
}

static void forget_counts(walk *w, uint32_t thread) {
    size_t kept = 0;
    for (size_t i = 0; i < w->counts.size; i++)
        if (w->counts.data[i].thread != thread) w->counts.data[kept++] = w->counts.data[i];
    w->counts.size = kept;
}

static open_call *call_of(walk *w, uint32_t thread) {
    while (w->calls.size <= thread) vec_push(&w->calls, ((open_call){.last = NO_INDEX}));
    return &w->calls.data[thread];
}

/* --- operations ----------------------------------------------------------------------------------------- */

/* The thread stands before a visible operation. */
static void add_operation(walk *w, uint32_t thread) {
    operation o = {.thread = thread};
    if (!next_place(w, thread_of(w->at.now, thread), &o.kind, &o.at)) return;
    open_call *call = call_of(w, thread);
    if (o.kind == OPERATION_CALL) {
        o.continued = call->open && call->last != NO_INDEX;
        uint32_t seen = place_count_of(w, thread, o.kind, o.at)->count;
        o.skip = !o.continued && seen ? seen - 1 : 0; /* the call itself was counted when it was entered */
        call->last = (uint32_t)w->out->operations.size;
    } else {
        o.skip = place_count_of(w, thread, o.kind, o.at)->count;
    }
    forget_counts(w, thread);
    w->at_operation = true;
    vec_push(&w->out->operations, o);
}

static uint64_t number_of(const walk *w, value v) {
    return !v.bits || v.base       ? 0
           : term_is_const(v.bits) ? v.bits->value
                                   : term_evaluate(machine_terms(w->at.m), v.bits, w->inputs);
}

/* Where the program itself draws an input: by a call, of a library function or of one that the
 * front end knows. */
static void note_input(walk *w, const state *after, uint32_t thread, const instruction *i) {
    const thread_part *t = thread_of(after, thread);
    uint32_t depth = frame_count_of(t) ? user_depth(w, t) : NO_INDEX;
    if (i->kind != INSTR_INPUT || depth == NO_INDEX) return;
    const instruction *call = depth + 1 < frame_count_of(t) ? instruction_at(w, t, depth, 1) : i;
    value v = values_of(t)[frames_of(t)[frame_count_of(t) - 1].registers + i->dst];
    if (call) vec_push(&w->out->inputs, ((drawn){thread, call->at, number_of(w, v)}));
    if (call == i) /* the front end knows it: this is what the call gives */
        vec_push(&w->out->results, ((given){thread, i->at, number_of(w, v), NO_INDEX}));
    call_of(w, thread)->draws = true;
}

/* machine_watch.prints */
static void note_handed(void *data, const state *s, print_form form, const value *given, uint32_t count) {
    walk *w = data;
    const thread_part *t = thread_of(s, w->stepping);
    uint32_t depth = frame_count_of(t) ? user_depth(w, t) : NO_INDEX;
    if (form != PRINT_HANDED || depth == NO_INDEX || depth + 1 >= frame_count_of(t)) return;
    const instruction *call = instruction_at(w, t, depth, 1);
    for (uint32_t k = 0; call && k < count; k++)
        vec_push(&w->out->handed, ((drawn){w->stepping, call->at, number_of(w, given[k])}));
}

/* --- blocks --------------------------------------------------------------------------------------------- */

static void note_block(walk *w, const state *after, uint32_t thread, const instruction *i) {
    const thread_part *t = thread_of(after, thread);
    if (i->kind != INSTR_ALLOC || !frame_count_of(t)) return;
    value v = values_of(t)[frames_of(t)[frame_count_of(t) - 1].registers + i->dst];
    const memory_object *o = value_object(v) == NO_INDEX ? NULL : state_object(after, value_object(v));
    uint32_t depth = user_depth(w, t);
    const instruction *call =
        depth != NO_INDEX && depth + 1 < frame_count_of(t) ? instruction_at(w, t, depth, 1) : NULL;
    if (o && heap_of(o) && call)
        vec_push(&w->out->blocks, ((block_made){thread, call->at, value_object(v), bytes_of(o), NO_INDEX}));
}

static block_made *find_block(schedule *s, uint32_t object) {
    for (size_t i = 0; i < s->blocks.size; i++)
        if (s->blocks.data[i].object == object) return &s->blocks.data[i];
    return NULL;
}

static void change_slots(schedule *s, uint32_t from, uint32_t to) {
    for (size_t i = 0; i < s->blocks.size; i++)
        if (s->blocks.data[i].slot == from) s->blocks.data[i].slot = to;
}

/* machine_watch.places */
static void note_question(void *data, const term *symbol, uint64_t preset) {
    (void)symbol, (void)preset;
    ((walk *)data)->out->asks_places = true;
}

/* machine_watch.lies */
static void note_same_place(void *data, const state *s, uint32_t one, uint32_t other, lie_kind how) {
    (void)s;
    schedule *out = ((walk *)data)->out;
    block_made *a = find_block(out, one), *b = find_block(out, other);
    if (how != LIES_WHERE_WAS || !a || !b) return;
    if (a->slot == NO_INDEX) a->slot = out->slots++;
    if (b->slot == NO_INDEX)
        b->slot = a->slot;
    else
        change_slots(out, b->slot, a->slot);
}

/* The call by the frame at `depth` has returned. */
static void note_result(walk *w, const thread_part *then, uint32_t thread, uint32_t depth, position at,
                        value v) {
    uint32_t function = frames_of(then)[depth + 1].function;
    if (call_of(w, thread)->draws) vec_push(&w->drawing, function);
    if (v.bits && !v.base) vec_push(&w->out->results, ((given){thread, at, number_of(w, v), function}));
}

static bool draws_inputs(const walk *w, uint32_t function) {
    for (size_t i = 0; i < w->drawing.size; i++)
        if (w->drawing.data[i] == function) return true;
    return false;
}

/* All calls of a function count, also those that drew nothing: the run-time goes through them in order. */
static void keep_unknown_results(walk *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->out->results.size; i++)
        if (w->out->results.data[i].function == NO_INDEX || draws_inputs(w, w->out->results.data[i].function))
            w->out->results.data[kept++] = w->out->results.data[i];
    w->out->results.size = kept;
}

static void note_creations(walk *w, const state *before, const state *after, uint32_t thread) {
    for (uint32_t t = 1; t < state_thread_count(after); t++) {
        bool was = t < state_thread_count(before) && status_of(thread_of(before, t)) != THREAD_UNBORN;
        if (was || status_of(thread_of(after, t)) == THREAD_UNBORN) continue;
        vec_push(&w->out->creations, ((creation){thread, threads_made_of(thread_of(before, thread)), t}));
    }
}

/* Keeps count of what the compiled program meets, and of calls into the library. */
static void note_instruction(walk *w, const state *after, uint32_t thread, const instruction *i) {
    const thread_part *then = thread_of(w->at.now, thread), *now = thread_of(after, thread);
    uint32_t depth = user_depth(w, then);
    open_call *call = call_of(w, thread);
    bool was_inside = depth != NO_INDEX && depth + 1 < frame_count_of(then);
    uint32_t now_depth = frame_count_of(now) ? user_depth(w, now) : NO_INDEX;
    bool is_inside = now_depth != NO_INDEX && now_depth + 1 < frame_count_of(now);
    if (!was_inside && is_inside) {
        *call = (open_call){.open = true, .depth = now_depth, .last = NO_INDEX};
        place_count_of(w, thread, OPERATION_CALL, i->at)->count++;
    } else if (!was_inside && is_memory_access(i) && !w->at_operation) {
        place_count_of(w, thread, OPERATION_MEMORY, i->at)->count++;
    } else if (was_inside && !is_inside && call->open) {
        const instruction *called = instruction_at(w, then, depth, 1);
        bool gives = called && called->kind == INSTR_CALL && called->dst != NO_INDEX && now_depth == depth;
        assert(call->last == NO_INDEX || w->out->operations.data[call->last].thread == thread);
        if (gives) {
            value v = values_of(now)[frames_of(now)[depth].registers + called->dst];
            if (call->last != NO_INDEX)
                w->out->operations.data[call->last].result = (int64_t)(int32_t)number_of(w, v);
            note_result(w, then, thread, depth, called->at, v);
        }
        call->open = false;
    }
    w->at_operation = false;
}

/* --- the path ------------------------------------------------------------------------------------------- */

static bool stands_alike(const thread_part *a, const thread_part *b) {
    if (frame_count_of(a) != frame_count_of(b) || !frame_count_of(a))
        return frame_count_of(a) == frame_count_of(b);
    const frame *f = &frames_of(a)[frame_count_of(a) - 1], *g = &frames_of(b)[frame_count_of(b) - 1];
    return f->block == g->block && f->index == g->index;
}

/* One instruction of the step, or none if it is over; false: the path ends here. */
static bool take_instruction(walk *w, transition by, bool begins) {
    uint32_t thread = by.thread;
    const thread_part *t = thread_of(w->at.now, thread);
    const instruction *i = frame_count_of(t) ? instruction_at(w, t, frame_count_of(t) - 1, 0) : NULL;
    w->stepping = thread;
    if (begins)
        player_look(&w->at, by);
    else
        player_look_at_thread(&w->at, thread);
    const successor *next = player_going_on(&w->at);
    if (!next || !i) return next != NULL;
    if (running_of(scheduler_of(next->to)) != NO_INDEX || !stands_alike(t, thread_of(next->to, thread))) {
        note_instruction(w, next->to, thread, i);
        note_input(w, next->to, thread, i);
        note_block(w, next->to, thread, i);
        note_creations(w, w->at.now, next->to, thread);
    }
    player_take(&w->at, next);
    return true;
}

static bool is_alone(const state *s) {
    return state_thread_count(s) == 1;
}

/* The thread, with all its calls. */
static bool stands_as(const thread_part *a, const thread_part *b) {
    if (frame_count_of(a) != frame_count_of(b)) return false;
    for (uint32_t k = 0; k < frame_count_of(a); k++) {
        const frame *f = &frames_of(a)[k], *g = &frames_of(b)[k];
        if (f->function != g->function || f->block != g->block || f->index != g->index) return false;
    }
    return true;
}

/* What one step of the path leads to, and after how many instructions; NULL: it ends there. */
static state *end_of_step(const walk *w, transition by, uint64_t *instructions) {
    uint64_t before = machine_stats(w->at.m)->instructions;
    step_options whole = {.stops = w->stops, .inputs = w->inputs, .replay = true};
    player p = player_begin_at(w->at.m, w->at.now, &whole);
    player_look(&p, by);
    const successor *next = player_going_on(&p);
    state *end = next ? state_share(next->to) : NULL;
    player_end(&p);
    *instructions = machine_stats(w->at.m)->instructions - before;
    return end;
}

/* One step of the path, instruction by instruction. It may be a piece of what the machine would
 * do at once. */
static bool walk_step(walk *w, transition by, uint32_t *budget) {
    uint32_t thread = by.thread;
    uint64_t whole;
    state *end = end_of_step(w, by, &whole);
    uint64_t begun = machine_stats(w->at.m)->instructions;
    bool begins = true, goes_on = true, at_end;
    if (!is_alone(w->at.now) && step_begins_with_operation(w->at.m, w->at.now, thread))
        add_operation(w, thread);
    do {
        goes_on = *budget && take_instruction(w, by, begins);
        begins = false;
        *budget -= goes_on;
        /* In a loop it may stand there before the step is over. */
        at_end = end && machine_stats(w->at.m)->instructions - begun >= whole &&
                 stands_as(thread_of(w->at.now, thread), thread_of(end, thread));
    } while (goes_on && !at_end);
    if (end && goes_on) player_move_to(&w->at, end);
    state_release(w->at.m, end);
    return goes_on;
}

static void list_tails(walk *w) {
    for (uint32_t t = 0; t < state_thread_count(w->at.now); t++) {
        uint32_t tail = 0;
        for (size_t i = 0; i < w->counts.size; i++)
            if (w->counts.data[i].thread == t) tail += w->counts.data[i].count;
        const open_call *call = call_of(w, t);
        /* It must not begin that call before the end. */
        bool waits_inside = call->open && call->last == NO_INDEX;
        if (waits_inside && tail) tail--;
        vec_push(&w->out->tails, tail);
    }
}

bool schedule_build(machine *m, const trace_request *wanted, schedule *out) {
    *out = (schedule){.end = wanted->end};
    walk w = {.p = machine_program(m), .inputs = wanted->inputs, .stops = wanted->stops, .out = out};
    machine_watch watch = {
        .data = &w, .prints = note_handed, .places = note_question, .lies = note_same_place};
    step_options one = {.stops = STOP_INSTRUCTION | (w.stops & STOP_HEAP_ORDER),
                        .inputs = w.inputs,
                        .replay = true,
                        .watch = &watch};
    uint32_t budget = MOST_INSTRUCTIONS;
    bool followed = true;
    w.at = player_begin(m, &one);
    for (size_t i = 0; i < wanted->path->size && followed; i++) {
        bool last = i + 1 == wanted->path->size;
        followed = walk_step(&w, wanted->path->data[i].by, &budget) || (last && wanted->end == ENDS_IN_CHECK);
    }
    if (followed && wanted->end == ENDS_IN_RACE)
        for (int i = 0; i < 2; i++) add_operation(&w, wanted->racing[i]);
    list_tails(&w);
    assert(out->tails.size == state_thread_count(w.at.now)); /* one for each thread */
    keep_unknown_results(&w);
    player_end(&w.at);
    vec_free(&w.counts);
    vec_free(&w.calls);
    vec_free(&w.drawing);
    return followed && budget;
}

void schedule_free(schedule *s) {
    vec_free(&s->operations);
    vec_free(&s->creations);
    vec_free(&s->inputs);
    vec_free(&s->handed);
    vec_free(&s->results);
    vec_free(&s->blocks);
    vec_free(&s->tails);
}

/* --- tables --------------------------------------------------------------------------------------------- */

/* How much a slot must hold. */
static uint64_t slot_bytes(const schedule *s, uint32_t slot) {
    uint64_t most = 0;
    for (size_t i = 0; i < s->blocks.size; i++)
        if (s->blocks.data[i].slot == slot && s->blocks.data[i].bytes > most) most = s->blocks.data[i].bytes;
    return most;
}

static void print_blocks(const schedule *s, text *out) {
    text_add(out, "const struct block heddle_blocks[] = {\n");
    for (size_t i = 0; i < s->blocks.size; i++) {
        const block_made *b = &s->blocks.data[i];
        assert(b->slot == NO_INDEX || b->slot < s->slots);
        text_format(out, "    {%u, %u, %u, %d},\n", b->thread, b->at.line, b->at.column, (int)b->slot);
    }
    text_add(out, "    {-1, 0, 0, -1}};\nstruct slot heddle_slots[] = {\n");
    for (uint32_t k = 0; k < s->slots; k++)
        text_format(out, "    {0, %llu},\n", (unsigned long long)slot_bytes(s, k));
    text_format(out, "    {0, 0}};\nconst int heddle_block_count = %zu, heddle_slot_count = %u;\n",
                s->slots ? s->blocks.size : 0, s->slots);
    text_format(out, "const int heddle_keeps_freed = %d;\n", s->asks_places);
}

static void print_number(uint32_t thread, position at, uint64_t value, text *out) {
    text_format(out, "    {%u, %u, %u, %lluu},\n", thread, at.line, at.column, (unsigned long long)value);
}

static void print_drawn(const char *name, const drawn *list, size_t count, text *out) {
    text_format(out, "const int heddle_%s_count = %zu;\nconst struct drawn heddle_%s[] = {\n", name, count,
                name);
    for (size_t i = 0; i < count; i++) print_number(list[i].thread, list[i].at, list[i].value, out);
    text_add(out, "    {-1, 0, 0, 0}};\n");
}

void schedule_print(const schedule *s, text *out) {
    static const int ends[] = {[ENDS_ANYHOW] = 0,
                               [ENDS_IN_CHECK] = 0,
                               [ENDS_IN_DEADLOCK] = 1,
                               [ENDS_IN_LIVELOCK] = 1,
                               [ENDS_IN_RACE] = 2};
    print_blocks(s, out);
    text_add(out, "const struct operation heddle_operations[] = {\n");
    for (size_t i = 0; i < s->operations.size; i++) {
        const operation *o = &s->operations.data[i];
        text_format(out, "    {%u, %d, %u, %u, %u, %d, %lld},\n", o->thread, o->kind, o->at.line,
                    o->at.column, o->skip, o->continued, (long long)o->result);
    }
    text_add(out, "    {-1, 0, 0, 0, 0, 0, 0}};\nconst struct creation heddle_creations[] = {\n");
    for (size_t i = 0; i < s->creations.size; i++) {
        const creation *c = &s->creations.data[i];
        text_format(out, "    {%u, %u, %u},\n", c->creator, c->count, c->created);
    }
    text_add(out, "    {-1, 0, 0}};\n");
    print_drawn("drawn", s->inputs.data, s->inputs.size, out);
    print_drawn("handed", s->handed.data, s->handed.size, out);
    text_add(out, "const struct drawn heddle_results[] = {\n");
    for (size_t i = 0; i < s->results.size; i++)
        print_number(s->results.data[i].thread, s->results.data[i].at, s->results.data[i].value, out);
    text_add(out, "    {-1, 0, 0, 0}};\nconst int heddle_tails[] = {");
    for (size_t i = 0; i < s->tails.size; i++) text_format(out, "%u, ", s->tails.data[i]);
    text_format(out, "0};\nconst int heddle_tail_count = %zu;\n", s->tails.size);
    text_format(out, "const int heddle_operation_count = %zu, heddle_creation_count = %zu;\n",
                s->operations.size, s->creations.size);
    text_format(out, "const int heddle_result_count = %zu;\n", s->results.size);
    text_format(out, "const int heddle_end = %d, heddle_racing_first = %zu;\n", ends[s->end],
                s->end == ENDS_IN_RACE && s->operations.size >= 2 ? s->operations.size - 2
                                                                  : s->operations.size);
}
