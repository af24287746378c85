#include "frontend/dlang/lower.h"

#define STRING(number)     STRING_OF(number)
#define STRING_OF(number)  #number
#define UNBOUNDED_MESSAGES 256

_Static_assert(UNBOUNDED_MESSAGES == DLANG_UNBOUNDED, "the text that users see names the limit");

static void lower_statements(lowering *l, const ast *list);

static const scalar_type number_type = {NUMBER_BITS, VIEW_SIGNED};

/* --- statements ----------------------------------------------------------------------------------------- */

static void begin_statement(lowering *l) {
    l->numbers_used = l->truths_used = 0;
}

/* Where a statement makes several accesses, they are one transition. */
static bool begin_transition(lowering *l, const ast *s, unsigned accesses) {
    begin_statement(l);
    if (accesses > 1) dlang_emit_sync(l, SYNC_ATOMIC_BEGIN, s->at);
    return accesses > 1;
}

static void end_transition(lowering *l, const ast *s, bool atomic) {
    if (atomic) dlang_emit_sync(l, SYNC_ATOMIC_END, s->at);
}

static operand lower_condition(lowering *l, const ast *s) {
    bool atomic = begin_transition(l, s, dlang_shared_accesses(l, s->a));
    operand condition = dlang_emit_value(l, s->a);
    end_transition(l, s, atomic);
    return condition;
}

static void lower_assignment(lowering *l, const ast *s) {
    bool atomic = begin_transition(l, s, dlang_shared_accesses(l, s->a) + dlang_shared_accesses(l, s->b));
    operand pointer = dlang_emit_pointer(l, s->a);
    dlang_emit_store(l, s->a, pointer, dlang_emit_value(l, s->b));
    end_transition(l, s, atomic);
}

static void lower_swap(lowering *l, const ast *s) {
    bool atomic = begin_transition(l, s, dlang_shared_accesses(l, s));
    dlang_emit_value(l, s);
    end_transition(l, s, atomic);
}

/* Without branches it is a read. */
static void lower_conditional(lowering *l, const ast *s) {
    operand condition = lower_condition(l, s);
    if (!s->has) return;
    uint32_t otherwise = dlang_emit_branch(l, condition, s->at), end = function_add_block(l->p, l->function);
    lower_statements(l, s->b);
    dlang_emit_jump(l, end, s->at);
    l->block = otherwise;
    lower_statements(l, s->c);
    dlang_emit_jump(l, end, s->at);
    l->block = end;
}

static void lower_loop(lowering *l, const ast *s) {
    uint32_t head = function_add_block(l->p, l->function);
    dlang_emit_jump(l, head, s->at);
    l->block = head;
    uint32_t end = dlang_emit_branch(l, lower_condition(l, s), s->at);
    lower_statements(l, s->b);
    dlang_emit_jump(l, head, s->at);
    l->block = end;
}

static void lower_assertion(lowering *l, const ast *s) {
    operand condition = lower_condition(l, s);
    text description = {0};
    dlang_print_expression(l->file, s->a, &description);
    dlang_emit_check(l, CHECK_ASSERTION, condition, text_cstr(&description), s->at);
    text_free(&description);
}

/* --- channels ------------------------------------------------------------------------------------------- */

static operand load_number(lowering *l, operand pointer, position at) {
    operand result = dlang_temporary(l, NUMBER_BITS);
    instruction *i = dlang_emit(l, INSTR_LOAD, at);
    i->order = ORDER_SEQ_CST;
    i->dst = result.index;
    i->a = pointer;
    return result;
}

static void store_number(lowering *l, operand pointer, operand value, position at) {
    instruction *i = dlang_emit(l, INSTR_STORE, at);
    i->order = ORDER_SEQ_CST;
    i->a = pointer;
    i->b = value;
}

static void await_other_length(lowering *l, operand channel, uint32_t length, position at) {
    instruction *i = dlang_emit(l, INSTR_SYNC, at);
    i->sync = SYNC_AWAIT;
    i->arith = ARITH_NE;
    i->a = channel;
    i->b = number(-1);
    i->c = number(length);
}

static void give_up_when_full(lowering *l, operand length, uint32_t capacity, position at) {
    operand full = dlang_emit_arith(l, ARITH_EQ, length, number(capacity), at);
    uint32_t go_on = dlang_emit_branch(l, full, at);
    dlang_emit(l, INSTR_UNSUPPORTED, at)->text =
        "more than " STRING(UNBOUNDED_MESSAGES) " messages wait in an unbounded channel";
    dlang_emit_jump(l, go_on, at);
    l->block = go_on;
}

static void lower_send(lowering *l, const ast *s) {
    const variable *v = &l->file->variables.data[s->a->variable];
    uint32_t capacity = l->capacity[s->a->variable];
    begin_statement(l);
    operand channel = dlang_emit_pointer(l, s->a);
    if (v->capacity)
        await_other_length(l, channel, capacity, s->at);
    else
        dlang_emit_sync(l, SYNC_ATOMIC_BEGIN, s->at);
    operand message = dlang_emit_value(l, s->b), length = load_number(l, channel, s->at);
    if (!v->capacity && capacity == DLANG_UNBOUNDED) give_up_when_full(l, length, capacity, s->at);
    operand first = dlang_emit_offset(l, channel, number(1), CHANNEL_MESSAGES, s->at);
    store_number(l, dlang_emit_offset(l, first, length, 8, s->at), message, s->at);
    store_number(l, channel, dlang_emit_arith(l, ARITH_ADD, length, number(1), s->at), s->at);
    dlang_emit_sync(l, SYNC_ATOMIC_END, s->at);
}

/* The waiting messages move up, so that channels with the same content look the same. The 0 behind the last
 * one moves with them. */
static void lower_receive(lowering *l, const ast *s) {
    begin_statement(l);
    operand channel = dlang_emit_pointer(l, s->a);
    await_other_length(l, channel, 0, s->at);
    operand length = load_number(l, channel, s->at);
    operand first = dlang_emit_offset(l, channel, number(1), CHANNEL_MESSAGES, s->at);
    operand second = dlang_emit_offset(l, channel, number(2), CHANNEL_MESSAGES, s->at);
    operand message = load_number(l, first, s->at);
    operand bytes = dlang_emit_arith(l, ARITH_MUL, length, number(8), s->at);
    instruction *i = dlang_emit(l, INSTR_COPY, s->at);
    i->order = ORDER_SEQ_CST;
    i->a = first;
    i->b = second;
    i->c = bytes;
    store_number(l, channel, dlang_emit_arith(l, ARITH_SUB, length, number(1), s->at), s->at);
    operand target = dlang_emit_pointer(l, s->b);
    dlang_emit_store(l, s->b, target, message);
    dlang_emit_sync(l, SYNC_ATOMIC_END, s->at);
}

/* --- indexer -------------------------------------------------------------------------------------------- */

static ast *make_node(lowering *l, ast_kind kind, unsigned op, const ast *a, const ast *b) {
    ast *node = arena_zero(&l->p->memory, sizeof *node);
    node->kind = (uint8_t)kind;
    node->op = (uint8_t)op;
    node->truth = kind == AST_BINARY && !dlang_is_arithmetic(op);
    node->at = a->at;
    node->a = (ast *)a; /* shared, never changed */
    node->b = (ast *)b;
    return node;
}

static ast *make_number(lowering *l, const ast *s, int64_t value) {
    ast *node = make_node(l, AST_NUMBER, 0, s, NULL);
    node->a = NULL;
    node->value = value;
    return node;
}

static ast *make_chain(ast *first, ast *second) {
    first->next = second;
    return first;
}

/* The body of the document's listing 6.2:
 *
 *     while m < max {
 *         m := m + 1
 *         w := m * nprocs + (number of the process)
 *         h := (w * 7) % size
 *         while cas(target, 0, w) == 0 { h := (h + 1) % size }
 *     }
 */
static void lower_indexer(lowering *l, const ast *s) {
    const ast *max = s->list, *size = max->next, *m = size->next, *w = m->next, *h = w->next,
              *target = h->next, *factor = target->next;
    ast *zero = make_number(l, s, 0), *one = make_number(l, s, 1), *seven = make_number(l, s, 7);
    ast *product = make_node(l, AST_BINARY, TOKEN_STAR, m, factor);
    ast *message = make_node(l, AST_BINARY, TOKEN_PLUS, product, make_number(l, s, l->process));
    ast *spread = make_node(l, AST_BINARY, TOKEN_STAR, w, seven);
    ast *next_slot = make_node(l, AST_BINARY, TOKEN_PLUS, h, one);
    ast *swap = make_node(l, AST_CAS, 0, target, zero);
    swap->c = (ast *)w;

    ast *probe = make_node(l, AST_ASSIGN, 0, h, make_node(l, AST_BINARY, TOKEN_PERCENT, next_slot, size));
    ast *tries = make_node(l, AST_WHILE, 0, make_node(l, AST_BINARY, TOKEN_EQUAL, swap, zero), probe);
    ast *hash = make_node(l, AST_ASSIGN, 0, h, make_node(l, AST_BINARY, TOKEN_PERCENT, spread, size));
    ast *compose = make_node(l, AST_ASSIGN, 0, w, message);
    ast *count = make_node(l, AST_ASSIGN, 0, m, make_node(l, AST_BINARY, TOKEN_PLUS, m, one));
    ast *body = make_chain(count, make_chain(compose, make_chain(hash, tries)));
    lower_loop(l, make_node(l, AST_WHILE, 0, make_node(l, AST_BINARY, TOKEN_LESS, m, max), body));
}

/* --- processes ------------------------------------------------------------------------------------------ */

static void lower_statements(lowering *l, const ast *list) {
    for (const ast *s = list; s; s = s->next) {
        switch ((ast_kind)s->kind) {
        case AST_ASSIGN: lower_assignment(l, s); break;
        case AST_INDEXER: lower_indexer(l, s); break;
        case AST_IF: lower_conditional(l, s); break;
        case AST_WHILE: lower_loop(l, s); break;
        case AST_ASSERT: lower_assertion(l, s); break;
        case AST_SEND: lower_send(l, s); break;
        case AST_RECEIVE: lower_receive(l, s); break;
        default: lower_swap(l, s);
        }
    }
}

/* Every process has its own copy of each local variable. */
static void declare_locals(lowering *l, position at) {
    for (size_t k = 0; k < l->file->variables.size; k++) {
        const variable *v = &l->file->variables.data[k];
        if (v->kind != VARIABLE_LOCAL) continue;
        if (v->length == 1) {
            l->place[k] = function_add_register(l->p, l->function, number_type, v->name);
            instruction *i = dlang_emit(l, INSTR_MOVE, at);
            i->dst = l->place[k];
            i->a = number(v->values ? v->values[0] : 0);
            continue;
        }
        local_object object = {program_copy_text(l->p, v->name),
                               program_scalar_layout(l->p, number_type),
                               v->length,
                               true,
                               false,
                               false};
        function *f = &l->p->functions.data[l->function];
        l->place[k] = (uint32_t)f->locals.size;
        vec_push(&f->locals, object);
        for (uint32_t e = 0; v->values && e < v->length; e++) {
            if (!v->values[e]) continue;
            instruction *i = dlang_emit(l, INSTR_STORE, at);
            i->a = operand_local(l->place[k], 8 * (uint64_t)e);
            i->b = number(v->values[e]);
        }
    }
}

static uint32_t lower_process(lowering *l, const process *one) {
    text name = {0};
    if (one->name)
        text_add(&name, one->name);
    else
        text_format(&name, "process[%u]", l->process);
    l->function = program_add_function(l->p, text_cstr(&name), FUNCTION_PLAIN, one->at);
    text_free(&name);
    scalar_type argument = {NUMBER_BITS, VIEW_UNSIGNED};
    function_add_register(l->p, l->function, argument, NULL);
    l->p->functions.data[l->function].parameters = 1;
    l->block = function_add_block(l->p, l->function);
    vec_clear(&l->numbers);
    vec_clear(&l->truths);
    declare_locals(l, one->at);
    lower_statements(l, one->body);
    dlang_emit(l, INSTR_RETURN, one->at);
    return l->function;
}

/* --- the whole ------------------------------------------------------------------------------------------ */

/* Messages that can ever be sent to a variable's channels, if no send stands in a loop. */
static void count_sends(const ast *list, bool in_loop, uint32_t *sends) {
    for (const ast *s = list; s; s = s->next) {
        if (s->kind == AST_SEND && sends[s->a->variable] < DLANG_UNBOUNDED)
            sends[s->a->variable] += in_loop ? DLANG_UNBOUNDED - sends[s->a->variable] : 1;
        if (s->kind == AST_IF || s->kind == AST_WHILE) {
            count_sends(s->b, in_loop || s->kind == AST_WHILE, sends);
            count_sends(s->c, in_loop, sends);
        }
    }
}

/* Unbounded channels get room for as many messages as there can be, up to the limit. */
static void decide_capacities(lowering *l) {
    for (size_t k = 0; k < l->file->processes.size; k++)
        count_sends(l->file->processes.data[k].body, false, l->capacity);
    for (size_t k = 0; k < l->file->variables.size; k++) {
        uint32_t bound = l->file->variables.data[k].capacity;
        if (bound || !l->capacity[k]) l->capacity[k] = bound ? bound : 1;
    }
}

static const layout *channel_layout(program *p, uint32_t capacity) {
    uint32_t messages = capacity + 1;
    cell_type *cells = arena_alloc(&p->memory, (messages + 1) * sizeof *cells);
    cells[0] = (cell_type){.type = number_type, .name = ".length"};
    text name = {0};
    for (uint32_t k = 0; k < messages; k++) {
        name.size = 0;
        text_format(&name, ".message[%u]", k);
        cells[k + 1] = (cell_type){.offset = CHANNEL_MESSAGES + 8 * k,
                                   .type = number_type,
                                   .name = program_copy_text(p, text_cstr(&name))};
    }
    text_free(&name);
    layout *shape = arena_alloc(&p->memory, sizeof *shape);
    *shape = (layout){.stride = CHANNEL_MESSAGES + 8 * messages, .cells = messages + 1, .cell = cells};
    return shape;
}

static void declare_objects(lowering *l) {
    for (size_t k = 0; k < l->file->variables.size; k++) {
        const variable *v = &l->file->variables.data[k];
        if (v->kind == VARIABLE_LOCAL || (v->kind == VARIABLE_CONST && v->length == 1)) continue;
        const layout *shape = v->kind == VARIABLE_CHANNEL ? channel_layout(l->p, l->capacity[k])
                                                          : program_scalar_layout(l->p, number_type);
        static_object object = {.name = program_copy_text(l->p, v->name),
                                .shape = shape,
                                .count = v->length,
                                .is_array = v->length > 1,
                                .is_constant = v->kind == VARIABLE_CONST,
                                .at = v->at};
        l->place[k] = (uint32_t)l->p->objects.size;
        vec_push(&l->p->objects, object);
    }
}

static void store_initial_values(lowering *l) {
    for (size_t k = 0; k < l->file->variables.size; k++) {
        const variable *v = &l->file->variables.data[k];
        if (v->kind == VARIABLE_LOCAL || (v->kind == VARIABLE_CONST && v->length == 1)) continue;
        for (uint32_t e = 0; v->values && e < v->length; e++)
            if (v->values[e])
                store_number(l, operand_object(l->place[k], 8 * (uint64_t)e), number(v->values[e]), v->at);
    }
}

/* Sets up the variables, starts the processes and ends. */
static void lower_main(lowering *l, uint32_t main_function, uint32_t first_process) {
    l->function = main_function;
    l->block = function_add_block(l->p, main_function);
    scalar_type thread_number = {NUMBER_BITS, VIEW_UNSIGNED};
    uint32_t created = function_add_register(l->p, main_function, thread_number, NULL);
    position at = {1, 1};
    store_initial_values(l);
    for (uint32_t k = 0; k < l->file->processes.size; k++) {
        instruction *i = dlang_emit(l, INSTR_SYNC, l->file->processes.data[k].at);
        i->sync = SYNC_CREATE;
        i->dst = created;
        i->a = operand_function(first_process + k);
        i->b = number(0);
    }
    dlang_emit_sync(l, SYNC_EXIT, at);
    dlang_emit(l, INSTR_RETURN, at);
}

program *dlang_lower(const char *file_name, const dlang_file *file) {
    size_t variables = file->variables.size ? file->variables.size : 1;
    lowering l = {.file = file,
                  .p = program_create(KERNEL_PREEMPTIVE, file_name),
                  .place = mem_zero(variables, sizeof *l.place),
                  .capacity = mem_zero(variables, sizeof *l.capacity)};
    position at = {1, 1};
    decide_capacities(&l);
    declare_objects(&l);
    uint32_t main_function = program_add_function(l.p, "main", FUNCTION_MAIN, at);
    thread_info main_thread = {.name = "main", .function = main_function, .at = at};
    vec_push(&l.p->threads, main_thread);
    assert(l.p->functions.size == main_function + 1); /* processes follow it, in their order */
    for (; l.process < file->processes.size; l.process++) lower_process(&l, &file->processes.data[l.process]);
    lower_main(&l, main_function, main_function + 1);
    mem_free(l.place);
    mem_free(l.capacity);
    vec_free(&l.numbers);
    vec_free(&l.truths);
    return l.p;
}
