/* Source positions and names from debug information. The LLVM-C interface has getters for few things, the
 * rest is read as operands of metadata nodes, whose numbers are LLVM's layout of these nodes. */
#include "frontend/llvm/compile.h"
#include "frontend/llvm/translate.h"

#include <limits.h>
#include <unistd.h>

enum {
    VARIABLE_NAME = 1,
    VARIABLE_TYPE = 3,
    TYPE_NAME = 2,
    TYPE_BASE = 3,
    TYPE_ELEMENTS = 4,
    MOST_TYPEDEFS = 64, /* steps through typedefs and qualifiers */
    DWARF_POINTER = 0x0f,
    DWARF_MEMBER = 0x0d,
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

void debug_place_function(translation *t, LLVMValueRef llvm, function *f) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(llvm);
    if (!subprogram) return;
    f->at = (position){LLVMDISubprogramGetLine(subprogram), 1};
    LLVMMetadataRef file = LLVMDIScopeGetFile(subprogram);
    if (!file) return;
    const char *name = name_from_here(t, file);
    if (*name && strcmp(name, t->p->file)) f->file = name;
}

const char *debug_variable_file(translation *t, LLVMMetadataRef variable) {
    LLVMMetadataRef file = LLVMDIVariableGetFile(variable);
    return file ? name_from_here(t, file) : NULL;
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

static LLVMMetadataRef base_of(translation *t, LLVMMetadataRef type) {
    LLVMMetadataRef base = operand_of(t, type, TYPE_BASE);
    return is_type(base) ? base : NULL;
}

/* Through typedefs, qualifiers and members, not through pointers. */
static LLVMMetadataRef plain_type(translation *t, LLVMMetadataRef type) {
    for (unsigned step = 0; type && step < MOST_TYPEDEFS; step++) {
        if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind ||
            LLVMGetDINodeTag(type) == DWARF_POINTER)
            return type;
        type = base_of(t, type);
    }
    return NULL;
}

scalar_view debug_view(translation *t, LLVMMetadataRef type, LLVMTypeRef llvm) {
    if (LLVMGetTypeKind(llvm) == LLVMPointerTypeKind) return VIEW_POINTER;
    if (LLVMGetTypeKind(llvm) != LLVMIntegerTypeKind) return VIEW_UNSIGNED;
    if (LLVMGetIntTypeWidth(llvm) == 1) return VIEW_BOOL;
    type = plain_type(t, type);
    if (!type || LLVMGetMetadataKind(type) != LLVMDIBasicTypeMetadataKind) return VIEW_SIGNED;
    size_t length;
    const char *name = LLVMDITypeGetName(type, &length);
    if (!strcmp(name, "_Bool") || !strcmp(name, "bool")) return VIEW_BOOL;
    if (!strcmp(name, "char")) return VIEW_CHAR;
    return strstr(name, "unsigned") ? VIEW_UNSIGNED : VIEW_SIGNED;
}

LLVMMetadataRef debug_element_type(translation *t, LLVMMetadataRef type) {
    type = plain_type(t, type);
    /* LLVM nests the dimensions of an array that is one node here: the inner ones find no array any more. */
    bool is_array = type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind &&
                    LLVMGetDINodeTag(type) == DWARF_ARRAY;
    return is_array ? base_of(t, type) : type;
}

/* A class that another one is made of, at a place of its own: virtual ones lie where the whole object says.
 */
static bool is_base_class(LLVMMetadataRef member) {
    return LLVMGetDINodeTag(member) == DWARF_INHERITANCE && !(LLVMDITypeGetFlags(member) & LLVMDIFlagVirtual);
}

const char *debug_member(translation *t, LLVMMetadataRef composite, uint64_t byte_offset,
                         LLVMMetadataRef *type) {
    *type = NULL;
    composite = plain_type(t, composite);
    if (!composite || LLVMGetMetadataKind(composite) != LLVMDICompositeTypeMetadataKind) return NULL;
    LLVMMetadataRef elements = operand_of(t, composite, TYPE_ELEMENTS);
    if (!elements || LLVMGetMetadataKind(elements) != LLVMMDTupleMetadataKind) return NULL;
    unsigned count = (unsigned)LLVMGetNumOperands(LLVMMetadataAsValue(t->context, elements));
    for (unsigned k = 0; k < count; k++) {
        LLVMMetadataRef member = operand_of(t, elements, k);
        if (!member || LLVMGetMetadataKind(member) != LLVMDIDerivedTypeMetadataKind ||
            LLVMDITypeGetOffsetInBits(member) != byte_offset * 8)
            continue;
        if (LLVMGetDINodeTag(member) == DWARF_MEMBER) {
            *type = base_of(t, member);
            return string_of(t, operand_of(t, member, TYPE_NAME));
        }
        if (is_base_class(member)) *type = base_of(t, member); /* an empty one has a member at its place */
    }
    return *type ? "" : NULL;
}
