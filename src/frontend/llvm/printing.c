/* Functions that print. They change nothing that a program could look at, but for %n; they read what they
 * print, which others may be writing. A format that is known here, with arguments that are, is followed here;
 * the others by a model (library/print.c). */
#include "frontend/llvm/translate.h"

typedef struct printer {
    const char *name;
    int format;         /* which argument is the format; -1: none */
    int string;         /* which is a string to print; -1: none */
    bool as_list;       /* what the format speaks of is a va_list */
    const char *result; /* the model that gives the result; NULL: any number */
} printer;

static const printer *find_printer(const char *name) {
    static const printer list[] = {
        {"printf", 0, -1, false, NULL},
        {"fprintf", 1, -1, false, NULL},
        {"dprintf", 1, -1, false, NULL},
        {"__printf_chk", 1, -1, false, NULL},
        {"__fprintf_chk", 2, -1, false, NULL},
        {"printk", 0, -1, false, NULL},
        {"syslog", 1, -1, false, NULL},
        {"vprintf", 0, -1, true, NULL},
        {"vfprintf", 1, -1, true, NULL},
        {"__vprintf_chk", 1, -1, true, NULL},
        {"__vfprintf_chk", 2, -1, true, NULL},
        {"puts", -1, 0, false, "__model_put_string"},
        {"fputs", -1, 0, false, "__model_put_string"},
        {"perror", -1, 0, false, NULL},
        {"puts_unlocked", -1, 0, false, "__model_put_string"},
        {"fputs_unlocked", -1, 0, false, "__model_put_string"},
        {"psignal", -1, 1, false, NULL},
        {"putchar", -1, -1, false, "__model_put_character"},
        {"putc", -1, -1, false, "__model_put_character"},
        {"fputc", -1, -1, false, "__model_put_character"},
        {"putchar_unlocked", -1, -1, false, "__model_put_character"},
        {"putc_unlocked", -1, -1, false, "__model_put_character"},
        {"_IO_putc", -1, -1, false, "__model_put_character"},
        {"fflush", -1, -1, false, "__model_flush"},
        {"setbuf", -1, -1, false, NULL},
        {"setvbuf", -1, -1, false, NULL},
        {"setlinebuf", -1, -1, false, NULL},
        {"fwrite", -1, -1, false, "__model_put_items"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!strcmp(name, list[k].name)) return &list[k];
    return NULL;
}

static LLVMValueRef argument(LLVMValueRef call, int k) {
    return k >= 0 && (unsigned)k < LLVMGetNumArgOperands(call) ? LLVMGetOperand(call, (unsigned)k) : NULL;
}

/* --- reading -------------------------------------------------------------------------------------------- */

static void call_model(body *b, const char *name, const operand *args, size_t count, operands *result) {
    LLVMValueRef f = LLVMGetNamedFunction(b->t->module, name);
    operands given = {0};
    for (size_t k = 0; k < count; k++) vec_push(&given, args[k]);
    if (f && !LLVMIsDeclaration(f)) call_function(b, function_number(b->t, f), &given, result);
    vec_free(&given);
}

/* Literals cannot change and have an end. */
static void read_string(body *b, LLVMValueRef pointer, operand most) {
    if (!pointer || value_width(b, pointer) != b->t->pointer_bits ||
        (LLVMIsAConstant(pointer) && constant_string(b->t, pointer)))
        return;
    operand args[] = {value_scalar(b, pointer), most};
    call_model(b, "__model_read_string", args, 2, NULL);
}

static operand unlimited(const body *b) {
    return operand_const(b->t->pointer_bits, b->t->pointer_bits == 64 ? UINT64_MAX : UINT32_MAX);
}

static operand number_argument(body *b, LLVMValueRef value) {
    unsigned width = value ? value_width(b, value) : 0;
    return width ? code_resize(b, value_scalar(b, value), b->t->pointer_bits, true) : unlimited(b);
}

/* --- formats -------------------------------------------------------------------------------------------- */

typedef struct conversion {
    char letter;
    bool wide;     /* l before it */
    bool has_most; /* a precision: digits, or `*` */
    uint64_t most;
    int most_at, argument_at; /* -1: none */
} conversion;

/* From behind the per cent sign; `*next` is the first argument that nothing used yet. */
static const char *parse_conversion(const char *s, int *next, conversion *out) {
    *out = (conversion){.most_at = -1, .argument_at = -1};
    while (*s && strchr("-+ #0'123456789*", *s)) *next += *s++ == '*';
    if (*s == '.') {
        out->has_most = true;
        for (s++; *s >= '0' && *s <= '9'; s++) out->most = out->most * 10 + (uint64_t)(*s - '0');
        if (*s == '*') {
            out->most_at = (*next)++;
            s++;
        }
    }
    while (*s && strchr("hljztL", *s)) out->wide |= *s++ == 'l';
    out->letter = *s;
    if (*s && *s != '%' && *s != 'm') out->argument_at = (*next)++;
    return *s ? s + 1 : s;
}

static bool is_pointer(const body *b, LLVMValueRef value) {
    return value && value_width(b, value) == b->t->pointer_bits;
}

/* Whether the arguments are those that the format speaks of, as far as it matters, and are only read. */
static bool fits_arguments(const body *b, LLVMValueRef call, const char *format, int first) {
    conversion c;
    int next = first;
    while ((format = strchr(format, '%'))) {
        format = parse_conversion(format + 1, &next, &c);
        if (!c.letter || c.letter == 'n' || c.letter == '$' || c.letter == 'S') return false;
        if (c.letter == 's' && (c.wide || !is_pointer(b, argument(call, c.argument_at)))) return false;
    }
    return next == first || argument(call, next - 1);
}

static void read_by_format(body *b, LLVMValueRef call, const char *format, int first) {
    conversion c;
    int next = first;
    while ((format = strchr(format, '%'))) {
        format = parse_conversion(format + 1, &next, &c);
        if (c.letter != 's') continue;
        operand most = c.most_at >= 0 ? number_argument(b, argument(call, c.most_at))
                       : c.has_most   ? operand_const(b->t->pointer_bits, c.most)
                                      : unlimited(b);
        read_string(b, argument(call, c.argument_at), most);
    }
}

/* "%s" reads through a pointer, "%n" writes. */
static bool follows_pointers(const char *format) {
    conversion c;
    int next = 0;
    while ((format = strchr(format, '%'))) {
        format = parse_conversion(format + 1, &next, &c);
        if (!c.letter || strchr("sSnC$", c.letter) || c.wide) return true;
    }
    return false;
}

/* False: the arguments are of types that are not modelled. */
static bool print_as_it_runs(body *b, LLVMValueRef call, const printer *p) {
    LLVMValueRef pointer = argument(call, p->format), list = argument(call, p->format + 1);
    operand args[] = {value_scalar(b, pointer), operand_none()};
    if (p->as_list && (!list || !is_pointer(b, list))) return false;
    args[1] = p->as_list ? value_scalar(b, list) : call_variable_arguments(b, call, (unsigned)p->format + 1);
    if (args[1].kind == OPERAND_NONE) return false;
    call_model(b, p->as_list ? "__model_print_list" : "__model_print", args, 2, NULL);
    return true;
}

static bool print_formatted(body *b, LLVMValueRef call, const printer *p) {
    LLVMValueRef pointer = argument(call, p->format);
    if (!is_pointer(b, pointer)) return false;
    const char *format = LLVMIsAConstant(pointer) ? constant_string(b->t, pointer) : NULL;
    if (format && p->as_list && !follows_pointers(format)) return true;
    if (!format || p->as_list || !fits_arguments(b, call, format, p->format + 1))
        return print_as_it_runs(b, call, p);
    read_by_format(b, call, format, p->format + 1);
    return true;
}

static void print_bytes(body *b, LLVMValueRef call) {
    operand args[3];
    for (int k = 0; k < 3; k++) {
        LLVMValueRef value = argument(call, k);
        if (!value || value_width(b, value) != b->t->pointer_bits) return;
        args[k] = value_scalar(b, value);
    }
    args[1] = code_arith(b, ARITH_MUL, b->t->pointer_bits, args[1], args[2]);
    call_model(b, "__model_read_bytes", args, 2, NULL);
}

/* --- showing -------------------------------------------------------------------------------------------- */

static bool fits_number(const body *b, LLVMValueRef value) {
    unsigned width = value_width(b, value);
    return width && width <= 64;
}

static void show_formatted(body *b, LLVMValueRef call, int format) {
    operands given = {0};
    bool good = true;
    for (int k = format; argument(call, k); k++) good &= fits_number(b, argument(call, k));
    for (int k = format; good && argument(call, k); k++) vec_push(&given, value_scalar(b, argument(call, k)));
    if (given.size && given.size <= PROGRAM_MOST_ARGUMENTS)
        code_print(b, PRINT_FORMATTED, given.data, given.size);
    vec_free(&given);
}

static bool is_error_stream(LLVMValueRef stream) {
    if (!LLVMIsALoadInst(stream)) return false;
    LLVMValueRef from = LLVMGetOperand(stream, 0);
    size_t length;
    return LLVMIsAGlobalVariable(from) && !strcmp(LLVMGetValueName2(from, &length), "stderr");
}

/* Which argument is the stream; NO_STREAM: standard output. */
enum { NO_STREAM = -1, NEVER_SHOWN = -2 };
static int stream_of(const printer *p) {
    static const struct {
        const char *name;
        int stream;
    } list[] = {{"printf", NO_STREAM},
                {"__printf_chk", NO_STREAM},
                {"vprintf", NO_STREAM},
                {"puts", NO_STREAM},
                {"putchar", NO_STREAM},
                {"fprintf", 0},
                {"__fprintf_chk", 0},
                {"vfprintf", 0},
                {"fputs", 1},
                {"fputc", 1},
                {"putc", 1}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if (!strcmp(p->name, list[k].name)) return list[k].stream;
    return NEVER_SHOWN;
}

/* Designs are compared with what a simulator prints. A stream that the design hands on counts
 * as its output. */
static void show(body *b, LLVMValueRef call, const printer *p) {
    int stream = stream_of(p);
    LLVMValueRef first = argument(call, p->format >= 0 ? p->format : 0);
    bool shown = program_kernel(b->t->p)->has_simulator && stream != NEVER_SHOWN && first &&
                 fits_number(b, first) &&
                 !(stream >= 0 && argument(call, stream) && is_error_stream(argument(call, stream)));
    if (!shown) return;
    operand given[2] = {value_scalar(b, first)}, newline = operand_const(8, '\n');
    LLVMValueRef list = p->as_list ? argument(call, p->format + 1) : NULL;
    if (list && b->t->pointer_bits == 64) {
        given[1] = value_scalar(b, list);
        code_print(b, PRINT_LISTED, given, 2);
    } else if (p->format >= 0 && !p->as_list) {
        show_formatted(b, call, p->format);
    } else if (p->string >= 0) {
        code_print(b, PRINT_STRING, given, 1);
        if (!strcmp(p->name, "puts")) code_print(b, PRINT_CHARACTER, &newline, 1);
    } else if (p->format < 0) {
        code_print(b, PRINT_CHARACTER, given, 1);
    }
}

/* Of those that have arguments these begin with what was printed. */
static void define_result(body *b, LLVMValueRef call, const printer *p) {
    scalar_type type;
    operands given = {0}, result = {0};
    bool counts = p->result && !strcmp(p->result, "__model_put_items");
    bool repeats = p->result && !strcmp(p->result, "__model_put_character");
    for (int k = 0; k < 3; k++)
        if (argument(call, k) && ((counts && k > 0) || (repeats && k == 0)))
            vec_push(&given, value_scalar(b, argument(call, k)));
    if (p->result) call_model(b, p->result, given.data, given.size, &result);
    if (!lltype_scalar(b->t, LLVMTypeOf(call), &type))
        code_unsupported(b, "the result of `%s`", p->name);
    else if (result.size == 1 && result.data[0].width == type.width)
        value_define_scalar(b, call, result.data[0]);
    else
        value_define_scalar(b, call, code_input(b, p->name, type));
    vec_free(&given);
    vec_free(&result);
}

bool printing_translate(body *b, LLVMValueRef call, const char *name) {
    const printer *p = find_printer(name);
    if (!p) return false;
    if (p->format >= 0 && !print_formatted(b, call, p)) {
        code_unsupported_call(b, "call of `%s` with arguments that are not modelled", name);
        return true;
    }
    if (b->ended) return true;
    if (!strcmp(name, "fwrite")) print_bytes(b, call);
    read_string(b, argument(call, p->string), unlimited(b));
    show(b, call, p);
    if (LLVMGetFirstUse(call)) define_result(b, call, p);
    return true;
}
