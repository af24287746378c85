/* What a piece of execution touches: the one vocabulary for static over-approximations (segment.h) and for
 * what the machine really did (machine.h), and the one table that says which touches depend on each other.
 *
 * An effect is a set of accesses. Two steps of different threads are independent if no access of one
 * conflicts with an access of the other: executing them in either order then gives the same state and neither
 * disables the other. */
#ifndef HEDDLE_PROGRAM_EFFECT_H
#define HEDDLE_PROGRAM_EFFECT_H

#include "base/text.h"
#include "base/vec.h"
#include "program/program.h"

#include <stdbool.h>
#include <stdint.h>

// clang-format off
/*  access                names            meaning
 *  --------------------  ---------------  ---------------------------------------------------------------- */
typedef enum access_kind {
    ACCESS_READ,         /* object, bytes  a cell is read */
    ACCESS_WRITE,        /* object, bytes  a cell is written, allocated or freed */
    ACCESS_UPDATE,       /* object, bytes  a cell is changed by a commuting operator `op` without looking */
    ACCESS_NOTIFY,       /* event          immediate notification */
    ACCESS_NOTIFY_AFTER, /* event          delta or timed notification */
    ACCESS_CANCEL,       /* event          removal of the pending notification */
    ACCESS_WAIT,         /* event          the step ends by waiting: a notification before it would be lost */
    ACCESS_RUN,          /* thread         the step belongs to this thread */
    ACCESS_SUSPEND,      /* thread */
    ACCESS_RESUME,       /* thread */
    ACCESS_REQUEST,      /* update         request_update */
    ACCESS_STOP,         /* -              the simulation is asked to end */
    ACCESS_ASSUME,       /* -              the path may end here without a violation (assume, exit): takes */
                         /*                away what others could still have violated */
    ACCESS_CHECK,        /* -              a property may be violated here */
    ACCESS_END,          /* thread         the thread ends */
    ACCESS_JOIN,         /* thread         waits for the end of the thread */
    ACCESS_CLAIM,        /* thread         from now on it cannot be joined any more, or asks whether it can */
    ACCESS_CONTROL,      /* thread         it runs here and now, or from now on may or may not run */
    ACCESS_CREATE,       /* thread         the thread begins: nothing of it can come before */
    ACCESS_FENCE,        /* -              orders atomic accesses of its thread (sync); touches nothing */
    ACCESS_EARLY_READ,   /* object, bytes  as above, but nobody else can reach the object yet: of what */
    ACCESS_EARLY_WRITE,  /*                happens before what, not of dependence */
    ACCESS_KINDS
} access_kind;
// clang-format on

#define ACCESS_ANY UINT32_MAX /* as name: every object, event, ... */

/* Under the systemc kernel dynamic objects are named by region: the heap as a whole, and the locals of each
 * thread. Their own names differ between states that are equal up to renaming, and effects must be comparable
 * across such states. Under the preemptive kernel they go by their own names, which commute, because the
 * explorers of traces compare events of one execution only. */
enum { ACCESS_LOCALS = 0x40000000 /* + thread */, ACCESS_HEAP = 0x7fffffff };

/* What an access, or a fence, promises about what happens before what (explore/happens.h). */
enum {
    SYNC_ACQUIRES = 1, /* what was handed on with the value that it reads happened before */
    SYNC_RELEASES = 2, /* what happened before is handed on with the value that it writes ... */
    SYNC_MODIFIES = 4, /* ... together with what came with the value that it replaces */
    SYNC_ATOMIC = 8    /* an atomic access of the program: fences before and behind it count */
};

typedef struct access {
    uint8_t kind;       /* access_kind */
    uint8_t op;         /* UPDATE: its arith */
    uint8_t sync;       /* SYNC_… */
    bool plain : 1;     /* objects: the access orders nothing, so it can be part of a data race ... */
    bool section : 1;   /* ... unless both are inside atomic sections, as this one is */
    uint32_t name;      /* object, event, thread or update; ACCESS_ANY = may be any of them */
    uint32_t low, high; /* objects: bytes low .. high-1 */
} access;

typedef VEC(access) effect;

/* Adds an access unless an equal one, or one that says more, is there already. Where that depends on the
 * order (fences, what is handed on) it is there twice, first and last. */
void effect_add(effect *e, access a);
void effect_join(effect *e, const effect *other);
bool access_conflict(const access *a, const access *b);
bool effect_conflict(const effect *a, const effect *b); /* some pair conflicts */
void effect_print(const program *p, const effect *e, text *out);
void effect_clear(effect *e);
void effect_free(effect *e);

#endif
