// Variables end where their block is left, and are other ones each time it is entered.
// expect: safe --property assert,memory
// expect: unsafe --property memory -DDANGLING
// expect: unsafe --property memory -DNEXT_ROUND
// expect: unsafe --property memory -DLENGTH
// expect: unsafe --property memory -DTHREAD
// expect: unsafe --property memory -DTHREAD --engine search
// expect: unsafe -DUNSET
// expect: unsafe -DUNSET -DPOINTED
// expect: unsafe -DTWICE
// expect: unsafe -DTWICE --engine cegar
#include <assert.h>
#include <pthread.h>

static int set(int *where, int value) {
    *where = value;
    return value;
}

static void *write_there(void *where) {
    *(int *)where = 7;
    return 0;
}

/* Each way out ends what the block holds, and only that. */
static int ways_out(int n) {
    int outer = 0, *kept = &outer;
    for (int round = 0; round < 4; round++) {
        int inner = set(&outer, round);
        int *p = &inner;
        if (n == round) break;
        if (*p == 1) continue;
        if (*p == 3) return *kept;
        switch (*p) {
        case 0: {
            int deep[2] = {4, 5};
            p = deep;
            if (*p != 4) goto out;
            break;
        }
        default: p = kept;
        }
    }
out:
    return *kept;
}

/* In C a jump back to a label of the same block leaves a variable as it is until its declaration. */
static void jump_back(void) {
    int rounds = 0, *p = &rounds;
again:
    assert(*p == rounds);
    int x = rounds + 1;
    p = &x;
    if (rounds++ < 2) goto again;
}

static void lengths(int n) {
    int *last = 0;
    for (int k = 1; k < n; k++) {
        int array[k];
        array[k - 1] = k;
#ifdef LENGTH
        if (last) assert(*last);
#endif
        last = &array[k - 1];
        assert(*last == k);
    }
}

int main(void) {
    int *p = 0;
    assert(ways_out(0) == 0 && ways_out(2) == 2 && ways_out(9) == 3);
    jump_back();
    lengths(3);
#ifdef DANGLING
    {
        int x = 1;
        p = &x;
    }
    return *p;
#endif
#ifdef NEXT_ROUND
    for (int i = 0; i < 2; i++) {
        int x = i;
        if (p) *p = 5;
        p = &x;
        set(p, 2);
    }
#endif
#ifdef UNSET
    for (int i = 0; i < 2; i++) {
        int x;
        if (i) assert(x == 5);
        x = 5;
#ifdef POINTED
        set(&x, 5);
#endif
    }
#endif
#ifdef TWICE
    int first = 0;
    for (int i = 0; i < 2; i++) { // two unset variables need not be equal
        int x[2];
        if (i) assert(x[1] == first);
        first = x[1];
    }
#endif
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        int there = 0;
        pthread_create(&t, 0, write_there, &there);
#ifdef THREAD
        if (i) break;
#endif
        pthread_join(t, 0);
        assert(there == 7);
    }
    return p != 0;
}
