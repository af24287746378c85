/* What is printed, told to whoever shows one execution (print_form and print_setting in src/program/program.h
 * have the same numbers). It has no effect in a program, and settings of streams are not kept in it. */
#ifndef HEDDLE_PRINT_H
#define HEDDLE_PRINT_H

extern "C" void __heddle_print(unsigned form, ...);

namespace heddle_print {
enum form {
    SETTING,   /* setting, number */
    RAW,       /* pointer, bytes */
    WORD,      /* pointer, bytes: padded */
    STRING,    /* pointer */
    CHARACTER, /* number */
    BOOL,      /* number */
    SIGNED,    /* number of 64 bits, and as wide as its type without a sign */
    UNSIGNED,  /* number of 64 bits */
    FLOATING,  /* double */
    WIDE,      /* pointer to words of 32 bits, their count, bits, whether it has a sign */
    LOGIC,     /* pointer to words of data, of control or null, bits */
    TIME       /* number, femtoseconds of its unit */
};
enum setting { SET_FLAGS, CLEAR_FLAGS, WIDTH, FILL, PRECISION };
} // namespace heddle_print

#endif
