#include "base/escape.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd";

/* XML 1.0, section 2.2 */
static bool is_xml_character(uint32_t c) {
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

static void add_xml(const char *s, bool attribute, text *out) {
    while (*s) {
        uint32_t c;
        size_t length = utf8_next(s, &c);
        if (c == UTF8_INVALID || !is_xml_character(c))
            text_add(out, replacement);
        else if (c == '&')
            text_add(out, "&amp;");
        else if (c == '<')
            text_add(out, "&lt;");
        else if (c == '>')
            text_add(out, "&gt;");
        else if (c == '"')
            text_add(out, "&quot;");
        else if (c == '\r' || (attribute && (c == '\n' || c == '\t'))) /* readers change them otherwise */
            text_format(out, "&#%u;", (unsigned)c);
        else
            text_add_bytes(out, s, length);
        s += length;
    }
}

void escape_xml_text(const char *s, text *out) {
    add_xml(s, false, out);
}

void escape_xml_attribute(const char *s, text *out) {
    add_xml(s, true, out);
}

/* YAML 1.2, section 5.1: what may stand in a stream as it is. Line ends and marks are left out. */
static bool is_yaml_character(uint32_t c) {
    return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c < 0xd800 && c != 0x2028 && c != 0x2029) ||
           (c >= 0xe000 && c < 0xfffe && c != 0xfeff) || c >= 0x10000;
}

void escape_yaml(const char *s, text *out) {
    text_char(out, '"');
    while (*s) {
        uint32_t c;
        size_t length = utf8_next(s, &c);
        if (c == UTF8_INVALID)
            text_add(out, replacement);
        else if (c == '"' || c == '\\')
            text_format(out, "\\%c", (char)c);
        else if (c == '\n')
            text_add(out, "\\n");
        else if (is_yaml_character(c))
            text_add_bytes(out, s, length);
        else
            text_format(out, "\\u%04x", (unsigned)c);
        s += length;
    }
    text_char(out, '"');
}

void escape_dot(const char *s, text *out) {
    text_char(out, '"');
    const char *begin = s;
    while (*s) {
        uint32_t c;
        size_t length = utf8_next(s, &c);
        if (c == UTF8_INVALID)
            text_add(out, replacement);
        else if (c == '"' || c == '\\')
            text_format(out, "\\%c", (char)c);
        else if (c == '\n')
            text_add(out, "\\l");
        else if (c < 0x20 || c == 0x7f)
            text_char(out, ' ');
        else
            text_add_bytes(out, s, length);
        s += length;
    }
    if (strchr(begin, '\n') && s[-1] != '\n') text_add(out, "\\l");
    text_char(out, '"');
}

void escape_vcd(const char *s, text *out) {
    if (!*s) text_char(out, '_');
    for (; *s; s++) text_char(out, isgraph((unsigned char)*s) && *s != '$' ? *s : '_');
}

void escape_uri(const char *s, text *out) {
    static const char plain[] = "-._~/!()*,;=@";
    if (*s == '/') text_add(out, "file://");
    for (; *s; s++)
        if (isalnum((unsigned char)*s) || strchr(plain, *s))
            text_char(out, *s);
        else
            text_format(out, "%%%02X", (unsigned char)*s);
}
