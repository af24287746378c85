/* Vectors of bits without their storage: what can be asked of every vector, what can be done to those that
 * are variables, and selects and concatenations, which are vectors themselves.
 *
 * The result of an operator is a vec_result, which stands where IEEE 1666 has an sc_lv_base; it knows whether
 * X and Z can occur in it. */
#ifndef HEDDLE_SYSTEMC_DT_SC_VECTOR_H
#define HEDDLE_SYSTEMC_DT_SC_VECTOR_H

#include "sc_vec_words.h"

namespace sc_dt::implementation {

template <class X> struct vec_part;
template <class X> struct vec_bit_select;
template <int N, bool F> struct vec_result;

/* What every vector can be asked. D has length(), load(), vec_capacity and vec_four. */
template <class D> struct vec_reader {
    static constexpr bool vec_bit = false;
    const D &me() const { return static_cast<const D &>(*this); }

    sc_logic_value_t get_bit(int i) const { return me().load().bit(i); }
    sc_digit get_word(int i) const { return me().load().get(i).data; }
    sc_digit get_cword(int i) const { return me().load().get(i).control; }
    int size() const { return words_for(me().length()); }
    bool is_01() const {
        auto v = me().load();
        sc_digit any = 0;
        for (int i = 0; i < v.words; i++) any |= v.get(i).control;
        return any == 0;
    }

    /* As a number that is assigned this vector: X and Z are 1. */
    auto to_wide() const {
        if (!is_01()) SC_DT_WARNING("X or Z in a vector that becomes a number");
        auto v = me().load();
        wide_value<D::vec_capacity, false> r;
        for (int i = 0; i < v.words; i++) r.w[i] = v.get(i).data | v.get(i).control;
        r.normalise();
        return r;
    }
    /* As a number that is asked for: the data bits. */
    uint64 data64() const {
        if (!is_01()) SC_DT_WARNING("X or Z in a vector that becomes a number");
        auto v = me().load();
        return v.get(0).data | uint64(v.get(1).data) << 32;
    }
    /* The sign is that of the top bit, which counts as set if it is X or Z. */
    int64 to_int64() const {
        int length = me().length();
        if (length >= 64) return int64(data64());
        bool minus = me().load().bit(length - 1) != Log_0;
        return int64(data64() | (minus ? ~low_mask64(length) : 0));
    }
    uint64 to_uint64() const { return data64(); }
    int to_int() const { return int(to_int64()); }
    unsigned to_uint() const { return unsigned(data64()); }
    long to_long() const { return long(to_int64()); }
    unsigned long to_ulong() const { return (unsigned long)(data64()); }

    const std::string to_string() const {
        text_buffer<D::vec_capacity + 1> out;
        auto v = me().load();
        for (int i = 0; i < me().length(); i++) out.push(sc_logic(v.bit(i)).to_char());
        return std::string(out.get());
    }
    const std::string to_string(sc_numrep numrep) const { return to_string(numrep, true); }
    const std::string to_string(sc_numrep numrep, bool prefix) const {
        if (!is_01()) sc_dt_violation("a vector with X or Z has no numeric representation");
        return wide_to_string(to_wide(), me().length(), numrep, prefix);
    }
    void print(std::ostream &os) const {
#ifdef HEDDLE_STREAMS_H
        if (os.heddle_is_shown()) {
            auto v = me().load();
            const sc_digit *control = nullptr;
            if constexpr (v.four) control = v.c;
            __heddle_print(heddle_print::LOGIC, v.d, control, me().length());
        }
        if (!os.heddle_is_read()) return;
#endif
        if (stream_numrep(os) == SC_DEC)
            os << to_string();
        else
            os << to_string(stream_numrep(os), stream_shows_base(os));
    }
    friend std::ostream &operator<<(std::ostream &os, const vec_reader &x) {
        x.print(os);
        return os;
    }

    /* The reductions of vectors of two values are bool, of the others sc_logic_value_t. */
    auto and_reduce() const {
        auto v = me().load();
        logic_words all = {~sc_digit(0), 0};
        for (int i = 0; i < v.words; i++) {
            logic_words x = v.get(i);
            all = all & logic_words{x.data | ~tail_mask(i, me().length()), x.control};
        }
        return reduced((all.zeros() != 0 ? Log_0 : all.control != 0 ? Log_X : Log_1));
    }
    auto or_reduce() const {
        auto v = me().load();
        logic_words all = {0, 0};
        for (int i = 0; i < v.words; i++) all = all | v.get(i);
        return reduced(all.ones() != 0 ? Log_1 : all.control != 0 ? Log_X : Log_0);
    }
    auto xor_reduce() const {
        return reduced(!is_01() ? Log_X : to_data().xor_reduce() ? Log_1 : Log_0);
    }
    auto nand_reduce() const {
        return inverted(and_reduce());
    }
    auto nor_reduce() const {
        return inverted(or_reduce());
    }
    auto xnor_reduce() const {
        return inverted(xor_reduce());
    }

    vec_bit_select<const D> operator[](int i) const {
        return vec_bit_select<const D>(me(), i);
    }
    vec_bit_select<const D> bit(int i) const {
        return vec_bit_select<const D>(me(), i);
    }
    vec_part<const D> range(int hi, int lo) const {
        return vec_part<const D>(me(), hi, lo);
    }
    vec_part<const D> operator()(int hi, int lo) const {
        return vec_part<const D>(me(), hi, lo);
    }

  private:
    auto to_data() const {
        auto v = me().load();
        wide_value<D::vec_capacity, false> r;
        for (int i = 0; i < v.words; i++) r.w[i] = v.d[i];
        return wide_result(r);
    }
    static auto reduced(sc_logic_value_t v) {
        if constexpr (D::vec_four)
            return v;
        else
            return v == Log_1;
    }
    static bool inverted(bool v) {
        return !v;
    }
    static sc_logic_value_t inverted(sc_logic_value_t v) {
        return sc_logic(~sc_logic(v)).value();
    }
};

inline int checked_distance(int n) {
    if (n < 0) sc_dt_violation("shift or rotation of a vector by a negative distance");
    return n;
}

#define SC_DT_VEC_COMPUTE(name, op)                                                                          \
    template <int N, bool F, bool G>                                                                         \
    inline vec_words<N, F || G> name(const vec_words<N, F> &a, const vec_words<N, G> &b) {                   \
        vec_words<N, F || G> r;                                                                              \
        for (int i = 0; i < r.words; i++) {                                                                  \
            if constexpr (F || G)                                                                            \
                r.set(i, a.get(i) op b.get(i));                                                              \
            else                                                                                             \
                r.d[i] = a.d[i] op b.d[i];                                                                   \
        }                                                                                                    \
        return r;                                                                                            \
    }
SC_DT_VEC_COMPUTE(vec_and, &)
SC_DT_VEC_COMPUTE(vec_or, |)
SC_DT_VEC_COMPUTE(vec_xor, ^)
#undef SC_DT_VEC_COMPUTE

template <int N, bool F> inline vec_words<N, F> vec_not(const vec_words<N, F> &a, int length) {
    vec_words<N, F> r;
    for (int i = 0; i < r.words; i++) {
        if constexpr (F)
            r.set(i, ~a.get(i));
        else
            r.d[i] = ~a.d[i];
    }
    r.clean(length);
    return r;
}

/* To the left by n, 0 <= n < length. */
template <int N, bool F> inline vec_words<N, F> vec_rotated(const vec_words<N, F> &v, int n, int length) {
    vec_words<N, F> high = vec_left<N>(v, n, length), low = vec_right(v, length - n), r;
    for (int i = 0; i < r.words; i++) {
        logic_words a = high.get(i), b = low.get(i);
        r.set(i, {a.data | b.data, a.control | b.control});
    }
    return r;
}

/* What vectors that are variables can do. D has, beside what vec_reader asks, store(words). */
template <class D> struct vec_variable : vec_reader<D> {
    D &me() { return static_cast<D &>(*this); }
    const D &me() const { return static_cast<const D &>(*this); }

    template <class T> D &put(const T &v) {
        typedef D d;
        me().store(vec_from<d::vec_capacity, d::vec_four>(v, me().length()));
        return me();
    }
    template <int N, bool F> D &put_words(const vec_words<N, F> &v) {
        me().store(v);
        return me();
    }
    void set_bit(int i, sc_logic_value_t v) {
        auto w = me().load();
        w.set_bit(i, v);
        me().store(w);
    }

    using vec_reader<D>::operator[];
    using vec_reader<D>::bit;
    using vec_reader<D>::range;
    using vec_reader<D>::operator();
    vec_bit_select<D> operator[](int i) { return vec_bit_select<D>(me(), i); }
    vec_bit_select<D> bit(int i) { return vec_bit_select<D>(me(), i); }
    vec_part<D> range(int hi, int lo) { return vec_part<D>(me(), hi, lo); }
    vec_part<D> operator()(int hi, int lo) { return vec_part<D>(me(), hi, lo); }

    D &b_not() { return put_words(vec_not(me().load(), me().length())); }
    D &reverse() { return put_words(vec_reversed(me().load(), me().length())); }
    D &lrotate(int n) {
        int length = me().length();
        return put_words(vec_rotated(me().load(), checked_distance(n) % length, length));
    }
    D &rrotate(int n) {
        int length = me().length();
        return put_words(vec_rotated(me().load(), (length - checked_distance(n) % length) % length, length));
    }
    D &operator<<=(int n) {
        int length = me().length();
        return put_words(vec_left<D::vec_capacity>(me().load(), sc_min(checked_distance(n), length), length));
    }
    D &operator>>=(int n) { return put_words(vec_right(me().load(), checked_distance(n))); }

    template <class T, std::enable_if_t<is_vec_operand<T>, int> = 0> D &operator&=(const T &v) {
        return put_words(vec_and(me().load(), vec_from<D::vec_capacity, operand_four<T>>(v, me().length())));
    }
    template <class T, std::enable_if_t<is_vec_operand<T>, int> = 0> D &operator|=(const T &v) {
        return put_words(vec_or(me().load(), vec_from<D::vec_capacity, operand_four<T>>(v, me().length())));
    }
    template <class T, std::enable_if_t<is_vec_operand<T>, int> = 0> D &operator^=(const T &v) {
        return put_words(vec_xor(me().load(), vec_from<D::vec_capacity, operand_four<T>>(v, me().length())));
    }
};

/* The result of an operator on vectors: at most N bits, m_len in fact. */
template <int N, bool F> struct vec_result : vec_variable<vec_result<N, F>> {
    static constexpr bool is_select = false, vec_four = F;
    static constexpr int vec_capacity = N;

    vec_words<N, F> m_words;
    int m_len;

    vec_result(const vec_words<N, F> &v, int length) : m_words(v), m_len(length) {}
    int length() const { return m_len; }
    const vec_words<N, F> &load() const { return m_words; }
    template <int M, bool G> void store(const vec_words<M, G> &v) { m_words = vec_resize<N, F>(v, m_len); }
};

/* x[i]. */
template <class X> struct vec_bit_select {
    static constexpr bool is_select = true, vec_bit = true, vec_four = X::vec_four;
    static constexpr int vec_capacity = 1;

    typename held<X>::type object;
    int index;

    vec_bit_select(X &x, int i) : object(x), index(i) {
        if (i < 0 || i >= x.length()) sc_dt_violation("bit select out of range");
    }
    vec_bit_select(const vec_bit_select &) = default;

    int length() const { return 1; }
    sc_logic_value_t get() const { return object.get_bit(index); }
    auto value() const {
        if constexpr (vec_four)
            return get();
        else
            return get() == Log_1;
    }
    operator sc_logic() const { return sc_logic(get()); }
    template <bool F = vec_four, std::enable_if_t<!F, int> = 0> explicit operator bool() const {
        return value();
    }
    template <bool F = vec_four, std::enable_if_t<!F, int> = 0> bool operator!() const { return !value(); }
    sc_logic operator~() const { return ~sc_logic(get()); }
    bool is_01() const { return sc_logic(get()).is_01(); }
    bool to_bool() const { return sc_logic(get()).to_bool(); }
    char to_char() const { return sc_logic(get()).to_char(); }
    void print(std::ostream &os) const { os << to_char(); }
    friend std::ostream &operator<<(std::ostream &os, const vec_bit_select &x) { return os << x.to_char(); }

    vec_words<1, vec_four> load() const {
        vec_words<1, vec_four> r;
        r.set_bit(0, get());
        return r;
    }
    template <int N, bool F> void store(const vec_words<N, F> &v) { object.set_bit(index, v.bit(0)); }
    vec_bit_select &put(const sc_logic &v) {
        object.set_bit(index, v.value());
        return *this;
    }
    vec_bit_select &operator=(const vec_bit_select &v) { return put(v); }
    vec_bit_select &operator=(const sc_logic &v) { return put(v); }
    vec_bit_select &operator=(sc_logic_value_t v) { return put(sc_logic(v)); }
    vec_bit_select &operator=(bool v) { return put(sc_logic(v)); }
    vec_bit_select &operator=(char v) { return put(sc_logic(v)); }
    vec_bit_select &operator=(int v) { return put(sc_logic(v)); }
    vec_bit_select &operator=(const sc_bit &v) { return put(sc_logic(v)); }
    template <class T> vec_bit_select &operator&=(const T &v) { return put(sc_logic(get()) & sc_logic(v)); }
    template <class T> vec_bit_select &operator|=(const T &v) { return put(sc_logic(get()) | sc_logic(v)); }
    template <class T> vec_bit_select &operator^=(const T &v) { return put(sc_logic(get()) ^ sc_logic(v)); }
    vec_bit_select &b_not() { return put(~sc_logic(get())); }
};

/* x.range(hi, lo), reversed if hi < lo. */
template <class X> struct vec_part : vec_variable<vec_part<X>> {
    static constexpr bool is_select = true, vec_four = X::vec_four;
    static constexpr int vec_capacity = X::vec_capacity;

    typename held<X>::type object;
    int left, right;

    vec_part(X &x, int hi, int lo) : object(x), left(hi), right(lo) {
        if (hi < 0 || lo < 0 || hi >= x.length() || lo >= x.length())
            sc_dt_violation("part select out of range");
    }
    vec_part(const vec_part &) = default;

    bool reversed() const { return left < right; }
    int lowest() const { return reversed() ? left : right; }
    int length() const { return (reversed() ? right - left : left - right) + 1; }
    vec_words<vec_capacity, vec_four> load() const {
        auto v = vec_right(object.load(), lowest());
        v.clean(length());
        return reversed() ? vec_reversed(v, length()) : v;
    }
    template <int N, bool F> void store(const vec_words<N, F> &v) {
        auto bits = vec_resize<vec_capacity, vec_four>(v, length());
        if (reversed()) bits = vec_reversed(bits, length());
        object.store(vec_replaced(object.load(), bits, lowest(), length()));
    }
    vec_part &operator=(const vec_part &v) { return this->put(v); }
    template <class T, std::enable_if_t<is_vec_operand<T>, int> = 0> vec_part &operator=(const T &v) {
        return this->put(v);
    }
};

/* (a, b). L and R are the types that hold the parts. */
template <class L, class R> struct vec_concat : vec_variable<vec_concat<L, R>> {
    typedef plain_type<L> left_type;
    typedef plain_type<R> right_type;
    static constexpr bool is_select = true, vec_four = left_type::vec_four || right_type::vec_four;
    static constexpr int vec_capacity = left_type::vec_capacity + right_type::vec_capacity;

    L left;
    R right;

    template <class A, class B>
    vec_concat(A &&l, B &&r) : left(std::forward<A>(l)), right(std::forward<B>(r)) {}
    vec_concat(const vec_concat &) = default;

    int length() const { return left.length() + right.length(); }
    vec_words<vec_capacity, vec_four> load() const {
        constexpr int N = vec_capacity;
        auto low = vec_resize<N, vec_four>(right.load(), right.length());
        auto high = vec_resize<N, vec_four>(left.load(), left.length());
        return vec_replaced(low, high, right.length(), left.length());
    }
    template <int N, bool F> void store(const vec_words<N, F> &v) {
        auto bits = vec_resize<vec_capacity, F>(v, length());
        int low = right.length();
        right.store(bits);
        left.store(vec_right(bits, low));
    }
    vec_concat &operator=(const vec_concat &v) { return this->put(v); }
    template <class T, std::enable_if_t<is_vec_operand<T>, int> = 0> vec_concat &operator=(const T &v) {
        return this->put(v);
    }
};

} // namespace sc_dt::implementation

#endif
