#include "solver/encodings.h"

void encodings_free(encodings *e) {
    for (int i = 0; i < ENCODINGS; i++)
        if (e->open[i]) blaster_close(&e->slot[i]);
    map_free(&e->home);
}

static void start_empty(encodings *e, int slot) {
    if (e->open[slot]) blaster_close(&e->slot[slot]);
    blaster_open(&e->slot[slot], &sat_cadical);
    e->open[slot] = true;
    e->generation[slot]++;
}

static int least_recently_used(const encodings *e) {
    int oldest = 0;
    for (int i = 1; i < ENCODINGS; i++)
        if (e->last_use[i] < e->last_use[oldest]) oldest = i;
    return oldest;
}

static uint64_t home_at(const encodings *e, int slot) {
    return e->generation[slot] * ENCODINGS + (uint64_t)slot;
}

/* The slot that knows one of the symbols; -1 if none does. */
static int related_slot(const encodings *e, const term *const *symbols, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint64_t home = map_get(&e->home, symbols[i]->id);
        int slot = (int)(home % ENCODINGS);
        if (home != MAP_NONE && home == home_at(e, slot)) return slot;
    }
    return -1;
}

static void settle_symbols(encodings *e, int slot, const term *const *symbols, size_t count) {
    for (size_t i = 0; i < count; i++) map_put(&e->home, symbols[i]->id, home_at(e, slot));
}

static void translate_all(blaster *b, const term *const *conditions, size_t count, int *literals) {
    for (size_t i = 0; i < count; i++) literals[i] = blast_condition(b, conditions[i]);
}

/* Has the solver grown so much beyond this query that an empty one is cheaper? The numbers are
 * measured: see bench/queries.c. */
enum { CLAUSES_WORTH_KEEPING = 20000, CONE_FACTOR = 8 };

static bool is_overgrown(blaster *b, const term *const *conditions, size_t count) {
    return b->gates.clauses > CLAUSES_WORTH_KEEPING &&
           b->gates.clauses > CONE_FACTOR * blast_cone(b, conditions, count);
}

blaster *encodings_for(encodings *e, const term *const *conditions, size_t count, const term *const *symbols,
                       size_t symbol_count, bool incremental, int *literals) {
    int slot = incremental ? related_slot(e, symbols, symbol_count) : -1;
    if (slot < 0) {
        slot = least_recently_used(e);
        start_empty(e, slot);
    }
    e->last_use[slot] = ++e->uses;
    blaster *b = &e->slot[slot];
    translate_all(b, conditions, count, literals);
    if (is_overgrown(b, conditions, count)) {
        start_empty(e, slot);
        translate_all(b, conditions, count, literals);
    }
    settle_symbols(e, slot, symbols, symbol_count);
    return b;
}
