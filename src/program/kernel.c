#include "program/kernel.h"

#define LANGUAGES(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct {
    const char *name;
    const char *const *languages; /* up to NULL */
} rules[RULES_KINDS] = {[RULES_PREEMPTIVE] = {"preemptive", LANGUAGES("C", "C++", "dlang")},
                        [RULES_SYSTEMC] = {"systemc", LANGUAGES("SystemC", "IVL")}};

const char *rules_name(kernel_rules r) {
    return rules[r].name;
}

void rules_describe(kernel_rules r, const char *before_last, text *out) {
    const char *const *languages = rules[r].languages;
    for (size_t i = 0; languages[i]; i++)
        text_format(out, "%s%s", !i ? "" : languages[i + 1] ? ", " : before_last, languages[i]);
}

const kernel_traits kernel_dialects[KERNEL_KINDS] = {
    [KERNEL_IVL] = {.name = "ivl",
                    .rules = RULES_SYSTEMC,
                    .waits_for_events = true,
                    .scheduler_moves = true,
                    .steps_are_segments = true,
                    .has_simulated_time = true,
                    .has_delta_cycles = true,
                    .most_unknown_cells = UINT64_MAX,
                    .no_deadlock = "no thread waits for ever while nothing is pending",
                    .deadlock = "threads wait while nothing is pending"},
    [KERNEL_SYSTEMC] = {.name = "systemc",
                        .rules = RULES_SYSTEMC,
                        .waits_for_events = true,
                        .scheduler_moves = true,
                        .steps_are_segments = true,
                        .has_simulated_time = true,
                        .has_delta_cycles = true,
                        .elaborates = true,
                        .updates_after_stop = true,
                        .leaves_due_at_end = true,
                        .controls_at_once = true,
                        .start_calls_main = true,
                        .memory_is_bytes = true,
                        .most_unknown_cells = UINT64_MAX,
                        .has_library = true,
                        .library_is_headers = true,
                        .has_simulator = true,
                        .no_deadlock = "no thread waits for ever while nothing is pending",
                        .deadlock = "threads wait while nothing is pending"},
    [KERNEL_PREEMPTIVE] = {.name = "preemptive",
                           .rules = RULES_PREEMPTIVE,
                           .preempts = true,
                           .creates_threads = true,
                           .steps_are_operations = true,
                           .others_go_on_without = true,
                           .threads_hang_apart = true,
                           .loops_can_wait = true,
                           .should_end = true,
                           .start_calls_main = true,
                           .main_returns = true,
                           .memory_is_bytes = true,
                           .accesses_may_race = true,
                           .sharing_is_known = true,
                           .effects_are_exact = true,
                           .stacks_are_apart = true,
                           .constants_are_protected = true,
                           .unmodelled_is_any_number = true,
                           .most_unknown_cells = 1 << 16,
                           .has_library = true,
                           .models_keep_objects = true,
                           .traces_tell_heap = true,
                           .no_deadlock = "no thread is blocked for ever",
                           .deadlock = "a thread is blocked for ever"}};

void kernels_describe(bool (*has_trait)(const kernel_traits *k), text *out) {
    const char *between = "";
    for (unsigned r = 0; r < RULES_KINDS; r++) {
        bool some = false;
        for (unsigned k = 0; k < KERNEL_KINDS; k++)
            some |= kernel_dialects[k].rules == (kernel_rules)r && has_trait(&kernel_dialects[k]);
        if (!some) continue;
        text_add(out, between);
        rules_describe((kernel_rules)r, " and ", out);
        between = ", ";
    }
}
