/* What happens within steps, for whoever follows one execution: step_options.watch. Told in the order in
 * which it happens, of every path of a step; a member that is NULL is not wanted. A watch never changes what
 * a step does, but that inputs may be given their numbers at the last moment. */
#ifndef HEDDLE_MACHINE_WATCH_H
#define HEDDLE_MACHINE_WATCH_H

#include "machine/machine.h"
#include "machine/value.h"

typedef enum {
    SEEN_NOTIFY,       /* event: at once */
    SEEN_NOTIFY_LATER, /* event, or events + thread for its timer; due: NULL in the next delta cycle */
    SEEN_CANCEL,       /* event */
    SEEN_WAIT,         /* thread: for the events that it has listed, or its timer */
    SEEN_WAIT_STATIC,  /* thread: as declared */
    SEEN_LISTEN,       /* thread: another one changes what it waits for, to the events that are told next */
    SEEN_LISTEN_TO,    /* event */
    SEEN_REQUEST,      /* update */
    SEEN_UPDATE,       /* update: begins */
    SEEN_SUSPEND,      /* thread */
    SEEN_RESUME,       /* thread: at once */
    SEEN_DISABLE,      /* thread */
    SEEN_ENABLE,       /* thread */
    SEEN_RUN_NOW       /* thread: before the one that runs goes on */
} seen_kind;

typedef enum {
    LIES_BEFORE,       /* the other one */
    LIES_RIGHT_BEHIND, /* the end of the other one */
    LIES_WHERE_WAS     /* the other one, or the other way round: one of them is gone */
} lie_kind;

typedef struct machine_watch { /* see step_options.watch */
    void *data;
    void (*happens)(void *data, seen_kind what, uint32_t number, const term *due);
    void (*prints)(void *data, const state *s, print_form form, const value *given, uint32_t count);
    /* An input is about to be drawn: the last moment to give it a number in step_options.inputs.
     * `name` points to what it is called (bits NULL: see program.inputs). */
    void (*draws)(void *data, const state *s, value name, uint32_t input, const term *symbol);
    /* The same for unknown values that nobody drew one by one: of memory that gets any content, or of a byte
     * that was never written (input NO_INDEX; perhaps told again when it is read again). */
    void (*finds)(void *data, uint32_t input, const term *symbol);
    void (*enters)(void *data, uint32_t thread, uint32_t function);
    /* Memory is touched that others can reach only later (step_options.early). */
    void (*touches_early)(void *data, const state *s, uint32_t thread, const access *a);
    /* An input with arguments (explore/laws.h) was drawn; perhaps on one of several ways of a step. */
    void (*draws_by_law)(void *data, const state *s, const value *given, uint32_t count, uint32_t input,
                         const term *number);
    /* Somebody asks where an object lies, or for the rank of a thread: the last moment to give that a number,
     * which else is `preset`. Perhaps told again. */
    void (*places)(void *data, const term *symbol, uint64_t preset);
    /* ... and that one object lies so, as the answer was. */
    void (*lies)(void *data, const state *s, uint32_t one, uint32_t other, lie_kind how);
} machine_watch;

#endif
