/* What the files of this folder share while one module is translated.
 *
 * Every LLVM value of a function body becomes a list of scalar operands (`parts`): one for a scalar, several
 * for a first-class aggregate. Register variables (allocas whose address goes nowhere) live in mutable
 * registers, everything else is in single assignment form as LLVM has it. */
#ifndef HEDDLE_FRONTEND_LLVM_TRANSLATE_H
#define HEDDLE_FRONTEND_LLVM_TRANSLATE_H

#include "base/map.h"
#include "frontend/llvm/llvm.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum {
    MOST_PARTS = 48,             /* scalars of one first-class value */
    MOST_CELLS = 1 << 16,        /* cells of one element of an object */
    MOST_OBJECT_CELLS = 1 << 24, /* of one object; beyond it is not modelled */
    THREAD_COPIES = 64,          /* of a thread_local variable */
};

typedef VEC(operand) operands;

typedef struct leaf { /* a scalar inside a type */
    scalar_type type;
    uint64_t offset; /* bytes */
} leaf;

typedef VEC(leaf) leaves;

/* How a function of LLVM is called here: its parameters are the registers 0 .. parameters-1, the parts of the
 * LLVM parameters in order, then the hidden ones. */
typedef struct signature {
    LLVMValueRef llvm; /* NULL for the start function */
    bool callable;     /* false: a type in it is not modelled */
    bool by_pointer;   /* hidden parameter: where to put the parts of the result */
    bool variadic;     /* hidden parameter: the variable arguments in memory */
    bool is_told;      /* hidden parameter: the thread's record of exceptions */
    uint32_t parameters;
} signature;

typedef struct pending_object { /* whose initialiser is still to be stored */
    LLVMValueRef llvm;
    uint32_t object;
    /* Of a thread_local variable, to which the object is the table; NO_INDEX: it is none. */
    uint32_t first_copy;
} pending_object;

typedef struct undrawn_type {
    LLVMMetadataRef type;
    layout *made;
} undrawn_type;

typedef struct translation {
    const llvm_options *options;
    const char *const *files; /* as they were given */
    size_t file_count;
    diagnostics *d;
    program *p;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMTargetDataRef data;
    unsigned pointer_bits, byval_attribute, nounwind_attribute;
    bool throws;               /* the program throws C++ exceptions */
    bool unwinds;              /* pthread_exit has C++ frames to leave, as an exception would */
    map functions;             /* LLVMValueRef -> number */
    map objects;               /* LLVMValueRef -> number */
    map layouts;               /* LLVMTypeRef -> layout of one element, of types without debug information */
    map described_types;       /* LLVMMetadataRef of a type -> its layout by debug information alone */
    VEC(undrawn_type) undrawn; /* of these: those whose cells are still to be found */
    bool draws;                /* they are being found */
    map made_types;            /* LLVMMetadataRef of what operator new makes -> number from 1 */
    map file_names;            /* LLVMMetadataRef of a file -> its name as the user calls it */
    map library_files;         /* LLVMMetadataRef of a file -> library_part (debug.c) */
    map type_selectors;        /* LLVMValueRef of C++ type information -> number */
    VEC(signature) signatures; /* by function number */
    VEC(pending_object) initialise;
    size_t translated; /* functions below this number have their bodies */
    bool too_large;    /* some object was refused; `too_large_name` says which */
    const char *too_large_name;
} translation;

typedef struct body { /* the function being translated */
    translation *t;
    LLVMValueRef llvm;
    uint32_t f, block; /* where code is emitted */
    position at;
    bool ended;          /* the rest of the LLVM block cannot be reached */
    bool hidden;         /* of a library: no positions */
    bool is_model;       /* of ours: no overflow checks */
    bool atomic;         /* the whole body is an atomic section */
    bool is_first_frame; /* a thread begins here */
    map parts;           /* LLVMValueRef -> start << 8 | count, in `list` */
    operands list;
    map variables;          /* alloca -> mutable register */
    map variable_registers; /* and back */
    map declared;           /* alloca -> its DILocalVariable */
    map left_out;           /* instructions that only work on a value which nobody reads */
    map lifetimes;          /* alloca -> what is to be done for its block (lifetimes.c) */
    map arrays;             /* alloca -> register of the array that there is, of those that end early */
    map comes_again;        /* LLVMBasicBlockRef -> whether control may come there twice */
    map blocks;             /* LLVMBasicBlockRef -> block number */
    map order;              /* LLVMBasicBlockRef -> its place in the function; filled when first asked */
    VEC(LLVMBasicBlockRef) todo;
    operand result_pointer, variable_arguments, exceptions;
} body;

/* --- types.c -------------------------------------------------------------------------------------------- */

bool lltype_scalar(const translation *t, LLVMTypeRef type, scalar_type *out);
bool lltype_leaves(const translation *t, LLVMTypeRef type, leaves *out); /* false: not modelled as a value */
bool lltype_is_modelled(const translation *t, LLVMTypeRef type);
uint64_t lltype_size(const translation *t, LLVMTypeRef type); /* bytes from one array element to the next */

typedef struct shape {
    const layout *element;
    uint64_t count;
    bool is_array;
} shape;

/* How an object of `count` elements of this type lies in memory; `debug` (may be NULL) is its DIType. */
shape lltype_shape(translation *t, LLVMTypeRef type, uint64_t count, bool is_array, LLVMMetadataRef debug);

/* --- debug.c -------------------------------------------------------------------------------------------- */

position debug_position(LLVMValueRef instruction, position otherwise);
void debug_place_function(translation *t, LLVMValueRef llvm, function *f);
bool debug_is_of_program(translation *t, LLVMMetadataRef type); /* a class that is not the library's */
const char *debug_variable_file(translation *t, LLVMMetadataRef variable); /* NULL: not known */
bool debug_is_of_cxx(const char *file); /* a header of the C++ library, or ours in its place */
void debug_find_declarations(body *b);
const char *debug_variable_name(translation *t, LLVMMetadataRef variable); /* NULL: none */
LLVMMetadataRef debug_variable_type(translation *t, LLVMMetadataRef variable);
LLVMMetadataRef debug_global_variable(translation *t, LLVMValueRef global); /* DIGlobalVariable or NULL */
bool debug_is_declared(body *b, LLVMValueRef alloca);                       /* as a variable of the source */
const char *debug_register_name(body *b, LLVMValueRef alloca);              /* NULL: the compiler made it */
const char *debug_alloca_name(body *b, LLVMValueRef alloca);                /* never NULL */
LLVMMetadataRef debug_alloca_type(body *b, LLVMValueRef alloca);
bool debug_is_of_whole_function(translation *t, LLVMMetadataRef variable); /* of no block inside it */
bool debug_share_scope(translation *t, LLVMMetadataRef label, LLVMMetadataRef variable);
scalar_view debug_view(translation *t, LLVMMetadataRef type, LLVMTypeRef llvm);
LLVMMetadataRef debug_element_type(translation *t, LLVMMetadataRef type); /* of an array */

typedef struct debug_part { /* a member of a class, or one that it is derived from */
    const char *name;       /* as reports show it; "" for a base class and what stands for the whole */
    LLVMMetadataRef type;   /* or NULL */
    cell_role role;
    uint64_t bits; /* from the beginning; only from debug_part_at */
} debug_part;

bool debug_member(translation *t, LLVMMetadataRef composite, uint64_t byte_offset, debug_part *out);
unsigned debug_part_count(translation *t, LLVMMetadataRef class);
/* False: it has no bytes of its own. */
bool debug_part_at(translation *t, LLVMMetadataRef class, unsigned number, debug_part *out);
LLVMMetadataRef debug_base_type(translation *t, LLVMMetadataRef type); /* NULL: none */
/* Through typedefs, qualifiers and members, not through pointers. */
LLVMMetadataRef debug_plain_type(translation *t, LLVMMetadataRef type);
bool debug_is_pointer(LLVMMetadataRef plain); /* or a reference */
/* Of the type or of its typedef; NULL: none. */
const char *debug_type_name(translation *t, LLVMMetadataRef type);
bool debug_is_lock(translation *t, LLVMMetadataRef type, lock_kind *out); /* of pthreads or C11 threads */

/* --- memory_types.c ------------------------------------------------------------------------------------- */

/* How reports name the bytes of such an object, by debug information alone; NULL: not known. */
const layout *debug_layout(translation *t, LLVMMetadataRef type);
/* Of what a pointer of this type points to; without cells if the type is not complete here. NULL: not known,
 * or of the C++ library. */
const layout *debug_target(translation *t, LLVMMetadataRef pointer);

/* --- code.c --------------------------------------------------------------------------------------------- */

instruction *code_add(body *b, instruction_kind kind);
instruction *code_last(body *b); /* of the present block, which is not empty */
uint32_t code_register(body *b, unsigned width, const char *name);
operand code_move(body *b, operand from, unsigned width);
void code_move_to(body *b, uint32_t target, operand from);
void code_end_statement(body *b); /* of the source, with the last instruction */
operand code_arith(body *b, arith op, unsigned width, operand a, operand x); /* width: of the result */
operand code_unary(body *b, arith op, unsigned width, operand a);
operand code_select(body *b, operand condition, operand a, operand x);
operand code_resize(body *b, operand a, unsigned width, bool is_signed);
operand code_offset(body *b, operand pointer, int64_t bytes);
operand code_input(body *b, const char *name, scalar_type type);
operand code_load(body *b, operand pointer, unsigned width, memory_order_kind order); /* any width 1..64 */
void code_store(body *b, operand pointer, operand value, memory_order_kind order);
void code_copy(body *b, operand to, operand from, operand bytes);
operand code_local(body *b, const char *name, LLVMTypeRef type, uint64_t count); /* new unset local object */
operand code_sync(body *b, sync_op op, bool has_result, operand a, operand x);
void code_jump(body *b, uint32_t target);
void code_branch(body *b, operand condition, uint32_t yes, uint32_t no);
uint32_t code_new_block(body *b);
void code_enter(body *b, uint32_t block);
void code_check(body *b, check_kind kind, operand condition, const char *what);
void code_print(body *b, print_form form, const operand *given, size_t count);
void code_end(body *b);      /* the program ends here */
void code_dead_end(body *b); /* control never comes here: closes the block */
void code_unsupported(body *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void code_unsupported_call(body *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void code_unsupported_here(body *b, const char *what); /* a constant; other threads go on without this one */
operand operand_pointer(const translation *t, operand o); /* with the width of a pointer */

/* --- constants.c ---------------------------------------------------------------------------------------- */

operand constant_scalar(body *b, LLVMValueRef constant); /* NONE for undef */
void constant_parts(body *b, LLVMValueRef constant, operands *out);
/* NULL unless it points to a constant string. */
const char *constant_string(translation *t, LLVMValueRef pointer);

/* --- values.c ------------------------------------------------------------------------------------------- */

void value_parts(body *b, LLVMValueRef v, operands *out); /* appends; NONE stands for undef */
operand value_scalar(body *b, LLVMValueRef v);            /* undef became an input */
void value_define(body *b, LLVMValueRef v, const operand *parts, size_t count);
void value_define_scalar(body *b, LLVMValueRef v, operand o);
unsigned value_width(const body *b, LLVMValueRef v); /* of a scalar */

/* --- variables.c ---------------------------------------------------------------------------------------- */

void variables_find(body *b); /* which allocas become registers; fresh inputs where they may be unset */
uint32_t variable_of(const body *b, LLVMValueRef pointer); /* its register or NO_INDEX */
bool variable_can_stand_for(const body *b, LLVMValueRef value, uint32_t variable);
bool is_parameter_home(const body *b, LLVMValueRef store); /* of a parameter into the variable that is it */

/* --- lifetimes.c ---------------------------------------------------------------------------------------- */

bool lifetime_is_mark(LLVMValueRef i);                    /* llvm.lifetime.start or end */
LLVMValueRef lifetime_begins(LLVMValueRef i);             /* the variable that begins here, or NULL */
bool lifetime_begins_again(body *b, LLVMValueRef alloca); /* its block may be entered several times */
void lifetime_translate(body *b, LLVMValueRef mark);
void lifetimes_find_arrays(body *b); /* before code is translated */
void lifetime_note_array(body *b, LLVMValueRef alloca, operand pointer);
void lifetime_end_arrays(body *b, LLVMValueRef restore); /* llvm.stackrestore */
/* An edge into blocks that only end variables and then ask from where control came: ends them here, and moves
 * the edge to where that leads. */
void lifetimes_follow(body *b, LLVMBasicBlockRef *from, LLVMBasicBlockRef *to);

/* --- unread.c ------------------------------------------------------------------------------------------- */

/* Whether nothing depends on the value of this instruction; whatever works on it is then left out. */
bool value_is_unread(body *b, LLVMValueRef value);

/* --- globals.c ------------------------------------------------------------------------------------------ */

operand global_pointer(body *b, LLVMValueRef global);
void globals_initialise(body *start); /* all objects known so far, and those they point to */

/* --- missing.c ------------------------------------------------------------------------------------------ */

void missing_note(body *b, LLVMValueRef declared); /* a function without a body is called here */
/* Unsupported; what follows is translated. */
void missing_call(body *b, LLVMValueRef call, LLVMValueRef declared);

/* --- continuation.c ------------------------------------------------------------------------------------- */

/* Behind a violated assertion, as if it were not there: the next instruction, or where control would come to
 * if the call returned. Unsupported where nothing tells. */
void continuation_go_on(body *b, LLVMValueRef call);

/* --- function.c ----------------------------------------------------------------------------------------- */

const char *function_readable_name(translation *t, const char *name); /* C++ names without parameters */
bool function_is_of_library(LLVMValueRef f);                          /* a model */
uint32_t function_number(translation *t, LLVMValueRef function);      /* known or queued */
void functions_translate(translation *t);                             /* the queue */
void function_body_free(body *b);
uint32_t block_number(body *b, LLVMBasicBlockRef block);

/* --- instruction.c, arithmetic.c, access.c -------------------------------------------------------------- */

void instruction_translate(body *b, LLVMValueRef i);
void arithmetic_binary(body *b, LLVMValueRef i);
/* Whether this branch is a condition of clang's, to a trap: it has become a check, and control goes on. */
bool arithmetic_condition(body *b, LLVMValueRef branch);
void arithmetic_trap(body *b, uint64_t kind); /* clang's llvm.ubsantrap: a violation, or nothing */
void arithmetic_compare(body *b, LLVMValueRef i);
void arithmetic_cast(body *b, LLVMValueRef i);
void arithmetic_guard_zeros(body *b, operand a);    /* that a is not 0: its zeros are counted */
void arithmetic_check_negation(body *b, operand a); /* that -a has a result, if overflows are asked for */
operand arithmetic_signed_overflow(body *b, LLVMOpcode op, operand a, operand x, operand result);
operand arithmetic_unsigned_overflow(body *b, LLVMOpcode op, operand a, operand x, operand result);
void access_alloca(body *b, LLVMValueRef i);
void access_load(body *b, LLVMValueRef i);
void access_store(body *b, LLVMValueRef i);
void access_element(body *b, LLVMValueRef i);
void access_update(body *b, LLVMValueRef i);
void access_compare_exchange(body *b, LLVMValueRef i);
void access_fence(body *b, LLVMValueRef i);

/* --- floating.c ----------------------------------------------------------------------------------------- */

bool floating_translate(body *b, LLVMValueRef i); /* false: not a floating instruction */
/* A call of an intrinsic of this name (sqrt, floor) on one number; false: there is no model of it. */
bool floating_function(body *b, LLVMValueRef call, const char *operation);

/* --- exceptions.c --------------------------------------------------------------------------------------- */

void exceptions_open_record(body *b); /* in a thread's first frame */
bool exceptions_may_come(const body *b, LLVMValueRef call, LLVMValueRef callee); /* through this call */
void exceptions_pass_on(body *b); /* leaves the function if something is in flight */
void exceptions_invoke(body *b, LLVMValueRef i, uint32_t normal, uint32_t landing);
void exceptions_land(body *b, LLVMValueRef i);
void exceptions_resume(body *b, LLVMValueRef i);
operand exceptions_selector(body *b, LLVMValueRef type); /* what a landing pad gives for this type */

/* --- printing.c ----------------------------------------------------------------------------------------- */

bool printing_translate(body *b, LLVMValueRef call, const char *name); /* false: it does not print */

/* --- calls.c, intrinsics.c, models.c, builtins.c, assumptions.c ----------------------------------------- */

void call_translate(body *b, LLVMValueRef call);
/* What the program asks about the world outside becomes one of the program's assumptions. */
void assumptions_of_call(body *b, LLVMValueRef call, const char *name);
void assumptions_of_main(body *b, uint32_t number);

/* Calls `number` with these arguments; the parts of its result are appended to `result` (may be NULL). */
void call_function(body *b, uint32_t number, const operands *args, operands *result);

/* Arguments from `first` on, in memory as va_arg walks over them: slots of the size of a pointer. NONE if one
 * of them has a type that is not modelled there. */
operand call_variable_arguments(body *b, LLVMValueRef call, unsigned first);
void intrinsic_translate(body *b, LLVMValueRef call, const char *full_name);  /* llvm.* */
bool model_intrinsic_translate(body *b, LLVMValueRef call, const char *name); /* __heddle_* */
bool builtin_translate(body *b, LLVMValueRef call, LLVMValueRef callee, const char *name);
/* What the call says was asserted, in vain or not; NULL: nothing, or only that nobody comes here. */
const char *builtin_asserts(translation *t, LLVMValueRef call);

/* --- uncalled.c ----------------------------------------------------------------------------------------- */

void uncalled_list(translation *t); /* after all functions that can be called: program.uncalled */

/* --- systemc.c ------------------------------------------------------------------------------------------ */

bool systemc_translate(body *b, LLVMValueRef call, const char *name); /* __heddle_sc_* */
bool systemc_is_used(LLVMModuleRef module);                           /* a design, for the systemc kernel */
void systemc_prepare_elaboration(body *start);

#endif
