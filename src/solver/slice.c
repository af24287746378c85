/* Components by union-find over the conjuncts: each symbol remembers a conjunct that contains it. */
#include "base/invariant.h"
#include "solver/query.h"

static size_t root_of(conjunct_list *list, size_t i) {
    while (list->data[i].component != i) {
        assert(list->data[i].component < i); /* roots are first members */
        size_t above = list->data[list->data[i].component].component;
        list->data[i].component = above;
        i = above;
    }
    return i;
}

/* The smaller index becomes the root, so roots are first members. */
static void unite(conjunct_list *list, size_t a, size_t b) {
    assert(a < list->size && b < list->size);
    a = root_of(list, a);
    b = root_of(list, b);
    if (a < b)
        list->data[b].component = a;
    else
        list->data[a].component = b;
}

static size_t number_components(conjunct_list *list) {
    size_t count = 0;
    for (size_t i = 0; i < list->size; i++) list->data[i].component = root_of(list, i);
    for (size_t i = 0; i < list->size; i++) {
        size_t root = list->data[i].component;
        list->data[i].component = root == i ? count++ : list->data[root].component;
    }
    assert(count <= list->size && (count || !list->size));
    return count;
}

/* Conjuncts of different components share no symbol: each can be decided without the others. */
FOR_ASSERTIONS static bool are_apart(const conjunct_list *list) {
    for (size_t i = 0; i < list->size; i++)
        for (size_t k = 0; k < i; k++) {
            const term_support *a = list->data[i].t->support, *b = list->data[k].t->support;
            if (list->data[i].component == list->data[k].component) continue;
            for (size_t x = 0; x < a->size; x++)
                for (size_t y = 0; y < b->size; y++)
                    if (a->symbol[x] == b->symbol[y]) return false;
        }
    return true;
}

size_t slice_components(conjunct_list *list, marks *scratch, bool slicing) {
    for (size_t i = 0; i < list->size; i++) list->data[i].component = slicing ? i : 0;
    if (!slicing) return list->size > 0;
    marks_forget(scratch);
    for (size_t i = 0; i < list->size; i++) {
        const term_support *symbols = list->data[i].t->support;
        for (size_t k = 0; k < symbols->size; k++) {
            uint32_t other;
            if (marks_get(scratch, symbols->symbol[k], &other))
                unite(list, i, other);
            else
                marks_put(scratch, symbols->symbol[k], (uint32_t)i);
        }
    }
    size_t components = number_components(list);
    slow_assert(are_apart(list));
    return components;
}
