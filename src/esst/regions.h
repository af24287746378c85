/* Which region a predicate belongs to, and which regions a step of a thread changes. */
#ifndef HEDDLE_ESST_REGIONS_H
#define HEDDLE_ESST_REGIONS_H

#include "cegar/variant.h"

enum { REGION_GLOBAL = UINT32_MAX }; /* else the number of a thread */

typedef struct regions {
    bool by_location;  /* predicates of a thread's region count at one location of it */
    bool threads_come; /* later: until then there is only main */
} regions;

/* The thread whose variables the predicate is about, besides global ones; REGION_GLOBAL: none, or several. */
uint32_t region_of(const state *s, const term *predicate);

/* As cegar_variant wants them; `data` is a regions. */
uint64_t regions_scope_for(void *data, const predicate_need *need);
size_t regions_scopes_in(void *data, const state *s, uint32_t moved, scope_list *out);

#endif
