#include "strategy/control.h"

#include "base/clock.h"

static bool was_interrupted(const run_control *c) {
    return atomic_load_explicit(c->interrupted, memory_order_relaxed);
}

static bool is_past_deadline(const run_control *c) {
    return c->deadline > 0 && clock_wall() + c->afterwards > c->deadline;
}

static double most_afterwards(const run_control *c) {
    static const double share = 0.2;
    return (c->deadline - c->begun) * share;
}

/* What was allocated has to be freed, too, before the time is over; and between two looks memory grows. */
static void look_at_memory(run_control *c) {
    enum { LOOKS_PER_SECOND = 50 };
    static const double seconds_per_byte = 1.5e-9, nearly_all = 0.98;
    double now = clock_wall();
    if (now < c->next_look) return;
    c->next_look = now + 1.0 / LOOKS_PER_SECOND;
    size_t bytes = memory_in_use();
    c->afterwards = (double)bytes * seconds_per_byte;
    if (c->afterwards > most_afterwards(c)) c->afterwards = most_afterwards(c);
    if (c->most_bytes && (double)bytes > nearly_all * (double)c->most_bytes) c->memory_is_up = true;
}

static bool is_out_of_memory(run_control *c) {
    if (c->most_bytes || c->deadline > 0) look_at_memory(c);
    return c->memory_is_up;
}

bool control_memory_is_up(const run_control *c) {
    return c->memory_is_up;
}

bool control_time_is_up(const run_control *c) {
    return is_past_deadline(c) && !was_interrupted(c);
}

control_stop control_stopped_by(const run_control *c) {
    if (was_interrupted(c)) return STOPPED_BY_USER;
    bool time_is_near = c->deadline > 0 && clock_wall() + 2 * most_afterwards(c) > c->deadline;
    return c->memory_is_up || (c->most_bytes && !time_is_near) ? STOPPED_BY_MEMORY : STOPPED_BY_TIME;
}

bool control_should_stop(void *data) {
    run_control *c = data;
    return was_interrupted(c) || is_out_of_memory(c) || is_past_deadline(c);
}

/* What an explorer cannot look up from: a long step, a hard query. */
bool control_should_stop_inside(void *data) {
    run_control *c = data;
    return control_should_stop(data) || (c->turn_end > 0 && clock_wall() > c->turn_end);
}

void control_limit_turn(run_control *c, double seconds) {
    c->turn_end = seconds > 0 ? clock_wall() + seconds : 0;
}
