/* What must stop a program, each case in a process of its own, and cases close to them that must not. */
#include "types.h"

#include <sys/wait.h>
#include <unistd.h>

typedef void misuse_case();

template <class T> static void use(const T &) {}

static void expect_stop(const char *name, misuse_case *body) {
    std::cout.flush();
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(9);
        try {
            body();
        } catch (...) {
            _exit(3);
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    bool stopped = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    std::cout << name << (stopped ? ": stops\n" : ": goes on\n");
}

#define CASE(statements) expect_stop(#statements, [] { statements; })

static void run_test() {
    CASE(sc_uint<8> x; use(x[8]));
    CASE(sc_uint<8> x; use(x[7]));
    CASE(sc_uint<8> x; use(x[-1]));
    CASE(sc_int<8> x; x[8] = 1);
    CASE(sc_int<8> x; x.range(8, 0) = 1);
    CASE(sc_int<8> x; x.range(7, 0) = 1);
    CASE(sc_uint<8> x; use(x.range(7, -1)));
    CASE(sc_uint<8> x; use(x.range(0, 7)));
    CASE(sc_uint<8> x; x(0, 7) = 3);
    CASE(sc_bigint<70> x; use(x[70]));
    CASE(sc_bigint<70> x; use(x[69]));
    CASE(sc_biguint<70> x; use(x[-1]));
    CASE(sc_biguint<70> x; use(x.range(70, 0)));
    CASE(sc_biguint<70> x; use(x.range(0, 69)));
    CASE(sc_biguint<70> x; x.range(80, 75) = 2);
    CASE(sc_bigint<70> x = 5; sc_bigint<70> y; use(x / y));
    CASE(sc_biguint<70> x = 5; x %= 0);
    CASE(sc_uint<8> x; x = "hello");
    CASE(sc_uint<8> x; x = "0b12");
    CASE(sc_uint<8> x; x = "0xfg");
    CASE(sc_bigint<70> x; x = "12a");
    CASE(sc_bigint<70> x; x = "");
    CASE(sc_bigint<70> x; x = "-0b11");
    CASE(sc_bv<8> x; use(x.range(8, 0)));
    CASE(sc_bv<8> x; use(x.range(7, -1)));
    CASE(sc_bv<8> x; use(x.range(0, 7)));
    CASE(sc_lv<8> x; x.range(3, 9) = 1);
    CASE(sc_bv<8> x; x = "10X");
    CASE(sc_bv<8> x; x = "12");
    CASE(sc_bv<8> x; x = "0xg");
    CASE(sc_lv<8> x; x = "10X");
    CASE(sc_lv<8> x = "1X"; x.to_string(SC_HEX));
    CASE(sc_lv<8> x = "11"; x.to_string(SC_HEX));
    CASE(sc_bv<8> x; x <<= -1);
    CASE(sc_bv<8> x; x >>= -1);
    CASE(sc_bv<8> x; x <<= 100);
    CASE(sc_bv<8> x; x.lrotate(-1));
    CASE(sc_logic x(4); use(x));
    CASE(sc_logic x(3); use(x));
    CASE(sc_bit x(2); use(x));
    CASE(sc_uint_base x(65));
    CASE(sc_uint_base x(0));
    CASE(sc_uint_base x(64));
    CASE(sc_signed x(0));
    CASE(sc_signed x(-4));
    CASE(sc_lv_base x(0));
}
