/* What a step drew and allocated on its way, found by going through it instruction by instruction. */
#include "machine/watch.h"
#include "report/trace/replay.h"

enum { MOST_INSTRUCTIONS = 200000 }; /* of one step: what comes later is not listed */

/* The text that says what an input is called; s is a state in which its instruction is next, or just was. */
static void print_given_name(replay *r, const state *s, uint32_t thread, operand from, text *out) {
    enum { LONGEST = 200 };
    const thread_part *t = thread_of(s, thread);
    value p = {NULL, 0};
    if (from.kind == OPERAND_REGISTER) p = values_of(t)[top_frame(t)->registers + from.index];
    if (value_object(p) == NO_INDEX || !term_is_const(p.bits)) return;
    for (uint64_t k = 0; k < LONGEST; k++) {
        value c = memory_peek(r->m, s, value_object(p), p.bits->value + k, 8);
        if (!c.bits || c.base || !term_is_const(c.bits) || !c.bits->value) return;
        text_char(out, (char)c.bits->value);
    }
}

static void add_input(replay *r, trace_step *step, const state *s, const char *given, const instruction *i,
                      position at, const char *suffix, value v, scalar_type type, uint64_t key) {
    text name = {0};
    const char *declared = i->extra < r->p->inputs.size ? r->p->inputs.data[i->extra].name : "input";
    text_format(&name, "%s%s", *given ? given : declared, suffix);
    trace_input input = {.name = take_text(&name), .value = value_text(r, s, v, type), .at = at};
    describe_need(r, s, key, type, &input);
    vec_push(&step->inputs, input);
}

/* The object that the address operand of a HAVOC names. */
static const memory_object *addressed_object(replay *r, const state *s, uint32_t thread, operand address) {
    const thread_part *t = thread_of(s, thread);
    uint32_t object = NO_INDEX;
    if (address.kind == OPERAND_OBJECT) object = address.index;
    if (address.kind == OPERAND_LOCAL) object = frame_local_object(r->p, t, top_frame(t), address.index);
    if (address.kind == OPERAND_REGISTER) {
        value v = values_of(t)[top_frame(t)->registers + address.index];
        object = value_object(v);
    }
    return object == NO_INDEX ? NULL : state_object(s, object);
}

/* `after` is the state behind instruction i, which drew inputs. Memory without a value, as malloc gives, is
 * not listed: what is read of it shows up as a change. */
static void read_inputs(replay *r, trace_step *step, const state *after, uint32_t thread,
                        const instruction *i, const char *given, position at, uint32_t drawn) {
    uint64_t key = (uint64_t)thread << 32 | drawn;
    const thread_part *t = thread_of(after, thread);
    if (i->kind == INSTR_INPUT) {
        scalar_type type = r->p->functions.data[top_frame(t)->function].registers.data[i->dst].type;
        if (i->extra < r->p->inputs.size) type.view = r->p->inputs.data[i->extra].type.view;
        add_input(r, step, after, given, i, at, "", values_of(t)[top_frame(t)->registers + i->dst], type,
                  key);
        return;
    }
    if (i->kind != INSTR_HAVOC) return;
    const memory_object *object = addressed_object(r, after, thread, i->a);
    for (uint32_t cell = 0; object && cell < cells_of(object); cell++) {
        cell_view piece = object_cell_view(object, cell);
        object_label unnamed = {.name = "", .is_array = count_of(object) > 1};
        char *suffix = piece_text(&unnamed, object, &piece);
        add_input(r, step, after, "", i, at, suffix, piece.v, piece_type(object, &piece), key + cell);
        mem_free(suffix);
    }
}

player play_instructions(replay *r, const state *from) {
    step_options one = {.stops = STOP_INSTRUCTION,
                        .continue_after_violation = true,
                        .inputs = r->names.inputs,
                        .replay = true};
    return player_begin_at(r->m, from, &one);
}

position operation_position(replay *r, const state *s, uint32_t thread) {
    static const position nowhere = {0, 0};
    bool alone = state_thread_count(s) == 1; /* main, before there are others: nothing it does is visible */
    if (alone || !step_begins_with_operation(r->m, s, thread)) return nowhere;
    return thread_position(r->p, thread_of(s, thread));
}

/* The file is said where it is not the program's own. */
static void note_allocations(replay *r, trace_step *step, const state *before, const state *after,
                             const char *file, position at) {
    for (uint32_t i = 0; i < dynamic_count_of(after); i++) {
        uint32_t object = dynamic_of(after, i).name;
        if (!heap_of(dynamic_of(after, i).object) || state_object(before, object)) continue;
        text where = {0};
        text_add(&where, "allocated at ");
        if (file) text_format(&where, "%s:", trace_short_file(file));
        text_format(&where, "%u:%u", at.line, at.column);
        vec_push(&step->changes,
                 ((trace_change){mem_copy_string(object_label_of(&r->names, after, object).name), NULL,
                                 take_text(&where), NULL}));
    }
}

/* --- where objects lie ---------------------------------------------------------------------------------- */

static bool is_listed(const trace_step *step, const char *name, const char *value) {
    for (size_t i = 0; i < step->inputs.size; i++)
        if (!strcmp(step->inputs.data[i].name, name) && !strcmp(step->inputs.data[i].value, value))
            return true;
    return false;
}

/* The newer of two that lay at one place has the higher name if one thread made both; else the one
 * that is there. */
static bool is_newer(const state *s, uint32_t one, uint32_t other) {
    bool here = state_object(s, one), there = state_object(s, other);
    return here == there ? one > other : here;
}

void note_lie(void *data, const state *s, uint32_t one, uint32_t other, lie_kind how) {
    static const char *const words[] = {[LIES_BEFORE] = "before %s",
                                        [LIES_RIGHT_BEHIND] = "where %s ends",
                                        [LIES_WHERE_WAS] = "where %s was"};
    replay *r = data;
    bool turned = how == LIES_WHERE_WAS && !is_newer(s, one, other);
    object_label lies = object_label_of(&r->names, s, turned ? other : one);
    object_label where = object_label_of(&r->names, s, turned ? one : other);
    text name = {0}, value = {0};
    text_format(&name, "place of %s", lies.name);
    text_format(&value, words[how], where.name);
    if (!is_listed(r->now, text_cstr(&name), text_cstr(&value))) {
        const thread_part *t = thread_of(s, r->moves);
        trace_input input = {.name = take_text(&name), .value = take_text(&value), .place = true};
        input.at = thread_position(r->p, t);
        input.file = thread_file(r->p, t);
        vec_push(&r->now->inputs, input);
    }
    text_free(&name);
    text_free(&value);
}

static uint32_t count_born(const state *s) {
    uint32_t born = 0;
    for (uint32_t t = 1; t < state_thread_count(s); t++) born += status_of(thread_of(s, t)) != THREAD_UNBORN;
    return born;
}

/* `creator` stands before what creates. */
static void note_creation(replay *r, trace_step *step, const thread_part *creator, uint32_t moment) {
    trace_place here = {thread_file(r->p, creator), mem_copy_string(thread_function(r->p, creator)),
                        thread_position(r->p, creator), moment};
    vec_push(&step->created_at, here);
}

/* Only as far as something is drawn, allocated or created. Inputs drawn by channel updates show up as changes
 * only: the machine runs an update in one piece. */
void describe_inputs(replay *r, trace_step *step, const state *before, const state *after, transition by) {
    uint32_t thread = by.thread;
    if (thread >= state_thread_count(before) || thread >= state_thread_count(after)) return;
    const kernel_traits *kernel = program_kernel(r->p);
    if (kernel->scheduler_moves && thread >= r->p->threads.size) return;
    uint32_t inputs = inputs_made_of(thread_of(after, thread));
    uint32_t objects = kernel->traces_tell_heap ? objects_made_of(thread_of(after, thread)) : 0;
    uint32_t born = kernel->creates_threads ? count_born(after) : 0;
    player p = play_instructions(r, before);
    for (uint32_t k = 0; k < MOST_INSTRUCTIONS; k++) {
        const state *now = p.now;
        const thread_part *t = thread_of(now, thread);
        bool all_born = !kernel->creates_threads || count_born(now) >= born;
        if (inputs_made_of(t) >= inputs && objects_made_of(t) >= objects && all_born) break;
        const instruction *i = thread_next_instruction(r->p, t);
        position at = kernel->has_library ? thread_position(r->p, t) : i ? i->at : (position){0, 0};
        uint32_t drawn = inputs_made_of(t), made = objects_made_of(t);
        text given = {0};
        if (i && i->kind == INSTR_INPUT) print_given_name(r, now, thread, i->a, &given);
        if (k)
            player_look_at_thread(&p, thread);
        else
            player_look(&p, by);
        const successor *to = player_going_on(&p);
        const state *next = to ? to->to : NULL;
        if (next && i && inputs_made_of(thread_of(next, thread)) > drawn) {
            size_t listed = step->inputs.size;
            read_inputs(r, step, next, thread, i, text_cstr(&given), at, drawn);
            for (; listed < step->inputs.size; listed++) {
                step->inputs.data[listed].file = thread_file(r->p, t);
                step->inputs.data[listed].moment = k;
            }
        }
        if (next && !all_born && count_born(next) > count_born(now)) note_creation(r, step, t, k);
        text_free(&given);
        if (next && kernel->traces_tell_heap && objects_made_of(thread_of(next, thread)) > made) {
            char *file = thread_file(r->p, t);
            note_allocations(r, step, now, next, file, at);
            mem_free(file);
        }
        if (!to) break;
        player_take(&p, to);
    }
    player_end(&p);
}
