/* Where a thread stands, as its user sees it: in the innermost function of the program itself. Functions of
 * library models are hidden; the outermost of them is what the program called. */
#include "report/replay.h"

static const function *function_of(const program *p, const frame *f) {
    return &p->functions.data[f->function];
}

/* Depth of the innermost frame of the program itself; NO_INDEX if there is none. */
static uint32_t visible_depth(const program *p, const thread_part *t) {
    for (uint32_t depth = t->frame_count; depth-- > 0;)
        if (!function_of(p, &t->frames[depth])->hidden) return depth;
    return NO_INDEX;
}

static const instruction *instruction_at(const program *p, const frame *f, uint32_t index) {
    const block *b = &function_of(p, f)->blocks.data[f->block];
    return index < b->code.size ? &b->code.data[index] : NULL;
}

const instruction *thread_next_instruction(const program *p, const thread_part *t) {
    return t->frame_count ? instruction_at(p, top_frame(t), top_frame(t)->index) : NULL;
}

/* At the wait it waits in, at the call that it is inside of, else at what it does next. */
position thread_position(const program *p, const thread_part *t) {
    uint32_t depth = visible_depth(p, t);
    if (depth == NO_INDEX) return (position){0, 0};
    const frame *f = &t->frames[depth];
    bool is_top = depth + 1 == t->frame_count;
    bool behind = !is_top || t->status == THREAD_WAITING || t->status == THREAD_STARTING;
    const instruction *i = instruction_at(p, f, f->index - (behind && f->index > 0));
    return i ? i->at : (position){0, 0};
}

char *thread_file(const program *p, const thread_part *t) {
    uint32_t depth = visible_depth(p, t);
    const char *file = depth == NO_INDEX ? NULL : function_of(p, &t->frames[depth])->file;
    return file ? mem_copy_string(file) : NULL;
}

const char *thread_function(const program *p, const thread_part *t) {
    uint32_t depth = visible_depth(p, t);
    return depth == NO_INDEX ? "" : function_of(p, &t->frames[depth])->name;
}

static bool is_printable_argument(const register_info *info, value v) {
    return v.bits && info->type.width;
}

char *thread_call(replay *r, const state *s, uint32_t thread) {
    const thread_part *t = s->threads[thread];
    uint32_t depth = visible_depth(r->p, t);
    if (depth == NO_INDEX || depth + 1 >= t->frame_count) return NULL;
    const frame *called = &t->frames[depth + 1];
    const function *f = function_of(r->p, called);
    text out = {0};
    text_format(&out, "%s(", f->name);
    for (uint32_t i = 0; i < f->parameters; i++) {
        value v = t->values[called->registers + i];
        if (i) text_add(&out, ", ");
        if (is_printable_argument(&f->registers.data[i], v))
            value_print(&r->names, s, v, f->registers.data[i].type, &out);
        else
            text_char(&out, '?');
    }
    text_char(&out, ')');
    return take_text(&out);
}

bool step_begins_with_operation(machine *m, const state *s, uint32_t thread) {
    pending next;
    const thread_part *t = s->threads[thread];
    bool is_new = t->frame_count == 1 && !t->frames[0].block && !t->frames[0].index;
    if (!is_new) return true;
    machine_pending(m, s, thread, &next);
    if (!next.live || (next.next && next.next->size)) return true;
    const instruction *i = thread_next_instruction(machine_program(m), t);
    return i && i->kind == INSTR_SYNC &&
           (i->sync == SYNC_ATOMIC_BEGIN || i->sync == SYNC_AWAIT || i->sync == SYNC_JOIN);
}
