// expect: safe
// expect: safe --property race
//
// Lamport's bakery for two threads: a customer draws a number one above all it sees, and waits for everyone
// who is still drawing or has a smaller number.

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 2

atomic_int choosing[N], number[N];
int inside;

static int largest_number(void) {
    int largest = 0;
    for (int i = 0; i < N; i++) {
        int n = number[i];
        if (n > largest)
            largest = n;
    }
    return largest;
}

static int goes_first(int other, int n, int me) {
    return n != 0 && (n < number[me] || (n == number[me] && other < me));
}

void *customer(void *argument) {
    int me = (int)(intptr_t)argument;
    choosing[me] = 1;
    number[me] = largest_number() + 1;
    choosing[me] = 0;
    for (int i = 0; i < N; i++) {
        if (i == me)
            continue;
        while (choosing[i]) {
        }
        while (goes_first(i, number[i], me)) {
        }
    }
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
    return 0;
}

int main(void) {
    pthread_t thread[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&thread[i], 0, customer, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], 0);
    return 0;
}
