/* The start function, which main's thread runs: initialisers, constructors, the entry function, the end. */
#include "frontend/llvm/start.h"
#include "frontend/llvm/findings.h"

#include "transform/tidy.h"

#define CONSTRUCTORS "llvm.global_ctors"
#define DESTRUCTORS  "llvm.global_dtors"

typedef struct special {
    uint64_t priority;
    LLVMValueRef function;
} special;

typedef VEC(special) specials;

/* In order of priority; equal ones as they stand. */
static void collect(translation *t, const char *name, specials *out) {
    LLVMValueRef list = LLVMGetNamedGlobal(t->module, name);
    LLVMValueRef value = list && !LLVMIsDeclaration(list) ? LLVMGetInitializer(list) : NULL;
    if (!value || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMArrayTypeKind) return;
    uint64_t count = LLVMGetArrayLength2(LLVMTypeOf(value));
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef entry = LLVMGetAggregateElement(value, k);
        special c = {LLVMConstIntGetZExtValue(LLVMGetAggregateElement(entry, 0)),
                     LLVMGetAggregateElement(entry, 1)};
        if (!LLVMIsAFunction(c.function)) continue;
        vec_push(out, c);
        for (size_t at = out->size - 1; at && out->data[at - 1].priority > c.priority; at--) {
            out->data[at] = out->data[at - 1];
            out->data[at - 1] = c;
        }
    }
}

/* The other way round as constructors would. */
void start_run_destructors(body *b) {
    specials after = {0};
    operands none = {0};
    collect(b->t, DESTRUCTORS, &after);
    while (after.size) {
        special last = vec_pop(&after);
        call_function(b, function_number(b->t, last.function), &none, NULL);
    }
    vec_free(&after);
}

/* argv, environment: an object of `count` pointers that the caller fills; the rest is null. */
static operand pointer_table(body *b, const char *name, uint32_t count) {
    program *p = b->t->p;
    static_object object = {
        .name = name,
        .shape = program_scalar_layout(p, (scalar_type){(uint8_t)b->t->pointer_bits, VIEW_POINTER}),
        .count = count,
        .is_array = true};
    vec_push(&p->objects, object);
    return operand_pointer(b->t, operand_object((uint32_t)(p->objects.size - 1), 0));
}

static operand program_name(body *b) {
    static const char name[] = "program";
    program *p = b->t->p;
    static_object object = {.name = "\"program\"",
                            .shape = program_scalar_layout(p, (scalar_type){8, VIEW_CHAR}),
                            .count = sizeof name,
                            .is_array = true};
    vec_push(&p->objects, object);
    operand pointer = operand_pointer(b->t, operand_object((uint32_t)(p->objects.size - 1), 0));
    for (size_t k = 0; name[k]; k++)
        code_store(b, code_offset(b, pointer, (int64_t)k), operand_const(8, (unsigned char)name[k]),
                   ORDER_PLAIN);
    return pointer;
}

/* main gets one argument, its name. Of another entry function numbers and pointers are unknown. */
static void entry_arguments(body *b, uint32_t entry, operands *args) {
    const function *f = &b->t->p->functions.data[entry];
    uint32_t count = f->parameters;
    bool is_main = !strcmp(f->name, "main");
    if (is_main) assumptions_of_main(b, entry);
    for (uint32_t k = 0; k < count; k++) {
        scalar_type type = b->t->p->functions.data[entry].registers.data[k].type;
        if (is_main && k == 0) {
            vec_push(args, operand_const(type.width, 1));
        } else if (is_main && k <= 2 && type.width == b->t->pointer_bits) {
            operand table = pointer_table(b, k == 1 ? "argv" : "environ", 2);
            if (k == 1) code_store(b, table, program_name(b), ORDER_PLAIN);
            vec_push(args, table);
        } else {
            vec_push(args, code_input(b, "argument", type));
        }
    }
}

static bool is_called(translation *t, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(t->module, name);
    return f && map_get(&t->functions, (uintptr_t)f) != MAP_NONE;
}

/* Returning from main is calling exit; the model of exit is needed only where something waits for it. In
 * SymC++ it is the end of main's thread alone. */
static void leave(body *b) {
    if (is_called(b->t, "symcpp_start")) {
        code_sync(b, SYNC_EXIT, false, operand_none(), operand_none());
        code_dead_end(b);
        return;
    }
    static const char *const registering[] = {"atexit", "at_quick_exit", "on_exit", "__cxa_atexit"};
    bool registered = LLVMGetNamedGlobal(b->t->module, DESTRUCTORS) != NULL;
    for (size_t k = 0; k < sizeof registering / sizeof *registering; k++)
        registered |= is_called(b->t, registering[k]);
    LLVMValueRef leaving = registered ? LLVMGetNamedFunction(b->t->module, "exit") : NULL;
    if (leaving && !LLVMIsDeclaration(leaving)) {
        operands args = {0};
        vec_push(&args, operand_const(32, 0));
        call_function(b, function_number(b->t, leaving), &args, NULL);
        vec_free(&args);
    }
    code_dead_end(b);
}

static void call_and_watch(body *b, uint32_t number, const operands *args) {
    call_function(b, number, args, NULL);
    if (b->t->throws) exceptions_pass_on(b);
}

void start_translate(translation *t, LLVMValueRef entry) {
    uint32_t f = program_add_function(t->p, "start", FUNCTION_MAIN, (position){0, 0});
    vec_push(&t->signatures, ((signature){.callable = true}));
    uint32_t number = function_number(t, entry);
    vec_push(&t->p->threads,
             ((thread_info){.name = "main", .function = f, .at = t->p->functions.data[number].at}));
    const function *entered = &t->p->functions.data[number];
    position at = entered->hidden ? (position){0, 0} : entered->at; /* a library may have the entry */
    t->p->functions.data[f].file = entered->file;
    body b = {.t = t, .f = f, .is_first_frame = true, .at = at};
    uint32_t initialisers = code_new_block(&b), run = code_new_block(&b);
    specials before = {0};
    operands args = {0};
    collect(t, CONSTRUCTORS, &before);
    code_enter(&b, run);
    if (program_kernel(t->p)->elaborates) systemc_prepare_elaboration(&b);
    if (t->throws) exceptions_open_record(&b);
    for (size_t k = 0; k < before.size; k++)
        call_and_watch(&b, function_number(t, before.data[k].function), &args);
    entry_arguments(&b, number, &args);
    call_and_watch(&b, number, &args);
    LLVMValueRef monitor = LLVMGetNamedFunction(t->module, LLVM_REACH_MONITOR);
    if (monitor && !LLVMIsDeclaration(monitor)) function_number(t, monitor);
    functions_translate(t);
    b.at = at;
    leave(&b);
    functions_translate(t);
    code_enter(&b, initialisers);
    globals_initialise(&b);
    functions_translate(t); /* those that only initialisers mention */
    for (; t->initialise.size; functions_translate(t)) globals_initialise(&b);
    findings_translate(&b);
    if (t->too_large) {
        text what = {0};
        text_format(&what, "object `%s`, which is too large", t->too_large_name);
        code_add(&b, INSTR_UNSUPPORTED)->text = program_copy_text(t->p, text_cstr(&what));
        text_free(&what);
    }
    code_jump(&b, run);
    vec_free(&before);
    vec_free(&args);
    function_body_free(&b);
    tidy_function(t->p, f);
}
