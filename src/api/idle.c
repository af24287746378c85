#include "api/idle.h"

#include "api/choice.h"

#include <string.h>

typedef bool (*kernel_condition)(const kernel_traits *k);

static bool has_compiler(const frontend *f) {
    return f->compiler_options;
}
static bool has_parameters(const frontend *f) {
    return f->parameters;
}
static bool has_binaries(const frontend *f) {
    return f->binaries;
}
static bool preempts(const kernel_traits *k) {
    return k->preempts;
}
static bool has_time(const kernel_traits *k) {
    return k->has_simulated_time;
}
static bool hangs_apart(const kernel_traits *k) {
    return k->threads_hang_apart;
}
static bool loops_wait(const kernel_traits *k) {
    return k->loops_can_wait;
}

/* Which options not every program has a use for. */
static const struct {
    option_id id;
    const char *value;       /* this one of its values; NULL: all */
    frontend_trait language; /* of programs for which it means something; NULL: ... */
    kernel_condition kernel; /* ... that follows from their kernel */
} conditions[] = {{OPTION_SET, NULL, has_parameters, NULL},
                  {OPTION_DATA_MODEL, NULL, has_compiler, NULL},
                  {OPTION_DEFINE, NULL, has_compiler, NULL},
                  {OPTION_INCLUDE, NULL, has_compiler, NULL},
                  {OPTION_STD, NULL, has_compiler, NULL},
                  {OPTION_FLAG, NULL, has_compiler, NULL},
                  {OPTION_STUBS, NULL, has_compiler, NULL},
                  {OPTION_ENTRY, NULL, has_compiler, NULL},
                  {OPTION_COMPILE_COMMANDS, NULL, has_compiler, NULL},
                  {OPTION_MEMORY_MODEL, NULL, has_compiler, NULL},
                  {OPTION_ATOMICITY, NULL, has_compiler, NULL},
                  {OPTION_SPURIOUS_WAKEUPS, NULL, has_compiler, NULL},
                  {OPTION_BLOCKED_AT_EXIT, NULL, NULL, hangs_apart},
                  {OPTION_LIVELOCK, NULL, NULL, loops_wait},
                  {OPTION_CORES, NULL, has_compiler, NULL},
                  {OPTION_STOPS, "statements", has_compiler, NULL},
                  {OPTION_CONTEXT_BOUND, NULL, NULL, preempts},
                  {OPTION_SIM_TIME, NULL, NULL, has_time},
                  {OPTION_REPLAY_BINARY, NULL, has_binaries, NULL}};

enum { CONDITIONS = sizeof conditions / sizeof *conditions };

static bool is_away_from_preset(const options *o, option_id id) {
    return o->value[id].given && strcmp(o->value[id].written, heddle_options()[id].preset) != 0;
}

static bool is_idle(const options *o, const inquiry *q, const program *p, size_t index) {
    option_id id = conditions[index].id;
    const char *value = conditions[index].value;
    frontend_trait language = conditions[index].language;
    kernel_condition kernel = conditions[index].kernel;
    if (!is_away_from_preset(o, id) || (value && strcmp(o->value[id].written, value))) return false;
    return language ? !language(q->frontend) : !kernel(program_kernel(p));
}

static void say_idle(size_t index, text *out) {
    const char *value = conditions[index].value;
    text_format(out, "heddle: warning: option '%s%s%s' changes nothing: it is for programs in ",
                heddle_options()[conditions[index].id].name, value ? " " : "", value ? value : "");
    if (conditions[index].language)
        frontend_list_languages(conditions[index].language, out);
    else
        kernels_describe(conditions[index].kernel, out);
    text_char(out, '\n');
}

/* Only `auto` has several explorers. */
static void say_runs_alone(const options *o, const program *p, text *out) {
    text unfit = {0};
    const explorer *chosen = choice_engine(o, p, &unfit);
    if (o->value[OPTION_JOBS].number > 1 && chosen && chosen != &explorer_auto)
        text_format(out, "heddle: warning: option 'jobs' changes nothing: engine %s runs alone\n",
                    chosen->name);
    text_free(&unfit);
}

void idle_describe(const options *o, const inquiry *q, const program *p, text *out) {
    for (size_t i = 0; i < CONDITIONS; i++)
        if (is_idle(o, q, p, i)) say_idle(i, out);
    say_runs_alone(o, p, out);
}

bool idle_is_known(option_id id) {
    for (size_t i = 0; i < CONDITIONS; i++)
        if (conditions[i].id == id) return true;
    return false;
}
