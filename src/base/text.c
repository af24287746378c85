#include "base/text.h"

#include "base/invariant.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static void make_room(text *t, size_t extra) {
    size_t wanted = t->size + extra + 1;
    if (wanted <= t->capacity) return;
    t->capacity = 2 * t->capacity > wanted ? 2 * t->capacity : wanted;
    t->data = mem_grow(t->data, t->capacity);
}

void text_add_bytes(text *t, const char *s, size_t length) {
    make_room(t, length);
    assert(t->size + length < t->capacity);
    memcpy(t->data + t->size, s, length);
    t->size += length;
    t->data[t->size] = 0;
}

void text_add(text *t, const char *s) {
    text_add_bytes(t, s, strlen(s));
}

void text_char(text *t, char c) {
    text_add_bytes(t, &c, 1);
}

void text_vformat(text *t, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length > 0) {
        make_room(t, (size_t)length);
        vsnprintf(t->data + t->size, (size_t)length + 1, format, again);
        t->size += (size_t)length;
    }
    va_end(again);
}

void text_format(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_vformat(t, format, args);
    va_end(args);
}

void text_shorten(text *t, size_t size) {
    assert(size <= t->size);
    t->size = size;
    if (t->data) t->data[size] = 0;
}

const char *text_cstr(const text *t) {
    assert(!t->size || !t->data[t->size]);
    return t->size ? t->data : "";
}

void text_free(text *t) {
    mem_free(t->data);
    *t = (text){0};
}

bool name_has_ending(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && !strcmp(name + length - tail, ending);
}
