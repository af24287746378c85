#include "base/utf8.h"

size_t utf8_next(const char *s, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *b = (const unsigned char *)s;
    size_t length = b[0] < 0x80 ? 1 : b[0] >> 5 == 6 ? 2 : b[0] >> 4 == 14 ? 3 : b[0] >> 3 == 30 ? 4 : 0;
    *code = length == 1 ? b[0] : UTF8_INVALID;
    if (length < 2) return 1;
    uint32_t number = b[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if (b[i] >> 6 != 2) return 1; /* also stops at the final 0 */
        number = number << 6 | (b[i] & 0x3f);
    }
    if (number < least[length] || number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) return 1;
    *code = number;
    return length;
}
