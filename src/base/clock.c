#include "base/clock.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double clock_wall(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double clock_cpu(void) {
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) +
           seconds(children.ru_stime);
}

size_t memory_in_use(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    unsigned long total = 0, resident = 0;
    if (f) {
        if (fscanf(f, "%lu %lu", &total, &resident) != 2) resident = 0;
        fclose(f);
    }
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

void memory_give_back(void) {
    malloc_trim(0);
}

/* From /proc, because ru_maxrss starts with the peak of the process that launched this one. */
size_t memory_peak(void) {
    FILE *f = fopen("/proc/self/status", "r");
    char line[256];
    unsigned long kilobytes = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %lu kB", &kilobytes) == 1) break;
    if (f) fclose(f);
    return kilobytes * 1024;
}
