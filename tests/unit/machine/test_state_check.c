/* A state that is broken on purpose, one field at a time: the invariant that it breaks is named. */
#include "thread_programs.h"

#include "machine/state.h"
#include "machine/state_check.h"

static const char sample[] = "int x = 1; event e, f; update u0 {x = 1;} update u1 {x = 2;}\n"
                             "thread A{wait e; x = 5;} thread B{int k = 3; wait f; x = k;} main{start;}";

/* What is broken cannot be released and is left to itself: sanitizers that look for leaks do not look here. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return 1;
}

static const term *number(const fixture *f, unsigned width, uint64_t n) {
    return term_const(f->c, width, n);
}

/* Each breaks a state in which A and B wait, as far as it goes. */
typedef void break_state(const fixture *f, state *s);

static void suspended_twice(const fixture *f, state *s) {
    (void)f;
    memset(&state_own_thread(s, 1)->suspended, 2, 1);
}
static void unknown_status(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->status = THREAD_DRAWING + 1;
}
static void many_waits(const fixture *f, state *s) {
    (void)f;
    thread_part *t = state_own_thread(s, 1);
    t->wait_count = t->wait_capacity + 1;
}
static void unknown_event(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->waits[0].event = 2;
}
static void runs_and_waits(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->status = THREAD_RUNNABLE;
}
static void unknown_function(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->frames[0].function = 100;
}
static void unknown_block(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->frames[0].block = 100;
}
static void behind_the_block(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->frames[0].index = 100;
}
static void lost_register(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 2)->value_count--;
}
static void narrow_register(const fixture *f, state *s) {
    thread_part *t = state_own_thread(s, 2);
    for (uint32_t k = 0; k < t->value_count; k++) t->values[k] = (value){number(f, 3, 1), 0};
}
static void lost_result(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->frames[0].result_register = 0;
}
static void second_starter(const fixture *f, state *s) {
    (void)f;
    thread_part *t = state_own_thread(s, 1);
    t->wait_count = 0;
    t->status = THREAD_STARTING;
}
static void resumed_for_nothing(const fixture *f, state *s) {
    (void)f;
    state_own_thread(s, 1)->resume_pending = true;
}
static void wide_cell(const fixture *f, state *s) {
    state_own_object(s, 0)->cell[0] = (value){number(f, 64, 0), 0};
}
static void narrow_pointer(const fixture *f, state *s) {
    state_own_object(s, 0)->cell[0] = (value){number(f, 32, 0), 1};
}
static void narrow_cell(const fixture *f, state *s) {
    state_own_object(s, 0)->cell[0] = (value){number(f, 8, 0), 0};
}
static void lost_cell(const fixture *f, state *s) {
    (void)f;
    state_own_object(s, 0)->cells = 0;
}
static void other_name(const fixture *f, state *s) {
    (void)f;
    state_own_object(s, 0)->source_name = 1;
}
static void perhaps_freed(const fixture *f, state *s) {
    (void)f;
    state_own_object(s, 0)->perhaps_freed = true;
}
static void stale_hash(const fixture *f, state *s) {
    memory_object *o = state_own_object(s, 0);
    state_hash(s, HASH_EXACT);
    o->cell[0].bits = number(f, 32, 77);
}
static void stale_hash_of_thread(const fixture *f, state *s) {
    (void)f;
    thread_part *t = state_own_thread(s, 1);
    state_hash(s, HASH_CONTROL);
    t->waits[0].event = 1;
}
static void stale_hash_of_scheduler(const fixture *f, state *s) {
    (void)f;
    scheduler_part *k = state_own_scheduler(s);
    state_hash(s, HASH_SHAPE);
    k->stays = !k->stays;
}
static void short_time(const fixture *f, state *s) {
    state_own_scheduler(s)->time = number(f, 32, 0);
}
static void unknown_phase(const fixture *f, state *s) {
    (void)f;
    state_own_scheduler(s)->phase = PHASE_DONE + 1;
}
static void main_phase(const fixture *f, state *s) {
    (void)f;
    state_own_scheduler(s)->phase = PHASE_MAIN;
}
static void unsorted_notifications(const fixture *f, state *s) {
    (void)f;
    scheduler_part *k = state_own_scheduler(s);
    scheduler_set_pending(k, 0, NULL);
    scheduler_set_pending(k, 1, NULL);
    k->pending[1].target = 0;
}
static void unknown_update(const fixture *f, state *s) {
    (void)f;
    scheduler_request_update(state_own_scheduler(s), 9);
}
static void unsorted_updates(const fixture *f, state *s) {
    (void)f;
    scheduler_part *k = state_own_scheduler(s);
    scheduler_request_update(k, 0);
    scheduler_request_update(k, 1);
    k->updates[0] = 1;
}
static void empty_conjunct(const fixture *f, state *s) {
    state_add_path(s, term_true(f->c));
}
static void lost_conjuncts(const fixture *f, state *s) {
    state_add_path(s, term_eq(f->c, term_symbol(f->c, 8, 1, "a", 0), number(f, 8, 1)));
    s->path->used = 0;
}
static void lost_owner(const fixture *f, state *s) {
    (void)f;
    state_own_scheduler(s)->head.refs = 0;
}

static const struct {
    break_state *breaks;
    const char *invariant;
} broken[] = {
    {suspended_twice, "suspended is 0 or 1"},
    {unknown_status, "a status is one of those that there are"},
    {many_waits, "wait_count is within its capacity"},
    {unknown_event, "an awaited event is one of the program"},
    {runs_and_waits, "who does not wait has no list of events"},
    {unknown_function, "a frame's function is one of the program"},
    {unknown_block, "a frame's block is one of its function"},
    {behind_the_block, "a frame stands at an instruction of its block"},
    {lost_register, "a frame has the registers and locals of its function"},
    {narrow_register, "a register holds values of its width"},
    {lost_result, "nobody takes the result of the first frame"},
    {second_starter, "only main starts simulations"},
    {resumed_for_nothing, "who is to be resumed is suspended"},
    {wide_cell, "a cell holds a value of its width"},
    {narrow_pointer, "an offset is as wide as a pointer"},
    {narrow_cell, "a cell holds a value of its width"},
    {lost_cell, "cells are those of the shape"},
    {other_name, "a static object has its own name"},
    {perhaps_freed, "only a summary is freed perhaps"},
    {stale_hash, "what an object's part keeps is what it would compute"},
    {stale_hash_of_thread, "what a thread's part keeps is what it would compute"},
    {stale_hash_of_scheduler, "what the scheduler's part keeps is what it would compute"},
    {short_time, "time is a number of 64 bits"},
    {unknown_phase, "a phase is one of those that there are"},
    {main_phase, "there is a simulation while main is inside of `start`"},
    {unsorted_notifications, "notifications ascend by target"},
    {unknown_update, "an update is one of the program"},
    {unsorted_updates, "updates ascend"},
    {empty_conjunct, "a conjunct says something"},
    {lost_conjuncts, "a state sees conjuncts that there are"},
    {lost_owner, "the scheduler's part belongs to somebody"},
};

static void assert_invariant(const fixture *f, const state *s, const char *wanted) {
    const char *found = state_broken_invariant(f->m, s);
    assert_non_null(found);
    assert_string_equal(found, wanted);
}

static void what_is_broken_is_named(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        fixture f = fixture_open(sample);
        state *s = walk(&f, "A B");
        assert_null(state_broken_invariant(f.m, s));
        state *own = state_clone(s);
        broken[i].breaks(&f, own);
        assert_invariant(&f, own, broken[i].invariant);
        assert_null(state_broken_invariant(f.m, s)); /* parts that are shared were not touched */
        state_release(f.m, s);
        fixture_close(&f);
    }
}

/* --- the preemptive kernel ------------------------------------------------------------------------------ */

static fixture two_threads(void) {
    static const char *const cells[] = {"x"};
    maker k = maker_create(cells, 1);
    begin_function(&k, "worker", FUNCTION_THREAD);
    uint32_t worker = k.f;
    put_add(&k, 0, 1);
    end_function(&k);
    begin_main(&k);
    uint32_t id = put_create(&k, worker);
    put_add(&k, 0, 2);
    put_join(&k, id);
    end_function(&k);
    return open_maker(&k);
}

static state *step_thread(const fixture *f, state *s, uint32_t thread) {
    successors list = {0};
    step_options how = {0};
    machine_step(f->m, s, (transition){thread, 0}, &how, &list);
    assert_int_equal(list.size, 1);
    state *to = state_share(list.data[0].to);
    successors_free(f->m, &list);
    state_release(f->m, s);
    return to;
}

static void threads_of_the_other_kernel(void **unused) {
    (void)unused;
    fixture f = two_threads();
    state *s = machine_initial(f.m, 0);
    assert_null(state_broken_invariant(f.m, s));
    s = step_thread(&f, s, 0);
    assert_int_equal(s->thread_count, 2);
    assert_null(state_broken_invariant(f.m, s));

    state *own = state_clone(s);
    state_own_thread(own, 1)->status = THREAD_WAITING;
    assert_invariant(&f, own, "nobody waits for events here");
    state_own_thread(own, 1)->status = THREAD_ENDED;
    assert_invariant(&f, own, "who has ended has no frames");
    state_own_thread(own, 1)->status = THREAD_LOOPING;
    state_own_thread(own, 1)->atomic_depth = 1;
    assert_invariant(&f, own, "only who lives is inside of a section");
    state_own_thread(own, 1)->status = THREAD_RUNNABLE;
    assert_null(state_broken_invariant(f.m, own));
    own->threads[1]->poise = POISE_OVER;
    assert_invariant(&f, own, "who is over does not run");
    state_own_thread(own, 1)->held = 9;
    assert_invariant(&f, own, "a copy holds at most one cell");
    state_own_thread(own, 1)->held = 0;
    state_own_scheduler(own)->phase = PHASE_UPDATE;
    assert_invariant(&f, own, "threads run until the program ends");
    state_release(f.m, own);
    assert_null(state_broken_invariant(f.m, s));
    state_release(f.m, s);
    fixture_close(&f);
}

/* Dynamic objects ascend, and cells of ragged ones cover them. */
static void objects_that_were_made(void **unused) {
    (void)unused;
    fixture f = fixture_open("struct point {int a; int b;} point *p; thread A{p = new point; wait_time 1;} "
                             "thread B{point *q = new point; p = q; wait_time 1;} main{start;}");
    state *s = walk(&f, "A B");
    assert_null(state_broken_invariant(f.m, s));
    assert_true(s->dynamic_count >= 1);
    state *own = state_clone(s);
    uint32_t name = own->dynamic[0].name, p = object_named(&f, "p");
    value kept = own->objects[p]->cell[0];
    state_own_object(own, p)->cell[0].base = 1000;
    assert_invariant(&f, own, "a pointer names an object that there is or was");
    state_own_object(own, p)->cell[0].base = FUNCTION_BASE + 1000;
    assert_invariant(&f, own, "a pointer to a function names one");
    state_own_object(own, p)->cell[0] = kept;
    own->dynamic[0].name = 0;
    assert_invariant(&f, own, "dynamic objects are named after those of the program");
    own->dynamic[0].name = name;
    state_own_object(own, name)->owner = 100;
    assert_invariant(&f, own, "a dynamic object was made by a thread");
    state_own_object(own, name)->owner = 1;
    const term *eight = term_const(f.c, 64, 8);
    laid_cell cells[] = {{{eight, 0}, 0}, {{NULL, 0}, 8}};
    state_replace_cells(own, name, 0, own->dynamic[0].object->cells, cells, 1);
    assert_null(state_broken_invariant(f.m, own));
    object_starts(state_own_object(own, name))[0] = 4;
    assert_invariant(&f, own, "cells follow each other from byte 0 on");
    state_replace_cells(own, name, 0, 1, cells, 2);
    assert_invariant(&f, own, "cells start within their object");
    state_release(f.m, own);
    state_release(f.m, s);
    fixture_close(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_broken_is_named),
        cmocka_unit_test(threads_of_the_other_kernel),
        cmocka_unit_test(objects_that_were_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
