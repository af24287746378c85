#include "report/source_text.h"

#include "base/utf8.h"
#include "report/json_text.h"

#include <ctype.h>

static const char *file_text(const report_file *files, size_t count, const char *file) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(files[i].name, file)) return files[i].text;
    return NULL;
}

static size_t line_length(const char *line) {
    return line ? strcspn(line, "\r\n") : 0;
}

const char *report_source_line(const report_file *files, size_t count, const char *file, uint32_t line,
                               size_t *length) {
    const char *s = file_text(files, count, file);
    uint32_t n = 1;
    for (; s && *s && n < line; s++) n += *s == '\n';
    if (n != line) s = NULL;
    *length = line_length(s);
    return s;
}

json_t *report_line_json(const report_file *files, size_t count, const char *file, position at) {
    enum { LONGEST_LINE = 400 };
    size_t length = 0;
    const char *line = at.line ? report_source_line(files, count, file, at.line, &length) : NULL;
    char copy[LONGEST_LINE + 1] = "";
    if (line) memcpy(copy, line, length < LONGEST_LINE ? length : LONGEST_LINE);
    return line ? json_safe_string(copy) : json_null();
}

const char *source_line(const report *r, const char *file, uint32_t line) {
    size_t length;
    return report_source_line(r->files, r->file_count, file, line, &length);
}

/* --- characters ----------------------------------------------------------------------------------------- */

/* The character at s, which ends at `length` at the latest. */
static size_t next_character(const char *s, size_t length, uint32_t *code) {
    char last[5] = {0};
    if (length > 4) return utf8_next(s, code);
    memcpy(last, s, length);
    if (*last) return utf8_next(last, code);
    *code = UTF8_INVALID;
    return 1;
}

void source_print(const char *s, size_t length, text *out) {
    uint32_t code;
    for (size_t at = 0, bytes; at < length; at += bytes) {
        bytes = next_character(s + at, length - at, &code);
        bool is_control = (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0) ||
                          (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        if (code == UTF8_INVALID || is_control)
            text_add(out, "\xef\xbf\xbd");
        else
            text_add_bytes(out, s + at, bytes);
    }
}

/* On a terminal: marks that go onto the letter before, and ideographs. */
static size_t width_of(uint32_t code) {
    static const struct {
        uint32_t from, to;
    } wide[] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},
                {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
    if (code >= 0x300 && code <= 0x36f) return 0;
    for (size_t k = 0; k < sizeof wide / sizeof *wide; k++)
        if (code >= wide[k].from && code <= wide[k].to) return 2;
    return 1;
}

void source_print_blanks(const char *s, size_t length, text *out) {
    uint32_t code;
    for (size_t at = 0; at < length;) {
        at += next_character(s + at, length - at, &code);
        for (size_t k = 0; k < width_of(code); k++) text_char(out, code == '\t' ? '\t' : ' ');
    }
}

static bool is_inside_character(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

void source_window(const char *s, size_t length, size_t column, size_t most, size_t *begin, size_t *end) {
    *begin = length > most && column > most - most / 4 ? column - most / 3 : 0;
    if (*begin && length - *begin < most) *begin = length - most;
    *end = length - *begin > most ? *begin + most : length;
    while (*begin && *begin < *end && is_inside_character(s[*begin])) ++*begin;
    while (*end<length && * end> * begin && is_inside_character(s[*end])) --*end;
    assert(*begin <= *end && *end <= length && *end - *begin <= (length < most ? length : most));
}

uint32_t source_utf16_column(const report *r, const char *file, position at) {
    size_t length;
    const char *s = report_source_line(r->files, r->text_count, file, at.line, &length);
    uint32_t column = 1, code;
    if (!s || !at.column || at.column > length + 1) return at.column;
    for (size_t k = 0; k + 1 < at.column; column += code > 0xffff ? 2 : 1)
        k += next_character(s + k, length - k, &code);
    return column;
}

/* --- statements ----------------------------------------------------------------------------------------- */

static bool begins_with_word(const char *s, const char *word) {
    size_t length = strlen(word);
    return !strncmp(s, word, length) && !isalnum((unsigned char)s[length]) && s[length] != '_';
}

static bool is_one_of(const char *s, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (begins_with_word(s, words[i])) return true;
    return false;
}

/* The last character before `end` that is no blank and not on a line of its own that is a comment or a
 * directive; 0: none. */
static char character_before(const char *begin, const char *end) {
    while (end > begin) {
        const char *line = end - 1;
        while (line > begin && line[-1] != '\n') line--;
        const char *first = line + strspn(line, " \t");
        bool is_skipped = first >= end || *first == '#' || !strncmp(first, "//", 2);
        const char *last = end;
        while (last > line && isspace((unsigned char)last[-1])) last--;
        if (last > line && !is_skipped) {
            const char *comment = NULL;
            for (const char *s = line; s + 1 < last && !comment; s++)
                if (s[0] == '/' && s[1] == '/') comment = s;
            if (comment) last = comment;
            while (last > line && isspace((unsigned char)last[-1])) last--;
            if (last > line) return last[-1];
        }
        end = line;
    }
    return 0;
}

bool source_begins_statement(const report *r, const char *file, uint32_t line) {
    static const char *const heads[] = {"for", "while", "do", "else", "case", "default"};
    const char *begin = file_text(r->files, r->file_count, file), *s = source_line(r, file, line);
    if (!s) return false;
    const char *first = s + strspn(s, " \t");
    if (!isalpha((unsigned char)*first) && *first != '_' && *first != '*') return false;
    if (is_one_of(first, heads, sizeof heads / sizeof *heads)) return false;
    char before = character_before(begin, s);
    return before == ';' || before == '{' || before == '}';
}

size_t source_call(const report *r, const char *file, position at, position *closing) {
    const char *s = source_line(r, file, at.line);
    if (!s || !at.column || at.column > line_length(s)) return 0;
    s += at.column - 1;
    size_t name = 0;
    while (isalnum((unsigned char)s[name]) || s[name] == '_') name++;
    const char *open = s + name + strspn(s + name, " \t");
    if (!name || isdigit((unsigned char)*s) || *open != '(') return 0;
    position p = {at.line, at.column + (uint32_t)(open - s)};
    int depth = 0;
    for (; *open; open++, p.column++) {
        depth += *open == '(';
        depth -= *open == ')';
        if (!depth) {
            *closing = p;
            return name;
        }
        if (*open == '\n') p = (position){p.line + 1, 0};
        if (*open == '"' || *open == '\'') return 0; /* a parenthesis in it would mislead */
    }
    return 0;
}

uint32_t source_loop(const report *r, const char *file, uint32_t line) {
    static const char *const keywords[] = {"for", "while", "do"};
    const char *s = source_line(r, file, line);
    uint32_t column = 0;
    bool inside_word = false;
    for (size_t k = 0; k < line_length(s); k++) {
        bool begins = !inside_word && is_one_of(s + k, keywords, sizeof keywords / sizeof *keywords);
        inside_word = isalnum((unsigned char)s[k]) || s[k] == '_';
        if (!begins) continue;
        if (column || s[k] == 'd') return 0; /* the condition of a do is elsewhere */
        column = (uint32_t)k + 1;
    }
    return column;
}

/* --- the statement around a place ----------------------------------------------------------------------- */

static bool ends_statement(char c) {
    return c == ';' || c == '{' || c == '}';
}

/* A line whose end belongs to no statement. */
static bool is_remark(const char *line, const char *end) {
    if (line[strspn(line, " \t")] == '#') return true;
    for (; line + 1 < end; line++)
        if ((line[0] == '/' && line[1] == '/') || (line[0] == '*' && line[1] == '/')) return true;
    return false;
}

static const char *begin_of_line(const char *file, const char *at) {
    while (at > file && at[-1] != '\n') at--;
    return at;
}

static const char *begin_of_statement(const char *file, const char *at) {
    while (at > file && !ends_statement(at[-1])) {
        if (at[-1] == '\n' && is_remark(begin_of_line(file, at - 1), at - 1)) break;
        at--;
    }
    return at;
}

/* Behind the literal that begins here. */
static const char *behind_literal(const char *s) {
    const char quote = *s++;
    while (*s && *s != quote && *s != '\n') s += *s == '\\' && s[1] ? 2 : 1;
    return *s == quote ? s + 1 : s;
}

static const char *end_of_statement(const char *s) {
    while (*s && !ends_statement(*s)) s = *s == '"' || *s == '\'' ? behind_literal(s) : s + 1;
    return s;
}

void source_statement(const report *r, const char *file, position at, text *out) {
    size_t length;
    const char *whole = file_text(r->files, r->text_count, file);
    const char *line = at.line ? report_source_line(r->files, r->text_count, file, at.line, &length) : NULL;
    if (!line || !at.column || at.column > length + 1) return;
    const char *s = begin_of_statement(whole, line + at.column - 1);
    const char *end = end_of_statement(line + at.column - 1);
    for (bool blank = false; s < end; s++) {
        blank |= isspace((unsigned char)*s) != 0;
        if (isspace((unsigned char)*s)) continue;
        if (blank && out->size) text_char(out, ' ');
        blank = false;
        text_char(out, *s);
    }
}
