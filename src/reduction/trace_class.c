#include "reduction/trace_class.h"

#include "base/hash.h"

static bool depends(const trace_event *a, const trace_event *b) {
    return a->thread == b->thread || a->orders_all || b->orders_all ||
           effect_conflict(a->touched, b->touched);
}

/* The hash of an event covers the hashes of all earlier events it depends on, as a set; the trace is the set
 * of its events. */
uint64_t trace_class(const trace_event *events, size_t count) {
    uint64_t *hash = mem_alloc(count * sizeof *hash), whole = count;
    for (size_t i = 0; i < count; i++) {
        uint64_t causes = 0;
        for (size_t j = 0; j < i; j++)
            if (depends(&events[j], &events[i])) causes += hash_mix(hash[j]);
        hash[i] = hash_pair(hash_pair(events[i].thread, events[i].label), causes);
        whole += hash_mix(hash[i] ^ UINT64_C(0x5bd1e995));
    }
    mem_free(hash);
    return hash_mix(whole);
}
