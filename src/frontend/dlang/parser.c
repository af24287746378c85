#include "frontend/dlang/parser.h"

#include "frontend/dlang/expand.h"
#include "frontend/dlang/parse.h"

static ast *parse_block(parser *p);

/* --- tokens and errors ---------------------------------------------------------------------------------- */

const token *dlang_token(const parser *p) {
    assert(p->next < p->tokens.size); /* the end of the file is never passed */
    return &p->tokens.data[p->next];
}

const token *dlang_token_after(const parser *p) {
    return &p->tokens.data[p->next + 1 < p->tokens.size ? p->next + 1 : p->next];
}

void dlang_error(parser *p, position at, const char *format, ...) {
    if (p->failing) return;
    p->failing = true;
    if (p->quiet) return;
    text message = {0};
    va_list args;
    va_start(args, format);
    text_vformat(&message, format, args);
    va_end(args);
    diag_report(p->d, DIAG_ERROR, at, "%s", text_cstr(&message));
    text_free(&message);
}

bool dlang_accept(parser *p, token_kind kind) {
    if (p->failing || dlang_token(p)->kind != kind) return false;
    if (kind != TOKEN_END) p->next++;
    return true;
}

bool dlang_expect(parser *p, token_kind kind, const char *after) {
    if (dlang_accept(p, kind)) return true;
    dlang_error(p, dlang_token(p)->at, "expected %s after %s, found %s", dlang_token_name(kind), after,
                dlang_token_name(dlang_token(p)->kind));
    return false;
}

bool dlang_at_word(const parser *p, const char *word) {
    const token *t = dlang_token(p);
    return t->kind == TOKEN_NAME && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

bool dlang_enter(parser *p) {
    if (p->failing) return false;
    if (++p->nesting <= DLANG_MOST_NESTING) return true;
    dlang_error(p, dlang_token(p)->at, "nesting too deep (more than %d levels)", DLANG_MOST_NESTING);
    p->nesting--;
    return false;
}

void dlang_leave(parser *p) {
    assert(p->nesting);
    p->nesting--;
}

uint32_t dlang_intern(parser *p, const token *t) {
    return intern_bytes(&p->file->names, t->text, t->length);
}

ast *dlang_node(parser *p, ast_kind kind, position at) {
    ast *node = arena_zero(&p->file->memory, sizeof *node);
    node->kind = (uint8_t)kind;
    node->at = at;
    return node;
}

/* --- statements ----------------------------------------------------------------------------------------- */

static ast *parse_assignment(parser *p) {
    ast *node = dlang_node(p, AST_ASSIGN, dlang_token(p)->at);
    node->a = dlang_parse_place(p);
    dlang_expect(p, TOKEN_ASSIGN, "variable");
    node->b = dlang_parse_number(p);
    return node;
}

static ast *parse_conditional(parser *p) {
    ast *node = dlang_node(p, AST_IF, dlang_token(p)->at);
    p->next++;
    node->a = dlang_parse_truth(p);
    if (dlang_accept(p, TOKEN_THEN)) {
        node->has |= IF_THEN;
        node->b = parse_block(p);
        if (dlang_accept(p, TOKEN_ELSE)) {
            node->has |= IF_ELSE;
            node->c = parse_block(p);
        }
    } else if (dlang_token(p)->kind == TOKEN_LEFT_BRACE) {
        dlang_error(p, dlang_token(p)->at, "expected 'then' before '{'");
    }
    return node;
}

static ast *parse_loop(parser *p) {
    ast *node = dlang_node(p, AST_WHILE, dlang_token(p)->at);
    p->next++;
    node->a = dlang_parse_truth(p);
    node->b = parse_block(p);
    return node;
}

static ast *parse_named_constant(parser *p) {
    ast *node = dlang_node(p, AST_NUMBER, dlang_token(p)->at);
    dlang_parse_constant(p, "a number", &node->value);
    return node;
}

static bool is_local_number(const parser *p, const ast *place) {
    return !place->a && p->file->variables.data[place->variable].kind == VARIABLE_LOCAL;
}

/* indexer(max=.., size=.., m=.., w=.., h=.., target=.., nprocs=..), in this order. */
static ast *parse_indexer(parser *p) {
    static const char *const names[] = {"max", "size", "m", "w", "h", "target", "nprocs"};
    enum { MAX, SIZE, M, W, H, TARGET, NPROCS, COUNT };
    ast *node = dlang_node(p, AST_INDEXER, dlang_token(p)->at);
    ast_list arguments = {0};
    p->next++;
    dlang_expect(p, TOKEN_LEFT_PAREN, "'indexer'");
    for (int k = MAX; k < COUNT && !p->failing; k++) {
        if (k) dlang_expect(p, TOKEN_COMMA, "argument of 'indexer'");
        const token *t = dlang_token(p);
        if (!p->failing && !dlang_at_word(p, names[k]))
            dlang_error(p, t->at, "expected '%s=' in 'indexer', found %s", names[k],
                        dlang_token_name(t->kind));
        p->next += !p->failing;
        dlang_expect(p, TOKEN_NAMED, names[k]);
        t = dlang_token(p);
        bool written = k >= M && k <= TARGET;
        ast *argument = p->failing ? NULL : written ? dlang_parse_place(p) : parse_named_constant(p);
        if (argument && k >= M && k <= H && !is_local_number(p, argument))
            dlang_error(p, t->at, "'%s' of 'indexer' must be a local variable without index", names[k]);
        if (argument && k == SIZE && argument->value < 1)
            dlang_error(p, t->at, "'size' of 'indexer' must be positive");
        list_append(&arguments, argument);
    }
    dlang_expect(p, TOKEN_RIGHT_PAREN, "arguments of 'indexer'");
    node->list = arguments.first;
    return node;
}

static ast *parse_assertion(parser *p) {
    ast *node = dlang_node(p, AST_ASSERT, dlang_token(p)->at);
    p->next++;
    node->a = dlang_parse_truth(p);
    return node;
}

static ast *parse_message(parser *p, ast_kind kind) {
    ast *node = dlang_node(p, kind, dlang_token(p)->at);
    p->next += 2;
    node->a = dlang_parse_channel(p);
    dlang_expect(p, TOKEN_COMMA, "channel");
    node->b = kind == AST_SEND ? dlang_parse_number(p) : dlang_parse_place(p);
    dlang_expect(p, TOKEN_RIGHT_PAREN, kind == AST_SEND ? "message" : "variable");
    return node;
}

static ast *parse_named_statement(parser *p) {
    unsigned after = dlang_token_after(p)->kind;
    bool assigns = after == TOKEN_ASSIGN || after == TOKEN_LEFT_BRACKET, called = after == TOKEN_LEFT_PAREN;
    if (called && dlang_at_word(p, "cas")) return dlang_parse_swap(p);
    if (called && dlang_at_word(p, "send")) return parse_message(p, AST_SEND);
    if (called && dlang_at_word(p, "receive")) return parse_message(p, AST_RECEIVE);
    if (!assigns && dlang_at_word(p, "assert")) return parse_assertion(p);
    return parse_assignment(p);
}

static ast *parse_statement(parser *p) {
    const token *t = dlang_token(p);
    switch (t->kind) {
    case TOKEN_IF: return parse_conditional(p);
    case TOKEN_WHILE: return parse_loop(p);
    case TOKEN_INDEXER: return parse_indexer(p);
    case TOKEN_NAME: return parse_named_statement(p);
    default: dlang_error(p, t->at, "expected a statement, found %s", dlang_token_name(t->kind)); return NULL;
    }
}

static ast *parse_statements_until(parser *p, token_kind end) {
    ast_list list = {0};
    while (!p->failing && dlang_token(p)->kind != end) list_append(&list, parse_statement(p));
    return list.first;
}

static ast *parse_block(parser *p) {
    position at = dlang_token(p)->at;
    if (!dlang_expect(p, TOKEN_LEFT_BRACE, "condition") || !dlang_enter(p)) return NULL;
    ast *list = parse_statements_until(p, TOKEN_RIGHT_BRACE);
    dlang_leave(p);
    if (!dlang_accept(p, TOKEN_RIGHT_BRACE)) dlang_error(p, at, "'{' without '}'");
    return list;
}

/* --- processes ------------------------------------------------------------------------------------------ */

static void require_new_name(parser *p, const token *t) {
    for (size_t k = 0; k < p->file->processes.size; k++) {
        const char *other = p->file->processes.data[k].name;
        if (other && strlen(other) == t->length && !memcmp(other, t->text, t->length))
            dlang_error(p, t->at, "second process with the name \"%s\" (use '$' in the name)", other);
    }
}

static void parse_process(parser *p) {
    process one = {0};
    const token *t = dlang_token(p);
    if (dlang_accept(p, TOKEN_STRING)) {
        require_new_name(p, t);
        if (!t->length) dlang_error(p, t->at, "empty name of a process");
        one.name = arena_string(&p->file->memory, t->text, t->length);
    }
    one.at = dlang_token(p)->at;
    if (!dlang_accept(p, TOKEN_LEFT_BRACKET)) {
        dlang_error(p, one.at, "expected '[' and the statements of a process, found %s",
                    dlang_token_name(dlang_token(p)->kind));
        return;
    }
    if (p->file->processes.size == DLANG_MOST_PROCESSES)
        dlang_error(p, one.at, "more than %d processes", DLANG_MOST_PROCESSES);
    one.body = parse_statements_until(p, TOKEN_RIGHT_BRACKET);
    dlang_expect(p, TOKEN_RIGHT_BRACKET, "statements");
    vec_push(&p->file->processes, one);
}

static void parse_file(parser *p) {
    int64_t announced = 0;
    position at = {0, 0};
    dlang_parse_header(p, &announced, &at);
    while (!p->failing && dlang_token(p)->kind != TOKEN_END) parse_process(p);
    if (p->failing) return;
    if (!p->file->processes.size)
        dlang_error(p, dlang_token(p)->at, "expected at least one process");
    else if (announced != (int64_t)p->file->processes.size)
        dlang_error(p, at, "the header says %lld process%s, but there %s %zu", (long long)announced,
                    announced == 1 ? "" : "es", p->file->processes.size == 1 ? "is" : "are",
                    p->file->processes.size);
}

bool dlang_read(const char *source, size_t length, const dlang_setting *settings, size_t setting_count,
                diagnostics *d, dlang_file *out) {
    if (length > DLANG_MOST_BYTES) {
        diag_report(d, DIAG_ERROR, (position){0, 0}, "file too large (%zu bytes, at most %d)", length,
                    DLANG_MOST_BYTES);
        return false;
    }
    parser p = {.file = out, .d = d, .settings = settings, .setting_count = setting_count};
    token_list written = {0}, expanded = {0};
    p.failing = !dlang_tokenize(source, length, d, &written);
    if (!p.failing) {
        p.tokens.data = written.data;
        p.tokens.size = written.size;
        dlang_collect_constants(&p);
        if (dlang_expand(&p, &expanded)) {
            p.tokens.data = expanded.data;
            p.tokens.size = expanded.size;
            p.next = 0;
            parse_file(&p);
        }
    }
    assert(p.failing || !p.nesting);
    vec_free(&written);
    vec_free(&expanded);
    map_free(&p.constants);
    vec_free(&p.constant_values);
    return !p.failing;
}
