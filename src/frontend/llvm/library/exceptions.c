/* C++ exceptions as the Itanium ABI has them: what a thrown object carries, which clause catches it, and the
 * classes of <stdexcept>. How control leaves frames is the front end's doing (exceptions.c there).
 *
 * pthread_exit leaves the frames of its thread in the same way (forced unwinding): an object without a type
 * is in flight, which only catch (...) catches, and has to throw on.
 *
 * Catching considers the type itself and its public bases. Refused: virtual bases, and conversions between
 * types of pointers. */
#include "models.h"

void abort(void) __attribute__((noreturn));

struct type { /* std::type_info */
    void **table;
    const char *name;
};

struct derived_type { /* of a class with one public base at its start */
    struct type head;
    const struct type *base;
};

struct base {
    const struct type *type;
    long offset_and_flags;
};
enum { BASE_IS_VIRTUAL = 1, BASE_IS_PUBLIC = 2, OFFSET_SHIFT = 8 };

struct general_type { /* of any other class with bases */
    struct type head;
    unsigned flags, count;
    struct base bases[];
};

struct thrown { /* in front of the object */
    const struct type *type;
    void (*destructor)(void *);
    void *adjusted;      /* what the handler gets */
    struct thrown *next; /* caught before it */
    long handlers;       /* that run for it; negative: it was thrown again */
    void *unused;        /* keeps objects aligned */
};

static struct exception_record *record(void) {
    return __heddle_exception_record();
}

static struct thrown *header_of(void *object) {
    return (struct thrown *)object - 1;
}

static int is_forced(const struct thrown *h) {
    return !h->type;
}

/* --- types ---------------------------------------------------------------------------------------------- */

/* Tables that type information points to; only their addresses matter. */
void *_ZTVN10__cxxabiv117__class_type_infoE[11];
void *_ZTVN10__cxxabiv120__si_class_type_infoE[11];
void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[11];
void *_ZTVN10__cxxabiv119__pointer_type_infoE[11];
void *_ZTVN10__cxxabiv120__function_type_infoE[11];
void *_ZTVN10__cxxabiv116__enum_type_infoE[11];
void *_ZTVN10__cxxabiv123__fundamental_type_infoE[11];

#define TABLE(name) ((void **)_ZTVN10__cxxabiv1##name##_type_infoE + 2)

#define FUNDAMENTAL(letter)                                                                                  \
    const struct type _ZTI##letter = {TABLE(23__fundamental), #letter};                                      \
    const struct derived_type _ZTIP##letter = {{TABLE(19__pointer), "P" #letter}, &_ZTI##letter};            \
    const struct derived_type _ZTIPK##letter = {{TABLE(19__pointer), "PK" #letter}, &_ZTI##letter};

FUNDAMENTAL(v)
FUNDAMENTAL(b)
FUNDAMENTAL(c)
FUNDAMENTAL(a)
FUNDAMENTAL(h)
FUNDAMENTAL(s)
FUNDAMENTAL(t)
FUNDAMENTAL(i)
FUNDAMENTAL(j)
FUNDAMENTAL(l)
FUNDAMENTAL(m)
FUNDAMENTAL(x)
FUNDAMENTAL(y)
FUNDAMENTAL(f)
FUNDAMENTAL(d)
FUNDAMENTAL(w)
const struct type _ZTIDn = {TABLE(23__fundamental), "Dn"};

enum { MOST_BASES = 16 }; /* classes that wait to be looked at */

struct subobject {
    const struct type *type;
    char *at;
    int is_public;
};

static void push(struct subobject *stack, unsigned *size, const struct type *type, char *at, int is_public) {
    if (*size == MOST_BASES) __heddle_unsupported("C++ exceptions: a class with so many bases");
    stack[*size].type = type;
    stack[*size].at = at;
    stack[*size].is_public = is_public;
    ++*size;
}

/* Pushes the bases of a class, those that are not public too: they make others ambiguous. 0 if the type
 * is no class. */
static int push_bases(struct subobject *stack, unsigned *size, const struct subobject *of) {
    const struct type *type = of->type;
    if (type->table == TABLE(17__class)) return 1;
    if (type->table == TABLE(20__si_class)) {
        push(stack, size, ((const struct derived_type *)type)->base, of->at, of->is_public);
        return 1;
    }
    if (type->table != TABLE(21__vmi_class)) return 0;
    const struct general_type *general = (const struct general_type *)type;
    for (unsigned k = 0; k < general->count; k++) {
        long how = general->bases[k].offset_and_flags;
        if (how & BASE_IS_VIRTUAL) __heddle_unsupported("C++ exceptions: a class with a virtual base");
        push(stack, size, general->bases[k].type, of->at + (how >> OFFSET_SHIFT),
             of->is_public && (how & BASE_IS_PUBLIC));
    }
    return 1;
}

static int is_other_known_type(const struct type *type) {
    return type->table == TABLE(23__fundamental) || type->table == TABLE(16__enum);
}

/* Whether a clause for `wanted` (NULL: for all) catches the object; notes what its handler gets. */
int __model_catches(void *object, const struct type *wanted) {
    struct thrown *h = header_of(object);
    if (is_forced(h)) return !wanted;
    int is_pointer = h->type->table == TABLE(19__pointer);
    h->adjusted = is_pointer ? *(void **)object : object;
    if (!wanted || h->type == wanted) return 1;
    if (is_pointer) {
        if (wanted->table == TABLE(19__pointer))
            __heddle_unsupported("C++ exceptions: conversions of thrown pointers");
        return 0;
    }
    struct subobject stack[MOST_BASES];
    unsigned size = 0, found = 0;
    int is_public = 0;
    push(stack, &size, h->type, object, 1);
    while (size > 0) {
        struct subobject top = stack[--size];
        if (top.type == wanted) {
            h->adjusted = top.at;
            is_public = top.is_public;
            found++;
        } else if (!push_bases(stack, &size, &top) && !is_other_known_type(top.type)) {
            __heddle_unsupported("C++ exceptions: a type whose information is missing");
        }
    }
    return found == 1 && is_public;
}

/* --- throwing and catching ------------------------------------------------------------------------------ */

void _ZSt9terminatev(void) { /* std::terminate */
    abort();
}

void *__cxa_allocate_exception(size_t bytes) {
    if (!__heddle_throws) __heddle_unsupported("C++ exceptions");
    return (struct thrown *)__heddle_alloc(sizeof(struct thrown) + bytes, 1) + 1;
}

void __cxa_free_exception(void *object) {
    __heddle_free(header_of(object));
}

void __cxa_throw(void *object, const struct type *type, void (*destructor)(void *)) {
    header_of(object)->type = type;
    header_of(object)->destructor = destructor;
    record()->uncaught++;
    record()->in_flight = object;
}

void *__cxa_get_exception_ptr(void *object) {
    return header_of(object)->adjusted;
}

void *__cxa_begin_catch(void *object) {
    struct thrown *h = header_of(object);
    struct exception_record *mine = record();
    h->handlers = (h->handlers < 0 ? -h->handlers : h->handlers) + 1;
    if (mine->caught != h) {
        h->next = mine->caught;
        mine->caught = h;
    }
    if (!is_forced(h)) mine->uncaught--;
    return h->adjusted;
}

void __cxa_end_catch(void) {
    struct exception_record *mine = record();
    struct thrown *h = mine->caught;
    if (!h) return;
    if (h->handlers < 0) { /* on its way again: somebody else will end it */
        if (++h->handlers == 0) mine->caught = h->next;
    } else if (--h->handlers == 0) {
        mine->caught = h->next;
        if (is_forced(h)) abort(); /* "exception not rethrown" */
        if (h->destructor) h->destructor(h + 1);
        __heddle_free(h);
    }
}

void __cxa_rethrow(void) {
    struct exception_record *mine = record();
    struct thrown *h = mine->caught;
    if (!h) abort();
    h->handlers = -h->handlers;
    if (!is_forced(h)) mine->uncaught++;
    mine->in_flight = h + 1;
}

/* --- pthread_exit --------------------------------------------------------------------------------------- */

void __model_unwind_thread(void *result) {
    struct thrown *h = __heddle_alloc(sizeof *h + sizeof result, 1);
    *(void **)(h + 1) = result;
    record()->in_flight = h + 1;
}

/* What leaves the last frame of a thread ends the program, or, if pthread_exit sent it, the thread. */
void __model_leave_last_frame(void *object) {
    struct thrown *h = header_of(object);
    if (!is_forced(h)) return;
    void *result = *(void **)object;
    __heddle_free(h);
    if (__heddle_thread_keys) __model_run_destructors();
    __heddle_thread_exit(result);
}

int _ZSt19uncaught_exceptionsv(void) {
    return (int)record()->uncaught;
}

_Bool _ZSt18uncaught_exceptionv(void) {
    return record()->uncaught != 0;
}

/* --- <exception>, <stdexcept> --------------------------------------------------------------------------- */

struct described { /* std::logic_error, std::runtime_error */
    void **table;
    const char *what; /* a copy of the text that was given, shared by copies of the exception */
};

typedef const char *text;

/* NULL stands for a text that is not made. */
static text keep_text(text given) {
    if (!given) return NULL;
    size_t bytes = 1;
    while (given[bytes - 1]) bytes++;
    unsigned *users = __heddle_alloc(sizeof *users + bytes, 1);
    *users = 1;
    __heddle_copy(users + 1, given, bytes);
    return (text)(users + 1);
}

static text share_text(text kept) {
    if (!kept) return NULL;
    __heddle_atomic_begin();
    ++((unsigned *)kept)[-1];
    __heddle_atomic_end();
    return kept;
}

static void drop_text(text kept) {
    if (!kept) return;
    unsigned *users = (unsigned *)kept - 1;
    __heddle_atomic_begin();
    unsigned left = --*users;
    __heddle_atomic_end();
    if (left == 0) __heddle_free(users);
}

void exception_destroyed(void *e) __asm__("_ZNSt9exceptionD2Ev");
void exception_destroyed(void *e) {
    (void)e;
}
void exception_deleted(void *e) __asm__("_ZNSt9exceptionD0Ev");
void exception_deleted(void *e) {
    __heddle_delete(e);
}
text exception_what(const void *e) __asm__("_ZNKSt9exception4whatEv");
text exception_what(const void *e) {
    (void)e;
    return "std::exception";
}
void exception_destroyed_whole(void *e) __asm__("_ZNSt9exceptionD1Ev");
void exception_destroyed_whole(void *e) {
    (void)e;
}

const struct type _ZTISt9exception = {TABLE(17__class), "St9exception"};
void *const _ZTVSt9exception[5] = {NULL, (void *)&_ZTISt9exception, exception_destroyed_whole,
                                   exception_deleted, exception_what};

static text described_what(const struct described *e) {
    if (!e->what) __heddle_unsupported("C++ exceptions: the text of one that the library throws");
    return e->what;
}
text logic_error_what(const struct described *e) __asm__("_ZNKSt11logic_error4whatEv");
text logic_error_what(const struct described *e) {
    return described_what(e);
}
text runtime_error_what(const struct described *e) __asm__("_ZNKSt13runtime_error4whatEv");
text runtime_error_what(const struct described *e) {
    return described_what(e);
}

#define STRING "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"

/* A class: its type, its table of virtual functions, and the functions that the ABI has in two or three
 * variants: constructors from a text, from a std::string (which starts with a pointer to its characters) and
 * from another one, destructors. */
#define DESCRIBED(name, mangled, base)                                                                       \
    extern const struct derived_type type_of_##name __asm__("_ZTI" mangled);                                 \
    const struct derived_type type_of_##name = {{TABLE(20__si_class), mangled}, (const struct type *)&base}; \
    void name##_destroyed(struct described *e) __asm__("_ZN" mangled "D2Ev");                                \
    void name##_destroyed(struct described *e) {                                                             \
        drop_text(e->what);                                                                                  \
    }                                                                                                        \
    void name##_destroyed_whole(struct described *e) __asm__("_ZN" mangled "D1Ev");                          \
    void name##_destroyed_whole(struct described *e) {                                                       \
        drop_text(e->what);                                                                                  \
    }                                                                                                        \
    void name##_deleted(struct described *e) __asm__("_ZN" mangled "D0Ev");                                  \
    void name##_deleted(struct described *e) {                                                               \
        drop_text(e->what);                                                                                  \
        __heddle_delete(e);                                                                                  \
    }                                                                                                        \
    extern void *const table_of_##name[5] __asm__("_ZTV" mangled);                                           \
    void *const table_of_##name[5] = {NULL, (void *)&type_of_##name, name##_destroyed_whole, name##_deleted, \
                                      described_what};                                                       \
    static void name##_set(struct described *e, text what) {                                                 \
        e->table = (void **)table_of_##name + 2;                                                             \
        e->what = what;                                                                                      \
    }                                                                                                        \
    CONSTRUCTORS(name, mangled, "C1", whole)                                                                 \
    CONSTRUCTORS(name, mangled, "C2", part)

#define CONSTRUCTORS(name, mangled, variant, suffix)                                                         \
    void name##_from_text_##suffix(struct described *e, text what) __asm__("_ZN" mangled variant "EPKc");    \
    void name##_from_text_##suffix(struct described *e, text what) {                                         \
        name##_set(e, keep_text(what));                                                                      \
    }                                                                                                        \
    void name##_from_string_##suffix(struct described *e,                                                    \
                                     const text *what) __asm__("_ZN" mangled variant "ERK" STRING);          \
    void name##_from_string_##suffix(struct described *e, const text *what) {                                \
        name##_set(e, keep_text(*what));                                                                     \
    }                                                                                                        \
    void name##_copied_##suffix(struct described *e,                                                         \
                                const struct described *other) __asm__("_ZN" mangled variant "ERKS_");       \
    void name##_copied_##suffix(struct described *e, const struct described *other) {                        \
        name##_set(e, share_text(other->what));                                                              \
    }

DESCRIBED(logic_error, "St11logic_error", _ZTISt9exception)
DESCRIBED(domain_error, "St12domain_error", type_of_logic_error)
DESCRIBED(invalid_argument, "St16invalid_argument", type_of_logic_error)
DESCRIBED(length_error, "St12length_error", type_of_logic_error)
DESCRIBED(out_of_range, "St12out_of_range", type_of_logic_error)
DESCRIBED(runtime_error, "St13runtime_error", _ZTISt9exception)
DESCRIBED(range_error, "St11range_error", type_of_runtime_error)
DESCRIBED(overflow_error, "St14overflow_error", type_of_runtime_error)
DESCRIBED(underflow_error, "St15underflow_error", type_of_runtime_error)

/* --- what the library itself throws --------------------------------------------------------------------- */

/* Where nobody catches (load.c knows), throwing is the end. */
#define THROWS(function, name)                                                                               \
    void function(text what) {                                                                               \
        (void)what;                                                                                          \
        if (!__heddle_throws && __heddle_nobody_catches) abort();                                            \
        struct described *e = __cxa_allocate_exception(sizeof *e);                                           \
        name##_set(e, NULL);                                                                                 \
        __cxa_throw(e, &type_of_##name.head, NULL);                                                          \
    }

THROWS(_ZSt19__throw_logic_errorPKc, logic_error)
THROWS(_ZSt20__throw_domain_errorPKc, domain_error)
THROWS(_ZSt24__throw_invalid_argumentPKc, invalid_argument)
THROWS(_ZSt20__throw_length_errorPKc, length_error)
THROWS(_ZSt20__throw_out_of_rangePKc, out_of_range)
THROWS(_ZSt24__throw_out_of_range_fmtPKcz, out_of_range)
THROWS(_ZSt21__throw_runtime_errorPKc, runtime_error)
THROWS(_ZSt19__throw_range_errorPKc, range_error)
THROWS(_ZSt22__throw_overflow_errorPKc, overflow_error)
THROWS(_ZSt23__throw_underflow_errorPKc, underflow_error)

/* std::system_error: its text and what its category does are not modelled. */
struct system_error {
    struct described head;
    int value;
    const void *category;
};

static const void *const category_of_all[1];

DESCRIBED(system_error, "St12system_error", type_of_runtime_error)

void throw_system_error(int error) __asm__("_ZSt20__throw_system_errori");
void throw_system_error(int error) {
    if (!__heddle_throws && __heddle_nobody_catches) abort();
    struct system_error *e = __cxa_allocate_exception(sizeof *e);
    system_error_set(&e->head, NULL);
    e->value = error;
    e->category = category_of_all;
    __cxa_throw(e, &type_of_system_error.head, NULL);
}
