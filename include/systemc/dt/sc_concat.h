/* Concatenation of numbers, (a, b) and concat(a, b): a number without sign, and a variable if all its parts
 * are. Parts are variables, bit and part selects, other concatenations, and bool. The length of the result of
 * an operator can not be relied on (sc_wide.h), so such a result is refused when compiling; so is a mixture
 * of numbers and vectors, for which C++ would otherwise take its own comma. */
#ifndef HEDDLE_SYSTEMC_DT_SC_CONCAT_H
#define HEDDLE_SYSTEMC_DT_SC_CONCAT_H

#include "sc_bigint.h"

namespace sc_dt::implementation {

/* A bool in a concatenation. */
struct concat_bool {
    static constexpr bool is_select = true;
    static constexpr int number_capacity = 1;
    static constexpr bool number_signed = false, number_wide = false;
    bool m_value;
    int length() const { return 1; }
    uint64 low64() const { return m_value; }
    auto wide() const { return wide_value<1, false>::from64(m_value); }
};

/* L and R are the types that hold the parts: a reference to a variable, or a value. */
template <class L, class R> struct number_concat : number_reader<number_concat<L, R>> {
    typedef plain_type<L> left_type;
    typedef plain_type<R> right_type;
    static constexpr bool is_select = true;
    static constexpr int number_capacity = left_type::number_capacity + right_type::number_capacity;
    static constexpr bool number_signed = false, number_wide = true;

    L left;
    R right;

    template <class A, class B>
    number_concat(A &&l, B &&r) : left(std::forward<A>(l)), right(std::forward<B>(r)) {}
    number_concat(const number_concat &) = default;

    int length() const { return left.length() + right.length(); }
    wide_value<number_capacity, false> wide() const {
        constexpr int W = number_capacity;
        if constexpr (W <= 64) {
            int low = right.length();
            return wide_value<W, false>::from64((left.low64() & low_mask64(left.length())) << low |
                                                (right.low64() & low_mask64(low)));
        } else {
            auto high = left.wide().low_bits(left.length());
            auto low = right.wide().low_bits(right.length());
            return wide_or(wide_left_into<W, false>(high, right.length()), low).template resize<W, false>();
        }
    }
    uint64 low64() const { return wide().low64(); }
    operator uint64() const { return low64(); }
    wide_number<number_capacity, false> value() const { return wide(); }

    void put64(uint64 v) { put_wide(wide_value<64, false>::from64(v)); }
    template <int N, bool S> void put_wide(const wide_value<N, S> &v) {
        if constexpr (number_capacity <= 64) {
            uint64 bits = v.low64();
            right.put64(bits);
            left.put64(bits >> right.length());
        } else {
            auto bits = v.template resize<number_capacity, S>();
            right.put_wide(bits);
            left.put_wide(wide_right(bits, right.length()));
        }
    }
    number_concat &operator=(const number_concat &v) {
        put_wide(v.wide());
        return *this;
    }
    template <class T, if_any_source<T> = 0> number_concat &operator=(const T &v) {
        put_wide(wide_from<number_capacity, false>(v));
        return *this;
    }
};

template <class T> struct is_wide_result : std::false_type {};
template <int W, bool S> struct is_wide_result<wide_number<W, S>> : std::true_type {};

template <class T>
inline constexpr bool is_concat_number = std::is_class_v<T> &&number<T>::ok && !is_wide_result<T>::value;

/* How A, an argument as deduced for a forwarding reference, is held. */
template <class A, class = void> struct concat_part {
    typedef plain_type<A> plain;
    typedef std::conditional_t<std::is_lvalue_reference_v<A> && !plain::is_select, A, plain> type;
    template <class B> static B &&pass(B &&b) { return static_cast<B &&>(b); }
};
template <class A> struct concat_part<A, std::enable_if_t<std::is_arithmetic_v<plain_type<A>>>> {
    typedef concat_bool type;
    static concat_bool pass(const plain_type<A> &b) { return concat_bool{b != 0}; }
};
template <class A> struct concat_part<A, std::enable_if_t<is_readable<plain_type<A>>>> {
    typedef typename read_type<plain_type<A>>::type type;
    static type pass(const plain_type<A> &b) { return b.read(); }
};

template <class A> inline constexpr bool is_arithmetic_part = std::is_arithmetic_v<plain_type<A>>;
template <class A> inline constexpr bool is_number_part = is_concat_number<plain_type<A>>;

template <class A, class B>
inline constexpr bool number_concat_pair = (is_number_part<A> &&
                                            (is_number_part<B> || is_arithmetic_part<B>)) ||
                                           (is_arithmetic_part<A> && is_number_part<B>);

template <class A, class B, std::enable_if_t<number_concat_pair<A, B>, int> = 0>
inline auto concat(A &&a, B &&b) {
    typedef concat_part<A> left;
    typedef concat_part<B> right;
    return number_concat<typename left::type, typename right::type>(left::pass(std::forward<A>(a)),
                                                                    right::pass(std::forward<B>(b)));
}

template <class A, class B, std::enable_if_t<number_concat_pair<A, B>, int> = 0>
inline auto operator,(A &&a, B &&b) {
    return concat(std::forward<A>(a), std::forward<B>(b));
}

template <class A, class B>
inline constexpr bool refused_concat_pair = (is_wide_result<plain_type<A>>::value &&
                                             (number<plain_type<B>>::ok || is_vec<plain_type<B>>::value)) ||
                                            (is_wide_result<plain_type<B>>::value &&
                                             (number<plain_type<A>>::ok || is_vec<plain_type<A>>::value)) ||
                                            (is_vec<plain_type<A>>::value && is_number_part<B>) ||
                                            (is_number_part<A> && is_vec<plain_type<B>>::value);

template <class A, class B, std::enable_if_t<refused_concat_pair<A, B>, int> = 0>
void operator,(A &&, B &&) = delete;
template <class A, class B, std::enable_if_t<refused_concat_pair<A, B>, int> = 0>
void concat(A &&, B &&) = delete;

/* The reductions are functions too. */
#define SC_DT_REDUCTION(name)                                                                                \
    template <class L, class R> inline bool name(const number_concat<L, R> &x) {                             \
        return x.name();                                                                                     \
    }
SC_DT_REDUCTION(and_reduce)
SC_DT_REDUCTION(nand_reduce)
SC_DT_REDUCTION(or_reduce)
SC_DT_REDUCTION(nor_reduce)
SC_DT_REDUCTION(xor_reduce)
SC_DT_REDUCTION(xnor_reduce)
#undef SC_DT_REDUCTION

} // namespace sc_dt::implementation

#endif
