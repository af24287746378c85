/* Numbers as text: literals ("0b101", "0xFF", "-12", "0osm17", "0csd10-") and the representations of
 * to_string. Text is built in an array on the stack; std::string and std::ostream only receive it. */
#ifndef HEDDLE_SYSTEMC_DT_SC_TEXT_H
#define HEDDLE_SYSTEMC_DT_SC_TEXT_H

#include "sc_wide.h"

#include <ostream>
#include <string>

namespace sc_dt::implementation {

inline const char *to_string(sc_numrep numrep) {
    switch (numrep) {
    case SC_BIN: return "SC_BIN";
    case SC_OCT: return "SC_OCT";
    case SC_DEC: return "SC_DEC";
    case SC_HEX: return "SC_HEX";
    case SC_BIN_US: return "SC_BIN_US";
    case SC_BIN_SM: return "SC_BIN_SM";
    case SC_OCT_US: return "SC_OCT_US";
    case SC_OCT_SM: return "SC_OCT_SM";
    case SC_HEX_US: return "SC_HEX_US";
    case SC_HEX_SM: return "SC_HEX_SM";
    case SC_CSD: return "SC_CSD";
    default: return "unknown";
    }
}

inline std::ostream &operator<<(std::ostream &os, sc_numrep numrep) {
    return os << to_string(numrep);
}

constexpr bool numrep_has_no_sign(sc_numrep n) {
    return n == SC_BIN_US || n == SC_OCT_US || n == SC_HEX_US;
}
constexpr bool numrep_has_minus(sc_numrep n) {
    return n == SC_BIN_SM || n == SC_OCT_SM || n == SC_HEX_SM;
}

constexpr int numrep_base(sc_numrep n) {
    return n == SC_OCT || n == SC_OCT_US || n == SC_OCT_SM   ? 8
           : n == SC_HEX || n == SC_HEX_US || n == SC_HEX_SM ? 16
           : n == SC_DEC                                     ? 10
                                                             : 2;
}

inline const char *numrep_prefix(sc_numrep n) {
    switch (n) {
    case SC_BIN: return "0b";
    case SC_OCT: return "0o";
    case SC_DEC: return "0d";
    case SC_HEX: return "0x";
    case SC_BIN_US: return "0bus";
    case SC_BIN_SM: return "0bsm";
    case SC_OCT_US: return "0ous";
    case SC_OCT_SM: return "0osm";
    case SC_HEX_US: return "0xus";
    case SC_HEX_SM: return "0xsm";
    case SC_CSD: return "0csd";
    default: return "";
    }
}

inline char lower_case(char c) {
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

/* The value of a digit, or -1. */
inline int digit_value(char c) {
    c = lower_case(c);
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the prefix of a literal after its sign; SC_NOBASE if it has none. */
inline sc_numrep literal_prefix(const char *&s) {
    if (s[0] != '0') return SC_NOBASE;
    char kind = lower_case(s[1]);
    if (kind == 'd') {
        s += 2;
        return SC_DEC;
    }
    if (kind == 'c' && lower_case(s[2]) == 's' && lower_case(s[3]) == 'd') {
        s += 4;
        return SC_CSD;
    }
    if (kind != 'b' && kind != 'o' && kind != 'x') return SC_NOBASE;
    bool no_sign = lower_case(s[2]) == 'u' && lower_case(s[3]) == 's';
    bool minus = lower_case(s[2]) == 's' && lower_case(s[3]) == 'm';
    s += no_sign || minus ? 4 : 2;
    if (kind == 'b') return no_sign ? SC_BIN_US : minus ? SC_BIN_SM : SC_BIN;
    if (kind == 'o') return no_sign ? SC_OCT_US : minus ? SC_OCT_SM : SC_OCT;
    return no_sign ? SC_HEX_US : minus ? SC_HEX_SM : SC_HEX;
}

inline bool literal_has_prefix(const char *s) {
    if (*s == '-' || *s == '+') s++;
    return literal_prefix(s) != SC_NOBASE;
}

/* The literal as a number of W bits. */
template <int W, bool S> inline wide_value<W, S> wide_from_text(const char *s) {
    if (s == nullptr) sc_dt_violation("a number is assigned a null string");
    bool sign = *s == '-' || *s == '+', minus = *s == '-';
    if (sign) s++;
    sc_numrep numrep = literal_prefix(s);
    if (numrep == SC_NOBASE) numrep = SC_DEC;
    if (sign && numrep != SC_DEC && !numrep_has_minus(numrep))
        sc_dt_violation("a sign before a literal in two's complement");
    int base = numrep_base(numrep);
    if (*s == 0) sc_dt_violation("a literal without digits");
    wide_value<W, true> r;
    /* The first digit of a literal in two's complement holds the sign. */
    if ((numrep == SC_BIN || numrep == SC_OCT || numrep == SC_HEX) && digit_value(*s) >= base / 2)
        for (int i = 0; i < r.words; i++) r.w[i] = ~sc_digit(0);
    for (; *s != 0; s++) {
        int digit = numrep == SC_CSD && *s == '-' ? -1 : digit_value(*s);
        if (digit >= base || (digit < 0 && !(numrep == SC_CSD && *s == '-')))
            sc_dt_violation("a malformed literal");
        uint64 carry = digit < 0 ? 0 : uint64(digit);
        for (int i = 0; i < r.words; i++) {
            carry += uint64(r.w[i]) * unsigned(base);
            r.w[i] = sc_digit(carry);
            carry >>= 32;
        }
        if (digit < 0) r = wide_add(r, wide_value<2, true>::from64(~uint64(0))).template resize<W, true>();
    }
    r.normalise();
    return wide_with_sign<W, S>(r.template resize<W, false>(), minus);
}

/* Text that grows from its end to its front. */
template <int N> struct text_buffer {
    char text[N];
    int at = N - 1;

    text_buffer() { text[at] = 0; }
    void push(char c) {
        if (at == 0) sc_dt_unsupported("a number too long for a string");
        text[--at] = c;
    }
    void push(const char *s) {
        int n = 0;
        while (s[n] != 0) n++;
        while (n > 0) push(s[--n]);
    }
    const char *get() const { return text + at; }
};

inline char digit_character(unsigned d) {
    return char(d < 10 ? '0' + d : 'a' + (d - 10));
}

template <int W, int N> inline void push_decimal(text_buffer<N> &out, wide_value<W, false> v) {
    do {
        uint64 left = 0;
        for (int i = v.words - 1; i >= 0; i--) {
            left = left << 32 | v.w[i];
            v.w[i] = sc_digit(left / 10);
            left %= 10;
        }
        out.push(digit_character(unsigned(left)));
    } while (!v.is_zero());
}

/* Bits from `from` of the number, sign-extended. */
template <int W, bool S> inline unsigned digit_at(const wide_value<W, S> &v, int from, int bits) {
    unsigned digit = 0;
    for (int i = 0; i < bits; i++) digit |= ((v.word((from + i) / 32) >> ((from + i) % 32)) & 1u) << i;
    return digit;
}

/* Canonical signed digits: no two neighbours are both different from 0. */
template <int W, int N> inline void push_csd(text_buffer<N> &out, const wide_value<W, true> &v, int length) {
    unsigned carry = 0;
    for (int i = 0; i < length; i++) {
        unsigned sum = digit_at(v, i, 1) + carry;
        carry = (digit_at(v, i + 1, 1) + sum) >> 1;
        out.push(sum == 2 * carry ? '0' : sum > 2 * carry ? '1' : '-');
    }
}

/* The number, of which `length` bits count, in the representation asked for. */
template <int W, bool S>
inline std::string wide_to_string(const wide_value<W, S> &v, int length, sc_numrep numrep, bool prefix) {
    text_buffer<W + 16> out;
    bool minus = false;
    if (numrep == SC_NOBASE) numrep = SC_DEC;
    if (numrep == SC_DEC) {
        push_decimal(out, wide_magnitude(v));
        minus = v.negative();
    } else if (numrep == SC_CSD) {
        push_csd(out, v.template resize<W + 1, true>(), S ? length : length + 1);
    } else if (numrep_has_no_sign(numrep) && v.negative()) {
        return std::string("negative");
    } else {
        int bits = numrep_base(numrep) == 2 ? 1 : numrep_base(numrep) == 8 ? 3 : 4;
        if (numrep_has_no_sign(numrep)) {
            length = S ? length - 1 : length;
        } else if (numrep_has_minus(numrep)) {
            minus = v.negative();
        } else {
            length = S ? length : length + 1;
        }
        auto shown = wide_with_sign<W + 1, true>(v.template resize<W + 1, false>(), minus);
        for (int i = 0; i < length; i += bits) out.push(digit_character(digit_at(shown, i, bits)));
    }
    if (prefix) out.push(numrep_prefix(numrep));
    if (minus) out.push('-');
    return std::string(out.get());
}

/* The representation that the flags of a stream ask for. */
inline sc_numrep stream_numrep(std::ostream &os) {
    std::ios_base::fmtflags base = os.flags() & std::ios_base::basefield;
    return base == std::ios_base::hex ? SC_HEX : base == std::ios_base::oct ? SC_OCT : SC_DEC;
}

inline bool stream_shows_base(std::ostream &os) {
    return (os.flags() & std::ios_base::showbase) != 0;
}

/* Any source of a number, as a number of W bits. Bits X and Z count as 1. */
template <int W, bool S, class T> inline wide_value<W, S> wide_from(const T &x) {
    if constexpr (number<T>::ok) {
        return number<T>::value(x).template resize<W, S>();
    } else if constexpr (is_vec<T>::value) {
        return x.to_wide().template resize<W, S>();
    } else if constexpr (std::is_floating_point_v<T>) {
        return wide_from_double<W, S>(double(x));
    } else if constexpr (is_readable<T>) {
        return wide_from<W, S>(x.read());
    } else {
        return wide_from_text<W, S>(x);
    }
}

/* The low 64 bits of the same. */
template <class T> inline uint64 low64_from(const T &x) {
    if constexpr (number<T>::ok) {
        return number<T>::low64(x);
    } else if constexpr (std::is_floating_point_v<T>) {
        return x < 0 ? uint64(int64(x)) : uint64(x);
    } else if constexpr (is_vec<T>::value) {
        return x.to_wide().low64();
    } else if constexpr (is_readable<T>) {
        return low64_from(x.read());
    } else {
        return wide_from_text<64, true>(x).low64();
    }
}

/* What every wide number can be asked. D has length() and wide(). */
template <class D> struct number_reader {
    const D &self() const { return static_cast<const D &>(*this); }

    int to_int() const { return int(self().low64()); }
    unsigned to_uint() const { return unsigned(self().low64()); }
    long to_long() const { return long(self().low64()); }
    unsigned long to_ulong() const { return (unsigned long)(self().low64()); }
    int64 to_int64() const { return int64(self().low64()); }
    uint64 to_uint64() const { return self().low64(); }
    double to_double() const { return wide_to_double(self().wide()); }

    const std::string to_string(sc_numrep numrep = SC_DEC) const {
        return wide_to_string(self().wide(), self().length(), numrep, numrep != SC_DEC);
    }
    const std::string to_string(sc_numrep numrep, bool prefix) const {
        return wide_to_string(self().wide(), self().length(), numrep, prefix);
    }
    void print(std::ostream &os) const {
#ifdef HEDDLE_STREAMS_H
        if (os.heddle_is_shown()) {
            auto v = self().wide();
            __heddle_print(heddle_print::WIDE, v.w, v.words, self().length(), v.number_signed);
        }
        if (!os.heddle_is_read()) return;
#endif
        os << to_string(stream_numrep(os), stream_shows_base(os));
    }

    bool and_reduce() const {
        auto v = self().wide();
        bool all = true;
        for (int i = 0; i < v.words; i++) all = all && (~v.w[i] & tail_mask(i, self().length())) == 0;
        return all;
    }
    bool or_reduce() const {
        return !self().wide().is_zero();
    }
    bool xor_reduce() const {
        auto v = self().wide();
        sc_digit all = 0;
        for (int i = 0; i < v.words; i++) all ^= v.w[i] & tail_mask(i, self().length());
        all ^= all >> 16;
        all ^= all >> 8;
        all ^= all >> 4;
        all ^= all >> 2;
        all ^= all >> 1;
        return all & 1;
    }
    bool nand_reduce() const {
        return !and_reduce();
    }
    bool nor_reduce() const {
        return !or_reduce();
    }
    bool xnor_reduce() const {
        return !xor_reduce();
    }

    friend std::ostream &operator<<(std::ostream &os, const number_reader &x) {
        x.print(os);
        return os;
    }
};

} // namespace sc_dt::implementation

#endif
