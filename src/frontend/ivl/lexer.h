/* IVL text to tokens.
 *
 * The whole file becomes one array, so that the parser can look ahead freely; brackets know their partner.
 * Reports bytes that belong to no token and unfinished comments; stops at a zero byte. It never interprets
 * numbers or names. */
#ifndef HEDDLE_FRONTEND_IVL_LEXER_H
#define HEDDLE_FRONTEND_IVL_LEXER_H

#include "base/diag.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* clang-format off */
/* X(kind, spelling): punctuation, longest spellings first where one begins another. */
#define IVL_PUNCTUATION(X) \
    X(SHL_ASSIGN, "<<=") X(SHR_ASSIGN, ">>=") \
    X(ARROW, "->") X(INCREMENT, "++") X(DECREMENT, "--") X(SHL, "<<") X(SHR, ">>") X(LESS_EQUAL, "<=") \
    X(GREATER_EQUAL, ">=") X(EQUAL, "==") X(UNEQUAL, "!=") X(AND_AND, "&&") X(OR_OR, "||") X(ADD_ASSIGN, "+=") \
    X(SUB_ASSIGN, "-=") X(MUL_ASSIGN, "*=") X(DIV_ASSIGN, "/=") X(REM_ASSIGN, "%=") X(AND_ASSIGN, "&=") \
    X(OR_ASSIGN, "|=") X(XOR_ASSIGN, "^=") \
    X(LEFT_PAREN, "(") X(RIGHT_PAREN, ")") X(LEFT_BRACKET, "[") X(RIGHT_BRACKET, "]") X(LEFT_BRACE, "{") \
    X(RIGHT_BRACE, "}") X(SEMICOLON, ";") X(COMMA, ",") X(COLON, ":") X(QUESTION, "?") X(DOT, ".") X(ASSIGN, "=") \
    X(LESS, "<") X(GREATER, ">") X(PLUS, "+") X(MINUS, "-") X(STAR, "*") X(SLASH, "/") X(PERCENT, "%") \
    X(AMPERSAND, "&") X(PIPE, "|") X(CARET, "^") X(NOT, "!") X(TILDE, "~")

/* Words; the types stand together, BOOL first and VOID last. */
#define IVL_TYPE_WORDS(X) \
    X(BOOL, "bool") X(CHAR, "char") X(INT, "int") X(UINT, "uint") X(SHORT, "short") X(USHORT, "ushort") \
    X(LONG, "long") X(ULONG, "ulong") X(I8, "i8") X(I16, "i16") X(I32, "i32") X(I64, "i64") X(U8, "u8") \
    X(U16, "u16") X(U32, "u32") X(U64, "u64") X(VOID, "void")
#define IVL_OTHER_WORDS(X) \
    X(PARAM, "param") X(EVENT, "event") X(STRUCT, "struct") X(THREAD, "thread") X(UPDATE, "update") X(MAIN, "main") \
    X(IF, "if") X(ELSE, "else") X(WHILE, "while") X(DO, "do") X(FOR, "for") X(SWITCH, "switch") X(CASE, "case") \
    X(DEFAULT, "default") X(BREAK, "break") X(CONTINUE, "continue") X(RETURN, "return") X(GOTO, "goto") \
    X(ASSERT, "assert") X(ASSUME, "assume") X(DELETE, "delete") X(WAIT, "wait") X(WAIT_EVENT, "wait_event") \
    X(WAIT_TIME, "wait_time") X(DELAY, "delay") X(NOTIFY, "notify") X(CANCEL, "cancel") X(SUSPEND, "suspend") \
    X(RESUME, "resume") X(REQUEST_UPDATE, "request_update") X(START, "start") X(STOP, "stop") X(NEW, "new") \
    X(TRUE, "true") X(FALSE, "false") X(NULL, "null")
/* clang-format on */
#define IVL_WORDS(X) IVL_TYPE_WORDS(X) IVL_OTHER_WORDS(X)

typedef enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_NUMBER,
    TOKEN_CHARACTER,
    TOKEN_TIME, /* @time */
#define X(kind, spelling) TOKEN_##kind,
    IVL_PUNCTUATION(X) IVL_WORDS(X)
#undef X
        TOKEN_KINDS
} token_kind;

typedef struct token {
    uint8_t kind;
    uint32_t start, length; /* bytes of the source */
    uint32_t match;         /* brackets: the partner's index in the array, else NO_MATCH */
    position at;
} token;

#define NO_MATCH UINT32_MAX

typedef VEC(token) token_list;

/* Fills `out`, which always ends with TOKEN_END; false when something was reported. */
bool ivl_tokenize(const char *source, size_t length, diagnostics *d, token_list *out);

const char *token_kind_name(token_kind kind); /* "';'", "'while'", "name", "end of file" */
const char *token_spelling(token_kind kind);  /* ";" or "while"; "" for kinds with many spellings */

static inline bool token_is_type_word(unsigned kind) {
    return kind >= TOKEN_BOOL && kind <= TOKEN_VOID;
}

#endif
