/* Where dynamic objects lie, if somebody wants to know (machine_options.placement): the document's heap of
 * locations, against which its reduction by typed slots is measured. States with other places are other
 * states then. The machine itself never looks at places. */
#include "machine/internal.h"
#include "machine/setup.h"

static bool is_placed(const memory_object *o) {
    return o->slot && !o->freed;
}

static bool overlap(uint64_t low, uint64_t bytes, const memory_object *o) {
    uint64_t start = o->slot - 1;
    return low < start + object_bytes(o) && start < low + bytes;
}

/* The lowest addresses at which nothing lies that lives. */
static uint64_t first_free(const state *s, uint64_t bytes) {
    uint64_t low = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        if (!is_placed(o) || !overlap(low, bytes, o)) continue;
        low = o->slot - 1 + object_bytes(o);
        i = UINT32_MAX; /* look at all of them again */
    }
    return low;
}

/* The lowest number that no living object of the type has. */
static uint64_t free_slot(const state *s, uint64_t type) {
    uint64_t slot = 0;
    for (uint32_t i = 0; i < s->dynamic_count; i++) {
        const memory_object *o = s->dynamic[i].object;
        if (!is_placed(o) || o->type != type || o->slot - 1 != slot) continue;
        slot++;
        i = UINT32_MAX;
    }
    return slot;
}

void placement_choose(const machine *m, const state *s, memory_object *o, uint64_t type) {
    if (m->options.placement == PLACE_NOWHERE) return;
    bool typed = m->options.placement == PLACE_BY_TYPE;
    uint64_t slot = typed ? free_slot(s, type) : first_free(s, object_bytes(o));
    o->type = typed ? type : 0;
    o->slot = slot < UINT32_MAX - 1 ? (uint32_t)slot + 1 : 0;
}
