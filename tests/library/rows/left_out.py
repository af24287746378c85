"""Functions without a row, and why."""


def fill(table):
    table.leave_out_file("ends its path as unknown, naming itself", "refused")
    table.leave_out_file("constants that the front end sets", "options")
    table.leave_out_file("called by what the compiler makes of C++; rows/cxx.py goes through the main ones, others are variants of each other: models/c/exceptions.cpp, tests/unit/frontend/llvm/test_llvm_run.c", "exceptions", "cxx")
    table.leave_out_file("depends on the computer; models/c/cores.cpp", "cores")
    table.leave_out_file("of SymC++, which no C library has; tests/unit/frontend/llvm/test_llvm_run.c and models/symcpp", "symcpp")
    table.leave_out("ends the program: models/c/at-exit.c, models/c/exit-order.c", "exit", "_exit", "_Exit", "quick_exit", "abort", "atexit", "__cxa_atexit")
