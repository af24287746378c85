#include "frontend/llvm/compile.h"

#include "frontend/llvm/module.h"
#include "frontend/llvm/precompiled.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define CLANG "clang-19"

enum { MOST_MESSAGE = 8000 }; /* bytes of clang's messages that are shown */

typedef VEC(const char *) words;

typedef enum { LANGUAGE_C, LANGUAGE_CPP, LANGUAGE_LLVM } language;

typedef struct ending {
    const char *text;
    language is;
    const char *preprocessed; /* clang's name of the language if there is nothing left to preprocess */
} ending;

#define ENDINGS(E)                                                                                           \
    E(".c", LANGUAGE_C, NULL)                                                                                \
    E(".i", LANGUAGE_C, "cpp-output")                                                                        \
    E(".cpp", LANGUAGE_CPP, NULL)                                                                            \
    E(".cc", LANGUAGE_CPP, NULL)                                                                             \
    E(".cxx", LANGUAGE_CPP, NULL)                                                                            \
    E(".ii", LANGUAGE_CPP, "c++-cpp-output")                                                                 \
    E(".bc", LANGUAGE_LLVM, NULL)                                                                            \
    E(".ll", LANGUAGE_LLVM, NULL)

#define ROW(text, is, preprocessed) {text, is, preprocessed},
static const ending endings[] = {ENDINGS(ROW)};
#define NAME(text, is, preprocessed) text,
const char *const llvm_endings[] = {ENDINGS(NAME) NULL};

static const ending *ending_of(const char *file) {
    const char *dot = strrchr(file, '.');
    for (size_t k = 0; dot && k < sizeof endings / sizeof *endings; k++)
        if (!strcmp(dot, endings[k].text)) return &endings[k];
    return NULL;
}

static bool is_in(const char *file, language l) {
    const ending *e = ending_of(file);
    return e && e->is == l;
}

bool llvm_is_c(const char *file) {
    return is_in(file, LANGUAGE_C);
}

bool llvm_is_cxx(const char *file) {
    return is_in(file, LANGUAGE_CPP);
}

const char *llvm_language(const char *file) {
    const ending *e = ending_of(file);
    if (!e || e->preprocessed) return e ? e->preprocessed : NULL;
    return e->is == LANGUAGE_C ? "c" : e->is == LANGUAGE_CPP ? "c++" : NULL;
}

static void add_words(words *to, const char *const *list, size_t count) {
    for (size_t k = 0; k < count; k++) vec_push(to, list[k]);
}

/* Signed overflow keeps its mark (nsw) because -fwrapv is absent; nothing ever exploits it. */
static void add_common_words(words *to) {
    static const char *const list[] = {CLANG,
                                       "-c",
                                       "-emit-llvm",
                                       "-O1",
                                       "-Xclang",
                                       "-disable-llvm-passes",
                                       "-fno-discard-value-names",
                                       "-fno-color-diagnostics",
                                       "-fno-crash-diagnostics",
                                       "-o",
                                       "-"};
    add_words(to, list, sizeof list / sizeof *list);
}

/* Calls that copy stay calls, so that they are told from assignments of structures, which may overlap; calls
 * that compare too, since of what they give only the sign is known, even if clang could compute it.
 * Old programs: what clang 19 takes for an error by default but every compiler of their time accepted. */
static void add_source_words(words *to, language is) {
    static const char *const both[] = {"-g",
                                       "-U__OPTIMIZE__",
                                       "-ffp-contract=off",
                                       "-fno-stack-protector",
                                       "-fno-builtin-memcpy",
                                       "-fno-builtin-mempcpy",
                                       "-fno-builtin-memcmp",
                                       "-fno-builtin-bcmp",
                                       "-fno-builtin-strcmp",
                                       "-fno-builtin-strncmp"};
    static const char *const lenient[] = {
        "-Wno-implicit-function-declaration",       "-Wno-implicit-int",           "-Wno-int-conversion",
        "-Wno-incompatible-function-pointer-types", "-Wno-return-mismatch",        "-Wno-return-type",
        "-Wno-incompatible-library-redeclaration",  "-Wno-builtin-requires-header"};
    add_words(to, both, sizeof both / sizeof *both);
    if (is == LANGUAGE_C) add_words(to, lenient, sizeof lenient / sizeof *lenient);
    /* What compilers of today take by default; the headers of C++20 take half as long again to read. A
     * standard that the user names comes later and wins. */
    if (is == LANGUAGE_CPP) vec_push(to, "-std=gnu++17");
}

/* -fwrapv: every sum has a value. The last word counts. */
static bool sums_wrap(const words *given) {
    bool wraps = false;
    for (size_t k = 0; k < given->size; k++) {
        if (!strcmp(given->data[k], "-fwrapv")) wraps = true;
        if (!strcmp(given->data[k], "-fno-wrapv")) wraps = false;
    }
    return wraps;
}

/* Nothing in LLVM's code tells a signed shift to the left from an unsigned one, and what clang computes
 * itself does not show there at all. So clang writes the conditions down; where one does not hold there is a
 * trap. What is no code it warns of. Behind the user's own words, which might say otherwise. */
static void add_overflow_words(words *to, language is) {
    static const char *const of_sums[] = {"-fsanitize=signed-integer-overflow",
                                          "-fsanitize-trap=signed-integer-overflow", "-Winteger-overflow"};
    static const char *const list[] = {
        "-fsanitize=shift",       "-fsanitize-trap=shift",    "-Wno-everything",  "-Wno-error",
        "-Wshift-count-overflow", "-Wshift-count-negative",   "-Wshift-overflow", "-Wshift-negative-value",
        "-fno-caret-diagnostics", "-fdiagnostics-show-option"};
    bool wraps = sums_wrap(to);
    add_words(to, list, sizeof list / sizeof *list);
    if (is == LANGUAGE_C) vec_push(to, "-Wshift-sign-overflow"); /* 1 << 31 has a value in C++ */
    if (!wraps) add_words(to, of_sums, sizeof of_sums / sizeof *of_sums);
}

/* --- headers of design languages ------------------------------------------------------------------------ */

static const char *const header_folders[] = {"systemc", "cxx", "stimulus", "symcpp"};

enum { HEADER_FOLDERS = sizeof header_folders / sizeof *header_folders };

bool compile_own_folder(text *out) {
    text module = {0};
    char real[PATH_MAX]; /* the module, beside which they are, may be found through a link */
    bool known = module_find(&module) && realpath(text_cstr(&module), real);
    if (known) text_format(out, "%.*sinclude/", (int)(strrchr(real, '/') + 1 - real), real);
    text_free(&module);
    return known;
}

void compile_find_clang(text *out) {
    static const char headers[] = "include/";
    bool known = compile_own_folder(out);
    if (known) {
        text_shorten(out, out->size - (sizeof headers - 1));
        text_add(out, "llvm/bin/" CLANG);
    }
    if (known && !access(text_cstr(out), X_OK)) return;
    text_free(out);
    text_add(out, CLANG);
}

/* Before those of the system: a design is never compiled against the library that simulates it. The
 * precompiled ones begin with what is included first. */
static void add_our_headers(words *to, text *paths, const char *precompiled) {
    text folder = {0};
    for (size_t k = 0; k < HEADER_FOLDERS && compile_own_folder(&folder); k++) {
        text_format(&paths[k], "%s%s", text_cstr(&folder), header_folders[k]);
        vec_push(to, "-isystem");
        vec_push(to, text_cstr(&paths[k]));
        text_free(&folder);
    }
    const char *const first[] = {precompiled ? "-include-pch" : "-include",
                                 precompiled ? precompiled : "heddle_templates.h"};
    if (paths[0].size) add_words(to, first, sizeof first / sizeof *first);
    text_free(&folder);
}

bool compile_is_own_header(const char *file) {
    text folder = {0};
    char real[PATH_MAX], ours[PATH_MAX];
    bool own = compile_own_folder(&folder) && realpath(text_cstr(&folder), ours) && realpath(file, real) &&
               !strncmp(real, ours, strlen(ours)) && real[strlen(ours)] == '/';
    text_free(&folder);
    return own;
}

static bool read_all(int fd, bitcode *out) {
    struct stat info;
    if (fstat(fd, &info) || lseek(fd, 0, SEEK_SET) < 0) return false;
    out->size = 0;
    size_t capacity = info.st_size > 0 ? (size_t)info.st_size : 1;
    out->bytes = mem_alloc(capacity);
    ssize_t got;
    while (out->size < capacity && (got = read(fd, out->bytes + out->size, capacity - out->size)) > 0)
        out->size += (size_t)got;
    return true;
}

static bool write_all(int fd, const char *bytes, size_t size) {
    for (size_t done = 0; done < size;) {
        ssize_t put = write(fd, bytes + done, size - done);
        if (put <= 0) return false;
        done += (size_t)put;
    }
    return true;
}

/* --- 32-bit headers ------------------------------------------------------------------------------------- */

#define SYSTEM_HEADERS "/usr/include/x86_64-linux-gnu"
#define STUBS          "/gnu/stubs-32.h"

/* The headers of a 64-bit system serve 32 bits as well, but for one file that only lists what the
 * C library lacks. */
static bool must_supply_stubs(const llvm_options *options) {
    return options->data_model_32 && !access(SYSTEM_HEADERS "/gnu/stubs-64.h", R_OK) &&
           access(SYSTEM_HEADERS STUBS, R_OK) && access("/usr/include" STUBS, R_OK) &&
           access("/usr/include/i386-linux-gnu" STUBS, R_OK);
}

/* A description, for clang's virtual file system, of that file as an empty one. Inherited by clang. */
static int describe_stubs(void) {
    static const char overlay[] =
        "{\"version\":0,\"roots\":[{\"type\":\"file\",\"name\":\"" SYSTEM_HEADERS STUBS
        "\",\"external-contents\":\"/dev/null\"}]}";
    int fd = memfd_create("overlay", 0);
    if (fd >= 0 && !write_all(fd, overlay, strlen(overlay))) {
        close(fd);
        return -1;
    }
    return fd;
}

/* --- assertions that are passed ------------------------------------------------------------------------- */

/* The declarations of <assert.h> as functions that return: clang leaves out whatever comes behind a call that
 * does not, and all violations are wanted. Inherited by clang. */
static int describe_assertions(void) {
    static const char declarations[] =
        "#define _ASSERT_H_DECLS 1\n"
        "#ifdef __cplusplus\n"
        "extern \"C\" {\n"
        "#endif\n"
        "void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((nothrow));\n"
        "void __assert_perror_fail(int, const char *, unsigned, const char *) __attribute__((nothrow));\n"
        "void __assert(const char *, const char *, int) __attribute__((nothrow));\n"
        "#ifdef __cplusplus\n"
        "}\n"
        "#endif\n";
    int fd = memfd_create("assertions", 0);
    if (fd >= 0 && !write_all(fd, declarations, sizeof declarations - 1)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* --- preprocessed files --------------------------------------------------------------------------------- */

static bool is_line_marker(const char *line, size_t length) {
    size_t k = 0;
    if (!length || line[k++] != '#') return false;
    while (k < length && line[k] == ' ') k++;
    if (length - k >= 4 && !memcmp(line + k, "line", 4)) k += 4;
    while (k < length && line[k] == ' ') k++;
    return k < length && line[k] >= '0' && line[k] <= '9';
}

/* The markers of a preprocessed file name lines of files the user may not have: without them, positions are
 * those of the file that was given. */
static void blank_line_markers(char *source, size_t size) {
    for (size_t start = 0; start < size;) {
        char *newline = memchr(source + start, '\n', size - start);
        size_t length = newline ? (size_t)(newline - source) - start : size - start;
        if (is_line_marker(source + start, length)) memset(source + start, ' ', length);
        start += length + 1;
    }
}

static void name_file(text *out, const char *file) {
    text_add(out, "# 1 \"");
    for (const char *c = file; *c; c++) {
        if (*c == '"' || *c == '\\') text_char(out, '\\');
        text_char(out, *c);
    }
    text_add(out, "\"\n");
}

/* A function that says whether the expression is true, wherever its names are private. */
static void add_monitor(text *out, const char *expression, bool cpp) {
    text_char(out, '\n');
    name_file(out, "reach");
    text_format(out, "%s %s(void) { return (%s) ? 1 : 0; }\n", cpp ? "extern \"C\" bool" : "_Bool",
                LLVM_REACH_MONITOR, expression);
}

/* The file in memory, positioned at its start: without line markers if it is preprocessed, and with a monitor
 * at its end if there is one. */
static int changed_copy(const char *file, const ending *end, const char *monitor) {
    int from = open(file, O_RDONLY | O_CLOEXEC);
    if (from < 0) return -1;
    bitcode source = {0};
    bool read = read_all(from, &source);
    close(from);
    int to = read ? memfd_create("source", MFD_CLOEXEC) : -1;
    if (to >= 0) {
        if (end->preprocessed) blank_line_markers(source.bytes, source.size);
        text marker = {0}, behind = {0};
        name_file(&marker, file);
        if (monitor) add_monitor(&behind, monitor, end->is == LANGUAGE_CPP);
        bool written = write_all(to, text_cstr(&marker), marker.size) &&
                       write_all(to, source.bytes, source.size) &&
                       write_all(to, text_cstr(&behind), behind.size) && lseek(to, 0, SEEK_SET) == 0;
        text_free(&marker);
        text_free(&behind);
        if (!written) {
            close(to);
            to = -1;
        }
    }
    mem_free(source.bytes);
    return to;
}

/* --- the child ------------------------------------------------------------------------------------------ */

/* The status of a child, which is killed when nobody wants to wait for it any more. */
static bool wait_for(pid_t child, const llvm_options *options, int *status) {
    static const struct timespec look_every = {.tv_nsec = 10000000};
    int descriptor = options->interrupted ? (int)syscall(SYS_pidfd_open, child, 0) : -1;
    bool killed = false;
    pid_t ended;
    while (!(ended = waitpid(child, status, options->interrupted && !killed ? WNOHANG : 0)) ||
           (ended < 0 && errno == EINTR)) {
        if (killed || !options->interrupted) continue;
        if (options->interrupted(options->interrupted_data)) {
            killed = true;
            kill(-child, SIGKILL);
        } else {
            struct pollfd p = {descriptor, POLLIN, 0};
            if (descriptor >= 0)
                ppoll(&p, 1, &look_every, NULL);
            else
                nanosleep(&look_every, NULL);
        }
    }
    if (descriptor >= 0) close(descriptor);
    return ended == child;
}

/* Clang's exit status, or -1 with errno when it could not be run. in < 0: no input. It has a process group of
 * its own: Ctrl-C means us, and we have an answer to it; a clang that dies of it looks like a bad program. */
static int run(const words *command, const llvm_options *options, int in, int out, int err) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (in >= 0)
        posix_spawn_file_actions_adddup2(&actions, in, 0);
    else
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    posix_spawn_file_actions_adddup2(&actions, err, 2);
    posix_spawnattr_t apart;
    posix_spawnattr_init(&apart);
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
    pid_t child;
    text clang = {0};
    compile_find_clang(&clang);
    int failed =
        posix_spawnp(&child, text_cstr(&clang), &actions, &apart, (char *const *)command->data, environ);
    text_free(&clang);
    posix_spawnattr_destroy(&apart);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) {
        errno = failed;
        return -1;
    }
    int status;
    if (!wait_for(child, options, &status)) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static void report_messages(int err, const char *file, diagnostics *d) {
    bitcode messages = {0};
    if (!read_all(err, &messages)) return;
    size_t length = messages.size < MOST_MESSAGE ? messages.size : MOST_MESSAGE;
    while (length && messages.bytes[length - 1] == '\n') length--;
    if (length)
        diag_report_on(d, file, DIAG_ERROR, (position){0, 0}, "clang refuses it:\n%.*s%s", (int)length,
                       messages.bytes, messages.size > MOST_MESSAGE ? "\n..." : "");
    else
        diag_report_on(d, file, DIAG_ERROR, (position){0, 0}, "clang failed without a message");
    mem_free(messages.bytes);
}

static char *read_warnings(int err) {
    bitcode messages = {0};
    if (!read_all(err, &messages)) return NULL;
    char *words = mem_alloc(messages.size + 1);
    memcpy(words, messages.bytes, messages.size);
    words[messages.size] = 0;
    mem_free(messages.bytes);
    return words;
}

/* With precompiled headers what clang refuses is compiled once more without them, for its messages' sake. */
static bool compile_with(const char *precompiled, const char *file, const llvm_options *options,
                         const llvm_file_arguments *own, const char *monitor, bitcode *out, diagnostics *d) {
    const ending *end = ending_of(file);
    words command = {0};
    text headers[HEADER_FOLDERS] = {0};
    add_common_words(&command);
    int in = -1, stubs = -1, assertions = -1;
    char overlay[32], passed[32];
    if (end->is != LANGUAGE_LLVM) {
        add_source_words(&command, end->is);
        if (options->data_model_32) vec_push(&command, "-m32");
        if (!options->check_overflow) vec_push(&command, "-w");
        if (own) add_words(&command, own->words, own->count);
        add_words(&command, options->arguments, options->argument_count);
        if (options->check_overflow) add_overflow_words(&command, end->is);
        if (end->is == LANGUAGE_CPP) add_our_headers(&command, headers, precompiled);
    }
    if (end->is != LANGUAGE_LLVM && must_supply_stubs(options) && (stubs = describe_stubs()) >= 0) {
        snprintf(overlay, sizeof overlay, "/dev/fd/%d", stubs);
        const char *const found[] = {"-idirafter", SYSTEM_HEADERS, "-ivfsoverlay", overlay};
        add_words(&command, found, sizeof found / sizeof *found);
    }
    bool passes = options->all && end->is != LANGUAGE_LLVM && !end->preprocessed;
    if (passes && (assertions = describe_assertions()) >= 0) {
        snprintf(passed, sizeof passed, "/dev/fd/%d", assertions);
        const char *const first[] = {"-include", passed};
        add_words(&command, first, sizeof first / sizeof *first);
    }
    text beside = {0}; /* where #include looks first */
    text given = {0};
    bool changed = end->preprocessed || (monitor && end->is != LANGUAGE_LLVM);
    if (changed) {
        const char *slash = strrchr(file, '/');
        text_format(&beside, "-iquote%.*s", slash ? (int)(slash - file) : 1, slash ? file : ".");
        in = changed_copy(file, end, monitor);
        vec_push(&command, text_cstr(&beside));
        if (monitor && end->is == LANGUAGE_CPP) vec_push(&command, "-fno-access-control");
        vec_push(&command, "-x");
        vec_push(&command, end->preprocessed ? end->preprocessed : end->is == LANGUAGE_CPP ? "c++" : "c");
        vec_push(&command, "-");
    } else {
        text_format(&given, "%s%s", strchr("-@", *file) ? "./" : "", file); /* no option */
        vec_push(&command, text_cstr(&given));
    }
    vec_push(&command, NULL);
    int to = memfd_create("bitcode", MFD_CLOEXEC), err = memfd_create("messages", MFD_CLOEXEC);
    int status = to < 0 || err < 0 || (changed && in < 0) ? -1 : run(&command, options, in, to, err);
    bool good = status == 0 && read_all(to, out);
    out->precompiled = good && precompiled;
    if (!good && precompiled)
        ;
    else if (status < 0)
        diag_report_on(d, file, DIAG_ERROR, (position){0, 0}, "cannot run " CLANG ": %s", strerror(errno));
    else if (!good)
        report_messages(err, file, d);
    else if (options->check_overflow)
        out->warnings = read_warnings(err);
    if (in >= 0) close(in);
    if (stubs >= 0) close(stubs);
    if (assertions >= 0) close(assertions);
    if (to >= 0) close(to);
    if (err >= 0) close(err);
    for (size_t k = 0; k < HEADER_FOLDERS; k++) text_free(&headers[k]);
    text_free(&beside);
    text_free(&given);
    vec_free(&command);
    return good;
}

bool compile_file(const char *file, const llvm_options *options, const llvm_file_arguments *own,
                  const char *monitor, bitcode *out, diagnostics *d) {
    const ending *end = ending_of(file);
    if (!end || access(file, R_OK)) {
        diag_report_on(d, file, DIAG_ERROR, (position){0, 0}, "%s",
                       end ? strerror(errno) : "not a C, C++ or LLVM file");
        return false;
    }
    text precompiled = {0};
    bool done = end->is == LANGUAGE_CPP && !end->preprocessed && !monitor &&
                precompiled_serves(file, options, own, &precompiled) &&
                compile_with(text_cstr(&precompiled), file, options, own, monitor, out, d);
    text_free(&precompiled);
    return done || compile_with(NULL, file, options, own, monitor, out, d);
}
