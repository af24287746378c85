#include "analysis/segment.h"

#include "analysis/flow.h"
#include "analysis/known.h"
#include "analysis/restart.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"

/* --- instances: a function in one calling context ------------------------------------------------------- */

typedef struct instance {
    uint32_t function, parent; /* parent instance, NO_INDEX for the thread's own function */
    call_site return_to;       /* in the parent: the instruction after the call */
    uint32_t result_register;  /* in the parent */
    uint64_t stack_hash;       /* of the return sites of all callers, outermost first */
    known *parameters;         /* what the calls pass */
    known *entry;              /* per block: what is known of the registers that live across blocks */
    bool *reached;             /* per block */
    bool returns;
    known result;
} instance;

typedef struct analysis {
    const program *p;
    segments *out;
    flows *flows;
    const still_memory *still; /* NULL: no cell is known */
    const uint64_t *addressed; /* functions that pointers may be to */
    const restarts *restarts;  /* of main: what it does behind its last simulation is left out */
    uint32_t thread;
    uint32_t self; /* its number as the program sees it */
    bool checks_cut;
    bool give_up; /* recursion or too many contexts: one catch-all segment */
    VEC(instance) instances;
    known *values;       /* over the registers of whichever function is looked at */
    map children;        /* hash of (instance, block, index) -> instance */
    VEC(uint64_t) dirty; /* instance << 32 | block, to be propagated again */
    map is_dirty;
} analysis;

enum { MOST_INSTANCES = 4000 };

static const function *function_of(const analysis *a, uint32_t inst) {
    return &a->p->functions.data[a->instances.data[inst].function];
}

static uint32_t new_instance(analysis *a, uint32_t function, uint32_t parent, call_site return_to,
                             uint32_t result) {
    const struct function *f = &a->p->functions.data[function];
    instance fresh = {
        .function = function, .parent = parent, .return_to = return_to, .result_register = result};
    uint64_t below = parent == NO_INDEX ? 0 : a->instances.data[parent].stack_hash;
    uint64_t site = hash_pair(return_to.function, (uint64_t)return_to.block << 32 | return_to.index);
    fresh.stack_hash = parent == NO_INDEX ? 0 : hash_pair(below, site);
    fresh.entry =
        mem_zero(f->blocks.size * flows_of(a->flows, function)->cross_count + 1, sizeof *fresh.entry);
    fresh.reached = mem_zero(f->blocks.size, sizeof *fresh.reached);
    vec_push(&a->instances, fresh);
    return (uint32_t)(a->instances.size - 1);
}

static bool is_recursive(const analysis *a, uint32_t inst, uint32_t function) {
    for (; inst != NO_INDEX; inst = a->instances.data[inst].parent)
        if (a->instances.data[inst].function == function) return true;
    return false;
}

/* Which function a call enters; NO_INDEX: it is not known. */
static uint32_t called(const analysis *a, const instruction *call, const known *values);

/* The instance that a call at (inst, block, index) enters; NO_INDEX after giving up. */
static uint32_t callee_instance(analysis *a, uint32_t inst, uint32_t block, uint32_t index,
                                const instruction *call, const known *values) {
    uint32_t callee = called(a, call, values);
    uint64_t key = hash_pair(hash_pair(inst, callee), (uint64_t)block << 32 | index);
    uint64_t known_before = map_get(&a->children, key);
    if (known_before != MAP_NONE) return (uint32_t)known_before;
    if (callee == NO_INDEX || a->instances.size >= MOST_INSTANCES || is_recursive(a, inst, callee)) {
        a->give_up = true;
        return NO_INDEX;
    }
    call_site back = {a->instances.data[inst].function, block, index + 1};
    uint32_t child = new_instance(a, callee, inst, back, call->dst);
    map_put(&a->children, key, child);
    return child;
}

/* --- propagation ---------------------------------------------------------------------------------------- */

static void mark_dirty(analysis *a, uint32_t inst, uint32_t block) {
    uint64_t key = (uint64_t)inst << 32 | block;
    if (map_get(&a->is_dirty, key) != MAP_NONE) return;
    map_put(&a->is_dirty, key, 1);
    vec_push(&a->dirty, key);
}

/* Joins what is known at the end of some block into the entry of another one. */
static void flow_into(analysis *a, uint32_t inst, uint32_t block, const known *values) {
    instance *n = &a->instances.data[inst];
    const flow *f = flows_of(a->flows, n->function);
    known *entry = n->entry + (size_t)block * f->cross_count;
    bool changed = !n->reached[block];
    n->reached[block] = true;
    for (uint32_t k = 0; k < f->cross_count; k++)
        changed |= known_join(&entry[k], values[f->cross_register[k]]);
    if (changed) mark_dirty(a, inst, block);
}

/* What is known on entry of a block, in the analysis' own array over all registers. Temporaries of other
 * blocks keep stale values in it: no block reads a register that does not live across blocks
 * before writing it. */
static known *load_entry(analysis *a, uint32_t inst, uint32_t block) {
    const instance *n = &a->instances.data[inst];
    const flow *f = flows_of(a->flows, n->function);
    for (uint32_t k = 0; k < f->cross_count; k++)
        a->values[f->cross_register[k]] = n->entry[(size_t)block * f->cross_count + k];
    return a->values;
}

static known operand_knowledge(const analysis *a, const known *values, const operand *o) {
    switch (o->kind) {
    case OPERAND_REGISTER:
        return values[o->index].is == KNOWN_NOTHING_YET ? known_anything : values[o->index];
    case OPERAND_CONST:
        return known_number(o->width >= 64 ? o->value : o->value & ((UINT64_C(1) << o->width) - 1));
    case OPERAND_FUNCTION: return (known){KNOWN_FUNCTION, o->index, 0};
    case OPERAND_OBJECT: return (known){KNOWN_ADDRESS, o->index, o->value};
    case OPERAND_LOCAL: return (known){KNOWN_ADDRESS, ACCESS_LOCALS + a->thread, OFFSET_UNKNOWN};
    default: return known_anything;
    }
}

static uint32_t called(const analysis *a, const instruction *call, const known *values) {
    if (call->callee != NO_INDEX) return call->callee;
    known pointer = operand_knowledge(a, values, &call->a);
    if (pointer.is != KNOWN_FUNCTION) return NO_INDEX;
    return a->p->functions.data[pointer.object].parameters == call->arg_count ? pointer.object : NO_INDEX;
}

/* The effect of one instruction on the registers; calls are handled by the caller. */
static void transfer(const analysis *a, const function *f, const instruction *i, known *values) {
    if (i->dst == NO_INDEX) return;
    known first = operand_knowledge(a, values, &i->a), second = operand_knowledge(a, values, &i->b);
    unsigned width = f->registers.data[i->dst].type.width;
    switch (i->kind) {
    case INSTR_MOVE: values[i->dst] = first; break;
    case INSTR_ARITH:
        values[i->dst] = known_fold(i, width, first, second, operand_knowledge(a, values, &i->c));
        break;
    case INSTR_OFFSET: values[i->dst] = known_moved(first, second, i->extra); break;
    case INSTR_LOAD: values[i->dst] = a->still ? still_load(a->still, first, width) : known_anything; break;
    case INSTR_SYNC: values[i->dst] = i->sync == SYNC_SELF ? known_number(a->self) : known_anything; break;
    case INSTR_ALLOC: values[i->dst] = (known){KNOWN_ADDRESS, ACCESS_HEAP, OFFSET_UNKNOWN}; break;
    default: values[i->dst] = known_anything; break;
    }
}

static void enter_callee(analysis *a, uint32_t child, const instruction *call, const known *values) {
    const function *callee = function_of(a, child);
    known *entry = mem_zero(callee->registers.size + 1, sizeof *entry);
    for (uint32_t k = 0; k < call->arg_count && k < callee->parameters; k++)
        entry[k] = operand_knowledge(a, values, &call->args[k]);
    flow_into(a, child, 0, entry);
    mem_free(entry);
}

static void note_return(analysis *a, uint32_t inst, known result) {
    instance *n = &a->instances.data[inst];
    bool more = known_join(&n->result, result) || !n->returns;
    n->returns = true;
    if (more && n->parent != NO_INDEX) mark_dirty(a, n->parent, n->return_to.block);
}

/* Whether a branch may go to its k-th target. */
static bool may_go(const analysis *a, const instruction *last, const known *values, uint32_t k) {
    if (last->kind != INSTR_BRANCH) return true;
    known condition = operand_knowledge(a, values, &last->a);
    return condition.is != KNOWN_NUMBER || (condition.number != 0) == (k == 0);
}

/* Nothing comes behind it: a check that always fails (unless exploration goes on there), or what
 * is not modelled. */
static bool ends_here(const analysis *a, const instruction *i, const known *values) {
    if (i->kind == INSTR_UNSUPPORTED) return true;
    if (i->kind != INSTR_CHECK || a->checks_cut) return false;
    known condition = operand_knowledge(a, values, &i->a);
    return condition.is == KNOWN_NUMBER && !condition.number;
}

/* Main alone: no simulation comes any more, neither in this call nor in those that called it. */
static bool is_behind_simulations(const analysis *a, uint32_t inst, uint32_t block, uint32_t index) {
    if (a->thread) return false;
    while (inst != NO_INDEX) {
        const instance *n = &a->instances.data[inst];
        if (restarts_from(a->restarts, n->function, block, index)) return false;
        block = n->return_to.block;
        index = n->return_to.index;
        inst = n->parent;
    }
    return true;
}

/* Runs one block of one instance abstractly, as far as its calls return. */
static void propagate_block(analysis *a, uint32_t inst, uint32_t block) {
    const function *f = function_of(a, inst);
    assert(a->instances.data[inst].reached[block]);
    known *values = load_entry(a, inst, block);
    const struct block *b = &f->blocks.data[block];
    for (uint32_t k = 0; k < b->code.size; k++) {
        const instruction *i = &b->code.data[k];
        if (is_behind_simulations(a, inst, block, k)) return;
        if (i->kind == INSTR_CALL) {
            uint32_t child = callee_instance(a, inst, block, k, i, values);
            if (child == NO_INDEX) return;
            enter_callee(a, child, i, values);
            if (!a->instances.data[child].returns) return;
            if (i->dst != NO_INDEX) values[i->dst] = a->instances.data[child].result;
            continue;
        }
        if (ends_here(a, i, values)) return;
        if (i->kind == INSTR_RETURN)
            note_return(a, inst,
                        i->a.kind == OPERAND_NONE ? known_anything : operand_knowledge(a, values, &i->a));
        transfer(a, f, i, values);
    }
    uint32_t targets[2], count = block_targets(b, targets);
    for (uint32_t k = 0; k < count; k++)
        if (may_go(a, &vec_last(&b->code), values, k)) flow_into(a, inst, targets[k], values);
}

static void propagate(analysis *a) {
    while (a->dirty.size && !a->give_up) {
        uint64_t key = vec_pop(&a->dirty);
        map_remove(&a->is_dirty, key);
        propagate_block(a, (uint32_t)(key >> 32), (uint32_t)key);
    }
}

/* --- effects of instructions ---------------------------------------------------------------------------- */

static void add_memory(effect *e, access_kind kind, uint8_t op, known address, uint32_t bytes) {
    access x = {.kind = (uint8_t)kind, .op = op, .name = ACCESS_ANY, .low = 0, .high = UINT32_MAX};
    if (address.is == KNOWN_ADDRESS) {
        x.name = address.object;
        if (address.number < UINT32_MAX - bytes) { /* not if it is unknown, or before the object */
            x.low = (uint32_t)address.number;
            x.high = x.low + bytes;
        }
    }
    effect_add(e, x);
}

static void add_range(effect *e, access_kind kind, known address, known bytes) {
    bool exact = bytes.is == KNOWN_NUMBER && bytes.number < UINT32_MAX;
    if (!exact && address.is == KNOWN_ADDRESS) address.number = OFFSET_UNKNOWN;
    add_memory(e, kind, 0, address, exact ? (uint32_t)bytes.number : 0);
}

static void add_named(effect *e, access_kind kind, known name) {
    uint32_t which = name.is == KNOWN_NUMBER ? (uint32_t)name.number : ACCESS_ANY;
    effect_add(e, (access){.kind = (uint8_t)kind, .name = which, .high = UINT32_MAX});
}

static void add_plain(effect *e, access_kind kind) {
    effect_add(e, (access){.kind = (uint8_t)kind, .name = ACCESS_ANY, .high = UINT32_MAX});
}

static bool is_wait(const instruction *i) {
    return i->kind == INSTR_SYNC && (i->sync == SYNC_WAIT_ANY || i->sync == SYNC_WAIT_ALL ||
                                     i->sync == SYNC_WAIT_TIME || i->sync == SYNC_WAIT_STATIC);
}

static void add_static_waits(const analysis *a, effect *e) {
    if (a->thread >= a->p->threads.size) return; /* an update, which waits for nothing */
    const thread_info *t = &a->p->threads.data[a->thread];
    for (uint32_t k = 0; k < t->sensitivity_count; k++)
        add_named(e, ACCESS_WAIT, known_number(t->sensitivity[k]));
}

static void add_sync(const analysis *a, effect *e, const instruction *i, const known *values) {
    known target = operand_knowledge(a, values, &i->a);
    switch (i->sync) {
    case SYNC_WAIT_STATIC: add_static_waits(a, e); break;
    case SYNC_WAIT_ANY:
    case SYNC_WAIT_ALL:
    case SYNC_LISTEN:
        for (uint32_t k = 0; k < i->arg_count; k++)
            add_named(e, ACCESS_WAIT, operand_knowledge(a, values, &i->args[k]));
        break;
    case SYNC_NOTIFY: add_named(e, ACCESS_NOTIFY, target); break;
    case SYNC_NOTIFY_AFTER: add_named(e, ACCESS_NOTIFY_AFTER, target); break;
    case SYNC_CANCEL: add_named(e, ACCESS_CANCEL, target); break;
    case SYNC_SUSPEND:
        add_named(e, program_kernel(a->p)->controls_at_once ? ACCESS_CONTROL : ACCESS_SUSPEND, target);
        break;
    case SYNC_RESUME:
        add_named(e, program_kernel(a->p)->controls_at_once ? ACCESS_CONTROL : ACCESS_RESUME, target);
        break;
    case SYNC_DISABLE:
    case SYNC_ENABLE:
    case SYNC_RUN_NOW: add_named(e, ACCESS_CONTROL, target); break;
    case SYNC_REQUEST_UPDATE: add_named(e, ACCESS_REQUEST, target); break;
    case SYNC_PENDING_NOW:
    case SYNC_PENDING_LATER: add_plain(e, ACCESS_SUSPEND); break;
    case SYNC_STOP: add_plain(e, ACCESS_STOP); break;
    case SYNC_END: add_plain(e, ACCESS_ASSUME); break;
    default: break;
    }
}

static uint32_t accessed_bytes(const function *f, const instruction *i) {
    switch (i->kind) {
    case INSTR_LOAD: return scalar_bytes(f->registers.data[i->dst].type);
    case INSTR_STORE:
    case INSTR_UPDATE: return (i->b.width + 7u) / 8;
    case INSTR_HAVOC: return 0; /* the whole object, wherever in it the pointer points */
    default: return 1;
    }
}

static bool is_within(uint64_t offset, uint32_t bytes, const layout *shape, uint32_t count) {
    uint64_t size = (uint64_t)shape->stride * count;
    return !bytes || (offset < size && bytes <= size - offset);
}

/* All of it, and of an object that nobody can have freed. */
static bool is_inside_object(const program *p, const function *f, const instruction *i, known address) {
    uint32_t bytes = accessed_bytes(f, i);
    if (i->a.kind == OPERAND_LOCAL) {
        const local_object *local = &f->locals.data[i->a.index];
        return is_within(i->a.value, bytes, local->shape, local->count);
    }
    if (address.is != KNOWN_ADDRESS || address.object >= ACCESS_LOCALS) return false;
    const static_object *o = &p->objects.data[address.object];
    return !o->heap && is_within(address.number, bytes, o->shape, o->count);
}

static void add_instruction(const analysis *a, effect *e, const function *f, const instruction *i,
                            const known *values) {
    known address = operand_knowledge(a, values, &i->a);
    switch (i->kind) {
    case INSTR_LOAD: add_memory(e, ACCESS_READ, 0, address, accessed_bytes(f, i)); break;
    case INSTR_STORE: add_memory(e, ACCESS_WRITE, 0, address, accessed_bytes(f, i)); break;
    case INSTR_UPDATE: add_memory(e, ACCESS_UPDATE, i->arith, address, accessed_bytes(f, i)); break;
    case INSTR_HAVOC:
    case INSTR_FREE:
        if (address.is == KNOWN_ADDRESS) address.number = OFFSET_UNKNOWN;
        add_memory(e, ACCESS_WRITE, 0, address, 0);
        break;
    case INSTR_COPY:
        add_range(e, ACCESS_WRITE, address, operand_knowledge(a, values, &i->c));
        add_range(e, ACCESS_READ, operand_knowledge(a, values, &i->b), operand_knowledge(a, values, &i->c));
        break;
    case INSTR_FILL: add_range(e, ACCESS_WRITE, address, operand_knowledge(a, values, &i->c)); break;
    case INSTR_SIZE: add_range(e, ACCESS_READ, address, known_anything); break;
    case INSTR_ASSUME: add_plain(e, ACCESS_ASSUME); break;
    case INSTR_CHECK:
        add_plain(e, ACCESS_CHECK);
        if (a->checks_cut && !check_is_stated(a->p->checks.data[i->check].kind)) add_plain(e, ACCESS_ASSUME);
        break;
    case INSTR_RETURN: /* ends the life of the frame's objects, to which others may hold pointers */
        if (f->locals.size)
            add_memory(e, ACCESS_WRITE, 0, (known){KNOWN_ADDRESS, ACCESS_LOCALS + a->thread, OFFSET_UNKNOWN},
                       0);
        break;
    case INSTR_SYNC: add_sync(a, e, i, values); break;
    default: break;
    }
    /* Pointers that are not plainly known may be null, freed or out of bounds: the machine checks them. */
    bool follows_pointer = i->kind == INSTR_LOAD || i->kind == INSTR_STORE || i->kind == INSTR_UPDATE ||
                           i->kind == INSTR_HAVOC || i->kind == INSTR_FREE || i->kind == INSTR_COPY ||
                           i->kind == INSTR_FILL || i->kind == INSTR_SIZE;
    bool ends_block = i->kind == INSTR_FREE && i->extra == FREE_BLOCK;
    bool plain = (i->kind != INSTR_FREE || ends_block) && i->kind != INSTR_COPY && i->kind != INSTR_FILL &&
                 is_inside_object(a->p, f, i, address);
    if (follows_pointer && !plain) {
        add_plain(e, ACCESS_CHECK);
        if (a->checks_cut) add_plain(e, ACCESS_ASSUME);
    }
}

/* --- enumeration of segments ---------------------------------------------------------------------------- */

struct segment_index {
    map by_stack;            /* hash of (thread, stack) -> segment */
    VEC(uint32_t) catch_all; /* per thread, or NO_INDEX */
};

typedef struct place {
    uint32_t inst, block, index;
} place;

typedef VEC(place) places;

static uint64_t stack_key(const analysis *a, place p) {
    const instance *n = &a->instances.data[p.inst];
    uint64_t top = hash_pair(n->function, (uint64_t)p.block << 32 | p.index);
    return hash_pair(a->thread, hash_pair(n->stack_hash, top));
}

static uint32_t add_segment(analysis *a, place start, places *todo) {
    uint64_t key = stack_key(a, start);
    uint64_t known = map_get(&a->out->index->by_stack, key);
    if (known != MAP_NONE) return (uint32_t)known;
    segment s = {.thread = a->thread,
                 .start = {a->instances.data[start.inst].function, start.block, start.index},
                 .call_string = key};
    effect_add(&s.touches, (access){.kind = ACCESS_RUN, .name = a->thread, .high = UINT32_MAX});
    vec_push(&a->out->list, s);
    uint32_t number = (uint32_t)(a->out->list.size - 1);
    map_put(&a->out->index->by_stack, key, number);
    vec_push(todo, start);
    return number;
}

/* What is known at a place: from the entry of its block through the instructions before it. */
static known *values_at(analysis *a, place p) {
    const function *f = function_of(a, p.inst);
    known *values = load_entry(a, p.inst, p.block);
    for (uint32_t k = 0; k < p.index; k++) {
        const instruction *i = &f->blocks.data[p.block].code.data[k];
        if (i->kind == INSTR_CALL) {
            uint32_t child = callee_instance(a, p.inst, p.block, k, i, values);
            if (i->dst != NO_INDEX)
                values[i->dst] = child == NO_INDEX ? known_anything : a->instances.data[child].result;
        } else {
            transfer(a, f, i, values);
        }
    }
    return values;
}

static void wake_events(analysis *a, uint32_t number, const instruction *wait, const known *values) {
    if (wait->sync == SYNC_WAIT_TIME) return;
    if (wait->sync == SYNC_WAIT_STATIC) add_static_waits(a, &a->out->list.data[number].wakes_on);
    for (uint32_t k = 0; k < wait->arg_count; k++)
        add_named(&a->out->list.data[number].wakes_on, ACCESS_WAIT,
                  operand_knowledge(a, values, &wait->args[k]));
}

static void visit_later(map *seen, places *open, place p) {
    uint64_t key = hash_pair(p.inst, (uint64_t)p.block << 32 | p.index);
    if (map_get(seen, key) != MAP_NONE) return;
    map_put(seen, key, 1);
    vec_push(open, p);
}

/* Follows the code from one place to the end of its block, collecting effects; continuations go to `open`,
 * new segments to `todo`. */
static void walk_block(analysis *a, uint32_t number, place at, map *seen, places *open, places *todo) {
    const function *f = function_of(a, at.inst);
    const struct block *b = &f->blocks.data[at.block];
    assert(a->instances.data[at.inst].reached[at.block]); /* else nothing is known of its registers */
    known *values = values_at(a, at);
    for (uint32_t k = at.index; k < b->code.size; k++) {
        const instruction *i = &b->code.data[k];
        if (is_behind_simulations(a, at.inst, at.block, k)) return;
        add_instruction(a, &a->out->list.data[number].touches, f, i, values);
        if (ends_here(a, i, values)) return;
        place next = {at.inst, at.block, k + 1};
        if (i->kind == INSTR_CALL) {
            uint32_t child = callee_instance(a, at.inst, at.block, k, i, values);
            if (child == NO_INDEX) return;
            visit_later(seen, open, (place){child, 0, 0});
            return;
        }
        if (is_wait(i)) {
            uint32_t resumed = add_segment(a, next, todo);
            wake_events(a, resumed, i, values);
            return;
        }
        if (i->kind == INSTR_SYNC && i->sync == SYNC_SUSPEND) {
            known who = operand_knowledge(a, values, &i->a);
            bool may_be_self = who.is != KNOWN_NUMBER || who.number == a->thread;
            if (may_be_self) add_segment(a, next, todo);
            if (who.is == KNOWN_NUMBER && may_be_self) return;
        }
        if (i->kind == INSTR_RETURN) {
            const instance *n = &a->instances.data[at.inst];
            if (n->parent != NO_INDEX)
                visit_later(seen, open, (place){n->parent, n->return_to.block, n->return_to.index});
            return;
        }
        transfer(a, f, i, values);
    }
    uint32_t targets[2], count = block_targets(b, targets);
    for (uint32_t k = 0; k < count; k++) {
        if (!may_go(a, &vec_last(&b->code), values, k)) continue;
        if (flow_is_loop_head(flows_of(a->flows, a->instances.data[at.inst].function), targets[k]))
            a->out->list.data[number].may_loop = true;
        visit_later(seen, open, (place){at.inst, targets[k], 0});
    }
}

/* A thread that does not run at first waits before its first segment. */
static void await_beginning(const analysis *a, segment *first) {
    bool waits = a->thread < a->p->threads.size && a->p->threads.data[a->thread].dont_initialize;
    if (waits) add_static_waits(a, &first->wakes_on);
}

static void enumerate_segments(analysis *a) {
    places todo = {0}, open = {0};
    map seen = {0};
    uint32_t first = add_segment(a, (place){0, 0, 0}, &todo);
    await_beginning(a, &a->out->list.data[first]);
    while (todo.size) {
        place start = vec_pop(&todo);
        uint32_t number = (uint32_t)map_get(&a->out->index->by_stack, stack_key(a, start));
        assert(number < a->out->list.size && a->out->list.data[number].thread == a->thread);
        map_clear(&seen);
        visit_later(&seen, &open, start);
        while (open.size) walk_block(a, number, vec_pop(&open), &seen, &open, &todo);
    }
    vec_free(&todo);
    vec_free(&open);
    map_free(&seen);
}

/* Everything that any function reachable from the thread may do, with unknown registers. */
static void add_catch_all(analysis *a, uint32_t root) {
    segment s = {.thread = a->thread, .start = {root, 0, 0}, .may_loop = true, .catch_all = true};
    effect_add(&s.touches, (access){.kind = ACCESS_RUN, .name = a->thread, .high = UINT32_MAX});
    await_beginning(a, &s);
    uint64_t *seen = mem_zero(BITS_WORDS(a->p->functions.size), sizeof *seen);
    VEC(uint32_t) open = {0};
    vec_push(&open, root);
    bits_add(seen, root);
    while (open.size) {
        const function *f = &a->p->functions.data[vec_pop(&open)];
        known *values = mem_zero(f->registers.size + 1, sizeof *values);
        for (size_t b = 0; b < f->blocks.size; b++)
            for (size_t k = 0; k < f->blocks.data[b].code.size; k++) {
                const instruction *i = &f->blocks.data[b].code.data[k];
                add_instruction(a, &s.touches, f, i, values);
                if (i->kind == INSTR_SYNC && i->sync == SYNC_WAIT_STATIC) add_static_waits(a, &s.wakes_on);
                if (i->kind == INSTR_SYNC && (i->sync == SYNC_WAIT_ANY || i->sync == SYNC_WAIT_ALL))
                    for (uint32_t e = 0; e < i->arg_count; e++)
                        add_named(&s.wakes_on, ACCESS_WAIT, operand_knowledge(a, values, &i->args[e]));
                for (uint32_t c = 0; c < a->p->functions.size && i->kind == INSTR_CALL; c++) {
                    bool may_be = i->callee == c || (i->callee == NO_INDEX && bits_has(a->addressed, c));
                    if (!may_be || bits_has(seen, c)) continue;
                    bits_add(seen, c);
                    vec_push(&open, c);
                }
            }
        mem_free(values);
    }
    vec_free(&open);
    mem_free(seen);
    vec_push(&a->out->list, s);
    a->out->index->catch_all.data[a->thread] = (uint32_t)(a->out->list.size - 1);
}

static void free_instances(analysis *a) {
    for (size_t i = 0; i < a->instances.size; i++) {
        instance *n = &a->instances.data[i];
        mem_free(n->entry);
        mem_free(n->reached);
    }
    vec_free(&a->instances);
    map_free(&a->children);
    vec_free(&a->dirty);
    map_free(&a->is_dirty);
}

static size_t most_registers(const program *p) {
    size_t most = 0;
    for (size_t f = 0; f < p->functions.size; f++)
        if (p->functions.data[f].registers.size > most) most = p->functions.data[f].registers.size;
    return most;
}

static void analyse_thread(analysis *a, uint32_t thread, uint32_t root, uint32_t self) {
    const program *p = a->p;
    a->thread = thread;
    a->self = self;
    a->give_up = false;
    new_instance(a, root, NO_INDEX, (call_site){0}, NO_INDEX);
    known *nothing = mem_zero(p->functions.data[root].registers.size + 1, sizeof *nothing);
    flow_into(a, 0, 0, nothing);
    mem_free(nothing);
    propagate(a);
    if (a->give_up)
        add_catch_all(a, root);
    else
        enumerate_segments(a);
    free_instances(a);
}

/* --- everything ----------------------------------------------------------------------------------------- */

static void take_address(void *data, const operand *o) {
    uint64_t *addressed = data;
    if (o->kind == OPERAND_FUNCTION) bits_add(addressed, o->index);
}

/* Functions that pointers may be to. */
static uint64_t *addressed_functions(const program *p) {
    uint64_t *found = mem_zero(BITS_WORDS(p->functions.size) + 1, sizeof *found);
    for (size_t f = 0; f < p->functions.size; f++)
        for (size_t b = 0; b < p->functions.data[f].blocks.size; b++) {
            const block *in = &p->functions.data[f].blocks.data[b];
            for (size_t k = 0; k < in->code.size; k++)
                instruction_each_operand(&in->code.data[k], take_address, found);
        }
    for (size_t k = 0; k < p->objects.size; k++)
        for (uint32_t c = 0; p->objects.data[k].image && c < p->objects.data[k].image_cells; c++)
            if (p->objects.data[k].image[c].kind == INITIAL_FUNCTION)
                bits_add(found, p->objects.data[k].image[c].index);
    return found;
}

static bool has_images(const program *p) {
    for (size_t k = 0; k < p->objects.size; k++)
        if (p->objects.data[k].image) return true;
    return false;
}

static void clear_segments(segments *s, size_t first) {
    for (size_t i = first; i < s->list.size; i++) {
        effect_free(&s->list.data[i].touches);
        effect_free(&s->list.data[i].wakes_on);
    }
    s->list.size = first;
}

static void note_writes(const segments *s, size_t first, still_memory *still) {
    for (size_t i = first; still && i < s->list.size; i++) still_note(still, &s->list.data[i].touches);
}

static void keep_touches(const segments *from, effect *out) {
    effect_free(out);
    for (size_t i = 0; i < from->list.size; i++)
        for (size_t k = 0; k < from->list.data[i].touches.size; k++)
            effect_add(out, from->list.data[i].touches.data[k]);
}

/* What else happens during the simulation, or between two of them: channel updates and main. Updates have
 * thread numbers of their own here, so that their locals are told apart. */
static void analyse_others(analysis *a, still_memory *still) {
    const program *p = a->p;
    segments *out = a->out, others = {.index = mem_zero(1, sizeof *others.index)};
    uint32_t threads = (uint32_t)p->threads.size, updates = (uint32_t)p->updates.size;
    for (size_t t = 0; t < threads + updates; t++) vec_push(&others.index->catch_all, NO_INDEX);
    a->out = &others;
    bool with_main = still && restarts_in_function(a->restarts, p->threads.data[0].function);
    for (uint32_t u = 0; u < updates + with_main; u++) {
        bool update = u < updates;
        map_clear(&others.index->by_stack);
        analyse_thread(a, update ? threads + u : 0,
                       update ? p->updates.data[u].function : p->threads.data[0].function, 0);
        note_writes(&others, 0, still);
        if (update) keep_touches(&others, &out->update_touches.data[u]);
        clear_segments(&others, 0);
    }
    a->out = out;
    vec_free(&others.list);
    map_free(&others.index->by_stack);
    vec_free(&others.index->catch_all);
    mem_free(others.index);
}

/* Once, with what is known so far. */
static void analyse_all(analysis *a, still_memory *still) {
    segments *s = a->out;
    clear_segments(s, 0);
    map_clear(&s->index->by_stack);
    vec_clear(&s->index->catch_all);
    vec_push(&s->index->catch_all, NO_INDEX);
    for (uint32_t t = 1; t < a->p->threads.size; t++) {
        vec_push(&s->index->catch_all, NO_INDEX);
        analyse_thread(a, t, a->p->threads.data[t].function, t);
    }
    note_writes(s, 0, still);
    analyse_others(a, still);
}

/* --- relations ------------------------------------------------------------------------------------------ */

static bool may_enable(const segment *by, const segment *whom) {
    for (size_t i = 0; i < by->touches.size; i++) {
        const access *n = &by->touches.data[i];
        if (n->kind == ACCESS_CONTROL) return true;
        if (n->kind != ACCESS_NOTIFY) continue;
        for (size_t j = 0; j < whom->wakes_on.size; j++) {
            uint32_t event = whom->wakes_on.data[j].name;
            if (n->name == ACCESS_ANY || event == ACCESS_ANY || n->name == event) return true;
        }
    }
    return false;
}

static void compute_relations(segments *s) {
    size_t n = s->list.size;
    s->words = BITS_WORDS(n);
    s->dependent = mem_zero(n * s->words + 1, sizeof(uint64_t));
    s->can_enable = mem_zero(n * s->words + 1, sizeof(uint64_t));
    s->enabled_by = mem_zero(n * s->words + 1, sizeof(uint64_t));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const segment *x = &s->list.data[i], *y = &s->list.data[j];
            if (x->thread == y->thread && !x->catch_all) continue;
            if (x->thread != y->thread && (i < j ? effect_conflict(&x->touches, &y->touches)
                                                 : bits_has(s->dependent + j * s->words, i)))
                bits_add(s->dependent + i * s->words, j);
            if (may_enable(x, y)) {
                bits_add(s->can_enable + i * s->words, j);
                bits_add(s->enabled_by + j * s->words, i);
            }
        }
}

/* Dependence goes both ways, and whoever may enable another one is among those that enable it. */
FOR_ASSERTIONS static bool relations_agree(const segments *s) {
    for (uint32_t i = 0; i < s->list.size; i++)
        for (uint32_t j = 0; j < s->list.size; j++)
            if (bits_has(segment_row(s, s->dependent, i), j) !=
                    bits_has(segment_row(s, s->dependent, j), i) ||
                bits_has(segment_row(s, s->can_enable, i), j) !=
                    bits_has(segment_row(s, s->enabled_by, j), i))
                return false;
    return true;
}

/* Each runs its own thread, which others may depend on. */
FOR_ASSERTIONS static bool all_run_their_thread(const segments *s) {
    for (size_t i = 0; i < s->list.size; i++) {
        const segment *one = &s->list.data[i];
        bool runs = false;
        for (size_t k = 0; k < one->touches.size; k++)
            runs |= one->touches.data[k].kind == ACCESS_RUN && one->touches.data[k].name == one->thread;
        if (!runs) return false;
    }
    return true;
}

segments *segments_compute(const program *p, flows *of, bool checks_cut) {
    segments *s = mem_zero(1, sizeof *s);
    s->index = mem_zero(1, sizeof *s->index);
    uint64_t *addressed = addressed_functions(p);
    still_memory *still = has_images(p) ? still_create(p) : NULL;
    restarts *again = restarts_compute(p, addressed);
    analysis a = {.p = p,
                  .out = s,
                  .flows = of,
                  .still = still,
                  .addressed = addressed,
                  .restarts = again,
                  .checks_cut = checks_cut};
    a.values = mem_zero(most_registers(p) + 1, sizeof *a.values);
    while (s->update_touches.size < p->updates.size) vec_push(&s->update_touches, (effect){0});
    do analyse_all(&a, still); /* cells that turn out to be written are known no longer */
    while (still && still_changed(still));
    mem_free(a.values);
    restarts_destroy(again);
    mem_free(addressed);
    s->still = still;
    compute_relations(s);
    slow_assert(relations_agree(s));
    slow_assert(all_run_their_thread(s));
    return s;
}

bool segments_updates_commute(const segments *s) {
    for (size_t u = 0; u < s->update_touches.size; u++)
        for (size_t v = 0; v < u; v++)
            if (effect_conflict(&s->update_touches.data[u], &s->update_touches.data[v])) return false;
    return true;
}

static bool resumes(const segment *s) {
    for (size_t i = 0; i < s->touches.size; i++)
        if (s->touches.data[i].kind == ACCESS_RESUME || s->touches.data[i].kind == ACCESS_CONTROL)
            return true;
    return false;
}

/* A notification comes before its own thread waits: it is lost on that one. */
static bool lets_another_run(const segments *s, size_t from, size_t to) {
    return s->list.data[from].thread != s->list.data[to].thread &&
           bits_has(segment_row(s, s->can_enable, (uint32_t)from), to);
}

/* Threads that nobody among those left lets run are taken away, again and again: a cycle stays. */
bool segments_phases_end(const segments *s, size_t threads) {
    bool *gone = mem_zero(threads + 1, sizeof *gone);
    bool *fed = mem_zero(threads + 1, sizeof *fed);
    bool ends = true, changed = true;
    for (size_t i = 0; i < s->list.size; i++) ends &= !resumes(&s->list.data[i]);
    while (changed && ends) {
        changed = false;
        memset(fed, 0, (threads + 1) * sizeof *fed);
        for (size_t i = 0; i < s->list.size; i++)
            for (size_t j = 0; j < s->list.size && !gone[s->list.data[i].thread]; j++)
                if (lets_another_run(s, i, j)) fed[s->list.data[j].thread] = true;
        for (size_t t = 0; t <= threads; t++)
            if (!gone[t] && !fed[t]) gone[t] = changed = true;
    }
    for (size_t t = 0; t <= threads && ends; t++) ends = gone[t];
    mem_free(gone);
    mem_free(fed);
    return ends;
}

void segments_destroy(segments *s) {
    if (!s) return;
    for (size_t i = 0; i < s->list.size; i++) {
        effect_free(&s->list.data[i].touches);
        effect_free(&s->list.data[i].wakes_on);
    }
    vec_free(&s->list);
    mem_free(s->dependent);
    mem_free(s->can_enable);
    mem_free(s->enabled_by);
    map_free(&s->index->by_stack);
    vec_free(&s->index->catch_all);
    mem_free(s->index);
    if (s->still) still_destroy(s->still);
    for (size_t u = 0; u < s->update_touches.size; u++) effect_free(&s->update_touches.data[u]);
    vec_free(&s->update_touches);
    mem_free(s);
}

uint32_t segment_find(const segments *s, uint32_t thread, const call_site *stack, size_t depth) {
    if (s->index->catch_all.data[thread] != NO_INDEX) return s->index->catch_all.data[thread];
    uint64_t below = 0;
    for (size_t i = 0; i + 1 < depth; i++)
        below =
            hash_pair(below, hash_pair(stack[i].function, (uint64_t)stack[i].block << 32 | stack[i].index));
    const call_site *top = &stack[depth - 1];
    uint64_t key = hash_pair(
        thread, hash_pair(below, hash_pair(top->function, (uint64_t)top->block << 32 | top->index)));
    uint64_t found = map_get(&s->index->by_stack, key);
    assert(found == MAP_NONE || s->list.data[found].thread == thread);
    return found == MAP_NONE ? NO_INDEX : (uint32_t)found;
}

void segments_print(const program *p, const segments *s, text *out) {
    for (size_t i = 0; i < s->list.size; i++) {
        const segment *g = &s->list.data[i];
        const function *f = &p->functions.data[g->start.function];
        position at = f->blocks.data[g->start.block].code.data[g->start.index].at;
        text_format(out, "%zu: %s from %s:%u:%u%s: ", i, p->threads.data[g->thread].name, f->name, at.line,
                    at.column, g->catch_all ? " (any point)" : "");
        effect_print(p, &g->touches, out);
        text_add(out, "\n    dependent on:");
        for (size_t j = 0; j < s->list.size; j++)
            if (bits_has(segment_row(s, s->dependent, (uint32_t)i), j)) text_format(out, " %zu", j);
        text_add(out, "; enabled by:");
        for (size_t j = 0; j < s->list.size; j++)
            if (bits_has(segment_row(s, s->enabled_by, (uint32_t)i), j)) text_format(out, " %zu", j);
        text_char(out, '\n');
    }
}
