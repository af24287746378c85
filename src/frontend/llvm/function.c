/* Functions: their signatures, their blocks, and the code on the edges between blocks. */
#include "frontend/llvm/compile.h"
#include "frontend/llvm/translate.h"

#include "frontend/llvm/load.h"
#include "transform/tidy.h"

#include <stdlib.h>

#define ATOMIC_PREFIX "__VERIFIER_atomic_"

/* --- signatures ----------------------------------------------------------------------------------------- */

static void add_hidden_parameter(translation *t, uint32_t f, const char *name) {
    function_add_register(t->p, f, (scalar_type){(uint8_t)t->pointer_bits, VIEW_POINTER}, name);
}

static bool is_in_section(LLVMValueRef f, const char *name) {
    const char *section = LLVMGetSection(f);
    return section && !strcmp(section, name);
}

/* FIRST_FRAME of library/intrinsics.h */
static bool is_first_frame(LLVMValueRef f) {
    return is_in_section(f, "heddle.first");
}

static signature make_signature(translation *t, uint32_t f, LLVMValueRef llvm) {
    LLVMTypeRef type = LLVMGlobalGetValueType(llvm), result = LLVMGetReturnType(type);
    signature s = {.llvm = llvm, .callable = true};
    leaves parts = {0};
    for (unsigned k = 0; k < LLVMCountParams(llvm) && s.callable; k++)
        s.callable = lltype_leaves(t, LLVMTypeOf(LLVMGetParam(llvm, k)), &parts);
    for (size_t k = 0; k < parts.size; k++) function_add_register(t->p, f, parts.data[k].type, NULL);
    vec_clear(&parts);
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
        s.callable = s.callable && lltype_leaves(t, result, &parts);
    s.by_pointer = parts.size > 1;
    if (s.by_pointer) add_hidden_parameter(t, f, "result");
    if (parts.size == 1) t->p->functions.data[f].result = parts.data[0].type;
    vec_free(&parts);
    s.variadic = LLVMIsFunctionVarArg(type) && !LLVMIsDeclaration(llvm);
    if (s.variadic) add_hidden_parameter(t, f, "arguments");
    s.is_told = t->throws && !is_first_frame(llvm);
    if (s.is_told) add_hidden_parameter(t, f, ".exceptions");
    s.parameters = (uint32_t)t->p->functions.data[f].registers.size;
    t->p->functions.data[f].parameters = s.parameters;
    if (s.parameters > PROGRAM_MOST_ARGUMENTS) s.callable = false;
    return s;
}

bool function_is_of_library(LLVMValueRef f) {
    return LLVMGetStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LIBRARY_ATTRIBUTE,
                                         strlen(LIBRARY_ATTRIBUTE)) != NULL;
}

/* CALLERS_ACCESS of library/intrinsics.h */
static bool accesses_for_caller(LLVMValueRef f) {
    return is_in_section(f, "heddle.plain");
}

/* What designers did not write: the headers of SystemC and of the C++ library. */
static bool is_of_headers(const char *file) {
    return debug_is_of_cxx(file) || (file && compile_is_own_header(file));
}

/* The primitives of SymC++. What is built on them (uml.h) is code like any other. */
static bool is_of_symcpp(const char *file) {
    const char *slash = file ? strrchr(file, '/') : NULL;
    return slash && !strcmp(slash, "/symcpp.h") && compile_is_own_header(file);
}

extern char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status); /* libstdc++ */

/* Behind the parenthesis that closes this one. */
static const char *behind_parameters(const char *open) {
    int depth = 0;
    for (; *open; open++) {
        depth += *open == '(';
        depth -= *open == ')';
        if (!depth) return open + 1;
    }
    return open;
}

/* Takes the parameters out of a demangled name: those of the function, with all that follows, those of the
 * functions it is inside of, and those of lambdas. Template arguments and `operator()` stay as they are. */
static void remove_parameters(char *name) {
    int angles = 0, braces = 0;
    char *to = name;
    for (const char *from = name; *from; *to++ = *from++) {
        if (!strncmp(from, "operator", 8)) {
            size_t length = 8 + strspn(from + 8, "<>=!+-*/%&|^~[]");
            if (length == 8 && !strncmp(from + length, "()", 2)) length += 2;
            memmove(to, from, length);
            to += length;
            from += length;
        }
        angles += (*from == '<') - (*from == '>');
        braces += (*from == '{') - (*from == '}');
        if (*from == '(' && !angles && strncmp(from, "(anonymous", 10)) {
            from = behind_parameters(from);
            const char *inner = braces ? from : strstr(from, "::");
            if (!inner) break;
            from = inner;
        }
        if (!*from) break;
    }
    *to = 0;
}

/* Templates name what they return first. */
static const char *behind_result(const char *name) {
    int depth = 0;
    const char *begin = name;
    for (const char *at = name; *at && (depth || strncmp(at, "operator", 8)); at++) {
        depth += *at == '<' || *at == '(' || *at == '{';
        depth -= *at == '>' || *at == ')' || *at == '}';
        if (*at == ' ' && !depth) begin = at + 1;
    }
    return begin;
}

static void abbreviate_strings(char *name) {
    static const char whole[] =
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >";
    static const char brief[] = "std::string";
    for (char *at = name; (at = strstr(at, whole)); at += sizeof brief - 1) {
        memcpy(at, brief, sizeof brief - 1);
        memmove(at + sizeof brief - 1, at + sizeof whole - 1, strlen(at + sizeof whole - 1) + 1);
    }
}

/* As its author would say it: C++ names without parameters. */
const char *function_readable_name(translation *t, const char *name) {
    if (strncmp(name, "_Z", 2)) return name;
    int status;
    char *whole = __cxa_demangle(name, NULL, NULL, &status);
    if (!whole) return name;
    abbreviate_strings(whole);
    remove_parameters(whole);
    const char *kept = program_copy_text(t->p, behind_result(whole));
    free(whole); /* allocated by the library */
    return kept;
}

/* Traces show who called a function of a library. What those of C++ access is the caller's doing. */
static void hide_library(translation *t, LLVMValueRef llvm, function *f) {
    bool is_model = function_is_of_library(llvm);
    debug_place_function(t, llvm, f);
    f->hidden = is_model || debug_is_of_cxx(f->file) ||
                (program_kernel(t->p)->library_is_headers ? is_of_headers(f->file) : is_of_symcpp(f->file));
    f->callers_access = is_model ? accesses_for_caller(llvm) : debug_is_of_cxx(f->file);
    f->takes_anything = is_model && is_in_section(llvm, "heddle.any"); /* ANY_ARGUMENTS */
}

uint32_t function_number(translation *t, LLVMValueRef llvm) {
    uint64_t known = map_get(&t->functions, (uintptr_t)llvm);
    if (known != MAP_NONE) return (uint32_t)known;
    size_t length;
    const char *name = function_readable_name(t, LLVMGetValueName2(llvm, &length));
    uint32_t f = program_add_function(t->p, name, FUNCTION_PLAIN, (position){0, 0});
    map_put(&t->functions, (uintptr_t)llvm, f);
    hide_library(t, llvm, &t->p->functions.data[f]);
    if (!strcmp(name, "__heddle_threads")) t->p->thread_origin = f;
    signature s = make_signature(t, f, llvm);
    assert(t->signatures.size == f); /* they go by function number */
    vec_push(&t->signatures, s);
    return f;
}

/* --- edges ---------------------------------------------------------------------------------------------- */

uint32_t block_number(body *b, LLVMBasicBlockRef block) {
    uint64_t known = map_get(&b->blocks, (uintptr_t)block);
    if (known != MAP_NONE) return (uint32_t)known;
    uint32_t number = code_new_block(b);
    map_put(&b->blocks, (uintptr_t)block, number);
    vec_push(&b->todo, block);
    return number;
}

static LLVMValueRef first_phi(LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    return i && LLVMIsAPHINode(i) ? i : NULL;
}

static LLVMValueRef next_phi(LLVMValueRef phi) {
    LLVMValueRef i = LLVMGetNextInstruction(phi);
    return i && LLVMIsAPHINode(i) ? i : NULL;
}

/* The registers of a phi node; they exist from the first edge that needs them. */
static void phi_parts(body *b, LLVMValueRef phi, operands *out) {
    if (map_get(&b->parts, (uintptr_t)phi) == MAP_NONE) {
        leaves types = {0};
        operands made = {0};
        lltype_leaves(b->t, LLVMTypeOf(phi), &types);
        for (size_t k = 0; k < types.size; k++) {
            unsigned width = types.data[k].type.width;
            vec_push(&made, operand_register(code_register(b, width, NULL), width));
        }
        value_define(b, phi, made.data, made.size);
        vec_free(&types);
        vec_free(&made);
    }
    value_parts(b, phi, out);
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
    return NULL;
}

/* All phi nodes of a block take their values at once: a source that is overwritten is copied first. */
static void move_phis(body *b, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    operands targets = {0}, sources = {0};
    for (LLVMValueRef phi = first_phi(to); phi; phi = next_phi(phi)) {
        if (!lltype_is_modelled(b->t, LLVMTypeOf(phi))) continue; /* its block says that */
        phi_parts(b, phi, &targets);
        value_parts(b, incoming(phi, from), &sources);
    }
    assert(sources.size == targets.size); /* part by part */
    map written = {0};
    for (size_t k = 0; k < targets.size; k++) map_put(&written, targets.data[k].index, 1);
    for (size_t k = 0; k < sources.size; k++) {
        operand *s = &sources.data[k];
        if (s->kind == OPERAND_NONE)
            *s = code_input(b, "undefined", (scalar_type){targets.data[k].width, VIEW_SIGNED});
        else if (s->kind == OPERAND_REGISTER && s->index != targets.data[k].index &&
                 map_get(&written, s->index) != MAP_NONE)
            *s = code_move(b, *s, s->width);
    }
    for (size_t k = 0; k < targets.size; k++) {
        if (sources.data[k].kind == OPERAND_REGISTER && sources.data[k].index == targets.data[k].index)
            continue;
        code_move_to(b, targets.data[k].index, sources.data[k]);
    }
    map_free(&written);
    vec_free(&targets);
    vec_free(&sources);
}

/* Where to branch to so that `to` is entered with its phi nodes set. */
static uint32_t edge(body *b, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    uint32_t target = block_number(b, to);
    if (!first_phi(to)) return target;
    uint32_t here = b->block, between = code_new_block(b);
    bool ended = b->ended;
    code_enter(b, between);
    move_phis(b, from, to);
    code_jump(b, target);
    code_enter(b, here);
    b->ended = ended;
    return between;
}

static void jump_along(body *b, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    move_phis(b, from, to);
    code_jump(b, block_number(b, to));
}

/* --- terminators ---------------------------------------------------------------------------------------- */

/* Where a block lies in the function, from 1. */
static uint64_t place_of_block(body *b, LLVMBasicBlockRef block) {
    uint64_t n = 0;
    if (!b->order.size)
        for (LLVMBasicBlockRef at = LLVMGetFirstBasicBlock(b->llvm); at; at = LLVMGetNextBasicBlock(at))
            map_put(&b->order, (uintptr_t)at, ++n);
    return map_get(&b->order, (uintptr_t)block);
}

/* A jump back that belongs to no loop statement: somebody wrote `goto`. */
static bool is_written_jump(body *b, LLVMValueRef i) {
    unsigned loop = LLVMGetMDKindIDInContext(LLVMGetModuleContext(b->t->module), "llvm.loop", 9);
    if (LLVMGetMetadata(i, loop)) return false;
    return place_of_block(b, LLVMGetSuccessor(i, 0)) <= place_of_block(b, LLVMGetInstructionParent(i));
}

static void translate_branch(body *b, LLVMValueRef i, LLVMBasicBlockRef from) {
    if (!LLVMIsConditional(i)) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(i, 0);
        lifetimes_follow(b, &from, &to);
        jump_along(b, from, to);
        if (is_written_jump(b, i)) code_end_statement(b);
        return;
    }
    if (arithmetic_condition(b, i)) {
        jump_along(b, from, LLVMGetSuccessor(i, 0));
        return;
    }
    operand condition = value_scalar(b, LLVMGetCondition(i));
    if (condition.kind == OPERAND_CONST) {
        jump_along(b, from, LLVMGetSuccessor(i, condition.value ? 0 : 1));
        return;
    }
    uint32_t yes = edge(b, from, LLVMGetSuccessor(i, 0)), no = edge(b, from, LLVMGetSuccessor(i, 1));
    code_branch(b, condition, yes, no);
    code_end_statement(b);
}

static void translate_switch(body *b, LLVMValueRef i, LLVMBasicBlockRef from) {
    operand value = value_scalar(b, LLVMGetOperand(i, 0));
    unsigned count = LLVMGetNumSuccessors(i);
    for (unsigned k = 1; k < count; k++) { /* successor 0 is the default, operand 2k the value of case k */
        operand wanted = value_scalar(b, LLVMGetOperand(i, 2 * k));
        operand equal = code_arith(b, ARITH_EQ, 1, value, wanted);
        uint32_t target = edge(b, from, LLVMGetSuccessor(i, k)), next = code_new_block(b);
        code_branch(b, equal, target, next);
        code_end_statement(b);
        code_enter(b, next);
    }
    jump_along(b, from, LLVMGetSuccessor(i, 0));
}

static void translate_return(body *b, LLVMValueRef i) {
    operands parts = {0};
    operand result = operand_none();
    if (LLVMGetNumOperands(i) == 1) {
        LLVMValueRef returned = LLVMGetOperand(i, 0);
        const signature *s = &b->t->signatures.data[b->f];
        if (s->by_pointer) {
            leaves types = {0};
            value_parts(b, returned, &parts);
            lltype_leaves(b->t, LLVMTypeOf(returned), &types);
            for (size_t k = 0; k < parts.size && k < types.size; k++)
                if (parts.data[k].kind != OPERAND_NONE)
                    code_store(b, code_offset(b, b->result_pointer, (int64_t)types.data[k].offset),
                               parts.data[k], ORDER_PLAIN);
            vec_free(&types);
        } else if (b->t->p->functions.data[b->f].result.width) {
            result = value_scalar(b, returned);
        }
    }
    if (b->atomic) code_sync(b, SYNC_ATOMIC_END, false, operand_none(), operand_none());
    code_add(b, INSTR_RETURN)->a = result;
    code_end_statement(b);
    vec_free(&parts);
}

static void translate_invoke(body *b, LLVMValueRef i, LLVMBasicBlockRef from) {
    call_translate(b, i);
    if (b->ended) return;
    if (!b->t->throws) {
        jump_along(b, from, LLVMGetNormalDest(i));
        return;
    }
    uint32_t normal = edge(b, from, LLVMGetNormalDest(i)), landing = edge(b, from, LLVMGetUnwindDest(i));
    exceptions_invoke(b, i, normal, landing);
}

static void translate_terminator(body *b, LLVMValueRef i, LLVMBasicBlockRef from) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMBr: translate_branch(b, i, from); break;
    case LLVMSwitch: translate_switch(b, i, from); break;
    case LLVMRet: translate_return(b, i); break;
    case LLVMInvoke: translate_invoke(b, i, from); break;
    case LLVMUnreachable:
        code_unsupported(
            b, "undefined behaviour: control reaches a place that the compiler takes for unreachable");
        break;
    case LLVMResume: exceptions_resume(b, i); break;
    default: code_unsupported(b, "a jump that is computed"); break;
    }
}

/* --- bodies --------------------------------------------------------------------------------------------- */

static bool is_closed(const block *code) {
    const instruction *last = code->code.size ? &vec_last(&code->code) : NULL;
    return last && (last->kind == INSTR_JUMP || last->kind == INSTR_BRANCH || last->kind == INSTR_RETURN ||
                    (last->kind == INSTR_SYNC && last->sync == SYNC_END));
}

/* Whatever was emitted after the end of the path needs a terminator, too. */
static void close_dead_block(body *b) {
    function *f = &b->t->p->functions.data[b->f];
    block *open = &f->blocks.data[b->block];
    if (b->block + 1 == f->blocks.size && !open->code.size) {
        vec_free(&open->code);
        f->blocks.size--;
    } else if (!is_closed(open)) {
        code_dead_end(b);
    }
}

static void translate_block(body *b, LLVMBasicBlockRef block) {
    code_enter(b, block_number(b, block));
    b->ended = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !b->ended; i = LLVMGetNextInstruction(i)) {
        b->at = b->hidden ? (position){0, 0} : debug_position(i, b->at);
        if (LLVMIsATerminatorInst(i))
            translate_terminator(b, i, block);
        else if (!LLVMIsAPHINode(i))
            instruction_translate(b, i);
        else if (lltype_is_modelled(b->t, LLVMTypeOf(i))) {
            operands parts = {0};
            phi_parts(b, i, &parts);
            vec_free(&parts);
        } else {
            code_unsupported(b, "a value of a type that is not modelled");
        }
    }
    if (b->ended) close_dead_block(b);
}

static void bind_parameters(body *b) {
    uint32_t next = 0;
    for (unsigned k = 0; k < LLVMCountParams(b->llvm); k++) {
        LLVMValueRef parameter = LLVMGetParam(b->llvm, k);
        leaves types = {0};
        operands parts = {0};
        lltype_leaves(b->t, LLVMTypeOf(parameter), &types);
        for (size_t p = 0; p < types.size; p++)
            vec_push(&parts, operand_register(next++, types.data[p].type.width));
        value_define(b, parameter, parts.data, parts.size);
        vec_free(&types);
        vec_free(&parts);
    }
    const signature *s = &b->t->signatures.data[b->f];
    if (s->by_pointer) b->result_pointer = operand_register(next++, b->t->pointer_bits);
    if (s->variadic) b->variable_arguments = operand_register(next++, b->t->pointer_bits);
    if (s->is_told) b->exceptions = operand_register(next++, b->t->pointer_bits);
}

static bool is_atomic_function(const char *name) {
    return !strncmp(name, ATOMIC_PREFIX, strlen(ATOMIC_PREFIX));
}

static void translate_body(body *b) {
    code_enter(b, code_new_block(b));
    const function *f = &b->t->p->functions.data[b->f];
    if (!b->t->signatures.data[b->f].callable || LLVMIsDeclaration(b->llvm)) {
        bool declared = LLVMIsDeclaration(b->llvm);
        if (declared) missing_note(b, b->llvm);
        f = &b->t->p->functions.data[b->f];
        code_unsupported_call(b,
                              declared ? "call of `%s`, whose body is missing"
                                       : "call of `%s`, which passes a type that is not modelled",
                              f->name);
        close_dead_block(b);
        return;
    }
    b->hidden = f->hidden;
    b->is_model = f->hidden && !function_is_of_cxx(f);
    b->atomic = is_atomic_function(f->name);
    b->at = f->at;
    bind_parameters(b);
    debug_find_declarations(b);
    if (b->atomic) code_sync(b, SYNC_ATOMIC_BEGIN, false, operand_none(), operand_none());
    b->is_first_frame = is_first_frame(b->llvm);
    if (b->is_first_frame && b->t->throws) exceptions_open_record(b);
    variables_find(b);
    lifetimes_find_arrays(b);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->llvm);
    map_put(&b->blocks, (uintptr_t)entry, b->block);
    vec_push(&b->todo, entry);
    while (b->todo.size) {
        LLVMBasicBlockRef next = vec_pop(&b->todo);
        translate_block(b, next);
    }
}

void function_body_free(body *b) {
    map_free(&b->parts);
    vec_free(&b->list);
    map_free(&b->variables);
    map_free(&b->variable_registers);
    map_free(&b->declared);
    map_free(&b->left_out);
    map_free(&b->lifetimes);
    map_free(&b->arrays);
    map_free(&b->comes_again);
    map_free(&b->blocks);
    map_free(&b->order);
    vec_free(&b->todo);
}

void functions_translate(translation *t) {
    for (; t->translated < t->p->functions.size; t->translated++) {
        LLVMValueRef llvm = t->signatures.data[t->translated].llvm;
        if (!llvm) continue;
        body b = {.t = t, .llvm = llvm, .f = (uint32_t)t->translated};
        translate_body(&b);
        function_body_free(&b);
        tidy_function(t->p, b.f);
    }
}
