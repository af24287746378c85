/* sc_logic, one bit of 0, 1, Z or X, and sc_bit, the deprecated name of a bool. Operators are computed from
 * the two bits of the code of a value (data = 1 for 1 and X, control = 1 for Z and X), with no tables. */
#ifndef HEDDLE_SYSTEMC_DT_SC_LOGIC_H
#define HEDDLE_SYSTEMC_DT_SC_LOGIC_H

#include "sc_common.h"

#include <ostream>

namespace sc_dt::implementation {

enum sc_logic_value_t { Log_0 = 0, Log_1, Log_Z, Log_X };

/* Four-valued operators on 32 bits at once, each given by the bits that are 0 and those that are 1. */
struct logic_words {
    sc_digit data, control;

    constexpr sc_digit zeros() const { return ~data & ~control; }
    constexpr sc_digit ones() const { return data & ~control; }
    static constexpr logic_words of(sc_digit zeros, sc_digit ones) {
        return {sc_digit(~zeros), sc_digit(~(zeros | ones))};
    }
};
constexpr logic_words operator&(logic_words a, logic_words b) {
    return logic_words::of(a.zeros() | b.zeros(), a.ones() & b.ones());
}
constexpr logic_words operator|(logic_words a, logic_words b) {
    return logic_words::of(a.zeros() & b.zeros(), a.ones() | b.ones());
}
constexpr logic_words operator^(logic_words a, logic_words b) {
    return logic_words::of((a.zeros() & b.zeros()) | (a.ones() & b.ones()),
                           (a.zeros() & b.ones()) | (a.ones() & b.zeros()));
}
constexpr logic_words operator~(logic_words a) {
    return logic_words::of(a.ones(), a.zeros());
}

class sc_bit {
    bool m_val = false;

    static bool from_int(int v) {
        if (v != 0 && v != 1) sc_dt_violation("sc_bit is neither 0 nor 1");
        return v == 1;
    }
    static bool from_char(char c) {
        if (c != '0' && c != '1') sc_dt_violation("sc_bit is neither '0' nor '1'");
        return c == '1';
    }

  public:
    sc_bit() = default;
    explicit sc_bit(bool v) : m_val(v) {}
    explicit sc_bit(int v) : m_val(from_int(v)) {}
    explicit sc_bit(char v) : m_val(from_char(v)) {}
    sc_bit &operator=(bool v) { return *this = sc_bit(v); }
    sc_bit &operator=(int v) { return *this = sc_bit(v); }
    sc_bit &operator=(char v) { return *this = sc_bit(v); }
    sc_bit(const sc_bit &) = default;
    sc_bit &operator=(const sc_bit &) = default;

    operator bool() const { return m_val; }
    bool to_bool() const { return m_val; }
    char to_char() const { return m_val ? '1' : '0'; }
    bool operator!() const { return !m_val; }
    sc_bit &b_not() { return *this = !m_val; }
    void print(std::ostream &os) const { os << m_val; }

    friend const sc_bit operator~(const sc_bit &a) { return sc_bit(!a.m_val); }
    friend std::ostream &operator<<(std::ostream &os, const sc_bit &a) { return os << a.m_val; }
};

#define SC_DT_BIT_MIXED(result, op, type)                                                                    \
    inline result operator op(const sc_bit &a, type b) {                                                     \
        return a op sc_bit(b);                                                                               \
    }                                                                                                        \
    inline result operator op(type a, const sc_bit &b) {                                                     \
        return sc_bit(a) op b;                                                                               \
    }
#define SC_DT_BIT_OPERATOR(result, op)                                                                       \
    inline result operator op(const sc_bit &a, const sc_bit &b) {                                            \
        return result(a.to_bool() op b.to_bool());                                                           \
    }                                                                                                        \
    SC_DT_BIT_MIXED(result, op, bool)                                                                        \
    SC_DT_BIT_MIXED(result, op, int)                                                                         \
    SC_DT_BIT_MIXED(result, op, char)
SC_DT_BIT_OPERATOR(sc_bit, &)
SC_DT_BIT_OPERATOR(sc_bit, |)
SC_DT_BIT_OPERATOR(sc_bit, ^)
SC_DT_BIT_OPERATOR(bool, ==)
SC_DT_BIT_OPERATOR(bool, !=)
#undef SC_DT_BIT_OPERATOR
#undef SC_DT_BIT_MIXED

inline sc_bit &operator&=(sc_bit &a, const sc_bit &b) {
    return a = a & b;
}
inline sc_bit &operator|=(sc_bit &a, const sc_bit &b) {
    return a = a | b;
}
inline sc_bit &operator^=(sc_bit &a, const sc_bit &b) {
    return a = a ^ b;
}

/* X for every character but 0, 1, Z and z. */
constexpr sc_logic_value_t logic_from_char(char c) {
    return c == '0' ? Log_0 : c == '1' ? Log_1 : c == 'Z' || c == 'z' ? Log_Z : Log_X;
}

class sc_logic {
    sc_logic_value_t m_val = Log_X;

    static constexpr sc_logic_value_t from_int(int v) {
        if (v < 0 || v > 3) sc_dt_violation("sc_logic has the values 0 to 3");
        return sc_logic_value_t(v);
    }

  public:
    constexpr sc_logic() = default;
    constexpr sc_logic(const sc_logic &) = default;
    constexpr sc_logic(sc_logic_value_t v) : m_val(v) {}
    explicit constexpr sc_logic(bool v) : m_val(v ? Log_1 : Log_0) {}
    explicit constexpr sc_logic(char v) : m_val(logic_from_char(v)) {}
    explicit constexpr sc_logic(int v) : m_val(from_int(v)) {}
    explicit sc_logic(const sc_bit &v) : m_val(v.to_bool() ? Log_1 : Log_0) {}
    explicit constexpr sc_logic(logic_words v)
        : m_val(sc_logic_value_t((v.data & 1) | (v.control & 1) << 1)) {}

    sc_logic &operator=(const sc_logic &) = default;
    sc_logic &operator=(sc_logic_value_t v) { return *this = sc_logic(v); }
    sc_logic &operator=(bool v) { return *this = sc_logic(v); }
    sc_logic &operator=(char v) { return *this = sc_logic(v); }
    sc_logic &operator=(int v) { return *this = sc_logic(v); }
    sc_logic &operator=(const sc_bit &v) { return *this = sc_logic(v); }

    constexpr sc_logic_value_t value() const { return m_val; }
    constexpr logic_words code() const { return {sc_digit(m_val & 1), sc_digit(m_val >> 1)}; }
    constexpr bool is_01() const { return m_val == Log_0 || m_val == Log_1; }
    /* X and Z read as true. */
    bool to_bool() const {
        if (!is_01()) SC_DT_WARNING("sc_logic that is X or Z becomes a bool");
        return m_val != Log_0;
    }
    char to_char() const { return m_val == Log_0 ? '0' : m_val == Log_1 ? '1' : m_val == Log_Z ? 'Z' : 'X'; }
    sc_logic &b_not() { return *this = sc_logic(~code()); }
    void print(std::ostream &os) const { os << to_char(); }

    friend const sc_logic operator~(const sc_logic &a) { return sc_logic(~a.code()); }
    friend std::ostream &operator<<(std::ostream &os, const sc_logic &a) { return os << a.to_char(); }
};

inline const sc_logic operator&(const sc_logic &a, const sc_logic &b) {
    return sc_logic(a.code() & b.code());
}
inline const sc_logic operator|(const sc_logic &a, const sc_logic &b) {
    return sc_logic(a.code() | b.code());
}
inline const sc_logic operator^(const sc_logic &a, const sc_logic &b) {
    return sc_logic(a.code() ^ b.code());
}
inline bool operator==(const sc_logic &a, const sc_logic &b) {
    return a.value() == b.value();
}
inline bool operator!=(const sc_logic &a, const sc_logic &b) {
    return a.value() != b.value();
}
inline sc_logic &operator&=(sc_logic &a, const sc_logic &b) {
    return a = a & b;
}
inline sc_logic &operator|=(sc_logic &a, const sc_logic &b) {
    return a = a | b;
}
inline sc_logic &operator^=(sc_logic &a, const sc_logic &b) {
    return a = a ^ b;
}

#define SC_DT_LOGIC_MIXED(result, op, type)                                                                  \
    inline result operator op(const sc_logic &a, type b) {                                                   \
        return a op sc_logic(b);                                                                             \
    }                                                                                                        \
    inline result operator op(type a, const sc_logic &b) {                                                   \
        return sc_logic(a) op b;                                                                             \
    }
#define SC_DT_LOGIC_OPERATOR(result, op)                                                                     \
    SC_DT_LOGIC_MIXED(result, op, sc_logic_value_t)                                                          \
    SC_DT_LOGIC_MIXED(result, op, bool)                                                                      \
    SC_DT_LOGIC_MIXED(result, op, char)                                                                      \
    SC_DT_LOGIC_MIXED(result, op, int)
#define SC_DT_LOGIC_ASSIGN(op, type)                                                                         \
    inline sc_logic &operator op(sc_logic &a, type b) {                                                      \
        return a op sc_logic(b);                                                                             \
    }
SC_DT_LOGIC_OPERATOR(const sc_logic, &)
SC_DT_LOGIC_OPERATOR(const sc_logic, |)
SC_DT_LOGIC_OPERATOR(const sc_logic, ^)
SC_DT_LOGIC_OPERATOR(bool, ==)
SC_DT_LOGIC_OPERATOR(bool, !=)
SC_DT_LOGIC_ASSIGN(&=, bool)
SC_DT_LOGIC_ASSIGN(&=, char)
SC_DT_LOGIC_ASSIGN(&=, int)
SC_DT_LOGIC_ASSIGN(|=, bool)
SC_DT_LOGIC_ASSIGN(|=, char)
SC_DT_LOGIC_ASSIGN(|=, int)
SC_DT_LOGIC_ASSIGN(^=, bool)
SC_DT_LOGIC_ASSIGN(^=, char)
SC_DT_LOGIC_ASSIGN(^=, int)
#undef SC_DT_LOGIC_ASSIGN
#undef SC_DT_LOGIC_OPERATOR
#undef SC_DT_LOGIC_MIXED

inline constexpr sc_logic SC_LOGIC_0(Log_0), SC_LOGIC_1(Log_1), SC_LOGIC_Z(Log_Z), SC_LOGIC_X(Log_X);
inline constexpr sc_logic sc_logic_0(Log_0), sc_logic_1(Log_1), sc_logic_Z(Log_Z), sc_logic_X(Log_X);

} // namespace sc_dt::implementation

#endif
