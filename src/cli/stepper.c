#include "cli/stepper.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_AROUND = 5 };

typedef struct words { /* of one command */
    const char *first; /* argument; "": none */
    const char *rest;  /* behind the first */
    char *copy;
} words;

typedef struct step_command {
    const char *name, *arguments, *help;
    const char *(*run)(stepper *s, const words *w); /* NULL, or what is wrong */
} step_command;

/* --- arguments ------------------------------------------------------------------------------------------ */

static bool parse_number(const char *text, size_t *out) {
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    unsigned long long n = strtoull(text, &end, 10);
    *out = (size_t)n;
    return !*end;
}

static const char *count_of(const words *w, size_t *out) {
    *out = 1;
    return !*w->first || (parse_number(w->first, out) && *out) ? NULL : "needs a number, 1 or more";
}

/* --- moving --------------------------------------------------------------------------------------------- */

static void move_to(stepper *s, size_t at) {
    if (at > s->view->count) at = s->view->count;
    if (at == s->at) fputs(at ? "the trace ends here\n" : "the trace begins here\n", s->out);
    s->at = at;
    show_step(s);
}

static const char *run_step(stepper *s, const words *w) {
    size_t n;
    const char *wrong = count_of(w, &n);
    if (!wrong) move_to(s, n > s->view->count - s->at ? s->view->count : s->at + n);
    return wrong;
}

static const char *run_back(stepper *s, const words *w) {
    size_t n;
    const char *wrong = count_of(w, &n);
    if (!wrong) move_to(s, n > s->at ? 0 : s->at - n);
    return wrong;
}

static const char *run_goto(stepper *s, const words *w) {
    size_t n = s->view->count;
    if (strcmp(w->first, "end") && !parse_number(w->first, &n)) return "needs the number of a step, or end";
    if (n > s->view->count) return "there are not so many steps";
    s->at = n;
    show_step(s);
    return NULL;
}

/* The first step from here on for which `is` holds; the trace stays where it is if there is none. */
static void run_to(stepper *s, bool (*is)(const stepper *s, size_t index, const words *w), const words *w,
                   const char *otherwise) {
    for (size_t i = s->at; i < s->view->count; i++)
        if (is(s, i, w)) {
            s->at = i + 1;
            show_step(s);
            return;
        }
    fprintf(s->out, "%s\n", otherwise);
}

static bool is_same_thread(const stepper *s, size_t index, const words *w) {
    (void)w;
    return !s->at || !strcmp(trace_view_thread(s->view, index), trace_view_thread(s->view, s->at - 1));
}

static bool is_other_thread(const stepper *s, size_t index, const words *w) {
    return !s->at || !is_same_thread(s, index, w);
}

static bool changes_it(const stepper *s, size_t index, const words *w) {
    return step_changes(trace_view_step(s->view, index), w->first, NULL);
}

static bool gives_it_value(const stepper *s, size_t index, const words *w) {
    return step_changes(trace_view_step(s->view, index), w->first, w->rest);
}

static bool contains_text(const stepper *s, size_t index, const words *w) {
    return step_contains(trace_view_step(s->view, index), w->copy);
}

static const char *run_next(stepper *s, const words *w) {
    run_to(s, is_same_thread, w, "this thread makes no further step");
    return NULL;
}

static const char *run_switch(stepper *s, const words *w) {
    run_to(s, is_other_thread, w, "no other thread makes a step any more");
    return NULL;
}

static const char *run_until(stepper *s, const words *w) {
    if (!*w->first) return "needs the name of a variable";
    run_to(s, changes_it, w, "it does not change any more");
    return NULL;
}

static const char *run_until_value(stepper *s, const words *w) {
    if (!*w->first || !*w->rest) return "needs the name of a variable and a value";
    run_to(s, gives_it_value, w, "it does not get this value any more");
    return NULL;
}

static const char *run_find(stepper *s, const words *w) {
    if (!*w->copy) return "needs a text";
    run_to(s, contains_text, w, "not found from here on");
    return NULL;
}

/* --- looking -------------------------------------------------------------------------------------------- */

static const char *run_print(stepper *s, const words *w) {
    if (!*w->first) return "needs the name of a variable, or a pattern";
    show_values(s, w->copy);
    return NULL;
}

static const char *run_list(stepper *s, const words *w) {
    size_t around = LINES_AROUND;
    if (*w->first && (!parse_number(w->first, &around) || around > 1000)) return "needs a number of lines";
    show_source(s, (int)around);
    return NULL;
}

static const char *run_threads(stepper *s, const words *w) {
    (void)w;
    show_threads(s);
    return NULL;
}

static const char *run_changes(stepper *s, const words *w) {
    (void)w;
    show_changes(s);
    return NULL;
}

static const char *run_inputs(stepper *s, const words *w) {
    (void)w;
    show_inputs(s);
    return NULL;
}

static const char *run_where(stepper *s, const words *w) {
    (void)w;
    show_where(s);
    return NULL;
}

static const char *run_help(stepper *s, const words *w);

static const step_command step_commands[] = {
    {"step", "[N]", "make the next N steps (1) and show the last of them", run_step},
    {"back", "[N]", "take N steps (1) back", run_back},
    {"goto", "N|end", "go behind step N; 0: to the beginning", run_goto},
    {"next", "", "go to the next step of the same thread", run_next},
    {"switch", "", "go to the next step of another thread", run_switch},
    {"until", "NAME", "go to the next step that changes a variable", run_until},
    {"until-value", "NAME VALUE", "go to the next step that gives it this value", run_until_value},
    {"find", "TEXT", "go to the next step that contains a text", run_find},
    {"print", "NAME", "values of variables now; * and ? stand for any letters", run_print},
    {"list", "[LINES]", "the program text around this step", run_list},
    {"threads", "", "where each thread stands and what it waits for", run_threads},
    {"changes", "", "what this step has changed", run_changes},
    {"inputs", "", "inputs drawn so far", run_inputs},
    {"where", "", "the number of this step, its thread and its place", run_where},
    {"help", "", "this list; commands may be shortened as long as they are unique", run_help},
    {"quit", "", "leave", NULL},
    {NULL, NULL, NULL, NULL},
};

static const char *run_help(stepper *s, const words *w) {
    (void)w;
    for (const step_command *c = step_commands; c->name; c++)
        fprintf(s->out, "  %-11s %-10s  %s\n", c->name, c->arguments, c->help);
    return NULL;
}

/* --- commands ------------------------------------------------------------------------------------------- */

static void complain(const char *what, const char *word, size_t length) {
    fprintf(stderr, "heddle: %s: '", what);
    char *copy = strndup(word, length);
    if (copy) put_text(stderr, copy);
    free(copy);
    fputs("'\n", stderr);
}

/* By its name, or by a beginning that no other one has. */
static const step_command *find_command(const char *word, size_t length) {
    const step_command *found = NULL;
    size_t count = 0;
    for (const step_command *c = step_commands; c->name; c++) {
        if (strncmp(c->name, word, length)) continue;
        if (!c->name[length]) return c;
        found = c;
        count++;
    }
    if (count != 1) complain(count ? "ambiguous command" : "unknown command; try 'help'", word, length);
    return count == 1 ? found : NULL;
}

static const char *skip_blanks(const char *s) {
    while (isspace((unsigned char)*s)) s++;
    return s;
}

/* The arguments behind the name of the command, without blanks around them. */
static bool split_words(const char *from, size_t length, words *w, char **first) {
    while (length && isspace((unsigned char)*from)) from++, length--;
    while (length && isspace((unsigned char)from[length - 1])) length--;
    w->copy = strndup(from, length);
    *first = w->copy ? strdup(w->copy) : NULL;
    if (!*first) return false;
    size_t word = 0;
    while ((*first)[word] && !isspace((unsigned char)(*first)[word])) word++;
    (*first)[word] = 0;
    w->first = *first;
    w->rest = skip_blanks(w->copy + word);
    return true;
}

static bool do_one(stepper *s, const char *command, size_t length, bool *quit) {
    size_t word = 0;
    while (word < length && !isspace((unsigned char)command[word])) word++;
    const step_command *c = find_command(command, word);
    if (!c) return false;
    if (!c->run) return *quit = true;
    words w = {0};
    char *first = NULL;
    const char *wrong =
        split_words(command + word, length - word, &w, &first) ? c->run(s, &w) : "out of memory";
    if (wrong) fprintf(stderr, "heddle: %s: %s\n", c->name, wrong);
    free(first);
    free(w.copy);
    return !wrong;
}

bool stepper_do(stepper *s, const char *line, bool *quit) {
    bool good = true;
    while (good && !*quit && *(line = skip_blanks(line))) {
        size_t length = strcspn(line, ";");
        if (length) good = do_one(s, line, length, quit);
        line += length + (line[length] == ';');
    }
    return good;
}

void stepper_greet(stepper *s) {
    fprintf(s->out, "%zu step%s", s->view->count, s->view->count == 1 ? "" : "s");
    const char *kind = view_text(s->view->property, "kind");
    if (*kind) {
        fprintf(s->out, " to a violation: %s: ", kind);
        put_text(s->out, view_text(s->view->property, "text"));
    }
    fputc('\n', s->out);
    for (size_t i = 0; i < s->view->file_count; i++)
        if (s->view->files[i].listed && s->view->files[i].changed) {
            put_text(s->out, s->view->files[i].name);
            fputs(s->view->files[i].text ? " has changed since\n" : " cannot be read any more\n", s->out);
        }
}

/* An empty line at the terminal does the last command again. */
bool stepper_read_commands(stepper *s) {
    char *line = NULL, *last = NULL;
    size_t room = 0;
    bool quit = false, good = true;
    while (!quit && (good || s->interactive)) {
        if (s->interactive) {
            fputs("(heddle) ", s->out);
            fflush(s->out);
        }
        if (getline(&line, &room, stdin) < 0) break;
        bool empty = !*skip_blanks(line);
        good = stepper_do(s, empty && s->interactive && last ? last : line, &quit);
        if (empty) continue;
        free(last);
        last = strdup(line);
    }
    free(line);
    free(last);
    return good || s->interactive;
}
