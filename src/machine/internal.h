/* What the files of this folder share. Not for others. */
#ifndef HEDDLE_MACHINE_INTERNAL_H
#define HEDDLE_MACHINE_INTERNAL_H

#include "analysis/analyses.h"
#include "base/invariant.h"
#include "base/map.h"
#include "machine/hangs.h"
#include "machine/machine.h"
#include "machine/naming.h"
#include "machine/record.h"
#include "machine/seen.h"
#include "machine/setup.h"
#include "machine/state.h"
#include "machine/summary.h"
#include "machine/watch.h"

enum { POLL_EVERY = 1024 }; /* instructions between two looks for interruptions */

struct run;

/* One path of a step under way. A step starts with one; every fork makes another. */
typedef struct context {
    state *s;                                       /* owned, referenced by nobody else */
    uint32_t thread;                                /* slot that is interpreted */
    void (*task)(struct run *r, struct context *c); /* of the kernel, instead; NULL: none */
    effect touched;
    uint32_t parts;        /* see successor */
    uint64_t instructions; /* work so far */
    uint64_t next_poll;    /* when to look for interruptions again ... */
    uint64_t next_look;    /* ... and for limits of any kind */
    uint64_t loops;        /* back edges taken */
    state *loop_witness;   /* a state at an earlier back edge, for finding endless loops */
    uint64_t loop_witness_at;
    loop_place round, round_since_witness; /* preemptive: of this step */
    loop_course course;                    /* with step_options.watch_loops */
    bool visible_done;                     /* preemptive: this step has begun its visible operation ... */
    bool granted; /* ... and the present instruction is it (forks execute it again) */
    bool wrote;   /* preemptive: this step did more than read and write cells */
    /* With STOP_STATEMENT: the step stops before what comes next in the program itself. */
    bool statement_done;
    bool split;         /* there are other paths of this step */
    step_way *went;     /* NULL unless asked for */
    const term *needed; /* see successor */
    bool asked;         /* the present instruction asked which one of many objects it is, see summary.c */
} context;

typedef VEC(context) contexts;

typedef struct run {
    machine *m;
    const state *from; /* where the step began */
    const step_options *how;
    successors *out;
    contexts work;
    loop_places watched; /* with step_options.watch_loops: those that the thread is in as the step begins */
    bool interrupted;    /* every path of the step ends here */
    bool parted;         /* with step_options.one_way: there is more than one way, and the step is given up */
} run;

typedef struct asked_place { /* queries of one place of the program that took their time */
    const char *file;
    position at;
    uint64_t queries;
    double seconds, longest;
    size_t conditions, terms; /* of the longest; 0: it was not long */
} asked_place;

typedef struct made_as { /* what objects of one name are */
    bool heap, local;    /* both: nobody knows which */
    uint32_t owner;      /* of those in frames */
} made_as;

struct machine {
    const program *program;
    const kernel_traits *traits; /* of its kernel ... */
    const struct kernel *kernel; /* ... and that kernel: kernel.h */
    uint32_t scheduler_slot;     /* the thread slot in which channel updates run; NO_INDEX: there are none */
    terms *terms;
    solver *solver;
    machine_options options;
    machine_statistics stats;
    machine_seen met, imagined; /* imagined: while it looks away */
    machine_seen *seen;         /* where what is met now is noted: one of the two */
    uint32_t facts_noted;       /* see machine_facts_noted */
    unsigned looks_away;        /* pairs of machine_look_away that are open */
    bool explores;              /* an exploration has begun and not ended */
    analyses *analyses;
    flows *flows;                /* of these, as are the next two */
    const segments *segments;    /* NULL: preemptive */
    const bool *may_be_symbolic; /* per static object */
    bool compares_positions;     /* where an object lies was ever asked */
    bool compares_pointers;      /* somewhere in the program, with each other */
    VEC(made_as) made;           /* dynamic objects, by name without those of the program */
    bool spins;                  /* some thread was ever watched for spinning */
    bool updates_commute;        /* no two channel updates depend on each other: their order is no choice */
    map dynamic_names;           /* holder << 32 | count, see naming.h -> object name */
    map thread_numbers;          /* creating thread << 32 | running count -> thread */
    VEC(const char *) thread_names;  /* of all threads ever created; owned by `names` */
    VEC(const char *) thread_called; /* the same without what tells two of one name apart */
    VEC(bool) thread_names_final;    /* false: only the function is known */
    thread_births thread_births;     /* from thread 1 on */
    arena names;
    uint64_t rounds; /* of loops, all together */
    /* function << 32 | block of its head -> how often one of these rounds, looked at now and then,
     * was its. */
    map busy_loops;
    double work_begun;        /* on clock_wall */
    double solved_before;     /* seconds of the solver until then */
    VEC(asked_place) asked;   /* where the solver was asked */
    map asked_numbers;        /* hash of a place -> number of it */
    effect next_touch;        /* for machine_pending */
    VEC(check) checks;        /* of the program, then those made at pointer accesses */
    uint32_t leak_check;      /* NO_INDEX: none */
    map pointer_checks;       /* hash of (instruction, kind) -> check */
    const step_options *step; /* of the step under way; NULL: none is */
    map abstract_sites;       /* places that make objects, numbered (naming.h) */
    VEC(uint32_t) marks;      /* by term id: stamp of the last collection that found the symbol live */
    uint32_t stamp;
    call_sites stack_buffer;          /* for machine_pending */
    VEC(thread_part *) mixed_threads; /* for machine_mix */
    contexts work_buffer;             /* of the last step, for reuse */
};

/* What a step is taken with; between steps inputs are open and nobody looks. */
static inline const valuation *fixed_inputs(const machine *m) {
    return m->step ? m->step->inputs : NULL;
}

static inline const machine_watch *step_watch(const machine *m) {
    return m->step ? m->step->watch : NULL;
}

static inline bool is_abstract(const step_options *how) {
    return how->abstract || how->follow;
}

static inline uint32_t kernel_slot(const machine *m) {
    return m->scheduler_slot;
}

/* A fact is met. True: it is news, and its place is still to be told. */
static inline bool is_news(machine *m, unsigned number, seen_fact *fact) {
    bool before = fact->met;
    m->facts_noted |= UINT32_C(1) << number;
    fact->met = true;
    return !before;
}
#define NOTE_FACT(m, name) is_news(m, SEEN_##name, &(m)->seen->name)

/* --- identity.c ----------------------------------------------------------------------------------------- */

/* Whether the hashes and facts that a part keeps are those that would be computed now. */
bool thread_cache_is_right(const thread_part *t, uint32_t static_count);
bool object_cache_is_right(const memory_object *o, uint32_t static_count);
bool scheduler_cache_is_right(const scheduler_part *s);

/* --- contexts.c: paths of a step ------------------------------------------------------------------------ */

void run_push(run *r, context c);
context run_fork(const context *c);
void run_begin_thread(run *r, context *c);            /* or goes on where the step was stopped inside */
void run_forget_dead(const run *r, const context *c); /* registers that are dead where its thread stands */
void run_end(run *r, context *c, step_end end);       /* hands the state over as a successor */
void run_limit(run *r, context *c, reason_kind kind, position at);
void run_limit_in_words(run *r, context *c, reason why, position at);
void run_violate(run *r, context *c, uint32_t check_index, position at);
void run_drop(context *c); /* the path is infeasible: forget it */
void context_forget_loops(context *c);
void context_touch(run *r, context *c, access_kind kind, uint32_t name);

/* Whether a condition is possible on this path, and to go on with it after such an answer. */
solver_answer run_can_be(const run *r, const context *c, const term *condition);

/* Whether a condition can hold in a state, asked for what a thread does; noted with its place (work.c). */
solver_answer machine_ask(machine *m, const state *s, uint32_t thread, const term *condition);
void machine_note_round(machine *m, const frame *f); /* which loop goes round so often, seen now and then */
void run_take(context *c, const term *condition, solver_answer how_sure);

/* Outcome of a question that may split the path. */
typedef enum {
    DECIDED_FALSE,
    DECIDED_TRUE,
    DECIDED_NEITHER /* the path condition has become unsatisfiable: drop the path */
} decision;

/* Is `condition` true on this path? If both are possible the present context goes on with true, and a copy
 * with false is pushed, which will come to the same question again and find it decided. Call it before
 * changing anything. */
decision run_decide(run *r, context *c, const term *condition);

/* The same for questions whose answer shows in the way a step takes: always asked at this instruction,
 * whatever the values are. */
decision run_decide_way(run *r, context *c, const term *condition);
decision run_decide_inside(run *r, context *c, const term *condition); /* for open offsets only */

/* A number that should be exact, itself or as the way says. */
const term *run_exact_number(run *r, context *c, const term *number);
const term *run_exact_thread(run *r, context *c, const term *number); /* of a thread, if there is one */

/* Whether an open number is left so, which is possible or not; else it is made exact and run_exact_number
 * tells the way. */
bool run_stays_open(run *r, context *c, bool possible);

void way_begin_instruction(step_way *w); /* a fork goes back to here */
void way_note(context *c, way_kind kind, uint64_t number);
const way_mark *way_next_mark(const run *r, step_way *w); /* of a step that follows; NULL: it lost the way */
void way_must_hold(step_way *w, const term *condition);   /* so that the values go this way */
void step_way_free(step_way *w);

/* --- interpret.c ---------------------------------------------------------------------------------------- */

void run_all(run *r);            /* until no work is left */
bool run_is_interrupted(run *r); /* by Ctrl-C or a limit; then it stays so */

typedef enum { FLOW_NEXT, FLOW_MOVED /* position was set */, FLOW_GONE /* context consumed */ } flow_result;

static inline thread_part *own_thread(context *c) {
    assert(c->thread < c->s->thread_count);
    return state_own_thread(c->s, c->thread);
}

static inline frame *top_frame(thread_part *t) {
    assert(t->frame_count);
    return &t->frames[t->frame_count - 1];
}

static inline void set_register(context *c, uint32_t index, value v) {
    thread_part *t = own_thread(c);
    assert(top_frame(t)->registers + index < t->value_count);
    t->values[top_frame(t)->registers + index] = v;
}

static inline flow_result result_into(context *c, const instruction *i, value v) {
    assert(i->dst != NO_INDEX && v.bits);
    set_register(c, i->dst, v);
    return FLOW_NEXT;
}

void context_advance(context *c); /* behind the present instruction */
value operand_elsewhere(const machine *m, const context *c, const operand *o); /* not in a register */
static inline value operand_value(const machine *m, const context *c, const operand *o) {
    if (o->kind != OPERAND_REGISTER) return operand_elsewhere(m, c, o);
    assert(c->thread < c->s->thread_count);
    const thread_part *t = c->s->threads[c->thread];
    assert(t->frame_count && t->frames[t->frame_count - 1].registers + o->index < t->value_count);
    value v = t->values[t->frames[t->frame_count - 1].registers + o->index];
    return v.bits ? v : (value){term_const(m->terms, o->width, 0), 0};
}

/* --- calls.c -------------------------------------------------------------------------------------------- */

/* Pushes a frame, makes its locals. */
void enter_function(run *r, context *c, uint32_t function_index, uint32_t result_register);
flow_result call_enter(run *r, context *c, const instruction *i);
flow_result call_return(run *r, context *c, const instruction *i);

/* A monitor that cannot read what it wants says no. False: none is at work, and nothing was done. */
bool call_abandon_monitor(run *r, context *c);

/* --- memory.c: loads and stores ------------------------------------------------------------------------- */

typedef enum { ACCESS_DONE, ACCESS_ENDED /* the context was consumed */ } access_result;

access_result memory_load(run *r, context *c, const instruction *i, value address, unsigned width,
                          value *out);
access_result memory_store(run *r, context *c, const instruction *i, value address, value v);
access_result memory_update(run *r, context *c, const instruction *i, value address, arith op, value v);
access_result memory_havoc(run *r, context *c, const instruction *i, value address);

/* What the files on memory share. The name of the live object an address points into: */
access_result memory_find_object(run *r, context *c, const instruction *i, value address, uint32_t *name);
/* Where it points exactly, with room for so many bytes (at least 1): */
access_result memory_exact_place(run *r, context *c, const instruction *i, value address, uint64_t bytes,
                                 uint32_t *name, uint32_t *low);
access_result memory_may_write(run *r, context *c, const instruction *i, uint32_t name);
/* What an access of this kind by an instruction of the function is, and promises
 * (access.plain, access.sync). */
bool access_is_plain(const function *f, const instruction *i);
uint8_t access_sync(const function *f, const instruction *i, access_kind kind, bool section);
void memory_fence(run *r, context *c, const instruction *i);
void memory_touch(run *r, context *c, const instruction *i, access_kind kind, uint32_t name, uint32_t low,
                  uint32_t high);
void memory_touch_dead(run *r, context *c, const instruction *i, value address);
access_result memory_violated(run *r, context *c, const instruction *i, check_kind kind);
access_result memory_freed_otherwise(run *r, context *c, const instruction *i);
access_result memory_limit(run *r, context *c, const instruction *i, reason_kind reason);
/* As the user sees it: what is done may be done in a function of a header or of a library model. */
seen_place place_to_tell(const run *r, const context *c, const instruction *i, const char *done);
access_result memory_infeasible(run *r, context *c);

/* --- offsets.c: numbers that are not exact -------------------------------------------------------------- */

/* The numbers first + k * step, k < count, that an open offset can be. */
typedef struct progression {
    uint64_t first, step, count;
} progression;

progression offset_progression(run *r, const context *c, const term *offset); /* count is not set */
const term *offset_equals(terms *c, const term *offset, uint64_t number);

/* A number, by case distinction over its first possible values if it is open, else a limit with
 * this reason: */
access_result memory_exact_number(run *r, context *c, const instruction *i, value number, uint64_t most_cases,
                                  uint64_t *out, reason_kind reason);
/* --- block.c: ranges of bytes --------------------------------------------------------------------------- */
access_result memory_copy(run *r, context *c, const instruction *i, value to, value from, value length);
/* The two halves of copying a piece of at most a cell: the thread holds what it has read. */
access_result memory_take(run *r, context *c, const instruction *i, value from, uint32_t bytes);
access_result memory_put(run *r, context *c, const instruction *i, value to);
access_result memory_fill(run *r, context *c, const instruction *i, value to, value byte, value length);

/* --- objects.c: their life, and who reaches them -------------------------------------------------------- */
access_result memory_new(run *r, context *c, const instruction *i, value count, value *out); /* INSTR_ALLOC */
access_result memory_free(run *r, context *c, const instruction *i, value address);
access_result memory_size(run *r, context *c, const instruction *i, value address, value *out);
typedef struct object_kind {
    uint8_t heap; /* as in memory_object */
    bool unset;
    uint64_t site, type;
} object_kind;
value memory_allocate(run *r, context *c, const layout *shape, uint32_t count, object_kind kind);
/* A local variable of this function, under a new name or under one that no object has. */
value memory_allocate_local(run *r, context *c, uint32_t function_index, uint32_t local);
value memory_renew_local(run *r, context *c, uint32_t name, uint32_t function_index, uint32_t local);

/* scope.c: whether somebody could still follow a pointer to it after the present instruction. */
bool memory_is_pointed_to(const machine *m, const context *c, uint32_t name);

/* scope.c: INSTR_FREE of FREE_BLOCK. */
access_result memory_leave_block(run *r, context *c, const instruction *i);

/* Drops the objects of the top frame; a write to those that others can reach. */
void release_frame_objects(run *r, context *c);
void release_thread_objects(run *r, context *c); /* static ones that go with the running thread */

/* placement.c: gives a new object of s its place, if objects have places. */
void placement_choose(const machine *m, const state *s, memory_object *o, uint64_t type);
void memory_clear(const machine *m, memory_object *o); /* all cells 0 */
/* The name of what a thread makes as its how manyth object, which says whether that is on the heap. */
uint32_t memory_dynamic_name(machine *m, uint32_t thread, uint32_t count, bool heap);
uint32_t memory_name_by_key(machine *m, uint32_t holder, uint32_t count); /* see naming.h */
made_as made_by_name(const machine *m, uint32_t object);
value fresh_input(machine *m, context *c, uint32_t input_index, scalar_type type);
const term *next_input(machine *m, const context *c, uint32_t input_index, scalar_type type); /* its symbol */

/* A number of which nothing is known, although it is no input of the program: what is right for all its
 * values is right. A replay with fixed inputs must do without. */
const term *fresh_unknown(machine *m, context *c, unsigned width, const char *label);

/* Whether a thread has drawn inputs or unknown numbers since: then it may do something else next time. */
bool thread_has_asked(const thread_part *now, const thread_part *then);

/* Preemptive: whether other threads can see an access to the object of this address. Null, dangling and
 * function pointers count as visible. */
bool memory_is_shared(const context *c, value address);

/* Preemptive: other threads can reach v from now on, and everything that is reachable from it. */
void memory_publish(state *s, value v);

/* --- cells.c: the bytes of one object, within its bounds ------------------------------------------------ */
typedef enum {
    READ_DONE,
    READ_TORN,   /* some but not all bytes of a pointer, or of several */
    READ_PADDING /* bytes without a value */
} read_result;

/* Unset bytes read as the input that they are; cells_settle makes them known to the state. */
read_result cells_read(machine *m, const memory_object *o, uint32_t name, uint32_t low, unsigned width,
                       value *out);
/* Bytes without a value read as those of `padding` at the same place, a number of as many bytes as
 * are read. */
read_result cells_read_with(machine *m, const memory_object *o, uint32_t name, uint32_t low, unsigned width,
                            const term *padding, value *out);
void cells_write(machine *m, state *s, uint32_t name, uint32_t low, unsigned width, value v);
void cells_settle(machine *m, state *s, uint32_t name, uint32_t low, uint32_t high);
void cells_gather(machine *m, const memory_object *o, uint32_t low, uint32_t high, laid_cells *out);
void cells_place(machine *m, state *s, uint32_t name, uint32_t high, laid_cells *cells);
void cells_fill(machine *m, state *s, uint32_t name, uint32_t low, uint32_t high, const term *byte);

/* --- summary.c: one object for many (summary.h says how it is made) -------------------------------------- */

/* v is now in another cell of memory, too. */
void summary_note_copy(state *s, value v);

bool summary_holds_pointers(const memory_object *o, uint32_t low, uint32_t high);

/* Whether the object that is meant lives: both may be possible. */
access_result summary_is_alive(run *r, context *c, uint32_t name, bool *alive);
access_result summary_load(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                           unsigned width, value *out);
access_result summary_store(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                            uint32_t high, value v);
/* Its cells, position after position, and where the position of a cell ends. */
laid_cells summary_cells(const memory_object *o);
size_t summary_position_end(const laid_cells *list, size_t first);
void summary_put_cells(state *s, uint32_t name, const laid_cells *list);

/* A question with so many answers, each of which may be right; one instruction may ask several with different
 * numbers. The second takes two numbers, and gives any number (bits NULL) if there are no candidates. */
access_result summary_ask(run *r, context *c, uint32_t question, uint64_t count, uint64_t *out);
access_result summary_ask_value(run *r, context *c, uint32_t question, const laid_cell *candidates,
                                size_t count, value *out);

/* Any number is written somewhere within these bytes. */
access_result summary_overwrite(run *r, context *c, const instruction *i, uint32_t name, uint32_t low,
                                uint32_t high);

/* --- focus.c -------------------------------------------------------------------------------------------- */

/* The pointer at this place of an object that is no summary was read. If it is into a summary, what it points
 * to may be told apart from now on: *v is a pointer to an object of its own then. */
access_result summary_focus(run *r, context *c, uint32_t name, uint32_t low, value *v);

/* --- pointer.c ------------------------------------------------------------------------------------------ */

/* INSTR_ARITH with a pointer among its operands; width is that of the result. */
access_result pointer_arith(run *r, context *c, const instruction *i, unsigned width, value a, value b,
                            value d, value *out);

/* --- lie.c: where objects lie --------------------------------------------------------------------------- */

void tell_place(const machine *m, const term *symbol, uint64_t preset);          /* machine_watch.places */
const term *lies_before(run *r, context *c, uint32_t one, uint32_t other);       /* of two live objects */
const term *lies_right_behind(run *r, context *c, uint32_t one, uint32_t other); /* of two live objects */
/* Variables of different threads: only a thread that may have the identity of another one has its stack.
 * Stacks are never heap memory. */
bool lies_on_another_stack(run *r, const context *c, const instruction *i, uint32_t one, uint32_t other);
/* One of them is gone, or both. */
const term *lies_where_was(run *r, context *c, uint32_t one, uint32_t other);
void note_who_is_there(run *r, context *c, uint32_t freed); /* while it is still there */
bool program_compares_pointers(const program *p);

/* --- heap_order.c: in which order threads free and make memory ------------------------------------------ */

void note_heap_made(run *r, context *c);
void note_heap_freed(run *r, context *c);
void note_blocks_compared(run *r, const context *c, const instruction *i, value a, value b);
access heap_order_access(access_kind kind); /* UPDATE: freeing, READ: making */

/* --- lives.c: when objects began and ended, with fixed inputs -------------------------------------------- */

void note_birth(const machine *m, state *s, uint32_t object);
void note_death(const machine *m, state *s, uint32_t object);

/* Whether two objects, one of which is gone, may have had one position; from now on they had. */
bool did_lie_there(machine *m, state *s, uint64_t position, uint32_t one, uint32_t other);

/* --- thread_id.c ---------------------------------------------------------------------------------------- */

bool value_is_thread_id(const machine *m, value v);
/* Whether one thread may have been given the identity of the other; that somebody asked is noted. */
bool thread_ids_may_be_same(run *r, const context *c, const instruction *i, uint32_t one, uint32_t other,
                            const char *asked);
void note_joined(machine *m, uint32_t thread, uint32_t by);

/* The same if `a` or `b` is the identity of a thread. */
access_result thread_id_arith(run *r, context *c, const instruction *i, unsigned width, value a, value b,
                              value *out);

/* --- arithmetic.c --------------------------------------------------------------------------------------- */
const term *arith_term(terms *c, arith op, unsigned width, const term *a, const term *b, const term *d);

/* --- floating.c ----------------------------------------------------------------------------------------- */

/* A floating-point operation on bit patterns: operands of `from` bits, result of `to` bits. False: C does not
 * define the result. */
bool floating_compute(arith op, unsigned from, unsigned to, uint64_t a, uint64_t b, uint64_t *out);

/* --- kernel.h: what a kernel does at a sync instruction, and with copies and fills ------------------------ */
typedef enum { SYNC_GOES_ON, SYNC_STOPS, SYNC_CONSUMED } sync_result;

/* The part of a copy or fill that comes next. */
typedef struct piece {
    bool exact; /* else the length is not known here, and all of it comes at once */
    uint64_t from, bytes;
    bool more;          /* after it */
    bool reads, writes; /* only reads: what is read is kept until the next piece writes it */
} piece;

/* --- preemptive.c: what the other files of that kernel ask it ------------------------------------------- */
void preemptive_pending(machine *m, const state *s, uint32_t thread, pending *out);
bool preemptive_may_go_on(machine *m, const state *s, uint32_t thread);
uint32_t preemptive_thread_number(machine *m, uint32_t creator, uint32_t count, uint32_t function);
bool preemptive_is_at_program_end(const machine *m, const state *s, uint32_t thread);

/* --- thread_names.c ------------------------------------------------------------------------------------- */
void thread_names_add(machine *m, uint32_t function); /* of the next number, as far as is known */
/* The path at hand creates it, with this function and argument. */
void thread_names_note(machine *m, const state *s, uint32_t number, uint32_t function, value argument);

/* --- standstill.c --------------------------------------------------------------------------------------- */
bool preemptive_deadlocked(machine *m, const state *s);
hang_answer preemptive_livelocked(machine *m, const state *s);
void preemptive_note_blocked(machine *m, const state *s, uint32_t ending); /* the program ends now */
void preemptive_note_standstill(machine *m, const state *s);               /* nobody can go on */

/* --- round.c: which loop a thread goes round in --------------------------------------------------------- */
void preemptive_enter_loop_head(run *r, context *c);
void round_widen(machine *m, loop_place *to, loop_place by); /* both are outermost loops of pieces of a way */
bool round_waits(machine *m, loop_place round);
/* For successor.course: the thread went to this block, or returned. */
void round_note_jump(const run *r, context *c, uint32_t block);
void round_note_depth(const run *r, context *c);
/* Whether the thread, if it alone goes on, can get out of the loop by what inputs it draws. */
typedef enum { ROUND_CLOSED, ROUND_LEFT, ROUND_OPEN /* not decided */ } round_end;
round_end round_explore(machine *m, const state *s, uint32_t thread);

/* --- spin.c --------------------------------------------------------------------------------------------- */
void preemptive_step_ended(run *r, context *c); /* before the state is handed over: looks for spinning */
bool preemptive_spins_in_vain(machine *m, const state *s, const thread_part *t); /* and waits for a change */

/* --- path.c --------------------------------------------------------------------------------------------- */
void path_assume(state *s, const term *condition); /* adds its conjuncts that are not there yet */
void path_collect(machine *m, state *s);           /* garbage collection */

#endif
