#include "machine/place.h"

#include "machine/state.h"

static const function *function_of(const program *p, const frame *f) {
    return &p->functions.data[f->function];
}

uint32_t thread_visible_depth(const program *p, const thread_part *t) {
    for (uint32_t depth = t->frame_count; depth-- > 0;)
        if (!function_of(p, &t->frames[depth])->hidden) return depth;
    return NO_INDEX;
}

position thread_position(const program *p, const thread_part *t) {
    uint32_t depth = thread_visible_depth(p, t);
    if (depth == NO_INDEX) return (position){0, 0};
    const frame *f = &t->frames[depth];
    const block *b = &function_of(p, f)->blocks.data[f->block];
    bool is_top = depth + 1 == t->frame_count;
    bool behind = !is_top || t->status == THREAD_WAITING || t->status == THREAD_STARTING;
    uint32_t index = f->index - (behind && f->index > 0);
    return index < b->code.size ? b->code.data[index].at : (position){0, 0};
}

const function *thread_visible_function(const program *p, const thread_part *t) {
    uint32_t depth = thread_visible_depth(p, t);
    return depth == NO_INDEX ? NULL : function_of(p, &t->frames[depth]);
}

const char *state_file(const machine *m, const state *s, uint32_t thread) {
    const function *in = thread_visible_function(machine_program(m), s->threads[thread]);
    return in ? in->file : NULL;
}

uint32_t thread_in_control(const state *s, uint32_t thread) {
    for (uint32_t t = 0; t < s->thread_count; t++) {
        if (s->threads[t]->interrupts != thread + 1) continue;
        thread = t;
        t = UINT32_MAX; /* who runs within that one's step */
    }
    return thread;
}

void thread_print_callers(const program *p, const thread_part *t, text *out) {
    enum { MOST_CALLERS = 8 };
    uint32_t depth = thread_visible_depth(p, t);
    for (unsigned told = 0; depth != NO_INDEX && depth-- > 0;) {
        const frame *f = &t->frames[depth];
        const function *in = function_of(p, f);
        position at = f->index ? in->blocks.data[f->block].code.data[f->index - 1].at : (position){0, 0};
        /* what calls main is no text */
        bool is_start = program_kernel(p)->start_calls_main && in->role == FUNCTION_MAIN;
        if (in->hidden || is_start || !at.line) continue;
        if (told++ == MOST_CALLERS) {
            text_add(out, ", ...");
            return;
        }
        text_format(out, ", called from %s at %s:%u:%u", in->name, in->file ? in->file : p->file, at.line,
                    at.column);
    }
}

void state_print_callers(const machine *m, const state *s, uint32_t thread, text *out) {
    thread_print_callers(machine_program(m), s->threads[thread], out);
}
