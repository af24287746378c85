/* heddle::input<T>("name"): any value of T, a new one in each call. The same source runs in a
 * simulator with heddle_stimulus.h. */
#ifndef HEDDLE_SYSTEMC_INPUT_H
#define HEDDLE_SYSTEMC_INPUT_H

#include "intrinsics.h"

#if __has_include("../dt/sc_types.h")
#include "../dt/sc_types.h"
#define HEDDLE_SYSTEMC_HAS_TYPES 1
#endif

#include <type_traits>

namespace sc_core {
namespace heddle {

template <unsigned BYTES> auto input_of(const char *name) {
    if constexpr (BYTES == 1)
        return __heddle_input_8(name);
    else if constexpr (BYTES == 2)
        return __heddle_input_16(name);
    else if constexpr (BYTES == 4)
        return __heddle_input_32(name);
    else
        return __heddle_input_64(name);
}

template <class T, class = void> struct input_number : std::false_type {};
template <class T> struct input_number<T, std::void_t<decltype(T::number_capacity)>> : std::true_type {};
template <class T, class = void> struct input_vector : std::false_type {};
template <class T> struct input_vector<T, std::void_t<decltype(T::vec_capacity)>> : std::true_type {};

/* The highest part first. */
template <class T> void input_wide(const char *name, T &v) {
    for (int low = (T::number_capacity - 1) / 64 * 64; low >= 0; low -= 64) {
        if (low + 64 < T::number_capacity) v <<= 64;
        v |= static_cast<unsigned long long>(__heddle_input_64(name));
    }
}

template <class T> T input(const char *name) {
    if constexpr (std::is_same_v<T, bool>) {
        return __heddle_input_8(name) & 1;
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
        static_assert(sizeof(T) <= 8, "inputs have at most 64 bits");
        return static_cast<T>(input_of<sizeof(T)>(name));
    } else if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
        auto bits = input_of<sizeof(T)>(name);
        T v;
        __builtin_memcpy(&v, &bits, sizeof v);
        return v;
    } else if constexpr (input_number<T>::value) {
        T v;
        v = 0;
        if constexpr (T::number_wide)
            input_wide(name, v);
        else
            v = static_cast<unsigned long long>(__heddle_input_64(name));
        return v;
#ifdef HEDDLE_SYSTEMC_HAS_TYPES
    } else if constexpr (input_vector<T>::value) {
        T v;
        for (int low = 0; low < v.length(); low += 64) {
            unsigned long long data = __heddle_input_64(name), unknown = 0;
            if (T::vec_four) unknown = __heddle_input_64(name);
            for (int k = low; k < low + 64 && k < v.length(); k++)
                v.set_bit(k,
                          sc_dt::sc_logic_value_t((data >> (k - low) & 1) | (unknown >> (k - low) & 1) << 1));
        }
        return v;
    } else if constexpr (std::is_same_v<T, sc_dt::sc_logic>) {
        return T(sc_dt::sc_logic_value_t(__heddle_input_8(name) & 3));
    } else if constexpr (std::is_same_v<T, sc_dt::sc_bit>) {
        return T((__heddle_input_8(name) & 1) != 0);
#endif
    } else {
        static_assert(!sizeof(T), "no inputs of this type");
    }
}

inline void assume(bool condition) {
    __heddle_assume(condition);
}

} // namespace heddle
} // namespace sc_core

/* An alias, so that `using namespace sc_core` finds one and the same. */
namespace heddle = sc_core::heddle;

#endif
