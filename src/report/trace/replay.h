/* What the files that build traces share. Besides them report/explain stands here, which follows recorded ones
 * on the present program and asks where its threads stand. */
#ifndef HEDDLE_REPORT_TRACE_REPLAY_H
#define HEDDLE_REPORT_TRACE_REPLAY_H

#include "base/map.h"
#include "explore/happens.h"
#include "explore/player.h"
#include "machine/naming.h"
#include "machine/output.h"
#include "machine/place.h"
#include "machine/watch.h"
#include "report/trace/trace.h"
#include "report/trace/value.h"

typedef struct last_write { /* who changed these bytes last, and where in its text */
    uint32_t object, low, high;
    uint32_t thread;
    const char *file; /* NULL: that of the program */
    position at;
    char *call; /* of a library function, or NULL */
} last_write;

typedef struct wave_cell { /* the bytes that a trace_variable shows */
    uint32_t object, low, high;
} wave_cell;

typedef struct early_access { /* to memory that others could reach only later */
    access what;
    trace_access side;
} early_access;

typedef struct replay {
    machine *m;
    const program *p;
    naming names;
    const check *violated; /* what the last step must violate, or NULL */
    unsigned stops;
    VEC(last_write) writes;  /* preemptive: one for each range of bytes, latest last */
    output printed;          /* since the last step */
    VEC(wave_cell) cells;    /* one for each variable of the trace: static memory in order of objects ... */
    size_t static_cells;     /* ... so many; then heap memory, as it appears */
    map heap_cells;          /* object << 32 | byte -> the variable that begins there */
    trace_step *now;         /* the step that is followed */
    uint32_t moves;          /* whose it is */
    uint32_t entered;        /* the first function of the program itself that it enters; NO_INDEX: none */
    map unset;               /* names of unset bytes that were met */
    map spin_owners;         /* object << 32 | byte of a spin lock -> who took it last */
    const shrunk *shrunk;    /* or NULL */
    happens *happens;        /* for a race with an earlier step, or NULL ... */
    uint32_t earlier;        /* ... its number, from 1 */
    trace_access first;      /* ... and what is known of its access ... */
    VEC(early_access) early; /* ... or of those that it makes before others can reach the memory */
    trace *out;
} replay;

/* --- describe.c: one step, read off the states before and after it -------------------------------------- */
void describe_step(replay *r, const state *before, const state *after, transition by, trace_step *step);
bool is_virtual_table(const char *shown); /* a pointer that nobody wrote into the program */
void describe_notified(replay *r, const state *before, const effect *touched, trace_step *step);
void describe_joined(replay *r, const effect *touched, trace_step *step);

/* --- inputs.c ------------------------------------------------------------------------------------------- */
/* Where the visible operation of the next step stands; line 0: it has none. */
position operation_position(replay *r, const state *s, uint32_t thread);
/* Goes instruction by instruction. Violated assertions are passed, as on the recorded path. */
player play_instructions(replay *r, const state *from);
void describe_inputs(replay *r, trace_step *step, const state *before, const state *after, transition by);
/* machine_watch.lies: an input of the step that is followed. */
void note_lie(void *data, const state *s, uint32_t one, uint32_t other, lie_kind how);

/* --- waves.c: static and heap memory as numbers --------------------------------------------------------- */
void waves_begin(replay *r, const state *initial);
void waves_sample(replay *r, const state *before, const state *after, trace_step *step);
/* --- matters.c ------------------------------------------------------------------------------------------ */
/* What is known of the input of this name (see machine.h: thread and running count). */
void describe_need(replay *r, const state *s, uint64_t name, scalar_type type, trace_input *out);

/* --- accesses.c: what a step of the preemptive kernel touched ------------------------------------------- */
void describe_reads(replay *r, const state *before, const effect *touched, trace_step *step);
void describe_rewrites(replay *r, const state *before, const successor *to, trace_step *step);
void note_writes(replay *r, const state *before, const effect *touched, uint32_t thread);
const last_write *find_last_write(const replay *r, const access *a); /* NULL: nobody wrote there */
char *access_cell(replay *r, const state *s, const access *a);
char *access_value(replay *r, const state *s, const access *a); /* NULL: it is no single cell */
void forget_writes(replay *r);

/* --- situation.c: the state at the end of a trace ------------------------------------------------------- */
void describe_deadlock(replay *r, const state *s);
void describe_leak(replay *r, const state *s);
void describe_race(replay *r, const state *s, const uint32_t threads[2]);
/* A step that a later access races with is about to be followed; and the end of such a path. */
void describe_earlier_access(replay *r, const state *s, uint32_t thread);
void note_early_access(void *data, const state *s, uint32_t thread, const access *a);
void describe_late_race(replay *r, const state *s, const uint32_t threads[2]);
void forget_earlier_accesses(replay *r);

/* --- mentioned.c: variables that the violated check speaks of ------------------------------------------- */
void describe_violation(replay *r, const state *s, uint32_t thread);

/* --- lock.c: locks in words ----------------------------------------------------------------------------- */
/* The lock that this byte of an object is part of, and where it begins; NULL: none. */
const lock_place *object_lock_at(const memory_object *o, uint32_t byte, uint32_t *begin);
/* "locked by main"; NULL: it is in no state that the library's functions leave. */
char *lock_words(replay *r, uint32_t object, const memory_object *o, const lock_place *lock, uint32_t begin);
char *lock_name(const object_label *of, const memory_object *o, const lock_place *lock, uint32_t begin);
void lock_note_taken(replay *r, uint32_t object, const lock_place *lock, uint32_t begin); /* by who moves */

/* --- place.c -------------------------------------------------------------------------------------------- */
char *thread_file(const program *p, const thread_part *t); /* of that position; NULL: the program's */
const char *thread_function(const program *p, const thread_part *t); /* "" if it is in library code only */
void add_place(const program *p, const char *file, position at, text *out); /* " at file.c:3:5" */
void add_place_after(const program *p, const char *word, const char *file, position at, text *out);
/* Where the functions were called that lead to where the thread stands, the innermost call first. */
void describe_stack(const program *p, const thread_part *t, trace_stack *out);
const instruction *thread_next_instruction(const program *p, const thread_part *t);
/* "pthread_mutex_lock(&m)": the library function that the thread is inside of, called by the
 * program; or NULL. */
char *thread_call(replay *r, const state *s, uint32_t thread);

/* The same, or NULL where the line of the program says more: members of the C++ library. */
char *thread_told_call(replay *r, const state *s, uint32_t thread);

/* What an input is called: by the text that `name` points to, else as declared. */
void input_name_print(machine *m, const state *s, value name, uint32_t input, text *out);
/* How many threads with the function of thread t its creator had created before; of those that are
 * born in s. */
size_t thread_birth_rank(const machine *m, const machine_names *known, const state *s, uint32_t t);
char *thread_task(const machine *m, uint32_t thread); /* see machine_thread_task */

/* --- shared helpers, in describe.c ---------------------------------------------------------------------- */
bool is_of_library(const program *p, uint32_t object); /* a static one of a library model */
char *take_text(text *t);                              /* its characters; the text is empty afterwards */
char *value_text(replay *r, const state *s, value v, scalar_type type);
char *piece_text(const object_label *of, const memory_object *o, const cell_view *piece);
char *piece_value(replay *r, const state *s, const memory_object *o, const cell_view *piece);
static inline const frame *top_frame(const thread_part *t) {
    return &frames_of(t)[frame_count_of(t) - 1];
}

#endif
