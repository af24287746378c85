#include "frontend/ivl/lexer.h"

#include "frontend/scan.h"

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
    scan text;
    token_list *out;
    VEC(uint32_t) open; /* brackets without partner so far */
} lexer;

static bool begins_word(char c) {
    return scan_is_letter(c) || c == '_';
}
static bool continues_word(char c) {
    return begins_word(c) || scan_is_digit(c);
}
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static char peek(const lexer *l, size_t ahead) {
    return scan_peek(&l->text, ahead);
}

static bool has_more(const lexer *l) {
    return l->text.next < l->text.length;
}

static void skip_long_comment(lexer *l) {
    position begin = l->text.at;
    scan_advance(&l->text, 2);
    while (has_more(l) && !(peek(l, 0) == '*' && peek(l, 1) == '/')) scan_advance(&l->text, 1);
    if (!has_more(l)) scan_report(&l->text, begin, "comment without end");
    scan_advance(&l->text, 2);
}

static void skip_blanks_and_comments(lexer *l) {
    for (;;) {
        if (is_blank(peek(l, 0)))
            scan_advance(&l->text, 1);
        else if (peek(l, 0) == '/' && peek(l, 1) == '/')
            scan_skip_line(&l->text);
        else if (peek(l, 0) == '/' && peek(l, 1) == '*')
            skip_long_comment(l);
        else
            return;
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
    assert(length && l->text.next + length <= l->text.length);
    token t = {(uint8_t)kind, (uint32_t)l->text.next, (uint32_t)length, NO_MATCH, l->text.at};
    vec_push(l->out, t);
    pair_bracket(l, (uint32_t)(l->out->size - 1));
    scan_advance(&l->text, length);
}

static void read_word(lexer *l) {
    size_t length = 1;
    while (continues_word(peek(l, length))) length++;
    const spelling *word = scan_find_word(&l->text, words, COUNT(words), length);
    add_token(l, word ? word->kind : TOKEN_NAME, length);
}

static void read_character(lexer *l) {
    size_t length = 1;
    while (peek(l, length) != '\'') {
        if (peek(l, length) == '\\') length++;
        if (l->text.next + length >= l->text.length || peek(l, length) == '\n') {
            scan_report(&l->text, l->text.at, "character literal without end");
            scan_advance(&l->text, length);
            return;
        }
        length++;
    }
    add_token(l, TOKEN_CHARACTER, length + 1);
}

static void read_punctuation(lexer *l) {
    const spelling *found = scan_find(&l->text, punctuation, COUNT(punctuation));
    if (found)
        add_token(l, found->kind, found->length);
    else
        scan_refuse(&l->text);
}

static bool at_time_word(const lexer *l) {
    return peek(l, 0) == '@' && peek(l, 1) == 't' && peek(l, 2) == 'i' && peek(l, 3) == 'm' &&
           peek(l, 4) == 'e' && !continues_word(peek(l, 5));
}

static void read_token(lexer *l) {
    char c = peek(l, 0);
    if (begins_word(c)) {
        read_word(l);
    } else if (scan_is_digit(c)) {
        size_t length = 1;
        while (continues_word(peek(l, length))) length++;
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
    lexer l = {.text = scan_begin(source, length, d), .out = out};
    for (skip_blanks_and_comments(&l); scan_goes_on(&l.text); skip_blanks_and_comments(&l)) read_token(&l);
    token end = {TOKEN_END, (uint32_t)l.text.next, 0, NO_MATCH, l.text.at};
    vec_push(out, end);
    slow_assert(are_in_order(out, length));
    vec_free(&l.open);
    return l.text.good;
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
