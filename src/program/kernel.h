/* Kernels: by which rules the threads of a program take turns, and what follows from that for everybody who
 * looks at one. A program has one of the dialects below, and whoever does different things for different
 * programs asks what he wants to know by its name: `program_kernel(p)->preempts`. How states move by these
 * rules is the machine's business (machine/kernel.h), which has a table of its own with the same entries.
 *
 * A new kernel is a kind here and an entry in kernel.c, and there a declaration, an entry and a file. If it
 * goes by rules of its own they are a kind here, too, with their languages in kernel.c; explore/explorer.h has
 * an ON_… for them, and every explorer that has it says so. Nobody but those who make
 * programs compares kinds. */
#ifndef HEDDLE_PROGRAM_KERNEL_H
#define HEDDLE_PROGRAM_KERNEL_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum {
    KERNEL_IVL,        /* processes of SystemC as docs/ivl.md says */
    KERNEL_SYSTEMC,    /* ... and as its C++ library runs them */
    KERNEL_PREEMPTIVE, /* threads that interleave freely */
    KERNEL_KINDS
} kernel_kind;

/* Whose rules a dialect follows: explorers say by these what they have. */
typedef enum { RULES_PREEMPTIVE, RULES_SYSTEMC, RULES_KINDS } kernel_rules;
const char *rules_name(kernel_rules r); /* "systemc" */

/* Whose programs go by them: "SystemC and IVL", with " and " before the last one. */
void rules_describe(kernel_rules r, const char *before_last, text *out);

typedef struct kernel_traits {
    const char *name; /* of the dialect */
    kernel_rules rules;

    /* --- threads and their steps --- */
    bool preempts;             /* a thread is interrupted before any visible operation, not only at waits */
    bool creates_threads;      /* while it runs; else all are declared, and are there from the beginning */
    bool waits_for_events;     /* threads do, and others notify them */
    bool scheduler_moves;      /* the scheduler has steps and a slot of its own; only it and main run alone */
    bool steps_are_segments;   /* from wait to wait, which the text of the program tells: see segment.h */
    bool steps_are_operations; /* one visible one and what nobody sees: that is what is told of a step */
    bool others_go_on_without; /* ... a thread that an assumption or a violation of its own has ended */
    bool threads_hang_apart;   /* some are blocked for ever while others go on */
    bool loops_can_wait;       /* for others, who go on meanwhile: going round for ever is a livelock */
    bool should_end;           /* a program without an end is worth a note */

    /* --- simulations --- */
    bool has_simulated_time;
    bool has_delta_cycles;
    bool elaborates;         /* main makes the threads, events and updates before it starts them */
    bool updates_after_stop; /* the delta cycle in which somebody stops still has its updates */
    bool leaves_due_at_end;  /* who is due when the time is over runs when the simulation goes on */
    bool controls_at_once;   /* suspend and resume take effect at once, not in the next delta cycle */

    /* --- main --- */
    bool start_calls_main; /* thread 0 begins in a function that nobody wrote */
    bool main_returns;     /* a number, perhaps */

    /* --- memory --- */
    bool memory_is_bytes;          /* as in C: with addresses that are used again; else cells of one type */
    bool accesses_may_race;        /* unless something orders them: accesses and fences have orders */
    bool sharing_is_known;         /* which objects no other thread can get at */
    bool effects_are_exact;        /* they name objects and bytes; else heap and variables are one each */
    bool stacks_are_apart;         /* no variable lies where one of another thread, or the heap, was */
    bool constants_are_protected;  /* writing to one is a violation */
    bool unmodelled_is_any_number; /* ... which a violation that comes of it must be confirmed with */
    uint64_t most_unknown_cells;   /* that one input may fill; more are a limit */

    /* --- libraries and reports --- */
    bool has_library;         /* some functions and objects are none of the author's */
    bool library_is_headers;  /* the programs' own, which are hidden; their calls may rest on assumptions */
    bool models_keep_objects; /* those without a position are of models of library functions */
    bool has_simulator;       /* another program that runs the same sources: it can be compared with it */
    bool traces_tell_heap;    /* objects there have names, and are followed */
    const char *no_deadlock;  /* what is promised ... */
    const char *deadlock;     /* ... and what is found */
} kernel_traits;

/* By kernel_kind. */
extern const kernel_traits kernel_dialects[KERNEL_KINDS];

/* Whose programs go by rules of which some dialect has this trait: "SystemC and IVL". */
void kernels_describe(bool (*has_trait)(const kernel_traits *k), text *out);

#endif
