// expect: safe --property assert,memory,race,leak --memory-model sc
// expect: unsafe --property race --memory-model sc -DRACE
// expect: unknown --property race
//
// The copies of a shared pointer are counted atomically, and who drops the last one deletes the object, once. The
// pointer itself is no atomic object: with RACE one thread replaces it while another one copies it. Counters
// are read and increased with weaker orders, which decide what happens before what; that nothing else comes of weaker
// orders is not proved without --memory-model sc.

#include <cassert>
#include <memory>
#include <thread>

struct counted {
    int *ends;
    ~counted() {
        ++*ends;
    }
};

int main() {
    int ends = 0;
    auto first = std::make_shared<counted>();
    first->ends = &ends;
    std::weak_ptr<counted> seen = first;
#ifdef RACE
    std::thread other([&first] { auto copy = first; });
#else
    std::thread other([first] { auto copy = first; });
#endif
    first.reset();
    other.join();
    assert(ends == 1 && seen.expired());
}
