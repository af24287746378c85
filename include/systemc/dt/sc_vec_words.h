/* vec_words<N, F>: the bits of a vector of at most N bits, four-valued if F, and what vectors are made of:
 * shifts, replacement of a part, and the reading of any operand as such bits.
 *
 * Words of 32 bits of data (1 for 1 and X) and, if F, as many of control (1 for Z and X). Functions that take
 * a length leave the bits above it zero. */
#ifndef HEDDLE_SYSTEMC_DT_SC_VEC_WORDS_H
#define HEDDLE_SYSTEMC_DT_SC_VEC_WORDS_H

#include "sc_concat.h"
#include "sc_logic.h"

namespace sc_dt::implementation {

template <int N, bool F> struct vec_control {
    sc_digit c[N] = {};
    logic_words with_control(sc_digit data, int i) const { return {data, c[i]}; }
    void set_control(sc_digit v, int i) { c[i] = v; }
};
template <int N> struct vec_control<N, false> {
    logic_words with_control(sc_digit data, int) const { return {data, 0}; }
    void set_control(sc_digit, int) {}
};

/* The bits of a vector of at most N bits; four-valued if F. */
template <int N, bool F> struct vec_words : vec_control<words_for(N), F> {
    static_assert(N > 0, "a vector has at least one bit");
    static constexpr int words = words_for(N);
    static constexpr bool four = F;

    sc_digit d[words] = {};

    logic_words get(int i) const {
        if (i >= words) return {0, 0};
        return vec_control<words, F>::with_control(d[i], i);
    }
    void set(int i, logic_words v) {
        d[i] = v.data;
        this->set_control(v.control, i);
    }
    sc_logic_value_t bit(int i) const {
        logic_words v = get(i / 32);
        return sc_logic_value_t(((v.data >> (i % 32)) & 1) | ((v.control >> (i % 32)) & 1) << 1);
    }
    void set_bit(int i, sc_logic_value_t v) {
        logic_words old = get(i / 32);
        sc_digit mask = sc_digit(1) << (i % 32);
        sc_digit data = sc_digit(v & 1) << (i % 32), control_bit = sc_digit(v >> 1) << (i % 32);
        set(i / 32, {(old.data & ~mask) | data, (old.control & ~mask) | control_bit});
    }
    void set_all(sc_logic_value_t v, int length) {
        for (int i = 0; i < words; i++)
            set(i, {v & 1 ? tail_mask(i, length) : 0, v & 2 ? tail_mask(i, length) : 0});
    }
    void clean(int length) {
        for (int i = 0; i < words; i++) {
            logic_words v = get(i);
            set(i, {v.data & tail_mask(i, length), v.control & tail_mask(i, length)});
        }
    }
};

/* The first `length` bits of v in a vector of M bits. A bit X or Z that loses its control becomes its
 * data bit, as in the library of Accellera. */
template <int M, bool G, int N, bool F>
inline vec_words<M, G> vec_resize(const vec_words<N, F> &v, int length) {
    vec_words<M, G> r;
    for (int i = 0; i < r.words; i++) {
        logic_words x = v.get(i);
        if constexpr (F && !G) {
            if (x.control & tail_mask(i, length)) SC_DT_WARNING("X or Z in a vector of two values");
        }
        r.set(i, {x.data & tail_mask(i, length), x.control & tail_mask(i, length)});
    }
    return r;
}

template <int M, bool F, int N> inline vec_words<M, F> vec_left(const vec_words<N, F> &v, int n, int length) {
    vec_words<M, F> r;
    for (int i = 0; i < r.words; i++) {
        sc_digit control = 0;
        if constexpr (F) control = word_of_left_shift(v.c, 0, i, n);
        r.set(i, {word_of_left_shift(v.d, 0, i, n), control});
    }
    r.clean(length);
    return r;
}

template <int N, bool F> inline vec_words<N, F> vec_right(const vec_words<N, F> &v, int n) {
    vec_words<N, F> r;
    if (n > 32 * r.words) n = 32 * r.words;
    for (int i = 0; i < r.words; i++) {
        sc_digit control = 0;
        if constexpr (F) control = word_of_right_shift(v.c, 0, i, n);
        r.set(i, {word_of_right_shift(v.d, 0, i, n), control});
    }
    return r;
}

template <int N, bool F> inline vec_words<N, F> vec_reversed(const vec_words<N, F> &v, int length) {
    vec_words<N, F> r;
    for (int i = 0; i < N; i++)
        if (i < length) r.set_bit(i, v.bit(length - 1 - i));
    return r;
}

/* The bits of v from `low` on, `length` many, become those of `with`, all else stays. */
template <int N, bool F>
inline vec_words<N, F> vec_replaced(const vec_words<N, F> &v, const vec_words<N, F> &with, int low,
                                    int length) {
    vec_words<N, F> ones, r;
    ones.set_all(Log_1, length);
    vec_words<N, F> mask = vec_left<N>(ones, low, N), moved = vec_left<N>(with, low, N);
    for (int i = 0; i < r.words; i++) {
        logic_words old = v.get(i), put = moved.get(i);
        sc_digit m = mask.get(i).data;
        r.set(i, {(old.data & ~m) | (put.data & m), (old.control & ~m) | (put.control & m)});
    }
    return r;
}

/* What can stand beside a vector: numbers and text, and arrays of bits, bit 0 first. */
template <class T> inline constexpr bool is_bool_array = std::is_convertible_v<const T &, const bool *>;
template <class T> inline constexpr bool is_logic_array = std::is_convertible_v<const T &, const sc_logic *>;
template <class T>
inline constexpr bool is_vec_operand = is_vec<T>::value || number<T>::ok || is_text<T> ||
                                       (!std::is_class_v<T> && (is_bool_array<T> || is_logic_array<T>));

template <class T, bool V = is_vec<T>::value>
inline constexpr bool operand_four = is_text<T> || (!std::is_class_v<T> && is_logic_array<T>);
template <class T> inline constexpr bool operand_four<T, true> = T::vec_four;

/* A text without prefix names the bits. Other characters than 0, 1, X and Z are X, as in Accellera. */
template <int N> inline vec_words<N, true> vec_from_text(const char *s, int length, bool four) {
    vec_words<N, true> r;
    if (s == nullptr) sc_dt_violation("a vector is assigned a null string");
    if (literal_has_prefix(s)) {
        auto v = wide_from_text<N, false>(s);
        for (int i = 0; i < r.words; i++) r.d[i] = v.w[i];
    } else {
        int size = 0;
        while (s[size] != 0) size++;
        if (size == 0) sc_dt_violation("an empty literal of a vector");
        for (int i = 0; i < size; i++) {
            sc_logic_value_t v = logic_from_char(s[size - 1 - i]);
            if (!four && v != Log_0 && v != Log_1) sc_dt_violation("a literal of sc_bv has 0 and 1 only");
            if (i < N) r.set_bit(i, v);
        }
    }
    r.clean(length);
    return r;
}

/* The operand as a vector of `length` bits. Two-valued unless G. */
template <int N, bool G, class T> inline vec_words<N, G> vec_from(const T &x, int length) {
    if constexpr (is_vec<T>::value) {
        return vec_resize<N, G>(x.load(), length);
    } else if constexpr (number<T>::ok) {
        auto v = number<T>::value(x).template resize<N, false>();
        vec_words<N, G> r;
        for (int i = 0; i < r.words; i++) r.set(i, {v.w[i] & tail_mask(i, length), 0});
        return r;
    } else if constexpr (is_text<T>) {
        return vec_resize<N, G>(vec_from_text<N>(x, length, G), length);
    } else if constexpr (is_bool_array<T>) {
        const bool *bits = x;
        vec_words<N, G> r;
        for (int i = 0; i < N; i++)
            if (i < length) r.set_bit(i, bits[i] ? Log_1 : Log_0);
        return r;
    } else {
        const sc_logic *bits = x;
        vec_words<N, true> r;
        for (int i = 0; i < N; i++)
            if (i < length) r.set_bit(i, bits[i].value());
        return vec_resize<N, G>(r, length);
    }
}

} // namespace sc_dt::implementation

#endif
