#include "frontend/ivl/lexer.h"

typedef struct spelling {
    const char *text;
    uint8_t length, kind;
} spelling;

static const spelling punctuation[] = {
#define X(kind, text) {text, sizeof text - 1, TOKEN_##kind},
    IVL_PUNCTUATION(X)
#undef X
};

static const spelling words[] = {
#define X(kind, text) {text, sizeof text - 1, TOKEN_##kind},
    IVL_WORDS(X)
#undef X
};

#define COUNT(array) (sizeof array / sizeof *array)

typedef struct lexer {
    const char *source;
    size_t length, next;
    position at; /* of next */
    diagnostics *d;
    token_list *out;
    VEC(uint32_t) open; /* brackets without partner so far */
    bool good;
} lexer;

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
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
        } else if (peek(l, 0) == '/' && peek(l, 1) == '*') {
            position begin = l->at;
            advance(l, 2);
            while (l->next < l->length && !(peek(l, 0) == '*' && peek(l, 1) == '/')) advance(l, 1);
            if (l->next >= l->length) report(l, begin, "comment without end");
            advance(l, 2);
        } else {
            return;
        }
    }
}

static bool opens(unsigned kind) {
    return kind == TOKEN_LEFT_PAREN || kind == TOKEN_LEFT_BRACKET || kind == TOKEN_LEFT_BRACE;
}

static bool closes(unsigned kind) {
    return kind == TOKEN_RIGHT_PAREN || kind == TOKEN_RIGHT_BRACKET || kind == TOKEN_RIGHT_BRACE;
}

/* A closing brace also closes forgotten parentheses below it, so that one slip does not unpair the rest of
 * the file. */
static void pair_bracket(lexer *l, uint32_t index) {
    token_list *tokens = l->out;
    unsigned kind = tokens->data[index].kind;
    if (opens(kind)) vec_push(&l->open, index);
    if (!closes(kind)) return;
    while (l->open.size) {
        uint32_t partner = vec_last(&l->open);
        bool fits = tokens->data[partner].kind + 1u == kind;
        if (!fits && kind != TOKEN_RIGHT_BRACE) return;
        (void)vec_pop(&l->open);
        if (!fits) continue;
        tokens->data[partner].match = index;
        tokens->data[index].match = partner;
        return;
    }
}

static void add_token(lexer *l, token_kind kind, size_t length) {
    assert(length && l->next + length <= l->length);
    token t = {(uint8_t)kind, (uint32_t)l->next, (uint32_t)length, NO_MATCH, l->at};
    vec_push(l->out, t);
    pair_bracket(l, (uint32_t)(l->out->size - 1));
    advance(l, length);
}

static void read_word(lexer *l) {
    size_t length = 1;
    while (is_letter(peek(l, length)) || is_digit(peek(l, length))) length++;
    token_kind kind = TOKEN_NAME;
    for (size_t w = 0; w < COUNT(words); w++)
        if (words[w].length == length && !memcmp(words[w].text, l->source + l->next, length))
            kind = words[w].kind;
    add_token(l, kind, length);
}

static void read_character(lexer *l) {
    size_t length = 1;
    while (peek(l, length) != '\'') {
        if (peek(l, length) == '\\') length++;
        if (l->next + length >= l->length || peek(l, length) == '\n') {
            report(l, l->at, "character literal without end");
            advance(l, length);
            return;
        }
        length++;
    }
    add_token(l, TOKEN_CHARACTER, length + 1);
}

static void read_punctuation(lexer *l) {
    for (size_t k = 0; k < COUNT(punctuation); k++) {
        size_t length = punctuation[k].length;
        if (l->next + length <= l->length && !memcmp(punctuation[k].text, l->source + l->next, length)) {
            add_token(l, punctuation[k].kind, length);
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

static bool at_time_word(const lexer *l) {
    return peek(l, 0) == '@' && peek(l, 1) == 't' && peek(l, 2) == 'i' && peek(l, 3) == 'm' &&
           peek(l, 4) == 'e' && !is_letter(peek(l, 5)) && !is_digit(peek(l, 5));
}

static void read_token(lexer *l) {
    char c = peek(l, 0);
    if (is_letter(c)) {
        read_word(l);
    } else if (is_digit(c)) {
        size_t length = 1;
        while (is_letter(peek(l, length)) || is_digit(peek(l, length))) length++;
        add_token(l, TOKEN_NUMBER, length);
    } else if (c == '\'') {
        read_character(l);
    } else if (at_time_word(l)) {
        add_token(l, TOKEN_TIME, 5);
    } else {
        read_punctuation(l);
    }
}

/* In the order of the text, not one inside another; of brackets each is its partner's partner. */
FOR_ASSERTIONS static bool are_in_order(const token_list *tokens, size_t length) {
    for (size_t k = 0; k < tokens->size; k++) {
        const token *t = &tokens->data[k];
        if (t->start + (size_t)t->length > (k + 1 < tokens->size ? t[1].start : length)) return false;
        if (t->match != NO_MATCH && tokens->data[t->match].match != k) return false;
    }
    return true;
}

bool ivl_tokenize(const char *source, size_t length, diagnostics *d, token_list *out) {
    lexer l = {.source = source, .length = length, .at = {1, 1}, .d = d, .out = out, .good = true};
    for (skip_blanks_and_comments(&l); l.next < length && d->errors < DIAG_MOST_ERRORS;
         skip_blanks_and_comments(&l)) {
        if (!source[l.next]) {
            report(&l, l.at, "zero byte: this is not a text file");
            break;
        }
        read_token(&l);
    }
    token end = {TOKEN_END, (uint32_t)l.next, 0, NO_MATCH, l.at};
    vec_push(out, end);
    slow_assert(are_in_order(out, length));
    vec_free(&l.open);
    return l.good;
}

const char *token_spelling(token_kind kind) {
    for (size_t k = 0; k < COUNT(punctuation); k++)
        if (punctuation[k].kind == kind) return punctuation[k].text;
    for (size_t k = 0; k < COUNT(words); k++)
        if (words[k].kind == kind) return words[k].text;
    return kind == TOKEN_TIME ? "@time" : "";
}

const char *token_kind_name(token_kind kind) {
    static const char *const names[TOKEN_KINDS] = {
        [TOKEN_END] = "end of file",     [TOKEN_NAME] = "name",    [TOKEN_NUMBER] = "number",
        [TOKEN_CHARACTER] = "character", [TOKEN_TIME] = "'@time'",
#define X(kind, text) [TOKEN_##kind] = "'" text "'",
        IVL_PUNCTUATION(X) IVL_WORDS(X)
#undef X
    };
    return names[kind];
}
