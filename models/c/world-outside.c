// expect: safe
// note: assumes: main has one argument, the name of the program (argc is 1)
// note: assumes: allocations do not fail
// note: assumes: creating a thread does not fail
// note: assumes: the environment is empty
//
// What the models take for granted is said where the program asks: nothing here is reached.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *run(void *argument) {
    return argument;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc > 1)
        assert(argv[1][0] != 'x');
    char *p = malloc(4);
    if (p == NULL)
        assert(0);
    free(p);
    if (pthread_create(&thread, NULL, run, NULL) != 0)
        assert(0);
    pthread_join(thread, NULL);
    if (getenv("MODE"))
        assert(0);
    return 0;
}
