// Whether a new block may lie where a freed one was depends on which thread came first.
// expect: unsafe
// expect: unsafe --engine search
// expect: unsafe --engine search --por none
// expect: unsafe --engine dpor
// expect: unsafe --engine dpor --por source
// expect: unsafe --engine lazypor
// expect: unsafe --engine cegar
// expect: unsafe --engine esst
// expect: unsafe --jobs 1
// expect: unsafe -DUNSHARED
// expect: unsafe -DSEEN_LATER
// expect: unsafe -DSEEN_LATER --engine search
// expect: safe -DAFTERWARDS
// expect: safe -DAFTERWARDS --engine search
// expect: safe -DAFTERWARDS --engine dpor
// expect: safe -DAFTERWARDS --engine cegar
// expect: unsafe -DGROWN
// expect: unsafe -DMOVED
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int *old;
_Atomic(int *) newer;
atomic_int made;

static void *frees(void *argument) {
#ifdef SEEN_LATER // nobody else ever has a pointer to what this thread frees
    int *own = malloc(sizeof *own), *kept = own;
    free(own);
    int *other = newer;
    assert(!other || other != kept);
#else
    if (made) free(old);
#endif
    return argument;
}

int main(void) {
    pthread_t t;
    old = malloc(sizeof *old);
    int *kept = old;
    pthread_create(&t, NULL, frees, NULL);
#ifndef AFTERWARDS
    made = 1; // the other one may free now, before the next line
#endif
    int *block = malloc(sizeof *block);
    made = 1;
#ifdef SEEN_LATER
    newer = block;
#elif defined UNSHARED // compared when all is over
    pthread_join(t, NULL);
    assert(block != kept);
    return 0;
#elif defined GROWN // realloc may leave a block where it is, and may move it
    int *before = block;
    assert(realloc(block, 8) != before);
#elif defined MOVED
    int *before = block;
    assert(realloc(block, 8) == before);
#else
    assert(block != kept);
#endif
    pthread_join(t, NULL);
    return 0;
}
