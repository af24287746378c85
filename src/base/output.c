#include "base/output.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Neither exists yet: the same name in the same folder. */
static bool will_be_same(const char *path, const char *other) {
    const char *slash = strrchr(path, '/'), *other_slash = strrchr(other, '/');
    if (strcmp(slash ? slash + 1 : path, other_slash ? other_slash + 1 : other)) return false;
    char *folder = folder_of(path), *other_folder = folder_of(other);
    struct stat info, other_info;
    bool same = !stat(folder, &info) && !stat(other_folder, &other_info) &&
                info.st_dev == other_info.st_dev && info.st_ino == other_info.st_ino;
    mem_free(folder);
    mem_free(other_folder);
    return same;
}

bool output_is_same(const char *path, const char *other) {
    struct stat info, other_info;
    bool exists = !stat(path, &info), other_exists = !stat(other, &other_info);
    if (exists != other_exists) return false;
    if (!exists) return will_be_same(path, other);
    return S_ISREG(info.st_mode) && info.st_dev == other_info.st_dev && info.st_ino == other_info.st_ino;
}

static bool write_all(int file, const char *content, size_t length) {
    while (length) {
        ssize_t written = write(file, content, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content += written;
        length -= (size_t)written;
    }
    return true;
}

/* Errors of slow devices may come as late as this. */
static bool write_and_close(int file, const char *content, size_t length, bool to_disk) {
    bool good = write_all(file, content, length) && (!to_disk || !fsync(file));
    int error = errno;
    if (close(file) && good) return false;
    errno = error;
    return good;
}

/* Pipes, terminals and other devices have no content to keep. */
static const char *write_in_place(const char *path, const char *content, size_t length) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || !write_and_close(file, content, length, false)) return strerror(errno);
    return NULL;
}

/* What a file made by open() would get. */
static mode_t usual_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static const char *replace_file(const char *path, mode_t mode, const char *content, size_t length) {
    text beside = {0};
    text_format(&beside, "%s.XXXXXX", path);
    char *name = mem_copy_string(text_cstr(&beside));
    text_free(&beside);
    const char *error = NULL;
    int file = mkstemp(name);
    if (file < 0) {
        error = strerror(errno);
    } else if (!write_and_close(file, content, length, true) || chmod(name, mode) || rename(name, path)) {
        error = strerror(errno);
        unlink(name);
    }
    mem_free(name);
    return error;
}

const char *output_write_bytes(const char *path, const char *content, size_t length) {
    char *real = realpath(path, NULL); /* a link stays a link; NULL: there is no such file yet */
    struct stat info;
    bool exists = real && !stat(real, &info);
    const char *error = exists && !S_ISREG(info.st_mode)
                            ? write_in_place(path, content, length)
                            : replace_file(exists ? real : path, exists ? info.st_mode & 07777 : usual_mode(),
                                           content, length);
    free(real);
    return error;
}

const char *output_write(const char *path, const char *content) {
    return output_write_bytes(path, content, strlen(content));
}
