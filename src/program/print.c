/* The listing behind `heddle dump`: stable text, one line per instruction, meant for people and
 * for golden tests. */
#include "base/invariant.h"
#include "program/program.h"

#include <inttypes.h>

static const char *const arith_names[ARITH_COUNT] = {
    [ARITH_ADD] = "add",
    [ARITH_SUB] = "sub",
    [ARITH_MUL] = "mul",
    [ARITH_UDIV] = "udiv",
    [ARITH_SDIV] = "sdiv",
    [ARITH_UREM] = "urem",
    [ARITH_SREM] = "srem",
    [ARITH_AND] = "and",
    [ARITH_OR] = "or",
    [ARITH_XOR] = "xor",
    [ARITH_SHL] = "shl",
    [ARITH_LSHR] = "lshr",
    [ARITH_ASHR] = "ashr",
    [ARITH_EQ] = "eq",
    [ARITH_NE] = "ne",
    [ARITH_SAME_OBJECT] = "same_object",
    [ARITH_ULT] = "ult",
    [ARITH_ULE] = "ule",
    [ARITH_SLT] = "slt",
    [ARITH_SLE] = "sle",
    [ARITH_NOT] = "not",
    [ARITH_NEG] = "neg",
    [ARITH_ZEXT] = "zext",
    [ARITH_SEXT] = "sext",
    [ARITH_TRUNC] = "trunc",
    [ARITH_SELECT] = "select",
    [ARITH_FADD] = "fadd",
    [ARITH_FSUB] = "fsub",
    [ARITH_FMUL] = "fmul",
    [ARITH_FDIV] = "fdiv",
    [ARITH_FREM] = "frem",
    [ARITH_FPOW] = "fpow",
    [ARITH_FEQ] = "feq",
    [ARITH_FLT] = "flt",
    [ARITH_FLE] = "fle",
    [ARITH_FUNORDERED] = "funordered",
    [ARITH_F_FROM_SIGNED] = "f_from_signed",
    [ARITH_F_FROM_UNSIGNED] = "f_from_unsigned",
    [ARITH_F_TO_SIGNED] = "f_to_signed",
    [ARITH_F_TO_UNSIGNED] = "f_to_unsigned",
    [ARITH_F_CONVERT] = "f_convert",
};

static const char *const sync_names[SYNC_OPS] = {
    [SYNC_WAIT_ANY] = "wait_any",
    [SYNC_WAIT_ALL] = "wait_all",
    [SYNC_WAIT_TIME] = "wait_time",
    [SYNC_WAIT_STATIC] = "wait_static",
    [SYNC_NOTIFY] = "notify",
    [SYNC_NOTIFY_AFTER] = "notify_after",
    [SYNC_CANCEL] = "cancel",
    [SYNC_SUSPEND] = "suspend",
    [SYNC_RESUME] = "resume",
    [SYNC_DISABLE] = "disable",
    [SYNC_ENABLE] = "enable",
    [SYNC_RUN_NOW] = "run_now",
    [SYNC_REQUEST_UPDATE] = "request_update",
    [SYNC_LISTEN] = "listen",
    [SYNC_PENDING_NOW] = "pending_now",
    [SYNC_PENDING_LATER] = "pending_later",
    [SYNC_START] = "start",
    [SYNC_STOP] = "stop",
    [SYNC_END] = "end",
    [SYNC_ATOMIC_BEGIN] = "atomic_begin",
    [SYNC_ATOMIC_END] = "atomic_end",
    [SYNC_AWAIT] = "await",
    [SYNC_CREATE] = "create",
    [SYNC_JOIN] = "join",
    [SYNC_EXIT] = "exit",
    [SYNC_SELF] = "self",
    [SYNC_DETACH] = "detach",
    [SYNC_FENCE] = "fence",
    [SYNC_CLAIM] = "claim",
};

static const char *const check_names[CHECK_KINDS] = {
    [CHECK_ASSERTION] = "assertion", [CHECK_DIVISION] = "division", [CHECK_NULL] = "null",
    [CHECK_BOUNDS] = "bounds",       [CHECK_CONSTANT] = "constant", [CHECK_FREED] = "freed",
    [CHECK_RECURSION] = "recursion", [CHECK_FREE] = "free",         [CHECK_OVERFLOW] = "overflow",
    [CHECK_LEAK] = "leak",           [CHECK_RACE] = "race",         [CHECK_REACH] = "reach",
    [CHECK_OVERLAP] = "overlap",     [CHECK_MISUSE] = "misuse",
};

static void print_type(scalar_type type, text *out) {
    switch ((scalar_view)type.view) {
    case VIEW_UNSIGNED: text_format(out, "u%u", type.width); break;
    case VIEW_SIGNED: text_format(out, "i%u", type.width); break;
    case VIEW_BOOL: text_add(out, "bool"); break;
    case VIEW_CHAR: text_add(out, "char"); break;
    case VIEW_POINTER: text_add(out, "pointer"); break;
    }
}

static void print_shape(const layout *shape, uint32_t count, bool is_array, text *out) {
    if (shape->cells == 1 && !shape->cell[0].name[0]) {
        print_type(shape->cell[0].type, out);
    } else {
        text_char(out, '{');
        for (uint32_t c = 0; c < shape->cells; c++) {
            text_format(out, "%s%u%s ", c ? ", " : "", shape->cell[c].offset, shape->cell[c].name);
            print_type(shape->cell[c].type, out);
        }
        text_format(out, "}/%u", shape->stride);
    }
    if (is_array) text_format(out, "[%u]", count);
}

static void print_register(const function *f, uint32_t r, text *out) {
    const char *name = r < f->registers.size ? f->registers.data[r].name : NULL;
    if (name)
        text_format(out, "%%%s.%u", name, r);
    else
        text_format(out, "%%%u", r);
}

static void print_operand(const program *p, const function *f, operand o, text *out) {
    switch ((operand_kind)o.kind) {
    case OPERAND_NONE: text_add(out, "-"); return;
    case OPERAND_REGISTER: print_register(f, o.index, out); return;
    case OPERAND_CONST: text_format(out, "%" PRIu64 ":%u", o.value, o.width); return;
    case OPERAND_OBJECT:
        text_format(out, "@%s", o.index < p->objects.size ? p->objects.data[o.index].name : "?");
        break;
    case OPERAND_LOCAL:
        text_format(out, "$%s.%u", o.index < f->locals.size ? f->locals.data[o.index].name : "?", o.index);
        break;
    case OPERAND_FUNCTION:
        text_format(out, "&%s", o.index < p->functions.size ? p->functions.data[o.index].name : "?");
        return;
    }
    if (o.value) text_format(out, "+%" PRIu64, o.value);
}

static void print_operands(const program *p, const function *f, const instruction *i, text *out) {
    const operand *fixed[] = {&i->a, &i->b, &i->c};
    const char *separator = " ";
    for (int k = 0; k < 3; k++) {
        if (fixed[k]->kind == OPERAND_NONE) continue;
        text_add(out, separator);
        print_operand(p, f, *fixed[k], out);
        separator = ", ";
    }
}

static void print_arguments(const program *p, const function *f, const instruction *i, text *out) {
    text_char(out, '(');
    for (uint32_t k = 0; k < i->arg_count; k++) {
        if (k) text_add(out, ", ");
        print_operand(p, f, i->args[k], out);
    }
    text_char(out, ')');
}

static void print_order(const instruction *i, text *out) {
    static const char *const orders[ORDER_KINDS] = {
        [ORDER_PLAIN] = "",           [ORDER_NONE] = " unordered",  [ORDER_ASIDE] = " aside",
        [ORDER_RELAXED] = " relaxed", [ORDER_ACQUIRE] = " acquire", [ORDER_RELEASE] = " release",
        [ORDER_ACQ_REL] = " acq_rel", [ORDER_SEQ_CST] = " atomic"};
    bool has_order = i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_UPDATE ||
                     (i->kind == INSTR_SYNC && i->sync == SYNC_FENCE);
    if (has_order) text_add(out, i->order < ORDER_KINDS ? orders[i->order] : " ?");
}

static void print_maker(const instruction *i, text *out) {
    if (i->maker == MADE_BY_NEW) text_add(out, " by new");
    if (i->maker == MADE_BY_NEW_ARRAY) text_add(out, " by new[]");
}

static void print_operation(const program *p, const function *f, const instruction *i, text *out) {
    static const char *const names[INSTR_KINDS] = {
        [INSTR_MOVE] = "move",
        [INSTR_ARITH] = "",
        [INSTR_OFFSET] = "offset",
        [INSTR_INPUT] = "input",
        [INSTR_LOAD] = "load",
        [INSTR_STORE] = "store",
        [INSTR_UPDATE] = "update",
        [INSTR_HAVOC] = "havoc",
        [INSTR_ALLOC] = "alloc",
        [INSTR_FREE] = "free",
        [INSTR_CALL] = "call",
        [INSTR_RETURN] = "return",
        [INSTR_JUMP] = "jump",
        [INSTR_BRANCH] = "branch",
        [INSTR_ASSUME] = "assume",
        [INSTR_CHECK] = "check",
        [INSTR_TIME] = "time",
        [INSTR_SYNC] = "",
        [INSTR_SIZE] = "size",
        [INSTR_COPY] = "copy",
        [INSTR_APART] = "apart",
        [INSTR_FILL] = "fill",
        [INSTR_UNSUPPORTED] = "unsupported",
        [INSTR_PRINT] = "print",
    };
    assert(i->kind >= INSTR_KINDS || names[i->kind]); /* each has a name */
    assert(i->kind != INSTR_SYNC || i->sync >= SYNC_OPS || sync_names[i->sync]);
    text_add(out, i->kind < INSTR_KINDS ? names[i->kind] : "?");
    if (i->kind == INSTR_UPDATE) text_char(out, ' ');
    if (i->kind == INSTR_ARITH || i->kind == INSTR_UPDATE)
        text_add(out, i->arith < ARITH_COUNT ? arith_names[i->arith] : "?");
    if (i->kind == INSTR_SYNC) text_add(out, i->sync < SYNC_OPS ? sync_names[i->sync] : "?");
    if (i->kind == INSTR_SYNC && i->sync == SYNC_AWAIT)
        text_format(out, " %s", i->arith < ARITH_COUNT ? arith_names[i->arith] : "?");
    if (i->kind == INSTR_CALL && i->callee != NO_INDEX)
        text_format(out, " %s", i->callee < p->functions.size ? p->functions.data[i->callee].name : "?");
    print_order(i, out);
    print_operands(p, f, i, out);
    if (i->kind == INSTR_CALL || i->arg_count) print_arguments(p, f, i, out);

    switch ((instruction_kind)i->kind) {
    case INSTR_OFFSET: text_format(out, " * %u", i->extra); break;
    case INSTR_PRINT: text_format(out, " as %u", i->extra); break;
    case INSTR_INPUT:
    case INSTR_HAVOC:
        text_format(out, " #%u %s", i->extra,
                    i->extra < p->inputs.size ? p->inputs.data[i->extra].name : "?");
        break;
    case INSTR_FREE: print_maker(i, out); break;
    case INSTR_ALLOC:
        text_add(out, " of ");
        print_shape(i->shape, 1, false, out);
        print_maker(i, out);
        if (i->extra == ALLOC_HEAP_UNSET) text_add(out, " unset");
        if (i->extra == ALLOC_FRAME_UNSET) text_add(out, " unset, in the frame");
        break;
    case INSTR_CHECK:
        text_format(out, " #%u %s", i->check,
                    i->check < p->checks.size ? p->checks.data[i->check].text : "?");
        break;
    case INSTR_UNSUPPORTED: text_format(out, " %s", i->text ? i->text : "?"); break;
    case INSTR_JUMP: text_format(out, " b%u", i->target[0]); break;
    case INSTR_BRANCH: text_format(out, " b%u b%u", i->target[0], i->target[1]); break;
    default: break;
    }
}

void program_print_instruction(const program *p, const function *f, const instruction *i, text *out) {
    if (i->dst != NO_INDEX) {
        print_register(f, i->dst, out);
        if (i->dst < f->registers.size) {
            text_char(out, ':');
            print_type(f->registers.data[i->dst].type, out);
        }
        text_add(out, " = ");
    }
    print_operation(p, f, i, out);
}

static void print_instruction(const program *p, const function *f, const instruction *i, text *out) {
    text_add(out, "    ");
    program_print_instruction(p, f, i, out);
    text_format(out, "  ; %u:%u\n", i->at.line, i->at.column);
}

static void print_function(const program *p, const function *f, text *out) {
    static const char *const roles[] = {[FUNCTION_PLAIN] = "function",
                                        [FUNCTION_THREAD] = "thread",
                                        [FUNCTION_UPDATE] = "update",
                                        [FUNCTION_MAIN] = "main"};
    text_format(out, "\n%s %s(", roles[f->role], f->name);
    for (uint32_t r = 0; r < f->parameters && r < f->registers.size; r++) {
        if (r) text_add(out, ", ");
        print_register(f, r, out);
        text_char(out, ':');
        print_type(f->registers.data[r].type, out);
    }
    text_char(out, ')');
    if (f->result.width) {
        text_add(out, " -> ");
        print_type(f->result, out);
    }
    if (f->hidden) text_add(out, " hidden");
    text_format(out, "  ; %u:%u\n", f->at.line, f->at.column);
    for (size_t l = 0; l < f->locals.size; l++) {
        text_format(out, "  local $%s.%zu : ", f->locals.data[l].name, l);
        print_shape(f->locals.data[l].shape, f->locals.data[l].count, f->locals.data[l].is_array, out);
        if (f->locals.data[l].unset) text_add(out, " unset");
        text_char(out, '\n');
    }
    for (size_t b = 0; b < f->blocks.size; b++) {
        text_format(out, "  b%zu:\n", b);
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            print_instruction(p, f, &f->blocks.data[b].code.data[k], out);
    }
}

static void print_tables(const program *p, text *out) {
    for (size_t o = 0; o < p->objects.size; o++) {
        const static_object *object = &p->objects.data[o];
        text_format(out, "%s @%s : ", object->is_constant ? "constant" : "object", object->name);
        print_shape(object->shape, object->count, object->is_array, out);
        text_char(out, '\n');
    }
    for (size_t e = 0; e < p->events.size; e++) text_format(out, "event %zu %s\n", e, p->events.data[e].name);
    for (size_t t = 0; t < p->threads.size; t++)
        text_format(out, "thread %zu %s = function %u\n", t, p->threads.data[t].name,
                    p->threads.data[t].function);
    for (size_t u = 0; u < p->updates.size; u++)
        text_format(out, "update %zu %s = function %u\n", u, p->updates.data[u].name,
                    p->updates.data[u].function);
    for (size_t c = 0; c < p->checks.size; c++) {
        const check *property = &p->checks.data[c];
        text_format(out, "check %zu %s \"%s\" in %s  ; %u:%u\n", c, check_names[property->kind],
                    property->text, property->thread_or_function, property->at.line, property->at.column);
    }
    for (size_t i = 0; i < p->inputs.size; i++) {
        text_format(out, "input %zu %s : ", i, p->inputs.data[i].name);
        print_type(p->inputs.data[i].type, out);
        text_format(out, "  ; %u:%u\n", p->inputs.data[i].at.line, p->inputs.data[i].at.column);
    }
}

void program_print(const program *p, text *out) {
    text_format(out, "program %s, %s kernel\n", p->file, rules_name(program_kernel(p)->rules));
    if (p->pointer_bits != 64) text_format(out, "pointers of %u bits\n", p->pointer_bits);
    print_tables(p, out);
    for (size_t f = 0; f < p->functions.size; f++) print_function(p, &p->functions.data[f], out);
}

void program_cell_name(const program *p, uint32_t object, uint32_t offset, text *out) {
    if (object >= p->objects.size) {
        text_format(out, "object %u", object);
        return;
    }
    const static_object *o = &p->objects.data[object];
    text_add(out, o->name);
    uint32_t element = offset / o->shape->stride, rest = offset % o->shape->stride;
    if (o->is_array)
        text_format(out, "[%u]", element);
    else
        rest = offset;
    for (uint32_t c = 0; c < o->shape->cells; c++)
        if (o->shape->cell[c].offset == rest) {
            text_add(out, o->shape->cell[c].name);
            return;
        }
    text_format(out, "+%u", rest);
}
