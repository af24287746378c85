/* A reduction of one's own, complete and small: threads in clusters that never meet (docs/own-reduction.md).
 *
 * Two threads are in one cluster if some code of one and some code of the other interact, or if others link
 * them, however many. From any state the enabled threads of ONE cluster are enough: nothing that the other
 * clusters do, in whatever order, can change, enable or disable what these do.
 *
 * Cooperative programs (IVL, SystemC) only. Under the preemptive kernel main creates the threads, waits for
 * them and looks at what they leave, which puts all into one cluster; there clusters_choose takes everything
 * and so leaves nothing out.
 *
 * Promises: what clusters_choose gives is a persistent set. It does not solve the ignoring problem on cycles:
 * that is the search's part. It never looks at the data of a state. */
#ifndef HEDDLE_EXAMPLES_CLUSTERS_H
#define HEDDLE_EXAMPLES_CLUSTERS_H

#include "explore/explore.h"

typedef struct clusters clusters;

clusters *clusters_create(const machine *m);
void clusters_destroy(clusters *c);

bool clusters_together(const clusters *c, uint32_t thread, uint32_t other);

/* For explore_options.choose; choose_data is the clusters. */
void clusters_choose(void *data, const state *s, const transitions *enabled, indices *out);

#endif
