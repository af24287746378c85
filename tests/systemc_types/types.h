/* The data types under test: those of include/systemc, or those of the library of Accellera if WITH_ACCELLERA
 * is defined. A test defines run_test() and prints what it computes; both programs must print the same. */
#ifndef TYPES_H
#define TYPES_H

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

static void run_test();

#ifdef WITH_ACCELLERA

#define SC_DISABLE_API_VERSION_CHECK
#include <systemc>

int sc_main(int, char **) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    sc_core::sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    run_test();
    return 0;
}

#else

#include "dt/sc_types.h"

void sc_dt_violation(const char *what) {
    std::printf("violation: %s\n", what);
    std::exit(3);
}

void sc_dt_unsupported(const char *what) {
    std::printf("unsupported: %s\n", what);
    std::exit(4);
}

int main() {
    run_test();
    return 0;
}

#endif

using namespace sc_dt;

/* Prints an expression and its value. */
#define SHOW(e) (std::cout << __LINE__ << ": " #e " = " << (e) << "\n")

/* Prints a value that is only the result of an expression with an effect. */
#define AFTER(statement, x)                                                                                  \
    do {                                                                                                     \
        statement;                                                                                           \
        std::cout << __LINE__ << ": " #statement "; " #x " = " << (x) << "\n";                               \
    } while (0)

#endif
