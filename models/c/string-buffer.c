// expect: safe
// expect: safe --property race
// expect: unsafe -DUNLOCKED
//
// Two threads append words to a common text. The lock keeps the words whole and in the buffer.

#include <assert.h>
#include <pthread.h>
#include <string.h>

char text[8];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *append(void *argument) {
    const char *word = argument;
#ifndef UNLOCKED
    pthread_mutex_lock(&lock);
#endif
    if (strlen(text) + strlen(word) < sizeof text)
        strcat(text, word);
#ifndef UNLOCKED
    pthread_mutex_unlock(&lock);
#endif
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, append, "ab");
    pthread_create(&b, 0, append, "xy");
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(strcmp(text, "abxy") == 0 || strcmp(text, "xyab") == 0);
    return 0;
}
