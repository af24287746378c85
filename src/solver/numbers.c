#include "solver/numbers.h"

static void append(number_set *set, uint64_t low, uint64_t high) {
    interval *last = set->count ? &set->part[set->count - 1] : NULL;
    if (last && last->high + 1 >= low) {
        if (high > last->high) last->high = high;
    } else if (set->count == INTERVALS) {
        set->too_many = true;
    } else {
        set->part[set->count++] = (interval){low, high};
    }
}

number_set numbers_complement(const number_set *a, uint64_t mask) {
    number_set out = {.too_many = a->too_many};
    uint64_t next = 0;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->part[i].low > next) append(&out, next, a->part[i].low - 1);
        if (a->part[i].high == mask) return out;
        next = a->part[i].high + 1;
    }
    append(&out, next, mask);
    return out;
}

number_set numbers_intersection(const number_set *a, const number_set *b) {
    number_set out = {.too_many = a->too_many || b->too_many};
    for (unsigned i = 0, k = 0; i < a->count && k < b->count;) {
        interval x = a->part[i], y = b->part[k];
        uint64_t low = x.low > y.low ? x.low : y.low, high = x.high < y.high ? x.high : y.high;
        if (low <= high) append(&out, low, high);
        if (x.high < y.high)
            i++;
        else
            k++;
    }
    return out;
}

number_set numbers_circular(uint64_t first, uint64_t length, uint64_t mask) {
    number_set out = {0};
    uint64_t last = (first + length - 1) & mask;
    if (first <= last) {
        append(&out, first, last);
    } else {
        append(&out, 0, last);
        append(&out, first, mask);
    }
    return out;
}

number_set numbers_all(uint64_t mask) {
    return (number_set){.part = {{0, mask}}, .count = 1};
}

number_set numbers_union(const number_set *a, const number_set *b, uint64_t mask) {
    number_set not_a = numbers_complement(a, mask), not_b = numbers_complement(b, mask);
    number_set neither = numbers_intersection(&not_a, &not_b);
    return numbers_complement(&neither, mask);
}

number_set numbers_moved(const number_set *set, uint64_t distance, uint64_t mask) {
    number_set low = {0}, all = {.too_many = set->too_many};
    for (unsigned i = 0; i < set->count;
         i++) { /* those that pass the greatest number come first afterwards */
        interval part = set->part[i];
        uint64_t room = mask - distance; /* the greatest number that does not pass */
        if (part.low > room)
            append(&all, (part.low + distance) & mask, (part.high + distance) & mask);
        else if (part.high > room)
            append(&all, 0, (part.high + distance) & mask);
        if (part.low <= room)
            append(&low, part.low + distance, (part.high < room ? part.high : room) + distance);
    }
    for (unsigned i = 0; i < low.count; i++) append(&all, low.part[i].low, low.part[i].high);
    return all;
}

number_set numbers_negated(const number_set *set, uint64_t mask) {
    number_set out = {.too_many = set->too_many};
    bool has_zero = set->count && !set->part[0].low;
    if (has_zero) append(&out, 0, 0);
    for (unsigned i = set->count; i-- > 0;) {
        uint64_t low = set->part[i].low ? set->part[i].low : 1;
        if (low <= set->part[i].high) append(&out, -set->part[i].high & mask, -low & mask);
    }
    return out;
}

number_set numbers_before_extension(const number_set *a, unsigned width, unsigned narrow_width,
                                    bool is_signed) {
    uint64_t mask = term_mask(width), narrow = term_mask(narrow_width), top = narrow >> 1;
    number_set low = numbers_all(is_signed ? top : narrow), out = numbers_intersection(a, &low);
    if (!is_signed) return out;
    number_set high = {.part = {{mask ^ top, mask}}, .count = 1}, negative = numbers_intersection(a, &high);
    for (unsigned i = 0; i < negative.count; i++)
        append(&out, negative.part[i].low & narrow, negative.part[i].high & narrow);
    out.too_many |= negative.too_many;
    return out;
}
