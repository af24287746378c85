#include "cli/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const command commands[] = {
    {"check", HEDDLE_FOR_CHECK, "FILE...",
     "Verify: safe, unsafe with a counterexample, or unknown with the reason."},
    {"simulate", HEDDLE_FOR_SIMULATE, "FILE", "Run one schedule, chosen by --seed, and print it."},
    {"compare", HEDDLE_FOR_COMPARE, "FILE",
     "Check with every engine and reduction and print a table; or, with --matrix, many programs."},
    {"explain", HEDDLE_FOR_EXPLAIN, "TRACE [FILE...]",
     "Step through a counterexample that --trace has written, or say what becomes of it on changed files: "
     "still fails, fixed along this schedule, or where it diverges."},
    {"dump", HEDDLE_FOR_DUMP, "FILE", "Print the program representation, or what --what asks for."},
    {NULL, 0, NULL, NULL},
};

const command *command_find(const char *name) {
    const command *c = commands;
    while (c->name && strcmp(c->name, name)) c++;
    return c->name ? c : NULL;
}

static bool complain(const char *format, const char *a, const char *b) {
    fputs("heddle: ", stderr);
    fprintf(stderr, format, a, b);
    fputs("\nTry 'heddle --help'.\n", stderr);
    return false;
}

/* --- options -------------------------------------------------------------------------------------------- */

static const heddle_option *find_option(const char *name, bool *negated) {
    const heddle_option *all = heddle_options();
    *negated = false;
    for (const heddle_option *o = all; o->name; o++)
        if (!strcmp(o->name, name)) return o;
    if (strncmp(name, "no-", 3)) return NULL;
    *negated = true;
    for (const heddle_option *o = all; o->name; o++)
        if (o->kind == HEDDLE_OPTION_SWITCH && !strcmp(o->name, name + 3)) return o;
    return NULL;
}

enum { LONGEST_NAME = 64 };

/* Edits (insert, delete, replace) that turn a into b. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[LONGEST_NAME + 1], width = strlen(b);
    if (width > LONGEST_NAME) return SIZE_MAX;
    for (size_t j = 0; j <= width; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]), shorter = row[j] + 1,
                   longer = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
            if (longer < row[j]) row[j] = longer;
        }
    }
    return row[width];
}

static bool complain_unknown_option(const char *name) {
    const char *nearest = NULL;
    size_t least = 3;
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        size_t distance = edit_distance(name, o->name);
        if (distance < least) {
            least = distance;
            nearest = o->name;
        }
    }
    return nearest ? complain("unknown option '--%s'; did you mean '--%s'?", name, nearest)
                   : complain("unknown option '--%s'", name, "");
}

static bool add_script(arguments *out, const char *commands_of_stepper) {
    const char **more = realloc(out->script, (out->script_count + 1) * sizeof *more);
    if (!more) return complain("out of memory%s%s", "", "");
    out->script = more;
    out->script[out->script_count++] = commands_of_stepper;
    return true;
}

static void add_file(heddle *h, arguments *out, const char *name) {
    bool is_trace = out->command->bit == HEDDLE_FOR_EXPLAIN && !out->trace;
    if (is_trace) {
        out->trace = name;
    } else {
        heddle_add_file(h, name);
        if (!out->first_file) out->first_file = name;
        out->files++;
    }
}

/* `--name`, `--name=value` or `--name value`; *at moves to the last word used. */
static bool parse_option(int argc, char **argv, int *at, heddle *h, arguments *out) {
    const char *word = argv[*at] + 2, *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    char name[LONGEST_NAME + 1];
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *value = equals ? equals + 1 : NULL;

    bool negated;
    const heddle_option *option = length <= LONGEST_NAME ? find_option(name, &negated) : NULL;
    if (!option) return complain_unknown_option(name);
    if (!(option->commands & out->command->bit))
        return complain("option '--%s' is not for '%s'", name, out->command->name);
    if (option->kind != HEDDLE_OPTION_SWITCH && !value) {
        if (*at + 1 >= argc) return complain("option '--%s' needs a value: %s", name, option->argument);
        value = argv[++*at];
    }
    bool is_list = out->command->bit == HEDDLE_FOR_COMPARE && !negated;
    if (is_list && !strcmp(name, "engine")) return out->engine = value, true;
    if (is_list && !strcmp(name, "por")) return out->por = value, true;
    if (is_list && !strcmp(name, "match")) return out->match = value, true;
    if (!strcmp(name, "command")) return add_script(out, value);
    const char *error = heddle_set(h, name, value);
    out->options++;
    return !error || complain("%s%s", error, "");
}

/* What people write for compilers: -DX, -D X, -std=c99; and --32. *at moves to the last word used. */
static bool parse_short(int argc, char **argv, int *at, heddle *h, bool *known) {
    static const struct {
        const char *word, *name, *value; /* value NULL: the rest of the word, or the next word */
    } table[] = {{"-D", "define", NULL},         {"-I", "include", NULL},
                 {"-std=", "std", NULL},         {"--32", "data-model", "ILP32"},
                 {"--64", "data-model", "LP64"}, {"-m32", "data-model", "ILP32"},
                 {"-m64", "data-model", "LP64"}};
    const char *word = argv[*at];
    *known = false;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].word);
        if (table[i].value ? strcmp(word, table[i].word) : strncmp(word, table[i].word, length)) continue;
        *known = true;
        const char *value = table[i].value ? table[i].value : word + length;
        if (!*value && *at + 1 < argc) value = argv[++*at];
        if (!*value) return complain("option '%s' needs a value%s", table[i].word, "");
        const char *error = heddle_set(h, table[i].name, value);
        return !error || complain("%s%s", error, "");
    }
    return true;
}

/* Other flags of compilers. -U belongs among the macros: the last one of a name counts. */
static bool parse_flag(int argc, char **argv, int *at, heddle *h, bool *known) {
    const char *word = argv[*at];
    bool in_two;
    *known = word[1] != '-' && heddle_knows_flag(word, &in_two);
    if (!*known) return true;
    if (in_two && *at + 1 >= argc) return complain("option '%s' needs a value%s", word, "");
    const char *value = in_two ? argv[++*at] : NULL, *error = NULL;
    if (!strncmp(word, "-U", 2)) {
        char macro[512];
        snprintf(macro, sizeof macro, "%s%s", word, value ? value : "");
        error = heddle_set(h, "define", macro);
    } else {
        error = heddle_set(h, "flag", word);
        if (!error && value) error = heddle_set(h, "flag", value);
    }
    return !error || complain("%s%s", error, "");
}

static bool parse_help(const char *word, arguments *out) {
    if (!strcmp(word, "--help") || !strcmp(word, "-h"))
        out->help = HELP_TEXT;
    else if (!strcmp(word, "--help=all"))
        out->help = HELP_ALL;
    else if (!strcmp(word, "--help=man"))
        out->help = HELP_MANUAL;
    else if (!strcmp(word, "--help=markdown"))
        out->help = HELP_MARKDOWN;
    else if (!strcmp(word, "--help=engines"))
        out->help = HELP_ENGINES;
    else if (!strcmp(word, "--help=bash"))
        out->help = HELP_BASH;
    else if (!strcmp(word, "--help=zsh"))
        out->help = HELP_ZSH;
    else if (!strcmp(word, "--version") || !strcmp(word, "-V"))
        out->help = HELP_VERSION;
    return out->help != HELP_NONE;
}

bool arguments_parse(int argc, char **argv, heddle *h, arguments *out) {
    *out = (arguments){0};
    if (argc < 2) return complain("what to do?%s%s", "", "");
    if (parse_help(argv[1], out)) return true;
    out->command = command_find(argv[1]);
    if (!out->command) return complain("unknown command '%s'%s", argv[1], "");
    bool only_files = false, known;
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (only_files || word[0] != '-' || !word[1]) {
            add_file(h, out, word);
        } else if (!strcmp(word, "--")) {
            only_files = true;
        } else if (parse_help(word, out)) {
            return true;
        } else if (!parse_short(argc, argv, &i, h, &known)) {
            return false;
        } else if (known) {
            out->options++;
        } else if (!parse_flag(argc, argv, &i, h, &known)) {
            return false;
        } else if (known) {
            out->options++;
        } else if (word[1] != '-') {
            return complain("unknown option '%s'%s", word, "");
        } else if (!parse_option(argc, argv, &i, h, out)) {
            return false;
        }
    }
    bool may_lack_files = out->command->bit == HEDDLE_FOR_CHECK; /* a project file may name them */
    return out->files || out->trace || may_lack_files ||
           complain("'%s' needs a file%s", out->command->name, "");
}
