#include "frontend/dlang/expand.h"

static bool add_token(parser *p, token_list *out, token t) {
    if (out->size < DLANG_MOST_TOKENS) {
        vec_push(out, t);
        return true;
    }
    dlang_error(p, t.at, "program too large (more than %d words and signs, repetitions written out)",
                DLANG_MOST_TOKENS);
    return false;
}

static token with_number_for_dollar(parser *p, const token *t, int64_t number) {
    text replaced = {0};
    for (uint32_t k = 0; k < t->length; k++)
        if (t->text[k] == '$')
            text_format(&replaced, "%lld", (long long)number);
        else
            text_char(&replaced, t->text[k]);
    token result = *t;
    result.text = arena_string(&p->file->memory, text_cstr(&replaced), replaced.size);
    result.length = (uint32_t)replaced.size;
    result.counted = false;
    text_free(&replaced);
    return result;
}

static uint32_t find_end_of_block(parser *p, position begin) {
    for (uint32_t k = p->next;; k++) {
        const token *t = &p->tokens.data[k];
        if (t->kind == TOKEN_REPEAT_END) return k;
        if (t->kind == TOKEN_REPEAT_BEGIN) dlang_error(p, t->at, "repetition blocks cannot be nested");
        if (t->kind == TOKEN_END) dlang_error(p, begin, "repetition block without '}>'");
        if (p->failing) return k;
    }
}

static void write_out_block(parser *p, token_list *out) {
    const token *begin = dlang_token(p);
    int64_t count;
    p->next++;
    position at = dlang_token(p)->at;
    if (!dlang_parse_constant(p, "a number of repetitions", &count)) return;
    if (count < 0 || count > DLANG_MOST_TOKENS) {
        dlang_error(p, at, "number of repetitions out of range (%lld, at most %d)", (long long)count,
                    DLANG_MOST_TOKENS);
        return;
    }
    uint32_t end = find_end_of_block(p, begin->at);
    for (int64_t number = 0; number < count && p->next < end; number++)
        for (uint32_t k = p->next; k < end && !p->failing; k++) {
            const token *t = &p->tokens.data[k];
            if (!add_token(p, out, t->counted ? with_number_for_dollar(p, t, number) : *t)) return;
        }
    p->next = end + 1;
}

bool dlang_expand(parser *p, token_list *out) {
    while (!p->failing) {
        const token *t = dlang_token(p);
        if (t->kind == TOKEN_REPEAT_BEGIN) {
            write_out_block(p, out);
        } else {
            if (t->kind == TOKEN_REPEAT_END) dlang_error(p, t->at, "'}>' without '<{'");
            if (t->counted) dlang_error(p, t->at, "'$' outside of a repetition block");
            if (!p->failing) add_token(p, out, *t);
            if (t->kind == TOKEN_END) break;
            p->next++;
        }
    }
    return !p->failing;
}
