// expect: unsafe
// expect: unsafe --cores 3
// expect: safe --cores 2
// expect: safe --cores 1
// expect: safe -DASKED
//
// As many slots are filled as there are cores; there is room for two.

#include <cassert>
#include <sys/sysinfo.h>
#include <thread>
#include <unistd.h>

int main() {
    int slot[2] = {0, 0};
    unsigned cores = std::thread::hardware_concurrency();
#ifdef ASKED
    assert(cores == std::thread::hardware_concurrency());
    assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && get_nprocs() == sysconf(_SC_NPROCESSORS_CONF));
    if (cores > 2) cores = 2;
#endif
    for (unsigned i = 0; i < cores; i++) slot[i] = 1;
    return slot[0];
}
