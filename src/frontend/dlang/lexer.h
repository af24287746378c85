/* dlang text to tokens.
 *
 * Reports bytes that belong to no token, and strings without end. Only the words of the document
 * (docs/dlang.md) are reserved; ours (assert, channel, ...) are ordinary names that the parser knows by their
 * place, so that no program of the document changes its meaning. Numbers are not interpreted here. */
#ifndef HEDDLE_FRONTEND_DLANG_LEXER_H
#define HEDDLE_FRONTEND_DLANG_LEXER_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/* X(kind, spelling): punctuation, longer spellings before those they begin with. */
#define DLANG_PUNCTUATION(X) \
    X(REPEAT_BEGIN, "<{") X(REPEAT_END, "}>") X(ASSIGN, ":=") X(EQUAL, "==") X(UNEQUAL, "!=") \
    X(LESS_EQUAL, "<=") X(GREATER_EQUAL, ">=") X(AND, "&&") X(OR, "||") X(LEFT_PAREN, "(") X(RIGHT_PAREN, ")") \
    X(LEFT_BRACKET, "[") X(RIGHT_BRACKET, "]") X(LEFT_BRACE, "{") X(RIGHT_BRACE, "}") X(COMMA, ",") \
    X(LESS, "<") X(GREATER, ">") X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/") X(PERCENT, "%") \
    X(NOT, "!") X(NAMED, "=")
#define DLANG_WORDS(X) \
    X(IF, "if") X(THEN, "then") X(ELSE, "else") X(WHILE, "while") X(LOCAL, "local") X(CONST, "const") \
    X(INDEXER, "indexer")
/* clang-format on */

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_STRING, /* its text has no quotes */
#define X(kind, spelling) TOKEN_##kind,
    DLANG_PUNCTUATION(X) DLANG_WORDS(X)
#undef X
        TOKEN_KINDS
} token_kind;

typedef struct token {
    uint8_t kind;
    bool counted; /* a name, number or string with a '$', which a repetition block replaces */
    uint32_t length;
    const char *text; /* in the source, or in the arena of the expansion */
    position at;
} token;

typedef VEC(token) token_list;

/* Fills `out`, which always ends with TOKEN_END; false when something was reported. */
bool dlang_tokenize(const char *source, size_t length, diagnostics *d, token_list *out);

const char *dlang_token_name(token_kind kind);     /* "':='", "'while'", "name", "end of file" */
const char *dlang_token_spelling(token_kind kind); /* ":=" or "while"; "" for kinds with many spellings */

#endif
