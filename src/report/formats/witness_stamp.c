#include "report/formats/witness.h"

#include "base/sha256.h"

#include <stdio.h>
#include <sys/random.h>
#include <time.h>

static void set_random(char digits[33]) {
    unsigned char bytes[16] = {0};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) bytes[0] = (unsigned char)time(NULL);
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(digits + 2 * i, 3, "%02x", bytes[i]);
}

/* The same program, verdict and options of the machine have the same identifier. */
static void set_from_content(const report *r, char digits[33]) {
    text content = {0};
    text_format(&content, "%s %s", r->version, r->svcomp ? r->svcomp : "");
    for (size_t i = 0; i < r->file_count; i++) text_format(&content, " %s", r->files[i].sha256);
    for (size_t i = 0; r->trace && i < r->trace->steps.size; i++) {
        const trace_step *s = &r->trace->steps.data[i];
        text_format(&content, " %s:%u:%u", s->thread, s->from.line, s->from.column);
        for (size_t k = 0; k < s->inputs.size; k++) text_format(&content, "=%s", s->inputs.data[k].value);
    }
    char whole[SHA256_HEX];
    sha256_hex(text_cstr(&content), content.size, whole);
    memcpy(digits, whole, 32);
    digits[32] = 0;
    text_free(&content);
}

witness_stamp witness_make_stamp(const report *r, bool deterministic) {
    witness_stamp stamp;
    char d[33];
    time_t now = deterministic ? 0 : time(NULL);
    struct tm broken_down;
    if (deterministic)
        set_from_content(r, d);
    else
        set_random(d);
    d[12] = deterministic ? '8' : '4'; /* RFC 9562: version 8 is made as one likes, 4 is random */
    d[16] = "89ab"[(d[16] - '0') & 3];
    snprintf(stamp.uuid, sizeof stamp.uuid, "%.8s-%.4s-%.4s-%.4s-%.12s", d, d + 8, d + 12, d + 16, d + 20);
    gmtime_r(&now, &broken_down);
    strftime(stamp.time, sizeof stamp.time, "%Y-%m-%dT%H:%M:%SZ", &broken_down);
    return stamp;
}
