#include "machine/seen.h"

#include "machine/internal.h"

machine_seen machine_exchange_seen(machine *m, machine_seen given) {
    machine_seen before = m->seen;
    m->seen = given;
    return before;
}

const machine_seen *machine_seen_so_far(const machine *m) {
    return &m->seen;
}

void seen_keep_confirmed(machine_seen *into, const machine_seen *from) {
    if (!into->race.known) into->race = from->race;
}

bool seen_reached(const machine_seen *s, uint32_t check) {
    return check < s->reached.size && s->reached.data[check];
}

void seen_reach(machine_seen *s, uint32_t check) {
    while (s->reached.size <= check) vec_push(&s->reached, false);
    s->reached.data[check] = true;
}

void seen_free(machine_seen *s) {
    vec_free(&s->reached);
    map_free(&s->joiners);
    map_free(&s->pairs_compared);
    vec_free(&s->ids_compared);
    *s = (machine_seen){0};
}
