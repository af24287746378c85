#include "machine/reason.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *words, *advice;
} table[REASON_KINDS] = {
#define REASON(number, words, advice) [REASON_##number] = {words, advice},
#include "machine/reasons.def"
#undef REASON
};

const char *reason_words(reason r) {
    return r.words ? r.words : table[r.kind].words;
}

const char *reason_advice(reason_kind kind) {
    return table[kind].advice;
}

bool reason_is_same(reason a, reason b) {
    return a.kind == b.kind && (a.words == b.words || (a.words && b.words && !strcmp(a.words, b.words)));
}
