/* Constraints between sets are solved with a work list that passes on only what is new (difference
 * propagation). Loads, stores and calls through pointers become edges as their targets are found; a
 * function's code counts from when something may call it. Nodes that copy to each other in a cycle have equal
 * sets: when much work has been done they are looked for and become one. */
#include "analysis/future.h" /* places */
#include "analysis/points_to_internal.h"
#include "base/bits.h"

/* --- numbering ------------------------------------------------------------------------------------------ */

static void number_place(points_to *t, uint64_t place) {
    if (map_get(&t->places, place) == MAP_NONE) map_put(&t->places, place, t->objects++);
}

static void number_objects(points_to *t) {
    const program *p = t->p;
    t->objects = p->objects.size;
    for (uint32_t f = 0; f < p->functions.size; f++) {
        const function *of = &p->functions.data[f];
        for (uint32_t k = 0; k < of->locals.size; k++) number_place(t, place_of_local(f, k));
        for (uint32_t b = 0; b < of->blocks.size; b++)
            for (uint32_t k = 0; k < of->blocks.data[b].code.size; k++)
                if (of->blocks.data[b].code.data[k].kind == INSTR_ALLOC)
                    number_place(t, place_of_alloc(f, b, k));
    }
    t->first_function = (uint32_t)t->objects;
    t->objects += p->functions.size;
    t->words = BITS_WORDS(t->objects);
}

static uint32_t count_copies(const function *f) {
    uint32_t count = 0;
    for (size_t b = 0; b < f->blocks.size; b++)
        for (size_t k = 0; k < f->blocks.data[b].code.size; k++)
            count += f->blocks.data[b].code.data[k].kind == INSTR_COPY;
    return count;
}

static uint32_t content_node(const points_to *t, uint32_t object) {
    return (uint32_t)t->objects + object;
}

static uint32_t result_node(const points_to *t, uint32_t function) {
    return (uint32_t)(2 * t->objects) + function;
}

static uint32_t register_node(const points_to *t, uint32_t function, uint32_t reg) {
    return t->first_register[function] + reg;
}

static void number_nodes(points_to *t) {
    const program *p = t->p;
    uint32_t count = (uint32_t)(2 * t->objects + p->functions.size), copies = 0;
    t->thread_results = count++;
    t->first_register = mem_alloc(p->functions.size * sizeof *t->first_register);
    for (size_t f = 0; f < p->functions.size; f++) {
        t->first_register[f] = count;
        count += (uint32_t)p->functions.data[f].registers.size;
        copies += count_copies(&p->functions.data[f]);
    }
    t->next_buffer = count;
    t->node_count = count + copies;
    t->nodes = mem_zero(t->node_count, sizeof *t->nodes);
    for (uint32_t n = 0; n < t->node_count; n++) {
        t->nodes[n].first_pass = NO_INDEX;
        t->nodes[n].merged_into = n;
    }
}

/* NO_INDEX: a number that points nowhere. */
static uint32_t operand_node(const points_to *t, uint32_t function, const operand *o) {
    switch (o->kind) {
    case OPERAND_REGISTER: return register_node(t, function, o->index);
    case OPERAND_OBJECT: return o->index;
    case OPERAND_LOCAL: return points_to_object_at(t, place_of_local(function, o->index));
    case OPERAND_FUNCTION: return t->first_function + o->index;
    default: return NO_INDEX;
    }
}

/* --- sets ----------------------------------------------------------------------------------------------- */

void points_to_enqueue(points_to *t, uint32_t n) {
    if (t->nodes[n].queued) return;
    t->nodes[n].queued = true;
    vec_push(&t->queue, n);
}

void points_also_to(points_to *t, uint32_t n, size_t word, uint64_t bits) {
    if (!bits) return;
    n = standing_for(t, n);
    node *into = &t->nodes[n];
    if (!into->set) into->set = arena_zero(&t->memory, 2 * t->words * sizeof(uint64_t));
    uint64_t more = bits & ~into->set[word];
    if (!more) return;
    into->set[word] |= more;
    into->set[t->words + word] |= more;
    points_to_enqueue(t, n);
}

/* --- constraints ---------------------------------------------------------------------------------------- */

static void add_pass(points_to *t, uint32_t n, pass_kind kind, uint32_t other);

/* Many objects whose contents have become one give the same edge many times in a row. */
static void add_flow(points_to *t, uint32_t from, uint32_t to) {
    if (from == NO_INDEX) return;
    from = standing_for(t, from);
    to = standing_for(t, to);
    if (from == to || (from == t->last_from && to == t->last_to)) return;
    t->last_from = from;
    t->last_to = to;
    add_pass(t, from, PASS_COPY, to);
}

static void reach_function(points_to *t, uint32_t f) {
    if (t->reached[f]) return;
    t->reached[f] = true;
    vec_push(&t->functions_to_read, f);
}

static void bind_call(points_to *t, const site *s, uint32_t callee) {
    const function *f = &t->p->functions.data[callee];
    for (uint32_t k = 0; k < s->i->arg_count && k < f->parameters; k++)
        add_flow(t, operand_node(t, s->function, &s->i->args[k]), register_node(t, callee, k));
    if (s->i->dst != NO_INDEX) add_flow(t, result_node(t, callee), register_node(t, s->function, s->i->dst));
    reach_function(t, callee);
}

static void bind_thread(points_to *t, const site *s, uint32_t start) {
    if (t->p->functions.data[start].parameters)
        add_flow(t, operand_node(t, s->function, &s->i->b), register_node(t, start, 0));
    add_flow(t, result_node(t, start), t->thread_results);
    reach_function(t, start);
}

static bool may_enter(const points_to *t, const instruction *i, uint32_t callee) {
    return i->kind == INSTR_SYNC || t->p->functions.data[callee].parameters == i->arg_count;
}

static void pass_object(points_to *t, pass_kind kind, uint32_t other, uint32_t object) {
    bool is_function = object >= t->first_function;
    switch (kind) {
    case PASS_LOAD:
        if (!is_function) add_flow(t, content_node(t, object), other);
        break;
    case PASS_STORE:
        if (!is_function) add_flow(t, other, content_node(t, object));
        break;
    case PASS_CALL: {
        site s = t->sites.data[other];
        uint32_t callee = object - t->first_function;
        if (!is_function || !may_enter(t, s.i, callee)) break;
        if (s.i->kind == INSTR_CALL)
            bind_call(t, &s, callee);
        else
            bind_thread(t, &s, callee);
        break;
    }
    case PASS_COPY: break;
    }
}

static void pass_word(points_to *t, pass_kind kind, uint32_t other, size_t word, uint64_t bits) {
    if (kind == PASS_COPY) {
        points_also_to(t, other, word, bits);
        return;
    }
    for (; bits; bits &= bits - 1)
        pass_object(t, kind, other, (uint32_t)(64 * word + (size_t)__builtin_ctzll(bits)));
}

/* What the node has passed on before goes to the newcomer at once, the rest when the node's turn comes. Other
 * kinds only add copies, so this calls itself once at most. */
static void add_pass(points_to *t, uint32_t n, pass_kind kind, uint32_t other) {
    n = standing_for(t, n);
    pass how = {(uint8_t)kind, other, t->nodes[n].first_pass};
    t->nodes[n].first_pass = (uint32_t)t->passes.size;
    vec_push(&t->passes, how);
    const uint64_t *set = t->nodes[n].set;
    for (size_t w = 0; set && w < t->words; w++) pass_word(t, kind, other, w, set[w] & ~set[t->words + w]);
}

/* --- reading the code ----------------------------------------------------------------------------------- */

static void read_load(points_to *t, uint32_t address, uint32_t to) {
    if (address != NO_INDEX) add_pass(t, address, PASS_LOAD, to);
}

static void read_store(points_to *t, uint32_t address, uint32_t from) {
    if (address != NO_INDEX && from != NO_INDEX) add_pass(t, address, PASS_STORE, from);
}

static void read_call(points_to *t, uint32_t f, const instruction *i) {
    site s = {f, i};
    if (i->kind == INSTR_CALL && i->callee != NO_INDEX) {
        bind_call(t, &s, i->callee);
        return;
    }
    uint32_t callee = operand_node(t, f, &i->a);
    if (callee == NO_INDEX) return;
    vec_push(&t->sites, s);
    add_pass(t, callee, PASS_CALL, (uint32_t)(t->sites.size - 1));
}

static void read_arith(points_to *t, uint32_t dst, arith op, uint32_t a, uint32_t b, uint32_t c) {
    if (op >= ARITH_EQ && op <= ARITH_SLE) return;
    if (op != ARITH_SELECT) add_flow(t, a, dst);
    add_flow(t, b, dst);
    add_flow(t, c, dst);
}

static void read_sync(points_to *t, uint32_t f, const instruction *i, uint32_t a) {
    switch (i->sync) {
    case SYNC_CREATE: read_call(t, f, i); break;
    case SYNC_JOIN:
        if (i->dst != NO_INDEX) add_flow(t, t->thread_results, register_node(t, f, i->dst));
        break;
    case SYNC_EXIT: add_flow(t, a, t->thread_results); break;
    default: break;
    }
}

static void read_instruction(points_to *t, uint32_t f, const instruction *i, uint64_t place) {
    uint32_t a = operand_node(t, f, &i->a), b = operand_node(t, f, &i->b), c = operand_node(t, f, &i->c);
    uint32_t dst = i->dst == NO_INDEX ? NO_INDEX : register_node(t, f, i->dst);
    switch ((instruction_kind)i->kind) {
    case INSTR_MOVE: add_flow(t, a, dst); break;
    case INSTR_OFFSET: /* null + number is how some code writes an address */
        add_flow(t, a, dst);
        add_flow(t, b, dst);
        break;
    case INSTR_ARITH: read_arith(t, dst, i->arith, a, b, c); break;
    case INSTR_ALLOC: add_flow(t, points_to_object_at(t, place), dst); break;
    case INSTR_LOAD: read_load(t, a, dst); break;
    case INSTR_STORE:
    case INSTR_UPDATE:
    case INSTR_FILL: read_store(t, a, b); break;
    case INSTR_COPY: {
        uint32_t buffer = t->next_buffer++;
        assert(buffer < t->node_count); /* each function is read once */
        read_load(t, b, buffer);
        read_store(t, a, buffer);
        break;
    }
    case INSTR_CALL: read_call(t, f, i); break;
    case INSTR_RETURN: add_flow(t, a, result_node(t, f)); break;
    case INSTR_SYNC: read_sync(t, f, i, a); break;
    default: break; /* HAVOC leaves pointers alone, the others make no pointers */
    }
}

static void read_function(points_to *t, uint32_t f) {
    const function *of = &t->p->functions.data[f];
    for (uint32_t b = 0; b < of->blocks.size; b++)
        for (uint32_t k = 0; k < of->blocks.data[b].code.size; k++)
            read_instruction(t, f, &of->blocks.data[b].code.data[k], place_of_alloc(f, b, k));
}

/* --- solving -------------------------------------------------------------------------------------------- */

static void settle_node(points_to *t, uint32_t n) {
    node *from = &t->nodes[n];
    from->queued = false;
    if (from->merged_into != n) return;
    assert(from->set); /* who has news has a set */
    uint64_t *news = from->set + t->words;
    memcpy(t->scratch, news, t->words * sizeof *news);
    memset(news, 0, t->words * sizeof *news);
    for (uint32_t k = from->first_pass; k != NO_INDEX;) {
        pass how = t->passes.data[k];
        for (size_t w = 0; w < t->words; w++) pass_word(t, how.kind, how.other, w, t->scratch[w]);
        k = how.next;
    }
}

static void settle_queue(points_to *t) {
    while (t->queue_head < t->queue.size) {
        settle_node(t, t->queue.data[t->queue_head++]);
        if (t->passes.size < t->next_merge) continue;
        points_to_merge_cycles(t);
        t->next_merge = 2 * t->passes.size;
    }
    vec_clear(&t->queue);
    t->queue_head = 0;
}

static void solve(points_to *t) {
    for (uint32_t o = 0; o < t->objects; o++) points_also_to(t, o, o / 64, UINT64_C(1) << o % 64);
    for (size_t k = 0; k < t->p->threads.size; k++) {
        uint32_t start = t->p->threads.data[k].function;
        reach_function(t, start);
        add_flow(t, result_node(t, start), t->thread_results);
    }
    for (size_t k = 0; k < t->p->updates.size; k++) reach_function(t, t->p->updates.data[k].function);
    while (t->functions_to_read.size) {
        while (t->functions_to_read.size) read_function(t, vec_pop(&t->functions_to_read));
        settle_queue(t);
    }
}

/* Nothing is left to be passed on, and whoever is copied to has it all. */
FOR_ASSERTIONS static bool is_solved(const points_to *t) {
    for (uint32_t n = 0; n < t->node_count; n++) {
        const node *from = &t->nodes[n];
        if (from->merged_into != n || !from->set) continue;
        if (bits_count(from->set + t->words, t->words)) return false;
        for (uint32_t k = from->first_pass; k != NO_INDEX; k = t->passes.data[k].next) {
            if (t->passes.data[k].kind != PASS_COPY) continue;
            const uint64_t *to = t->nodes[standing_for(t, t->passes.data[k].other)].set;
            for (size_t w = 0; w < t->words; w++)
                if (from->set[w] & ~(to ? to[w] : 0)) return false;
        }
    }
    return true;
}

points_to *points_to_compute(const program *p) {
    points_to *t = mem_zero(1, sizeof *t);
    t->p = p;
    number_objects(t);
    number_nodes(t);
    t->reached = mem_zero(p->functions.size, sizeof *t->reached);
    t->scratch = mem_zero(t->words, sizeof *t->scratch);
    t->next_merge = 2 * t->node_count;
    solve(t);
    slow_assert(is_solved(t));
    return t;
}

void points_to_destroy(points_to *t) {
    if (!t) return;
    map_free(&t->places);
    mem_free(t->first_register);
    mem_free(t->reached);
    vec_free(&t->functions_to_read);
    mem_free(t->nodes);
    vec_free(&t->passes);
    vec_free(&t->sites);
    vec_free(&t->queue);
    mem_free(t->scratch);
    arena_free(&t->memory);
    mem_free(t);
}

/* --- answers -------------------------------------------------------------------------------------------- */

size_t points_to_objects(const points_to *t) {
    return t->objects;
}

uint32_t points_to_object_at(const points_to *t, uint64_t place) {
    uint64_t object = map_get(&t->places, place);
    return object == MAP_NONE ? NO_INDEX : (uint32_t)object;
}

bool points_to_reaches(const points_to *t, uint32_t function) {
    return t->reached[function];
}

static const uint64_t *set_of(const points_to *t, uint32_t function, const operand *o) {
    uint32_t n = operand_node(t, function, o);
    return n == NO_INDEX ? NULL : t->nodes[standing_for(t, n)].set;
}

void points_to_join(const points_to *t, uint32_t function, const operand *o, uint64_t *set) {
    const uint64_t *objects = set_of(t, function, o);
    if (objects) bits_join(set, objects, t->words);
}

bool points_to_may(const points_to *t, uint32_t function, const operand *o, uint32_t object) {
    const uint64_t *objects = set_of(t, function, o);
    return objects && object < t->objects && bits_has(objects, object);
}

void points_to_targets(const points_to *t, uint32_t function, const instruction *i, function_list *out) {
    if (i->kind == INSTR_CALL && i->callee != NO_INDEX) {
        vec_push(out, i->callee);
        return;
    }
    const uint64_t *objects = set_of(t, function, &i->a);
    for (uint32_t f = 0; objects && f < t->p->functions.size; f++)
        if (bits_has(objects, t->first_function + f) && may_enter(t, i, f)) vec_push(out, f);
}
