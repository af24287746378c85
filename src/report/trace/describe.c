#include "machine/record.h"
#include "report/trace/replay.h"
#include "report/trace/sim_time.h"

/* --- texts ---------------------------------------------------------------------------------------------- */

char *take_text(text *t) {
    char *result = mem_copy_string(text_cstr(t));
    text_free(t);
    return result;
}

char *value_text(replay *r, const state *s, value v, scalar_type type) {
    text t = {0};
    value_print(&r->names, s, v, type, &t);
    return take_text(&t);
}

char *piece_text(const object_label *of, const memory_object *o, const cell_view *piece) {
    text t = {0};
    piece_name_print(of, o, piece, &t);
    return take_text(&t);
}

char *piece_value(replay *r, const state *s, const memory_object *o, const cell_view *piece) {
    bool repeated =
        !piece->v.base && piece->v.bits && piece->v.bits->width == 8 && piece->high - piece->low > 1;
    char *shown = value_text(r, s, piece->v, piece_type(o, piece));
    if (!repeated) return shown;
    text t = {0};
    text_format(&t, "%u bytes %s", piece->high - piece->low, shown);
    mem_free(shown);
    return take_text(&t);
}

/* --- what changed --------------------------------------------------------------------------------------- */

bool is_virtual_table(const char *shown) {
    return !strncmp(shown, "&_ZTV", 5);
}

/* Another expression for the same value; or which functions of an object are virtual, which nobody wrote. */
static bool tells_nothing(const char *before, const char *after) {
    return (before && !strcmp(before, after)) || is_virtual_table(after);
}

static bool is_listed_change(const trace_step *step, const char *name) {
    for (size_t i = 0; i < step->changes.size; i++)
        if (!strcmp(step->changes.data[i].name, name)) return true;
    return false;
}

static void add_change(trace_step *step, char *name, char *before, char *after) {
    /* Memory is called as the variable that gets its address. */
    bool says_itself = !strcmp(name, after) && (!before || is_listed_change(step, name));
    if (tells_nothing(before, after) || says_itself) {
        mem_free(name);
        mem_free(before);
        mem_free(after);
        return;
    }
    if (!strcmp(name, after)) {
        mem_free(after);
        after = mem_copy_string("the memory of that name");
    }
    trace_change change = {name, before, after, NULL};
    vec_push(&step->changes, change);
}

typedef struct comparison { /* of an object before and after a step */
    replay *r;
    trace_step *step;
    const state *before, *after;
    uint32_t object;
    object_label of;
    const memory_object *old, *new; /* `old` is NULL for one that did not exist */
} comparison;

/* The same bytes of the object as they were, if they were a piece then; bits NULL otherwise. */
static cell_view earlier_piece(comparison *c, const cell_view *now) {
    cell_view none = {.v = {NULL, 0}};
    if (!c->old || now->low >= bytes_of(c->old)) return none;
    const cell_type *cell = piece_cell(c->new, now);
    cell_view then =
        cell ? piece_of_cell(&c->r->names, c->old, cell, now->low) : object_view(c->old, now->low);
    return then.low == now->low && then.high == now->high ? then : none;
}

static void compare_piece(comparison *c, const cell_view *now) {
    cell_view then = earlier_piece(c, now);
    if (!now->v.bits || (then.v.bits && value_equal(then.v, now->v)) || piece_is_inner(c->new, now)) return;
    add_change(c->step, piece_text(&c->of, c->new, now),
               then.v.bits ? piece_value(c->r, c->before, c->old, &then) : NULL,
               piece_value(c->r, c->after, c->new, now));
}

/* A piece may be several cells of what the object holds, or a part of one; between cells there is padding. */
static bool is_cut_otherwise(const memory_object *o, const cell_view *piece) {
    bool is_number = piece->v.bits && !piece->v.base;
    return is_number && piece->high - piece->low > 1 && !piece_cell(o, piece) && object_layout(o)->stride > 1;
}

static void compare_cells(comparison *c, const cell_view *piece) {
    enum { MOST_CELLS = 256 };
    const layout *holds = object_layout(c->new);
    uint32_t shown = 0;
    for (uint32_t low = piece->low - piece->low % holds->stride; low < piece->high; low += holds->stride)
        for (uint32_t k = 0; k < holds->cells && shown < MOST_CELLS; k++) {
            uint32_t begin = low + holds->cell[k].offset, end = begin + scalar_bytes(holds->cell[k].type), at;
            if (begin < piece->low || end > piece->high || object_lock_at(c->new, begin, &at)) continue;
            cell_view cell = piece_of_cell(&c->r->names, c->new, &holds->cell[k], begin);
            compare_piece(c, &cell);
            shown++;
        }
}

/* The cell that begins at this byte, if it lies in several pieces. */
static bool cell_around(const memory_object *o, uint32_t byte, cell_view *out) {
    const layout *holds = object_layout(o);
    uint32_t bytes = 0;
    cell_view piece = object_view(o, byte);
    if (!holds->stride || bytes_of(o) % holds->stride) return false;
    for (uint32_t k = 0; k < holds->cells && !bytes; k++)
        if (holds->cell[k].offset == byte % holds->stride) bytes = scalar_bytes(holds->cell[k].type);
    *out = (cell_view){.low = byte, .high = byte + bytes};
    return piece.low == byte && byte + bytes > piece.high && byte + bytes <= bytes_of(o);
}

/* Returns the first byte behind what was looked at. */
static uint32_t compare_whole(comparison *c, const cell_view *cell) {
    const cell_type *type = piece_cell(c->new, cell);
    cell_view now =
        type ? piece_of_cell(&c->r->names, c->new, type, cell->low) : object_view(c->new, cell->low);
    compare_piece(c, &now);
    return now.high;
}

/* Returns the first byte behind the lock. */
static uint32_t compare_lock(comparison *c, const lock_place *lock, uint32_t begin) {
    char *then = c->old && begin + lock->bytes <= bytes_of(c->old)
                     ? lock_words(c->r, c->object, c->old, lock, begin)
                     : NULL;
    lock_note_taken(c->r, c->object, lock, begin);
    char *now = lock_words(c->r, c->object, c->new, lock, begin);
    if (now)
        add_change(c->step, lock_name(&c->of, c->new, lock, begin), then, now);
    else
        mem_free(then);
    return begin + lock->bytes;
}

static bool is_unchanged(const comparison *c, const cell_view *now) {
    if (!c->old || now->low >= bytes_of(c->old)) return false;
    cell_view then = object_view(c->old, now->low);
    return then.low == now->low && then.high == now->high && value_equal(then.v, now->v);
}

static void compare_objects(comparison *c) {
    if (c->old == c->new) return;
    uint32_t behind = 0; /* the last lock that was looked at */
    for (uint32_t k = 0; k < cells_of(c->new); k++) {
        cell_view now = object_cell_view(c->new, k);
        cell_view whole;
        uint32_t begin;
        if (now.low < behind || is_unchanged(c, &now)) continue;
        const lock_place *lock = object_lock_at(c->new, now.low, &begin);
        if (lock)
            behind = compare_lock(c, lock, begin);
        else if (is_cut_otherwise(c->new, &now))
            compare_cells(c, &now);
        else if (now.v.bits && cell_around(c->new, now.low, &whole))
            behind = compare_whole(c, &whole);
        else
            compare_piece(c, &now);
    }
}

/* Library models come without positions; a program without any hides nothing. */
bool is_of_library(const program *p, uint32_t object) {
    bool has_positions = false;
    if (object >= p->objects.size) return false;
    for (size_t i = 0; i < p->functions.size && !has_positions; i++)
        has_positions = !p->functions.data[i].hidden && p->functions.data[i].at.line;
    return program_kernel(p)->models_keep_objects && has_positions && !p->objects.data[object].at.line;
}

/* Not what gets its value before the program begins, nor what a design library keeps of a process. */
static bool is_worth_telling(const static_object *o) {
    return o->name[0] != '"' && !o->is_inner;
}

/* Variables of threads that do not exist have got their first values, too. */
static bool is_of_nobody(const static_object *o, const state *s) {
    return o->of_thread >= state_thread_count(s) ||
           (o->of_thread && status_of(thread_of(s, o->of_thread)) == THREAD_UNBORN);
}

static void compare_static_objects(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t i = 0; i < static_count_of(after); i++) {
        const static_object *o = &r->p->objects.data[i];
        if (state_object(before, i) != state_object(after, i) && !is_of_library(r->p, i) &&
            is_worth_telling(o) && !is_of_nobody(o, after))
            compare_objects(&(comparison){r, step, before, after, i, object_label_of(&r->names, after, i),
                                          state_object(before, i), state_object(after, i)});
    }
}

/* Whether a dynamic object is a variable of the runner's own frames, which are compared on their own. */
static bool is_own_local(const state *s, uint32_t runner, const memory_object *o) {
    return !heap_of(o) && (runner >= state_thread_count(s) || owner_of(o) == runner);
}

static void compare_dynamic_objects(replay *r, trace_step *step, const state *before, const state *after,
                                    uint32_t runner) {
    for (uint32_t i = 0; i < dynamic_count_of(after); i++) {
        const memory_object *new = dynamic_of(after, i).object;
        const memory_object *old = state_object(before, dynamic_of(after, i).name);
        if (new == old || is_own_local(after, runner, new)) continue;
        uint32_t object = dynamic_of(after, i).name;
        object_label of = object_label_of(&r->names, after, object);
        compare_objects(&(comparison){r, step, before, after, object, of, old, new});
    }
}

static void list_freed_objects(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t i = 0; i < dynamic_count_of(before); i++) {
        if (!heap_of(dynamic_of(before, i).object) || state_object(after, dynamic_of(before, i).name))
            continue;
        object_label of = object_label_of(&r->names, before, dynamic_of(before, i).name);
        add_change(step, mem_copy_string(of.name), mem_copy_string("allocated"), mem_copy_string("freed"));
    }
}

/* The frame at the same depth before the step, if it is the same activation as far as one can tell. */
static const frame *earlier_frame(const thread_part *before, const thread_part *after, uint32_t depth) {
    if (depth >= frame_count_of(before)) return NULL;
    return frames_of(before)[depth].function == frames_of(after)[depth].function ? &frames_of(before)[depth]
                                                                                 : NULL;
}

/* Not what a compiler made (names with a dot), nor what is said already: the object of a member function. */
static bool is_of_interest(const char *variable) {
    return variable && strcmp(variable, "this") && !strchr(variable, '.');
}

static void compare_frames(replay *r, trace_step *step, const state *before, const state *after,
                           uint32_t thread, uint32_t depth) {
    const thread_part *now = thread_of(after, thread), *then = thread_of(before, thread);
    const frame *new = &frames_of(now)[depth], *old = earlier_frame(then, now, depth);
    const function *f = &r->p->functions.data[new->function];
    if (f->hidden) return;
    size_t first = step->changes.size;
    for (uint32_t i = 0; i < f->registers.size; i++) {
        const register_info *info = &f->registers.data[i];
        value after_value = values_of(now)[new->registers + i];
        value before_value = old ? values_of(then)[old->registers + i] : (value){0};
        if (!is_of_interest(info->name) || !after_value.bits || value_equal(before_value, after_value))
            continue;
        add_change(step, mem_copy_string(info->name),
                   before_value.bits ? value_text(r, before, before_value, info->type) : NULL,
                   value_text(r, after, after_value, info->type));
    }
    for (uint32_t i = 0; i < f->locals.size; i++) {
        uint32_t name = frame_local_object(r->p, now, new, i);
        uint32_t old_name = old ? frame_local_object(r->p, then, old, i) : NO_INDEX;
        const memory_object *object = name == NO_INDEX ? NULL : state_object(after, name);
        object_label of = {.name = f->locals.data[i].name, .is_array = f->locals.data[i].is_array};
        const memory_object *earlier = old_name == NO_INDEX ? NULL : state_object(before, old_name);
        if (object && is_of_interest(f->locals.data[i].name) && !f->locals.data[i].is_made)
            compare_objects(&(comparison){r, step, before, after, name, of, earlier, object});
    }
    for (size_t i = first; i < step->changes.size; i++) step->changes.data[i].in = mem_copy_string(f->name);
}

static void compare_variables(replay *r, trace_step *step, const state *before, const state *after,
                              uint32_t thread) {
    compare_static_objects(r, step, before, after);
    compare_dynamic_objects(r, step, before, after, thread);
    list_freed_objects(r, step, before, after);
    if (thread < state_thread_count(before) && thread < state_thread_count(after))
        for (uint32_t depth = 0; depth < frame_count_of(thread_of(after, thread)); depth++)
            compare_frames(r, step, before, after, thread, depth);
}

/* --- events, threads ------------------------------------------------------------------------------------ */

static bool is_listed(char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

/* A process that ends says so to whoever waits for it, mostly to nobody. */
static bool is_heard_by_nobody(const replay *r, const state *s, uint32_t event) {
    static const char end[] = ".terminated_event";
    const char *name = r->p->events.data[event].name;
    size_t length = strlen(name), ending = sizeof end - 1;
    if (length < ending || strcmp(name + length - ending, end)) return false;
    for (uint32_t t = 0; t < state_thread_count(s); t++)
        for (uint32_t k = 0; k < wait_count_of(thread_of(s, t)); k++)
            if (waits_of(thread_of(s, t))[k].event == event) return false;
    return true;
}

void describe_notified(replay *r, const state *before, const effect *touched, trace_step *step) {
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if ((a->kind != ACCESS_NOTIFY && a->kind != ACCESS_NOTIFY_AFTER) || a->name >= r->p->events.size)
            continue;
        const char *name = r->p->events.data[a->name].name;
        if (is_heard_by_nobody(r, before, a->name)) continue;
        if (!is_listed(step->notified.data, step->notified.size, name))
            vec_push(&step->notified, mem_copy_string(name));
    }
}

void describe_joined(replay *r, const effect *touched, trace_step *step) {
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if (a->kind != ACCESS_JOIN) continue;
        const char *name = machine_thread_name(r->m, a->name);
        if (!is_listed(step->joined.data, step->joined.size, name))
            vec_push(&step->joined, mem_copy_string(name));
    }
}

static void list_waits(replay *r, trace_step *step, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    if (status_of(t) != THREAD_WAITING) return;
    text together = {0}; /* a wait for all of several events is one thing: "e & f" */
    for (uint32_t i = 0; i < wait_count_of(t); i++) {
        const char *name = r->p->events.data[waits_of(t)[i].event].name;
        if (wait_all_of(t))
            text_format(&together, "%s%s", i ? " & " : "", name);
        else
            vec_push(&step->waits, mem_copy_string(name));
    }
    if (together.size) vec_push(&step->waits, take_text(&together));
    const notification *timer = pending_for(scheduler_of(s), (uint32_t)r->p->events.size + thread);
    if (!timer) return;
    text when = {0};
    if (timer->due) {
        text_add(&when, "time ");
        sim_time_print(value_number(&r->names, timer->due), r->out->resolution, &when);
    } else {
        text_add(&when, "the next delta cycle");
    }
    vec_push(&step->waits, take_text(&when));
}

static bool can_run(const thread_part *t) {
    return status_of(t) == THREAD_RUNNABLE && !suspended_of(t);
}

static void list_woken(replay *r, trace_step *step, const state *before, const state *after,
                       uint32_t runner) {
    for (uint32_t t = 0; t < r->p->threads.size; t++)
        if (t != runner && !can_run(thread_of(before, t)) && can_run(thread_of(after, t)))
            vec_push(&step->woken, mem_copy_string(machine_thread_name(r->m, t)));
}

/* --- the whole step ------------------------------------------------------------------------------------- */

static const char *phase_name(const replay *r, const state *s) {
    static const char *const names[] = {"main", "evaluate", "update", "done"};
    if (!program_kernel(r->p)->has_delta_cycles) return "run";
    return names[phase_of(scheduler_of(s)) <= PHASE_DONE ? phase_of(scheduler_of(s)) : PHASE_DONE];
}

static void note_time(replay *r, trace_step *step, const state *before, const state *after) {
    uint64_t from = value_number(&r->names, time_of(scheduler_of(before))),
             to = value_number(&r->names, time_of(scheduler_of(after)));
    if (from == to) return;
    text old = {0}, new = {0};
    sim_time_print(from, r->out->resolution, &old);
    sim_time_print(to, r->out->resolution, &new);
    vec_push(&step->changes,
             ((trace_change){mem_copy_string("time"), take_text(&old), take_text(&new), NULL}));
}

static bool is_born(const state *s, uint32_t thread) {
    return thread < state_thread_count(s) && status_of(thread_of(s, thread)) != THREAD_UNBORN;
}

static void list_created(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t t = 1; t < state_thread_count(after); t++)
        if (is_born(after, t) && !is_born(before, t))
            vec_push(&step->created, mem_copy_string(machine_thread_name(r->m, t)));
}

/* What the thread is blocked in, if it is. */
static void list_blocking(replay *r, trace_step *step, const state *s, uint32_t thread) {
    pending next;
    machine_pending(r->m, s, thread, &next);
    if (!next.live || next.enabled) return;
    char *call = thread_call(r, s, thread);
    if (!call && next.next && next.next->size && next.next->data[0].kind == ACCESS_READ) {
        text what = {0};
        char *cell = access_cell(r, s, &next.next->data[0]);
        text_format(&what, "a change of %s", cell);
        mem_free(cell);
        call = take_text(&what);
    }
    if (call) vec_push(&step->waits, call);
}

/* A process of a design that begins to run: a method does so each time. */
static void begin_at(const replay *r, uint32_t function, trace_step *step) {
    const struct function *f = &r->p->functions.data[function];
    mem_free(step->file);
    mem_free(step->function);
    step->from = f->at;
    step->file = f->file ? mem_copy_string(f->file) : NULL;
    step->function = mem_copy_string(f->name);
}

/* Describes one step of the trace: a thread (or the scheduler) took the program from `before` to `after`. */
void describe_step(replay *r, const state *before, const state *after, transition by, trace_step *step) {
    const kernel_traits *kernel = program_kernel(r->p);
    uint32_t thread = by.thread;
    step->thread =
        mem_copy_string(thread == MACHINE_KERNEL ? "scheduler" : machine_thread_name(r->m, thread));
    step->phase = phase_name(r, before);
    step->time = value_number(&r->names, time_of(scheduler_of(before)));
    step->delta = delta_of(scheduler_of(before));
    if (thread < state_thread_count(before)) {
        step->from = kernel->steps_are_operations ? operation_position(r, before, thread)
                                                  : thread_position(r->p, thread_of(before, thread));
        step->file = thread_file(r->p, thread_of(before, thread));
        step->function = mem_copy_string(thread_function(r->p, thread_of(before, thread)));
        bool is_process = kernel->waits_for_events && phase_of(scheduler_of(before)) == PHASE_EVALUATE;
        if (is_process && !step->from.line && r->entered != NO_INDEX) begin_at(r, r->entered, step);
        step->depth = thread_visible_depth(r->p, thread_of(before, thread));
        if (step->from.line) describe_stack(r->p, thread_of(before, thread), &step->stack);
        step->to = thread_position(r->p, thread_of(after, thread));
        step->to_file = thread_file(r->p, thread_of(after, thread));
        step->thread_ended = status_of(thread_of(after, thread)) == THREAD_ENDED;
        step->stuck = status_of(thread_of(after, thread)) == THREAD_STUCK;
        step->looping = thread_goes_round(status_of(thread_of(after, thread))) ||
                        status_of(thread_of(after, thread)) == THREAD_DRAWING;
        list_waits(r, step, after, thread);
        if (kernel->steps_are_operations) step->call = thread_told_call(r, before, thread);
        if (kernel->steps_are_operations) list_blocking(r, step, after, thread);
    }
    describe_inputs(r, step, before, after, by);
    note_time(r, step, before, after);
    if (!r->p->elaboration.pending) compare_variables(r, step, before, after, thread); /* all of a design */
    if (kernel->creates_threads) list_created(r, step, before, after);
    if (kernel->waits_for_events) list_woken(r, step, before, after, thread);
}
