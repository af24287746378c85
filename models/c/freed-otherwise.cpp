// expect: safe --property memory
// expect: unsafe --property memory -DBUG=1
// expect: unsafe --property memory -DBUG=2
// expect: unsafe --property memory -DBUG=3
// expect: unsafe --property memory -DBUG=4
// expect: unsafe --property memory -DBUG=5
//
// Memory has to be freed as it was made: new[] with delete (BUG=1), new with delete[] (2), malloc with delete (3), new
// with free (4) and with realloc (5) are wrong. std::exception deletes itself in the library.

#include <cstdlib>
#include <exception>

#ifndef BUG
#define BUG 0
#endif

int main() {
    int *one = new int(1), *two = new int[2];
    int *three = static_cast<int *>(malloc(sizeof(int)));
    std::exception *thrown = new std::exception;
    delete thrown;
    if (BUG == 1) delete two;
    if (BUG == 2) delete[] one;
    if (BUG == 3) delete three;
    if (BUG == 4) free(one);
    if (BUG == 5) one = static_cast<int *>(realloc(one, 8));
    delete one;
    delete[] two;
    free(three);
}
