#include "frontend/ivl/ast.h"

void ast_file_free(ast_file *file) {
    arena_free(&file->memory);
    intern_free(&file->names);
    file->declarations = NULL;
}

const char *ast_name(const ast_file *file, const ast *node) {
    return node->name == NO_NAME ? "" : intern_text(&file->names, node->name);
}

static bool names_equal(const ast_file *file, uint32_t a, const ast_file *other, uint32_t b) {
    if (a == NO_NAME || b == NO_NAME) return a == b;
    return !strcmp(intern_text(&file->names, a), intern_text(&other->names, b));
}

static bool nodes_equal(const ast_file *file, const ast *a, const ast_file *other, const ast *b) {
    return a->kind == b->kind && a->op == b->op && a->value == b->value && a->type.word == b->type.word &&
           a->type.stars == b->type.stars && names_equal(file, a->name, other, b->name) &&
           names_equal(file, a->type.name, other, b->type.name);
}

bool ast_equal(const ast_file *file, const ast *a, const ast_file *other, const ast *b) {
    for (; a && b; a = a->next, b = b->next) {
        if (!nodes_equal(file, a, other, b)) return false;
        /* else-if chains are as long as the user likes: they are compared without recursion */
        const ast *else_a = a->c, *else_b = b->c;
        while (a->kind == AST_IF && else_a && else_b && else_a->kind == AST_IF && else_b->kind == AST_IF) {
            if (!nodes_equal(file, else_a, other, else_b) || !ast_equal(file, else_a->a, other, else_b->a) ||
                !ast_equal(file, else_a->b, other, else_b->b))
                return false;
            else_a = else_a->c, else_b = else_b->c;
        }
        if (!ast_equal(file, a->a, other, b->a) || !ast_equal(file, a->b, other, b->b) ||
            !ast_equal(file, else_a, other, else_b) || !ast_equal(file, a->d, other, b->d) ||
            !ast_equal(file, a->list, other, b->list))
            return false;
    }
    return a == b;
}
