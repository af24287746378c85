// expect: safe
// expect: unsafe -DNUMBER
// expect: unsafe -DTEXT
// expect: unsafe -DSHORT
// expect: unsafe -DSHARED --property race
// expect: safe -DSTRING
//
// What memcmp and strcmp give has a sign, and nothing more, even if the compiler could compute it. memcmp reads all
// bytes (C17 7.24.4.1; address sanitizers agree), strncmp none behind a difference or an end.

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static char text[3] = "ab";

static void *write_last(void *unused) {
    text[1] = 'c';
    return unused;
}

int main(void) {
#if defined NUMBER
    assert(memcmp("c", "a", 1) == 1);
#elif defined TEXT
    assert(strcmp("a", "c") == -1);
#elif defined SHORT || defined STRING
    char *two = malloc(2);
    two[0] = 'x';
    two[1] = '\0';
#ifdef SHORT
    assert(memcmp(two, "abcd", 4) > 0);
#else
    assert(strncmp(two, "xbcd", 4) < 0);
#endif
    free(two);
#elif defined SHARED
    pthread_t writer;
    pthread_create(&writer, NULL, write_last, NULL);
    assert(memcmp(text, "xy", 2) < 0);
    pthread_join(writer, NULL);
#else
    assert(memcmp("c", "a", 1) > 0 && strcmp("a", "c") < 0 && !memcmp("ab", "ac", 1));
#endif
    return 0;
}
