/* Numbers of any length: sc_bigint<W> and sc_biguint<W>, whose words are sized when compiling, and
 * sc_signed and sc_unsigned, whose length is set at run time within SC_DT_MAX_NBITS bits. All four share
 * exact arithmetic, with each other, with built-in integers and with sc_int and sc_uint.
 *
 * The result of an operator is a wide_number, which stands where IEEE 1666 has an sc_signed or sc_unsigned.
 * Where the library of Accellera keeps the length of the operand and overflows (-x and x / -1 for the least
 * x, ~x one bit too long), results here are exact. A reversed part select, x.range(0, 3), reverses the bits
 * also when it is assigned to, which Accellera does for vectors but not for numbers. */
#ifndef HEDDLE_SYSTEMC_DT_SC_BIGINT_H
#define HEDDLE_SYSTEMC_DT_SC_BIGINT_H

#include "sc_int.h"

namespace sc_dt::implementation {

/* x.range(left, right) of a wide number: a number without sign, reversed if left < right. */
template <class X> struct wide_part : number_reader<wide_part<X>> {
    static constexpr bool is_select = true;
    static constexpr int number_capacity = X::number_capacity;
    static constexpr bool number_signed = false, number_wide = true;

    X &object;
    int left, right;

    wide_part(X &x, int l, int r) : object(x), left(l), right(r) {
        if (l < 0 || r < 0 || l >= x.length() || r >= x.length()) sc_dt_violation("part select out of range");
    }
    wide_part(const wide_part &) = default;

    bool reversed() const { return left < right; }
    int lowest() const { return reversed() ? left : right; }
    int length() const { return (reversed() ? right - left : left - right) + 1; }
    wide_value<number_capacity, false> wide() const {
        auto bits = wide_right(object.wide(), lowest()).low_bits(length());
        return reversed() ? wide_reversed(bits, length()) : bits;
    }
    uint64 low64() const { return wide().low64(); }

    template <int N, bool S> void put_wide(const wide_value<N, S> &v) {
        constexpr int W = number_capacity;
        auto bits = v.template resize<W, false>().low_bits(length());
        if (reversed()) bits = wide_reversed(bits, length());
        auto ones = wide_value<W, true>::from64(~uint64(0)).low_bits(length());
        auto mask = wide_left_into<W, false>(ones, lowest());
        auto kept = wide_and(object.wide().template resize<W, false>(), wide_not(mask));
        object.put_wide(wide_or(kept, wide_left_into<W, false>(bits, lowest())));
    }
    void put64(uint64 v) { put_wide(wide_value<64, false>::from64(v)); }
    wide_part &operator=(const wide_part &v) {
        put_wide(v.wide());
        return *this;
    }
    template <class T, if_any_source<T> = 0> wide_part &operator=(const T &v) {
        put_wide(wide_from<number_capacity, false>(v));
        return *this;
    }
};

/* What wide numbers can be asked beside number_reader. D has length() and wide(). */
template <class D> struct wide_reader : number_reader<D> {
    static constexpr bool is_select = false;
    static constexpr bool number_wide = true;

    const D &me() const { return static_cast<const D &>(*this); }
    uint64 low64() const { return me().wide().low64(); }
    bool get_bit(int i) const { return me().wide().bit(i); }
    bool to_bool() const { return !me().wide().is_zero(); }
    bool iszero() const { return me().wide().is_zero(); }
    bool sign() const { return me().wide().negative(); }
    bool test(int i) const { return (*this)[i].to_bool(); }

    number_bit<const D> operator[](int i) const { return number_bit<const D>(me(), i); }
    number_bit<const D> bit(int i) const { return number_bit<const D>(me(), i); }
    wide_part<const D> range(int l, int r) const { return wide_part<const D>(me(), l, r); }
    wide_part<const D> operator()(int l, int r) const { return wide_part<const D>(me(), l, r); }
};

/* The result of an operator. */
template <int W, bool S> struct wide_number : wide_reader<wide_number<W, S>> {
    static constexpr int number_capacity = W;
    static constexpr bool number_signed = S;

    wide_value<W, S> m_value;

    wide_number(const wide_value<W, S> &v) : m_value(v) {}
    int length() const { return W; }
    const wide_value<W, S> &wide() const { return m_value; }
};

template <int W, bool S> inline wide_number<W, S> wide_result(const wide_value<W, S> &v) {
    return v;
}

template <class A, class B>
inline constexpr bool wide_pair = number<A>::ok &&number<B>::ok && (number<A>::wide || number<B>::wide);

#define SC_DT_WIDE_OPERATOR(op, function)                                                                    \
    template <class A, class B, std::enable_if_t<wide_pair<A, B>, int> = 0>                                  \
    inline auto operator op(const A &a, const B &b) {                                                        \
        return wide_result(function(number<A>::value(a), number<B>::value(b)));                              \
    }
SC_DT_WIDE_OPERATOR(+, wide_add)
SC_DT_WIDE_OPERATOR(-, wide_sub)
SC_DT_WIDE_OPERATOR(*, wide_mul)
SC_DT_WIDE_OPERATOR(/, wide_div)
SC_DT_WIDE_OPERATOR(%, wide_mod)
SC_DT_WIDE_OPERATOR(&, wide_and)
SC_DT_WIDE_OPERATOR(|, wide_or)
SC_DT_WIDE_OPERATOR(^, wide_xor)
#undef SC_DT_WIDE_OPERATOR

#define SC_DT_WIDE_RELATION(op, condition)                                                                   \
    template <class A, class B, std::enable_if_t<wide_pair<A, B>, int> = 0>                                  \
    inline bool operator op(const A &a, const B &b) {                                                        \
        return condition;                                                                                    \
    }
SC_DT_WIDE_RELATION(==, wide_equal(number<A>::value(a), number<B>::value(b)))
SC_DT_WIDE_RELATION(!=, !wide_equal(number<A>::value(a), number<B>::value(b)))
SC_DT_WIDE_RELATION(<, wide_compare(number<A>::value(a), number<B>::value(b)) < 0)
SC_DT_WIDE_RELATION(<=, wide_compare(number<A>::value(a), number<B>::value(b)) <= 0)
SC_DT_WIDE_RELATION(>, wide_compare(number<A>::value(a), number<B>::value(b)) > 0)
SC_DT_WIDE_RELATION(>=, wide_compare(number<A>::value(a), number<B>::value(b)) >= 0)
#undef SC_DT_WIDE_RELATION

/* The distance of a shift, cut to what an int holds. */
template <class B> inline int shift_distance(const B &b) {
    uint64 n = number<B>::low64(b);
    if (number<B>::is_signed && int64(n) < 0) return -1;
    return n > 0x3fffffff ? 0x3fffffff : int(n);
}

template <class A, class B, std::enable_if_t<number<A>::wide && number<B>::ok, int> = 0>
inline auto operator<<(const A &a, const B &b) {
    return wide_result(wide_left(number<A>::value(a), shift_distance(b)));
}
template <class A, class B, std::enable_if_t<number<A>::wide && number<B>::ok, int> = 0>
inline auto operator>>(const A &a, const B &b) {
    return wide_result(wide_right(number<A>::value(a), shift_distance(b)));
}
template <class A, std::enable_if_t<number<A>::wide, int> = 0> inline auto operator+(const A &a) {
    return wide_result(number<A>::value(a));
}
template <class A, std::enable_if_t<number<A>::wide, int> = 0> inline auto operator-(const A &a) {
    return wide_result(wide_sub(wide_value<1, false>(), number<A>::value(a)));
}
template <class A, std::enable_if_t<number<A>::wide, int> = 0> inline auto operator~(const A &a) {
    return wide_result(wide_not(number<A>::value(a)));
}

/* What wide variables can do. D has, beside what wide_reader asks, put_wide and number_signed. */
template <class D> struct wide_variable : wide_reader<D> {
    D &me() { return static_cast<D &>(*this); }
    const D &me() const { return static_cast<const D &>(*this); }

    void put64(uint64 v) { me().put_wide(wide_value<64, false>::from64(v)); }
    void set_bit(int i, bool v) {
        auto bits = me().wide();
        bits.w[i / 32] = (bits.w[i / 32] & ~(sc_digit(1) << (i % 32))) | sc_digit(v) << (i % 32);
        me().put_wide(bits);
    }
    template <class T> D &put(const T &v) {
        me().put_wide(wide_from<D::number_capacity, D::number_signed>(v));
        return me();
    }

    /* Unlike those of sc_int, these conversions of a negative number do not extend its sign. */
    uint64 to_uint64() const { return this->low64() & low_mask64(me().length()); }
    unsigned to_uint() const { return unsigned(to_uint64()); }
    unsigned long to_ulong() const { return (unsigned long)(to_uint64()); }

    using wide_reader<D>::operator[];
    using wide_reader<D>::bit;
    using wide_reader<D>::range;
    using wide_reader<D>::operator();
    number_bit<D> operator[](int i) { return number_bit<D>(me(), i); }
    number_bit<D> bit(int i) { return number_bit<D>(me(), i); }
    wide_part<D> range(int l, int r) { return wide_part<D>(me(), l, r); }
    wide_part<D> operator()(int l, int r) { return wide_part<D>(me(), l, r); }
    void set(int i) { (*this)[i] = true; }
    void set(int i, bool v) { (*this)[i] = v; }
    void clear(int i) { (*this)[i] = false; }
    void invert(int i) { (*this)[i] ^= true; }
    void reverse() { me().put_wide(wide_reversed(me().wide().low_bits(me().length()), me().length())); }

    template <class T, if_any_source<T> = 0> D &operator+=(const T &v) { return put(me() + v); }
    template <class T, if_any_source<T> = 0> D &operator-=(const T &v) { return put(me() - v); }
    template <class T, if_any_source<T> = 0> D &operator*=(const T &v) { return put(me() * v); }
    template <class T, if_any_source<T> = 0> D &operator/=(const T &v) { return put(me() / v); }
    template <class T, if_any_source<T> = 0> D &operator%=(const T &v) { return put(me() % v); }
    template <class T, if_any_source<T> = 0> D &operator&=(const T &v) { return put(me() & v); }
    template <class T, if_any_source<T> = 0> D &operator|=(const T &v) { return put(me() | v); }
    template <class T, if_any_source<T> = 0> D &operator^=(const T &v) { return put(me() ^ v); }
    template <class T, if_any_source<T> = 0> D &operator<<=(const T &v) {
        typedef D d;
        me().put_wide(wide_left_into<d::number_capacity, d::number_signed>(me().wide(), shift_distance(v)));
        return me();
    }
    template <class T, if_any_source<T> = 0> D &operator>>=(const T &v) { return put(me() >> v); }
    D &operator++() { return put(me() + 1); }
    D &operator--() { return put(me() - 1); }
    const D operator++(int) {
        D old = me();
        put(me() + 1);
        return old;
    }
    const D operator--(int) {
        D old = me();
        put(me() - 1);
        return old;
    }
};

#define SC_DT_SIZED_BIG(name, with_sign)                                                                     \
    template <int W> class name : public wide_variable<name<W>> {                                            \
        wide_value<W, with_sign> m_value;                                                                    \
                                                                                                             \
      public:                                                                                                \
        static constexpr int number_capacity = W;                                                            \
        static constexpr bool number_signed = with_sign;                                                     \
        name() = default;                                                                                    \
        name(const name &) = default;                                                                        \
        template <class T, if_source<T> = 0> name(const T &v) : m_value(wide_from<W, with_sign>(v)) {}       \
        template <class T, if_readable<T> = 0>                                                               \
        explicit name(const T &v) : m_value(wide_from<W, with_sign>(v)) {}                                   \
        name &operator=(const name &) = default;                                                             \
        template <class T, if_any_source<T> = 0> name &operator=(const T &v) { return this->put(v); }        \
        int length() const { return W; }                                                                     \
        const wide_value<W, with_sign> &wide() const { return m_value; }                                     \
        template <int N, bool S> void put_wide(const wide_value<N, S> &v) {                                  \
            m_value = v.template resize<W, with_sign>();                                                     \
        }                                                                                                    \
    };
SC_DT_SIZED_BIG(sc_bigint, true)
SC_DT_SIZED_BIG(sc_biguint, false)
#undef SC_DT_SIZED_BIG

/* `length` bits of v, extended to all of the storage. */
template <int W, bool S> inline wide_value<W, S> wide_cut(const wide_value<W, S> &v, int length) {
    wide_value<W, S> r;
    bool minus = S && v.bit(length - 1);
    for (int i = 0; i < r.words; i++) {
        sc_digit mask = tail_mask(i, length);
        r.w[i] = minus ? v.w[i] | ~mask : v.w[i] & mask;
    }
    r.normalise();
    return r;
}

#define SC_DT_BIG(name, with_sign)                                                                           \
    class name : public wide_variable<name> {                                                                \
        wide_value<SC_DT_MAX_NBITS, with_sign> m_value;                                                      \
        int m_len;                                                                                           \
                                                                                                             \
      public:                                                                                                \
        static constexpr int number_capacity = SC_DT_MAX_NBITS;                                              \
        static constexpr bool number_signed = with_sign;                                                     \
        explicit name(int length = 32) : m_len(length) {                                                     \
            if (length < 1) sc_dt_violation(#name " of no bits");                                            \
            if (length > SC_DT_MAX_NBITS) sc_dt_unsupported(#name " of more than SC_DT_MAX_NBITS bits");     \
        }                                                                                                    \
        name(const name &) = default;                                                                        \
        template <class T, std::enable_if_t<std::is_class_v<T> && is_source<T>::value, int> = 0>             \
        name(const T &v) : name(room_for(v)) {                                                               \
            this->put(v);                                                                                    \
        }                                                                                                    \
        name &operator=(const name &v) { return this->put(v); }                                              \
        template <class T, if_any_source<T> = 0> name &operator=(const T &v) { return this->put(v); }        \
        int length() const { return m_len; }                                                                 \
        const wide_value<SC_DT_MAX_NBITS, with_sign> &wide() const { return m_value; }                       \
        template <int N, bool S> void put_wide(const wide_value<N, S> &v) {                                  \
            m_value = wide_cut(v.template resize<SC_DT_MAX_NBITS, with_sign>(), m_len);                      \
        }                                                                                                    \
                                                                                                             \
      private:                                                                                               \
        /* The worst case of a result may be longer than the storage; it is its value that must fit. */      \
        template <class T> static int room_for(const T &v) {                                                 \
            if constexpr (number<T>::ok) {                                                                   \
                auto all = number<T>::value(v);                                                              \
                if (!wide_equal(all, all.template resize<SC_DT_MAX_NBITS, number<T>::is_signed>()))          \
                    sc_dt_unsupported("a value of more than SC_DT_MAX_NBITS bits in " #name);                \
            }                                                                                                \
            return v.length() < SC_DT_MAX_NBITS ? v.length() : SC_DT_MAX_NBITS;                              \
        }                                                                                                    \
    };
SC_DT_BIG(sc_signed, true)
SC_DT_BIG(sc_unsigned, false)
#undef SC_DT_BIG

} // namespace sc_dt::implementation

#endif
