// expect: safe --property assert
//
// A loop of a million turns, and what is known behind it.
#include <assert.h>

int main(void) {
    unsigned i = 0;
    while (i < 1000000) i++;
    assert(i == 1000000);
    return 0;
}
