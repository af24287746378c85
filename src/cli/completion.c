#include "cli/completion.h"

#include "cli/arguments.h"

#include <string.h>

/* A switch that is on is turned off. */
static const char *prefix_of(const heddle_option *o) {
    return o->kind == HEDDLE_OPTION_SWITCH && !strcmp(o->preset, "on") ? "no-" : "";
}

static bool takes_file(const heddle_option *o) {
    return o->kind == HEDDLE_OPTION_FILE || (o->argument && strstr(o->argument, "FILE"));
}

static void print_commands(FILE *out, const char *between) {
    for (const command *c = commands; c->name; c++)
        fprintf(out, "%s%s", c == commands ? "" : between, c->name);
}

static void print_values(FILE *out, const char *values) {
    for (; *values; values++) fputc(*values == '|' ? ' ' : *values, out);
}

/* --- bash ----------------------------------------------------------------------------------------------- */

static void print_bash_options(FILE *out, const command *c) {
    fprintf(out, "        %s) options='", c->name);
    for (const heddle_option *o = heddle_options(); o->name; o++)
        if (o->commands & c->bit) fprintf(out, "--%s%s ", prefix_of(o), o->name);
    fputs("--help' ;;\n", out);
}

/* What may follow an option; others take a value that nobody can guess. */
static void print_bash_values(FILE *out, const heddle_option *o) {
    if (o->kind == HEDDLE_OPTION_SWITCH) return;
    fprintf(out, "        --%s) ", o->name);
    if (o->values) {
        fputs("_heddle_values '", out);
        print_values(out, o->values);
        fputs("'; ", out);
    } else if (takes_file(o)) {
        fputs("_heddle_files -f; ", out);
    } else if (o->argument && !strcmp(o->argument, "FOLDER")) {
        fputs("_heddle_files -d; ", out);
    }
    fputs("return ;;\n", out);
}

void completion_print_bash(FILE *out) {
    fputs("# bash completion of heddle; made from its table of options.\n"
          "_heddle_values() { # of a list: the last one\n"
          "    local before=\n"
          "    [[ $word == *,* ]] && before=${word%,*},\n"
          "    COMPREPLY=($(compgen -W \"$1\" -P \"$before\" -- \"${word##*,}\"))\n"
          "}\n"
          "_heddle_files() { # names may have blanks\n"
          "    mapfile -t COMPREPLY < <(compgen \"$1\" -- \"$word\")\n"
          "}\n"
          "_heddle() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options=\n"
          "    COMPREPLY=()\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W '",
          out);
    print_commands(out, " ");
    fputs(" --help --version' -- \"$word\"))\n"
          "        return\n"
          "    fi\n"
          "    [[ $word == '=' ]] && word=\n"
          "    [[ $before == '=' ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    case $before in\n",
          out);
    for (const heddle_option *o = heddle_options(); o->name; o++) print_bash_values(out, o);
    fputs("    esac\n    case ${COMP_WORDS[1]} in\n", out);
    for (const command *c = commands; c->name; c++) print_bash_options(out, c);
    fputs("    esac\n"
          "    if [[ $word == -* ]]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    else\n"
          "        _heddle_files -f\n"
          "    fi\n"
          "}\n"
          "complete -o filenames -F _heddle heddle\n",
          out);
}

/* --- zsh ------------------------------------------------------------------------------------------------ */

/* The first sentence, inside '[...]' of a quoted word. */
static void print_zsh_help(FILE *out, const char *help) {
    for (const char *s = help; *s; s++) {
        if (*s == '.' && (s[1] == ' ' || !s[1])) break;
        if (*s == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *s))
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
    }
}

static bool is_repeatable(const heddle_option *o) {
    return o->kind == HEDDLE_OPTION_ASSIGNMENT || o->kind == HEDDLE_OPTION_TEXTS;
}

static void print_zsh_option(FILE *out, const heddle_option *o) {
    bool valued = o->kind != HEDDLE_OPTION_SWITCH;
    fprintf(out, "            '%s--%s%s%s[", is_repeatable(o) ? "*" : "", prefix_of(o), o->name,
            valued ? "=" : "");
    print_zsh_help(out, o->help);
    fputc(']', out);
    if (valued && o->values) {
        fprintf(out, ":%s:(", o->argument);
        print_values(out, o->values);
        fputc(')', out);
    } else if (valued) {
        fprintf(out, ":%s:%s", o->argument,
                takes_file(o)                    ? "_files"
                : !strcmp(o->argument, "FOLDER") ? "_files -/"
                                                 : " ");
    }
    fputs("' \\\n", out);
}

void completion_print_zsh(FILE *out) {
    fputs("#compdef heddle\n# zsh completion of heddle; made from its table of options.\n"
          "_heddle() {\n"
          "    if ((CURRENT == 2)); then\n"
          "        compadd ",
          out);
    print_commands(out, " ");
    fputs(" --help --version\n        return\n    fi\n    case ${words[2]} in\n", out);
    for (const command *c = commands; c->name; c++) {
        fprintf(out, "    %s)\n        shift words; ((CURRENT--))\n        _arguments \\\n", c->name);
        for (const heddle_option *o = heddle_options(); o->name; o++)
            if (o->commands & c->bit) print_zsh_option(out, o);
        fputs("            '*:file:_files' ;;\n", out);
    }
    fputs("    esac\n}\n_heddle \"$@\"\n", out);
}
