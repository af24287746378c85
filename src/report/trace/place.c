#include "machine/record.h"
#include "report/trace/replay.h"

static const function *function_of(const program *p, const frame *f) {
    return &p->functions.data[f->function];
}

static const instruction *instruction_at(const program *p, const frame *f, uint32_t index) {
    const block *b = &function_of(p, f)->blocks.data[f->block];
    return index < b->code.size ? &b->code.data[index] : NULL;
}

const instruction *thread_next_instruction(const program *p, const thread_part *t) {
    return frame_count_of(t) ? instruction_at(p, top_frame(t), top_frame(t)->index) : NULL;
}

char *thread_file(const program *p, const thread_part *t) {
    const function *f = thread_visible_function(p, t);
    return f && f->file ? mem_copy_string(f->file) : NULL;
}

const char *thread_function(const program *p, const thread_part *t) {
    const function *f = thread_visible_function(p, t);
    return f ? f->name : "";
}

void add_place_after(const program *p, const char *word, const char *file, position at, text *out) {
    if (at.line)
        text_format(out, "%s %s:%u:%u", word, trace_short_file(file ? file : p->file), at.line, at.column);
}

void add_place(const program *p, const char *file, position at, text *out) {
    add_place_after(p, " at", file, at, out);
}

void describe_stack(const program *p, const thread_part *t, trace_stack *out) {
    enum { MOST_CALLERS = 64 };
    uint32_t depth = thread_visible_depth(p, t);
    while (depth != NO_INDEX && depth-- > 0 && out->size < MOST_CALLERS) {
        const frame *f = &frames_of(t)[depth];
        const function *in = function_of(p, f);
        const instruction *call = f->index ? instruction_at(p, f, f->index - 1) : NULL;
        /* what calls main is no text */
        bool is_start = program_kernel(p)->start_calls_main && in->role == FUNCTION_MAIN;
        if (in->hidden || is_start || !call || !call->at.line) continue;
        vec_push(out, ((trace_frame){mem_copy_string(in->name), in->file ? mem_copy_string(in->file) : NULL,
                                     call->at}));
    }
}

static bool is_printable_argument(const register_info *info, value v) {
    return v.bits && info->type.width;
}

/* A lock that is the first member of something has its address, too: functions of locks mean the lock. */
static bool print_lock_argument(replay *r, const state *s, const char *function, value v, text *out) {
    static const char *const prefixes[] = {
        "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "sem_",
        "mtx_",           "cnd_"};
    bool is_of_locks = false;
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
        is_of_locks |= !strncmp(function, prefixes[k], strlen(prefixes[k]));
    uint32_t object = is_of_locks && v.base && !value_is_fragment(v) ? value_object(v) : NO_INDEX, begin;
    const memory_object *o = object == NO_INDEX ? NULL : state_object(s, object);
    uint64_t at = o ? value_number(&r->names, v.bits) : 0;
    if (!o || freed_of(o) || at >= bytes_of(o)) return false;
    const lock_place *lock = object_lock_at(o, (uint32_t)at, &begin);
    if (!lock || begin != at) return false;
    object_label of = object_label_of(&r->names, s, object);
    char *name = lock_name(&of, o, lock, begin);
    /* &*name is the pointer itself */
    text_format(out, "%s%s", *name == '*' ? "" : "&", *name == '*' ? name + 1 : name);
    mem_free(name);
    return true;
}

char *thread_call(replay *r, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    uint32_t depth = thread_visible_depth(r->p, t);
    if (depth == NO_INDEX || depth + 1 >= frame_count_of(t)) return NULL;
    const frame *called = &frames_of(t)[depth + 1];
    const function *f = function_of(r->p, called);
    text out = {0};
    text_format(&out, "%s(", f->name);
    for (uint32_t i = 0; i < f->parameters; i++) {
        value v = values_of(t)[called->registers + i];
        if (i) text_add(&out, ", ");
        if (is_printable_argument(&f->registers.data[i], v) && !print_lock_argument(r, s, f->name, v, &out))
            value_print(&r->names, s, v, f->registers.data[i].type, &out);
        else if (!is_printable_argument(&f->registers.data[i], v))
            text_char(&out, '?');
    }
    text_char(&out, ')');
    return take_text(&out);
}

/* A call may take several steps; which of them comes next. */
static const char *part_of_call(const program *p, const thread_part *t, uint32_t called) {
    static const struct {
        const char *function, *does;
    } parts[] = {{"release_and_enter", "gives the lock away and waits"},
                 {"__model_wait_to_be_woken", "is woken"},
                 {"__model_stop_waiting", "stops waiting"}};
    for (uint32_t depth = called + 1; depth < frame_count_of(t); depth++) {
        const char *name = function_of(p, &frames_of(t)[depth])->name;
        const char *caller = function_of(p, &frames_of(t)[depth - 1])->name;
        if (!strcmp(name, "pthread_mutex_lock") && !strncmp(caller, "pthread_cond_", 13))
            return "takes the lock again";
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            if (!strcmp(name, parts[k].function)) return parts[k].does;
    }
    return NULL;
}

char *thread_told_call(replay *r, const state *s, uint32_t thread) {
    const thread_part *t = thread_of(s, thread);
    uint32_t depth = thread_visible_depth(r->p, t);
    if (depth == NO_INDEX || depth + 1 >= frame_count_of(t)) return NULL;
    const function *f = function_of(r->p, &frames_of(t)[depth + 1]);
    if (function_is_of_cxx(f)) return NULL;
    char *call = thread_call(r, s, thread);
    const char *part = part_of_call(r->p, t, depth + 1);
    if (!part) return call;
    text whole = {0};
    text_format(&whole, "%s: %s", call, part);
    mem_free(call);
    return take_text(&whole);
}

bool step_begins_with_operation(machine *m, const state *s, uint32_t thread) {
    pending next;
    const thread_part *t = thread_of(s, thread);
    bool is_new = frame_count_of(t) == 1 && !frames_of(t)[0].block && !frames_of(t)[0].index;
    if (!is_new) return true;
    machine_pending(m, s, thread, &next);
    if (!next.live || (next.next && next.next->size)) return true;
    const instruction *i = thread_next_instruction(machine_program(m), t);
    return i && i->kind == INSTR_SYNC &&
           (i->sync == SYNC_ATOMIC_BEGIN || i->sync == SYNC_AWAIT || i->sync == SYNC_JOIN);
}

void input_name_print(machine *m, const state *s, value name, uint32_t input, text *out) {
    size_t before = out->size;
    output_read_text(m, s, name, out);
    if (out->size == before) text_add(out, machine_program(m)->inputs.data[input].name);
}

char *thread_task(const machine *m, uint32_t thread) {
    text task = {0};
    machine_thread_task(m, thread, &task);
    return take_text(&task);
}

size_t thread_birth_rank(const machine *m, const machine_names *known, const state *s, uint32_t t) {
    const thread_birth *birth = &known->threads.data[t - 1];
    char *task = thread_task(m, t);
    size_t rank = 0;
    for (uint32_t k = 1; k <= known->threads.size && k < state_thread_count(s); k++) {
        const thread_birth *other = &known->threads.data[k - 1];
        if (status_of(thread_of(s, k)) == THREAD_UNBORN || other->creator != birth->creator ||
            other->count >= birth->count)
            continue;
        char *others = thread_task(m, k);
        rank += !strcmp(others, task);
        mem_free(others);
    }
    mem_free(task);
    return rank;
}
