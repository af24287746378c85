/* What all data types of SystemC share: the hooks by which a type reports a misuse, names of integers and
 * of numeric representations, and the traits that say which C++ types can be an operand of what.
 *
 * The types keep their value in members of fixed size, use no heap, no virtual functions, no tables and no
 * exceptions, so that a symbolic machine sees plain integer code. They never print anything themselves.
 *
 * A type takes part in arithmetic by its members, found by the traits below and not by a base class:
 *
 *   numbers   number_capacity  most bits the value can have (known when compiling)
 *             number_signed    whether the value has a sign
 *             number_wide      arithmetic is exact (sc_signed), not that of int64 and uint64
 *             low64()          the low 64 bits of the value, sign-extended
 *             wide()           the value as wide_value<number_capacity, number_signed>
 *   vectors   vec_capacity     most bits the vector can have
 *             vec_four         whether bits may be X and Z
 *             load()           the bits as vec_words<vec_capacity, vec_four>
 *   both      length()         bits this very object has
 */
#ifndef HEDDLE_SYSTEMC_DT_SC_COMMON_H
#define HEDDLE_SYSTEMC_DT_SC_COMMON_H

#include <cstdint>
#include <type_traits>
#include <utility>

/* The program broke a rule of these types: an index out of range, a malformed literal, a division by zero. */
[[noreturn]] void sc_dt_violation(const char *what);

/* The program is right, but the value does not fit into the fixed storage of these headers. */
[[noreturn]] void sc_dt_unsupported(const char *what);

/* A bit that is X or Z becomes 0 or 1, of which the library of Accellera only warns. */
#ifndef SC_DT_WARNING
#define SC_DT_WARNING(what) ((void)0)
#endif

/* Storage, in bits, of the types whose length is known only at run time (sc_signed, sc_bv_base, ...). */
#ifndef SC_DT_MAX_NBITS
#define SC_DT_MAX_NBITS 256
#endif

namespace sc_dt::implementation {

typedef long long int64;
typedef unsigned long long uint64;
typedef int64 int_type;
typedef uint64 uint_type;
typedef std::uint32_t sc_digit;

enum sc_numrep {
    SC_NOBASE = 0,
    SC_BIN = 2,
    SC_OCT = 8,
    SC_DEC = 10,
    SC_HEX = 16,
    SC_BIN_US,
    SC_BIN_SM,
    SC_OCT_US,
    SC_OCT_SM,
    SC_HEX_US,
    SC_HEX_SM,
    SC_CSD
};

constexpr int words_for(int bits) {
    return (bits + 31) / 32;
}

template <class T> constexpr T sc_max(T a, T b) {
    return a > b ? a : b;
}
template <class T> constexpr T sc_min(T a, T b) {
    return a < b ? a : b;
}
template <class T> inline const T sc_abs(const T &a) {
    return a < T(0) ? T(-a) : a;
}

template <int W, bool S> struct wide_value;

/* The n lowest bits set, 0 <= n <= 64. */
constexpr uint64 low_mask64(int n) {
    return n >= 64 ? ~uint64(0) : (uint64(1) << n) - 1;
}

/* The mask of word `word` in a vector of `length` bits. */
constexpr sc_digit tail_mask(int word, int length) {
    return length >= 32 * (word + 1) ? ~sc_digit(0)
           : length <= 32 * word     ? 0
                                     : (sc_digit(1) << (length - 32 * word)) - 1;
}

inline uint64 sign_extend64(uint64 v, int length) {
    return uint64(int64(v << (64 - length)) >> (64 - length));
}

template <class T> using plain_type = std::remove_cv_t<std::remove_reference_t<T>>;

template <class T, class = void> struct is_vec : std::false_type {};
template <class T>
struct is_vec<T, std::void_t<decltype(T::vec_capacity)>> : std::bool_constant<!T::vec_bit> {};

template <class T>
inline constexpr bool is_builtin = std::is_integral_v<T> ||
                                   (std::is_enum_v<T> && std::is_convertible_v<T, long long>);

template <class T>
inline constexpr bool is_text = !std::is_class_v<T> && std::is_convertible_v<const T &, const char *>;

/* number<T>: how T is read as a number. The first parameter is a plain type. */
template <class T, class = void> struct number { static constexpr bool ok = false, wide = false; };

template <class T> struct number<T, std::enable_if_t<is_builtin<T>>> {
    typedef decltype(+std::declval<T>()) promoted;
    static constexpr bool ok = true, wide = false, is_signed = std::is_signed_v<promoted>;
    static constexpr int capacity = 8 * int(sizeof(promoted));
    static uint64 low64(const T &x) { return uint64(promoted(x)); }
    static auto value(const T &x) { return wide_value<capacity, is_signed>::from64(low64(x)); }
};

template <class T> struct number<T, std::void_t<decltype(T::number_capacity)>> {
    static constexpr bool ok = true, wide = T::number_wide, is_signed = T::number_signed;
    static constexpr int capacity = T::number_capacity;
    static uint64 low64(const T &x) { return x.low64(); }
    static auto value(const T &x) { return x.wide(); }
};

/* Objects with a value inside that is had by read(): signals and ports stand for their value. */
template <class T, class = void> struct read_type { static constexpr bool ok = false; };

template <class T>
struct read_type<T, std::enable_if_t<!std::is_void_v<decltype(std::declval<const T &>().read())>>> {
    typedef plain_type<decltype(std::declval<const T &>().read())> type;
    static constexpr bool ok = true;
};

template <class T>
struct number<T, std::enable_if_t<read_type<T>::ok && number<typename read_type<T>::type>::ok>> {
    typedef number<typename read_type<T>::type> inner;
    static constexpr bool ok = true, wide = inner::wide, is_signed = inner::is_signed;
    static constexpr int capacity = inner::capacity;
    static uint64 low64(const T &x) { return inner::low64(x.read()); }
    static auto value(const T &x) { return inner::value(x.read()); }
};

template <class T> inline constexpr bool is_readable = read_type<T>::ok;

/* What a number can be assigned from. */
template <class T>
inline constexpr bool is_plain_source =
    number<T>::ok || is_vec<T>::value || std::is_floating_point_v<T> || is_text<T>;

template <class T, class = void> struct is_source : std::bool_constant<is_plain_source<T>> {};
template <class T>
struct is_source<T, std::enable_if_t<read_type<T>::ok>>
    : std::bool_constant<is_plain_source<typename read_type<T>::type>> {};

template <class T> using if_source = std::enable_if_t<is_source<T>::value && !is_readable<T>, int>;
template <class T> using if_readable = std::enable_if_t<is_source<T>::value && is_readable<T>, int>;
template <class T> using if_any_source = std::enable_if_t<is_source<T>::value, int>;

/* A select or concatenation refers to the objects it is made from: objects by reference, other selects,
 * which live no longer than their expression, by value. */
template <class X, class = void> struct held { typedef X &type; };
template <class X> struct held<X, std::enable_if_t<std::remove_const_t<X>::is_select>> {
    typedef std::remove_const_t<X> type;
};

} // namespace sc_dt::implementation

#endif
