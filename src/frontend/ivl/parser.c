#include "frontend/ivl/parser.h"

#include "frontend/ivl/parse.h"

/* --- tokens and errors ---------------------------------------------------------------------------------- */

const token *parse_token(const parser *p) {
    assert(p->next < p->tokens.size); /* the end of the file is never passed */
    return &p->tokens.data[p->next];
}

const token *parse_ahead(const parser *p, uint32_t distance) {
    size_t last = p->tokens.size - 1, wanted = (size_t)p->next + distance;
    return &p->tokens.data[wanted < last ? wanted : last];
}

void parse_error(parser *p, position at, const char *format, ...) {
    p->good = false;
    if (p->failing) return;
    p->failing = true;
    text message = {0};
    va_list args;
    va_start(args, format);
    text_vformat(&message, format, args);
    va_end(args);
    diag_report(p->d, DIAG_ERROR, at, "%s", text_cstr(&message));
    text_free(&message);
}

bool parse_accept(parser *p, token_kind kind) {
    if (p->failing || parse_token(p)->kind != kind) return false;
    if (kind != TOKEN_END) p->next++;
    return true;
}

static position end_of_previous(const parser *p) {
    if (!p->next) return p->tokens.data[0].at;
    const token *previous = &p->tokens.data[p->next - 1];
    return (position){previous->at.line, previous->at.column + previous->length};
}

static bool assigns(unsigned kind) {
    return kind == TOKEN_ASSIGN || kind == TOKEN_INCREMENT || kind == TOKEN_DECREMENT ||
           kind == TOKEN_SHL_ASSIGN || kind == TOKEN_SHR_ASSIGN ||
           (kind >= TOKEN_ADD_ASSIGN && kind <= TOKEN_XOR_ASSIGN);
}

bool parse_expect(parser *p, token_kind kind, const char *after) {
    if (parse_accept(p, kind)) return true;
    const token *found = parse_token(p);
    if (assigns(found->kind))
        parse_error(p, found->at, "%s inside an expression: assignments are statements of their own",
                    token_kind_name(found->kind));
    else
        parse_error(p, end_of_previous(p), "expected %s after %s", token_kind_name(kind), after);
    return false;
}

uint32_t parse_name(parser *p, const char *what) {
    const token *t = parse_token(p);
    if (!p->failing && t->kind == TOKEN_NAME) {
        p->next++;
        return intern_bytes(&p->file->names, p->source + t->start, t->length);
    }
    if (t->kind >= TOKEN_BOOL)
        parse_error(p, t->at, "expected a name of %s; %s is a reserved word", what, token_kind_name(t->kind));
    else
        parse_error(p, t->at, "expected a name of %s, found %s", what, token_kind_name(t->kind));
    return NO_NAME;
}

/* Too deep nesting ends the parse: there is nothing sensible to go on with inside it. */
bool parse_enter(parser *p) {
    if (p->failing) return false;
    if (++p->nesting <= IVL_MOST_NESTING) return true;
    parse_error(p, parse_token(p)->at, "nesting too deep (more than %d levels)", IVL_MOST_NESTING);
    p->nesting--;
    p->hopeless = true;
    return false;
}

void parse_leave(parser *p) {
    assert(p->nesting);
    p->nesting--;
}

void parse_recover(parser *p) {
    if (p->hopeless) p->next = (uint32_t)p->tokens.size - 1;
    p->failing = p->hopeless;
    for (;;) {
        const token *t = parse_token(p);
        if (t->kind == TOKEN_END || t->kind == TOKEN_RIGHT_BRACE) return;
        if (t->kind == TOKEN_LEFT_BRACE && t->match != NO_MATCH) {
            assert(t->match > p->next); /* so that it comes to an end */
            p->next = t->match + 1;
            return;
        }
        p->next++;
        if (t->kind == TOKEN_SEMICOLON) return;
    }
}

void parse_skip_braces(parser *p, uint32_t brace) {
    const token *t = &p->tokens.data[brace];
    if (!p->failing || p->hopeless || t->kind != TOKEN_LEFT_BRACE || t->match == NO_MATCH) return;
    p->next = t->match + 1;
    p->failing = false;
}

ast *parse_node(parser *p, ast_kind kind, position at) {
    ast *node = arena_zero(&p->file->memory, sizeof *node);
    node->kind = (uint8_t)kind;
    node->at = at;
    node->name = NO_NAME;
    node->type.name = NO_NAME;
    node->height = 1;
    return node;
}

/* --- types ---------------------------------------------------------------------------------------------- */

static bool names_struct(const parser *p, const token *t) {
    if (t->kind != TOKEN_NAME) return false;
    uint32_t name = intern_bytes(&p->file->names, p->source + t->start, t->length);
    return map_get(&p->struct_names, name) != MAP_NONE;
}

bool parse_starts_type(const parser *p) {
    const token *t = parse_token(p);
    return token_is_type_word(t->kind) || t->kind == TOKEN_STRUCT || names_struct(p, t);
}

type_name parse_type_word(parser *p) {
    const token *t = parse_token(p);
    type_name type = {.word = TOKEN_VOID, .name = NO_NAME, .at = t->at};
    if (p->failing) return type;
    if (token_is_type_word(t->kind)) {
        type.word = t->kind;
        p->next++;
    } else if (parse_accept(p, TOKEN_STRUCT) || names_struct(p, t)) {
        type.word = TOKEN_STRUCT;
        type.name = parse_name(p, "a struct");
    } else if (t->kind == TOKEN_NAME) {
        parse_error(p, t->at, "unknown type '%.*s'", (int)t->length, p->source + t->start);
    } else {
        parse_error(p, t->at, "expected a type, found %s", token_kind_name(t->kind));
    }
    return type;
}

void parse_stars(parser *p, type_name *type) {
    while (parse_accept(p, TOKEN_STAR))
        if (++type->stars > IVL_MOST_STARS) {
            parse_error(p, type->at, "type with more than %d stars", IVL_MOST_STARS);
            type->stars = 0;
        }
}

ast *parse_dimensions(parser *p) {
    ast_list list = {0};
    while (parse_accept(p, TOKEN_LEFT_BRACKET)) {
        list_append(&list, parse_expression(p));
        parse_expect(p, TOKEN_RIGHT_BRACKET, "array size");
    }
    return list.first;
}

/* --- declarations --------------------------------------------------------------------------------------- */

static ast *parse_param(parser *p) {
    ast *node = parse_node(p, AST_PARAM, parse_token(p)->at);
    node->name = parse_name(p, "a parameter");
    parse_expect(p, TOKEN_ASSIGN, "name of the parameter");
    node->a = parse_expression(p);
    parse_expect(p, TOKEN_SEMICOLON, "parameter");
    return node;
}

static ast *parse_events(parser *p) {
    ast *group = parse_node(p, AST_GROUP, parse_token(p)->at);
    ast_list list = {0};
    do {
        ast *event = parse_node(p, AST_EVENT, parse_token(p)->at);
        event->name = parse_name(p, "an event");
        if (parse_accept(p, TOKEN_LEFT_BRACKET)) {
            event->a = parse_expression(p);
            parse_expect(p, TOKEN_RIGHT_BRACKET, "number of events");
        }
        list_append(&list, event);
    } while (parse_accept(p, TOKEN_COMMA));
    parse_expect(p, TOKEN_SEMICOLON, "event");
    group->list = list.first;
    return group;
}

static ast *parse_struct(parser *p) {
    ast *node = parse_node(p, AST_STRUCT, parse_token(p)->at);
    node->name = parse_name(p, "a struct");
    uint32_t brace = p->next;
    parse_expect(p, TOKEN_LEFT_BRACE, "name of the struct");
    ast_list fields = {0};
    while (!p->failing && parse_token(p)->kind != TOKEN_RIGHT_BRACE && parse_token(p)->kind != TOKEN_END) {
        ast *group = parse_variables(p, parse_type_word(p));
        for (ast *field = group ? group->list : NULL, *next; field; field = next) {
            next = field->next;
            field->next = NULL;
            if (field->a) parse_error(p, field->a->at, "fields of a struct have no initialiser");
            list_append(&fields, field);
        }
    }
    parse_expect(p, TOKEN_RIGHT_BRACE, "fields of the struct");
    parse_skip_braces(p, brace);
    parse_accept(p, TOKEN_SEMICOLON);
    node->list = fields.first;
    return node;
}

static ast *parse_process(parser *p, ast_kind kind, const char *what) {
    ast *node = parse_node(p, kind, parse_token(p)->at);
    node->name = parse_name(p, what);
    if (parse_accept(p, TOKEN_LEFT_BRACKET)) {
        node->a = parse_node(p, AST_REPLICA, parse_token(p)->at);
        node->a->name = parse_name(p, "an index");
        parse_expect(p, TOKEN_COLON, "name of the index");
        node->a->a = parse_expression(p);
        parse_expect(p, TOKEN_RIGHT_BRACKET, "number of copies");
    }
    node->b = parse_block(p);
    return node;
}

static ast *parse_function(parser *p, type_name result, position at, uint32_t name) {
    ast *node = parse_node(p, AST_FUNCTION, at);
    node->name = name;
    node->type = result;
    ast_list parameters = {0};
    unsigned count = 0;
    if (parse_token(p)->kind == TOKEN_VOID && parse_ahead(p, 1)->kind == TOKEN_RIGHT_PAREN) p->next++;
    if (parse_token(p)->kind != TOKEN_RIGHT_PAREN) do {
            type_name type = parse_type_word(p);
            parse_stars(p, &type);
            ast *parameter = parse_node(p, AST_PARAMETER, parse_token(p)->at);
            parameter->name = parse_name(p, "a function's parameter");
            if (parse_accept(p, TOKEN_LEFT_BRACKET)) {
                parse_expect(p, TOKEN_RIGHT_BRACKET, "'['");
                type.stars++;
            }
            parameter->type = type;
            list_append(&parameters, parameter);
            if (++count > IVL_MOST_ARGUMENTS)
                parse_error(p, at, "more than %d parameters", IVL_MOST_ARGUMENTS);
        } while (parse_accept(p, TOKEN_COMMA));
    parse_expect(p, TOKEN_RIGHT_PAREN, "function's parameters");
    node->list = parameters.first;
    node->a = parse_block(p);
    return node;
}

static ast *parse_function_or_variables(parser *p) {
    type_name base = parse_type_word(p), type = base;
    uint32_t after_word = p->next;
    parse_stars(p, &type);
    if (p->failing) return NULL;
    if (parse_token(p)->kind == TOKEN_NAME && parse_ahead(p, 1)->kind == TOKEN_LEFT_PAREN) {
        position at = parse_token(p)->at;
        uint32_t name = parse_name(p, "a function");
        p->next++;
        return parse_function(p, type, at, name);
    }
    p->next = after_word;
    return parse_variables(p, base);
}

static ast *parse_declaration(parser *p) {
    if (parse_accept(p, TOKEN_PARAM)) return parse_param(p);
    if (parse_accept(p, TOKEN_EVENT)) return parse_events(p);
    if (parse_accept(p, TOKEN_THREAD)) return parse_process(p, AST_THREAD, "a thread");
    if (parse_accept(p, TOKEN_UPDATE)) return parse_process(p, AST_UPDATE, "an update");
    if (parse_token(p)->kind == TOKEN_MAIN) {
        ast *node = parse_node(p, AST_MAIN, parse_token(p)->at);
        p->next++;
        node->b = parse_block(p);
        return node;
    }
    if (parse_token(p)->kind == TOKEN_STRUCT && parse_ahead(p, 2)->kind == TOKEN_LEFT_BRACE) {
        p->next++;
        return parse_struct(p);
    }
    if (parse_starts_type(p) || parse_token(p)->kind == TOKEN_NAME) return parse_function_or_variables(p);
    parse_error(p, parse_token(p)->at, "expected a declaration, found %s",
                token_kind_name(parse_token(p)->kind));
    return NULL;
}

/* Struct names must be known before the first use: `(name) - 1` is a cast only if name is a struct. */
static void collect_struct_names(parser *p) {
    for (size_t t = 0; t + 1 < p->tokens.size; t++) {
        const token *name = &p->tokens.data[t + 1];
        if (p->tokens.data[t].kind != TOKEN_STRUCT || name->kind != TOKEN_NAME) continue;
        map_put(&p->struct_names, intern_bytes(&p->file->names, p->source + name->start, name->length), 1);
    }
}

static void parse_file(parser *p) {
    ast_list declarations = {0};
    while (parse_token(p)->kind != TOKEN_END && !p->hopeless && p->d->errors < DIAG_MOST_ERRORS) {
        uint32_t before = p->next;
        list_append(&declarations, parse_declaration(p));
        if (!p->failing) continue;
        parse_recover(p);
        if (parse_token(p)->kind == TOKEN_RIGHT_BRACE || p->next == before)
            p->next += parse_token(p)->kind != TOKEN_END;
    }
    p->file->declarations = declarations.first;
}

bool ivl_parse(const char *source, size_t length, diagnostics *d, ast_file *out) {
    parser p = {.source = source, .good = true, .file = out, .d = d};
    if (length > IVL_MOST_BYTES) {
        diag_report(d, DIAG_ERROR, (position){0, 0}, "file too large (%zu bytes, at most %d)", length,
                    IVL_MOST_BYTES);
        return false;
    }
    p.good = ivl_tokenize(source, length, d, &p.tokens);
    if (d->errors < DIAG_MOST_ERRORS) {
        collect_struct_names(&p);
        parse_file(&p);
    }
    assert(!p.good || p.next + 1 == p.tokens.size); /* what is not an error was read */
    assert(!p.nesting);
    vec_free(&p.tokens);
    map_free(&p.struct_names);
    return p.good;
}
