// expect: safe
// expect: unsafe -DCASE=1
// expect: unsafe -DCASE=2
// expect: unsafe -DCASE=3
// expect: unsafe -DCASE=4
// expect: unsafe -DCASE=5
// expect: unsafe -DCASE=6
// expect: safe -DUNDECLARED
// expect: unsafe -DUNDECLARED -DCASE=1
//
// Functions that copy are not given memory that overlaps, except for memmove. Structures may be assigned to
// themselves.

#define _GNU_SOURCE
#ifndef UNDECLARED // compilers know these functions
#include <string.h>
#endif

struct text {
    char letters[8];
} text = {"abc"};

int __VERIFIER_nondet_int(void);

int main(void) {
    char *s = text.letters;
#ifndef CASE
    struct text *same = &text;
    *same = text;
    memcpy(s, s + 4, 4);
    memcpy(s, s, 0);
    memmove(s, s + 1, 4);
    strcpy(s, "ab");
    strcpy(s + 3, s);
#elif CASE == 1
    memcpy(s, s + 3, 4);
#elif CASE == 2
    memcpy(s, s, 1);
#elif CASE == 3
    mempcpy(s + 1, s, 2);
#elif CASE == 4
    strcpy(s, s + 1);
#elif CASE == 5
    strncat(s, s + 1, 2);
#elif CASE == 6
    int place = __VERIFIER_nondet_int();
    if (place >= 0 && place < 5)
        memcpy(s + 4, s + place, 2);
#endif
    return 0;
}
