// expect: unsafe
// expect: safe -DANY_ORDER
// expect: safe -DSAME
// expect: unsafe -DPOINTERS
// expect: unsafe -DSEARCH
// expect: safe -DSEARCH -DANY_ORDER
//
// qsort may leave elements that compare equal in any order, and bsearch may find any of them. Nobody chooses
// as long as nobody looks: there are 10! orders of ten elements.

#include <assert.h>
#include <stdlib.h>

struct entry {
    int key, number;
} entries[10];

int compare(const void *a, const void *b) {
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

int compare_pointed(const void *a, const void *b) {
    return **(int *const *)a - **(int *const *)b;
}

int main(void) {
    for (int i = 0; i < 10; i++) {
        entries[i].key = i < 5;
#ifndef SAME
        entries[i].number = i;
#endif
    }
#ifdef POINTERS
    int x = 1, y = 0, z = 1, *all[3] = {&x, &y, &z};
    qsort(all, 3, sizeof *all, compare_pointed);
    assert(all[0] == &y);
    assert(all[1] == &x);
#elif defined SEARCH
    int sorted[4] = {1, 2, 2, 3}, key = 2;
    int *found = bsearch(&key, sorted, 4, sizeof *sorted, compare);
#ifdef ANY_ORDER
    assert(*found == 2);
#else
    assert(found == sorted + 1);
#endif
#else
    qsort(entries, 10, sizeof *entries, compare);
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        assert(entries[i].key == (i >= 5));
#if defined SAME
        assert(entries[i].number == 0);
#elif !defined ANY_ORDER
        if (i == 9)
            assert(entries[i].number == 4); // what a stable sort would give
#endif
    }
#endif
    return 0;
}
