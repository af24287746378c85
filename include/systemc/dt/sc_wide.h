/* wide_value<W, S>: a two's complement number of W bits in words of 32, signed if S, and exact arithmetic
 * on such numbers. Results are as wide as they can ever get, so nothing is lost before an assignment.
 *
 * Invariant: the bits of the top word above W are copies of bit W-1 if S, and zero otherwise. The length of a
 * result is the number of bits that it needs in the worst case. No program can rely on it: in the library of
 * Accellera it depends on the values of the operands. */
#ifndef HEDDLE_SYSTEMC_DT_SC_WIDE_H
#define HEDDLE_SYSTEMC_DT_SC_WIDE_H

#include "sc_common.h"

namespace sc_dt::implementation {

/* Bits 32*i.. of a << n, where words outside a are 0 below and `fill` above. */
template <int N> inline sc_digit word_of_left_shift(const sc_digit (&a)[N], sc_digit fill, int i, int n) {
    int from = i - n / 32, bits = n % 32;
    sc_digit high = from < 0 ? 0 : from < N ? a[from] : fill;
    if (bits == 0) return high;
    sc_digit low = from - 1 < 0 ? 0 : from - 1 < N ? a[from - 1] : fill;
    return (high << bits) | (low >> (32 - bits));
}

template <int N> inline sc_digit word_of_right_shift(const sc_digit (&a)[N], sc_digit fill, int i, int n) {
    int from = i + n / 32, bits = n % 32;
    sc_digit low = from < N ? a[from] : fill;
    if (bits == 0) return low;
    sc_digit high = from + 1 < N ? a[from + 1] : fill;
    return (low >> bits) | (high << (32 - bits));
}

template <int W, bool S> struct wide_value {
    static_assert(W > 0, "a number has at least one bit");
    static constexpr int words = words_for(W);
    static constexpr int number_capacity = W;
    static constexpr bool number_signed = S, number_wide = true;

    sc_digit w[words];

    wide_value() : w{} {}

    static wide_value from64(uint64 v) {
        wide_value r;
        r.w[0] = sc_digit(v);
        if constexpr (words > 1) {
            r.w[1] = sc_digit(v >> 32);
            sc_digit fill = S && int64(v) < 0 ? ~sc_digit(0) : 0;
            for (int i = 2; i < words; i++) r.w[i] = fill;
        }
        r.normalise();
        return r;
    }

    void normalise() {
        constexpr int rest = W % 32;
        if constexpr (rest != 0) {
            if constexpr (S)
                w[words - 1] = sc_digit(std::int32_t(w[words - 1] << (32 - rest)) >> (32 - rest));
            else
                w[words - 1] &= (sc_digit(1) << rest) - 1;
        }
    }

    bool negative() const { return S && (w[words - 1] >> 31) != 0; }
    sc_digit fill() const { return negative() ? ~sc_digit(0) : 0; }
    sc_digit word(int i) const { return i < words ? w[i] : fill(); }

    uint64 low64() const { return uint64(w[0]) | uint64(word(1)) << 32; }
    const wide_value &wide() const { return *this; }
    int length() const { return W; }
    bool bit(int i) const { return (w[i / 32] >> (i % 32)) & 1; }

    bool is_zero() const {
        sc_digit any = 0;
        for (int i = 0; i < words; i++) any |= w[i];
        return any == 0;
    }

    /* The same number in V bits, or what is left of it. */
    template <int V, bool T> wide_value<V, T> resize() const {
        wide_value<V, T> r;
        for (int i = 0; i < r.words; i++) r.w[i] = word(i);
        r.normalise();
        return r;
    }

    /* The low `length` bits, as a number without sign. */
    wide_value<W, false> low_bits(int length) const {
        wide_value<W, false> r;
        for (int i = 0; i < words; i++) r.w[i] = w[i] & tail_mask(i, length);
        r.normalise();
        return r;
    }
};

/* Bits that hold any value of such a number in a number with sign. */
constexpr int signed_bits(int bits, bool is_signed) {
    return is_signed ? bits : bits + 1;
}

template <int A, bool SA, int B, bool SB> struct wide_widths {
    static constexpr bool is_signed = SA || SB;
    static constexpr int left = is_signed ? signed_bits(A, SA) : A;
    static constexpr int right = is_signed ? signed_bits(B, SB) : B;
    static constexpr int common = left > right ? left : right;
};

template <int A, bool SA, int B, bool SB>
inline auto wide_add(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    typedef wide_widths<A, SA, B, SB> widths;
    typedef wide_value<widths::common + 1, widths::is_signed> result;
    if constexpr (result::words <= 2) {
        return result::from64(a.low64() + b.low64());
    } else {
        result r;
        uint64 carry = 0;
        for (int i = 0; i < r.words; i++) {
            carry += uint64(a.word(i)) + b.word(i);
            r.w[i] = sc_digit(carry);
            carry >>= 32;
        }
        r.normalise();
        return r;
    }
}

template <int A, bool SA, int B, bool SB>
inline auto wide_sub(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    constexpr int left = signed_bits(A, SA), right = signed_bits(B, SB);
    typedef wide_value<(left > right ? left : right) + 1, true> result;
    if constexpr (result::words <= 2) {
        return result::from64(a.low64() - b.low64());
    } else {
        result r;
        uint64 carry = 1;
        for (int i = 0; i < r.words; i++) {
            carry += uint64(a.word(i)) + sc_digit(~b.word(i));
            r.w[i] = sc_digit(carry);
            carry >>= 32;
        }
        r.normalise();
        return r;
    }
}

template <int A, bool SA, int B, bool SB>
inline auto wide_mul(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    typedef wide_widths<A, SA, B, SB> widths;
    typedef wide_value<widths::left + widths::right, widths::is_signed> result;
    if constexpr (result::words <= 2) {
        return result::from64(a.low64() * b.low64());
    } else {
        /* Modulo 2^(32 * words) the product of sign-extended numbers is the signed product. */
        result r;
        for (int i = 0; i < r.words; i++) {
            uint64 carry = 0;
            sc_digit factor = a.word(i);
            for (int j = 0; i + j < r.words; j++) {
                carry += uint64(factor) * b.word(j) + r.w[i + j];
                r.w[i + j] = sc_digit(carry);
                carry >>= 32;
            }
        }
        r.normalise();
        return r;
    }
}

/* Quotient and rest of numbers without sign, by Knuth's algorithm D. The divisor is not zero. */
template <int N, int M>
inline void divide_words(const sc_digit (&dividend)[N], const sc_digit (&divisor)[M], sc_digit (&quotient)[N],
                         sc_digit (&rest)[M]) {
    int size = M;
    while (size > 1 && divisor[size - 1] == 0) size--;
    if (size == 1) {
        uint64 left = 0;
        for (int i = N - 1; i >= 0; i--) {
            left = left << 32 | dividend[i];
            quotient[i] = sc_digit(left / divisor[0]);
            left %= divisor[0];
        }
        for (int i = 1; i < M; i++) rest[i] = 0;
        rest[0] = sc_digit(left);
        return;
    }
    int shift = 0;
    while ((divisor[size - 1] << shift >> 31) == 0) shift++;
    sc_digit v[M], u[N + M + 1];
    for (int i = 0; i < M; i++) v[i] = word_of_left_shift(divisor, 0, i, shift);
    for (int i = 0; i < N + M + 1; i++) u[i] = word_of_left_shift(dividend, 0, i, shift);
    for (int i = 0; i < N; i++) quotient[i] = 0;
    for (int j = N - 1; j >= 0; j--) {
        uint64 top = uint64(u[j + size]) << 32 | u[j + size - 1];
        uint64 guess = top / v[size - 1], left = top % v[size - 1];
        while (guess >> 32 != 0 || guess * v[size - 2] > (left << 32 | u[j + size - 2])) {
            guess--;
            left += v[size - 1];
            if (left >> 32 != 0) break;
        }
        uint64 carry = 0;
        int64 borrow = 0;
        for (int i = 0; i < size; i++) {
            carry += guess * v[i];
            borrow += int64(u[i + j]) - int64(carry & 0xffffffffu);
            u[i + j] = sc_digit(borrow);
            borrow >>= 32;
            carry >>= 32;
        }
        borrow += int64(u[j + size]) - int64(carry);
        u[j + size] = sc_digit(borrow);
        if (borrow < 0) {
            guess--;
            carry = 0;
            for (int i = 0; i < size; i++) {
                carry += uint64(u[i + j]) + v[i];
                u[i + j] = sc_digit(carry);
                carry >>= 32;
            }
            u[j + size] += sc_digit(carry);
        }
        quotient[j] = sc_digit(guess);
    }
    for (int i = 0; i < M; i++) rest[i] = i < size ? word_of_right_shift(u, 0, i, shift) : 0;
}

/* The absolute value. */
template <int A, bool SA> inline wide_value<A, false> wide_magnitude(const wide_value<A, SA> &a) {
    wide_value<A, false> r;
    sc_digit flip = a.fill();
    uint64 carry = flip & 1;
    for (int i = 0; i < r.words; i++) {
        carry += a.w[i] ^ flip;
        r.w[i] = sc_digit(carry);
        carry >>= 32;
    }
    r.normalise();
    return r;
}

template <int V, bool T, int A>
inline wide_value<V, T> wide_with_sign(const wide_value<A, false> &a, bool minus) {
    wide_value<V, T> r;
    sc_digit flip = minus ? ~sc_digit(0) : 0;
    uint64 carry = flip & 1;
    for (int i = 0; i < r.words; i++) {
        carry += a.word(i) ^ flip;
        r.w[i] = sc_digit(carry);
        carry >>= 32;
    }
    r.normalise();
    return r;
}

template <int A, bool SA, int B, bool SB> struct wide_division {
    static constexpr bool is_signed = SA || SB;
    /* The quotient of the least number by -1 needs one bit more. */
    typedef wide_value<is_signed ? signed_bits(A, SA) + 1 : A, is_signed> quotient_type;
    typedef wide_value<is_signed ? signed_bits(A, SA) : A, is_signed> rest_type;

    wide_value<A, false> quotient;
    wide_value<B, false> rest;
    bool quotient_minus, rest_minus;

    wide_division(const wide_value<A, SA> &a, const wide_value<B, SB> &b)
        : quotient_minus(a.negative() != b.negative()), rest_minus(a.negative()) {
        if (b.is_zero()) sc_dt_violation("division by zero");
        wide_value<A, false> dividend = wide_magnitude(a);
        wide_value<B, false> divisor = wide_magnitude(b);
        if constexpr (A <= 64 && B <= 64) {
            quotient = quotient.from64(dividend.low64() / divisor.low64());
            rest = rest.from64(dividend.low64() % divisor.low64());
        } else {
            divide_words(dividend.w, divisor.w, quotient.w, rest.w);
        }
    }
};

template <int A, bool SA, int B, bool SB>
inline auto wide_div(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    typedef wide_division<A, SA, B, SB> division;
    division d(a, b);
    typedef typename division::quotient_type result;
    return wide_with_sign<result::number_capacity, division::is_signed>(d.quotient, d.quotient_minus);
}

/* The rest has the sign of the dividend, as in C++. */
template <int A, bool SA, int B, bool SB>
inline auto wide_mod(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    typedef wide_division<A, SA, B, SB> division;
    division d(a, b);
    typedef typename division::rest_type result;
    return wide_with_sign<result::number_capacity, division::is_signed>(d.rest, d.rest_minus);
}

#define SC_DT_WIDE_BITWISE(name, op)                                                                         \
    template <int A, bool SA, int B, bool SB>                                                                \
    inline auto name(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {                               \
        typedef wide_widths<A, SA, B, SB> widths;                                                            \
        wide_value<widths::common, widths::is_signed> r;                                                     \
        for (int i = 0; i < r.words; i++) r.w[i] = a.word(i) op b.word(i);                                   \
        r.normalise();                                                                                       \
        return r;                                                                                            \
    }
SC_DT_WIDE_BITWISE(wide_and, &)
SC_DT_WIDE_BITWISE(wide_or, |)
SC_DT_WIDE_BITWISE(wide_xor, ^)
#undef SC_DT_WIDE_BITWISE

/* Accellera inverts one bit more than a number without sign has; here it is the bits of the number. */
template <int A, bool SA> inline wide_value<A, SA> wide_not(const wide_value<A, SA> &a) {
    wide_value<A, SA> r;
    for (int i = 0; i < r.words; i++) r.w[i] = ~a.w[i];
    r.normalise();
    return r;
}

/* -1, 0 or 1. */
template <int A, bool SA, int B, bool SB>
inline int wide_compare(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    if (a.negative() != b.negative()) return a.negative() ? -1 : 1;
    constexpr int words = words_for(A > B ? A : B);
    if constexpr (words <= 2) {
        uint64 x = a.low64(), y = b.low64();
        return x < y ? -1 : x > y;
    } else {
        int order = 0;
        for (int i = 0; i < words; i++) {
            sc_digit x = a.word(i), y = b.word(i);
            if (x != y) order = x < y ? -1 : 1;
        }
        return order;
    }
}

template <int A, bool SA, int B, bool SB>
inline bool wide_equal(const wide_value<A, SA> &a, const wide_value<B, SB> &b) {
    constexpr int words = words_for(A > B ? A : B);
    sc_digit differ = 0;
    for (int i = 0; i < words; i++) differ |= a.word(i) ^ b.word(i);
    return differ == 0 && a.negative() == b.negative();
}

/* Shifts by nothing when the distance is negative, as the library of Accellera does. */
template <int V, bool T, int A, bool SA>
inline wide_value<V, T> wide_left_into(const wide_value<A, SA> &a, int distance) {
    wide_value<V, T> r;
    if (distance >= V) return r;
    if (distance < 0) distance = 0;
    for (int i = 0; i < r.words; i++) r.w[i] = word_of_left_shift(a.w, a.fill(), i, distance);
    r.normalise();
    return r;
}

/* The length of a left shift depends on the distance; there is room for any distance up to A + 64. */
template <int A, bool SA>
inline wide_value<2 * A + 64, SA> wide_left(const wide_value<A, SA> &a, int distance) {
    if (distance > A + 64 && !a.is_zero()) sc_dt_unsupported("left shift of a number by more than its room");
    return wide_left_into<2 * A + 64, SA>(a, distance);
}

template <int A, bool SA> inline wide_value<A, SA> wide_right(const wide_value<A, SA> &a, int distance) {
    wide_value<A, SA> r;
    if (distance < 0) distance = 0;
    if (distance > 32 * a.words) distance = 32 * a.words;
    for (int i = 0; i < r.words; i++) r.w[i] = word_of_right_shift(a.w, a.fill(), i, distance);
    r.normalise();
    return r;
}

/* Bit i becomes bit length-1-i. */
template <int A> inline wide_value<A, false> wide_reversed(const wide_value<A, false> &a, int length) {
    wide_value<A, false> r;
    for (int i = 0; i < A; i++)
        if (i < length) {
            int j = length - 1 - i;
            r.w[i / 32] |= ((a.w[j / 32] >> (j % 32)) & 1) << (i % 32);
        }
    return r;
}

template <int W, bool S> inline wide_value<W, S> wide_from_double(double v) {
    bool minus = v < 0;
    double size = minus ? -v : v;
    int shift = 0;
    while (size >= 18446744073709551616.0) {
        if (!(size < 1e308)) sc_dt_violation("a number is assigned an infinity");
        size /= 2;
        shift++;
    }
    if (size != size) sc_dt_violation("a number is assigned a NaN");
    auto bits = wide_left_into<W, false>(wide_value<64, false>::from64(uint64(size)), shift);
    return wide_with_sign<W, S>(bits, minus);
}

template <int A, bool SA> inline double wide_to_double(const wide_value<A, SA> &a) {
    wide_value<A, false> size = wide_magnitude(a);
    double v = 0;
    for (int i = size.words - 1; i >= 0; i--) v = v * 4294967296.0 + size.w[i];
    return a.negative() ? -v : v;
}

} // namespace sc_dt::implementation

#endif
