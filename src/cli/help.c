#include "cli/help.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 30 };

static const char summary[] = "Verifies concurrent programs for every input and every schedule.";

static const char *const exit_statuses[] = {
    "0  safe: no selected property can be violated, by any input under any schedule",
    "1  unsafe: a property is violated; the counterexample was replayed",
    "2  bad input or wrong usage",
    "3  unknown: the reason is in the first line",
    "4  internal error, or the result could not be written",
};
enum { EXIT_STATUSES = sizeof exit_statuses / sizeof *exit_statuses };

/* Prints `words` from column `column` on, continuing at INDENT. */
static void print_wrapped(FILE *out, const char *words, int column) {
    if (column >= INDENT - 1) {
        fputc('\n', out);
        column = 0;
    }
    fprintf(out, "%*s", INDENT - column, "");
    column = INDENT;
    bool first = true;
    while (*words) {
        int length = (int)strcspn(words, " ");
        if (!first && column + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            column = INDENT;
            first = true;
        }
        column += fprintf(out, "%s%.*s", first ? "" : " ", length, words);
        first = false;
        words += length + (words[length] == ' ');
    }
    fputc('\n', out);
}

/* A switch that is on is shown by the way to turn it off. */
static bool shown_negated(const heddle_option *o) {
    return o->kind == HEDDLE_OPTION_SWITCH && !strcmp(o->preset, "on");
}

/* `--no-NAME` or `--NAME ARGUMENT`, then what it does with its values and default. */
static void spell_option(const heddle_option *o, char *out, size_t size) {
    snprintf(out, size, "--%s%s%s%s", shown_negated(o) ? "no-" : "", o->name, o->argument ? " " : "",
             o->argument ? o->argument : "");
}

static void describe_option(const heddle_option *o, char *out, size_t size) {
    size_t used = (size_t)snprintf(out, size, "%s%s%s", shown_negated(o) ? "Turns off: " : "", o->help,
                                   o->values ? " Values: " : "");
    for (const char *v = o->values; v && *v && used + 3 < size; v++) {
        out[used++] = *v == '|' ? ',' : *v;
        if (*v == '|') out[used++] = ' ';
        out[used] = 0;
    }
    bool has_preset = *o->preset && o->kind != HEDDLE_OPTION_SWITCH;
    if (used < size)
        snprintf(out + used, size - used, "%s%s%s%s", o->values ? "." : "", has_preset ? " Default: " : "",
                 has_preset ? o->preset : "", has_preset ? "." : "");
}

enum { LONGEST_TEXT = 1024 };

static void print_option(FILE *out, const heddle_option *o) {
    char words[LONGEST_TEXT];
    spell_option(o, words, sizeof words);
    int column = fprintf(out, "  %s", words);
    describe_option(o, words, sizeof words);
    print_wrapped(out, words, column);
}

static bool is_shown(const heddle_option *o, const command *only) {
    return !only || o->commands & only->bit;
}

/* What most users need; ten of them belong to `check`. */
static bool is_common(const heddle_option *o) {
    static const char *const names[] = {"property", "define",   "include", "engine", "jobs",
                                        "time",     "json",     "trace",   "html",   "replay-binary",
                                        "seed",     "schedule", "what",    "command"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(o->name, names[k])) return true;
    return false;
}

static void print_common_options(FILE *out, const command *of) {
    fprintf(out, "\nOptions%s:\n", of ? "" : " of check");
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (is_common(o) && o->commands & (of ? of->bit : (unsigned)HEDDLE_FOR_CHECK)) print_option(out, o);
}

static void print_options(FILE *out, const command *only) {
    const char *group = "";
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        if (!is_shown(o, only)) continue;
        if (strcmp(group, o->group)) fprintf(out, "\n%s:\n", o->group);
        group = o->group;
        print_option(out, o);
    }
}

void help_print(FILE *out, const command *only, bool all) {
    if (only) {
        fprintf(out, "Usage: heddle %s [OPTION...] %s\n%s\n", only->name, only->files, only->help);
    } else {
        fprintf(out, "Usage: heddle COMMAND [OPTION...] FILE...\n%s\n\nCommands:\n", summary);
        for (const command *c = commands; c->name; c++)
            print_wrapped(out, c->help, fprintf(out, "  %s %s", c->name, c->files));
    }
    if (all)
        print_options(out, only);
    else
        print_common_options(out, only);
    fputs("\n  --help, --help=all, --help=engines, --version\n", out);
    if (!all)
        fprintf(out, "\n'heddle %s%s--help=all' shows all options.\n", only ? only->name : "",
                only ? " " : "");
    fputs("\nExit status:\n", out);
    for (int i = 0; i < EXIT_STATUSES; i++) fprintf(out, "  %s\n", exit_statuses[i]);
}

/* --- manual page ---------------------------------------------------------------------------------------- */

static void roff_text(FILE *out, const char *s) {
    for (; *s; s++) {
        if (*s == '\\')
            fputs("\\e", out);
        else if (*s == '-')
            fputs("\\-", out);
        else
            fputc(*s, out);
    }
}

static void roff_option(FILE *out, const heddle_option *o) {
    char words[LONGEST_TEXT];
    spell_option(o, words, sizeof words);
    fputs(".TP\n.B ", out);
    roff_text(out, words);
    fputc('\n', out);
    describe_option(o, words, sizeof words);
    roff_text(out, words);
    fputc('\n', out);
}

static void roff_options(FILE *out, const command *only) {
    const char *group = "";
    fputs(".SH OPTIONS\n", out);
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        if (!is_shown(o, only)) continue;
        if (strcmp(group, o->group)) fprintf(out, ".SS %s\n", o->group);
        group = o->group;
        roff_option(out, o);
    }
}

static void roff_synopsis(FILE *out, const command *c) {
    fprintf(out, ".B heddle %s\n[\\fIOPTION\\fR...] \\fI%s\\fR\n.br\n", c->name, c->files);
}

static void roff_commands(FILE *out) {
    char *languages = heddle_languages();
    fputs("A program is ", out);
    roff_text(out, languages);
    fputs(". A \\fI.yml\\fR file is a task definition of SV\\-COMP and names them.\n.SH COMMANDS\n", out);
    free(languages);
    for (const command *c = commands; c->name; c++)
        fprintf(out, ".TP\n.B %s\n%s See \\fBheddle\\-%s\\fR(1).\n", c->name, c->help, c->name);
}

void help_print_manual(FILE *out, const command *only) {
    const char *dash = only ? "\\-" : "", *name = only ? only->name : "";
    fprintf(out, ".TH HEDDLE%s%s 1 \"\" \"heddle %s\" \"User Commands\"\n.SH NAME\n", dash, name,
            heddle_version());
    fprintf(out, "heddle%s%s \\- %s\n.SH SYNOPSIS\n", dash, name,
            only ? only->help : "verify concurrent programs");
    for (const command *c = commands; c->name; c++)
        if (!only || c == only) roff_synopsis(out, c);
    fprintf(out, ".SH DESCRIPTION\n%s\n", only ? only->help : summary);
    if (!only) roff_commands(out);
    roff_options(out, only);
    fputs(".SH EXIT STATUS\n", out);
    for (int i = 0; i < EXIT_STATUSES; i++)
        fprintf(out, ".TP\n.B %.1s\n%s\n", exit_statuses[i], exit_statuses[i] + 3);
    fputs(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf set and not empty, nothing is coloured unless asked for.\n",
          out);
    if (only) fputs(".SH SEE ALSO\n\\fBheddle\\fR(1)\n", out);
}

/* --- Markdown ------------------------------------------------------------------------------------------- */

void help_print_engines(FILE *out) {
    char *tables = heddle_engines();
    if (tables) fputs(tables, out);
    free(tables);
}

void help_print_markdown(FILE *out) {
    const char *group = "";
    for (const heddle_option *o = heddle_options(); o->name; o++) {
        char words[LONGEST_TEXT];
        if (strcmp(group, o->group))
            fprintf(out, "\n### %s\n\n| option | for | meaning |\n|---|---|---|\n", o->group);
        group = o->group;
        spell_option(o, words, sizeof words);
        fprintf(out, "| `%s` |", words);
        for (const command *c = commands; c->name; c++)
            if (o->commands & c->bit) fprintf(out, " %s", c->name);
        describe_option(o, words, sizeof words);
        fprintf(out, " | %s |\n", words);
    }
}
