/* Functions that are called and have no body: all that the call graph leads to, and what a file with their
 * bodies would look like. */
#include "frontend/llvm/translate.h"

/* --- stubs ---------------------------------------------------------------------------------------------- */

typedef struct c_type {
    const char *name;  /* NULL: not one of those */
    const char *value; /* any value of it; NULL: none */
} c_type;

static c_type type_in_c(const translation *t, LLVMTypeRef type) {
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind: return (c_type){"void", NULL};
    case LLVMPointerTypeKind: return (c_type){"void *", "0"};
    case LLVMFloatTypeKind: return (c_type){"float", "__VERIFIER_nondet_float()"};
    case LLVMDoubleTypeKind: return (c_type){"double", "__VERIFIER_nondet_double()"};
    case LLVMIntegerTypeKind: break;
    default: return (c_type){NULL, NULL};
    }
    unsigned width = LLVMGetIntTypeWidth(type);
    if (width == 1) return (c_type){"_Bool", "__VERIFIER_nondet_bool()"};
    if (width == 8) return (c_type){"char", "__VERIFIER_nondet_char()"};
    if (width == 16) return (c_type){"short", "__VERIFIER_nondet_short()"};
    if (width == 32) return (c_type){"int", "__VERIFIER_nondet_int()"};
    if (width != 64) return (c_type){NULL, NULL};
    return t->pointer_bits == 64 ? (c_type){"long", "__VERIFIER_nondet_long()"}
                                 : (c_type){"long long", "__VERIFIER_nondet_longlong()"};
}

static bool print_parameters(const translation *t, LLVMValueRef f, text *out) {
    unsigned count = LLVMCountParams(f);
    bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f));
    if (!count) text_add(out, variadic ? "" : "void");
    for (unsigned k = 0; k < count; k++) {
        c_type type = type_in_c(t, LLVMTypeOf(LLVMGetParam(f, k)));
        if (!type.name) return false;
        text_format(out, "%s%s%sp%u", k ? ", " : "", type.name, strchr(type.name, '*') ? "" : " ", k + 1);
    }
    if (variadic && count) text_add(out, ", ...");
    return true;
}

/* A definition with the symbol that the linker looks for, whatever language the program is written in. */
static void print_stub(const translation *t, LLVMValueRef f, const char *name, size_t number, text *out) {
    size_t length;
    const char *symbol = LLVMGetValueName2(f, &length);
    bool mangled = strcmp(symbol, name) != 0;
    c_type result = type_in_c(t, LLVMGetReturnType(LLVMGlobalGetValueType(f)));
    text parameters = {0}, called = {0};
    bool known = result.name && print_parameters(t, f, &parameters);
    if (mangled)
        text_format(&called, "stub%zu", number);
    else
        text_add(&called, symbol);
    text_format(out, "/* %s */\n", name);
    if (!known) {
        text_format(
            out, "/* Its parameters or result have types that are not simple: to be written by hand. */\n");
    } else {
        const char *space = strchr(result.name, '*') ? "" : " ";
        if (mangled)
            text_format(out, "%s%s%s(%s) __asm__(\"%s\");\n", result.name, space, text_cstr(&called),
                        text_cstr(&parameters), symbol);
        text_format(out, "%s%s%s(%s) {\n", result.name, space, text_cstr(&called), text_cstr(&parameters));
        if (result.value)
            text_format(out, "    return %s;%s\n", result.value,
                        *result.value == '0' ? " /* null: fill in what it points to */" : "");
        text_add(out, "}\n");
    }
    text_free(&parameters);
    text_free(&called);
}

/* --- which ---------------------------------------------------------------------------------------------- */

void missing_note(body *b, LLVMValueRef declared) {
    program *p = b->t->p;
    size_t length;
    const char *symbol = LLVMGetValueName2(declared, &length);
    for (size_t i = 0; i < p->missing.size; i++)
        if (!strcmp(p->missing.data[i].symbol, symbol)) return;
    const char *name = function_readable_name(b->t, symbol);
    text stub = {0};
    print_stub(b->t, declared, name, p->missing.size + 1, &stub);
    missing_function m = {program_copy_text(p, name), program_copy_text(p, symbol),
                          program_copy_text(p, text_cstr(&stub)), p->functions.data[b->f].file, b->at};
    vec_push(&p->missing, m);
    text_free(&stub);
}

/* No execution comes behind the call, but what stands there may call further ones. */
void missing_call(body *b, LLVMValueRef call, LLVMValueRef declared) {
    size_t length;
    const char *name = function_readable_name(b->t, LLVMGetValueName2(declared, &length));
    missing_note(b, declared);
    code_unsupported_call(b, "call of `%s`, whose body is missing", name);
    b->ended = false;
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) return;
    leaves types = {0};
    operands parts = {0};
    lltype_leaves(b->t, LLVMTypeOf(call), &types);
    for (size_t k = 0; k < types.size; k++) { /* no constant: both ways of a branch count */
        unsigned width = types.data[k].type.width;
        uint32_t any = code_register(b, width, NULL);
        code_move_to(b, any, operand_const(width, 0));
        vec_push(&parts, operand_register(any, width));
    }
    value_define(b, call, parts.data, parts.size);
    vec_free(&types);
    vec_free(&parts);
}
