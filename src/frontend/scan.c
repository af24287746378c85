#include "frontend/scan.h"

#include <string.h>

scan scan_begin(const char *source, size_t length, diagnostics *d) {
    return (scan){.source = source, .length = length, .at = {1, 1}, .d = d, .good = true};
}

bool scan_goes_on(scan *s) {
    if (s->next >= s->length || s->d->errors >= DIAG_MOST_ERRORS) return false;
    if (s->source[s->next]) return true;
    scan_report(s, s->at, "zero byte: this is not a text file");
    return false;
}

char scan_peek(const scan *s, size_t ahead) {
    return s->next + ahead < s->length ? s->source[s->next + ahead] : 0;
}

void scan_advance(scan *s, size_t count) {
    for (; count && s->next < s->length; count--, s->next++) {
        if (s->source[s->next] == '\n') {
            s->at.line++;
            s->at.column = 1;
        } else {
            s->at.column++;
        }
    }
}

void scan_skip_line(scan *s) {
    while (s->next < s->length && scan_peek(s, 0) != '\n') scan_advance(s, 1);
}

void scan_report(scan *s, position at, const char *problem) {
    diag_report(s->d, DIAG_ERROR, at, "%s", problem);
    s->good = false;
}

void scan_refuse(scan *s) {
    unsigned char byte = (unsigned char)scan_peek(s, 0);
    diag_report(s->d, DIAG_ERROR, s->at,
                byte > ' ' && byte < 127 ? "unexpected character '%c'" : "unexpected byte 0x%02x", byte);
    s->good = false;
    scan_advance(s, 1);
    while ((unsigned char)scan_peek(s, 0) >= 128)
        scan_advance(s, 1); /* the rest of a multi-byte character is not a second error */
}

const spelling *scan_find(const scan *s, const spelling *list, size_t count) {
    for (size_t k = 0; k < count; k++)
        if (list[k].length <= s->length - s->next &&
            !memcmp(list[k].text, s->source + s->next, list[k].length))
            return &list[k];
    return NULL;
}

const spelling *scan_find_word(const scan *s, const spelling *list, size_t count, size_t length) {
    for (size_t k = 0; k < count; k++)
        if (list[k].length == length && !memcmp(list[k].text, s->source + s->next, length)) return &list[k];
    return NULL;
}
