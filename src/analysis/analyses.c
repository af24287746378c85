#include "analysis/analyses.h"

#include "analysis/symbolic.h"
#include "base/memory.h"

struct analyses {
    const program *p;
    flows flows;
    bool *symbolic;
    points_to *points_to;
    loops *loops;
    distances *distances;
    futures *futures;
    segments *segments[2]; /* by checks_cut */
};

analyses *analyses_create(const program *p) {
    analyses *a = mem_zero(1, sizeof *a);
    a->p = p;
    a->flows = flows_open(p);
    return a;
}

void analyses_destroy(analyses *a) {
    if (!a) return;
    for (unsigned k = 0; k < 2; k++)
        if (a->segments[k]) segments_destroy(a->segments[k]);
    futures_destroy(a->futures);
    distances_destroy(a->distances);
    loops_destroy(a->loops);
    if (a->points_to) points_to_destroy(a->points_to);
    mem_free(a->symbolic);
    flows_close(&a->flows);
    mem_free(a);
}

flows *analyses_flows(analyses *a) {
    return &a->flows;
}

const bool *analyses_symbolic(analyses *a) {
    if (!a->symbolic) a->symbolic = symbolic_objects(a->p);
    return a->symbolic;
}

const points_to *analyses_points_to(analyses *a) {
    if (!a->points_to) a->points_to = points_to_compute(a->p);
    return a->points_to;
}

loops *analyses_loops(analyses *a) {
    if (!a->loops) a->loops = loops_create(a->p, &a->flows);
    return a->loops;
}

const distances *analyses_distances(analyses *a) {
    if (!a->distances) a->distances = distances_compute(a->p);
    return a->distances;
}

const futures *analyses_futures(analyses *a) {
    if (!a->futures) a->futures = futures_compute(a->p, analyses_points_to(a));
    return a->futures;
}

const segments *analyses_segments(analyses *a, bool checks_cut) {
    segments **known = &a->segments[checks_cut];
    if (!*known) *known = segments_compute(a->p, &a->flows, checks_cut);
    return *known;
}
