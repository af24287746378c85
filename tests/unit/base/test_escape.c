/* Text of any bytes inside other formats: it never ends the place it stands in, and stays readable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/escape.h"
#include "base/utf8.h"

typedef void (*escape)(const char *s, text *out);

static void expect(escape by, const char *s, const char *expected) {
    text out = {0};
    by(s, &out);
    assert_string_equal(text_cstr(&out), expected);
    text_free(&out);
}

static void test_utf8(void **unused) {
    (void)unused;
    static const struct {
        const char *bytes;
        size_t length;
        uint32_t code;
    } cases[] = {
        {"a", 1, 'a'},
        {"\xc3\xa4", 2, 0xe4},
        {"\xe2\x82\xac", 3, 0x20ac},
        {"\xf0\x9f\x98\x80", 4, 0x1f600},
        {"\xff", 1, UTF8_INVALID},
        {"\xc3", 1, UTF8_INVALID},             /* cut off */
        {"\xc0\xaf", 1, UTF8_INVALID},         /* overlong */
        {"\xed\xa0\x80", 1, UTF8_INVALID},     /* a surrogate */
        {"\xf4\x90\x80\x80", 1, UTF8_INVALID}, /* above U+10FFFF */
        {"\x80", 1, UTF8_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t code;
        assert_int_equal(utf8_next(cases[i].bytes, &code), cases[i].length);
        assert_int_equal(code, cases[i].code);
    }
}

static void test_xml(void **unused) {
    (void)unused;
    expect(escape_xml_text, "a<b>&\"c\" ]]>\n\t", "a&lt;b&gt;&amp;&quot;c&quot; ]]&gt;\n\t");
    expect(escape_xml_attribute, "a\nb\tc\r", "a&#10;b&#9;c&#13;");
    expect(escape_xml_text, "\x01\xff\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect(escape_xml_text, "\xc3\xa4", "\xc3\xa4");
    expect(escape_xml_text, "", "");
}

static void test_yaml(void **unused) {
    (void)unused;
    expect(escape_yaml, "", "\"\"");
    expect(escape_yaml, "a: \"b\" # \\n\n", "\"a: \\\"b\\\" # \\\\n\\n\"");
    expect(escape_yaml, "\x07\x7f\xc2\x85", "\"\\u0007\\u007f\\u0085\"");
    expect(escape_yaml, "\xff", "\"\xef\xbf\xbd\"");
    expect(escape_yaml, "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\"");
}

static void test_dot(void **unused) {
    (void)unused;
    expect(escape_dot, "a \"b\" \\N", "\"a \\\"b\\\" \\\\N\"");
    expect(escape_dot, "one\ntwo", "\"one\\ltwo\\l\"");
    expect(escape_dot, "one\n", "\"one\\l\"");
    expect(escape_dot, "", "\"\"");
}

static void test_vcd(void **unused) {
    (void)unused;
    expect(escape_vcd, "a b\tc$end", "a_b_c_end");
    expect(escape_vcd, "", "_");
    expect(escape_vcd, "x[3]", "x[3]");
    expect(escape_vcd, "\xc3\xa4", "__");
}

static void test_uri(void **unused) {
    (void)unused;
    expect(escape_uri, "src/a b.c", "src/a%20b.c");
    expect(escape_uri, "/x/y.c", "file:///x/y.c");
    expect(escape_uri, "a%\xff#?", "a%25%FF%23%3F");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8), cmocka_unit_test(test_xml), cmocka_unit_test(test_yaml),
        cmocka_unit_test(test_dot),  cmocka_unit_test(test_vcd), cmocka_unit_test(test_uri),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
