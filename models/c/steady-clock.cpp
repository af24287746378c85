// expect: safe
// expect: unsafe -DBUG
//
// A steady clock never goes back, but it may stand still, which BUG does not expect.

#include <cassert>
#include <chrono>

int main() {
    auto begin = std::chrono::steady_clock::now();
    auto end = std::chrono::steady_clock::now();
#ifdef BUG
    assert(end > begin);
#else
    assert(end >= begin);
#endif
}
