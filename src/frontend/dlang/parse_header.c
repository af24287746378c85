/* The header < "name" processes, declarations >. */
#include "frontend/dlang/parse.h"

static const dlang_setting *find_setting(const parser *p, const char *name) {
    for (size_t k = p->setting_count; k-- > 0;)
        if (!strcmp(p->settings[k].name, name)) return &p->settings[k];
    return NULL;
}

static void add_constant(parser *p, uint32_t name, int64_t value) {
    const dlang_setting *set = find_setting(p, intern_text(&p->file->names, name));
    map_put(&p->constants, name, p->constant_values.size);
    vec_push(&p->constant_values, set ? set->value : value);
}

/* Repetition blocks and the number of processes may use constants that are declared later, so these are
 * looked up first: every `const NAME 1 VALUE` of the header. Whatever else is wrong there is for the parser
 * to say. */
void dlang_collect_constants(parser *p) {
    p->quiet = true;
    int depth = 0;
    for (p->next = dlang_token(p)->kind == TOKEN_LESS; p->next + 1 < p->tokens.size; p->next++) {
        const token *t = dlang_token(p), *name = dlang_token_after(p);
        depth += (t->kind == TOKEN_LEFT_PAREN) - (t->kind == TOKEN_RIGHT_PAREN);
        if (t->kind == TOKEN_GREATER && depth <= 0) break;
        if (t->kind != TOKEN_CONST || name->kind != TOKEN_NAME || name->counted) continue;
        uint32_t here = p->next;
        int64_t length, value = 0;
        p->next += 2;
        if (dlang_parse_constant(p, "a length", &length) && length == 1) {
            bool given = dlang_token(p)->kind != TOKEN_COMMA && dlang_token(p)->kind != TOKEN_GREATER;
            if (!given || dlang_parse_constant(p, "a value", &value))
                add_constant(p, dlang_intern(p, name), value);
        }
        p->failing = false;
        p->nesting = 0;
        p->next = here;
    }
    p->quiet = false;
    p->next = 0;
}

static bool parse_length(parser *p, const char *what, int64_t least, int64_t most, uint32_t *length) {
    const token *t = dlang_token(p);
    int64_t value;
    if (!dlang_parse_constant(p, what, &value)) return false;
    if (value < least || value > most)
        dlang_error(p, t->at, "%s out of range (%lld, must be %lld to %lld)", what, (long long)value,
                    (long long)least, (long long)most);
    *length = (uint32_t)value;
    return !p->failing;
}

static void count_cells(parser *p, const variable *v) {
    uint64_t each = 1;
    if (v->kind == VARIABLE_CHANNEL) each = (v->capacity ? v->capacity : DLANG_UNBOUNDED) + 2;
    p->cells += each * v->length;
    if (p->cells > DLANG_MOST_CELLS)
        dlang_error(p, v->at, "variables too large (more than %d elements together)", DLANG_MOST_CELLS);
}

static bool at_end_of_declaration(const parser *p) {
    unsigned kind = dlang_token(p)->kind;
    return kind == TOKEN_COMMA || kind == TOKEN_GREATER || kind == TOKEN_END;
}

static void parse_values(parser *p, variable *v) {
    int64_t value;
    for (; !p->failing && !at_end_of_declaration(p); v->given++) {
        const token *t = dlang_token(p);
        if (!dlang_parse_constant(p, "an initial value", &value)) return;
        if (v->given == v->length) {
            dlang_error(p, t->at, "'%s' has %u element%s but more initial values", v->name, v->length,
                        v->length == 1 ? "" : "s");
            return;
        }
        if (value && !v->values) v->values = arena_zero(&p->file->memory, v->length * sizeof *v->values);
        if (v->values) v->values[v->given] = value;
    }
}

static void apply_setting(parser *p, variable *v) {
    const dlang_setting *set = find_setting(p, v->name);
    if (!set || p->failing) return;
    if (v->kind != VARIABLE_CONST || v->length != 1) {
        dlang_error(p, v->at, "'%s' cannot be set: only a 'const' of length 1 can", v->name);
        return;
    }
    v->values = arena_zero(&p->file->memory, sizeof *v->values);
    v->values[0] = set->value;
    v->given = 1;
}

static void parse_declaration(parser *p) {
    variable v = {.kind = VARIABLE_SHARED};
    if (dlang_accept(p, TOKEN_LOCAL)) {
        v.kind = VARIABLE_LOCAL;
    } else if (dlang_accept(p, TOKEN_CONST)) {
        v.kind = VARIABLE_CONST;
    } else if (dlang_at_word(p, "channel") && dlang_token_after(p)->kind == TOKEN_NAME) {
        v.kind = VARIABLE_CHANNEL;
        p->next++;
    }
    const token *t = dlang_token(p);
    v.at = t->at;
    if (t->kind != TOKEN_NAME) {
        dlang_error(p, t->at, "expected a declaration, found %s", dlang_token_name(t->kind));
        return;
    }
    uint32_t name = dlang_intern(p, t);
    uint64_t earlier = map_get(&p->file->by_name, name);
    v.name = intern_text(&p->file->names, name);
    if (earlier != MAP_NONE)
        dlang_error(p, t->at, "'%s' is already declared in line %u", v.name,
                    p->file->variables.data[earlier].at.line);
    p->next++;
    const char *what = v.kind == VARIABLE_CHANNEL ? "number of channels" : "length";
    if (p->failing || !parse_length(p, what, 1, DLANG_MOST_LENGTH, &v.length)) return;
    if (v.kind != VARIABLE_CHANNEL)
        parse_values(p, &v);
    else if (!at_end_of_declaration(p))
        parse_length(p, "capacity", 1, DLANG_MOST_CAPACITY, &v.capacity);
    apply_setting(p, &v);
    count_cells(p, &v);
    if (p->failing) return;
    map_put(&p->file->by_name, name, p->file->variables.size);
    vec_push(&p->file->variables, v);
}

static void check_settings(parser *p) {
    for (size_t k = 0; k < p->setting_count && !p->failing; k++) {
        uint32_t name = intern_find(&p->file->names, p->settings[k].name);
        if (name == INTERN_ABSENT || map_get(&p->file->by_name, name) == MAP_NONE)
            dlang_error(p, (position){0, 0}, "no constant '%s' to set", p->settings[k].name);
    }
}

void dlang_parse_header(parser *p, int64_t *process_count, position *at) {
    const token *t = dlang_token(p);
    if (!dlang_accept(p, TOKEN_LESS)) {
        dlang_error(p, t->at, "expected '<' and the number of processes, found %s",
                    dlang_token_name(t->kind));
        return;
    }
    t = dlang_token(p);
    if (dlang_accept(p, TOKEN_STRING)) p->file->name = arena_string(&p->file->memory, t->text, t->length);
    *at = dlang_token(p)->at;
    dlang_parse_constant(p, "a number of processes", process_count);
    while (dlang_accept(p, TOKEN_COMMA) && dlang_token(p)->kind != TOKEN_GREATER) parse_declaration(p);
    dlang_expect(p, TOKEN_GREATER, "declarations");
    check_settings(p);
}
