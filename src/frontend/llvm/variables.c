/* Which allocas become registers: scalars whose address is only used to load and store them as a whole. They
 * need no memory, keep their names in traces, and make stores to them invisible to other threads. */
#include "frontend/llvm/translate.h"

#include "base/bits.h"

enum { MOST_LOOKAHEAD = 64 }; /* instructions searched for the last use of a load */

static bool is_load_of(LLVMValueRef i, LLVMValueRef pointer) {
    return LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == pointer;
}

static bool is_store_to(LLVMValueRef i, LLVMValueRef pointer) {
    return LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == pointer;
}

static bool can_be_register(const body *b, LLVMValueRef alloca) {
    scalar_type type, other;
    LLVMValueRef count = LLVMGetOperand(alloca, 0);
    if (!lltype_scalar(b->t, LLVMGetAllocatedType(alloca), &type) || !LLVMIsAConstantInt(count) ||
        LLVMConstIntGetZExtValue(count) != 1)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (is_load_of(user, alloca)) {
            if (!lltype_scalar(b->t, LLVMTypeOf(user), &other) || other.width != type.width) return false;
        } else if (is_store_to(user, alloca)) {
            LLVMValueRef stored = LLVMGetOperand(user, 0);
            if (stored == alloca || !lltype_scalar(b->t, LLVMTypeOf(stored), &other) ||
                other.width != type.width)
                return false;
        } else if (!lifetime_is_mark(user)) {
            return false;
        }
    }
    return true;
}

/* --- parameters ----------------------------------------------------------------------------------------- */

/* The store that gives a variable the value of a parameter which is used nowhere else: both are one register.
 * It must be the first access, and stands in the entry block, which runs once. */
static LLVMValueRef home_store(LLVMValueRef alloca) {
    LLVMBasicBlockRef entry = LLVMGetInstructionParent(alloca);
    for (LLVMValueRef i = LLVMGetNextInstruction(alloca); i; i = LLVMGetNextInstruction(i)) {
        if (is_load_of(i, alloca)) return NULL;
        if (!is_store_to(i, alloca)) continue;
        LLVMValueRef stored = LLVMGetOperand(i, 0);
        LLVMUseRef use = LLVMIsAArgument(stored) ? LLVMGetFirstUse(stored) : NULL;
        bool only_use = use && !LLVMGetNextUse(use);
        return only_use && LLVMGetInstructionParent(i) == entry ? i : NULL;
    }
    return NULL;
}

bool is_parameter_home(const body *b, LLVMValueRef store) {
    uint32_t variable = variable_of(b, LLVMGetOperand(store, 1));
    LLVMValueRef stored = LLVMGetOperand(store, 0);
    if (variable == NO_INDEX || !LLVMIsAArgument(stored)) return false;
    uint64_t known = map_get(&b->parts, (uintptr_t)stored);
    return known != MAP_NONE && (known & 0xff) == 1 && b->list.data[known >> 8].index == variable;
}

static void make_register(body *b, LLVMValueRef alloca) {
    LLVMTypeRef llvm_type = LLVMGetAllocatedType(alloca);
    function *f = &b->t->p->functions.data[b->f];
    scalar_type type;
    lltype_scalar(b->t, llvm_type, &type);
    if (type.view == VIEW_SIGNED)
        type.view = (uint8_t)debug_view(b->t, debug_alloca_type(b, alloca), llvm_type);
    const char *name = debug_register_name(b, alloca);
    LLVMMetadataRef declared = type.view == VIEW_POINTER && name ? debug_alloca_type(b, alloca) : NULL;
    LLVMValueRef home = home_store(alloca);
    uint32_t r;
    if (home) {
        uint64_t known = map_get(&b->parts, (uintptr_t)LLVMGetOperand(home, 0));
        r = b->list.data[known >> 8].index;
        f->registers.data[r] = (register_info){.type = type, .name = name};
    } else {
        r = function_add_register(b->t->p, b->f, type, name);
    }
    if (declared) {
        const layout *target = debug_target(b->t, declared);
        b->t->p->functions.data[b->f].registers.data[r].target = target;
    }
    map_put(&b->variables, (uintptr_t)alloca, r);
    map_put(&b->variable_registers, r, (uintptr_t)alloca);
}

uint32_t variable_of(const body *b, LLVMValueRef pointer) {
    uint64_t known = map_get(&b->variables, (uintptr_t)pointer);
    return known == MAP_NONE ? NO_INDEX : (uint32_t)known;
}

/* --- definite assignment -------------------------------------------------------------------------------- */

typedef struct assignment { /* one bit per register of the function */
    body *b;
    size_t words;
    map number; /* LLVMBasicBlockRef -> row */
    VEC(LLVMBasicBlockRef) blocks;
    uint64_t *before; /* per block: assigned whenever it is entered */
    uint64_t *unset;  /* registers that may be read before */
} assignment;

/* Runs over a block; `report` collects reads of what is not assigned. */
static void pass_block(assignment *a, LLVMBasicBlockRef block, uint64_t *assigned, bool report) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsALoadInst(i)) {
            uint32_t r = variable_of(a->b, LLVMGetOperand(i, 0));
            if (report && r != NO_INDEX && !bits_has(assigned, r)) bits_add(a->unset, r);
        } else if (LLVMIsAStoreInst(i)) {
            uint32_t r = variable_of(a->b, LLVMGetOperand(i, 1));
            if (r != NO_INDEX) bits_add(assigned, r);
        } else if (lifetime_begins(i) && !a->b->hidden) { /* each time it is another variable */
            uint32_t r = variable_of(a->b, lifetime_begins(i));
            if (r != NO_INDEX) bits_remove(assigned, r);
        }
    }
}

static bool meet_into(uint64_t *to, const uint64_t *from, size_t words) {
    bool changed = false;
    for (size_t w = 0; w < words; w++) {
        changed |= (to[w] & ~from[w]) != 0;
        to[w] &= from[w];
    }
    return changed;
}

static void solve(assignment *a) {
    uint64_t *now = mem_zero(a->words, sizeof *now);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < a->blocks.size; k++) {
            memcpy(now, a->before + k * a->words, a->words * sizeof *now);
            pass_block(a, a->blocks.data[k], now, false);
            LLVMValueRef end = LLVMGetBasicBlockTerminator(a->blocks.data[k]);
            for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
                uint64_t row = map_get(&a->number, (uintptr_t)LLVMGetSuccessor(end, s));
                changed |= meet_into(a->before + row * a->words, now, a->words);
            }
        }
    }
    for (size_t k = 0; k < a->blocks.size; k++) {
        memcpy(now, a->before + k * a->words, a->words * sizeof *now);
        pass_block(a, a->blocks.data[k], now, true);
    }
    mem_free(now);
}

/* Parameters are assigned on entry; everything is, formally, where control never comes. */
static void find_unset(body *b, uint64_t *unset, size_t words) {
    assignment a = {.b = b, .words = words, .unset = unset};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->llvm); block;
         block = LLVMGetNextBasicBlock(block)) {
        map_put(&a.number, (uintptr_t)block, a.blocks.size);
        vec_push(&a.blocks, block);
    }
    a.before = mem_alloc(a.blocks.size * words * sizeof *a.before);
    memset(a.before, 0xff, a.blocks.size * words * sizeof *a.before);
    memset(a.before, 0, words * sizeof *a.before);
    for (uint32_t r = 0; r < b->t->p->functions.data[b->f].parameters; r++) bits_add(a.before, r);
    solve(&a);
    mem_free(a.before);
    vec_free(&a.blocks);
    map_free(&a.number);
}

/* A variable that may be read before it is written holds one unknown value from the start. */
static void give_unknown_value(body *b, uint32_t variable) {
    register_info info = b->t->p->functions.data[b->f].registers.data[variable];
    input entry = {info.name ? info.name : "undefined", info.type, b->at};
    vec_push(&b->t->p->inputs, entry);
    instruction *i = code_add(b, INSTR_INPUT);
    i->dst = variable;
    i->extra = (uint32_t)(b->t->p->inputs.size - 1);
}

/* A variable that may be read before it is written, of a block that is entered again and again: in memory it
 * is unknown each time, but only if it is really read. */
static bool leave_in_memory(body *b, uint32_t variable) {
    uint64_t known = map_get(&b->variable_registers, variable);
    LLVMValueRef alloca = known == MAP_NONE ? NULL : (LLVMValueRef)(uintptr_t)known;
    if (!alloca || !lifetime_begins_again(b, alloca)) return false;
    map_remove(&b->variables, (uintptr_t)alloca);
    map_remove(&b->variable_registers, variable);
    return true;
}

void variables_find(body *b) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(b->llvm);
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i))
        if (LLVMIsAAllocaInst(i) && can_be_register(b, i)) make_register(b, i);
    if (!b->variables.size) return;
    size_t count = b->t->p->functions.data[b->f].registers.size, words = BITS_WORDS(count);
    uint64_t *unset = mem_zero(words, sizeof *unset);
    find_unset(b, unset, words);
    for (uint32_t r = 0; r < count; r++)
        if (bits_has(unset, r) && !leave_in_memory(b, r)) give_unknown_value(b, r);
    mem_free(unset);
}

/* --- loads without a copy ------------------------------------------------------------------------------- */

static unsigned uses_of(LLVMValueRef i, LLVMValueRef value) {
    unsigned n = 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) n += LLVMGetOperand(i, (unsigned)k) == value;
    return n;
}

/* Whether the register of a variable can stand for `value`, which equals it here: all uses come in this block
 * before the variable changes. */
bool variable_can_stand_for(const body *b, LLVMValueRef value, uint32_t variable) {
    LLVMValueRef alloca = (LLVMValueRef)(uintptr_t)map_get(&b->variable_registers, variable);
    if (!LLVMIsAInstruction(value)) return false;
    unsigned left = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) left++;
    LLVMValueRef i = LLVMGetNextInstruction(value);
    for (unsigned n = 0; i && left && n < MOST_LOOKAHEAD; i = LLVMGetNextInstruction(i), n++) {
        left -= uses_of(i, value);
        if (is_store_to(i, alloca)) break;
    }
    return !left;
}
