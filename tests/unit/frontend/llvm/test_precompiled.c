/* Designs are compiled with the precompiled headers of the build tree exactly where these are what clang
 * would read. */
#include "c_fixture.h"
#include "frontend/llvm/compile.h"

#include <unistd.h>

#define SC_MAIN "int sc_main(int, char *[]) { return 0; }\n"

/* 1: with them; 0: without; -1: clang refuses it. */
static int compile(const char *source, const char *argument) {
    char *file = write_file(".cpp", source, strlen(source));
    llvm_options options = {.arguments = &argument, .argument_count = argument != NULL};
    diagnostics d = {.file = "test"};
    bitcode code = {0};
    bool good = compile_file(file, &options, NULL, NULL, &code, &d);
    unlink(file);
    mem_free(file);
    mem_free(code.bytes);
    diag_free(&d);
    return good ? code.precompiled : -1;
}

static void designs_that_begin_with_the_headers(void **state) {
    (void)state;
    assert_int_equal(compile("#include <systemc.h>\n" SC_MAIN, NULL), 1);
    assert_int_equal(compile("/* a */ // b\n#include <cassert>\n#include <systemc>\n" SC_MAIN, "-DBUG=3"), 1);
}

static void what_comes_before_may_change_the_headers(void **state) {
    (void)state;
    assert_int_equal(compile("#define BUG\n#include <systemc.h>\n" SC_MAIN, NULL), 0);
    assert_int_equal(compile("#include <unistd.h>\n#include <systemc.h>\n" SC_MAIN, NULL), 0);
    assert_int_equal(compile("int main() {}\n", NULL), 0);
}

static void flags_may_change_the_headers(void **state) {
    (void)state;
    static const char design[] = "#include <systemc.h>\n" SC_MAIN;
    assert_int_equal(compile(design, "-DHEDDLE_SYSTEMC_NO_MAIN"), 0); /* a macro that a header looks at */
    assert_int_equal(compile(design, "-Dnamespace=!"), -1);
    assert_int_equal(compile(design, "-I/tmp"), 0);
    assert_int_equal(compile(design, "-std=c++20"), 0);
    setenv("CPATH", "/tmp", 1);
    assert_int_equal(compile(design, NULL), 0);
    unsetenv("CPATH");
}

static void names_are_those_that_were_included(void **state) {
    (void)state; /* <systemc> alone does not say using namespace */
    assert_int_equal(compile("#include <systemc>\nsc_core::sc_time t;\n" SC_MAIN, NULL), 1);
    assert_int_equal(compile("#include <systemc>\nsc_time t;\n" SC_MAIN, NULL), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(designs_that_begin_with_the_headers),
        cmocka_unit_test(what_comes_before_may_change_the_headers),
        cmocka_unit_test(flags_may_change_the_headers),
        cmocka_unit_test(names_are_those_that_were_included),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
