#include "matching/footprint.h"

#include "machine/state.h"

static double objects_share(const state *s) {
    double bytes = 0;
    for (uint32_t i = 0; i < s->static_count; i++)
        bytes += (double)object_footprint(s->objects[i]) / s->objects[i]->head.refs;
    for (uint32_t i = 0; i < s->dynamic_count; i++)
        bytes += (double)object_footprint(s->dynamic[i].object) / s->dynamic[i].object->head.refs;
    return bytes;
}

static double table_bytes(const state *s) {
    return (double)(sizeof *s + s->thread_count * sizeof *s->threads + s->static_count * sizeof *s->objects +
                    s->dynamic_capacity * sizeof *s->dynamic);
}

enum { MOST_WATCHES = 4 }; /* what lies further back is shared by so many that it hardly counts */

/* The watch of a thread holds an older version of it, which may have a watch of its own, and all memory. */
static double thread_share(const thread_part *t) {
    double bytes = 0, share = 1;
    for (unsigned watches = 0; t && watches < MOST_WATCHES; watches++) {
        share /= t->head.refs;
        bytes += share * (double)thread_footprint(t);
        const spin_watch *w = t->spin;
        if (!w) break;
        share /= w->refs;
        bytes += share * (double)(sizeof *w + w->count * sizeof *w->read);
        bytes += share / w->memory->refs * (table_bytes(w->memory) + objects_share(w->memory));
        t = w->anchor;
    }
    return bytes;
}

double state_share_of_memory(const state *s) {
    double bytes = table_bytes(s) + objects_share(s);
    for (uint32_t t = 0; t < s->thread_count; t++) bytes += thread_share(s->threads[t]);
    bytes += (double)scheduler_footprint(s->scheduler) / s->scheduler->head.refs;
    if (s->path) bytes += (double)path_footprint(s->path) / s->path->refs;
    return bytes / s->refs;
}
