#include "native/simulator.h"

#include "frontend/llvm/compile.h"
#include "native/process.h"

#include <stdio.h>
#include <stdlib.h>

static const double compile_seconds = 120, run_seconds = 20;
static const char *const no_settings[] = {NULL};

void simulator_print_stimulus(const trace *t, text *out) {
    for (size_t k = 0; k < t->steps.size; k++)
        for (size_t i = 0; i < t->steps.data[k].inputs.size; i++) {
            const trace_input *input = &t->steps.data[k].inputs.data[i];
            text_format(out, "%s %s\n", input->name, input->value);
        }
}

static bool write_stimulus(const trace *t, const char *path) {
    text lines = {0};
    simulator_print_stimulus(t, &lines);
    FILE *f = fopen(path, "wb");
    bool good = f && fwrite(text_cstr(&lines), 1, lines.size, f) == lines.size;
    if (f) good = !fclose(f) && good;
    text_free(&lines);
    return good;
}

static bool build(const char *program, const char *const *files, size_t count, const llvm_options *options,
                  text *messages) {
    VEC(const char *) command = {0};
    text own = {0};
    static const char *const first[] = {"g++", "-std=c++17", "-w", "-g"};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++) vec_push(&command, first[k]);
    if (compile_own_folder(&own)) {
        text_add(&own, "stimulus");
        vec_push(&command, "-I");
        vec_push(&command, text_cstr(&own));
    }
    for (size_t k = 0; k < options->argument_count; k++) vec_push(&command, options->arguments[k]);
    for (size_t k = 0; k < count; k++) vec_push(&command, files[k]);
    vec_push(&command, "-lsystemc");
    vec_push(&command, "-o");
    vec_push(&command, program);
    vec_push(&command, NULL);
    process_end end = process_run(command.data, no_settings, compile_seconds, messages);
    vec_free(&command);
    text_free(&own);
    return end.ran && !end.timed_out && end.status == 0;
}

static const char *judge(const process_end *end, bool *failed) {
    *failed = end->ran && !end->timed_out && (end->signal || end->status);
    if (!end->ran) return "the simulator could not be started";
    if (end->timed_out) return "Accellera's simulator does not end with these inputs";
    if (*failed)
        return "Accellera's simulator, in its own order of processes, fails with these inputs as well";
    return "Accellera's simulator, in its own order of processes, does not fail with these inputs";
}

native_result simulator_replay(const trace *t, const char *const *files, size_t file_count,
                               const llvm_options *options) {
    native_result r = {0};
    char folder[] = "/tmp/heddle-XXXXXX";
    text stimulus = {0}, program = {0}, setting = {0}, printed = {0};
    bool made = mkdtemp(folder) != NULL;
    text_format(&stimulus, "%s/stimulus", folder);
    text_format(&program, "%s/program", folder);
    text_format(&setting, "HEDDLE_STIMULUS=%s", text_cstr(&stimulus));
    if (!made || !write_stimulus(t, text_cstr(&stimulus))) {
        r.summary = mem_copy_string("no temporary folder could be made");
    } else if (!build(text_cstr(&program), files, file_count, options, &printed)) {
        r.summary =
            mem_copy_string("the design could not be compiled for Accellera's simulator (libsystemc-dev)");
    } else {
        text_free(&printed);
        const char *const command[] = {text_cstr(&program), NULL}, *const settings[] = {text_cstr(&setting),
                                                                                        NULL};
        process_end end = process_run(command, settings, run_seconds, &printed);
        r.summary = mem_copy_string(judge(&end, &r.failed));
    }
    r.printed = mem_copy_string(text_cstr(&printed));
    if (made) {
        remove(text_cstr(&stimulus));
        remove(text_cstr(&program));
        remove(folder);
    }
    text_free(&stimulus);
    text_free(&program);
    text_free(&setting);
    text_free(&printed);
    return r;
}
