/* Calls: how arguments and results travel, which callee is meant, what becomes of functions
 * without a body. */
#include "frontend/llvm/translate.h"

/* --- arguments ------------------------------------------------------------------------------------------ */

static operand copied_argument(body *b, operand original, LLVMTypeRef type) {
    operand copy = code_local(b, "argument", type, 1);
    code_copy(b, copy, original, operand_const(b->t->pointer_bits, lltype_size(b->t, type)));
    return copy;
}

/* The struct type that an argument passed by value points to, or NULL. */
static LLVMTypeRef type_passed_by_value(body *b, LLVMValueRef call, unsigned k) {
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, k + 1, b->t->byval_attribute);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static void add_argument(body *b, LLVMValueRef call, unsigned k, operands *args) {
    LLVMValueRef value = LLVMGetOperand(call, k);
    LLVMTypeRef copied = type_passed_by_value(b, call, k);
    if (copied) {
        operand copy = copied_argument(b, value_scalar(b, value), copied);
        vec_push(args, copy);
        return;
    }
    operands parts = {0};
    leaves types = {0};
    value_parts(b, value, &parts);
    lltype_leaves(b->t, LLVMTypeOf(value), &types);
    for (size_t p = 0; p < parts.size; p++) {
        operand part = parts.data[p];
        if (part.kind == OPERAND_NONE) part = code_input(b, "undefined", types.data[p].type);
        vec_push(args, part);
    }
    vec_free(&parts);
    vec_free(&types);
}

operand call_variable_arguments(body *b, LLVMValueRef call, unsigned first) {
    unsigned count = LLVMGetNumArgOperands(call), slot = b->t->pointer_bits / 8;
    VEC(LLVMTypeRef) members = {0};
    VEC(uint64_t) offsets = {0};
    uint64_t end = 0;
    scalar_type scalar;
    bool good = true;
    for (unsigned k = first; k < count && good; k++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, k));
        good = lltype_scalar(b->t, type, &scalar) && !type_passed_by_value(b, call, k);
        if (!good) break;
        uint64_t size = lltype_size(b->t, type), padding = (slot - size % slot) % slot;
        vec_push(&members, type);
        vec_push(&offsets, end);
        if (padding) vec_push(&members, LLVMArrayType2(LLVMInt8TypeInContext(b->t->context), padding));
        end += size + padding;
    }
    operand area = operand_none();
    if (good && count > first) {
        area = code_local(
            b, "arguments",
            LLVMStructTypeInContext(b->t->context, members.data, (unsigned)members.size, /*packed*/ 1), 1);
        for (unsigned k = first; k < count; k++)
            code_store(b, code_offset(b, area, (int64_t)offsets.data[k - first]),
                       value_scalar(b, LLVMGetOperand(call, k)), ORDER_PLAIN);
    } else if (good) {
        area = operand_const(b->t->pointer_bits, 0);
    }
    vec_free(&members);
    vec_free(&offsets);
    return area;
}

/* --- the call itself ------------------------------------------------------------------------------------ */

/* Where a result of several parts is left for the caller, and how it is read back. */
static operand result_place(body *b, LLVMTypeRef type) {
    return code_local(b, "result", type, 1);
}

static void read_result(body *b, operand where, LLVMTypeRef type, operands *out) {
    leaves types = {0};
    lltype_leaves(b->t, type, &types);
    for (size_t k = 0; k < types.size; k++) {
        operand at = code_offset(b, where, (int64_t)types.data[k].offset);
        operand part = code_load(b, at, types.data[k].type.width, ORDER_PLAIN);
        vec_push(out, part);
    }
    vec_free(&types);
}

/* What a call of operator new makes, numbered; 0: not known. */
static uint32_t made_type(body *b, LLVMValueRef call) {
    unsigned kind = LLVMGetMDKindIDInContext(b->t->context, "heapallocsite", strlen("heapallocsite"));
    LLVMValueRef site = LLVMGetMetadata(call, kind);
    if (!site) return 0;
    uintptr_t type = (uintptr_t)LLVMValueAsMetadata(site);
    if (b->hidden && !debug_is_of_program(b->t, (LLVMMetadataRef)type)) return 0;
    uint64_t known = map_get(&b->t->made_types, type);
    if (known != MAP_NONE) return (uint32_t)known;
    map_put(&b->t->made_types, type, b->t->made_types.size + 1);
    vec_push(&b->t->p->made_types, debug_layout(b->t, (LLVMMetadataRef)type));
    return (uint32_t)b->t->made_types.size;
}

static operand code_call(body *b, uint32_t number, operand pointer, const operands *args, unsigned width) {
    uint32_t r = width ? code_register(b, width, NULL) : NO_INDEX;
    const operand *kept = program_copy_operands(b->t->p, args->data, args->size);
    instruction *i = code_add(b, INSTR_CALL);
    i->dst = r;
    i->callee = number;
    i->a = pointer;
    i->args = kept;
    i->arg_count = (uint32_t)args->size;
    /* What the library computes is part of the expression that asks for it. */
    bool is_expression = number != NO_INDEX && b->t->p->functions.data[number].hidden && width;
    if (!is_expression) code_end_statement(b);
    return width ? operand_register(r, width) : operand_none();
}

/* Makes the arguments fit in number; old-style declarations let calls differ from definitions. Functions that
 * copy are declared by compilers themselves where the program does not (-fno-builtin in compile.c): a number
 * that says how much is converted then. */
static bool fit_arguments(body *b, uint32_t number, uint32_t visible, operands *args) {
    const function *f = &b->t->p->functions.data[number];
    bool copies = f->hidden && (!strcmp(f->name, "memcpy") || !strcmp(f->name, "mempcpy"));
    if (args->size > visible) args->size = visible;
    for (uint32_t k = 0; k < visible; k++) {
        scalar_type wanted = b->t->p->functions.data[number].registers.data[k].type;
        if (copies && k == 2 && k < args->size)
            args->data[k] = code_resize(b, args->data[k], wanted.width, true);
        if (k >= args->size)
            vec_push(args, code_input(b, "missing argument", wanted));
        else if (args->data[k].width != wanted.width)
            return false;
    }
    return true;
}

static void call_with(body *b, uint32_t number, const operands *given, operand variable, operands *result) {
    const signature s = b->t->signatures.data[number];
    const char *name = b->t->p->functions.data[number].name;
    if (!s.callable) {
        code_unsupported_call(b, "call of `%s`, which passes a type that is not modelled", name);
        return;
    }
    operands args = {0};
    for (size_t k = 0; k < given->size; k++) vec_push(&args, given->data[k]);
    uint32_t visible = s.parameters - s.by_pointer - s.variadic - s.is_told;
    LLVMTypeRef type = s.llvm ? LLVMGetReturnType(LLVMGlobalGetValueType(s.llvm)) : NULL;
    if (!fit_arguments(b, number, visible, &args)) {
        code_unsupported_call(b, "call of `%s` with arguments of other types", name);
    } else {
        operand place = s.by_pointer ? result_place(b, type) : operand_none();
        if (s.by_pointer) vec_push(&args, place);
        if (s.variadic) vec_push(&args, variable.kind ? variable : operand_const(b->t->pointer_bits, 0));
        if (s.is_told) vec_push(&args, b->exceptions);
        unsigned width = result ? b->t->p->functions.data[number].result.width : 0;
        operand direct = code_call(b, number, operand_none(), &args, width);
        if (result && s.by_pointer) read_result(b, place, type, result);
        if (direct.kind) vec_push(result, direct);
    }
    vec_free(&args);
}

void call_function(body *b, uint32_t number, const operands *args, operands *result) {
    call_with(b, number, args, operand_none(), result);
}

/* Defines the result of the call; a caller that expects another type than there is gets no further. */
static void define_result(body *b, LLVMValueRef call, const operands *parts, const char *name) {
    leaves types = {0};
    operands made = {0};
    bool fits = true;
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) lltype_leaves(b->t, LLVMTypeOf(call), &types);
    for (size_t k = 0; k < types.size; k++) {
        if (!parts->size) /* the callee returns nothing */
            vec_push(&made, code_input(b, "missing result", types.data[k].type));
        else if (k < parts->size && parts->data[k].width == types.data[k].type.width)
            vec_push(&made, parts->data[k]);
        else
            fits = false;
    }
    if (!fits)
        code_unsupported_call(b, "call of `%s` that expects a result of another type", name);
    else if (types.size)
        value_define(b, call, made.data, made.size);
    vec_free(&types);
    vec_free(&made);
}

static void call_directly(body *b, LLVMValueRef call, LLVMValueRef callee) {
    uint32_t number = function_number(b->t, callee);
    const signature s = b->t->signatures.data[number];
    unsigned fixed = s.variadic ? LLVMCountParams(callee) : LLVMGetNumArgOperands(call);
    operands args = {0}, result = {0};
    for (unsigned k = 0; k < fixed && k < LLVMGetNumArgOperands(call); k++) add_argument(b, call, k, &args);
    operand variable = s.variadic ? call_variable_arguments(b, call, fixed) : operand_const(8, 0);
    const char *name = b->t->p->functions.data[number].name;
    /* A result that nobody uses makes no expression: the call is a statement then. */
    bool wants_result = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind && LLVMGetFirstUse(call);
    if (variable.kind == OPERAND_NONE)
        code_unsupported(b, "variable arguments of a type that is not modelled");
    else
        call_with(b, number, &args, variable, wants_result ? &result : NULL);
    block *here = &b->t->p->functions.data[b->f].blocks.data[b->block];
    if (here->code.size && vec_last(&here->code).kind == INSTR_CALL)
        vec_last(&here->code).extra = made_type(b, call);
    if (!b->ended && wants_result) define_result(b, call, &result, name);
    vec_free(&args);
    vec_free(&result);
}

static void call_through_pointer(body *b, LLVMValueRef call, LLVMValueRef callee) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call), returned = LLVMTypeOf(call);
    /* Without named parameters it is an old-style declaration, not a variadic function. */
    bool variadic = LLVMIsFunctionVarArg(type) && LLVMCountParamTypes(type);
    unsigned fixed = variadic ? LLVMCountParamTypes(type) : LLVMGetNumArgOperands(call);
    operand pointer = value_scalar(b, callee), place = operand_none();
    operands args = {0}, result = {0};
    leaves types = {0};
    for (unsigned k = 0; k < fixed; k++) add_argument(b, call, k, &args);
    if (LLVMGetTypeKind(returned) != LLVMVoidTypeKind) lltype_leaves(b->t, returned, &types);
    if (types.size > 1) {
        place = result_place(b, returned);
        vec_push(&args, place);
    }
    operand variable = variadic ? call_variable_arguments(b, call, fixed) : operand_none();
    if (variadic) vec_push(&args, variable);
    if (b->t->throws) vec_push(&args, b->exceptions);
    if (args.size > PROGRAM_MOST_ARGUMENTS || (variadic && variable.kind == OPERAND_NONE)) {
        code_unsupported(b, "a call with arguments that are not modelled");
    } else {
        operand direct =
            code_call(b, NO_INDEX, pointer, &args, types.size == 1 ? types.data[0].type.width : 0);
        if (types.size > 1) read_result(b, place, returned, &result);
        if (direct.kind) vec_push(&result, direct);
        define_result(b, call, &result, "a function");
    }
    vec_free(&args);
    vec_free(&result);
    vec_free(&types);
}

/* --- callees -------------------------------------------------------------------------------------------- */

static LLVMValueRef callee_of(LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    for (;;) {
        if (LLVMIsAGlobalAlias(callee))
            callee = LLVMAliasGetAliasee(callee);
        else if (LLVMIsAConstantExpr(callee) && LLVMGetConstOpcode(callee) == LLVMBitCast)
            callee = LLVMGetOperand(callee, 0);
        else
            return callee;
    }
}

/* An empty template only keeps the compiler from moving code, and fences are no news here. */
static void call_assembly(body *b, LLVMValueRef call, LLVMValueRef assembly) {
    static const char *const harmless[] = {"",        "nop",    "pause",  "rep; nop",
                                           "rep;nop", "mfence", "sfence", "lfence"};
    size_t length;
    const char *template = LLVMGetInlineAsmAsmString(assembly, &length);
    bool without_result = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
        if (without_result && strlen(harmless[k]) == length && !memcmp(harmless[k], template, length)) return;
    code_unsupported(b, "inline assembly");
}

/* The first argument of a call whose type is not modelled is found by its problem; true if all are fine. */
static bool types_are_modelled(body *b, LLVMValueRef call, const char *name) {
    LLVMTypeRef result = LLVMTypeOf(call);
    bool good = LLVMGetTypeKind(result) == LLVMVoidTypeKind || lltype_is_modelled(b->t, result);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && good; k++)
        good = lltype_is_modelled(b->t, LLVMTypeOf(LLVMGetOperand(call, k)));
    if (!good) code_unsupported_call(b, "call of `%s`, which passes a type that is not modelled", name);
    return good;
}

void call_translate(body *b, LLVMValueRef call) {
    LLVMValueRef callee = callee_of(call);
    if (LLVMIsAInlineAsm(callee)) {
        call_assembly(b, call, callee);
        return;
    }
    size_t length;
    const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : NULL;
    if (name && LLVMGetIntrinsicID(callee)) {
        intrinsic_translate(b, call, name);
        return;
    }
    if (name && model_intrinsic_translate(b, call, name)) return;
    if (name && builtin_translate(b, call, callee, name)) return;
    if (!types_are_modelled(b, call, name ? name : "a function")) return;
    if (!name)
        call_through_pointer(b, call, callee);
    else if (LLVMIsDeclaration(callee))
        missing_call(b, call, callee);
    else {
        if (program_kernel(b->t->p)->library_is_headers || function_is_of_library(callee))
            assumptions_of_call(b, call, name);
        call_directly(b, call, callee);
    }
    bool looks_itself = LLVMIsAInvokeInst(call);
    if (!looks_itself && !b->ended && exceptions_may_come(b, call, callee)) exceptions_pass_on(b);
}
