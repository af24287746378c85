/* <ctype.h> in the C locale. The macros of glibc look into tables, which therefore exist too. */
#include "models.h"

enum {
    UPPER = 0x100,
    LOWER = 0x200,
    ALPHA = 0x400,
    DIGIT = 0x800,
    HEX = 0x1000,
    SPACE = 0x2000,
    PRINT = 0x4000,
    GRAPH = 0x8000,
    BLANK = 1,
    CONTROL = 2,
    PUNCTUATION = 4,
    ALPHANUMERIC = 8
};

enum { TABLE_START = 128, TABLE_LENGTH = 384 }; /* -128 .. 255 */

/* Classes of each character by the bits of glibc's macros. */
static const unsigned short classes[TABLE_LENGTH] = {
    [TABLE_START + 0 ... TABLE_START + 8] = 0x0002,
    [TABLE_START + 9] = 0x2003,
    [TABLE_START + 10 ... TABLE_START + 13] = 0x2002,
    [TABLE_START + 14 ... TABLE_START + 31] = 0x0002,
    [TABLE_START + 32] = 0x6001,
    [TABLE_START + '!' ... TABLE_START + '/'] = 0xc004,
    [TABLE_START + '0' ... TABLE_START + '9'] = 0xd808,
    [TABLE_START + ':' ... TABLE_START + '@'] = 0xc004,
    [TABLE_START + 'A' ... TABLE_START + 'F'] = 0xd508,
    [TABLE_START + 'G' ... TABLE_START + 'Z'] = 0xc508,
    [TABLE_START + '[' ... TABLE_START + '`'] = 0xc004,
    [TABLE_START + 'a' ... TABLE_START + 'f'] = 0xd608,
    [TABLE_START + 'g' ... TABLE_START + 'z'] = 0xc608,
    [TABLE_START + '{' ... TABLE_START + '~'] = 0xc004,
    [TABLE_START + 127] = 0x0002,
};
static const unsigned short *const classes_at_zero = classes + TABLE_START;

const unsigned short *const *__ctype_b_loc(void) {
    return &classes_at_zero;
}

#define ROW(n)                                                                                               \
    (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7, (n) + 8, (n) + 9, (n) + 10,          \
        (n) + 11, (n) + 12, (n) + 13, (n) + 14, (n) + 15
#define HIGH_HALF ROW(128), ROW(144), ROW(160), ROW(176), ROW(192), ROW(208), ROW(224)

/* Bytes below 0 are those above 127 seen as signed; -1 is EOF and stays itself. */
static const int to_lower[TABLE_LENGTH] = {
    HIGH_HALF, 240, 241, 242, 243, 244,     245,      246,       247,     248, 249, 250,
    251,       252, 253, 254, -1,  ROW(0),  ROW(16),  ROW(32),   ROW(48), 64,  97,  98,
    99,        100, 101, 102, 103, 104,     105,      106,       107,     108, 109, 110,
    111,       112, 113, 114, 115, 116,     117,      118,       119,     120, 121, 122,
    91,        92,  93,  94,  95,  ROW(96), ROW(112), HIGH_HALF, ROW(240)};
static const int to_upper[TABLE_LENGTH] = {
    HIGH_HALF, 240, 241, 242, 243, 244,    245,     246,       247,     248,     249,     250,
    251,       252, 253, 254, -1,  ROW(0), ROW(16), ROW(32),   ROW(48), ROW(64), ROW(80), 96,
    65,        66,  67,  68,  69,  70,     71,      72,        73,      74,      75,      76,
    77,        78,  79,  80,  81,  82,     83,      84,        85,      86,      87,      88,
    89,        90,  123, 124, 125, 126,    127,     HIGH_HALF, ROW(240)};
static const int *const to_lower_at_zero = to_lower + TABLE_START, *const to_upper_at_zero =
                                                                       to_upper + TABLE_START;

const int *const *__ctype_tolower_loc(void) {
    return &to_lower_at_zero;
}

const int *const *__ctype_toupper_loc(void) {
    return &to_upper_at_zero;
}

/* As the macros do: an argument that is neither a character nor EOF is out of bounds. */
CALLERS_ACCESS static int in_class(int c, unsigned bits) {
    return classes_at_zero[c] & bits;
}

// clang-format off
int isupper(int c) { return in_class(c, UPPER); }
int islower(int c) { return in_class(c, LOWER); }
int isalpha(int c) { return in_class(c, ALPHA); }
int isdigit(int c) { return in_class(c, DIGIT); }
int isxdigit(int c) { return in_class(c, HEX); }
int isspace(int c) { return in_class(c, SPACE); }
int isprint(int c) { return in_class(c, PRINT); }
int isgraph(int c) { return in_class(c, GRAPH); }
int isblank(int c) { return in_class(c, BLANK); }
int iscntrl(int c) { return in_class(c, CONTROL); }
int ispunct(int c) { return in_class(c, PUNCTUATION); }
int isalnum(int c) { return in_class(c, ALPHANUMERIC); }
int isascii(int c) { return (c & ~127) == 0; }
int toascii(int c) { return c & 127; }
// clang-format on

int tolower(int c) {
    return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c;
}

int toupper(int c) {
    return c >= 'a' && c <= 'z' ? c + 'A' - 'a' : c;
}
