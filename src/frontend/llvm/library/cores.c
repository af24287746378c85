/* How many processors the computer has: any number, if --cores does not say it. */
#include "models.h"

enum { MOST_TRIED_FIRST = 8 };
enum { PROCESSORS_CONFIGURED = 83, PROCESSORS_ONLINE = 84 }; /* of sysconf */

/* Small numbers are ways of their own, and come first: programs start as many threads. 0: nobody knows. */
static unsigned draw(void) {
    unsigned drawn = __heddle_input_32("cores");
    for (unsigned k = 1; k <= MOST_TRIED_FIRST; k++)
        if (drawn == k) return k;
    __heddle_assume(drawn <= 0x7fffffff);
    return drawn;
}

/* What was found stays. */
static unsigned find_number(void) {
    static unsigned known, number;
    if (__heddle_cores) return __heddle_cores;
    __heddle_atomic_begin();
    if (!known) number = draw();
    known = 1;
    unsigned found = number;
    __heddle_atomic_end();
    return found;
}

unsigned _ZNSt6thread20hardware_concurrencyEv(void) {
    return find_number();
}

int get_nprocs(void) {
    unsigned found = find_number();
    return found ? (int)found : 1;
}

int get_nprocs_conf(void) {
    return get_nprocs();
}

long sysconf(int name) {
    if (name != PROCESSORS_CONFIGURED && name != PROCESSORS_ONLINE)
        __heddle_unsupported("call of `sysconf` for anything but the number of processors");
    return get_nprocs();
}
