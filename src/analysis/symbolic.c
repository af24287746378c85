#include "analysis/symbolic.h"

/* What a pointer register may point into: one static object, or anything. */
enum { BASE_NONE = 0, BASE_ANY = 1, BASE_FIRST = 2 };

typedef struct facts {
    bool *tainted;  /* per register: may be symbolic */
    uint32_t *base; /* per register: BASE_… or BASE_FIRST + object */
    bool result;    /* the returned value may be symbolic */
} facts;

typedef struct taint {
    const program *p;
    facts *of;      /* per function */
    bool *objects;  /* per static object */
    bool elsewhere; /* heap and locals, taken as one */
    bool results;   /* what a thread returns, of any thread */
    bool time;
    bool changed;
} taint;

static void raise_flag(taint *t, bool *flag, bool value) {
    if (!value || *flag) return;
    *flag = true;
    t->changed = true;
}

static void join_base(taint *t, uint32_t *into, uint32_t base) {
    if (base == BASE_NONE || *into == base || *into == BASE_ANY) return;
    *into = *into == BASE_NONE ? base : BASE_ANY;
    t->changed = true;
}

static bool is_tainted(const facts *f, const operand *o) {
    return o->kind == OPERAND_REGISTER && f->tainted[o->index];
}

static uint32_t base_of(const facts *f, const operand *o) {
    switch (o->kind) {
    case OPERAND_REGISTER: return f->base[o->index];
    case OPERAND_OBJECT: return BASE_FIRST + o->index;
    case OPERAND_LOCAL: return BASE_ANY;
    default: return BASE_NONE;
    }
}

static bool may_read_symbolic(const taint *t, uint32_t base) {
    if (base >= BASE_FIRST) return t->objects[base - BASE_FIRST];
    for (size_t i = 0; i < t->p->objects.size; i++)
        if (t->objects[i]) return true;
    return t->elsewhere;
}

static void write_symbolic(taint *t, uint32_t base, bool value) {
    if (base >= BASE_FIRST) {
        raise_flag(t, &t->objects[base - BASE_FIRST], value);
        return;
    }
    raise_flag(t, &t->elsewhere, value);
    for (size_t i = 0; i < t->p->objects.size; i++) raise_flag(t, &t->objects[i], value);
}

static void pass_argument(taint *t, facts *callee, uint32_t parameter, bool tainted, uint32_t base) {
    raise_flag(t, &callee->tainted[parameter], tainted);
    join_base(t, &callee->base[parameter], base);
}

static void follow_call_of(taint *t, facts *f, const instruction *i, uint32_t function) {
    assert(i->arg_count == t->p->functions.data[function].parameters);
    facts *callee = &t->of[function];
    for (uint32_t k = 0; k < i->arg_count; k++)
        pass_argument(t, callee, k, is_tainted(f, &i->args[k]), base_of(f, &i->args[k]));
    if (i->dst == NO_INDEX) return;
    raise_flag(t, &f->tainted[i->dst], callee->result);
    join_base(t, &f->base[i->dst], BASE_ANY);
}

/* A call through a pointer may reach every function of as many parameters. */
static void follow_call(taint *t, facts *f, const instruction *i) {
    if (i->callee != NO_INDEX) {
        follow_call_of(t, f, i, i->callee);
        return;
    }
    for (uint32_t k = 0; k < t->p->functions.size; k++)
        if (t->p->functions.data[k].parameters == i->arg_count) follow_call_of(t, f, i, k);
}

static void follow_sync(taint *t, facts *f, const instruction *i, bool some) {
    switch ((sync_op)i->sync) {
    case SYNC_CREATE:
        for (uint32_t k = 0; k < t->p->functions.size; k++)
            if (t->p->functions.data[k].parameters == 1)
                pass_argument(t, &t->of[k], 0, is_tainted(f, &i->b), BASE_ANY);
        break;
    case SYNC_EXIT: raise_flag(t, &t->results, some); break;
    case SYNC_PENDING_LATER: raise_flag(t, &f->tainted[i->dst], t->time); break;
    case SYNC_CLAIM: break;
    case SYNC_JOIN:
        if (i->dst == NO_INDEX) break;
        raise_flag(t, &f->tainted[i->dst], t->results);
        join_base(t, &f->base[i->dst], BASE_ANY);
        break;
    default: raise_flag(t, &t->time, some); break;
    }
}

static void follow(taint *t, facts *f, const instruction *i) {
    bool some = is_tainted(f, &i->a) || is_tainted(f, &i->b) || is_tainted(f, &i->c);
    switch ((instruction_kind)i->kind) {
    case INSTR_MOVE:
    case INSTR_OFFSET:
    case INSTR_ARITH:
        raise_flag(t, &f->tainted[i->dst], some);
        join_base(t, &f->base[i->dst], base_of(f, &i->a));
        if (i->kind == INSTR_ARITH) { /* selection between pointers */
            join_base(t, &f->base[i->dst], base_of(f, &i->b));
            join_base(t, &f->base[i->dst], base_of(f, &i->c));
        }
        break;
    case INSTR_INPUT: raise_flag(t, &f->tainted[i->dst], true); break;
    case INSTR_LOAD:
        raise_flag(t, &f->tainted[i->dst], some || may_read_symbolic(t, base_of(f, &i->a)));
        join_base(t, &f->base[i->dst], BASE_ANY);
        break;
    case INSTR_STORE:
    case INSTR_UPDATE: write_symbolic(t, base_of(f, &i->a), some); break;
    case INSTR_HAVOC: write_symbolic(t, base_of(f, &i->a), true); break;
    case INSTR_ALLOC:
        join_base(t, &f->base[i->dst], BASE_ANY);
        raise_flag(t, &t->elsewhere, i->extra != ALLOC_HEAP_ZERO);
        break;
    case INSTR_SIZE: raise_flag(t, &f->tainted[i->dst], some); break;
    case INSTR_COPY:
        write_symbolic(t, base_of(f, &i->a), some || may_read_symbolic(t, base_of(f, &i->b)));
        break;
    case INSTR_FILL: write_symbolic(t, base_of(f, &i->a), some); break;
    case INSTR_CALL: follow_call(t, f, i); break;
    case INSTR_RETURN:
        raise_flag(t, &f->result, some);
        raise_flag(t, &t->results, some);
        break;
    case INSTR_TIME: raise_flag(t, &f->tainted[i->dst], t->time); break;
    case INSTR_SYNC: follow_sync(t, f, i, some); break;
    default: break;
    }
}

static void pass(taint *t) {
    for (size_t k = 0; k < t->p->functions.size; k++) {
        const function *f = &t->p->functions.data[k];
        for (size_t b = 0; b < f->blocks.size; b++)
            for (size_t i = 0; i < f->blocks.data[b].code.size; i++)
                follow(t, &t->of[k], &f->blocks.data[b].code.data[i]);
    }
}

static bool has_unset_locals(const program *p) {
    for (size_t k = 0; k < p->functions.size; k++)
        for (size_t l = 0; l < p->functions.data[k].locals.size; l++)
            if (p->functions.data[k].locals.data[l].unset) return true;
    return false;
}

bool *symbolic_objects(const program *p) {
    taint t = {.p = p, .elsewhere = has_unset_locals(p)};
    t.objects = mem_zero(p->objects.size, sizeof *t.objects);
    t.of = mem_zero(p->functions.size, sizeof *t.of);
    for (size_t k = 0; k < p->functions.size; k++) {
        t.of[k].tainted = mem_zero(p->functions.data[k].registers.size, sizeof(bool));
        t.of[k].base = mem_zero(p->functions.data[k].registers.size, sizeof(uint32_t));
    }
    for (size_t k = 0; k < p->objects.size; k++)
        for (uint32_t c = 0; p->objects.data[k].image && c < p->objects.data[k].image_cells; c++)
            t.objects[k] |= p->objects.data[k].image[c].kind == INITIAL_UNSET;
    do {
        t.changed = false;
        pass(&t);
    } while (t.changed);
    for (size_t k = 0; k < p->functions.size; k++) {
        mem_free(t.of[k].tainted);
        mem_free(t.of[k].base);
    }
    mem_free(t.of);
    return t.objects;
}
