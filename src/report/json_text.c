#include "report/json_text.h"

#include "base/text.h"

#include <stdint.h>

/* Length of the valid UTF-8 sequence at s, or 0. Overlong forms, surrogates and numbers above U+10FFFF are
 * invalid. */
static size_t valid_sequence(const unsigned char *s) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length < 2) return length;
    uint32_t code = s[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2) return 0; /* also stops at the final 0 */
        code = code << 6 | (s[i] & 0x3f);
    }
    return code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : length;
}

json_t *json_safe_string(const char *s) {
    json_t *as_is = json_string(s);
    if (as_is) return as_is;
    text repaired = {0};
    while (*s) {
        size_t length = valid_sequence((const unsigned char *)s);
        if (length)
            text_add_bytes(&repaired, s, length);
        else
            text_add(&repaired, "\xef\xbf\xbd");
        s += length ? length : 1;
    }
    json_t *result = json_string(text_cstr(&repaired));
    text_free(&repaired);
    return result;
}
