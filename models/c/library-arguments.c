// expect: unsafe -DCASE=1
// expect: unsafe -DCASE=2
// expect: unsafe -DCASE=3
// expect: unsafe -DCASE=4
// expect: unsafe -DCASE=5
// expect: unsafe -DCASE=6
// expect: unsafe -DCASE=7
// expect: unsafe -DCASE=8
// expect: safe -DCASE=9
// expect: unsafe -DCASE=10
// expect: unsafe -DCASE=11
//
// What library functions say of arguments that are wrong, and what they read and write.

#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(void) {
#if CASE == 1 // the name of a variable is read
    char *volatile name = NULL;
    return getenv(name) != NULL;
#elif CASE == 2 // an alignment is a power of two
    void *p = NULL;
    assert(posix_memalign(&p, 24, 8) == 0);
#elif CASE == 3 // a second has 1,000,000,000 nanoseconds
    struct timespec time = {0, 1000000000};
    assert(nanosleep(&time, NULL) == 0);
#elif CASE == 4 // there is no such signal
    assert(signal(100, SIG_IGN) != SIG_ERR);
#elif CASE == 5 // digits are 0 to 9 and a to z
    errno = 0;
    (void)strtol("7", NULL, 37);
    assert(errno == 0);
#elif CASE == 6 // what is usable may be more than was asked for
    void *p = malloc(10);
    assert(malloc_usable_size(p) == 10);
    free(p);
#elif CASE == 7 // "Operation not permitted" has more letters
    char text[8];
    strcpy(text, strerror(EPERM));
#elif CASE == 8 // comparisons promise a sign
    char a[] = "a", b[] = "b";
    assert(memcmp(b, a, 1) == 1);
#elif CASE == 9 // signal gives the action that was there
    signal(SIGTERM, SIG_IGN);
    assert(signal(SIGTERM, SIG_DFL) == SIG_IGN);
    char a[] = "a", b[] = "b";
    assert(memcmp(b, a, 1) > 0 && strcmp(a, b) < 0);
#elif CASE == 10 // neither a character nor EOF
    volatile int c = 1000;
    return (isalpha)(c);
#elif CASE == 11 // the time that is asked for is read
    struct timespec *volatile time = NULL;
    return nanosleep(time, NULL);
#endif
    return 0;
}
