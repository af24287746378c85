// expect: safe
// expect: unsafe --property race
// expect: unsafe --property race -DPUTS
// expect: safe --property race -DNUMBER
// expect: unsafe --property memory -DUNTERMINATED
//
// Printing a text reads it.

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[4] = "old";

static void *rename_it(void *unused) {
    memcpy(name, "new", 3);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
#ifdef PUTS
    puts(name);
#elif defined NUMBER
    printf("%p %.0s %d\n", (void *)name, name, 4);
#elif defined UNTERMINATED
    char copy[3] = {'o', 'l', 'd'};
    printf("%.3s", copy);
    printf("%s", copy);
#else
    printf("%d %s\n", 1, name);
#endif
    pthread_join(t, NULL);
}
