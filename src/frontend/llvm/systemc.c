/* Operations of the systemc kernel, as the headers in include/systemc call them: see
 * include/systemc/sysc/intrinsics.h. */
#include "frontend/llvm/translate.h"

#define PREFIX "__heddle_sc_"

static operand scalar_argument(body *b, LLVMValueRef call, unsigned k) {
    return value_scalar(b, LLVMGetOperand(call, k));
}

static void operation(body *b, LLVMValueRef call, sync_op op, unsigned operands_of_it) {
    operand first = operands_of_it > 0 ? scalar_argument(b, call, 0) : operand_none();
    operand second = operands_of_it > 1 ? scalar_argument(b, call, 1) : operand_none();
    code_sync(b, op, false, first, second);
}

/* An operation on the events that the call lists, behind its first argument if that is another operand. */
static void operation_on_events(body *b, LLVMValueRef call, sync_op op, bool has_operand, uint32_t result) {
    operands events = {0};
    operand first = has_operand ? scalar_argument(b, call, 0) : operand_none();
    for (unsigned k = has_operand; k < LLVMGetNumArgOperands(call); k++) {
        operand event = scalar_argument(b, call, k);
        vec_push(&events, event);
    }
    const operand *kept = program_copy_operands(b->t->p, events.data, events.size);
    instruction *i = code_add(b, INSTR_SYNC);
    i->sync = (uint8_t)op;
    i->dst = result;
    i->a = first;
    i->args = kept;
    i->arg_count = (uint32_t)events.size;
    vec_free(&events);
}

/* Only those that ask for it are told how it ended: states in which it ended differently are the
 * same to others. */
static void wait_for_events(body *b, LLVMValueRef call, sync_op op, bool timed, bool told) {
    unsigned width = b->t->pointer_bits;
    uint32_t how = told ? code_register(b, width, NULL) : NO_INDEX;
    operation_on_events(b, call, op, timed, how);
    if (!timed) return;
    operand number = told ? operand_register(how, width) : operand_const(width, 0);
    value_define_scalar(b, call, code_resize(b, number, value_width(b, call), false));
}

static void simulation_time(body *b, LLVMValueRef call) {
    uint32_t r = code_register(b, 64, NULL);
    code_add(b, INSTR_TIME)->dst = r;
    value_define_scalar(b, call, operand_register(r, 64));
}

/* A question whose answer has the width of a pointer. */
static void ask_number(body *b, LLVMValueRef call, sync_op op) {
    operand number = code_sync(b, op, true, operand_none(), operand_none());
    value_define_scalar(b, call, code_resize(b, number, value_width(b, call), false));
}

static void time_to_pending(body *b, LLVMValueRef call) {
    uint32_t r = code_register(b, 64, NULL);
    instruction *i = code_add(b, INSTR_SYNC);
    i->sync = SYNC_PENDING_LATER;
    i->dst = r;
    value_define_scalar(b, call, operand_register(r, 64));
}

bool systemc_translate(body *b, LLVMValueRef call, const char *name) {
    static const struct {
        const char *name;
        sync_op op;
        unsigned operands;
    } plain[] = {{"start", SYNC_START, 1},
                 {"stop", SYNC_STOP, 0},
                 {"wait_static", SYNC_WAIT_STATIC, 0},
                 {"wait_time", SYNC_WAIT_TIME, 1},
                 {"notify", SYNC_NOTIFY, 1},
                 {"notify_after", SYNC_NOTIFY_AFTER, 2},
                 {"cancel", SYNC_CANCEL, 1},
                 {"suspend", SYNC_SUSPEND, 1},
                 {"resume", SYNC_RESUME, 1},
                 {"disable", SYNC_DISABLE, 1},
                 {"enable", SYNC_ENABLE, 1},
                 {"run_now", SYNC_RUN_NOW, 1},
                 {"request_update", SYNC_REQUEST_UPDATE, 1}};
    if (strncmp(name, PREFIX, strlen(PREFIX))) return false;
    name += strlen(PREFIX);
    for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
        if (!strcmp(name, plain[k].name)) {
            operation(b, call, plain[k].op, plain[k].operands);
            return true;
        }
    if (!strcmp(name, "wait_any"))
        wait_for_events(b, call, SYNC_WAIT_ANY, false, false);
    else if (!strcmp(name, "wait_all"))
        wait_for_events(b, call, SYNC_WAIT_ALL, false, false);
    else if (!strcmp(name, "wait_any_for"))
        wait_for_events(b, call, SYNC_WAIT_ANY, true, false);
    else if (!strcmp(name, "wait_all_for"))
        wait_for_events(b, call, SYNC_WAIT_ALL, true, false);
    else if (!strcmp(name, "wait_any_for_told"))
        wait_for_events(b, call, SYNC_WAIT_ANY, true, true);
    else if (!strcmp(name, "wait_all_for_told"))
        wait_for_events(b, call, SYNC_WAIT_ALL, true, true);
    else if (!strcmp(name, "listen"))
        operation_on_events(b, call, SYNC_LISTEN, true, NO_INDEX);
    else if (!strcmp(name, "start_while_busy"))
        code_sync(b, SYNC_START, false, scalar_argument(b, call, 0), operand_const(8, 1));
    else if (!strcmp(name, "pending_now"))
        ask_number(b, call, SYNC_PENDING_NOW);
    else if (!strcmp(name, "pending_later"))
        time_to_pending(b, call);
    else if (!strcmp(name, "time"))
        simulation_time(b, call);
    else if (!strcmp(name, "self"))
        ask_number(b, call, SYNC_SELF);
    else
        return false;
    return true;
}

#define REGISTRY    PREFIX "registry"
#define RUN_PROCESS PREFIX "run_process"
#define RUN_UPDATE  PREFIX "run_update"

bool systemc_is_used(LLVMModuleRef module) {
    LLVMValueRef registry = LLVMGetNamedGlobal(module, REGISTRY);
    return registry && !LLVMIsDeclaration(registry);
}

static uint32_t defined_function(translation *t, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(t->module, name);
    return f && !LLVMIsDeclaration(f) ? function_number(t, f) : NO_INDEX;
}

void systemc_prepare_elaboration(body *start) {
    translation *t = start->t;
    t->p->elaboration.pending = true;
    t->p->elaboration.registry = global_pointer(start, LLVMGetNamedGlobal(t->module, REGISTRY)).index;
    t->p->elaboration.run_process = defined_function(t, RUN_PROCESS);
    t->p->elaboration.run_update = defined_function(t, RUN_UPDATE);
}
