#include "api/output.h"

#include "base/memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) return mem_copy_string(".");
    size_t length = slash == path ? 1 : (size_t)(slash - path);
    char *folder = mem_duplicate(path, length + 1);
    folder[length] = 0;
    return folder;
}

const char *output_check(const char *path) {
    struct stat info;
    if (!stat(path, &info)) {
        if (S_ISDIR(info.st_mode)) return strerror(EISDIR);
        return access(path, W_OK) ? strerror(errno) : NULL;
    }
    char *folder = folder_of(path);
    const char *error = access(folder, W_OK | X_OK) ? strerror(errno) : NULL;
    mem_free(folder);
    return error;
}

const char *output_write_bytes(const char *path, const char *content, size_t length) {
    FILE *f = fopen(path, "w");
    if (!f) return strerror(errno);
    bool good = fwrite(content, 1, length, f) == length;
    good &= !fclose(f);
    return good ? NULL : strerror(errno);
}

const char *output_write(const char *path, const char *content) {
    return output_write_bytes(path, content, strlen(content));
}
