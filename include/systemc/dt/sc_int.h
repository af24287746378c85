/* sc_int<W> and sc_uint<W>, 1 <= W <= 64: one int64 or uint64 that is kept sign- or zero-extended from bit
 * W-1. They convert to it, so their arithmetic is that of C++; an assignment cuts the result to W bits.
 * sc_int_base and sc_uint_base have their length at run time. IEEE 1666 makes them the bases of sc_int and
 * sc_uint; here these convert to them, which does for parameters by value and by constant reference. */
#ifndef HEDDLE_SYSTEMC_DT_SC_INT_H
#define HEDDLE_SYSTEMC_DT_SC_INT_H

#include "sc_text.h"

namespace sc_dt::implementation {

/* x[i]. Reads as uint64, and is one bit in a concatenation. X has length(), get_bit(i) and set_bit(i, v). */
template <class X> struct number_bit {
    static constexpr bool is_select = true;
    static constexpr int number_capacity = 1;
    static constexpr bool number_signed = false, number_wide = false;

    typename held<X>::type object;
    int index;

    number_bit(X &x, int i) : object(x), index(i) {
        if (i < 0 || i >= x.length()) sc_dt_violation("bit select out of range");
    }
    number_bit(const number_bit &) = default;

    int length() const { return 1; }
    uint64 low64() const { return object.get_bit(index); }
    auto wide() const { return wide_value<1, false>::from64(low64()); }
    operator uint64() const { return low64(); }
    uint64 value() const { return low64(); }
    bool to_bool() const { return low64() != 0; }
    bool operator!() const { return low64() == 0; }
    bool operator~() const { return low64() == 0; }
    void print(std::ostream &os) const { os << to_bool(); }
    friend std::ostream &operator<<(std::ostream &os, const number_bit &x) {
        x.print(os);
        return os;
    }

    void put64(uint64 v) { object.set_bit(index, v & 1); }
    template <int N, bool S> void put_wide(const wide_value<N, S> &v) { put64(v.w[0]); }
    const number_bit &operator=(bool v) const {
        object.set_bit(index, v);
        return *this;
    }
    const number_bit &operator=(const number_bit &v) const { return *this = v.to_bool(); }
    template <class Y> const number_bit &operator=(const number_bit<Y> &v) const {
        return *this = v.to_bool();
    }
    const number_bit &operator&=(bool v) const { return *this = to_bool() && v; }
    const number_bit &operator|=(bool v) const { return *this = to_bool() || v; }
    const number_bit &operator^=(bool v) const { return *this = to_bool() != v; }
};

/* x.range(left, right) of a number of at most 64 bits: a number without sign. */
template <class X> struct int_part : number_reader<int_part<X>> {
    static constexpr bool is_select = true;
    static constexpr int number_capacity = 64;
    static constexpr bool number_signed = false, number_wide = false;

    X &object;
    int left, right;

    int_part(X &x, int l, int r) : object(x), left(l), right(r) {
        if (r < 0 || l >= x.length() || l < r) sc_dt_violation("part select out of range");
    }
    int_part(const int_part &) = default;

    int length() const { return left - right + 1; }
    uint64 low64() const { return (object.low64() >> right) & low_mask64(length()); }
    auto wide() const { return wide_value<64, false>::from64(low64()); }
    operator uint64() const { return low64(); }
    uint64 value() const { return low64(); }

    void put64(uint64 v) {
        uint64 mask = low_mask64(length()) << right;
        object.put64((object.low64() & ~mask) | ((v << right) & mask));
    }
    template <int N, bool S> void put_wide(const wide_value<N, S> &v) { put64(v.low64()); }
    int_part &operator=(const int_part &v) {
        put64(v.low64());
        return *this;
    }
    template <class T, if_any_source<T> = 0> int_part &operator=(const T &v) {
        put64(low64_from(v));
        return *this;
    }
};

/* All of a number D of at most 64 bits but its construction. D has length() and m_val, an `integer`. */
template <class D, class integer> struct int_interface : number_reader<D> {
    static constexpr bool is_select = false;
    static constexpr bool number_signed = std::is_signed_v<integer>, number_wide = false;

    D &me() { return static_cast<D &>(*this); }
    const D &me() const { return static_cast<const D &>(*this); }

    void put64(uint64 v) {
        if constexpr (number_signed)
            me().m_val = int64(sign_extend64(v, me().length()));
        else
            me().m_val = v & low_mask64(me().length());
    }
    template <int N, bool S> void put_wide(const wide_value<N, S> &v) { put64(v.low64()); }
    uint64 low64() const { return uint64(me().m_val); }
    bool get_bit(int i) const { return (low64() >> i) & 1; }
    void set_bit(int i, bool v) { put64((low64() & ~(uint64(1) << i)) | uint64(v) << i); }

    operator integer() const { return me().m_val; }
    integer value() const { return me().m_val; }
    bool to_bool() const { return me().m_val != 0; }
    double to_double() const { return double(me().m_val); }

    number_bit<D> operator[](int i) { return number_bit<D>(me(), i); }
    number_bit<const D> operator[](int i) const { return number_bit<const D>(me(), i); }
    number_bit<D> bit(int i) { return number_bit<D>(me(), i); }
    number_bit<const D> bit(int i) const { return number_bit<const D>(me(), i); }
    int_part<D> range(int l, int r) { return int_part<D>(me(), l, r); }
    int_part<const D> range(int l, int r) const { return int_part<const D>(me(), l, r); }
    int_part<D> operator()(int l, int r) { return int_part<D>(me(), l, r); }
    int_part<const D> operator()(int l, int r) const { return int_part<const D>(me(), l, r); }
    bool test(int i) const { return (*this)[i].to_bool(); }
    void set(int i) { (*this)[i] = true; }
    void set(int i, bool v) { (*this)[i] = v; }

    D &put(uint64 v) {
        put64(v);
        return me();
    }
    template <class T, if_any_source<T> = 0> D &operator+=(const T &v) {
        return put(low64() + low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator-=(const T &v) {
        return put(low64() - low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator*=(const T &v) {
        return put(low64() * low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator/=(const T &v) {
        return put(uint64(me().m_val / integer(low64_from(v))));
    }
    template <class T, if_any_source<T> = 0> D &operator%=(const T &v) {
        return put(uint64(me().m_val % integer(low64_from(v))));
    }
    template <class T, if_any_source<T> = 0> D &operator&=(const T &v) {
        return put(low64() & low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator|=(const T &v) {
        return put(low64() | low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator^=(const T &v) {
        return put(low64() ^ low64_from(v));
    }
    template <class T, if_any_source<T> = 0> D &operator<<=(const T &v) {
        uint64 n = low64_from(v);
        return put(n < 64 ? low64() << n : 0);
    }
    template <class T, if_any_source<T> = 0> D &operator>>=(const T &v) {
        uint64 n = low64_from(v);
        return put(uint64(me().m_val >> (n < 64 ? n : 63)) & (n < 64 || number_signed ? ~uint64(0) : 0));
    }
    D &operator++() { return put(low64() + 1); }
    D &operator--() { return put(low64() - 1); }
    const D operator++(int) {
        D old = me();
        put64(low64() + 1);
        return old;
    }
    const D operator--(int) {
        D old = me();
        put64(low64() - 1);
        return old;
    }
};

#define SC_DT_SIZED_INT(name, integer)                                                                       \
    template <int W> class name : public int_interface<name<W>, integer> {                                   \
        static_assert(W >= 1 && W <= 64, #name " has 1 to 64 bits");                                         \
        friend struct int_interface<name<W>, integer>;                                                       \
        integer m_val = 0;                                                                                   \
                                                                                                             \
      public:                                                                                                \
        static constexpr int number_capacity = W;                                                            \
        name() = default;                                                                                    \
        name(const name &) = default;                                                                        \
        template <class T, if_source<T> = 0> name(const T &v) { this->put64(low64_from(v)); }                \
        template <class T, if_readable<T> = 0> explicit name(const T &v) { this->put64(low64_from(v)); }     \
        name &operator=(const name &) = default;                                                             \
        template <class T, if_any_source<T> = 0> name &operator=(const T &v) {                               \
            return this->put(low64_from(v));                                                                 \
        }                                                                                                    \
        int length() const { return W; }                                                                     \
        auto wide() const { return wide_value<W, std::is_signed_v<integer>>::from64(this->low64()); }        \
    };
SC_DT_SIZED_INT(sc_int, int64)
SC_DT_SIZED_INT(sc_uint, uint64)
#undef SC_DT_SIZED_INT

#define SC_DT_INT_BASE(name, integer)                                                                        \
    class name : public int_interface<name, integer> {                                                       \
        friend struct int_interface<name, integer>;                                                          \
        integer m_val = 0;                                                                                   \
        int m_len;                                                                                           \
                                                                                                             \
      public:                                                                                                \
        static constexpr int number_capacity = 64;                                                           \
        explicit name(int length = 32) : m_len(length) {                                                     \
            if (length < 1 || length > 64) sc_dt_violation(#name " has 1 to 64 bits");                       \
        }                                                                                                    \
        name(integer v, int length) : name(length) { this->put64(uint64(v)); }                               \
        name(const name &) = default;                                                                        \
        template <class T, std::enable_if_t<std::is_class_v<T> && is_source<T>::value, int> = 0>             \
        name(const T &v) : name(int(v.length())) {                                                           \
            this->put64(low64_from(v));                                                                      \
        }                                                                                                    \
        name &operator=(const name &v) { return this->put(v.low64()); }                                      \
        template <class T, if_any_source<T> = 0> name &operator=(const T &v) {                               \
            return this->put(low64_from(v));                                                                 \
        }                                                                                                    \
        int length() const { return m_len; }                                                                 \
        auto wide() const { return wide_value<64, std::is_signed_v<integer>>::from64(this->low64()); }       \
    };
SC_DT_INT_BASE(sc_int_base, int64)
SC_DT_INT_BASE(sc_uint_base, uint64)
#undef SC_DT_INT_BASE

} // namespace sc_dt::implementation

#endif
