/* How tiny programs move: docs/ivl.md §3, one explicit state at a time. Times are kept relative to now, and
 * the absolute time only if the program looks at it, so that programs that wait for ever have
 * finitely many states. */
#ifndef HEDDLE_TESTS_ORACLE_SIMULATE_H
#define HEDDLE_TESTS_ORACLE_SIMULATE_H

#include "evaluate.h"
#include "flat.h"

enum { WORLD_MOST_CELLS = TINY_MOST_GLOBALS * TINY_MOST_ELEMENTS };
enum { NEVER = -1, NEXT_DELTA = 0 }; /* else: time units from now */

typedef enum { PHASE_OF_MAIN, PHASE_OF_THREADS, PHASE_OVER } world_phase;
typedef enum { LIFE_UNBORN, LIFE_RUNNABLE, LIFE_WAITING, LIFE_ENDED } world_life;

typedef struct world_thread {
    uint32_t at; /* code */
    int32_t timer;
    uint8_t life, suspended, resuming, wait_all, awaited; /* awaited: events that are still missing */
    uint8_t disabled, resets_at_waits;
    uint8_t acts; /* it runs, or has made another one run; false between two moves */
} world_thread;

typedef struct world { /* no padding: compared and hashed as bytes */
    int64_t cells[WORLD_MOST_CELLS];
    int64_t locals[TINY_MOST_BODIES][FLAT_SLOTS];
    world_thread thread[TINY_MOST_BODIES];
    tiny_heap heap;
    int32_t event[TINY_MOST_EVENTS];
    uint64_t time;
    int32_t limit;      /* of the present start, from now */
    uint16_t requested; /* updates, by body */
    uint8_t phase, initialised, stopping, unused[7];
} world;

_Static_assert(sizeof(world) % 8 == 0, "hashed by words");

typedef struct simulation {
    const tiny_program *p;
    flat flat;
    uint32_t cell_of[TINY_MOST_GLOBALS];
    size_t cells;
    bool looks_at_time;
    bool as_library, begun_only; /* reference_limits */
    script choices;
    VEC(uint32_t) violations; /* 2 * line, + 1 for implicit checks; unique */
    uint16_t blocked;         /* bodies that wait or are suspended at an end with nothing pending */
} simulation;

typedef enum {
    MOVE_DONE,
    MOVE_ASSUMED_AWAY,
    MOVE_CHECK_FAILED,
    MOVE_FINISHED,
    MOVE_ENDLESS,
    MOVE_ABSURD
} move_end;

#define MOVER_KERNEL UINT32_MAX

void simulation_begin(simulation *s, const tiny_program *p);
void simulation_free(simulation *s);
void simulation_initial(simulation *s, world *w); /* draws the inputs of globals from the script */
/* Room for TINY_MOST_BODIES. */
size_t simulation_movers(const simulation *s, const world *w, uint32_t *movers);
move_end simulation_move(simulation *s, world *w, uint32_t mover);

#endif
