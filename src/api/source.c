#include "api/source.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_SOURCE = 256 << 20 }; /* a bigger one is surely not a program; reading /dev/zero must end */

file_kind file_kind_of(const char *name) {
    static const struct {
        const char *ending;
        file_kind kind;
    } endings[] = {
        {".yml", FILE_TASK}, {".yaml", FILE_TASK}, {".prp", FILE_PROPERTIES}, {".json", FILE_CERTIFICATE}};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (name_has_ending(name, endings[i].ending)) return endings[i].kind;
    return FILE_PROGRAM;
}

source source_copy(const char *name, const char *text, size_t length) {
    source s = {.name = mem_copy_string(name), .length = length};
    s.text = mem_alloc(length + 1);
    if (length) memcpy(s.text, text, length);
    s.text[length] = 0;
    sha256_hex(s.text, length, s.sha256);
    return s;
}

static const char *read_all(FILE *f, text *out) {
    char chunk[1 << 16];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, f)) > 0) {
        text_add_bytes(out, chunk, got);
        if (out->size > LARGEST_SOURCE) return "larger than 256 MB";
    }
    return ferror(f) ? strerror(errno) : NULL;
}

source source_read(const char *path) {
    text content = {0};
    struct stat info;
    const char *error = NULL;
    FILE *f = fopen(path, "rb");
    if (!f)
        error = strerror(errno);
    else if (!fstat(fileno(f), &info) && S_ISDIR(info.st_mode))
        error = strerror(EISDIR);
    else
        error = read_all(f, &content);
    if (f) fclose(f);
    source s = source_copy(path, text_cstr(&content), error ? 0 : content.size);
    s.on_disk = true;
    if (error) s.error = mem_copy_string(error);
    text_free(&content);
    return s;
}

void source_free(source *s) {
    mem_free(s->name);
    mem_free(s->text);
    mem_free(s->error);
}
