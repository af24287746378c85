// expect: safe
// expect: unsafe --property race
//
// A library function that only copies for its caller races as the caller's own loop would.

#include <pthread.h>
#include <string.h>

static char name[8];

static void *rename_it(void *unused) {
    strcpy(name, "new");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
    char seen = name[0];
    pthread_join(t, NULL);
    return seen == 'n' ? 0 : 1;
}
