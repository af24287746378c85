/* A trace file, read only: what `--trace` has written, or a whole result of `--json`.
 *
 * The file may be anything: every question about it has an answer, "" or 0 where it does not say. */
#ifndef HEDDLE_CLI_TRACE_VIEW_H
#define HEDDLE_CLI_TRACE_VIEW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct viewed_file { /* a program text that the trace speaks of */
    const char *name;
    char *text;           /* NULL: it cannot be read */
    bool listed, changed; /* since the trace was written; not listed: nobody knows */
} viewed_file;

typedef struct trace_view {
    char *json; /* the text of the trace */
    size_t length;
    json_t *root;
    json_t *steps; /* that reports show */
    const json_t *trace, *property;
    size_t count; /* of steps */
    viewed_file *files;
    size_t file_count;
} trace_view;

typedef struct viewed_place {
    const char *file; /* "": nowhere */
    int line, column;
} viewed_place;

/* NULL, or why it cannot be read; to be closed in either case. */
const char *trace_view_open(const char *path, trace_view *v);
void trace_view_close(trace_view *v);

/* Makes the folder that the names of the program's files begin at the working one, unless they are found from
 * here: the one that the trace was written in, that of `file`, the trace, or one above it. */
void trace_view_enter_folder(trace_view *v, const char *file);

bool trace_view_sources_changed(const trace_view *v); /* some file is not what it was, or gone */

const char *view_text(const json_t *object, const char *key);     /* "" if it is no text */
const json_t *view_list(const json_t *object, const char *key);   /* NULL if it is no list */
const json_t *trace_view_step(const trace_view *v, size_t index); /* from 0 */
viewed_place view_place(const json_t *object, const char *key);
const char *trace_view_thread(const trace_view *v, size_t index);

/* The line of a file, without its end; NULL: not known. */
const char *trace_view_line(trace_view *v, const char *file, int line, size_t *length);

#endif
