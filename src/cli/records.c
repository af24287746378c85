#include "cli/records.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char header[] =
    "program,configuration,parameters,repetition,verdict,reason,engine,por,match,seconds,cpu_seconds,"
    "transitions,states,solver_queries,peak_memory_bytes\n";

enum { FIELDS = 15 };

void record_free(record *r) {
    char *all[] = {r->program, r->configuration, r->parameters, r->verdict,
                   r->reason,  r->engine,        r->por,        r->match};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) mem_free(all[i]);
}

void records_free(records *r) {
    for (size_t i = 0; i < r->size; i++) record_free(&r->data[i]);
    vec_free(r);
}

bool record_is_decided(const record *r) {
    return !strcmp(r->verdict, "safe") || !strcmp(r->verdict, "unsafe");
}

const record *records_find(const records *all, const record *like) {
    for (size_t i = 0; i < all->size; i++) {
        const record *r = &all->data[i];
        if (r->repetition == like->repetition && !strcmp(r->program, like->program) &&
            !strcmp(r->configuration, like->configuration) && !strcmp(r->parameters, like->parameters))
            return r;
    }
    return NULL;
}

/* --- writing -------------------------------------------------------------------------------------------- */

/* Quoted where it must be; line ends would make two lines of one. */
static void add_field(text *line, const char *field) {
    bool quoted = strpbrk(field, ",\"\r\n") != NULL;
    if (line->size) text_char(line, ',');
    if (quoted) text_char(line, '"');
    for (const char *c = field; *c; c++) {
        if (*c == '"') text_char(line, '"');
        text_char(line, *c == '\n' || *c == '\r' ? ' ' : *c);
    }
    if (quoted) text_char(line, '"');
}

bool records_append(FILE *file, const record *r) {
    text line = {0};
    char number[32];
    add_field(&line, r->program);
    add_field(&line, r->configuration);
    add_field(&line, r->parameters);
    snprintf(number, sizeof number, "%u", r->repetition);
    add_field(&line, number);
    const char *const words[] = {r->verdict, r->reason, r->engine, r->por, r->match};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) add_field(&line, words[i]);
    text_format(&line, ",%.6f,%.6f,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", r->seconds,
                r->cpu_seconds, r->transitions, r->states, r->solver_queries, r->peak_memory_bytes);
    bool good = fwrite(text_cstr(&line), 1, line.size, file) == line.size && !fflush(file);
    text_free(&line);
    return good;
}

FILE *records_open(const char *path) {
    FILE *file = fopen(path, "a");
    bool good = file != NULL;
    if (good && !ftell(file)) good = fputs(header, file) != EOF && !fflush(file);
    if (good) return file;
    fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
    if (file) fclose(file);
    return NULL;
}

/* --- reading -------------------------------------------------------------------------------------------- */

/* Fields of one line, in place; *at moves behind it. How many there were. */
static size_t split_line(char **at, char *fields[FIELDS]) {
    size_t count = 0;
    char *s = *at;
    for (bool more = true; more;) {
        bool quoted = *s == '"';
        char *from = s + quoted, *to = from, *begin = from;
        while (*from && (quoted || (*from != ',' && *from != '\n'))) {
            if (quoted && *from == '"' && from[1] != '"') break;
            if (quoted && *from == '"') from++;
            *to++ = *from++;
        }
        s = from + (quoted && *from == '"');
        more = *s == ',';
        char *next = s + (*s != 0);
        *to = 0;
        if (count < FIELDS) fields[count] = begin;
        count++;
        s = next;
    }
    *at = s;
    return count;
}

static record record_of(char *const f[FIELDS]) {
    return (record){.program = mem_copy_string(f[0]),
                    .configuration = mem_copy_string(f[1]),
                    .parameters = mem_copy_string(f[2]),
                    .repetition = (unsigned)strtoul(f[3], NULL, 10),
                    .verdict = mem_copy_string(f[4]),
                    .reason = mem_copy_string(f[5]),
                    .engine = mem_copy_string(f[6]),
                    .por = mem_copy_string(f[7]),
                    .match = mem_copy_string(f[8]),
                    .seconds = strtod(f[9], NULL),
                    .cpu_seconds = strtod(f[10], NULL),
                    .transitions = strtoull(f[11], NULL, 10),
                    .states = strtoull(f[12], NULL, 10),
                    .solver_queries = strtoull(f[13], NULL, 10),
                    .peak_memory_bytes = strtoull(f[14], NULL, 10)};
}

static char *read_whole(const char *path, size_t *length) {
    FILE *f = fopen(path, "rb");
    struct stat info;
    if (!f) return NULL;
    char *all = fstat(fileno(f), &info) ? NULL : mem_alloc((size_t)info.st_size + 1);
    *length = all ? fread(all, 1, (size_t)info.st_size, f) : 0;
    if (all) all[*length] = 0;
    fclose(f);
    return all;
}

bool records_read(const char *path, records *out) {
    size_t length = 0;
    char *all = read_whole(path, &length);
    if (!all) {
        if (errno == ENOENT) return true;
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return false;
    }
    size_t whole = length;
    while (whole && all[whole - 1] != '\n') whole--;
    bool good = !length || (whole >= sizeof header - 1 && !strncmp(all, header, sizeof header - 1));
    all[whole] = 0;
    if (good && whole < length) good = !truncate(path, (off_t)whole); /* the last line was torn */
    for (char *at = all + (whole ? sizeof header - 1 : 0); good && *at;) {
        char *fields[FIELDS];
        good = split_line(&at, fields) == FIELDS;
        if (good) vec_push(out, record_of(fields));
    }
    if (!good) fprintf(stderr, "%s: error: this is not a table that Heddle has begun\n", path);
    mem_free(all);
    return good;
}
