/* Expressions: precedence climbing over C's operators, without those that have side effects. */
#include "frontend/ivl/parse.h"

static ast *parse_nested_unary(parser *p);

/* --- literals ------------------------------------------------------------------------------------------- */

static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 99;
}

static uint8_t base_of_number(const char **s, const char *end) {
    const char *text = *s;
    if (end - text > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) return *s += 2, 16;
    if (end - text > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) return *s += 2, 2;
    return text[0] == '0' && end - text > 1 && digit_value(text[1]) < 10 ? 8 : 10;
}

/* The first of int, uint, long, ulong that the suffix allows and the value fits, as in C++; TOKEN_END if none
 * does. Plain decimal numbers never become unsigned. */
static uint8_t type_of_number(uint64_t value, uint8_t base, bool is_unsigned, bool is_long) {
    bool may_be_unsigned = is_unsigned || base != 10;
    if (!is_long && !is_unsigned && value <= INT32_MAX) return TOKEN_INT;
    if (!is_long && may_be_unsigned && value <= UINT32_MAX) return TOKEN_UINT;
    if (!is_unsigned && value <= INT64_MAX) return TOKEN_LONG;
    return may_be_unsigned ? TOKEN_ULONG : TOKEN_END;
}

static ast *parse_number(parser *p) {
    const token *t = parse_token(p);
    ast *node = parse_node(p, AST_NUMBER, t->at);
    const char *s = p->source + t->start, *end = s + t->length;
    uint8_t base = base_of_number(&s, end);
    bool overflow = false, any = false;
    for (; s < end && digit_value(*s) < base; s++, any = true)
        overflow |= __builtin_mul_overflow(node->value, (uint64_t)base, &node->value) ||
                    __builtin_add_overflow(node->value, (uint64_t)digit_value(*s), &node->value);
    unsigned u = 0, l = 0;
    for (; s < end && (*s == 'u' || *s == 'U' || *s == 'l' || *s == 'L'); s++)
        *s == 'u' || *s == 'U' ? u++ : l++;
    if (s < end || !any || u > 1 || l > 2) {
        parse_error(p, t->at, "malformed number '%.*s'", (int)(t->length < 40 ? t->length : 40),
                    p->source + t->start);
        return NULL;
    }
    node->op = base;
    node->type.word = overflow ? TOKEN_END : type_of_number(node->value, base, u, l);
    if (node->type.word == TOKEN_END) {
        parse_error(p, t->at, "number too large for 64 bits");
        return NULL;
    }
    p->next++;
    return node;
}

static int escaped_character(const char **s, const char *end) {
    static const char letters[] = "ntrabfv\\'\"", meanings[] = "\n\t\r\a\b\f\v\\'\"";
    const char *known = strchr(letters, **s);
    if (**s && known) return (*s)++, meanings[known - letters];
    unsigned base = **s == 'x' ? 16 : 8;
    if (base == 16) (*s)++;
    int value = -1;
    for (int most = base == 16 ? 2 : 3; most && *s < end && digit_value(**s) < (int)base; most--, (*s)++)
        value = (value < 0 ? 0 : value) * (int)base + digit_value(**s);
    return value;
}

static ast *parse_character(parser *p) {
    const token *t = parse_token(p);
    ast *node = parse_node(p, AST_CHARACTER, t->at);
    const char *s = p->source + t->start + 1, *end = p->source + t->start + t->length - 1;
    int value = -1;
    if (s < end && *s != '\\')
        value = (unsigned char)*s++;
    else if (s < end && s + 1 < end)
        value = (s++, escaped_character(&s, end));
    if (s != end || value < 0 || value > 255) {
        parse_error(p, t->at, "malformed character literal");
        return NULL;
    }
    node->value = (uint64_t)value;
    p->next++;
    return node;
}

/* --- building ------------------------------------------------------------------------------------------- */

/* Takes over the heights of the children; the limit keeps later recursive walks safe. */
static ast *finish(parser *p, ast *node) {
    unsigned highest = 0;
    const ast *children[] = {node->a, node->b, node->c};
    for (int k = 0; k < 3; k++)
        if (children[k] && children[k]->height > highest) highest = children[k]->height;
    for (const ast *child = node->list; child; child = child->next)
        if (child->height > highest) highest = child->height;
    node->height = (uint16_t)(highest + 1);
    if (node->height > IVL_MOST_HEIGHT)
        parse_error(p, node->at, "expression too long (more than %d operators in a row)", IVL_MOST_HEIGHT);
    return p->failing ? NULL : node;
}

static ast *parse_arguments(parser *p, ast *call) {
    ast_list list = {0};
    unsigned count = 0;
    if (parse_token(p)->kind != TOKEN_RIGHT_PAREN) do {
            list_append(&list, parse_expression(p));
            if (++count > IVL_MOST_ARGUMENTS)
                parse_error(p, call->at, "more than %d arguments", IVL_MOST_ARGUMENTS);
        } while (parse_accept(p, TOKEN_COMMA));
    parse_expect(p, TOKEN_RIGHT_PAREN, "arguments");
    call->list = list.first;
    return finish(p, call);
}

static ast *parse_name_or_call(parser *p) {
    ast *node = parse_node(p, AST_NAME, parse_token(p)->at);
    node->name = parse_name(p, "a variable");
    if (!parse_accept(p, TOKEN_LEFT_PAREN)) return node;
    node->kind = AST_CALL;
    return parse_arguments(p, node);
}

static ast *parse_input(parser *p) {
    ast *node = parse_node(p, AST_INPUT, parse_token(p)->at);
    p->next++;
    parse_expect(p, TOKEN_LEFT_PAREN, "'?'");
    node->type = parse_type_word(p);
    parse_stars(p, &node->type);
    node->list = parse_dimensions(p);
    parse_expect(p, TOKEN_RIGHT_PAREN, "type");
    return finish(p, node);
}

static ast *parse_new(parser *p) {
    ast *node = parse_node(p, AST_NEW, parse_token(p)->at);
    p->next++;
    node->type = parse_type_word(p);
    parse_stars(p, &node->type);
    if (parse_accept(p, TOKEN_LEFT_BRACKET)) {
        node->a = parse_expression(p);
        parse_expect(p, TOKEN_RIGHT_BRACKET, "number of elements");
    }
    return finish(p, node);
}

static ast *parse_parenthesis(parser *p) {
    position at = parse_token(p)->at;
    p->next++;
    if (parse_starts_type(p)) {
        ast *node = parse_node(p, AST_CAST, at);
        node->type = parse_type_word(p);
        parse_stars(p, &node->type);
        parse_expect(p, TOKEN_RIGHT_PAREN, "type");
        node->a = parse_nested_unary(p);
        return finish(p, node);
    }
    ast *inner = parse_expression(p);
    parse_expect(p, TOKEN_RIGHT_PAREN, "expression");
    return inner;
}

static ast *parse_primary(parser *p) {
    const token *t = parse_token(p);
    ast *node;
    switch (t->kind) {
    case TOKEN_NUMBER: return parse_number(p);
    case TOKEN_CHARACTER: return parse_character(p);
    case TOKEN_NAME: return parse_name_or_call(p);
    case TOKEN_QUESTION: return parse_input(p);
    case TOKEN_NEW: return parse_new(p);
    case TOKEN_LEFT_PAREN: return parse_parenthesis(p);
    case TOKEN_TRUE:
    case TOKEN_FALSE: node = parse_node(p, AST_TRUTH, t->at), node->value = t->kind == TOKEN_TRUE; break;
    case TOKEN_NULL: node = parse_node(p, AST_NULL, t->at); break;
    case TOKEN_TIME: node = parse_node(p, AST_TIME, t->at); break;
    default:
        if (t->kind == TOKEN_INCREMENT || t->kind == TOKEN_DECREMENT)
            parse_error(p, t->at, "%s inside an expression: assignments are statements of their own",
                        token_kind_name(t->kind));
        else
            parse_error(p, t->at, "expected an expression, found %s", token_kind_name(t->kind));
        return NULL;
    }
    p->next++;
    return node;
}

static ast *parse_postfix(parser *p) {
    ast *left = parse_primary(p);
    while (left && !p->failing) {
        position at = parse_token(p)->at;
        ast_kind kind = parse_accept(p, TOKEN_LEFT_BRACKET) ? AST_INDEX
                        : parse_accept(p, TOKEN_DOT)        ? AST_FIELD
                        : parse_accept(p, TOKEN_ARROW)      ? AST_ARROW
                                                            : AST_KINDS;
        if (kind == AST_KINDS) break;
        ast *node = parse_node(p, kind, at);
        node->a = left;
        if (kind == AST_INDEX) {
            node->b = parse_expression(p);
            parse_expect(p, TOKEN_RIGHT_BRACKET, "index");
        } else {
            node->name = parse_name(p, "a field");
        }
        left = finish(p, node);
    }
    return left;
}

static ast *parse_unary(parser *p);

static ast *parse_nested_unary(parser *p) {
    if (!parse_enter(p)) return NULL;
    ast *result = parse_unary(p);
    parse_leave(p);
    return result;
}

static ast *parse_unary(parser *p) {
    const token *t = parse_token(p);
    bool prefix = t->kind == TOKEN_MINUS || t->kind == TOKEN_PLUS || t->kind == TOKEN_NOT ||
                  t->kind == TOKEN_TILDE || t->kind == TOKEN_AMPERSAND || t->kind == TOKEN_STAR;
    if (!prefix) return parse_postfix(p);
    ast *node = parse_node(p, AST_UNARY, t->at);
    node->op = t->kind;
    p->next++;
    node->a = parse_nested_unary(p);
    return finish(p, node);
}

int parse_precedence(unsigned kind) {
    switch (kind) {
    case TOKEN_OR_OR: return 1;
    case TOKEN_AND_AND: return 2;
    case TOKEN_PIPE: return 3;
    case TOKEN_CARET: return 4;
    case TOKEN_AMPERSAND: return 5;
    case TOKEN_EQUAL:
    case TOKEN_UNEQUAL: return 6;
    case TOKEN_LESS:
    case TOKEN_LESS_EQUAL:
    case TOKEN_GREATER:
    case TOKEN_GREATER_EQUAL: return 7;
    case TOKEN_SHL:
    case TOKEN_SHR: return 8;
    case TOKEN_PLUS:
    case TOKEN_MINUS: return 9;
    case TOKEN_STAR:
    case TOKEN_SLASH:
    case TOKEN_PERCENT: return 10;
    default: return 0;
    }
}

static ast *parse_binary(parser *p, int lowest) {
    ast *left = parse_unary(p);
    while (!p->failing && parse_precedence(parse_token(p)->kind) >= lowest) {
        const token *t = parse_token(p);
        p->next++;
        ast *node = parse_node(p, AST_BINARY, t->at);
        node->op = t->kind;
        node->a = left;
        node->b = parse_binary(p, parse_precedence(t->kind) + 1);
        left = finish(p, node);
    }
    return left;
}

static ast *parse_conditional(parser *p) {
    ast *condition = parse_binary(p, 1);
    const token *t = parse_token(p);
    if (!parse_accept(p, TOKEN_QUESTION)) return condition;
    ast *node = parse_node(p, AST_CONDITIONAL, t->at);
    node->a = condition;
    node->b = parse_expression(p);
    parse_expect(p, TOKEN_COLON, "first alternative of '?'");
    node->c = parse_expression(p);
    return finish(p, node);
}

ast *parse_expression(parser *p) {
    if (!parse_enter(p)) return NULL;
    ast *result = parse_conditional(p);
    parse_leave(p);
    return p->failing ? NULL : result;
}

ast *parse_initializer(parser *p) {
    const token *t = parse_token(p);
    if (t->kind != TOKEN_LEFT_BRACE) return parse_expression(p);
    if (!parse_enter(p)) return NULL;
    ast *node = parse_node(p, AST_BRACES, t->at);
    p->next++;
    ast_list list = {0};
    while (!p->failing && parse_token(p)->kind != TOKEN_RIGHT_BRACE) {
        list_append(&list, parse_initializer(p));
        if (!parse_accept(p, TOKEN_COMMA)) break;
    }
    parse_expect(p, TOKEN_RIGHT_BRACE, "list of initial values");
    node->list = list.first;
    parse_leave(p);
    return finish(p, node);
}
