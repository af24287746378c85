/* Inputs that main drew before `start`: it draws them again, assumes what it had assumed of them, and
 * computes again what depends on them, ahead of what it goes on with. */
#include "elaboration/internal.h"
#include "machine/place.h"

void note_drawn(drawn_inputs *list, const program *p, const state *s, value name, uint32_t input,
                const term *symbol) {
    const thread_part *t = thread_of(s, 0);
    uint32_t depth = thread_visible_depth(p, t);
    drawn_input made = {.symbol = symbol,
                        .name = name,
                        .input = input,
                        .function = frames_of(t)[depth == NO_INDEX ? 0 : depth].function,
                        .at = thread_position(p, t)};
    for (size_t k = 0; k < list->all.size; k++) {
        const drawn_input *before = &list->all.data[k];
        if (before->symbol != symbol) continue;
        /* On another way, which assumptions end: only the same place can stand for both. */
        list->ambiguous |= before->input != input || before->name.base != name.base ||
                           before->name.bits != name.bits || before->function != made.function ||
                           before->at.line != made.at.line || before->at.column != made.at.column;
        return;
    }
    vec_push(&list->all, made);
}

static size_t index_of(const freezing *f, const term *symbol) {
    size_t k = 0;
    while (k < f->drawn->all.size && f->drawn->all.data[k].symbol != symbol) k++;
    return k;
}

bool is_made_of_inputs(const freezing *f, const term *t) {
    for (uint32_t k = 0; t->support && k < t->support->size; k++)
        if (index_of(f, t->support->symbol[k]) == f->drawn->all.size) return false;
    return !f->drawn->ambiguous;
}

void set_later(freezing *f, operand place, const term *t) {
    assert(place.kind == OPERAND_OBJECT && is_made_of_inputs(f, t) && !term_is_const(t));
    vec_push(&f->later, ((later_value){place, t}));
}

bool keep_for_frames(freezing *f, const term *t, operand *place) {
    program *p = f->p;
    if (t->width % 8) return false;
    static_object kept = {.name = "before the start",
                          .shape = program_scalar_layout(p, (scalar_type){t->width, VIEW_UNSIGNED}),
                          .count = 1};
    vec_push(&p->objects, kept);
    *place = operand_object((uint32_t)(p->objects.size - 1), 0);
    place->width = p->pointer_bits;
    set_later(f, *place, t);
    return true;
}

/* --- terms as instructions ------------------------------------------------------------------------------ */

typedef struct builder {
    program *p;
    uint32_t function;
    position at;
    map made; /* id of a term -> register that holds it */
} builder;

static operand held(const builder *b, const term *t) {
    if (term_is_const(t)) return operand_const(t->width, t->value);
    assert(map_get(&b->made, t->id) != MAP_NONE); /* operands are computed first */
    return operand_register((uint32_t)map_get(&b->made, t->id), t->width);
}

static bool is_held(const builder *b, const term *t) {
    return term_is_const(t) || map_get(&b->made, t->id) != MAP_NONE;
}

static uint32_t new_register(builder *b, unsigned width) {
    return function_add_register(b->p, b->function, (scalar_type){(uint8_t)width, VIEW_UNSIGNED}, NULL);
}

static operand emit_arith(builder *b, arith op, unsigned width, operand x, operand y, operand z) {
    uint32_t dst = new_register(b, width);
    instruction *i = function_emit(b->p, b->function, 0, INSTR_ARITH, b->at);
    i->arith = (uint8_t)op;
    i->dst = dst;
    i->a = x;
    i->b = y;
    i->c = z;
    return operand_register(dst, width);
}

static operand emit_unary(builder *b, arith op, unsigned width, operand x) {
    return emit_arith(b, op, width, x, operand_none(), operand_none());
}

static operand emit_concat(builder *b, const term *t) {
    const term *low = t->arg[1];
    operand high = emit_unary(b, ARITH_ZEXT, t->width, held(b, t->arg[0]));
    high = emit_arith(b, ARITH_SHL, t->width, high, operand_const(t->width, low->width), operand_none());
    return emit_arith(b, ARITH_OR, t->width, high, emit_unary(b, ARITH_ZEXT, t->width, held(b, low)),
                      operand_none());
}

static operand emit_extract(builder *b, const term *t) {
    operand from = held(b, t->arg[0]);
    if (t->value)
        from =
            emit_arith(b, ARITH_LSHR, from.width, from, operand_const(from.width, t->value), operand_none());
    return emit_unary(b, ARITH_TRUNC, t->width, from);
}

static operand emit_one(builder *b, const term *t) {
    static const arith plain[TERM_OPS] = {
        [TERM_NOT] = ARITH_NOT,   [TERM_AND] = ARITH_AND,    [TERM_OR] = ARITH_OR,
        [TERM_XOR] = ARITH_XOR,   [TERM_ADD] = ARITH_ADD,    [TERM_MUL] = ARITH_MUL,
        [TERM_UDIV] = ARITH_UDIV, [TERM_UREM] = ARITH_UREM,  [TERM_SDIV] = ARITH_SDIV,
        [TERM_SREM] = ARITH_SREM, [TERM_SHL] = ARITH_SHL,    [TERM_LSHR] = ARITH_LSHR,
        [TERM_ASHR] = ARITH_ASHR, [TERM_EQ] = ARITH_EQ,      [TERM_ULT] = ARITH_ULT,
        [TERM_SLT] = ARITH_SLT,   [TERM_ITE] = ARITH_SELECT, [TERM_ZEXT] = ARITH_ZEXT,
        [TERM_SEXT] = ARITH_SEXT};
    if (t->op == TERM_CONCAT) return emit_concat(b, t);
    if (t->op == TERM_EXTRACT) return emit_extract(b, t);
    return emit_arith(b, plain[t->op], t->width, held(b, t->arg[0]),
                      t->arity > 1 ? held(b, t->arg[1]) : operand_none(),
                      t->arity > 2 ? held(b, t->arg[2]) : operand_none());
}

static operand emit_term(builder *b, const term *whole) {
    VEC(const term *) open = {0};
    vec_push(&open, whole);
    while (open.size) {
        const term *t = vec_last(&open);
        size_t before = open.size;
        for (uint32_t k = 0; k < t->arity && !is_held(b, t); k++)
            if (!is_held(b, t->arg[k])) vec_push(&open, t->arg[k]);
        if (open.size > before) continue;
        if (!is_held(b, t)) map_put(&b->made, t->id, emit_one(b, t).index);
        (void)vec_pop(&open);
    }
    vec_free(&open);
    return held(b, whole);
}

/* --- main ----------------------------------------------------------------------------------------------- */

/* A function that draws the input where the design did. */
static uint32_t drawing_function(freezing *f, const drawn_input *d) {
    program *p = f->p;
    const function from = p->functions.data[d->function];
    uint32_t number = program_add_function(p, from.name, FUNCTION_PLAIN, from.at);
    scalar_type type = {d->symbol->width, p->inputs.data[d->input].type.view};
    p->functions.data[number].file = from.file;
    p->functions.data[number].result = type;
    function_add_block(p, number);
    uint32_t dst = function_add_register(p, number, type, NULL);
    operand name = operand_none(), text_at = operand_none();
    if (d->name.bits && freeze_operand(f, d->name, &text_at)) { /* reports read names in registers */
        scalar_type pointer = {p->pointer_bits, VIEW_POINTER};
        name = operand_register(function_add_register(p, number, pointer, NULL), p->pointer_bits);
        instruction *take = function_emit(p, number, 0, INSTR_MOVE, d->at);
        take->dst = name.index;
        take->a = text_at;
    }
    instruction *i = function_emit(p, number, 0, INSTR_INPUT, d->at);
    i->dst = dst;
    i->extra = d->input;
    i->a = name;
    function_emit(p, number, 0, INSTR_RETURN, d->at)->a = operand_register(dst, type.width);
    return number;
}

static bool term_mentions(const term *t, const term *symbol) {
    for (uint32_t k = 0; t->support && k < t->support->size; k++)
        if (t->support->symbol[k] == symbol) return true;
    return false;
}

static bool is_asked_for(const freezing *f, const drawn_input *d) {
    if (d->name.bits) return true; /* the next of its name is another */
    for (uint32_t k = 0; k < state_path_count(f->s); k++)
        if (term_mentions(state_path(f->s)[k], d->symbol)) return true;
    for (size_t k = 0; k < f->later.size; k++)
        if (term_mentions(f->later.data[k].value, d->symbol)) return true;
    return false;
}

static void draw(builder *b, freezing *f, const drawn_input *d) {
    uint32_t callee = drawing_function(f, d), dst = new_register(b, d->symbol->width);
    instruction *call = function_emit(b->p, b->function, 0, INSTR_CALL, d->at);
    call->callee = callee;
    call->dst = dst;
    map_put(&b->made, d->symbol->id, dst);
}

static bool something_is_drawn(const freezing *f) {
    for (size_t k = 0; k < f->drawn->all.size; k++)
        if (is_asked_for(f, &f->drawn->all.data[k])) return true;
    return false;
}

uint32_t draw_inputs_again(freezing *f, uint32_t main_function) {
    program *p = f->p;
    if (!something_is_drawn(f)) return main_function;
    const function goes_on = p->functions.data[main_function];
    p->functions.data[main_function].role = FUNCTION_PLAIN;
    builder b = {.p = p, .at = goes_on.at};
    b.function = program_add_function(p, goes_on.name, FUNCTION_MAIN, goes_on.at);
    p->functions.data[b.function].hidden = goes_on.hidden;
    p->functions.data[b.function].file = goes_on.file;
    function_add_block(p, b.function);
    for (size_t k = 0; k < f->drawn->all.size; k++)
        if (is_asked_for(f, &f->drawn->all.data[k])) draw(&b, f, &f->drawn->all.data[k]);
    for (uint32_t k = 0; k < state_path_count(f->s); k++) {
        operand condition = emit_term(&b, state_path(f->s)[k]);
        function_emit(p, b.function, 0, INSTR_ASSUME, b.at)->a = condition;
    }
    for (size_t k = 0; k < f->later.size; k++) {
        operand computed = emit_term(&b, f->later.data[k].value);
        instruction *store = function_emit(p, b.function, 0, INSTR_STORE, b.at);
        store->a = f->later.data[k].place;
        store->b = computed;
    }
    function_emit(p, b.function, 0, INSTR_CALL, b.at)->callee = main_function;
    function_emit(p, b.function, 0, INSTR_RETURN, b.at);
    map_free(&b.made);
    /* The first start is one like others to analyses that leave out what nobody runs before a start. */
    p->elaboration.resumed = NO_INDEX;
    return b.function;
}
