/* Global variables as static objects, and the code that gives them their first values. */
#include "frontend/llvm/translate.h"

#include <stdio.h>

enum { MOST_LITERAL = 24 }; /* characters of a string literal shown as its name */

static const char *literal_name(translation *t, LLVMValueRef global) {
    const char *s = constant_string(t, global);
    if (!s) return NULL;
    text name = {0};
    text_char(&name, '"');
    for (size_t k = 0; s[k] && k < MOST_LITERAL; k++) {
        if (s[k] == '\n')
            text_add(&name, "\\n");
        else
            text_char(&name, s[k] >= ' ' && s[k] < 127 ? s[k] : '?');
    }
    text_add(&name, strlen(s) > MOST_LITERAL ? "...\"" : "\"");
    const char *kept = program_copy_text(t->p, text_cstr(&name));
    text_free(&name);
    return kept;
}

static const char *name_of(translation *t, LLVMValueRef global, LLVMMetadataRef variable) {
    const char *name = variable ? debug_variable_name(t, variable) : NULL;
    size_t length;
    const char *symbol = LLVMGetValueName2(global, &length);
    if (!name && !strncmp(symbol, ".str", 4)) name = literal_name(t, global);
    if (!name) name = length ? arena_string(&t->p->memory, symbol, length) : "global";
    return name;
}

static uint32_t add_object(translation *t, LLVMValueRef global, const char *name) {
    LLVMMetadataRef variable = debug_global_variable(t, global);
    static_object object = {.name = name,
                            .is_constant = LLVMIsGlobalConstant(global) && !LLVMIsDeclaration(global)};
    if (variable && !debug_is_of_cxx(debug_variable_file(t, variable)))
        object.at = (position){LLVMDIVariableGetLine(variable), 1};
    shape s = lltype_shape(t, LLVMGlobalGetValueType(global), 1, false,
                           variable ? debug_variable_type(t, variable) : NULL);
    if (s.count > MOST_OBJECT_CELLS / s.element->cells) {
        t->too_large = true;
        t->too_large_name = object.name;
        s = (shape){program_scalar_layout(t->p, (scalar_type){8, VIEW_UNSIGNED}), 1, true};
    }
    object.shape = s.element;
    object.count = (uint32_t)s.count;
    object.is_array = s.is_array;
    vec_push(&t->p->objects, object);
    uint32_t number = (uint32_t)(t->p->objects.size - 1);
    vec_push(&t->initialise, ((pending_object){global, number, NO_INDEX}));
    return number;
}

/* No identifier: "v" would be any of them. */
static const char *name_of_copy(translation *t, const char *name, unsigned thread) {
    text of_thread = {0};
    if (thread)
        text_format(&of_thread, "%s@%u", name, thread);
    else
        text_format(&of_thread, "%s@main", name);
    const char *kept = program_copy_text(t->p, text_cstr(&of_thread));
    text_free(&of_thread);
    return kept;
}

/* A thread_local variable is one object for each thread number, and a table of pointers to them. */
static uint32_t make_copies(translation *t, LLVMValueRef global, const char *name) {
    uint32_t first = NO_INDEX;
    for (unsigned k = 0; k < THREAD_COPIES; k++) {
        uint32_t copy = add_object(t, global, name_of_copy(t, name, k));
        t->p->objects.data[copy].of_thread = k;
        if (!k) first = copy;
    }
    scalar_type pointer = {(uint8_t)t->pointer_bits, VIEW_POINTER};
    static_object table = {.name = "__copies",
                           .shape = program_scalar_layout(t->p, pointer),
                           .count = THREAD_COPIES,
                           .is_array = true,
                           .is_constant = true};
    vec_push(&t->p->objects, table);
    uint32_t number = (uint32_t)(t->p->objects.size - 1);
    vec_push(&t->initialise, ((pending_object){global, number, first}));
    return number;
}

static uint32_t make_object(translation *t, LLVMValueRef global) {
    const char *name = name_of(t, global, debug_global_variable(t, global));
    bool copies = LLVMIsThreadLocal(global);
    uint32_t number = copies ? make_copies(t, global, name) : add_object(t, global, name);
    map_put(&t->objects, (uintptr_t)global, number);
    return number;
}

static operand thread_copy(body *b, operand table) {
    unsigned width = b->t->pointer_bits;
    operand self = code_sync(b, SYNC_SELF, true, operand_none(), operand_none());
    operand fits = code_arith(b, ARITH_ULT, 1, self, operand_const(width, THREAD_COPIES));
    uint32_t good = code_new_block(b), bad = code_new_block(b);
    code_branch(b, fits, good, bad);
    bool ended = b->ended;
    code_enter(b, bad);
    code_add(b, INSTR_UNSUPPORTED)->text = "thread_local variables of so many threads";
    code_dead_end(b);
    code_enter(b, good);
    b->ended = ended;
    uint32_t r = code_register(b, width, NULL);
    instruction *i = code_add(b, INSTR_OFFSET);
    i->dst = r;
    i->a = table;
    i->b = self;
    i->extra = width / 8;
    return code_load(b, operand_register(r, width), width, ORDER_PLAIN);
}

/* An array without bound, or a structure without members here. */
static bool has_unknown_size(const translation *t, LLVMValueRef global) {
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    return !LLVMTypeIsSized(type) || !lltype_size(t, type);
}

operand global_pointer(body *b, LLVMValueRef global) {
    if (LLVMGetLinkage(global) == LLVMExternalWeakLinkage && LLVMIsDeclaration(global))
        return operand_const(b->t->pointer_bits, 0);
    if (LLVMIsDeclaration(global) && has_unknown_size(b->t, global)) {
        size_t length;
        code_unsupported(b, "variable `%s`, which is defined nowhere", LLVMGetValueName2(global, &length));
        return operand_const(b->t->pointer_bits, 0);
    }
    uint64_t known = map_get(&b->t->objects, (uintptr_t)global);
    uint32_t number = known == MAP_NONE ? make_object(b->t, global) : (uint32_t)known;
    operand first = operand_pointer(b->t, operand_object(number, 0));
    return LLVMIsThreadLocal(global) ? thread_copy(b, first) : first;
}

/* --- initialisers --------------------------------------------------------------------------------------- */

typedef struct place {
    LLVMValueRef value;
    uint64_t offset;
} place;

/* Stores the constant at the object's offset, part by part; zeros are there already. */
static void store_constant(body *b, uint32_t object, uint64_t offset, LLVMValueRef constant) {
    const translation *t = b->t;
    VEC(place) stack = {0};
    vec_push(&stack, ((place){constant, offset}));
    while (stack.size) {
        place top = vec_pop(&stack);
        if (LLVMIsNull(top.value) || LLVMIsUndef(top.value)) continue;
        LLVMTypeRef type = LLVMTypeOf(top.value);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        scalar_type scalar;
        if (kind == LLVMStructTypeKind) {
            for (unsigned k = LLVMCountStructElementTypes(type); k-- > 0;)
                vec_push(&stack, ((place){LLVMGetAggregateElement(top.value, k),
                                          top.offset + LLVMOffsetOfElement(t->data, type, k)}));
        } else if (kind == LLVMArrayTypeKind) {
            uint64_t size = lltype_size(t, LLVMGetElementType(type));
            for (uint64_t k = LLVMGetArrayLength2(type); k-- > 0;)
                vec_push(&stack,
                         ((place){LLVMGetAggregateElement(top.value, (unsigned)k), top.offset + k * size}));
        } else if (lltype_scalar(t, type, &scalar)) {
            operand value = constant_scalar(b, top.value);
            code_store(b, operand_pointer(t, operand_object(object, top.offset)), value, ORDER_PLAIN);
        } else {
            code_unsupported(b, "an initial value of a type that is not modelled");
        }
    }
    vec_free(&stack);
}

static void havoc(body *b, uint32_t object) {
    const static_object *o = &b->t->p->objects.data[object];
    input entry = {o->name, {(uint8_t)o->shape->cell[0].type.width, o->shape->cell[0].type.view}, o->at};
    vec_push(&b->t->p->inputs, entry);
    instruction *i = code_add(b, INSTR_HAVOC);
    i->a = operand_pointer(b->t, operand_object(object, 0));
    i->extra = (uint32_t)(b->t->p->inputs.size - 1);
}

static void initialise_table(body *b, pending_object o) {
    for (unsigned k = 0; k < THREAD_COPIES; k++)
        code_store(b, operand_pointer(b->t, operand_object(o.object, k * b->t->pointer_bits / 8)),
                   operand_pointer(b->t, operand_object(o.first_copy + k, 0)), ORDER_PLAIN);
}

static void initialise(body *b, pending_object o) {
    b->at = b->t->p->objects.data[o.object].at;
    if (o.first_copy != NO_INDEX) {
        initialise_table(b, o);
        return;
    }
    if (LLVMIsDeclaration(o.llvm)) { /* defined nowhere: it can hold anything */
        havoc(b, o.object);
        return;
    }
    LLVMValueRef value = LLVMGetInitializer(o.llvm);
    bool stands_for_itself = b->t->p->objects.data[o.object].count > 0 && !b->t->too_large;
    if (stands_for_itself) store_constant(b, o.object, 0, value);
}

void globals_initialise(body *start) {
    translation *t = start->t;
    for (size_t k = 0; k < t->initialise.size; k++) initialise(start, t->initialise.data[k]);
    vec_clear(&t->initialise);
}
