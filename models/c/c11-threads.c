// expect: safe
// expect: safe --property race
// expect: safe --property deadlock
//
// C11 threads: a mailbox for one number with mtx_t and cnd_t, call_once, and the result of thrd_join.

#include <assert.h>
#include <threads.h>

mtx_t lock;
cnd_t filled;
once_flag once = ONCE_FLAG_INIT;
int mail;

static void prepare(void) {
    mtx_init(&lock, mtx_plain);
    cnd_init(&filled);
}

int receive(void *argument) {
    (void)argument;
    call_once(&once, prepare);
    mtx_lock(&lock);
    while (mail == 0)
        cnd_wait(&filled, &lock);
    int received = mail;
    mtx_unlock(&lock);
    return received + 1;
}

int main(void) {
    thrd_t thread;
    int result = 0;
    call_once(&once, prepare);
    assert(thrd_create(&thread, receive, 0) == thrd_success);
    mtx_lock(&lock);
    mail = 41;
    cnd_signal(&filled);
    mtx_unlock(&lock);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == 42);
    return 0;
}
