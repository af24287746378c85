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
    /* 1: virtual, 2: public; above bit 8 the offset, of a virtual base that of its offset in
     * the virtual table. */
    long flags;
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
    int is_public;      /* a public base of the whole object */
    int public_inside;  /* a public base of `inside` */
};

struct found { /* parts of the wanted type, each once although several ways lead to a virtual base */
    const char *at[MOST_FOUND];
    int is_public[MOST_FOUND];
    unsigned count;
};

static void add_found(struct found *f, const char *at, int is_public) {
    unsigned k = 0;
    while (k < f->count && f->at[k] != at) k++;
    if (k == MOST_FOUND) __heddle_unsupported("dynamic_cast in a class with very many bases");
    if (k == f->count) {
        f->at[f->count++] = at;
        f->is_public[k] = 0;
    }
    f->is_public[k] |= is_public;
}

static ptrdiff_t base_offset(const struct part *p, long flags) {
    ptrdiff_t offset = flags >> 8;
    if (!(flags & VIRTUAL)) return offset;
    const char *table = *(const char *const *)p->at;
    return *(const ptrdiff_t *)(table + offset);
}

static void push_base(struct part *open, unsigned *count, const struct part *p, const struct class_type *type,
                      ptrdiff_t offset, int is_public) {
    if (*count == MOST_PARTS) __heddle_unsupported("dynamic_cast in a class with very many bases");
    open[(*count)++] = (struct part){p->at + offset, type, p->inside, p->is_public && is_public,
                                     p->public_inside && is_public};
}

/* As [expr.dynamic.cast] says: to the one object of the wanted class that the given part is a public base of;
 * else, from a public base of the whole object, to its one base of that class if that is public. */
void *__dynamic_cast(const void *from, const struct class_type *source, const struct class_type *wanted,
                     ptrdiff_t hint) {
    const char *table = *(const char *const *)from;
    const char *whole = (const char *)from + *(const ptrdiff_t *)(table - 2 * sizeof(void *));
    const struct class_type *type = *(const struct class_type *const *)(table - sizeof(void *));
    struct part open[MOST_PARTS];
    struct found all, around; /* around: those that the given part is a base of */
    unsigned count = 0;
    int given_is_public = 0;
    (void)hint;
    all.count = around.count = 0;
    open[count++] = (struct part){whole, type, NULL, 1, 0};
    while (count) {
        struct part p = open[--count];
        if (p.type == wanted) {
            add_found(&all, p.at, p.is_public);
            p.inside = p.at;
            p.public_inside = 1;
        }
        if (p.type == source && p.at == from) {
            given_is_public |= p.is_public;
            if (p.inside) add_found(&around, p.inside, p.public_inside);
        }
        if (p.type->vptr == single_table + 2) {
            push_base(open, &count, &p, ((const struct single_type *)p.type)->base, 0, 1);
        } else if (p.type->vptr == multiple_table + 2) {
            const struct multiple_type *m = (const struct multiple_type *)p.type;
            for (unsigned k = 0; k < m->count; k++)
                push_base(open, &count, &p, m->base[k].type, base_offset(&p, m->base[k].flags),
                          (m->base[k].flags & PUBLIC) != 0);
        }
    }
    if (around.count == 1 && around.is_public[0]) return (void *)around.at[0];
    return given_is_public && all.count == 1 && all.is_public[0] ? (void *)all.at[0] : NULL;
}
