#include "frontend/ivl/resolve.h"

#include "frontend/ivl/lexer.h"

typedef struct hidden { /* what a name meant outside the current scope */
    uint32_t name;
    symbol *before;
} hidden;

typedef struct resolver {
    ast_file *file;
    symbols *out;
    diagnostics *d;
    VEC(symbol *) meaning; /* of each name, now */
    VEC(hidden) undo;
    uint32_t scope, scopes;    /* number of the innermost one; how many there were so far */
    symbol *body;              /* the function, thread, update or main being walked */
    const ast *initializer_of; /* the global or parameter whose value is being walked */
    map labels;                /* name -> index into out->all, of the body */
    unsigned loops, switches;
    bool good;
} resolver;

static const char *const kind_names[] = {
    [SYMBOL_PARAM] = "parameter", [SYMBOL_REPLICA] = "index",     [SYMBOL_GLOBAL] = "variable",
    [SYMBOL_LOCAL] = "variable",  [SYMBOL_ARGUMENT] = "variable", [SYMBOL_STRUCT] = "struct",
    [SYMBOL_EVENT] = "event",     [SYMBOL_FUNCTION] = "function", [SYMBOL_THREAD] = "thread",
    [SYMBOL_UPDATE] = "update",   [SYMBOL_MAIN] = "main",         [SYMBOL_LABEL] = "label",
};

const char *symbol_kind_name(symbol_kind kind) {
    return kind_names[kind];
}

#define report(r, at, ...) (diag_report((r)->d, DIAG_ERROR, at, __VA_ARGS__), (void)((r)->good = false))

/* --- scopes --------------------------------------------------------------------------------------------- */

static symbol *add_symbol(resolver *r, symbol_kind kind, ast *declaration) {
    symbol *s = arena_zero(&r->out->memory, sizeof *s);
    s->kind = kind;
    s->number = (uint32_t)r->out->all.size;
    s->name = declaration ? ast_name(r->file, declaration) : "main";
    s->declaration = declaration;
    if (declaration) s->at = declaration->at;
    vec_push(&r->out->all, s);
    if (declaration) declaration->symbol = s;
    return s;
}

static symbol *meaning_of(const resolver *r, uint32_t name) {
    return name < r->meaning.size ? r->meaning.data[name] : NULL;
}

static symbol *declare(resolver *r, symbol_kind kind, ast *node) {
    symbol *before = meaning_of(r, node->name);
    if (before && before->kind == SYMBOL_STRUCT)
        report(r, node->at, "'%s' is the name of a struct (line %u)", before->name, before->at.line);
    else if (before && before->scope == r->scope)
        report(r, node->at, "'%s' is already declared in line %u", before->name, before->at.line);
    symbol *s = add_symbol(r, kind, node);
    s->scope = r->scope;
    while (r->meaning.size <= node->name) vec_push(&r->meaning, NULL);
    hidden entry = {node->name, before};
    vec_push(&r->undo, entry);
    r->meaning.data[node->name] = s;
    return s;
}

typedef struct outer_scope {
    uint32_t number;
    size_t undo;
} outer_scope;

static outer_scope open_scope(resolver *r) {
    outer_scope outer = {r->scope, r->undo.size};
    r->scope = ++r->scopes;
    return outer;
}

static void close_scope(resolver *r, outer_scope outer) {
    assert(outer.undo <= r->undo.size && outer.number < r->scope); /* scopes end in the order of a stack */
    while (r->undo.size > outer.undo) {
        hidden entry = vec_pop(&r->undo);
        assert(r->meaning.data[entry.name]->scope == r->scope); /* what is forgotten was declared here */
        r->meaning.data[entry.name] = entry.before;
    }
    r->scope = outer.number;
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static void walk_expression(resolver *r, ast *e);

static symbol *use(resolver *r, ast *e) {
    e->symbol = meaning_of(r, e->name);
    if (!e->symbol) report(r, e->at, "unknown name '%s'", ast_name(r->file, e));
    return e->symbol;
}

static bool comes_later(const symbol *s, const ast *declaration) {
    return s->at.line > declaration->at.line ||
           (s->at.line == declaration->at.line && s->at.column >= declaration->at.column);
}

static bool is_variable(symbol_kind kind) {
    return kind == SYMBOL_GLOBAL || kind == SYMBOL_LOCAL || kind == SYMBOL_ARGUMENT;
}

static void walk_name(resolver *r, ast *e) {
    symbol *s = use(r, e);
    if (!s) return;
    if (!is_variable(s->kind) && s->kind != SYMBOL_PARAM && s->kind != SYMBOL_REPLICA) {
        report(r, e->at, "the %s '%s' is not a value", symbol_kind_name(s->kind), s->name);
        e->symbol = NULL;
        return;
    }
    const ast *of = r->initializer_of;
    bool same_kind = of && ((of->kind == AST_PARAM && s->kind == SYMBOL_PARAM) ||
                            (of->kind == AST_VARIABLE && s->kind == SYMBOL_GLOBAL));
    if (same_kind && comes_later(s, of)) report(r, e->at, "'%s' is used before its declaration", s->name);
}

/* The variable whose memory the place e is part of, or NULL when it is reached through a pointer. A pointer
 * variable that is indexed is only read; where the type is not obvious the answer errs towards
 * the variable itself. */
static symbol *variable_of_place(const ast *e) {
    while (e->kind == AST_INDEX || e->kind == AST_FIELD) {
        if (e->kind == AST_INDEX && e->a->kind == AST_NAME && e->a->symbol) {
            const ast *declaration = e->a->symbol->declaration;
            if (declaration && declaration->type.stars && !declaration->list) return NULL;
        }
        e = e->a;
    }
    return e->kind == AST_NAME ? e->symbol : NULL;
}

static unsigned dimensions_of(const symbol *s) {
    unsigned count = 0;
    if (s->declaration && s->declaration->kind == AST_VARIABLE)
        for (const ast *size = s->declaration->list; size; size = size->next) count++;
    return count;
}

/* An array that is used as a whole becomes a pointer to its first element: its address is taken. Fields may
 * be arrays. */
static void note_decay(const ast *e) {
    unsigned indices = 0;
    bool field = false;
    for (const ast *k = e; k->kind == AST_INDEX || k->kind == AST_FIELD; k = k->a) {
        indices += k->kind == AST_INDEX && !field;
        field |= k->kind == AST_FIELD;
    }
    symbol *s = variable_of_place(e);
    if (!s) return;
    if (field && !indices) s->address_taken = true;
    if (!field && dimensions_of(s) > indices) s->address_taken = true;
}

static void walk_place(resolver *r, ast *e) {
    switch (e->kind) {
    case AST_NAME: walk_name(r, e); break;
    case AST_INDEX:
        walk_place(r, e->a);
        walk_expression(r, e->b);
        break;
    case AST_FIELD: walk_place(r, e->a); break;
    default: walk_expression(r, e);
    }
}

static void walk_call(resolver *r, ast *e) {
    symbol *s = use(r, e);
    if (s && s->kind != SYMBOL_FUNCTION) {
        report(r, e->at, "'%s' is not a function", s->name);
        e->symbol = NULL;
    } else if (s && r->body) {
        call_use c = {s, e->at};
        vec_push(&r->body->calls, c);
    }
    for (ast *argument = e->list; argument; argument = argument->next) walk_expression(r, argument);
}

static void walk_type(resolver *r, const type_name *type) {
    if (type->word != TOKEN_STRUCT || type->name == NO_NAME) return;
    const symbol *s = meaning_of(r, type->name);
    if (!s || s->kind != SYMBOL_STRUCT)
        report(r, type->at, "unknown struct '%s'", intern_text(&r->file->names, type->name));
}

static void walk_expression(resolver *r, ast *e) {
    if (!e) return;
    switch (e->kind) {
    case AST_NAME:
    case AST_INDEX:
    case AST_FIELD:
        walk_place(r, e);
        note_decay(e);
        return;
    case AST_UNARY:
        if (e->op == TOKEN_AMPERSAND) {
            walk_place(r, e->a);
            symbol *s = variable_of_place(e->a);
            if (s) s->address_taken = true;
            return;
        }
        break;
    case AST_CALL: walk_call(r, e); return;
    default: break;
    }
    walk_type(r, &e->type);
    walk_expression(r, e->a);
    walk_expression(r, e->b);
    walk_expression(r, e->c);
    for (ast *child = e->list; child; child = child->next) walk_expression(r, child);
}

/* --- statements ----------------------------------------------------------------------------------------- */

static void walk_statement(resolver *r, ast *s);

static void walk_list(resolver *r, ast *first) {
    for (ast *s = first; s; s = s->next) walk_statement(r, s);
}

static void walk_variables(resolver *r, ast *group, bool in_switch) {
    for (ast *v = group->list; v; v = v->next) {
        walk_type(r, &v->type);
        for (ast *size = v->list; size; size = size->next) walk_expression(r, size);
        walk_expression(r, v->a);
        declare(r, SYMBOL_LOCAL, v)->in_switch = in_switch;
    }
}

static void walk_reference(resolver *r, ast *e, symbol_kind wanted) {
    symbol *s = use(r, e);
    if (s && s->kind != wanted) {
        report(r, e->at, "'%s' is not %s", s->name,
               wanted == SYMBOL_EVENT    ? "an event"
               : wanted == SYMBOL_THREAD ? "a thread"
                                         : "an update");
        e->symbol = NULL;
    }
    walk_expression(r, e->a);
}

static void walk_goto(resolver *r, ast *s) {
    uint64_t label = map_get(&r->labels, s->name);
    if (label == MAP_NONE)
        report(r, s->at, "unknown label '%s'", ast_name(r->file, s));
    else
        s->symbol = r->out->all.data[label];
}

static void walk_switch(resolver *r, ast *s) {
    walk_expression(r, s->a);
    outer_scope outer = open_scope(r);
    r->switches++;
    bool has_default = false;
    for (ast *c = s->list; c; c = c->next) {
        walk_expression(r, c->a);
        if (!c->a && has_default) report(r, c->at, "second 'default' in a switch");
        has_default |= !c->a;
        for (ast *inner = c->list; inner; inner = inner->next) {
            if (inner->kind == AST_GROUP)
                walk_variables(r, inner, true);
            else
                walk_statement(r, inner);
        }
    }
    r->switches--;
    close_scope(r, outer);
}

static void walk_in_scope(resolver *r, ast *s) {
    outer_scope outer = open_scope(r);
    if (s) walk_statement(r, s);
    close_scope(r, outer);
}

static void walk_loop_body(resolver *r, ast *s) {
    r->loops++;
    walk_in_scope(r, s);
    r->loops--;
}

static void note_wait(resolver *r, position at) {
    if (!r->body->waits_at.line) r->body->waits_at = at;
}

static void walk_assignment(resolver *r, ast *s) {
    walk_expression(r, s->b);
    walk_place(r, s->a);
    symbol *changed = variable_of_place(s->a);
    if (changed) changed->assigned = true;
}

static void walk_statement(resolver *r, ast *s) {
    switch (s->kind) {
    case AST_GROUP: walk_variables(r, s, false); break;
    case AST_BLOCK: {
        outer_scope outer = open_scope(r);
        walk_list(r, s->list);
        close_scope(r, outer);
        break;
    }
    case AST_ASSIGN: walk_assignment(r, s); break;
    case AST_IF:
        for (; s && s->kind == AST_IF; s = s->c) {
            walk_expression(r, s->a);
            walk_in_scope(r, s->b);
        }
        if (s) walk_in_scope(r, s);
        break;
    case AST_WHILE:
    case AST_DO:
        walk_expression(r, s->a);
        walk_loop_body(r, s->b);
        break;
    case AST_FOR: {
        outer_scope outer = open_scope(r);
        if (s->a) walk_statement(r, s->a);
        walk_expression(r, s->b);
        if (s->c) walk_statement(r, s->c);
        walk_loop_body(r, s->d);
        close_scope(r, outer);
        break;
    }
    case AST_SWITCH: walk_switch(r, s); break;
    case AST_BREAK:
        if (!r->loops && !r->switches) report(r, s->at, "'break' outside of a loop or switch");
        break;
    case AST_CONTINUE:
        if (!r->loops) report(r, s->at, "'continue' outside of a loop");
        break;
    case AST_GOTO: walk_goto(r, s); break;
    case AST_LABEL: walk_statement(r, s->a); break;
    case AST_WAIT:
        note_wait(r, s->at);
        for (ast *e = s->list; e; e = e->next) walk_reference(r, e, SYMBOL_EVENT);
        walk_expression(r, s->a);
        break;
    case AST_DELAY:
        note_wait(r, s->at);
        walk_expression(r, s->a);
        break;
    case AST_NOTIFY:
        walk_reference(r, s->a, SYMBOL_EVENT);
        walk_expression(r, s->b);
        break;
    case AST_CANCEL: walk_reference(r, s->a, SYMBOL_EVENT); break;
    case AST_SUSPEND:
    case AST_RESUME: walk_reference(r, s->a, SYMBOL_THREAD); break;
    case AST_REQUEST: walk_reference(r, s->a, SYMBOL_UPDATE); break;
    case AST_START:
        if (!r->body->starts_at.line) r->body->starts_at = s->at;
        walk_expression(r, s->a);
        break;
    default: walk_expression(r, s->a); /* expression, return, assert, assume, delete; others have none */
    }
}

/* --- bodies and declarations ---------------------------------------------------------------------------- */

static void collect_label(resolver *r, ast *s) {
    uint64_t known = map_get(&r->labels, s->name);
    if (known != MAP_NONE)
        report(r, s->at, "label '%s' is already declared in line %u", ast_name(r->file, s),
               r->out->all.data[known]->at.line);
    add_symbol(r, SYMBOL_LABEL, s);
    map_put(&r->labels, s->name, r->out->all.size - 1);
    r->body->has_labels = true;
}

/* Labels may be used before they stand: they are collected first. */
static void collect_labels(resolver *r, ast *first) {
    for (ast *s = first; s; s = s->next) {
        ast *last = s;
        for (; last->kind == AST_IF && last->c; last = last->c) collect_labels(r, last->b);
        switch (last->kind) {
        case AST_LABEL:
            collect_label(r, last);
            collect_labels(r, last->a);
            break;
        case AST_BLOCK:
        case AST_SWITCH:
        case AST_CASE: collect_labels(r, last->list); break;
        case AST_IF:
        case AST_WHILE:
        case AST_DO: collect_labels(r, last->b); break;
        case AST_FOR: collect_labels(r, last->d); break;
        default: break;
        }
    }
}

static void walk_body(resolver *r, symbol *owner, ast *block) {
    r->body = owner;
    map_clear(&r->labels);
    collect_labels(r, block->list);
    walk_list(r, block->list);
    assert(!r->loops && !r->switches);
    r->body = NULL;
}

static void walk_process(resolver *r, ast *d) {
    if (d->a) walk_expression(r, d->a->a);
    outer_scope outer = open_scope(r);
    if (d->a) declare(r, SYMBOL_REPLICA, d->a);
    walk_body(r, d->symbol, d->b);
    close_scope(r, outer);
}

static void walk_function(resolver *r, ast *d) {
    walk_type(r, &d->type);
    outer_scope outer = open_scope(r);
    for (ast *q = d->list; q; q = q->next) {
        walk_type(r, &q->type);
        declare(r, SYMBOL_ARGUMENT, q);
    }
    walk_body(r, d->symbol, d->a);
    close_scope(r, outer);
}

static void walk_struct(resolver *r, ast *d) {
    map names = {0};
    for (ast *field = d->list; field; field = field->next) {
        walk_type(r, &field->type);
        for (ast *size = field->list; size; size = size->next) walk_expression(r, size);
        if (map_get(&names, field->name) != MAP_NONE)
            report(r, field->at, "second field '%s'", ast_name(r->file, field));
        map_put(&names, field->name, 1);
    }
    map_free(&names);
}

static void walk_globals(resolver *r, ast *group) {
    for (ast *v = group->list; v; v = v->next) {
        if (v->kind == AST_EVENT) {
            walk_expression(r, v->a);
            continue;
        }
        walk_type(r, &v->type);
        for (ast *size = v->list; size; size = size->next) walk_expression(r, size);
        r->initializer_of = v;
        r->body = r->out->main; /* initialisers run at the beginning of main */
        walk_expression(r, v->a);
        r->body = NULL;
        r->initializer_of = NULL;
    }
}

static void declare_all(resolver *r) {
    static const uint8_t kinds[AST_KINDS] = {
        [AST_PARAM] = SYMBOL_PARAM,   [AST_STRUCT] = SYMBOL_STRUCT, [AST_FUNCTION] = SYMBOL_FUNCTION,
        [AST_THREAD] = SYMBOL_THREAD, [AST_UPDATE] = SYMBOL_UPDATE,
    };
    for (ast *d = r->file->declarations; d; d = d->next) {
        if (d->kind == AST_MAIN) {
            if (r->out->main->declaration)
                report(r, d->at, "second main (the first is in line %u)", r->out->main->at.line);
            r->out->main->declaration = d;
            r->out->main->at = d->at;
            d->symbol = r->out->main;
        } else if (d->kind == AST_GROUP) {
            for (ast *v = d->list; v; v = v->next)
                declare(r, v->kind == AST_EVENT ? SYMBOL_EVENT : SYMBOL_GLOBAL, v);
        } else {
            declare(r, kinds[d->kind], d);
        }
    }
}

static void walk_declaration(resolver *r, ast *d) {
    switch (d->kind) {
    case AST_PARAM:
        r->initializer_of = d;
        walk_expression(r, d->a);
        r->initializer_of = NULL;
        break;
    case AST_STRUCT: walk_struct(r, d); break;
    case AST_GROUP: walk_globals(r, d); break;
    case AST_FUNCTION: walk_function(r, d); break;
    case AST_THREAD:
    case AST_UPDATE: walk_process(r, d); break;
    case AST_MAIN: {
        outer_scope outer = open_scope(r);
        walk_body(r, r->out->main, d->b);
        close_scope(r, outer);
        break;
    }
    default: break;
    }
}

bool ivl_resolve(ast_file *file, diagnostics *d, symbols *out) {
    resolver r = {.file = file, .out = out, .d = d, .good = true};
    out->main = add_symbol(&r, SYMBOL_MAIN, NULL);
    declare_all(&r);
    for (ast *declaration = file->declarations; declaration && d->errors < DIAG_MOST_ERRORS;
         declaration = declaration->next)
        walk_declaration(&r, declaration);
    assert(!r.scope && !r.body && !r.initializer_of); /* whatever was entered was left */
    vec_free(&r.meaning);
    vec_free(&r.undo);
    map_free(&r.labels);
    return r.good;
}

void symbols_free(symbols *s) {
    for (size_t k = 0; k < s->all.size; k++) vec_free(&s->all.data[k]->calls);
    vec_free(&s->all);
    arena_free(&s->memory);
}
