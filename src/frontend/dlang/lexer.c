#include "frontend/dlang/lexer.h"

#include "frontend/scan.h"

static const spelling punctuation[] = {
#define X(kind, text) {text, sizeof text - 1, TOKEN_##kind},
    DLANG_PUNCTUATION(X)
#undef X
};

static const spelling words[] = {
#define X(kind, text) {text, sizeof text - 1, TOKEN_##kind},
    DLANG_WORDS(X)
#undef X
};

#define COUNT(array) (sizeof array / sizeof *array)

typedef struct lexer {
    scan text;
    token_list *out;
} lexer;

static bool continues_word(char c) {
    return scan_is_letter(c) || scan_is_digit(c) || c == '_' || c == '-' || c == '$';
}
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char peek(const lexer *l, size_t ahead) {
    return scan_peek(&l->text, ahead);
}

static void report(lexer *l, const char *problem) {
    scan_report(&l->text, l->text.at, problem);
}

static void skip_blanks_and_comments(lexer *l) {
    for (;;) {
        if (is_blank(peek(l, 0)))
            scan_advance(&l->text, 1);
        else if (peek(l, 0) == '/' && peek(l, 1) == '/')
            scan_skip_line(&l->text);
        else
            return;
    }
}

static void add_token(lexer *l, token_kind kind, size_t skipped, size_t length) {
    assert(l->text.next + length + 2 * skipped <= l->text.length);
    const char *start = l->text.source + l->text.next + skipped;
    bool has_text = kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_STRING;
    bool counted = has_text && memchr(start, '$', length);
    token t = {(uint8_t)kind, counted, (uint32_t)length, start, l->text.at};
    vec_push(l->out, t);
    scan_advance(&l->text, length + 2 * skipped);
}

static void read_word(lexer *l) {
    size_t length = 1;
    while (continues_word(peek(l, length))) length++;
    const spelling *word = scan_find_word(&l->text, words, COUNT(words), length);
    add_token(l, word ? word->kind : TOKEN_NAME, 0, length);
}

static void read_number(lexer *l) {
    size_t length = 1;
    while (scan_is_digit(peek(l, length)) || peek(l, length) == '$') length++;
    if (scan_is_letter(peek(l, length)) || peek(l, length) == '_') {
        report(l, "malformed number");
        while (continues_word(peek(l, length))) length++;
        scan_advance(&l->text, length);
    } else {
        add_token(l, TOKEN_NUMBER, 0, length);
    }
}

static void read_string(lexer *l) {
    size_t length = 0;
    for (char c; (c = peek(l, length + 1)) != '"'; length++)
        if (c < ' ' || c > '~') {
            report(l,
                   c && c != '\n' ? "string with a character that is not printable" : "string without end");
            scan_advance(&l->text, length + 1);
            return;
        }
    add_token(l, TOKEN_STRING, 1, length);
}

static void read_punctuation(lexer *l) {
    const spelling *found = scan_find(&l->text, punctuation, COUNT(punctuation));
    if (found)
        add_token(l, found->kind, 0, found->length);
    else
        scan_refuse(&l->text);
}

static void read_token(lexer *l) {
    char c = peek(l, 0);
    if (scan_is_letter(c))
        read_word(l);
    else if (scan_is_digit(c) || c == '$')
        read_number(l);
    else if (c == '"')
        read_string(l);
    else
        read_punctuation(l);
}

bool dlang_tokenize(const char *source, size_t length, diagnostics *d, token_list *out) {
    lexer l = {.text = scan_begin(source, length, d), .out = out};
    for (skip_blanks_and_comments(&l); scan_goes_on(&l.text); skip_blanks_and_comments(&l)) read_token(&l);
    token end = {TOKEN_END, false, 0, "", l.text.at};
    vec_push(out, end);
    return l.text.good;
}

const char *dlang_token_spelling(token_kind kind) {
    static const char *const spellings[TOKEN_KINDS] = {
#define X(kind, text) [TOKEN_##kind] = text,
        DLANG_PUNCTUATION(X) DLANG_WORDS(X)
#undef X
    };
    return spellings[kind] ? spellings[kind] : "";
}

const char *dlang_token_name(token_kind kind) {
    static const char *const names[TOKEN_KINDS] = {[TOKEN_END] = "end of file",
                                                   [TOKEN_NAME] = "name",
                                                   [TOKEN_NUMBER] = "number",
                                                   [TOKEN_STRING] = "string",
#define X(kind, text) [TOKEN_##kind] = "'" text "'",
                                                   DLANG_PUNCTUATION(X) DLANG_WORDS(X)
#undef X
    };
    return names[kind];
}
