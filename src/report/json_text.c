#include "report/json_text.h"

#include "base/text.h"
#include "base/utf8.h"

json_t *json_safe_string(const char *s) {
    json_t *as_is = json_string(s);
    if (as_is) return as_is;
    text repaired = {0};
    while (*s) {
        uint32_t code;
        size_t length = utf8_next(s, &code);
        if (code == UTF8_INVALID)
            text_add(&repaired, "\xef\xbf\xbd");
        else
            text_add_bytes(&repaired, s, length);
        s += length;
    }
    json_t *result = json_string(text_cstr(&repaired));
    text_free(&repaired);
    return result;
}
