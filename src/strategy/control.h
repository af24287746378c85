/* When a run stops early: somebody interrupts it, its time or its memory is up, or, inside of steps and
 * queries, the turn of the explorer at work is over. */
#ifndef HEDDLE_STRATEGY_CONTROL_H
#define HEDDLE_STRATEGY_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct run_control {
    const atomic_bool *interrupted;
    double begun, deadline; /* on clock_wall; 0: none */
    double turn_end;        /* of the explorer whose turn it is: steps and queries end there, too; 0: none */
    double afterwards;      /* seconds that freeing everything will take */
    size_t most_bytes;      /* resident; 0: none */
    double next_look;       /* at the memory, on clock_wall: asking for it is slow */
    bool memory_is_up;
} run_control;

bool control_should_stop(void *control);        /* interrupted, or past a limit */
bool control_should_stop_inside(void *control); /* also when the turn is over */

bool control_time_is_up(const run_control *c); /* and nobody pressed Ctrl-C */
bool control_memory_is_up(const run_control *c);
void control_limit_turn(run_control *c, double seconds); /* from now on; 0: no more */

/* Why something that was told to stop was: a process of its own may have stopped before this one would. */
typedef enum { STOPPED_BY_USER, STOPPED_BY_TIME, STOPPED_BY_MEMORY } control_stop;
control_stop control_stopped_by(const run_control *c);

#endif
