#include "report/trace/sim_time.h"

enum { THOUSAND = 1000 };

void sim_time_print(uint64_t time, uint64_t resolution, text *out) {
    static const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
    enum { SECOND = sizeof units / sizeof *units - 1 };
    unsigned unit = 0;
    for (; resolution >= THOUSAND && unit < SECOND; unit++) resolution /= THOUSAND;
    if (!resolution) {
        text_format(out, "%llu", (unsigned long long)time);
        return;
    }
    if (!time) unit = SECOND;
    /* now one of `time` is 1, 10 or 100 of the unit; the zeros are written, as a product may not fit */
    uint64_t to_next = THOUSAND / (resolution < THOUSAND ? resolution : 1);
    while (time && unit < SECOND && time % to_next == 0) {
        time /= to_next;
        to_next = THOUSAND;
        resolution = 1;
        unit++;
    }
    text_format(out, "%llu", (unsigned long long)time);
    for (; time && resolution >= 10; resolution /= 10) text_char(out, '0');
    text_format(out, " %s", units[unit]);
}
