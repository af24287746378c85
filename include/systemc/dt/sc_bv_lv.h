/* sc_bv<W>, a vector of bits 0 and 1, and sc_lv<W>, one of bits 0, 1, Z and X, with their operators and
 * concatenations. sc_bv_base and sc_lv_base have their length at run time, within SC_DT_MAX_NBITS bits;
 * IEEE 1666 makes them the bases of sc_bv and sc_lv, here these convert to them.
 *
 * An operator works on the length of its left vector, to which the other operand is cut or extended. Two
 * vectors of different lengths are never equal. */
#ifndef HEDDLE_SYSTEMC_DT_SC_BV_LV_H
#define HEDDLE_SYSTEMC_DT_SC_BV_LV_H

#include "sc_vector.h"

namespace sc_dt::implementation {

template <class T> using if_vec_operand = std::enable_if_t<is_vec_operand<T>, int>;

/* Storage and assignment of vectors with a length known when compiling. */
template <class D, int W, bool F> struct vec_storage : vec_variable<D> {
    static constexpr bool is_select = false, vec_four = F;
    static constexpr int vec_capacity = W;

    int length() const { return W; }
    const vec_words<W, F> &load() const { return m_words; }
    template <int N, bool G> void store(const vec_words<N, G> &v) { m_words = vec_resize<W, F>(v, W); }

  protected:
    vec_words<W, F> m_words;
};

template <int W> class sc_bv : public vec_storage<sc_bv<W>, W, false> {
  public:
    sc_bv() = default;
    sc_bv(const sc_bv &) = default;
    explicit sc_bv(bool v) { this->m_words.set_all(v ? Log_1 : Log_0, W); }
    explicit sc_bv(char v) { this->m_words.set_all(v != '0' ? Log_1 : Log_0, W); }
    template <class T, if_vec_operand<T> = 0> sc_bv(const T &v) { this->put(v); }
    sc_bv &operator=(const sc_bv &) = default;
    template <class T, if_vec_operand<T> = 0> sc_bv &operator=(const T &v) { return this->put(v); }
};

template <int W> class sc_lv : public vec_storage<sc_lv<W>, W, true> {
  public:
    sc_lv() { this->m_words.set_all(Log_X, W); }
    sc_lv(const sc_lv &) = default;
    explicit sc_lv(const sc_logic &v) { this->m_words.set_all(v.value(), W); }
    explicit sc_lv(sc_logic_value_t v) { this->m_words.set_all(v, W); }
    explicit sc_lv(bool v) { this->m_words.set_all(v ? Log_1 : Log_0, W); }
    explicit sc_lv(char v) { this->m_words.set_all(logic_from_char(v), W); }
    template <class T, if_vec_operand<T> = 0> sc_lv(const T &v) { this->put(v); }
    sc_lv &operator=(const sc_lv &) = default;
    template <class T, if_vec_operand<T> = 0> sc_lv &operator=(const T &v) { return this->put(v); }
};

/* Bits that the literal of a vector has by itself. */
inline int literal_length(const char *s) {
    if (literal_has_prefix(s)) sc_dt_unsupported("a literal with a prefix where its length matters");
    int n = 0;
    while (s[n] != 0) n++;
    return n;
}

#define SC_DT_VEC_BASE(name, is_four, value_type)                                                            \
    class name : public vec_variable<name> {                                                                 \
        vec_words<SC_DT_MAX_NBITS, is_four> m_words;                                                         \
        int m_len;                                                                                           \
                                                                                                             \
      public:                                                                                                \
        static constexpr bool is_select = false, vec_four = is_four;                                         \
        static constexpr int vec_capacity = SC_DT_MAX_NBITS;                                                 \
        explicit name(int length = 32) : m_len(length) {                                                     \
            if (length < 1) sc_dt_violation(#name " of no bits");                                            \
            if (length > SC_DT_MAX_NBITS) sc_dt_unsupported(#name " of more than SC_DT_MAX_NBITS bits");     \
            m_words.set_all(is_four ? Log_X : Log_0, length);                                                \
        }                                                                                                    \
        explicit name(value_type v, int length = 32) : name(length) {                                        \
            m_words.set_all(sc_logic(v).value(), length);                                                    \
        }                                                                                                    \
        name(const char *v) : name(literal_length(v)) { this->put(v); }                                      \
        name(const char *v, int length) : name(length) { this->put(v); }                                     \
        name(const name &) = default;                                                                        \
        template <class T, std::enable_if_t<is_vec<T>::value, int> = 0>                                      \
        name(const T &v) : name(v.length()) {                                                                \
            this->put(v);                                                                                    \
        }                                                                                                    \
        name &operator=(const name &v) { return this->put(v); }                                              \
        template <class T, if_vec_operand<T> = 0> name &operator=(const T &v) { return this->put(v); }       \
        int length() const { return m_len; }                                                                 \
        const vec_words<SC_DT_MAX_NBITS, is_four> &load() const { return m_words; }                          \
        template <int N, bool G> void store(const vec_words<N, G> &v) {                                      \
            m_words = vec_resize<SC_DT_MAX_NBITS, is_four>(v, m_len);                                        \
        }                                                                                                    \
    };
SC_DT_VEC_BASE(sc_bv_base, false, bool)
SC_DT_VEC_BASE(sc_lv_base, true, const sc_logic &)
#undef SC_DT_VEC_BASE

template <int N, bool F> inline vec_result<N, F> result_of(const vec_words<N, F> &v, int length) {
    return vec_result<N, F>(v, length);
}

#define SC_DT_VEC_OPERATOR(op, function)                                                                     \
    template <class A, class B, std::enable_if_t<is_vec<A>::value && is_vec_operand<B>, int> = 0>            \
    inline auto operator op(const A &a, const B &b) {                                                        \
        return result_of(function(a.load(), vec_from<A::vec_capacity, operand_four<B>>(b, a.length())),      \
                         a.length());                                                                        \
    }                                                                                                        \
    template <class A, class B,                                                                              \
              std::enable_if_t<!is_vec<A>::value && is_vec_operand<A> && is_vec<B>::value, int> = 0>         \
    inline auto operator op(const A &a, const B &b) {                                                        \
        return b op a;                                                                                       \
    }
SC_DT_VEC_OPERATOR(&, vec_and)
SC_DT_VEC_OPERATOR(|, vec_or)
SC_DT_VEC_OPERATOR(^, vec_xor)
#undef SC_DT_VEC_OPERATOR

template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto operator~(const A &a) {
    return result_of(vec_not(a.load(), a.length()), a.length());
}

/* A left shift makes the vector longer by the distance. */
template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto operator<<(const A &a, int n) {
    constexpr int room = 2 * A::vec_capacity + 64;
    if (checked_distance(n) > A::vec_capacity + 64)
        sc_dt_unsupported("left shift of a vector by more than its room");
    int length = a.length() + n;
    return result_of(vec_left<room>(a.load(), n, length), length);
}
template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto operator>>(const A &a, int n) {
    return result_of(vec_right(a.load(), checked_distance(n)), a.length());
}
template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto lrotate(const A &a, int n) {
    return result_of(a.load(), a.length()).lrotate(n);
}
template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto rrotate(const A &a, int n) {
    return result_of(a.load(), a.length()).rrotate(n);
}
template <class A, std::enable_if_t<is_vec<A>::value, int> = 0> inline auto reverse(const A &a) {
    return result_of(a.load(), a.length()).reverse();
}

template <int N, bool F, int M, bool G>
inline bool vec_equal(const vec_words<N, F> &a, const vec_words<M, G> &b) {
    sc_digit differ = 0;
    for (int i = 0; i < words_for(N > M ? N : M); i++) {
        logic_words x = a.get(i), y = b.get(i);
        differ |= (x.data ^ y.data) | (x.control ^ y.control);
    }
    return differ == 0;
}

template <class A, class B, std::enable_if_t<is_vec<A>::value && is_vec_operand<B>, int> = 0>
inline bool operator==(const A &a, const B &b) {
    if constexpr (is_vec<B>::value)
        return a.length() == b.length() && vec_equal(a.load(), b.load());
    else
        return vec_equal(a.load(), vec_from<A::vec_capacity, operand_four<B>>(b, a.length()));
}
template <class A, class B,
          std::enable_if_t<!is_vec<A>::value && is_vec_operand<A> && is_vec<B>::value, int> = 0>
inline bool operator==(const A &a, const B &b) {
    return b == a;
}
template <class A, class B,
          std::enable_if_t<(is_vec<A>::value && is_vec_operand<B>) || (is_vec_operand<A> && is_vec<B>::value),
                           int> = 0>
inline bool operator!=(const A &a, const B &b) {
    return !(a == b);
}

/* Parts of a concatenation of vectors. */
template <class T, class = void> struct is_vec_bit : std::false_type {};
template <class T> struct is_vec_bit<T, std::enable_if_t<T::vec_bit>> : std::true_type {};

template <class A>
inline constexpr bool is_vec_part = is_vec<plain_type<A>>::value || is_vec_bit<plain_type<A>>::value;
template <class A>
inline constexpr bool is_vec_constant =
    std::is_same_v<plain_type<A>, sc_logic> || std::is_same_v<plain_type<A>, bool> || is_text<plain_type<A>>;

template <class A, class = void> struct vec_concat_part {
    typedef typename concat_part<A>::type type;
    template <class B> static B &&pass(B &&b) { return static_cast<B &&>(b); }
};
template <class A> struct vec_concat_part<A, std::enable_if_t<std::is_same_v<plain_type<A>, sc_logic>>> {
    typedef vec_result<1, true> type;
    static type pass(const sc_logic &b) {
        vec_words<1, true> r;
        r.set_bit(0, b.value());
        return type(r, 1);
    }
};
template <class A> struct vec_concat_part<A, std::enable_if_t<std::is_same_v<plain_type<A>, bool>>> {
    typedef vec_result<1, false> type;
    static type pass(bool b) {
        vec_words<1, false> r;
        r.d[0] = b;
        return type(r, 1);
    }
};
template <class A> struct vec_concat_part<A, std::enable_if_t<is_text<plain_type<A>>>> {
    typedef plain_type<A> text;
    static constexpr int capacity = std::is_array_v<text> ? int(sizeof(text)) : SC_DT_MAX_NBITS;
    typedef vec_result<capacity, true> type;
    static type pass(const char *s) {
        int length = literal_length(s);
        if (length > capacity) sc_dt_unsupported("a literal of more than SC_DT_MAX_NBITS bits");
        return type(vec_from_text<capacity>(s, length, true), length);
    }
};

template <class A, class B>
inline constexpr bool vec_concat_pair = (is_vec_part<A> && (is_vec_part<B> || is_vec_constant<B>)) ||
                                        (is_vec_constant<A> && is_vec_part<B>);

template <class A, class B, std::enable_if_t<vec_concat_pair<A, B>, int> = 0>
inline auto concat(A &&a, B &&b) {
    typedef vec_concat_part<A> left;
    typedef vec_concat_part<B> right;
    return vec_concat<typename left::type, typename right::type>(left::pass(std::forward<A>(a)),
                                                                 right::pass(std::forward<B>(b)));
}
template <class A, class B, std::enable_if_t<vec_concat_pair<A, B>, int> = 0>
inline auto operator,(A &&a, B &&b) {
    return concat(std::forward<A>(a), std::forward<B>(b));
}

} // namespace sc_dt::implementation

#endif
