#include "native/native.h"

#include "frontend/llvm/compile.h"
#include "native/instrument.h"
#include "native/process.h"
#include "native/runtime.h"
#include "native/schedule.h"

#include <stdio.h>
#include <stdlib.h>

/* As in runtime.c. */
enum { STATUS_ERROR = 96, STATUS_RACE = 97, STATUS_DEADLOCK = 98, STATUS_SANITIZER = 99 };
static const char *const no_settings[] = {NULL};
static const double compile_seconds = 60, run_seconds = 20;

typedef struct workshop { /* a temporary folder and the files in it */
    char folder[32];
    VEC(char *) files;
} workshop;

static char *add_file(workshop *w, const char *name) {
    text path = {0};
    text_format(&path, "%s/%s", w->folder, name);
    char *copy = mem_copy_string(text_cstr(&path));
    text_free(&path);
    vec_push(&w->files, copy);
    return copy;
}

static bool open_workshop(workshop *w) {
    *w = (workshop){.folder = "/tmp/heddle-XXXXXX"};
    return mkdtemp(w->folder) != NULL;
}

static void close_workshop(workshop *w) {
    for (size_t i = 0; i < w->files.size; i++) {
        remove(w->files.data[i]);
        mem_free(w->files.data[i]);
    }
    vec_free(&w->files);
    remove(w->folder);
}

static bool write_file(const char *path, const char *content, size_t length) {
    FILE *f = fopen(path, "wb");
    if (!f) return false;
    bool good = fwrite(content, 1, length, f) == length;
    return !fclose(f) && good;
}

static size_t read_progress(const char *path) {
    int done = 0;
    FILE *f = fopen(path, "rb");
    if (f && fread(&done, sizeof done, 1, f) != 1) done = 0;
    if (f) fclose(f);
    return done > 0 ? (size_t)done : 0;
}

/* --- building ------------------------------------------------------------------------------------------- */

static bool watches_memory(const trace_request *wanted) {
    return wanted->end == ENDS_IN_CHECK &&
           property_of_check(wanted->violated.kind) & (PROPERTY_MEMORY | PROPERTY_LEAK);
}

static bool watches_overflow(const trace_request *wanted) {
    return wanted->end == ENDS_IN_CHECK && wanted->violated.kind == CHECK_OVERFLOW;
}

static bool watches_division(const trace_request *wanted) {
    return wanted->end == ENDS_IN_CHECK && wanted->violated.kind == CHECK_DIVISION;
}

static bool watches_misuse(const trace_request *wanted) {
    return wanted->end == ENDS_IN_CHECK && property_of_check(wanted->violated.kind) & PROPERTY_MISUSE;
}

static bool write_runtime(const schedule *s, const trace_request *wanted, const char *path) {
    text source = {0};
    text_add_bytes(&source, native_runtime, native_runtime_size);
    schedule_print(s, &source);
    text_format(&source, "const int heddle_watches_misuse = %d;\n", watches_misuse(wanted));
    bool good = write_file(path, source.data, source.size);
    text_free(&source);
    return good;
}

typedef VEC(const char *) words;

static llvm_options options_for(const llvm_options *given, const trace_request *wanted, bool bits32,
                                words *arguments) {
    llvm_options how = *given;
    for (size_t i = 0; i < given->argument_count; i++) vec_push(arguments, given->arguments[i]);
    if (watches_overflow(wanted)) vec_push(arguments, "-fsanitize=signed-integer-overflow");
    if (watches_division(wanted)) vec_push(arguments, "-fsanitize=integer-divide-by-zero");
    if (watches_overflow(wanted) || watches_division(wanted)) vec_push(arguments, "-fsanitize-trap=all");
    how.arguments = arguments->data;
    how.argument_count = arguments->size;
    how.data_model_32 = bits32;
    return how;
}

/* The address sanitizer's passes are clang's, its run-time that of whichever compiler is there. */
static bool make_object(const char *clang, const char *from, const char *object, bool bits32, bool watched,
                        text *messages) {
    const char *command[] = {clang,
                             bits32 ? "-m32" : "-m64",
                             "-w",
                             "-g",
                             "-O0",
                             "-pthread",
                             "-c",
                             from,
                             "-o",
                             object,
                             watched ? "-fsanitize=address" : NULL,
                             NULL};
    process_end end = process_run(command, no_settings, compile_seconds, messages);
    if (!end.ran) text_format(messages, "%s cannot be started\n", clang);
    return end.ran && !end.timed_out && end.status == 0;
}

/* Any compiler will do; what they say matters only if none does. */
static bool link_objects(const char *clang, const words *objects, const char *program, bool bits32,
                         bool watched, bool cxx, text *messages) {
    const char *const linkers[] = {"gcc", clang, "cc"};
    for (size_t k = 0; k < sizeof linkers / sizeof *linkers; k++) {
        words command = {0};
        vec_push(&command, linkers[k]);
        vec_push(&command, bits32 ? "-m32" : "-m64");
        for (size_t i = 0; i < objects->size; i++) vec_push(&command, objects->data[i]);
        static const char *const rest[] = {"-pthread", "-lm", "-o"};
        for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) vec_push(&command, rest[i]);
        vec_push(&command, program);
        if (cxx) vec_push(&command, "-lstdc++");
        if (watched) vec_push(&command, "-fsanitize=address");
        vec_push(&command, NULL);
        process_end end = process_run(command.data, no_settings, compile_seconds, messages);
        vec_free(&command);
        if (!end.ran) text_format(messages, "%s cannot be started\n", linkers[k]);
        if (end.ran && !end.timed_out && end.status == 0) return true;
    }
    return false;
}

static bool has_cxx(const char *const *files, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (llvm_is_cxx(files[i])) return true;
    return false;
}

static const char *add_numbered(workshop *w, size_t number, const char *ending) {
    char name[32];
    snprintf(name, sizeof name, "%zu%s", number, ending);
    return add_file(w, name);
}

static bool build(workshop *w, const trace_request *wanted, const char *const *files, size_t count,
                  const llvm_options *options, bool bits32, const char *runtime, const char *program,
                  text *messages) {
    words arguments = {0}, objects = {0};
    diagnostics d = {.file = "native replay"};
    llvm_options how = options_for(options, wanted, bits32, &arguments);
    bool watched = watches_memory(wanted);
    const char *object = add_file(w, "runtime.o");
    text clang = {0};
    typeof(instrument_file) *instrument = module_function("instrument_file", &d);
    compile_find_clang(&clang);
    bool good = instrument && make_object(text_cstr(&clang), runtime, object, bits32, false, messages);
    vec_push(&objects, object);
    for (size_t i = 0; i < count && good; i++) {
        const char *bitcode_file = add_numbered(w, i, ".bc");
        object = add_numbered(w, i, ".o");
        llvm_options of_one = how;
        if (how.of_files) of_one.of_files = &how.of_files[i];
        good = instrument(files[i], &of_one, watched, bitcode_file, &d) &&
               make_object(text_cstr(&clang), bitcode_file, object, bits32, watched, messages);
        vec_push(&objects, object);
    }
    diag_print(&d, messages);
    diag_free(&d);
    good = good && link_objects(text_cstr(&clang), &objects, program, bits32, watched, has_cxx(files, count),
                                messages);
    text_free(&clang);
    vec_free(&objects);
    vec_free(&arguments);
    return good;
}

/* --- running -------------------------------------------------------------------------------------------- */

static bool is_expected_end(const trace_request *wanted, const process_end *end) {
    bool crashed = end->signal != 0 && !end->timed_out;
    switch (wanted->end) {
    case ENDS_IN_RACE: return end->status == STATUS_RACE;
    case ENDS_IN_LIVELOCK:
    case ENDS_IN_DEADLOCK: return end->status == STATUS_DEADLOCK;
    default: break;
    }
    if (wanted->violated.kind == CHECK_ASSERTION) return crashed || end->status == STATUS_ERROR;
    return crashed || end->status == STATUS_SANITIZER;
}

/* `widened`: the program was meant to have 32 bits but does not. */
static void summarize(native_result *r, const process_end *end, bool widened) {
    text line = {0};
    if (!end->ran)
        text_add(&line, "the compiled program could not be started");
    else if (r->failed)
        text_add(&line, "the compiled program fails with this schedule and these inputs");
    else
        text_format(&line, "the compiled program did not fail: it followed %zu of %zu operations, then %s",
                    r->followed, r->operations, end->timed_out ? "did not end" : "ended otherwise");
    if (widened)
        text_add(&line, " (compiled for 64 bits: building it for 32, which needs gcc-multilib, failed)");
    r->summary = mem_copy_string(text_cstr(&line));
    text_free(&line);
}

static void run(workshop *w, const trace_request *wanted, const char *program, bool widened,
                native_result *r) {
    static const int nothing = 0;
    text printed = {0}, setting = {0};
    const char *progress = add_file(w, "progress");
    write_file(progress, (const char *)&nothing, sizeof nothing);
    text_format(&setting, "HEDDLE_PROGRESS=%s", progress);
    const char *command[] = {program, NULL};
    const char *settings[] = {text_cstr(&setting), "ASAN_OPTIONS=exitcode=99", "UBSAN_OPTIONS=exitcode=99",
                              NULL};
    process_end end = process_run(command, settings, run_seconds, &printed);
    r->followed = read_progress(progress);
    r->failed = end.ran && is_expected_end(wanted, &end);
    summarize(r, &end, widened);
    mem_free(r->printed);
    r->printed = mem_copy_string(text_cstr(&printed));
    text_free(&printed);
    text_free(&setting);
}

/* What no compiled program would show; NULL: it should fail. */
static const char *why_nothing_fails(const trace_request *wanted) {
    if (wanted->end == ENDS_IN_RACE && wanted->earlier)
        return "no run shows that nothing orders accesses with others in between";
    if (wanted->end == ENDS_IN_CHECK && wanted->violated.kind == CHECK_REACH)
        return "nothing fails in the compiled program when the condition of a reach property holds";
    return NULL;
}

native_result native_replay(machine *m, const trace_request *wanted, const char *const *files,
                            size_t file_count, const llvm_options *options) {
    native_result r = {.printed = mem_copy_string("")};
    schedule s;
    workshop w;
    text messages = {0};
    const char *nothing_to_see = why_nothing_fails(wanted);
    if (nothing_to_see) {
        r.summary = mem_copy_string(nothing_to_see);
        return r;
    }
    if (!schedule_build(m, wanted, &s)) {
        r.summary = mem_copy_string("the schedule could not be written down");
    } else if (!open_workshop(&w)) {
        r.summary = mem_copy_string("no temporary folder could be made");
    } else {
        const char *runtime = add_file(&w, "runtime.c"), *program = add_file(&w, "program");
        r.operations = s.operations.size;
        bool bits32 = options->data_model_32, good = write_runtime(&s, wanted, runtime), built = false;
        if (good && bits32)
            built = build(&w, wanted, files, file_count, options, true, runtime, program, &messages);
        bool widened = bits32 && !built; /* places and schedules are the same with 64 bits */
        if (good && !built) {
            text_free(&messages);
            built = build(&w, wanted, files, file_count, options, false, runtime, program, &messages);
        }
        if (built) {
            run(&w, wanted, program, widened, &r);
        } else {
            r.summary = mem_copy_string("the program could not be compiled natively");
            mem_free(r.printed);
            r.printed = mem_copy_string(text_cstr(&messages));
        }
        close_workshop(&w);
    }
    schedule_free(&s);
    text_free(&messages);
    return r;
}

void native_result_free(native_result *r) {
    mem_free(r->summary);
    mem_free(r->printed);
}
