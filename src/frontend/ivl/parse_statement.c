#include "frontend/ivl/parse.h"

static ast *parse_statement(parser *p);

enum { MOST_LOOKAHEAD = 10000 };

static bool is_assignment(unsigned kind) {
    return kind == TOKEN_ASSIGN || kind == TOKEN_SHL_ASSIGN || kind == TOKEN_SHR_ASSIGN ||
           (kind >= TOKEN_ADD_ASSIGN && kind <= TOKEN_XOR_ASSIGN);
}

/* --- declarations and assignments ----------------------------------------------------------------------- */

ast *parse_variables(parser *p, type_name base) {
    if (p->failing) return NULL;
    ast *group = parse_node(p, AST_GROUP, base.at);
    ast_list list = {0};
    do {
        type_name type = base;
        parse_stars(p, &type);
        ast *variable = parse_node(p, AST_VARIABLE, parse_token(p)->at);
        variable->type = type;
        variable->name = parse_name(p, "a variable");
        variable->list = parse_dimensions(p);
        if (parse_accept(p, TOKEN_ASSIGN)) variable->a = parse_initializer(p);
        list_append(&list, variable);
    } while (parse_accept(p, TOKEN_COMMA));
    parse_expect(p, TOKEN_SEMICOLON, "declaration");
    group->list = list.first;
    return group;
}

/* `name name` cannot be an expression: it is a declaration whose type is unknown, and is reported as such. */
static bool starts_declaration(const parser *p) {
    return parse_starts_type(p) ||
           (parse_token(p)->kind == TOKEN_NAME && parse_ahead(p, 1)->kind == TOKEN_NAME);
}

/* Assignment, ++, -- or expression, without the ';'. */
static ast *parse_simple(parser *p) {
    const token *t = parse_token(p);
    ast *node = parse_node(p, AST_ASSIGN, t->at);
    if (t->kind == TOKEN_INCREMENT || t->kind == TOKEN_DECREMENT) {
        node->op = t->kind;
        p->next++;
        node->a = parse_expression(p);
        return node;
    }
    node->a = parse_expression(p);
    t = parse_token(p);
    if (parse_accept(p, TOKEN_INCREMENT) || parse_accept(p, TOKEN_DECREMENT)) {
        node->op = t->kind;
    } else if (!p->failing && is_assignment(t->kind)) {
        node->op = t->kind;
        p->next++;
        node->b = parse_expression(p);
    } else {
        node->kind = AST_EXPRESSION;
    }
    return node;
}

static ast *parse_simple_statement(parser *p) {
    ast *node = parse_simple(p);
    parse_expect(p, TOKEN_SEMICOLON, node->kind == AST_ASSIGN ? "assignment" : "expression");
    return node;
}

/* --- events --------------------------------------------------------------------------------------------- */

static ast *parse_reference(parser *p, const char *what) {
    ast *node = parse_node(p, AST_REFERENCE, parse_token(p)->at);
    node->name = parse_name(p, what);
    if (parse_accept(p, TOKEN_LEFT_BRACKET)) {
        node->a = parse_expression(p);
        parse_expect(p, TOKEN_RIGHT_BRACKET, "index");
    }
    return node;
}

/* Parentheses group events of one operator only, so the result is flat. */
static void parse_events(parser *p, uint8_t *op, ast_list *list, unsigned *count) {
    for (;;) {
        if (parse_accept(p, TOKEN_LEFT_PAREN)) {
            if (!parse_enter(p)) return;
            parse_events(p, op, list, count);
            parse_leave(p);
            parse_expect(p, TOKEN_RIGHT_PAREN, "events");
        } else {
            list_append(list, parse_reference(p, "an event"));
            if (++*count > IVL_MOST_AWAITED)
                parse_error(p, parse_token(p)->at, "more than %d events in one wait", IVL_MOST_AWAITED);
        }
        const token *t = parse_token(p);
        if (p->failing || (t->kind != TOKEN_PIPE && t->kind != TOKEN_AMPERSAND)) return;
        if (*op && *op != t->kind) {
            parse_error(p, t->at, "'|' and '&' between events cannot be mixed");
            return;
        }
        *op = t->kind;
        p->next++;
    }
}

static ast *parse_wait(parser *p, position at, bool may_have_time) {
    ast *node = parse_node(p, AST_WAIT, at);
    ast_list events = {0};
    unsigned count = 0;
    parse_events(p, &node->op, &events, &count);
    node->list = events.first;
    if (!node->op) node->op = TOKEN_PIPE;
    if (may_have_time && parse_accept(p, TOKEN_COMMA)) node->a = parse_expression(p);
    parse_expect(p, TOKEN_SEMICOLON, "wait");
    return node;
}

static ast *parse_notify(parser *p, position at) {
    ast *node = parse_node(p, AST_NOTIFY, at);
    node->a = parse_reference(p, "an event");
    if (parse_accept(p, TOKEN_COMMA)) node->b = parse_expression(p);
    parse_expect(p, TOKEN_SEMICOLON, "notify");
    return node;
}

static ast *parse_with_reference(parser *p, ast_kind kind, position at, const char *what) {
    ast *node = parse_node(p, kind, at);
    node->a = parse_reference(p, what);
    parse_expect(p, TOKEN_SEMICOLON, what);
    return node;
}

/* --- control -------------------------------------------------------------------------------------------- */

static ast *parse_condition(parser *p, const char *word) {
    parse_expect(p, TOKEN_LEFT_PAREN, word);
    ast *condition = parse_expression(p);
    parse_expect(p, TOKEN_RIGHT_PAREN, "condition");
    return condition;
}

static bool continues_expression(unsigned kind) {
    return parse_precedence(kind) || kind == TOKEN_QUESTION || kind == TOKEN_LEFT_BRACKET ||
           kind == TOKEN_DOT || kind == TOKEN_ARROW;
}

/* After `if`: is this the flat form `if e goto L;` rather than `if (e) statement`? Only an expression that
 * goes on behind its first parenthesis can be mistaken, as in `if (a) * b > c goto L;` against `if (a) *p =
 * 1;`. */
static bool is_flat_if(const parser *p) {
    const token *t = parse_token(p);
    if (t->kind != TOKEN_LEFT_PAREN) return true;
    if (t->match == NO_MATCH || !continues_expression(p->tokens.data[t->match + 1].kind)) return false;
    for (uint32_t k = t->match + 1, most = k + MOST_LOOKAHEAD; k < p->tokens.size && k < most; k++) {
        unsigned kind = p->tokens.data[k].kind;
        if (kind == TOKEN_GOTO) return true;
        if (kind == TOKEN_SEMICOLON || kind == TOKEN_LEFT_BRACE || kind == TOKEN_RIGHT_BRACE ||
            is_assignment(kind) || (kind >= TOKEN_PARAM && kind <= TOKEN_STOP))
            return false;
    }
    return false;
}

static ast *parse_goto(parser *p) {
    ast *node = parse_node(p, AST_GOTO, parse_token(p)->at);
    parse_expect(p, TOKEN_GOTO, "condition");
    node->name = parse_name(p, "a label");
    parse_expect(p, TOKEN_SEMICOLON, "goto");
    return node;
}

/* Else-if chains grow to the right in a loop: their length is not nesting. */
static ast *parse_if(parser *p) {
    ast *first = NULL, **place = &first;
    do {
        ast *node = parse_node(p, AST_IF, parse_token(p)->at);
        p->next++;
        *place = node;
        if (is_flat_if(p)) {
            node->a = parse_expression(p);
            node->b = parse_goto(p);
            return first;
        }
        node->a = parse_condition(p, "'if'");
        node->b = parse_statement(p);
        place = &node->c;
        if (!parse_accept(p, TOKEN_ELSE)) return first;
    } while (parse_token(p)->kind == TOKEN_IF);
    *place = parse_statement(p);
    return first;
}

static ast *parse_for(parser *p, position at) {
    ast *node = parse_node(p, AST_FOR, at);
    parse_expect(p, TOKEN_LEFT_PAREN, "'for'");
    if (p->failing) return node;
    if (starts_declaration(p)) {
        node->a = parse_variables(p, parse_type_word(p));
    } else if (!parse_accept(p, TOKEN_SEMICOLON)) {
        node->a = parse_simple_statement(p);
    }
    if (!parse_accept(p, TOKEN_SEMICOLON)) {
        node->b = parse_expression(p);
        parse_expect(p, TOKEN_SEMICOLON, "condition");
    }
    if (!p->failing && parse_token(p)->kind != TOKEN_RIGHT_PAREN) node->c = parse_simple(p);
    parse_expect(p, TOKEN_RIGHT_PAREN, "head of 'for'");
    node->d = parse_statement(p);
    return node;
}

static ast *parse_do(parser *p, position at) {
    ast *node = parse_node(p, AST_DO, at);
    node->b = parse_statement(p);
    parse_expect(p, TOKEN_WHILE, "body of 'do'");
    node->a = parse_condition(p, "'while'");
    parse_expect(p, TOKEN_SEMICOLON, "condition");
    return node;
}

static bool ends_statements(const parser *p) {
    unsigned kind = parse_token(p)->kind;
    return kind == TOKEN_RIGHT_BRACE || kind == TOKEN_END;
}

/* Statements up to '}' (or the next case). Each one that fails is skipped, so that later errors
 * are found too. */
static ast *parse_statements(parser *p, bool in_switch) {
    ast_list list = {0};
    while (!ends_statements(p) && p->d->errors < DIAG_MOST_ERRORS) {
        if (in_switch && (parse_token(p)->kind == TOKEN_CASE || parse_token(p)->kind == TOKEN_DEFAULT)) break;
        list_append(&list, parse_statement(p));
        if (p->failing) parse_recover(p);
    }
    return list.first;
}

static ast *parse_case(parser *p) {
    ast *node = parse_node(p, AST_CASE, parse_token(p)->at);
    if (parse_accept(p, TOKEN_CASE))
        node->a = parse_expression(p);
    else if (!parse_accept(p, TOKEN_DEFAULT))
        parse_error(p, parse_token(p)->at, "expected 'case' or 'default' in a switch, found %s",
                    token_kind_name(parse_token(p)->kind));
    parse_expect(p, TOKEN_COLON, node->a ? "case" : "'default'");
    if (p->failing) return NULL;
    node->list = parse_statements(p, true);
    return node;
}

static ast *parse_switch(parser *p, position at) {
    ast *node = parse_node(p, AST_SWITCH, at);
    node->a = parse_condition(p, "'switch'");
    uint32_t brace = p->next;
    parse_expect(p, TOKEN_LEFT_BRACE, "head of 'switch'");
    ast_list cases = {0};
    while (!p->failing && !ends_statements(p)) list_append(&cases, parse_case(p));
    parse_expect(p, TOKEN_RIGHT_BRACE, "cases");
    parse_skip_braces(p, brace);
    node->list = cases.first;
    return node;
}

ast *parse_block(parser *p) {
    const token *t = parse_token(p);
    ast *node = parse_node(p, AST_BLOCK, t->at);
    if (!parse_accept(p, TOKEN_LEFT_BRACE)) {
        parse_error(p, t->at, "expected '{', found %s", token_kind_name(t->kind));
        return node;
    }
    node->list = parse_statements(p, false);
    if (parse_token(p)->kind == TOKEN_END && !p->failing) {
        parse_error(p, t->at, "'{' without '}'");
        p->hopeless = true;
    }
    parse_expect(p, TOKEN_RIGHT_BRACE, "statements");
    return node;
}

/* --- statements ----------------------------------------------------------------------------------------- */

/* The source between two tokens; blanks and comments become one space. An outermost pair of parentheses is
 * left out. */
static const char *text_between(parser *p, uint32_t first, uint32_t after) {
    while (after > first + 2 && p->tokens.data[first].kind == TOKEN_LEFT_PAREN &&
           p->tokens.data[first].match == after - 1)
        first++, after--;
    text t = {0};
    for (uint32_t k = first; k < after; k++) {
        const token *this = &p->tokens.data[k];
        if (k > first && p->tokens.data[k - 1].start + p->tokens.data[k - 1].length < this->start)
            text_char(&t, ' ');
        text_add_bytes(&t, p->source + this->start, this->length);
    }
    const char *copy = arena_string(&p->file->memory, text_cstr(&t), t.size);
    text_free(&t);
    return copy;
}

static ast *parse_assert(parser *p, position at) {
    ast *node = parse_node(p, AST_ASSERT, at);
    uint32_t first = p->next;
    node->a = parse_expression(p);
    node->text = text_between(p, first, p->next);
    parse_expect(p, TOKEN_SEMICOLON, "assertion");
    return node;
}

static ast *parse_with_expression(parser *p, ast_kind kind, position at, const char *what) {
    ast *node = parse_node(p, kind, at);
    node->a = parse_expression(p);
    parse_expect(p, TOKEN_SEMICOLON, what);
    return node;
}

static ast *parse_with_optional_expression(parser *p, ast_kind kind, position at, const char *what) {
    ast *node = parse_node(p, kind, at);
    if (parse_accept(p, TOKEN_SEMICOLON)) return node;
    node->a = parse_expression(p);
    parse_expect(p, TOKEN_SEMICOLON, what);
    return node;
}

static ast *parse_plain(parser *p, ast_kind kind, position at, const char *what) {
    parse_expect(p, TOKEN_SEMICOLON, what);
    return parse_node(p, kind, at);
}

static ast *parse_label(parser *p) {
    ast *node = parse_node(p, AST_LABEL, parse_token(p)->at);
    node->name = parse_name(p, "a label");
    p->next++;
    if (parse_token(p)->kind == TOKEN_RIGHT_BRACE)
        node->a = parse_node(p, AST_EMPTY, parse_token(p)->at);
    else
        node->a = parse_statement(p);
    return node;
}

static ast *parse_word_statement(parser *p) {
    const token *t = parse_token(p);
    position at = t->at;
    p->next++;
    switch (t->kind) {
    case TOKEN_SEMICOLON: return parse_node(p, AST_EMPTY, at);
    case TOKEN_WHILE: {
        ast *node = parse_node(p, AST_WHILE, at);
        node->a = parse_condition(p, "'while'");
        node->b = parse_statement(p);
        return node;
    }
    case TOKEN_DO: return parse_do(p, at);
    case TOKEN_FOR: return parse_for(p, at);
    case TOKEN_SWITCH: return parse_switch(p, at);
    case TOKEN_BREAK: return parse_plain(p, AST_BREAK, at, "'break'");
    case TOKEN_CONTINUE: return parse_plain(p, AST_CONTINUE, at, "'continue'");
    case TOKEN_STOP: return parse_plain(p, AST_STOP, at, "'stop'");
    case TOKEN_RETURN: return parse_with_optional_expression(p, AST_RETURN, at, "return value");
    case TOKEN_START: return parse_with_optional_expression(p, AST_START, at, "time limit of 'start'");
    case TOKEN_ASSERT: return parse_assert(p, at);
    case TOKEN_ASSUME: return parse_with_expression(p, AST_ASSUME, at, "assumption");
    case TOKEN_DELETE: return parse_with_expression(p, AST_DELETE, at, "delete");
    case TOKEN_WAIT: return parse_wait(p, at, true);
    case TOKEN_WAIT_EVENT: return parse_wait(p, at, false);
    case TOKEN_WAIT_TIME:
    case TOKEN_DELAY: return parse_with_expression(p, AST_DELAY, at, "delay");
    case TOKEN_NOTIFY: return parse_notify(p, at);
    case TOKEN_CANCEL: return parse_with_reference(p, AST_CANCEL, at, "an event");
    case TOKEN_SUSPEND: return parse_with_reference(p, AST_SUSPEND, at, "a thread");
    case TOKEN_RESUME: return parse_with_reference(p, AST_RESUME, at, "a thread");
    case TOKEN_REQUEST_UPDATE: return parse_with_reference(p, AST_REQUEST, at, "an update");
    default: p->next--; return parse_simple_statement(p);
    }
}

static ast *parse_statement(parser *p) {
    if (!parse_enter(p)) return NULL;
    ast *node;
    const token *t = parse_token(p);
    if (t->kind == TOKEN_LEFT_BRACE)
        node = parse_block(p);
    else if (t->kind == TOKEN_IF)
        node = parse_if(p);
    else if (t->kind == TOKEN_NAME && parse_ahead(p, 1)->kind == TOKEN_COLON)
        node = parse_label(p);
    else if (t->kind == TOKEN_GOTO)
        node = parse_goto(p);
    else if (starts_declaration(p))
        node = parse_variables(p, parse_type_word(p));
    else
        node = parse_word_statement(p);
    parse_leave(p);
    return node;
}
