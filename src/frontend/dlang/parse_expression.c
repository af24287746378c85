/* Expressions. All arithmetic operators have one rank and group to the left, as the document's
 * grammar has it. */
#include "frontend/dlang/parse.h"

static ast *parse_any(parser *p);
static ast *parse_unary(parser *p);

/* Takes over the heights of the children; the limit keeps later recursive walks safe. */
static ast *finish(parser *p, ast *node) {
    unsigned highest = 0;
    const ast *children[] = {node->a, node->b, node->c};
    for (int k = 0; k < 3; k++)
        if (children[k] && children[k]->height > highest) highest = children[k]->height;
    node->height = (uint16_t)(highest + 1);
    if (node->height > DLANG_MOST_HEIGHT)
        dlang_error(p, node->at, "expression too long (more than %d operators in a row)", DLANG_MOST_HEIGHT);
    return p->failing ? NULL : node;
}

static ast *require_number(parser *p, ast *e) {
    if (e && e->truth) dlang_error(p, e->at, "a comparison is not a number");
    return p->failing ? NULL : e;
}

static ast *require_truth(parser *p, ast *e) {
    if (e && !e->truth) dlang_error(p, e->at, "expected a comparison, found a number");
    return p->failing ? NULL : e;
}

/* --- numbers and places --------------------------------------------------------------------------------- */

static ast *parse_literal(parser *p) {
    const token *t = dlang_token(p);
    ast *node = dlang_node(p, AST_NUMBER, t->at);
    bool overflow = false;
    for (uint32_t k = 0; k < t->length; k++)
        overflow |= __builtin_mul_overflow(node->value, (int64_t)10, &node->value) ||
                    __builtin_add_overflow(node->value, (int64_t)(t->text[k] - '0'), &node->value);
    if (overflow) dlang_error(p, t->at, "number too large for 64 bits");
    p->next++;
    return finish(p, node);
}

static void report_unknown_name(parser *p, const token *t) {
    int length = (int)(t->length < 60 ? t->length : 60);
    if (memchr(t->text, '-', t->length))
        dlang_error(p, t->at,
                    "unknown name '%.*s' (a '-' inside a name belongs to it: set '-' off by blanks)", length,
                    t->text);
    else
        dlang_error(p, t->at, "unknown name '%.*s'", length, t->text);
}

/* name [ "[" number "]" ]. Before the variables are declared, only constants of the header are known. */
static ast *parse_variable(parser *p) {
    const token *t = dlang_token(p);
    ast *node = dlang_node(p, AST_PLACE, t->at);
    uint32_t name = dlang_intern(p, t);
    uint64_t known = map_get(&p->file->by_name, name), constant = map_get(&p->constants, name);
    p->next++;
    if (known == MAP_NONE && constant != MAP_NONE) {
        node->kind = AST_NUMBER;
        node->value = p->constant_values.data[constant];
        return finish(p, node);
    }
    if (known == MAP_NONE) {
        report_unknown_name(p, t);
        return NULL;
    }
    node->variable = (uint32_t)known;
    const variable *v = &p->file->variables.data[known];
    if (dlang_accept(p, TOKEN_LEFT_BRACKET)) {
        node->a = dlang_parse_number(p);
        dlang_expect(p, TOKEN_RIGHT_BRACKET, "index");
    } else if (v->length > 1) {
        dlang_error(p, t->at, "'%s' has %u elements and needs an index", v->name, v->length);
    }
    return finish(p, node);
}

static ast *parse_value_of_variable(parser *p) {
    ast *node = parse_variable(p);
    if (node && node->kind == AST_PLACE && p->file->variables.data[node->variable].kind == VARIABLE_CHANNEL)
        dlang_error(p, node->at, "the channel '%s' is not a value",
                    p->file->variables.data[node->variable].name);
    return p->failing ? NULL : node;
}

ast *dlang_parse_place(parser *p) {
    const token *t = dlang_token(p);
    if (t->kind != TOKEN_NAME) {
        dlang_error(p, t->at, "expected a variable, found %s", dlang_token_name(t->kind));
        return NULL;
    }
    ast *node = parse_value_of_variable(p);
    if (node && (node->kind == AST_NUMBER || p->file->variables.data[node->variable].kind == VARIABLE_CONST))
        dlang_error(p, node->at, "'%.*s' is a constant", (int)t->length, t->text);
    return p->failing ? NULL : node;
}

static bool reads_shared(const parser *p, const ast *e) {
    if (!e) return false;
    if (e->kind == AST_CAS || e->kind == AST_LENGTH) return true;
    if (e->kind == AST_PLACE && p->file->variables.data[e->variable].kind == VARIABLE_SHARED) return true;
    return reads_shared(p, e->a) || reads_shared(p, e->b);
}

ast *dlang_parse_channel(parser *p) {
    const token *t = dlang_token(p);
    if (t->kind != TOKEN_NAME) {
        dlang_error(p, t->at, "expected a channel, found %s", dlang_token_name(t->kind));
        return NULL;
    }
    ast *node = parse_variable(p);
    if (!node) return NULL;
    if (node->kind != AST_PLACE || p->file->variables.data[node->variable].kind != VARIABLE_CHANNEL)
        dlang_error(p, t->at, "'%.*s' is not a channel", (int)t->length, t->text);
    else if (reads_shared(p, node->a))
        dlang_error(p, node->a->at,
                    "the index of a channel must not read shared variables (copy it to a local one)");
    return p->failing ? NULL : node;
}

/* --- operators ------------------------------------------------------------------------------------------ */

ast *dlang_parse_swap(parser *p) {
    ast *node = dlang_node(p, AST_CAS, dlang_token(p)->at);
    p->next++;
    dlang_expect(p, TOKEN_LEFT_PAREN, "'cas'");
    node->a = dlang_parse_place(p);
    if (node->a && p->file->variables.data[node->a->variable].kind == VARIABLE_LOCAL)
        dlang_error(p, node->a->at, "'cas' on a local variable, which nothing else can change");
    dlang_expect(p, TOKEN_COMMA, "variable of 'cas'");
    node->b = dlang_parse_number(p);
    dlang_expect(p, TOKEN_COMMA, "expected value of 'cas'");
    node->c = dlang_parse_number(p);
    dlang_expect(p, TOKEN_RIGHT_PAREN, "new value of 'cas'");
    return finish(p, node);
}

static ast *parse_channel_length(parser *p) {
    ast *node = dlang_node(p, AST_LENGTH, dlang_token(p)->at);
    p->next += 2;
    node->a = dlang_parse_channel(p);
    dlang_expect(p, TOKEN_RIGHT_PAREN, "channel");
    return finish(p, node);
}

static ast *parse_primary(parser *p) {
    const token *t = dlang_token(p);
    bool called = dlang_token_after(p)->kind == TOKEN_LEFT_PAREN;
    if (p->failing) return NULL;
    if (t->kind == TOKEN_NUMBER) return parse_literal(p);
    if (called && dlang_at_word(p, "cas")) return dlang_parse_swap(p);
    if (called && dlang_at_word(p, "length")) return parse_channel_length(p);
    if (t->kind == TOKEN_NAME) return parse_value_of_variable(p);
    if (dlang_accept(p, TOKEN_LEFT_PAREN)) {
        ast *inner = parse_any(p);
        dlang_expect(p, TOKEN_RIGHT_PAREN, "expression");
        if (inner) inner->parenthesised = true;
        return p->failing ? NULL : inner;
    }
    dlang_error(p, t->at, "expected an expression, found %s", dlang_token_name(t->kind));
    return NULL;
}

static ast *parse_unary(parser *p) {
    const token *t = dlang_token(p);
    if (t->kind != TOKEN_MINUS && t->kind != TOKEN_NOT) return parse_primary(p);
    if (!dlang_enter(p)) return NULL;
    ast *node = dlang_node(p, AST_UNARY, t->at);
    node->op = t->kind;
    node->truth = t->kind == TOKEN_NOT;
    p->next++;
    node->a = node->truth ? require_truth(p, parse_unary(p)) : require_number(p, parse_unary(p));
    dlang_leave(p);
    return finish(p, node);
}

static int rank_of(unsigned kind) {
    if (kind == TOKEN_OR) return 1;
    if (kind == TOKEN_AND) return 2;
    if (kind >= TOKEN_EQUAL && kind <= TOKEN_GREATER_EQUAL) return 3;
    if (kind == TOKEN_LESS || kind == TOKEN_GREATER) return 3;
    return dlang_is_arithmetic(kind) ? 4 : 0;
}

static void warn_of_common_rank(parser *p, const ast *left, const token *operator) {
    bool surprising = left && left->kind == AST_BINARY && !left->parenthesised &&
                      dlang_is_additive(left->op) && dlang_is_arithmetic(operator->kind) &&
                      !dlang_is_additive(operator->kind);
    if (surprising && !p->quiet)
        diag_report(p->d, DIAG_WARNING, operator->at,
                    "%s takes everything to its left: all arithmetic operators have the same rank; "
                    "parentheses make it clear",
                    dlang_token_name(operator->kind));
}

/* Comparisons do not chain. */
static ast *parse_binary(parser *p, int lowest) {
    ast *left = parse_unary(p);
    while (!p->failing && rank_of(dlang_token(p)->kind) >= lowest) {
        const token *t = dlang_token(p);
        int rank = rank_of(t->kind);
        warn_of_common_rank(p, left, t);
        p->next++;
        ast *node = dlang_node(p, AST_BINARY, t->at), *right = parse_binary(p, rank + 1);
        node->op = t->kind;
        node->truth = rank < 4;
        node->a = rank < 3 ? require_truth(p, left) : require_number(p, left);
        node->b = rank < 3 ? require_truth(p, right) : require_number(p, right);
        left = finish(p, node);
    }
    return left;
}

static ast *parse_any(parser *p) {
    if (!dlang_enter(p)) return NULL;
    ast *result = parse_binary(p, 1);
    dlang_leave(p);
    return p->failing ? NULL : result;
}

ast *dlang_parse_number(parser *p) {
    return require_number(p, parse_any(p));
}

ast *dlang_parse_truth(parser *p) {
    return require_truth(p, parse_any(p));
}

/* --- constants ------------------------------------------------------------------------------------------ */

static bool evaluate(const parser *p, const ast *e, int64_t *value) {
    int64_t a, b;
    switch (e->kind) {
    case AST_NUMBER: *value = e->value; return true;
    case AST_PLACE: {
        const variable *v = &p->file->variables.data[e->variable];
        a = 0;
        if (v->kind != VARIABLE_CONST || (e->a && !evaluate(p, e->a, &a))) return false;
        if (a < 0 || a >= v->length) return false;
        *value = v->values ? v->values[a] : 0;
        return true;
    }
    case AST_UNARY:
        if (!evaluate(p, e->a, &a)) return false;
        return e->op == TOKEN_NOT ? (*value = !a, true) : dlang_compute(TOKEN_MINUS, 0, a, value);
    case AST_BINARY:
        return evaluate(p, e->a, &a) && evaluate(p, e->b, &b) && dlang_compute(e->op, a, b, value);
    default: return false;
    }
}

bool dlang_parse_constant(parser *p, const char *what, int64_t *value) {
    const token *t = dlang_token(p);
    ast *e = NULL;
    bool negative = dlang_accept(p, TOKEN_MINUS);
    switch (dlang_token(p)->kind) {
    case TOKEN_NUMBER: e = parse_literal(p); break;
    case TOKEN_NAME: e = negative ? NULL : parse_value_of_variable(p); break;
    case TOKEN_LEFT_PAREN: e = negative ? NULL : require_number(p, parse_primary(p)); break;
    default: break;
    }
    if (!e) {
        dlang_error(p, t->at, "expected %s, found %s", what, dlang_token_name(t->kind));
    } else if (!evaluate(p, e, value)) {
        dlang_error(p, t->at, "%s must be constant", what);
    } else if (negative) {
        *value = -*value;
    }
    return !p->failing;
}
