#include "frontend/dlang/lexer.h"

typedef struct spelling {
    const char *text;
    uint8_t length, kind;
} spelling;

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
    const char *source;
    size_t length, next;
    position at; /* of next */
    diagnostics *d;
    token_list *out;
    bool good;
} lexer;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool continues_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '$';
}
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static char peek(const lexer *l, size_t ahead) {
    return l->next + ahead < l->length ? l->source[l->next + ahead] : 0;
}

static void advance(lexer *l, size_t count) {
    for (; count && l->next < l->length; count--, l->next++) {
        if (l->source[l->next] == '\n') {
            l->at.line++;
            l->at.column = 1;
        } else {
            l->at.column++;
        }
    }
}

static void report(lexer *l, position at, const char *problem) {
    diag_report(l->d, DIAG_ERROR, at, "%s", problem);
    l->good = false;
}

static void skip_blanks_and_comments(lexer *l) {
    for (;;) {
        if (is_blank(peek(l, 0))) {
            advance(l, 1);
        } else if (peek(l, 0) == '/' && peek(l, 1) == '/') {
            while (l->next < l->length && peek(l, 0) != '\n') advance(l, 1);
        } else {
            return;
        }
    }
}

static void add_token(lexer *l, token_kind kind, size_t skipped, size_t length) {
    assert(l->next + length + 2 * skipped <= l->length);
    const char *start = l->source + l->next + skipped;
    bool has_text = kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_STRING;
    bool counted = has_text && memchr(start, '$', length);
    token t = {(uint8_t)kind, counted, (uint32_t)length, start, l->at};
    vec_push(l->out, t);
    advance(l, length + 2 * skipped);
}

static void read_word(lexer *l) {
    size_t length = 1;
    while (continues_word(peek(l, length))) length++;
    token_kind kind = TOKEN_NAME;
    for (size_t w = 0; w < COUNT(words); w++)
        if (words[w].length == length && !memcmp(words[w].text, l->source + l->next, length))
            kind = words[w].kind;
    add_token(l, kind, 0, length);
}

static void read_number(lexer *l) {
    size_t length = 1;
    while (is_digit(peek(l, length)) || peek(l, length) == '$') length++;
    if (is_letter(peek(l, length)) || peek(l, length) == '_') {
        report(l, l->at, "malformed number");
        while (continues_word(peek(l, length))) length++;
        advance(l, length);
    } else {
        add_token(l, TOKEN_NUMBER, 0, length);
    }
}

static void read_string(lexer *l) {
    size_t length = 0;
    for (char c; (c = peek(l, length + 1)) != '"'; length++)
        if (c < ' ' || c > '~') {
            report(l, l->at,
                   c && c != '\n' ? "string with a character that is not printable" : "string without end");
            advance(l, length + 1);
            return;
        }
    add_token(l, TOKEN_STRING, 1, length);
}

static void read_punctuation(lexer *l) {
    for (size_t k = 0; k < COUNT(punctuation); k++) {
        size_t length = punctuation[k].length;
        if (l->next + length <= l->length && !memcmp(punctuation[k].text, l->source + l->next, length)) {
            add_token(l, punctuation[k].kind, 0, length);
            return;
        }
    }
    unsigned char byte = (unsigned char)peek(l, 0);
    diag_report(l->d, DIAG_ERROR, l->at,
                byte > ' ' && byte < 127 ? "unexpected character '%c'" : "unexpected byte 0x%02x", byte);
    l->good = false;
    advance(l, 1);
    while ((unsigned char)peek(l, 0) >= 128)
        advance(l, 1); /* the rest of a multi-byte character is not a second error */
}

static void read_token(lexer *l) {
    char c = peek(l, 0);
    if (is_letter(c))
        read_word(l);
    else if (is_digit(c) || c == '$')
        read_number(l);
    else if (c == '"')
        read_string(l);
    else
        read_punctuation(l);
}

bool dlang_tokenize(const char *source, size_t length, diagnostics *d, token_list *out) {
    lexer l = {.source = source, .length = length, .at = {1, 1}, .d = d, .out = out, .good = true};
    for (skip_blanks_and_comments(&l); l.next < length && d->errors < DIAG_MOST_ERRORS;
         skip_blanks_and_comments(&l)) {
        if (!source[l.next]) {
            report(&l, l.at, "zero byte: this is not a text file");
            break;
        }
        read_token(&l);
    }
    token end = {TOKEN_END, false, 0, "", l.at};
    vec_push(out, end);
    return l.good;
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
