/* Components by union-find over the conjuncts: each symbol remembers a conjunct that contains it. */
#include "solver/query.h"

static size_t root_of(conjunct_list *list, size_t i) {
    while (list->data[i].component != i) {
        size_t above = list->data[list->data[i].component].component;
        list->data[i].component = above;
        i = above;
    }
    return i;
}

/* The smaller index becomes the root, so roots are first members. */
static void unite(conjunct_list *list, size_t a, size_t b) {
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
    return count;
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
    return number_components(list);
}
