/* Strings to small dense numbers and back. The same string always gets the same number. */
#ifndef HEDDLE_BASE_INTERN_H
#define HEDDLE_BASE_INTERN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

#include <stdint.h>

typedef struct intern {
    arena strings;
    map by_hash; /* hash -> newest number with that hash; older ones through `next` */
    VEC(struct intern_entry {
        const char *string;
        uint32_t length;
        uint32_t next;
    })
    entries;
} intern;

#define INTERN_ABSENT UINT32_MAX

uint32_t intern_string(intern *table, const char *s);
uint32_t intern_bytes(intern *table, const char *s, size_t length);
uint32_t intern_find(const intern *table, const char *s); /* INTERN_ABSENT when it was never interned */
const char *intern_text(const intern *table, uint32_t number);
void intern_free(intern *table);

#endif
