/* What threads may still touch: small programs with the answers worked out by hand, then the promise itself
 * on random programs that the machine executes. */
#include "core_fixture.h"

#include "analysis/analyses.h"
#include "build_program.h"
#include "machine/setup.h"

/* --- small programs ------------------------------------------------------------------------------------- */

/* "x y!": the static objects that a thread with this stack may access, with ! those that it may write. */
static void check_stack(const build *b, const futures *f, const call_site *stack, size_t depth,
                        const char *expected) {
    text said = {0};
    for (uint32_t k = 0; k < b->p->objects.size; k++) {
        bool writes = futures_may_access(f, stack, depth, k, NO_PLACE, true);
        bool accesses = futures_may_access(f, stack, depth, k, NO_PLACE, false);
        assert_true(accesses || !writes);
        if (accesses)
            text_format(&said, "%s%s%s", said.size ? " " : "", b->p->objects.data[k].name, writes ? "!" : "");
    }
    assert_string_equal(text_cstr(&said), expected);
    text_free(&said);
}

static void check_site(const build *b, const futures *f, call_site at, const char *expected) {
    check_stack(b, f, &at, 1, expected);
}

static bool writes_place(const futures *f, call_site at, uint64_t place) {
    return futures_may_access(f, &at, 1, NO_INDEX, place, true);
}

static void finish(build *b, analyses *known) {
    analyses_destroy(known);
    program_destroy(b->p);
}

static void only_what_lies_ahead_counts(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1), z = build_static(&b, "z", 1);
    build_function(&b, "main", 0);
    operand r = build_register(&b);
    call_site first = build_here(&b);
    build_store(&b, x, build_number(1));
    call_site second = build_here(&b);
    build_load(&b, r, y);
    call_site third = build_here(&b);
    build_update(&b, z, r);
    call_site last = build_here(&b);
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    check_site(&b, f, first, "x! y z!");
    check_site(&b, f, second, "y z!");
    check_site(&b, f, third, "z!");
    check_site(&b, f, last, "");
    check_stack(&b, f, NULL, 0, "");
    finish(&b, known);
}

static void loops_lie_ahead_of_themselves(void **unused) {
    (void)unused;
    build b = build_open();
    operand before = build_static(&b, "before", 1), x = build_static(&b, "x", 1),
            y = build_static(&b, "y", 1);
    operand after = build_static(&b, "after", 1);
    uint32_t main = build_function(&b, "main", 0);
    uint32_t head = function_add_block(b.p, main), body = function_add_block(b.p, main);
    uint32_t end = function_add_block(b.p, main);
    operand condition = build_narrow_register(&b, 1), r = build_register(&b);
    call_site start = build_here(&b);
    build_store(&b, before, r);
    build_jump(&b, head);
    build_goto(&b, main, head);
    build_load(&b, r, x);
    build_arith(&b, condition, ARITH_EQ, r, build_number(0));
    build_branch(&b, condition, body, end);
    build_goto(&b, main, body);
    build_store(&b, y, r);
    call_site in_loop = build_here(&b);
    build_jump(&b, head);
    build_goto(&b, main, end);
    call_site behind = build_here(&b);
    build_store(&b, after, r);
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    check_site(&b, f, start, "before! x y! after!");
    check_site(&b, f, in_loop, "x y! after!");
    check_site(&b, f, behind, "after!");
    finish(&b, known);
}

static void every_way_to_touch_memory_counts(void **unused) {
    (void)unused;
    static const char *const expected[] = {"o", "o!", "o!", "o!", "o!", "o!", "o! from", "o", "o"};
    enum { WAYS = sizeof expected / sizeof *expected };
    for (unsigned way = 0; way < WAYS; way++) {
        build b = build_open();
        operand o = build_static(&b, "o", 1), from = build_static(&b, "from", 1);
        build_static(&b, "other", 1);
        build_function(&b, "main", 0);
        operand pointer = build_register(&b), r = build_register(&b);
        build_move(&b, pointer, o);
        call_site at = build_here(&b);
        switch (way) {
        case 0: build_load(&b, r, pointer); break;
        case 1: build_store(&b, pointer, r); break;
        case 2: build_update(&b, pointer, r); break;
        case 3: build_instruction(&b, INSTR_HAVOC, pointer, operand_none()); break;
        case 4: build_free(&b, pointer); break;
        case 5: build_fill(&b, pointer, operand_const(8, 0), 8); break;
        case 6: build_copy(&b, pointer, from, 8); break;
        case 7: build_instruction(&b, INSTR_SIZE, pointer, operand_none())->dst = r.index; break;
        case 8: build_await(&b, pointer); break;
        }
        call_site behind = build_here(&b);
        build_return(&b, operand_none());
        analyses *known = analyses_create(b.p);
        const futures *f = analyses_futures(known);
        check_site(&b, f, at, expected[way]);
        check_site(&b, f, behind, "");
        finish(&b, known);
    }
}

static void calls_and_callers_count(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1), z = build_static(&b, "z", 1);
    operand w = build_static(&b, "w", 1);
    uint32_t main = build_function(&b, "main", 0);
    uint32_t inner = build_function(&b, "inner", 0), outer = build_function(&b, "outer", 0);
    build_goto(&b, inner, 0);
    build_store(&b, x, build_number(1));
    call_site in_inner = build_here(&b);
    build_return(&b, operand_none());
    build_goto(&b, outer, 0);
    operand pointer = build_register(&b);
    build_move(&b, pointer, operand_function(inner));
    build_call_through(&b, operand_none(), pointer);
    call_site in_outer = build_here(&b);
    build_store(&b, y, build_number(1));
    build_return(&b, operand_none());
    build_goto(&b, main, 0);
    build_store(&b, w, build_number(1));
    call_site before = build_here(&b);
    build_call(&b, operand_none(), outer);
    call_site in_main = build_here(&b);
    build_store(&b, z, build_number(1));
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    check_site(&b, f, before, "x! y! z!");
    check_stack(&b, f, (call_site[]){in_main, in_outer, in_inner}, 3, "y! z!");
    check_stack(&b, f, (call_site[]){in_main, in_outer}, 2, "y! z!");
    check_stack(&b, f, (call_site[]){in_main}, 1, "z!");
    finish(&b, known);
}

static void created_threads_count(void **unused) {
    (void)unused;
    build b = build_open();
    operand x = build_static(&b, "x", 1), y = build_static(&b, "y", 1);
    uint32_t main = build_function(&b, "main", 0);
    uint32_t child = build_function(&b, "child", 1), grandchild = build_function(&b, "grandchild", 1);
    build_store(&b, build_parameter(0), build_number(1)); /* x */
    build_return(&b, operand_none());
    build_goto(&b, child, 0);
    operand number = build_register(&b);
    build_create(&b, number, operand_function(grandchild), build_parameter(0));
    build_load(&b, number, y);
    build_return(&b, operand_none());
    build_goto(&b, main, 0);
    operand thread = build_register(&b);
    call_site before = build_here(&b);
    build_create(&b, thread, operand_function(child), x);
    call_site behind = build_here(&b);
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    check_site(&b, f, before, "x! y");
    check_site(&b, f, behind, "");
    check_site(&b, f, (call_site){child, 0, 0}, "x! y");
    check_site(&b, f, (call_site){child, 0, 1}, "y");
    check_site(&b, f, (call_site){grandchild, 0, 0}, "x!");
    finish(&b, known);
}

/* --- objects by place ----------------------------------------------------------------------------------- */

static void heap_objects_go_by_their_place(void **unused) {
    (void)unused;
    build b = build_open();
    build_function(&b, "main", 0);
    operand r = build_register(&b), s = build_register(&b);
    uint64_t first = build_alloc(&b, r, 1, ALLOC_HEAP_ZERO), second = build_alloc(&b, s, 1, ALLOC_HEAP_ZERO);
    call_site at = build_here(&b);
    build_store(&b, r, build_number(1));
    call_site between = build_here(&b);
    build_load(&b, s, s);
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    assert_true(writes_place(f, at, first));
    assert_false(writes_place(f, between, first));
    assert_false(writes_place(f, at, second));
    assert_true(futures_may_access(f, &between, 1, NO_INDEX, second, false));
    assert_true(writes_place(f, between, NO_PLACE)); /* nothing is known of other places */
    finish(&b, known);
}

/* A frame's variables are dropped at its end, wherever in the calls below it the thread ends. */
static void the_end_of_a_frame_writes_its_variables(void **unused) {
    (void)unused;
    build b = build_open();
    uint32_t main = build_function(&b, "main", 0);
    build_local(&b, 1);
    operand big = build_register(&b);
    uint64_t on_stack = build_alloc(&b, big, 4, ALLOC_FRAME_UNSET);
    uint64_t on_heap = build_alloc(&b, big, 4, ALLOC_HEAP_UNSET);
    uint32_t forever = function_add_block(b.p, main);
    build_jump(&b, forever);
    build_goto(&b, main, forever);
    uint32_t quits = build_function(&b, "quits", 0);
    build_local(&b, 1);
    build_exit(&b, operand_none());
    build_jump(&b, 0);
    build_goto(&b, main, forever);
    build_call(&b, operand_none(), quits);
    call_site in_loop = build_here(&b);
    build_jump(&b, forever);
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    assert_true(writes_place(f, in_loop, place_of_local(main, 0)));
    assert_true(writes_place(f, in_loop, on_stack));
    assert_false(writes_place(f, in_loop, on_heap));
    assert_true(writes_place(f, in_loop, place_of_local(quits, 0)));
    assert_true(writes_place(f, (call_site){quits, 0, 0}, place_of_local(quits, 0)));
    assert_false(writes_place(f, (call_site){quits, 0, 0}, place_of_local(main, 0)));
    finish(&b, known);
}

static void nothing_is_claimed_of_functions_that_seem_dead(void **unused) {
    (void)unused;
    build b = build_open();
    build_static(&b, "x", 1);
    build_function(&b, "main", 0);
    build_return(&b, operand_none());
    uint32_t dead = build_function(&b, "dead", 0);
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    check_site(&b, f, (call_site){dead, 0, 0}, "x!");
    assert_true(futures_may_join(f, &(call_site){dead, 0, 0}, 1));
    finish(&b, known);
}

/* --- waiting for threads -------------------------------------------------------------------------------- */

static void joins_and_ends_of_the_program_are_seen(void **unused) {
    (void)unused;
    build b = build_open();
    uint32_t main = build_function(&b, "main", 0);
    uint32_t child = build_function(&b, "child", 1), ender = build_function(&b, "ender", 1);
    build_sync(&b, SYNC_END, operand_none(), operand_none(), operand_none());
    build_goto(&b, child, 0);
    build_join(&b, operand_none(), build_parameter(0));
    build_return(&b, operand_none());
    build_goto(&b, main, 0);
    operand number = build_register(&b);
    build_create(&b, number, operand_function(child), build_number(0));
    build_create(&b, number, operand_function(ender), build_number(0));
    build_return(&b, operand_none());
    analyses *known = analyses_create(b.p);
    const futures *f = analyses_futures(known);
    assert_true(futures_may_join(f, &(call_site){child, 0, 0}, 1));
    assert_false(futures_may_join(f, &(call_site){child, 0, 1}, 1));
    assert_true(futures_may_join(f, &(call_site){ender, 0, 0}, 1));
    assert_true(futures_may_join(f, &(call_site){main, 0, 2}, 1)); /* main's return ends the program */
    assert_false(futures_may_join(f, NULL, 0));
    finish(&b, known);
}

/* --- the promise ---------------------------------------------------------------------------------------- */

/* Random programs that mostly use their pointers well: data objects hold numbers, link objects hold pointers
 * to data objects, one cell holds a function. Registers keep to one of these uses. */
enum {
    DATA = 3,
    LINKS = 2,
    FUNCTIONS = 5,
    STARTS = 3 /* functions 1 .. may be threads, later ones are called */
};

typedef struct random_function {
    uint64_t *seed;
    build *b;
    uint32_t index;
    operand data, link, number, code, condition, own_data, own_link, thread;
    unsigned threads_left;
} random_function;

static unsigned below(uint64_t *seed, unsigned n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % n;
}

static operand random_data(uint64_t *seed) {
    return operand_object(below(seed, DATA), 0);
}
static operand random_link(uint64_t *seed) {
    return operand_object(DATA + below(seed, LINKS), 0);
}
static const operand code_cell = {OPERAND_OBJECT, 64, DATA + LINKS, 0};

static uint32_t random_callee(const random_function *r) { /* later functions only: calls end */
    uint32_t first = r->index < STARTS ? STARTS + 1 : r->index + 1;
    return first < FUNCTIONS ? first + below(r->seed, FUNCTIONS - first) : NO_INDEX;
}

static void random_call(random_function *r) {
    build *b = r->b;
    uint32_t callee = random_callee(r);
    if (callee == NO_INDEX) return;
    switch (below(r->seed, 3)) {
    case 0: build_call(b, r->data, callee, r->data); break;
    case 1: build_store(b, code_cell, operand_function(FUNCTIONS - 1)); break;
    default: build_load(b, r->code, code_cell); build_call_through(b, r->data, r->code, r->data);
    }
}

static void random_thread_statement(random_function *r) {
    build *b = r->b;
    if (r->index <= 1 && r->threads_left && below(r->seed, 3)) {
        operand start = operand_function(1 + r->index + below(r->seed, STARTS - r->index));
        build_create(b, r->thread, start, r->data);
        r->threads_left--;
    } else if (r->index == 0 && below(r->seed, 2)) {
        build_join(b, below(r->seed, 2) ? r->data : operand_none(), r->thread);
    } else if (r->index && below(r->seed, 6) == 0) {
        build_exit(b, r->data);
    } else {
        build_await(b, r->data);
        build_store(b, r->data, build_number(below(r->seed, 2)));
        build_sync(b, SYNC_ATOMIC_END, operand_none(), operand_none(), operand_none());
    }
}

static void random_statement(random_function *r) {
    build *b = r->b;
    switch (below(r->seed, 20)) {
    case 0: build_move(b, r->data, random_data(r->seed)); break;
    case 1: build_move(b, r->data, r->own_data); break;
    case 2: build_alloc(b, r->data, 1, below(r->seed, 3) ? ALLOC_HEAP_ZERO : ALLOC_FRAME_UNSET); break;
    case 3: build_move(b, r->link, below(r->seed, 3) ? random_link(r->seed) : r->own_link); break;
    case 4: build_load(b, r->data, r->link); break;
    case 5:
    case 6: build_store(b, r->link, r->data); break;
    case 7:
    case 8: build_store(b, r->data, r->number); break;
    case 9:
    case 10: build_load(b, r->number, r->data); break;
    case 11: build_update(b, r->data, build_number(1)); break;
    case 12: build_copy(b, r->link, random_link(r->seed), 8); break;
    case 13: build_fill(b, r->data, operand_const(8, 0), 8); break;
    case 14: build_offset(b, r->data, r->data, build_number(0), 8); break;
    case 15: random_call(r); break;
    case 16:
    case 17:
    case 18: random_thread_statement(r); break;
    default:
        if (below(r->seed, 8) == 0) build_free(b, r->data);
    }
}

/* A branch over some statements, or a loop around them. */
static void random_piece(random_function *r) {
    build *b = r->b;
    uint32_t inside = function_add_block(b->p, r->index), behind = function_add_block(b->p, r->index);
    bool loop = below(r->seed, 3) == 0;
    if (loop) {
        build_jump(b, inside);
    } else {
        build_emit(b, INSTR_INPUT)->dst = r->condition.index;
        build_branch(b, r->condition, inside, behind);
    }
    build_goto(b, r->index, inside);
    for (unsigned k = below(r->seed, 4); k-- > 0;) random_statement(r);
    if (loop) {
        build_emit(b, INSTR_INPUT)->dst = r->condition.index;
        build_branch(b, r->condition, inside, behind);
    } else {
        build_jump(b, behind);
    }
    build_goto(b, r->index, behind);
}

static void random_body(build *b, uint64_t *seed, uint32_t index) {
    random_function r = {.seed = seed, .b = b, .index = index, .threads_left = index ? 1 : 2};
    build_goto(b, index, 0);
    r.data = index ? build_parameter(0) : build_register(b);
    r.link = build_register(b);
    r.number = build_register(b);
    r.code = build_register(b);
    r.thread = build_register(b);
    r.condition = build_narrow_register(b, 1);
    r.own_data = build_local(b, 1);
    r.own_link = build_local(b, 1);
    if (!index) {
        for (uint32_t k = 0; k < LINKS; k++) build_store(b, operand_object(DATA + k, 0), random_data(seed));
        build_store(b, code_cell, operand_function(FUNCTIONS - 1));
        build_move(b, r.data, random_data(seed));
    }
    build_store(b, r.own_link, random_data(seed));
    build_move(b, r.link, random_link(seed));
    if (!index) build_create(b, r.thread, operand_function(1), r.data);
    for (unsigned k = 3 + below(seed, 10); k-- > 0;) {
        if (below(seed, 4))
            random_statement(&r);
        else
            random_piece(&r);
    }
    build_return(b, below(seed, 2) ? r.data : random_data(seed));
}

static program *random_threads(uint64_t *seed) {
    build b = build_open();
    vec_push(&b.p->inputs, ((input){"input", {1, VIEW_BOOL}, {1, 1}}));
    for (unsigned k = 0; k < DATA; k++) build_static(&b, "data", 1);
    for (unsigned k = 0; k < LINKS; k++) build_static(&b, "link", 1);
    build_static(&b, "code", 1);
    for (uint32_t f = 0; f < FUNCTIONS; f++) build_function(&b, "f", f ? 1 : 0);
    for (uint32_t f = 0; f < FUNCTIONS; f++) random_body(&b, seed, f);
    return b.p;
}

/* --- one path through such a program -------------------------------------------------------------------- */

enum { LONGEST_PATH = 60, MOST_THREADS = 32 };

typedef struct walked {
    const fixture *f;
    const futures *futures;
    const points_to *pointers;
    state *path[LONGEST_PATH + 1];
    unsigned length;
    uint32_t creator[MOST_THREADS];
} walked;

static struct {
    uint64_t static_accesses, dynamic_accesses, joins, earlier, ruled_out, pointers, births;
} seen;

static void stack_of(const thread_part *t, call_site *stack) {
    assert_true(frame_count_of(t) <= 8);
    for (uint32_t k = 0; k < frame_count_of(t); k++)
        stack[k] = (call_site){frames_of(t)[k].function, frames_of(t)[k].block, frames_of(t)[k].index};
}

/* The thread, or the one that has it in its future where it is not born yet. */
static uint32_t alive_by(const walked *w, const state *s, uint32_t thread) {
    while (thread >= state_thread_count(s) || state_thread_status(s, thread) == THREAD_UNBORN)
        thread = w->creator[thread];
    return thread;
}

static bool foreseen(const walked *w, const state *s, uint32_t thread, const access *a, uint64_t site) {
    call_site stack[8];
    const thread_part *t = thread_of(s, alive_by(w, s, thread));
    stack_of(t, stack);
    if (a->kind == ACCESS_JOIN || a->kind == ACCESS_CLAIM)
        return futures_may_join(w->futures, stack, frame_count_of(t));
    uint32_t object = a->name < static_count_of(s) ? a->name : NO_INDEX;
    return futures_may_access(w->futures, stack, frame_count_of(t), object, site, a->kind != ACCESS_READ);
}

static void check_access(const walked *w, uint32_t thread, const access *a, const state *after) {
    bool memory = a->kind == ACCESS_READ || a->kind == ACCESS_WRITE || a->kind == ACCESS_UPDATE;
    if ((!memory && a->kind != ACCESS_JOIN && a->kind != ACCESS_CLAIM) || a->name == ACCESS_ANY) return;
    uint64_t site = NO_PLACE;
    if (memory && a->name >= static_count_of(after)) {
        const memory_object *o = state_object(w->path[w->length], a->name);
        if (!o) o = state_object(after, a->name);
        if (!o) return; /* came and went within the step */
        site = site_of(o);
        assert_true(points_to_object_at(w->pointers, site) != NO_INDEX);
        seen.dynamic_accesses++;
    } else if (memory) {
        seen.static_accesses++;
    } else {
        seen.joins++;
    }
    for (unsigned k = 0; k <= w->length; k++, seen.earlier++)
        if (!foreseen(w, w->path[k], thread, a, site))
            fail_msg("access of kind %u to %u by thread %u at step %u was not foreseen at step %u", a->kind,
                     a->name, thread, w->length, k);
}

static void check_pointers(const walked *w, const state *s) {
    for (uint32_t n = 0; n < state_thread_count(s); n++) {
        const thread_part *t = thread_of(s, n);
        for (uint32_t k = 0; k < frame_count_of(t); k++) {
            const frame *f = &frames_of(t)[k];
            for (uint32_t r = 0; r < w->f->p->functions.data[f->function].registers.size; r++) {
                value v = values_of(t)[f->registers + r];
                const memory_object *o =
                    v.bits && v.base && v.base < FUNCTION_BASE ? state_object(s, v.base - 1) : NULL;
                if (!o) continue;
                operand reg = operand_register(r, 64);
                uint32_t object = v.base - 1 < static_count_of(s)
                                      ? v.base - 1
                                      : points_to_object_at(w->pointers, site_of(o));
                assert_true(points_to_may(w->pointers, f->function, &reg, object));
                seen.pointers++;
            }
        }
    }
}

/* How much the answers rule out: without this, `true` would always do. */
static void count_ruled_out(const walked *w, const state *s) {
    call_site stack[8];
    for (uint32_t n = 0; n < state_thread_count(s); n++) {
        stack_of(thread_of(s, n), stack);
        for (uint32_t o = 0; o < static_count_of(s); o++)
            seen.ruled_out +=
                !futures_may_access(w->futures, stack, frame_count_of(thread_of(s, n)), o, NO_PLACE, false);
    }
}

static void note_births(walked *w, const state *before, const state *after, uint32_t by) {
    for (uint32_t n = 0; n < state_thread_count(after); n++) {
        bool was = n < state_thread_count(before) && state_thread_status(before, n) != THREAD_UNBORN;
        if (was || state_thread_status(after, n) == THREAD_UNBORN) continue;
        w->creator[n] = by;
        seen.births++;
    }
}

/* Takes one random step; false at the end of the path. */
static bool walk_on(walked *w, uint64_t *seed) {
    machine *m = w->f->m;
    const state *s = w->path[w->length];
    check_pointers(w, s);
    count_ruled_out(w, s);
    transitions enabled = {0};
    machine_enabled(m, s, &enabled);
    successors list = {0};
    bool goes_on = false;
    if (enabled.size) {
        transition by = enabled.data[below(seed, (unsigned)enabled.size)];
        step_options how = {.effects = true, .stops = below(seed, 3) ? STOP_VISIBLE : STOP_INSTRUCTION};
        machine_step(m, s, by, &how, &list);
        if (list.size) {
            successor *next = &list.data[below(seed, (unsigned)list.size)];
            for (size_t k = 0; k < next->touched.size; k++)
                check_access(w, by.thread, &next->touched.data[k], next->to);
            goes_on = next->end == STEP_STOPPED && state_thread_count(next->to) < MOST_THREADS;
            if (goes_on) {
                note_births(w, s, next->to, by.thread);
                w->path[++w->length] = state_share(next->to);
            }
        }
    }
    successors_free(m, &list);
    vec_free(&enabled);
    return goes_on;
}

static void walk_randomly(walked *w, uint64_t *seed) {
    w->path[0] = machine_initial(w->f->m, 0);
    w->length = 0;
    while (w->length < LONGEST_PATH && walk_on(w, seed)) {
    }
    for (unsigned k = 0; k <= w->length; k++) state_release(w->f->m, w->path[k]);
}

static void every_access_was_foreseen(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    machine_options options = machine_default_options();
    options.step_forks = 10; /* loops go on as long as their inputs like */
    for (unsigned round = 0; round < 400; round++) {
        fixture f = fixture_of_program(random_threads(&seed), &options, 0);
        analyses *known = machine_analyses(f.m);
        walked w = {.f = &f, .futures = analyses_futures(known), .pointers = analyses_points_to(known)};
        for (unsigned k = 0; k < 5; k++) walk_randomly(&w, &seed);
        fixture_close(&f);
    }
    assert_true(seen.static_accesses > 10000 && seen.dynamic_accesses > 1000 && seen.joins > 100);
    assert_true(seen.births > 1000 && seen.earlier > 100000 && seen.pointers > 10000);
    assert_true(seen.ruled_out > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_lies_ahead_counts),
        cmocka_unit_test(loops_lie_ahead_of_themselves),
        cmocka_unit_test(every_way_to_touch_memory_counts),
        cmocka_unit_test(calls_and_callers_count),
        cmocka_unit_test(created_threads_count),
        cmocka_unit_test(heap_objects_go_by_their_place),
        cmocka_unit_test(the_end_of_a_frame_writes_its_variables),
        cmocka_unit_test(nothing_is_claimed_of_functions_that_seem_dead),
        cmocka_unit_test(joins_and_ends_of_the_program_are_seen),
        cmocka_unit_test(every_access_was_foreseen),
    };
    return cmocka_run_group_tests_name("future", tests, NULL, NULL);
}
