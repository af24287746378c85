// expect: safe
// expect: unsafe -DBLOCK
// expect: unsafe -DBRANCH
// expect: unsafe -DROUND
// expect: unsafe -DSCALAR
// expect: unsafe -DJUMP
//
// A compound literal ends with the block that it stands in (C17 6.5.2.5), or lives as long as the function.

#include <assert.h>
#include <stddef.h>

struct pair {
    int first, second;
};

static int sum(const struct pair *p) {
    return p->first + p->second;
}

static int used_within_its_block(int n) {
    int total = 0;
    struct pair *whole = &(struct pair){n, 1};
    for (int k = 0; k < 3; k++) {
        struct pair *p = &(struct pair){k, n};
        int *numbers = (int[]){1, 2, k};
        if (k == 1 && n) {
            int inner = sum(p) + numbers[2];
            total += inner;
        } else {
            total += sum(&(struct pair){k, k});
        }
        switch (k) {
        case 0: {
            const int *q = (const int[]){7, 8};
            total += q[1];
            break;
        }
        default: total += numbers[0];
        }
        if (k == 2) continue;
        total += p->first + whole->first;
    }
    return total + whole->second;
}

int main(void) {
    int *p = NULL, rounds = 0, read = 0;
#if defined BLOCK
    {
        p = (int[]){1, 2};
    }
    read = p[0];
#elif defined BRANCH
    if (!p) {
        p = (int[]){1, 2};
        rounds++;
    }
    read = p[1];
#elif defined ROUND
    while (rounds++ < 2) {
        if (p) read = *p;
        p = (int[]){1, 2};
    }
#elif defined SCALAR
    {
        p = &(int){5};
    }
    *p = 6;
#elif defined JUMP
    {
        p = (int[]){1, 2};
        if (p[0]) goto out;
        p = NULL;
    }
out:
    read = p[1];
#else
    /* k = 0: 0 + 8 + 0 + 4, 1: 1 + 4 + 1 + 1 + 1 + 4, 2: 4 + 1 */
    assert(used_within_its_block(4) == 12 + 12 + 5 + 1);
#endif
    return read + rounds > 100;
}
