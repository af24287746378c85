/* The C text of a tree: one statement per line, so that lines identify statements. */
#include "tree.h"

static const char *const type_names[C_TYPES] = {"unsigned char", "signed char", "unsigned short", "short",
                                                "unsigned",      "int",         "unsigned long",  "long"};

static const char header[] =
    "#include <assert.h>\n"
    "#include <pthread.h>\n"
    "#include <semaphore.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "extern unsigned char __VERIFIER_nondet_uchar(void);\n"
    "extern int __VERIFIER_nondet_int(void);\n"
    "extern void __VERIFIER_assume(int), __VERIFIER_assert(int), reach_error(void);\n"
    "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n";

typedef struct printer {
    program_tree *p;
    text *out;
    uint32_t line;
    unsigned indent, loops;
    uint32_t body;
} printer;

static void start_line(printer *x) {
    text_format(x->out, "%*s", (int)(4 * x->indent), "");
}

static void end_line(printer *x) {
    text_char(x->out, '\n');
    x->line++;
}

static const char *pointed(const printer *x) {
    return type_names[x->p->pointed];
}

/* --- expressions ---------------------------------------------------------------------------------------- */

static const char *binary_operator(expr_kind kind) {
    static const char *const names[EXPR_KINDS] = {
        [EXPR_ADD] = "+",   [EXPR_SUB] = "-",     [EXPR_MUL] = "*",    [EXPR_DIV] = "/",
        [EXPR_REM] = "%",   [EXPR_AND] = "&",     [EXPR_OR] = "|",     [EXPR_XOR] = "^",
        [EXPR_LESS] = "<",  [EXPR_ATMOST] = "<=", [EXPR_EQUAL] = "==", [EXPR_DIFFERS] = "!=",
        [EXPR_BOTH] = "&&", [EXPR_EITHER] = "||", [EXPR_STEP] = "+"};
    return names[kind];
}

static void print_expr(printer *x, uint32_t e) {
    const expr *n = &x->p->exprs.data[e];
    switch ((expr_kind)n->kind) {
    case EXPR_NUMBER: text_format(x->out, n->number < 0 ? "(%d)" : "%d", n->number); break;
    case EXPR_LOCAL:
        if (n->number < MOST_LOCALS)
            text_format(x->out, "v%d", n->number);
        else
            text_format(x->out, "i%d", n->number - LOOP_COUNTER);
        break;
    case EXPR_GLOBAL: text_format(x->out, "g%d", n->number); break;
    case EXPR_ELEMENT:
        text_format(x->out, x->p->structures ? "a%d.e[" : "a%d[", n->number);
        print_expr(x, n->a);
        text_char(x->out, ']');
        break;
    case EXPR_BOX: text_add(x->out, "box"); break;
    case EXPR_FOLLOW:
        text_char(x->out, '(');
        print_expr(x, n->a);
        text_add(x->out, ")[");
        print_expr(x, n->b);
        text_char(x->out, ']');
        break;
    case EXPR_NOT:
    case EXPR_NEGATIVE:
    case EXPR_COMPLEMENT:
        text_format(x->out, "%c(", n->kind == EXPR_NOT ? '!' : n->kind == EXPR_NEGATIVE ? '-' : '~');
        print_expr(x, n->a);
        text_char(x->out, ')');
        break;
    case EXPR_IS_NULL:
        text_char(x->out, '(');
        print_expr(x, n->a);
        text_add(x->out, " == 0)");
        break;
    case EXPR_NULL: text_format(x->out, "(%s *)0", pointed(x)); break;
    case EXPR_POINTER_LOCAL: text_format(x->out, "p%d", n->number); break;
    case EXPR_POINTER_GLOBAL: text_format(x->out, "q%d", n->number); break;
    case EXPR_AT_GLOBAL: text_format(x->out, "&g%d", n->number); break;
    case EXPR_AT_ELEMENT:
        text_format(x->out, x->p->structures ? "&a%d.e[" : "&a%d[", n->number);
        print_expr(x, n->a);
        text_char(x->out, ']');
        break;
    case EXPR_AT_BOX: text_add(x->out, "&box"); break;
    default:
        text_char(x->out, '(');
        print_expr(x, n->a);
        text_format(x->out, " %s ", binary_operator((expr_kind)n->kind));
        print_expr(x, n->b);
        text_char(x->out, ')');
        break;
    }
}

/* --- statements ----------------------------------------------------------------------------------------- */

static void print_list(printer *x, uint32_t s);

static void print_target(printer *x, uint32_t target) {
    if (target == NONE) return;
    print_expr(x, target);
    text_add(x->out, " = ");
}

static void print_block(printer *x, uint32_t s) {
    text_add(x->out, " {");
    end_line(x);
    x->indent++;
    print_list(x, s);
    x->indent--;
    start_line(x);
    text_char(x->out, '}');
}

static void print_call(printer *x, const stmt *s, const char *function, int number) {
    print_target(x, s->target);
    text_format(x->out, "%s%d);", function, number);
}

static void print_lock(printer *x, const stmt *s, const char *what) {
    print_target(x, s->target);
    bool spins = x->p->mutex[s->number] == MUTEX_SPIN;
    text_format(x->out, "pthread_%s_%s(&m%d);", spins ? "spin" : "mutex", what, s->number);
}

static void print_condition(printer *x, const char *before, uint32_t e, const char *after) {
    text_add(x->out, before);
    print_expr(x, e);
    text_add(x->out, after);
}

static void print_assert(printer *x, const stmt *s) {
    switch ((assert_style)s->number) {
    case ASSERT_REACH: print_condition(x, "if (!(", s->a, ")) reach_error();"); break;
    case ASSERT_LIBRARY: print_condition(x, "assert(", s->a, ");"); break;
    default: print_condition(x, "__VERIFIER_assert(", s->a, ");"); break;
    }
}

static void print_builtin(printer *x, const stmt *s, const char *name, const char *order) {
    print_target(x, s->target);
    text_format(x->out, "%s(&", name);
    print_expr(x, s->place);
    if (s->a != NONE) print_condition(x, ", ", s->a, "");
    if (s->b != NONE) print_condition(x, ", ", s->b, "");
    text_format(x->out, "%s);", order);
}

/* An _Atomic variable has builtins of its own. */
static bool is_c11(const printer *x, uint32_t place) {
    const expr *e = &x->p->exprs.data[place];
    return e->kind == EXPR_GLOBAL && x->p->atomic[e->number];
}

static void print_fetch(printer *x, const stmt *s) {
    const char *operator= s->op == EXPR_SUB ? "sub"
    : s->op == EXPR_AND                     ? "and"
    : s->op == EXPR_OR                      ? "or"
    : s->op == EXPR_XOR                     ? "xor"
                                            : "add";
    bool c11 = is_c11(x, s->place);
    text name = {0};
    text_format(&name, c11 ? "__c11_atomic_fetch_%s" : "__sync_fetch_and_%s", operator);
    print_builtin(x, s, text_cstr(&name), c11 ? ", 5" : "");
    text_free(&name);
}

static void print_cas(printer *x, const stmt *s) {
    bool weak = s->number == CAS_WEAK, c11 = is_c11(x, s->place);
    if (s->number == CAS_TRUTH || s->number == CAS_VALUE) {
        print_builtin(x, s,
                      s->number == CAS_VALUE ? "__sync_val_compare_and_swap" : "__sync_bool_compare_and_swap",
                      "");
        return;
    }
    text_format(x->out, "{ %s e = ", type_names[tree_type(x->p, x->body, s->place)]);
    print_condition(x, "", s->a, "; ");
    print_target(x, s->target);
    if (c11)
        text_format(x->out, "__c11_atomic_compare_exchange_%s(&", weak ? "weak" : "strong");
    else
        text_add(x->out, "__atomic_compare_exchange_n(&");
    print_condition(x, "", s->place, ", &e, ");
    print_condition(x, "", s->b, "");
    text_format(x->out, "%s, 5, 5); v%d = e; }", c11 ? "" : weak ? ", 1" : ", 0", s->op);
}

/* As the argument or result of a thread. */
static void print_word(printer *x, uint32_t e) {
    bool pointer = tree_is_pointer(x->p, e);
    print_condition(x, pointer ? "(void *)(" : "(void *)(long)(", e, ")");
}

static void print_malloc(printer *x, const stmt *s) {
    text_format(x->out, "{ %s e = ", pointed(x));
    print_condition(x, "", s->a, "");
    text_format(x->out, ", *m = malloc(%d * sizeof(%s)); ", s->number, pointed(x));
    for (int k = 0; k < s->number; k++) text_format(x->out, "m[%d] = e; ", k);
    print_target(x, s->target);
    text_add(x->out, "m; }");
}

static void print_leaving(printer *x, const stmt *s) {
    body_role role = x->p->body[x->body].role;
    if (s->kind == STMT_LEAVE) {
        text_add(x->out, "pthread_exit(");
        print_word(x, s->a);
        text_add(x->out, ");");
    } else if (role == BODY_MAIN || role == BODY_ONCE) {
        text_add(x->out, role == BODY_MAIN ? "return 0;" : "return;");
    } else if (role == BODY_FUNCTION) {
        print_condition(x, "return ", s->a, ";");
    } else {
        text_add(x->out, "return ");
        print_word(x, s->a);
        text_char(x->out, ';');
    }
}

static void print_compound(printer *x, const stmt *s) {
    if (s->kind == STMT_ATOMIC) {
        text_add(x->out, "__VERIFIER_atomic_begin();");
        end_line(x);
        x->indent++;
        print_list(x, s->body);
        x->indent--;
        start_line(x);
        text_add(x->out, "__VERIFIER_atomic_end();");
        return;
    }
    if (s->kind == STMT_FOR)
        text_format(x->out, "for (int i%u = 0; i%u < %d; i%u++)", x->loops, x->loops, s->number, x->loops);
    else
        print_condition(x, s->kind == STMT_IF ? "if (" : "while (", s->a, ")");
    uint32_t body = s->body, other = s->other;
    x->loops += s->kind == STMT_FOR;
    bool loops = s->kind == STMT_FOR;
    print_block(x, body);
    x->loops -= loops;
    if (other == NONE) return;
    text_add(x->out, " else");
    print_block(x, other);
}

static void print_statement(printer *x, const stmt *s) {
    switch ((stmt_kind)s->kind) {
    case STMT_ASSIGN:
    case STMT_POINT:
        print_target(x, s->target);
        print_condition(x, "", s->a, ";");
        break;
    case STMT_CHANGE:
        print_expr(x, s->target);
        text_format(x->out, " %s= ", binary_operator((expr_kind)s->op));
        print_condition(x, "", s->a, ";");
        break;
    case STMT_INPUT:
        print_target(x, s->target);
        text_format(x->out, "__VERIFIER_nondet_uchar() & %d;", s->number - 1);
        break;
    case STMT_RANGE:
        text_format(x->out, "{ int n = __VERIFIER_nondet_int(); __VERIFIER_assume(n >= 0 %s n < %d); ",
                    s->op ? "&&" : "&", s->number);
        print_target(x, s->target);
        text_add(x->out, "n; }");
        break;
    case STMT_IF:
    case STMT_WHILE:
    case STMT_FOR:
    case STMT_ATOMIC: print_compound(x, s); break;
    case STMT_LOCK: print_lock(x, s, "lock"); break;
    case STMT_UNLOCK: print_lock(x, s, "unlock"); break;
    case STMT_TRYLOCK: print_lock(x, s, "trylock"); break;
    case STMT_READ_LOCK: print_call(x, s, "pthread_rwlock_rdlock(&l", s->number); break;
    case STMT_WRITE_LOCK: print_call(x, s, "pthread_rwlock_wrlock(&l", s->number); break;
    case STMT_TRY_READ: print_call(x, s, "pthread_rwlock_tryrdlock(&l", s->number); break;
    case STMT_TRY_WRITE: print_call(x, s, "pthread_rwlock_trywrlock(&l", s->number); break;
    case STMT_RELEASE: print_call(x, s, "pthread_rwlock_unlock(&l", s->number); break;
    case STMT_MEET: print_call(x, s, "pthread_barrier_wait(&b", s->number); break;
    case STMT_ONCE: text_format(x->out, "pthread_once(&o%d, f%d);", s->number, s->op); break;
    case STMT_HOOK: text_format(x->out, "h%d = f%d;", s->number, s->op); break;
    case STMT_COPY:
        if (x->p->structures)
            text_format(x->out, "a%d = a%d;", s->number, s->op);
        else
            text_format(x->out, "memcpy(a%d, a%d, sizeof a%d);", s->number, s->op, s->number);
        break;
    case STMT_FILL: text_format(x->out, "memset(&a%d, 0, sizeof a%d);", s->number, s->number); break;
    case STMT_WAIT: text_format(x->out, "pthread_cond_wait(&c%d, &m%d);", s->number, s->op); break;
    case STMT_SIGNAL: print_call(x, s, "pthread_cond_signal(&c", s->number); break;
    case STMT_BROADCAST: print_call(x, s, "pthread_cond_broadcast(&c", s->number); break;
    case STMT_DOWN: print_call(x, s, "sem_wait(&k", s->number); break;
    case STMT_UP: print_call(x, s, "sem_post(&k", s->number); break;
    case STMT_TRYDOWN: print_call(x, s, "sem_trywait(&k", s->number); break;
    case STMT_CREATE:
        text_format(x->out, "pthread_create(&s%d, 0, f%d, ", s->number, s->op);
        print_word(x, s->a);
        text_add(x->out, ");");
        break;
    case STMT_JOIN:
        if (s->target == NONE) {
            text_format(x->out, "pthread_join(s%d, 0);", s->number);
        } else {
            text_format(x->out, "{ void *r; pthread_join(s%d, &r); ", s->number);
            print_target(x, s->target);
            text_add(x->out, "(long)r; }");
        }
        break;
    case STMT_FETCH: print_fetch(x, s); break;
    case STMT_CAS: print_cas(x, s); break;
    case STMT_EXCHANGE:
        print_builtin(x, s, is_c11(x, s->place) ? "__c11_atomic_exchange" : "__atomic_exchange_n", ", 5");
        break;
    case STMT_LOAD:
        print_builtin(x, s, is_c11(x, s->place) ? "__c11_atomic_load" : "__atomic_load_n", ", 5");
        break;
    case STMT_STORE:
        print_builtin(x, s, is_c11(x, s->place) ? "__c11_atomic_store" : "__atomic_store_n", ", 5");
        break;
    case STMT_ASSUME: print_condition(x, "__VERIFIER_assume(", s->a, ");"); break;
    case STMT_ASSERT: print_assert(x, s); break;
    case STMT_ABORT: text_add(x->out, "abort();"); break;
    case STMT_EXIT: text_add(x->out, "exit(0);"); break;
    case STMT_RETURN:
    case STMT_LEAVE: print_leaving(x, s); break;
    case STMT_CALL:
        print_target(x, s->target);
        text_format(x->out, "%c%d(", s->op ? 'h' : 'f', s->number);
        print_expr(x, s->a);
        print_condition(x, ", ", s->b, ");");
        break;
    case STMT_MALLOC: print_malloc(x, s); break;
    case STMT_FREE: print_condition(x, "free(", s->a, ");"); break;
    case STMT_NOTHING:
    case STMT_KINDS: break;
    }
}

static void print_list(printer *x, uint32_t s) {
    for (; s != NONE; s = x->p->stmts.data[s].next) {
        x->p->stmts.data[s].line = x->line;
        if (x->p->stmts.data[s].kind == STMT_NOTHING) continue;
        stmt copy = x->p->stmts.data[s];
        start_line(x);
        print_statement(x, &copy);
        end_line(x);
    }
}

/* --- declarations --------------------------------------------------------------------------------------- */

static void print_declarations(printer *x) {
    program_tree *p = x->p;
    for (uint32_t k = 0; k < p->globals; k++, end_line(x))
        text_format(x->out, "%s%s g%u = %d;", p->atomic[k] ? "_Atomic " : "", type_names[p->global[k]], k,
                    p->initial[k]);
    if (p->structures) {
        text_format(x->out, "struct row { %s e[%u]; };", type_names[p->array[0]], p->length[0]);
        end_line(x);
    }
    for (uint32_t k = 0; k < p->arrays; k++, end_line(x))
        if (p->structures)
            text_format(x->out, "struct row a%u;", k);
        else
            text_format(x->out, "%s a%u[%u];", type_names[p->array[k]], k, p->length[k]);
    for (uint32_t k = 0; k < p->pointers; k++, end_line(x)) text_format(x->out, "%s *q%u;", pointed(x), k);
    for (uint32_t k = 0; k < p->mutexes; k++, end_line(x))
        text_format(x->out, "pthread_%s m%u;", p->mutex[k] == MUTEX_SPIN ? "spinlock_t" : "mutex_t", k);
    for (uint32_t k = 0; k < p->conditions; k++, end_line(x)) text_format(x->out, "pthread_cond_t c%u;", k);
    for (uint32_t k = 0; k < p->semaphores; k++, end_line(x)) text_format(x->out, "sem_t k%u;", k);
    for (uint32_t k = 0; k < p->rwlocks; k++, end_line(x)) text_format(x->out, "pthread_rwlock_t l%u;", k);
    for (uint32_t k = 0; k < p->barriers; k++, end_line(x)) text_format(x->out, "pthread_barrier_t b%u;", k);
    for (uint32_t k = 0; k < p->onces; k++, end_line(x))
        text_format(x->out, "pthread_once_t o%u = PTHREAD_ONCE_INIT;", k);
}

static void print_locals(printer *x) {
    const body *b = &x->p->body[x->body];
    start_line(x);
    for (uint32_t k = 0; k < MOST_LOCALS; k++) {
        text_format(x->out, "%s v%u = ", type_names[b->local[k]], k);
        if (k == 0 && b->role == BODY_FUNCTION)
            text_add(x->out, "n; ");
        else if (k == 0 && b->role == BODY_THREAD && !b->takes_pointer)
            text_add(x->out, "(long)arg; ");
        else
            text_add(x->out, "0; ");
    }
    for (uint32_t k = 0; k < MOST_POINTERS; k++) {
        text_format(x->out, "%s *p%u = ", pointed(x), k);
        if (k == 0 && b->role == BODY_FUNCTION)
            text_add(x->out, "to; ");
        else if (k == 0 && b->role == BODY_THREAD && b->takes_pointer)
            text_add(x->out, "arg; ");
        else
            text_add(x->out, "0; ");
    }
    for (uint32_t k = 0; k < b->slots; k++) text_format(x->out, "pthread_t s%u; ", k);
    if (b->has_box) text_format(x->out, "%s box = %d;", pointed(x), b->box_value);
    end_line(x);
}

static void print_signature(printer *x, uint32_t index) {
    switch (x->p->body[index].role) {
    case BODY_MAIN: text_add(x->out, "int main(void)"); break;
    case BODY_THREAD: text_format(x->out, "void *f%u(void *arg)", index); break;
    case BODY_FUNCTION: text_format(x->out, "long f%u(long n, %s *to)", index, pointed(x)); break;
    case BODY_ONCE: text_format(x->out, "void f%u(void)", index); break;
    }
}

static void print_initialisation(printer *x) {
    static const char *const kinds[MUTEX_KINDS] = {
        [MUTEX_RECURSIVE] = "PTHREAD_MUTEX_RECURSIVE", [MUTEX_CHECKED] = "PTHREAD_MUTEX_ERRORCHECK"};
    const program_tree *p = x->p;
    start_line(x);
    for (uint32_t k = 0; k < p->semaphores; k++)
        text_format(x->out, "sem_init(&k%u, 0, %d); ", k, p->permits[k]);
    for (uint32_t k = 0; k < p->barriers; k++)
        text_format(x->out, "pthread_barrier_init(&b%u, 0, %u); ", k, p->needed[k]);
    for (uint32_t k = 0; k < p->mutexes; k++) {
        if (p->mutex[k] == MUTEX_SPIN)
            text_format(x->out, "pthread_spin_init(&m%u, 0); ", k);
        else if (p->mutex[k] != MUTEX_NORMAL)
            text_format(x->out,
                        "{ pthread_mutexattr_t t; pthread_mutexattr_init(&t); pthread_mutexattr_settype(&t, "
                        "%s); pthread_mutex_init(&m%u, &t); } ",
                        kinds[p->mutex[k]], k);
    }
    end_line(x);
}

static void print_body(printer *x, uint32_t index) {
    const body *b = &x->p->body[index];
    x->body = index;
    print_signature(x, index);
    text_add(x->out, " {");
    end_line(x);
    x->indent++;
    print_locals(x);
    if (index == 0) print_initialisation(x);
    print_list(x, b->first);
    start_line(x);
    text_add(x->out, b->role == BODY_ONCE ? "return;" : "return 0;");
    end_line(x);
    x->indent--;
    text_char(x->out, '}');
    end_line(x);
}

void tree_print(program_tree *p, text *out) {
    printer x = {.p = p, .out = out, .line = 1};
    text_add(out, header);
    for (const char *c = header; *c; c++) x.line += *c == '\n';
    print_declarations(&x);
    for (uint32_t k = 0; k < p->bodies; k++) {
        if (p->body[k].absent || p->body[k].role == BODY_MAIN) continue;
        print_signature(&x, k);
        text_char(out, ';');
        end_line(&x);
    }
    for (uint32_t k = 0; k < p->hooks; k++, end_line(&x))
        text_format(out, "long (*h%u)(long, %s *) = f%u;", k, pointed(&x), p->hook[k]);
    for (uint32_t k = p->bodies; k-- > 0;)
        if (!p->body[k].absent) print_body(&x, k);
}
