#include "report/replay.h"

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

char *cell_text(const char *base, bool is_array, const layout *shape, uint32_t cell) {
    text t = {0};
    cell_name_print(base, is_array, shape, cell, &t);
    return take_text(&t);
}

static const char *thread_name(const program *p, uint32_t thread) {
    return thread < p->threads.size ? p->threads.data[thread].name : "scheduler";
}

/* --- what changed --------------------------------------------------------------------------------------- */

static void add_change(trace_step *step, char *name, char *before, char *after) {
    if (before && !strcmp(before, after)) { /* another expression for the same value */
        mem_free(name);
        mem_free(before);
        mem_free(after);
        return;
    }
    trace_change change = {name, before, after};
    vec_push(&step->changes, change);
}

/* `old` is NULL for an object that did not exist before. */
static void compare_objects(replay *r, trace_step *step, const state *before, const state *after,
                            const char *name, bool is_array, const memory_object *old,
                            const memory_object *new) {
    if (old == new) return;
    for (uint32_t cell = 0; cell < new->cells; cell++) {
        bool existed = old && cell < old->cells && old->cell[cell].bits;
        if (!new->cell[cell].bits || (existed && value_equal(old->cell[cell], new->cell[cell]))) continue;
        scalar_type type = new->shape->cell[cell % new->shape->cells].type;
        add_change(step, cell_text(name, is_array, new->shape, cell),
                   existed ? value_text(r, before, old->cell[cell], type) : NULL,
                   value_text(r, after, new->cell[cell], type));
    }
}

static void compare_static_objects(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t i = 0; i < after->static_count; i++) {
        const static_object *o = &r->p->objects.data[i];
        compare_objects(r, step, before, after, o->name, o->is_array, before->objects[i], after->objects[i]);
    }
}

static void compare_heap_objects(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t i = 0; i < after->dynamic_count; i++) {
        const memory_object *new = after->dynamic[i].object;
        if (!new->heap) continue;
        text name = {0};
        object_name_print(&r->names, after, after->dynamic[i].name, &name);
        compare_objects(r, step, before, after, text_cstr(&name), new->count > 1,
                        state_object(before, after->dynamic[i].name), new);
        text_free(&name);
    }
}

static void list_freed_objects(replay *r, trace_step *step, const state *before, const state *after) {
    for (uint32_t i = 0; i < before->dynamic_count; i++) {
        if (!before->dynamic[i].object->heap || state_object(after, before->dynamic[i].name)) continue;
        text name = {0};
        object_name_print(&r->names, before, before->dynamic[i].name, &name);
        add_change(step, take_text(&name), mem_copy_string("allocated"), mem_copy_string("freed"));
    }
}

/* The frame at the same depth before the step, if it is the same activation as far as one can tell. */
static const frame *earlier_frame(const thread_part *before, const thread_part *after, uint32_t depth) {
    if (depth >= before->frame_count) return NULL;
    return before->frames[depth].function == after->frames[depth].function ? &before->frames[depth] : NULL;
}

static void compare_frames(replay *r, trace_step *step, const state *before, const state *after,
                           uint32_t thread, uint32_t depth) {
    const thread_part *now = after->threads[thread], *then = before->threads[thread];
    const frame *new = &now->frames[depth], *old = earlier_frame(then, now, depth);
    const function *f = &r->p->functions.data[new->function];
    for (uint32_t i = 0; i < f->registers.size; i++) {
        const register_info *info = &f->registers.data[i];
        value after_value = now->values[new->registers + i];
        value before_value = old ? then->values[old->registers + i] : (value){0};
        if (!info->name || !after_value.bits || value_equal(before_value, after_value)) continue;
        add_change(step, mem_copy_string(info->name),
                   before_value.bits ? value_text(r, before, before_value, info->type) : NULL,
                   value_text(r, after, after_value, info->type));
    }
    for (uint32_t i = 0; i < f->locals.size; i++) {
        uint32_t name = frame_local_object(r->p, now, new, i);
        uint32_t old_name = old ? frame_local_object(r->p, then, old, i) : NO_INDEX;
        const memory_object *object = name == NO_INDEX ? NULL : state_object(after, name);
        if (object)
            compare_objects(r, step, before, after, f->locals.data[i].name, f->locals.data[i].is_array,
                            old_name == NO_INDEX ? NULL : state_object(before, old_name), object);
    }
}

static void compare_variables(replay *r, trace_step *step, const state *before, const state *after,
                              uint32_t thread) {
    compare_static_objects(r, step, before, after);
    compare_heap_objects(r, step, before, after);
    list_freed_objects(r, step, before, after);
    if (thread < after->thread_count)
        for (uint32_t depth = 0; depth < after->threads[thread]->frame_count; depth++)
            compare_frames(r, step, before, after, thread, depth);
}

/* --- inputs, events, threads ---------------------------------------------------------------------------- */

static void add_input(replay *r, trace_step *step, const state *s, const instruction *i, const char *suffix,
                      value v, scalar_type type) {
    text name = {0};
    text_format(&name, "%s%s", i->extra < r->p->inputs.size ? r->p->inputs.data[i->extra].name : "input",
                suffix);
    trace_input input = {take_text(&name), value_text(r, s, v, type), i->at};
    vec_push(&step->inputs, input);
}

/* The object that the address operand of a HAVOC names. */
static const memory_object *addressed_object(replay *r, const state *s, uint32_t thread, operand address) {
    const thread_part *t = s->threads[thread];
    uint32_t object = NO_INDEX;
    if (address.kind == OPERAND_OBJECT) object = address.index;
    if (address.kind == OPERAND_LOCAL) object = frame_local_object(r->p, t, top_frame(t), address.index);
    if (address.kind == OPERAND_REGISTER) {
        value v = t->values[top_frame(t)->registers + address.index];
        if (v.base) object = v.base - 1;
    }
    return object == NO_INDEX ? NULL : state_object(s, object);
}

/* `after` is the state behind instruction i, which drew inputs. */
static void read_inputs(replay *r, trace_step *step, const state *after, uint32_t thread,
                        const instruction *i) {
    const thread_part *t = after->threads[thread];
    if (i->kind == INSTR_INPUT) {
        scalar_type type = r->p->functions.data[top_frame(t)->function].registers.data[i->dst].type;
        if (i->extra < r->p->inputs.size) type.view = r->p->inputs.data[i->extra].type.view;
        add_input(r, step, after, i, "", t->values[top_frame(t)->registers + i->dst], type);
        return;
    }
    const memory_object *object = addressed_object(r, after, thread, i->a);
    for (uint32_t cell = 0; object && cell < object->cells; cell++) {
        char *suffix = cell_text("", object->count > 1, object->shape, cell);
        add_input(r, step, after, i, suffix, object->cell[cell],
                  object->shape->cell[cell % object->shape->cells].type);
        mem_free(suffix);
    }
}

static const instruction *next_instruction(const program *p, const thread_part *t) {
    if (!t->frame_count) return NULL;
    const block *b = &p->functions.data[top_frame(t)->function].blocks.data[top_frame(t)->block];
    return top_frame(t)->index < b->code.size ? &b->code.data[top_frame(t)->index] : NULL;
}

/* The state after one instruction; NULL when the step is over. Violated assertions are passed, as on the
 * recorded path. */
static state *after_instruction(replay *r, const state *s, uint32_t thread) {
    successors list = {0};
    step_options how = {.stops = STOP_INSTRUCTION, .continue_after_violation = true};
    machine_step(r->m, s, (transition){thread, 0}, &how, &list);
    state *next = NULL;
    for (size_t i = 0; i < list.size && !next; i++)
        if (list.data[i].end == STEP_STOPPED) next = state_share(list.data[i].to);
    successors_free(r->m, &list);
    return next;
}

/* Which values the step of `thread` from `before` drew. Goes through it instruction by instruction, so only
 * when it drew any. Inputs drawn by channel updates show up as changes only: the machine runs an update in
 * one piece. */
static void list_inputs(replay *r, trace_step *step, const state *before, const state *after,
                        uint32_t thread) {
    if (thread >= r->p->threads.size) return;
    uint32_t wanted = after->threads[thread]->inputs_made;
    state *now = state_share((state *)(uintptr_t)before);
    while (now && now->threads[thread]->inputs_made < wanted) {
        const instruction *i = next_instruction(r->p, now->threads[thread]);
        uint32_t drawn = now->threads[thread]->inputs_made;
        state *next = after_instruction(r, now, thread);
        if (next && next->threads[thread]->inputs_made > drawn) read_inputs(r, step, next, thread, i);
        state_release(r->m, now);
        now = next;
    }
    state_release(r->m, now);
}

static bool is_listed(char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(names[i], name)) return true;
    return false;
}

void describe_notified(replay *r, const effect *touched, trace_step *step) {
    for (size_t i = 0; i < touched->size; i++) {
        const access *a = &touched->data[i];
        if ((a->kind != ACCESS_NOTIFY && a->kind != ACCESS_NOTIFY_AFTER) || a->name >= r->p->events.size)
            continue;
        const char *name = r->p->events.data[a->name].name;
        if (!is_listed(step->notified.data, step->notified.size, name))
            vec_push(&step->notified, mem_copy_string(name));
    }
}

static void list_waits(replay *r, trace_step *step, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    if (t->status != THREAD_WAITING) return;
    text together = {0}; /* a wait for all of several events is one thing: "e & f" */
    for (uint32_t i = 0; i < t->wait_count; i++) {
        const char *name = r->p->events.data[t->waits[i].event].name;
        if (t->wait_all)
            text_format(&together, "%s%s", i ? " & " : "", name);
        else
            vec_push(&step->waits, mem_copy_string(name));
    }
    if (together.size) vec_push(&step->waits, take_text(&together));
    const notification *timer = scheduler_find_pending(s->scheduler, (uint32_t)r->p->events.size + thread);
    if (!timer) return;
    text when = {0};
    if (timer->due)
        text_format(&when, "time %llu", (unsigned long long)value_number(&r->names, timer->due));
    else
        text_add(&when, "the next delta cycle");
    vec_push(&step->waits, take_text(&when));
}

static bool can_run(const thread_part *t) {
    return t->status == THREAD_RUNNABLE && !t->suspended;
}

static void list_woken(replay *r, trace_step *step, const state *before, const state *after,
                       uint32_t runner) {
    for (uint32_t t = 0; t < r->p->threads.size; t++)
        if (t != runner && !can_run(before->threads[t]) && can_run(after->threads[t]))
            vec_push(&step->woken, mem_copy_string(r->p->threads.data[t].name));
}

/* Where a thread stands: at the wait it waits in, else at what it does next. */
position thread_position(const program *p, const thread_part *t) {
    const instruction *i = next_instruction(p, t);
    bool behind_wait = t->status == THREAD_WAITING || t->status == THREAD_STARTING;
    if (behind_wait && t->frames[t->frame_count - 1].index > 0) i--;
    return i ? i->at : (position){0, 0};
}

/* --- the whole step ------------------------------------------------------------------------------------- */

static const char *phase_name(const state *s) {
    static const char *const names[] = {"main", "evaluate", "update", "done"};
    return names[s->scheduler->phase <= PHASE_DONE ? s->scheduler->phase : PHASE_DONE];
}

static void note_time(replay *r, trace_step *step, const state *before, const state *after) {
    uint64_t from = value_number(&r->names, before->scheduler->time),
             to = value_number(&r->names, after->scheduler->time);
    if (from == to) return;
    text old = {0}, new = {0};
    text_format(&old, "%llu", (unsigned long long)from);
    text_format(&new, "%llu", (unsigned long long)to);
    vec_push(&step->changes, ((trace_change){mem_copy_string("time"), take_text(&old), take_text(&new)}));
}

/* Describes one step of the trace: `thread` (or the scheduler) took the program from `before` to `after`. */
void describe_step(replay *r, const state *before, const state *after, uint32_t thread, trace_step *step) {
    step->thread = mem_copy_string(thread == MACHINE_KERNEL ? "scheduler" : thread_name(r->p, thread));
    step->phase = phase_name(before);
    step->time = value_number(&r->names, before->scheduler->time);
    step->delta = before->scheduler->delta;
    if (thread < before->thread_count) {
        step->from = thread_position(r->p, before->threads[thread]);
        step->to = thread_position(r->p, after->threads[thread]);
        step->thread_ended = after->threads[thread]->status == THREAD_ENDED;
        list_waits(r, step, after, thread);
    }
    list_inputs(r, step, before, after, thread);
    note_time(r, step, before, after);
    compare_variables(r, step, before, after, thread);
    list_woken(r, step, before, after, thread);
}
