/* Source positions and names from debug information. The LLVM-C interface has getters for few things, the
 * rest is read as operands of metadata nodes, whose numbers are LLVM's layout of these nodes. */
#include "frontend/llvm/compile.h"
#include "frontend/llvm/translate.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    SCOPE = 0, /* of variables and labels */
    VARIABLE_NAME = 1,
    VARIABLE_TYPE = 3,
    TYPE_NAME = 2,
    TYPE_BASE = 3,
    TYPE_ELEMENTS = 4,
    MOST_TYPEDEFS = 64, /* steps through typedefs and qualifiers */
    DWARF_POINTER = 0x0f,
    DWARF_MEMBER = 0x0d,
    DWARF_REFERENCE = 0x10,
    DWARF_TYPEDEF = 0x16,
    DWARF_INHERITANCE = 0x1c,
    DWARF_ARRAY = 0x01
};

static LLVMMetadataRef operand_of(translation *t, LLVMMetadataRef node, unsigned number) {
    LLVMValueRef value = LLVMMetadataAsValue(t->context, node);
    if (number >= (unsigned)LLVMGetNumOperands(value)) return NULL;
    LLVMValueRef found = LLVMGetOperand(value, number);
    return found ? LLVMValueAsMetadata(found) : NULL;
}

static const char *string_of(translation *t, LLVMMetadataRef node) {
    if (!node || LLVMGetMetadataKind(node) != LLVMMDStringMetadataKind) return NULL;
    unsigned length;
    const char *s = LLVMGetMDString(LLVMMetadataAsValue(t->context, node), &length);
    return s && length ? arena_string(&t->p->memory, s, length) : NULL;
}

static bool is_type(LLVMMetadataRef node) {
    LLVMMetadataKind kind = node ? LLVMGetMetadataKind(node) : LLVMMDStringMetadataKind;
    return kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
           kind == LLVMDICompositeTypeMetadataKind;
}

/* --- positions ------------------------------------------------------------------------------------------ */

position debug_position(LLVMValueRef instruction, position otherwise) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    if (!location) return otherwise;
    position at = {LLVMDILocationGetLine(location), LLVMDILocationGetColumn(location)};
    return at.line ? at : otherwise;
}

/* Clang takes the folder that a file shares with the working directory out of its name. */
static const char *name_from_here(translation *t, LLVMMetadataRef file) {
    unsigned length, folder_length;
    const char *name = LLVMDIFileGetFilename(file, &length);
    const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
    char here[PATH_MAX];
    bool is_here =
        getcwd(here, sizeof here) && strlen(here) == folder_length && !memcmp(here, folder, folder_length);
    if (!length || *name == '/' || !folder_length || is_here)
        return arena_string(&t->p->memory, name, length);
    text whole = {0};
    text_format(&whole, "%.*s/%.*s", (int)folder_length, folder, (int)length, name);
    const char *kept = program_copy_text(t->p, text_cstr(&whole));
    text_free(&whole);
    return kept;
}

/* The same file as the user calls it: whoever gives /here/a.c wants to read that. */
static const char *name_as_given(const translation *t, const char *name) {
    char real[PATH_MAX], given[PATH_MAX];
    for (size_t k = 0; k < t->file_count; k++)
        if (!strcmp(t->files[k], name)) return t->files[k];
    if (!*name || !realpath(name, real)) return name;
    for (size_t k = 0; k < t->file_count; k++)
        if (realpath(t->files[k], given) && !strcmp(real, given)) return t->files[k];
    return name;
}

static const char *name_of_file(translation *t, LLVMMetadataRef file) {
    uint64_t known = map_get(&t->file_names, (uintptr_t)file);
    if (known != MAP_NONE) return (const char *)(uintptr_t)known;
    const char *name = program_copy_text(t->p, name_as_given(t, name_from_here(t, file)));
    map_put(&t->file_names, (uintptr_t)file, (uintptr_t)name);
    return name;
}

void debug_place_function(translation *t, LLVMValueRef llvm, function *f) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(llvm);
    if (!subprogram) return;
    f->at = (position){LLVMDISubprogramGetLine(subprogram), 1};
    LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
    if (!file) return;
    const char *name = name_of_file(t, file);
    if (*name && strcmp(name, t->p->file)) f->file = name;
}

const char *debug_variable_file(translation *t, LLVMMetadataRef variable) {
    LLVMMetadataRef file = LLVMDIVariableGetFile(variable);
    return file ? name_of_file(t, file) : NULL;
}

bool debug_is_of_cxx(const char *file) {
    return file && (strstr(file, "/include/c++/") || strstr(file, "-linux-gnu/c++/") ||
                    (strstr(file, "/include/cxx/") && compile_is_own_header(file)));
}

/* --- variables ------------------------------------------------------------------------------------------ */

void debug_find_declarations(body *b) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(b->llvm); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
            size_t length;
            if (!callee || !LLVMIsAFunction(callee) ||
                strcmp(LLVMGetValueName2(callee, &length), "llvm.dbg.declare"))
                continue;
            LLVMMetadataRef place = LLVMValueAsMetadata(LLVMGetOperand(i, 0));
            if (LLVMGetMetadataKind(place) != LLVMLocalAsMetadataMetadataKind) continue;
            LLVMValueRef declared = LLVMGetOperand(LLVMGetOperand(i, 0), 0);
            LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(i, 1));
            if (LLVMIsAAllocaInst(declared) && map_get(&b->declared, (uintptr_t)declared) == MAP_NONE)
                map_put(&b->declared, (uintptr_t)declared, (uintptr_t)variable);
        }
}

const char *debug_variable_name(translation *t, LLVMMetadataRef variable) {
    return string_of(t, operand_of(t, variable, VARIABLE_NAME));
}

LLVMMetadataRef debug_variable_type(translation *t, LLVMMetadataRef variable) {
    LLVMMetadataRef type = operand_of(t, variable, VARIABLE_TYPE);
    return is_type(type) ? type : NULL;
}

bool debug_is_of_whole_function(translation *t, LLVMMetadataRef variable) {
    LLVMMetadataRef scope = operand_of(t, variable, SCOPE);
    return scope && LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
}

bool debug_share_scope(translation *t, LLVMMetadataRef label, LLVMMetadataRef variable) {
    LLVMMetadataRef scope = operand_of(t, variable, SCOPE);
    return scope && scope == operand_of(t, label, SCOPE);
}

LLVMMetadataRef debug_global_variable(translation *t, LLVMValueRef global) {
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
    unsigned wanted = LLVMGetMDKindIDInContext(t->context, "dbg", 3);
    LLVMMetadataRef found = NULL;
    for (unsigned k = 0; k < count && !found; k++)
        if (LLVMValueMetadataEntriesGetKind(entries, k) == wanted) {
            LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, k);
            if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
                found = LLVMDIGlobalVariableExpressionGetVariable(node);
        }
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

static LLVMMetadataRef declaration_of(body *b, LLVMValueRef alloca) {
    uint64_t found = map_get(&b->declared, (uintptr_t)alloca);
    return found == MAP_NONE ? NULL : (LLVMMetadataRef)(uintptr_t)found;
}

bool debug_is_declared(body *b, LLVMValueRef alloca) {
    return declaration_of(b, alloca) != NULL;
}

const char *debug_register_name(body *b, LLVMValueRef alloca) {
    LLVMMetadataRef variable = declaration_of(b, alloca);
    if (variable) return debug_variable_name(b->t, variable);
    return LLVMGetSubprogram(b->llvm) ? NULL : debug_alloca_name(b, alloca);
}

const char *debug_alloca_name(body *b, LLVMValueRef alloca) {
    LLVMMetadataRef variable = declaration_of(b, alloca);
    const char *name = variable ? debug_variable_name(b->t, variable) : NULL;
    if (name) return name;
    size_t length;
    name = LLVMGetValueName2(alloca, &length);
    if (length > 5 && !strcmp(name + length - 5, ".addr")) length -= 5;
    return length ? arena_string(&b->t->p->memory, name, length) : "local";
}

LLVMMetadataRef debug_alloca_type(body *b, LLVMValueRef alloca) {
    LLVMMetadataRef variable = declaration_of(b, alloca);
    return variable ? debug_variable_type(b->t, variable) : NULL;
}

/* --- types ---------------------------------------------------------------------------------------------- */

LLVMMetadataRef debug_base_type(translation *t, LLVMMetadataRef type) {
    LLVMMetadataRef base = operand_of(t, type, TYPE_BASE);
    return is_type(base) ? base : NULL;
}

/* Through typedefs, qualifiers and members, not through pointers; a typedef of one of these names
 * is the last. */
static LLVMMetadataRef typedef_or_plain(translation *t, LLVMMetadataRef type,
                                        bool (*is_wanted)(const char *name)) {
    for (unsigned step = 0; type && step < MOST_TYPEDEFS; step++) {
        if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind ||
            LLVMGetDINodeTag(type) == DWARF_POINTER)
            return type;
        size_t length;
        if (is_wanted && LLVMGetDINodeTag(type) == DWARF_TYPEDEF &&
            is_wanted(LLVMDITypeGetName(type, &length)))
            return type;
        type = debug_base_type(t, type);
    }
    return NULL;
}

LLVMMetadataRef debug_plain_type(translation *t, LLVMMetadataRef type) {
    return typedef_or_plain(t, type, NULL);
}

bool debug_is_pointer(LLVMMetadataRef type) {
    unsigned tag = type ? LLVMGetDINodeTag(type) : 0;
    return tag == DWARF_POINTER || tag == DWARF_REFERENCE;
}

static bool is_any(const char *name) {
    return *name != 0;
}

const char *debug_type_name(translation *t, LLVMMetadataRef type) {
    LLVMMetadataRef plain = debug_plain_type(t, type);
    size_t length = 0;
    const char *name = plain ? LLVMDITypeGetName(plain, &length) : NULL;
    if (!length && plain) name = LLVMDITypeGetName(typedef_or_plain(t, type, is_any), &length);
    return length ? arena_string(&t->p->memory, name, length) : NULL;
}

/* --- locks ---------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    lock_kind kind;
} lock_types[] = {{"pthread_mutex_t", LOCK_MUTEX},
                  {"mtx_t", LOCK_MUTEX},
                  {"pthread_rwlock_t", LOCK_READ_WRITE},
                  {"pthread_spinlock_t", LOCK_SPIN},
                  {"sem_t", LOCK_SEMAPHORE},
                  {"pthread_cond_t", LOCK_CONDITION},
                  {"cnd_t", LOCK_CONDITION},
                  {"pthread_barrier_t", LOCK_BARRIER}};

static size_t lock_type(const char *name) {
    size_t k = 0;
    while (k < sizeof lock_types / sizeof *lock_types && strcmp(name, lock_types[k].name) != 0) k++;
    return k;
}

static bool is_lock_type(const char *name) {
    return lock_type(name) < sizeof lock_types / sizeof *lock_types;
}

bool debug_is_lock(translation *t, LLVMMetadataRef type, lock_kind *out) {
    size_t length;
    LLVMMetadataRef found = typedef_or_plain(t, type, is_lock_type);
    const char *name = found ? LLVMDITypeGetName(found, &length) : "";
    bool is_lock = found && LLVMGetDINodeTag(found) == DWARF_TYPEDEF && is_lock_type(name);
    if (is_lock) *out = lock_types[lock_type(name)].kind;
    if (is_lock || !found || !name || strcmp(name, "condition_variable") != 0) return is_lock;
    LLVMMetadataRef file = LLVMDIScopeGetFile(found); /* its members may be left out of debug information */
    if (!file || !debug_is_of_cxx(name_of_file(t, file))) return false;
    *out = LOCK_CONDITION;
    return true;
}

/* --- views ---------------------------------------------------------------------------------------------- */

scalar_view debug_view(translation *t, LLVMMetadataRef type, LLVMTypeRef llvm) {
    if (LLVMGetTypeKind(llvm) == LLVMPointerTypeKind) return VIEW_POINTER;
    if (LLVMGetTypeKind(llvm) != LLVMIntegerTypeKind) return VIEW_UNSIGNED;
    if (LLVMGetIntTypeWidth(llvm) == 1) return VIEW_BOOL;
    type = debug_plain_type(t, type);
    if (!type || LLVMGetMetadataKind(type) != LLVMDIBasicTypeMetadataKind) return VIEW_SIGNED;
    size_t length;
    const char *name = LLVMDITypeGetName(type, &length);
    if (!strcmp(name, "_Bool") || !strcmp(name, "bool")) return VIEW_BOOL;
    if (!strcmp(name, "char")) return VIEW_CHAR;
    return strstr(name, "unsigned") ? VIEW_UNSIGNED : VIEW_SIGNED;
}

LLVMMetadataRef debug_element_type(translation *t, LLVMMetadataRef declared) {
    LLVMMetadataRef type = debug_plain_type(t, declared);
    /* LLVM nests the dimensions of an array that is one node here: the inner ones find no array any more. */
    bool is_array = type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind &&
                    LLVMGetDINodeTag(type) == DWARF_ARRAY;
    return is_array ? debug_base_type(t, type) : declared;
}

/* A class that another one is made of, at a place of its own: virtual ones lie where the
 * whole object says. */
static bool is_base_class(LLVMMetadataRef member) {
    return LLVMGetDINodeTag(member) == DWARF_INHERITANCE && !(LLVMDITypeGetFlags(member) & LLVMDIFlagVirtual);
}

/* --- classes of our own headers ------------------------------------------------------------------------- */

typedef enum { LIBRARY_NONE, LIBRARY_SHOWN, LIBRARY_INNER } library_part; /* what a file is part of */

static library_part part_of_file(const char *file) {
    static const char *const inner[] = {"process.h", "spawn.h", "object.h", "event.h",         "intrinsics.h",
                                        "port.h",    "plist.h", "module.h", "report_handler.h"};
    if (!file || !strstr(file, "/systemc/") || !compile_is_own_header(file)) return LIBRARY_NONE;
    for (size_t k = 0; k < sizeof inner / sizeof *inner; k++)
        if (!strcmp(strrchr(file, '/') + 1, inner[k])) return LIBRARY_INNER;
    return LIBRARY_SHOWN;
}

static library_part part_of_class(translation *t, LLVMMetadataRef class) {
    LLVMMetadataRef file = LLVMDIScopeGetFile(class);
    if (!file) return LIBRARY_NONE;
    uint64_t known = map_get(&t->library_files, (uintptr_t)file);
    if (known != MAP_NONE) return (library_part)known;
    library_part part = part_of_file(name_of_file(t, file));
    map_put(&t->library_files, (uintptr_t)file, part);
    return part;
}

bool debug_is_of_program(translation *t, LLVMMetadataRef type) {
    if (LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind) return false;
    LLVMMetadataRef file = LLVMDIScopeGetFile(type);
    const char *name = file ? name_of_file(t, file) : NULL;
    return name && !debug_is_of_cxx(name) && !compile_is_own_header(name);
}

/* What the reader of a report calls the members of signals, numbers and events. */
static void name_library_member(library_part part, debug_part *m) {
    static const struct {
        const char *inside, *shown;
        cell_role role;
    } special[] = {{"m_now", "", CELL_PRESENT},
                   {"m_new", "next", CELL_NEXT},
                   {"m_words", "words", CELL_WORD},
                   {"m_val", "", CELL_PLAIN},
                   {"m_value", "", CELL_PLAIN},
                   {"m_changed", "value_changed_event", CELL_INNER},
                   {"m_rises", "posedge_event", CELL_INNER},
                   {"m_falls", "negedge_event", CELL_INNER},
                   {"m_data_written", "data_written_event", CELL_INNER},
                   {"m_data_read", "data_read_event", CELL_INNER},
                   {"m_writer", "writer", CELL_INNER},
                   {"m_output", "output", CELL_INNER},
                   {"m_event", "event", CELL_INNER},
                   {"m_is_heard", "is_heard", CELL_INNER}};
    m->role = part == LIBRARY_INNER ? CELL_INNER : CELL_PLAIN;
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        if (!strcmp(m->name, special[k].inside)) {
            m->name = special[k].shown;
            if (special[k].role > m->role) m->role = special[k].role;
            return;
        }
    if (!strncmp(m->name, "m_", 2)) m->name += 2;
}

/* A class of the C++ library that holds one value is called as the value: std::atomic, std::unique_ptr. */
static void name_held_value(translation *t, LLVMMetadataRef class, debug_part *m) {
    static const char *const held[] = {"_M_i", "_M_base", "_M_t", "_M_head_impl"};
    LLVMMetadataRef file = LLVMDIScopeGetFile(class);
    for (size_t k = 0; k < sizeof held / sizeof *held; k++)
        if (!strcmp(m->name, held[k]) && file && debug_is_of_cxx(name_of_file(t, file))) m->name = "";
}

/* --- members -------------------------------------------------------------------------------------------- */

static LLVMMetadataRef elements_of(translation *t, LLVMMetadataRef composite, unsigned *count) {
    LLVMMetadataRef elements = operand_of(t, composite, TYPE_ELEMENTS);
    if (!elements || LLVMGetMetadataKind(elements) != LLVMMDTupleMetadataKind) return NULL;
    *count = (unsigned)LLVMGetNumOperands(LLVMMetadataAsValue(t->context, elements));
    return elements;
}

static bool is_composite(LLVMMetadataRef type) {
    return type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind;
}

/* What an element of a class is to its objects; false: no part of them at a place of its own. */
static bool read_part(translation *t, LLVMMetadataRef class, LLVMMetadataRef element, debug_part *out) {
    *out = (debug_part){.name = ""};
    if (!element || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind) return false;
    bool is_member =
        LLVMGetDINodeTag(element) == DWARF_MEMBER && !(LLVMDITypeGetFlags(element) & LLVMDIFlagStaticMember);
    if (!is_member && !is_base_class(element)) return false;
    out->type = debug_base_type(t, element);
    if (!is_member) return out->type;
    out->name = string_of(t, operand_of(t, element, TYPE_NAME));
    library_part part = part_of_class(t, class);
    if (out->name && part != LIBRARY_NONE)
        name_library_member(part, out);
    else if (out->name)
        name_held_value(t, class, out);
    return true;
}

unsigned debug_part_count(translation *t, LLVMMetadataRef class) {
    unsigned count = 0;
    elements_of(t, class, &count);
    return count;
}

bool debug_part_at(translation *t, LLVMMetadataRef class, unsigned number, debug_part *out) {
    unsigned count = 0;
    LLVMMetadataRef elements = elements_of(t, class, &count);
    LLVMMetadataRef element = number < count ? operand_of(t, elements, number) : NULL;
    if (!read_part(t, class, element, out) || !out->name || !out->type) return false;
    out->bits = LLVMDITypeGetOffsetInBits(element);
    return !(LLVMDITypeGetFlags(element) & LLVMDIFlagBitField);
}

bool debug_member(translation *t, LLVMMetadataRef composite, uint64_t byte_offset, debug_part *out) {
    unsigned count = 0;
    composite = debug_plain_type(t, composite);
    LLVMMetadataRef elements = is_composite(composite) ? elements_of(t, composite, &count) : NULL;
    bool found = false;
    for (unsigned k = 0; k < count; k++) {
        LLVMMetadataRef element = operand_of(t, elements, k);
        debug_part part;
        if (!read_part(t, composite, element, &part) || LLVMDITypeGetOffsetInBits(element) != byte_offset * 8)
            continue;
        *out = part;
        found = true;
        if (LLVMGetDINodeTag(element) == DWARF_MEMBER) break; /* an empty base class has one at its place */
    }
    return found && out->name;
}
