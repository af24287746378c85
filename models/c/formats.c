// expect: safe
// expect: unsafe -DCASE=1
// expect: unsafe -DCASE=2
// expect: unsafe -DCASE=3
// expect: unsafe -DCASE=4 --property race
// expect: unsafe -DCASE=5
// expect: unsafe -DCASE=6
// expect: unknown -DCASE=7
// expect: unsafe -DCASE=8
//
// printf reads what its format says, also if the format is made when the program runs or the arguments come as
// a va_list; %n writes.

#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char shared[2] = "a";

void report(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}

void *write_shared(void *unused) {
    shared[0] = 'b';
    return unused;
}

int main(void) {
    char text[3] = "ab", *gone = malloc(1);
    int count = 7;
    *gone = 0;
    free(gone);
#ifndef CASE
    char format[] = "%d %5.1f %c%% %s %.*s\n";
    printf(format, 1, 2.0, 'c', text, 1, text + 1);
    report("%s %ld\n", text, 3L);
    char counted[] = "ab%s%c%n";
    printf(counted, text, 'c', &count);
    assert(count == 5);
    int c = putchar('x');
    assert(c == 'x' || c == EOF);
#elif CASE == 1
    char format[] = "ab%n";
    printf(format, &count);
    assert(count == 7);
#elif CASE == 2
    char format[] = "%s";
    printf(format, gone);
#elif CASE == 3
    report("%d %s", 1, gone);
#elif CASE == 4
    pthread_t thread;
    char format[] = "%s";
    pthread_create(&thread, NULL, write_shared, NULL);
    printf(format, shared);
    pthread_join(thread, NULL);
#elif CASE == 5
    char format[] = "%d %d"; // one argument is missing
    printf(format, 1);
#elif CASE == 6
    printf("%d%n", 1, (int *)NULL);
#elif CASE == 7
    printf("%2$d %1$d", 1, 2);
#elif CASE == 8
    text[2] = 'c'; // no end
    char format[] = "%s";
    printf(format, text);
#endif
    return 0;
}
