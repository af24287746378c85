#include "cli/toml.h"

#include "base/intern.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 4096, MOST_VALUES = 4096, LONGEST_FILE = 1 << 20 };

typedef struct reader {
    const char *path, *text, *at;
    FILE *errors;
    char table[LONGEST_WORD], key[LONGEST_WORD];
    char *values[MOST_VALUES];
    size_t count;
    intern seen; /* tables, and keys with theirs */
} reader;

static bool complain_at(reader *r, const char *at, const char *message) {
    unsigned line = 1, column = 1;
    for (const char *s = r->text; s < at; s++) {
        column = *s == '\n' ? 1 : column + 1;
        line += *s == '\n';
    }
    fprintf(r->errors, "%s:%u:%u: error: %s\n", r->path, line, column, message);
    return false;
}

static bool complain(reader *r, const char *message) {
    return complain_at(r, r->at, message);
}

static void skip_blanks(reader *r) {
    r->at += strspn(r->at, " \t");
}

static void skip_comment(reader *r) {
    skip_blanks(r);
    if (*r->at == '#') r->at += strcspn(r->at, "\n");
}

static void skip_lines(reader *r) {
    do {
        skip_comment(r);
        r->at += strspn(r->at, "\r\n");
        skip_blanks(r);
    } while (*r->at == '#' || *r->at == '\n' || *r->at == '\r');
}

static bool at_line_end(reader *r) {
    skip_comment(r);
    if (!*r->at || *r->at == '\n' || !strncmp(r->at, "\r\n", 2)) return true;
    return complain(r, "the line should end here");
}

/* --- values --------------------------------------------------------------------------------------------- */

static bool append(reader *r, char *out, size_t *used, char c) {
    if (*used + 1 >= LONGEST_WORD) return complain(r, "this is too long");
    out[(*used)++] = c;
    out[*used] = 0;
    return true;
}

static bool read_escape(reader *r, char *c) {
    static const char letters[] = "btnfr\"\\", meant[] = "\b\t\n\f\r\"\\";
    const char *which = r->at[1] ? strchr(letters, r->at[1]) : NULL;
    if (!which) return complain(r, "no such escape");
    *c = meant[which - letters];
    r->at += 2;
    return true;
}

static bool read_string(reader *r, char *out) {
    char quote = *r->at, c;
    size_t used = 0;
    const char *begin = r->at;
    out[0] = 0;
    if (!strncmp(r->at, "\"\"\"", 3) || !strncmp(r->at, "'''", 3))
        return complain(r, "strings of several lines are not supported");
    for (r->at++; *r->at != quote;) {
        if (!*r->at || *r->at == '\n') return complain_at(r, begin, "this string does not end");
        if (quote == '"' && *r->at == '\\') {
            if (!read_escape(r, &c)) return false;
        } else {
            c = *r->at++;
        }
        if (!append(r, out, &used, c)) return false;
    }
    r->at++;
    return true;
}

/* Numbers, true and false; options are text in the end. */
static bool read_bare(reader *r, char *out) {
    size_t used = 0;
    out[0] = 0;
    while (isalnum((unsigned char)*r->at) || (*r->at && strchr("+-._", *r->at)))
        if (!append(r, out, &used, *r->at++)) return false;
    bool number = used && out[strspn(out, "+-0123456789._")] == 0 && !strchr(out + 1, '-');
    if (number || !strcmp(out, "true") || !strcmp(out, "false")) return true;
    r->at -= used;
    return complain(r, "a string in quotes, a number, true or false should stand here");
}

static bool read_scalar(reader *r) {
    char word[LONGEST_WORD];
    if (r->count == MOST_VALUES) return complain(r, "too many values");
    bool quoted = *r->at == '"' || *r->at == '\'';
    if (quoted ? !read_string(r, word) : !read_bare(r, word)) return false;
    r->values[r->count] = strdup(word);
    return r->values[r->count] && ++r->count;
}

static bool read_array(reader *r) {
    for (r->at++;;) {
        skip_lines(r);
        if (*r->at == ']') break;
        if (*r->at == '[' || *r->at == '{') return complain(r, "only plain values can be in an array");
        if (!read_scalar(r)) return false;
        skip_lines(r);
        if (*r->at == ',')
            r->at++;
        else if (*r->at != ']')
            return complain(r, "',' or ']' should stand here");
    }
    r->at++;
    return true;
}

/* --- lines ---------------------------------------------------------------------------------------------- */

static bool is_name_character(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* a.b."c d": parts joined by dots. */
static bool read_name(reader *r, char *out) {
    size_t used = 0;
    out[0] = 0;
    for (;;) {
        skip_blanks(r);
        size_t before = used;
        if (*r->at == '"' || *r->at == '\'') {
            char part[LONGEST_WORD];
            if (!read_string(r, part)) return false;
            for (char *c = part; *c; c++) {
                if (iscntrl((unsigned char)*c)) return complain(r, "names have no control characters");
                if (!append(r, out, &used, *c)) return false;
            }
        }
        while (is_name_character(*r->at))
            if (!append(r, out, &used, *r->at++)) return false;
        if (used == before) return complain(r, "a name should stand here");
        skip_blanks(r);
        if (*r->at != '.') return true;
        if (!append(r, out, &used, *r->at++)) return false;
    }
}

static bool read_table(reader *r) {
    if (r->at[1] == '[') return complain(r, "arrays of tables are not supported");
    r->at++;
    if (!read_name(r, r->table)) return false;
    if (*r->at != ']') return complain(r, "']' should stand here");
    r->at++;
    return at_line_end(r);
}

static bool read_key(reader *r, bool *is_array) {
    if (!read_name(r, r->key)) return false;
    if (*r->at != '=') return complain(r, "'=' should stand here");
    r->at++;
    skip_blanks(r);
    *is_array = *r->at == '[';
    if (*r->at == '{') return complain(r, "tables in one line are not supported");
    return (*is_array ? read_array(r) : read_scalar(r)) && at_line_end(r);
}

/* Which of two would count is anybody's guess. */
static bool is_new(reader *r, bool is_table) {
    text name = {0};
    text_add(&name, r->table);
    if (!is_table) text_format(&name, "\n%s", r->key); /* no name has a line end: see read_name */
    bool fresh = intern_find(&r->seen, text_cstr(&name)) == INTERN_ABSENT;
    intern_string(&r->seen, text_cstr(&name));
    text_free(&name);
    return fresh;
}

static void forget_values(reader *r) {
    for (size_t i = 0; i < r->count; i++) free(r->values[i]);
    r->count = 0;
}

static bool read_entries(reader *r, const char *(*take)(void *, const toml_entry *), void *data) {
    for (skip_lines(r); *r->at; skip_lines(r)) {
        const char *begin = r->at;
        bool is_table = *r->at == '[', is_array = false;
        if (is_table ? !read_table(r) : !read_key(r, &is_array)) return false;
        if (!is_new(r, is_table))
            return complain_at(r, begin,
                               is_table ? "this table stands here twice" : "this key stands here twice");
        toml_entry e = {r->table, is_table ? NULL : r->key, (const char *const *)r->values, r->count,
                        is_array};
        const char *wrong = take(data, &e);
        forget_values(r);
        if (wrong) return complain_at(r, begin, wrong);
    }
    return true;
}

/* NULL: it cannot be read, and errno says why. */
static char *read_whole(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *all = malloc(LONGEST_FILE + 1);
    size_t length = all ? fread(all, 1, LONGEST_FILE + 1, f) : 0;
    bool good = all && !ferror(f) && length <= LONGEST_FILE;
    if (all && length > LONGEST_FILE) errno = EFBIG;
    fclose(f);
    if (!good) {
        free(all);
        return NULL;
    }
    all[length] = 0;
    *size = length;
    return all;
}

bool toml_read(const char *path, const char *(*take)(void *data, const toml_entry *e), void *data,
               FILE *errors) {
    static const char byte_order_mark[] = "\xef\xbb\xbf"; /* some editors write one */
    size_t length = 0;
    char *all = read_whole(path, &length);
    if (!all) {
        fprintf(errors, "%s: error: %s\n", path, strerror(errno));
        return false;
    }
    reader *r = calloc(1, sizeof *r);
    bool good = r != NULL;
    if (r) {
        r->path = path;
        r->text = r->at = all;
        r->errors = errors;
        if (!strncmp(all, byte_order_mark, sizeof byte_order_mark - 1)) r->at += sizeof byte_order_mark - 1;
        good = read_entries(r, take, data);
        if (good && r->at != all + length) good = complain(r, "a zero byte should not stand here");
        forget_values(r);
        intern_free(&r->seen);
    }
    free(r);
    free(all);
    return good;
}
