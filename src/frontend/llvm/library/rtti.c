/* dynamic_cast, on the type information that the C++ ABI lays down (Itanium ABI, 2.9.5 and 2.9.7). */
#include "models.h"

typedef __PTRDIFF_TYPE__ ptrdiff_t;

struct class_type { /* of a class without bases */
    const void *const *vptr;
    const char *name;
};

struct single_type { /* one public base at offset 0 */
    struct class_type head;
    const struct class_type *base;
};

struct base_class {
    const struct class_type *type;
    long flags; /* 1: virtual, 2: public; above bit 8 the offset, of a virtual base that of its offset in the
                   virtual table */
};

struct multiple_type {
    struct class_type head;
    unsigned flags, count;
    struct base_class base[];
};

/* Tables of the run-time library, of which only the addresses matter. */
extern const void *const single_table[] __asm__("_ZTVN10__cxxabiv120__si_class_type_infoE");
extern const void *const multiple_table[] __asm__("_ZTVN10__cxxabiv121__vmi_class_type_infoE");

enum { MOST_PARTS = 256, MOST_FOUND = 16, VIRTUAL = 1, PUBLIC = 2 };

struct part { /* a class inside the whole object */
    const char *at;
    const struct class_type *type;
    const char *inside; /* the part of the wanted type that it is a base of; NULL: none */
};

static ptrdiff_t base_offset(const struct part *p, long flags) {
    ptrdiff_t offset = flags >> 8;
    if (!(flags & VIRTUAL)) return offset;
    const char *table = *(const char *const *)p->at;
    return *(const ptrdiff_t *)(table + offset);
}

void *__dynamic_cast(const void *from, const struct class_type *source, const struct class_type *wanted,
                     ptrdiff_t hint) {
    const char *table = *(const char *const *)from;
    const char *whole = (const char *)from + *(const ptrdiff_t *)(table - 2 * sizeof(void *));
    const struct class_type *type = *(const struct class_type *const *)(table - sizeof(void *));
    struct part open[MOST_PARTS];
    const char *found[MOST_FOUND];
    unsigned count = 0, results = 0;
    const char *around = NULL; /* the one that the given part is a base of */
    int ambiguous = 0;
    (void)hint;
    open[count++] = (struct part){whole, type, NULL};
    while (count) {
        struct part p = open[--count];
        if (p.type == wanted) {
            unsigned k = 0;
            while (k < results && found[k] != p.at) k++;
            if (k == MOST_FOUND) __heddle_unsupported("dynamic_cast in a class with very many bases");
            if (k == results) found[results++] = p.at;
            p.inside = p.at;
        }
        if (p.type == source && p.at == from && p.inside) {
            ambiguous |= around && around != p.inside;
            around = p.inside;
        }
        if (p.type->vptr == single_table + 2) {
            open[count++] = (struct part){p.at, ((const struct single_type *)p.type)->base, p.inside};
        } else if (p.type->vptr == multiple_table + 2) {
            const struct multiple_type *m = (const struct multiple_type *)p.type;
            for (unsigned k = 0; k < m->count; k++) {
                if (!(m->base[k].flags & PUBLIC)) continue;
                if (count == MOST_PARTS) __heddle_unsupported("dynamic_cast in a class with very many bases");
                open[count++] =
                    (struct part){p.at + base_offset(&p, m->base[k].flags), m->base[k].type, p.inside};
            }
        }
    }
    if (around) return ambiguous ? NULL : (void *)around;
    return results == 1 ? (void *)found[0] : NULL;
}
