/* Simulation time: a number of 64 bits in units of the resolution, 1 ps unless told otherwise. */
#ifndef HEDDLE_SYSTEMC_TIME_H
#define HEDDLE_SYSTEMC_TIME_H

#include "report.h"

#include <ostream>
#include <string>
#include <type_traits>

namespace sc_core {

enum sc_time_unit { SC_FS = 0, SC_PS, SC_NS, SC_US, SC_MS, SC_SEC };

namespace heddle {
inline unsigned long long femtoseconds(sc_time_unit unit) {
    switch (unit) {
    case SC_FS: return 1;
    case SC_PS: return 1000;
    case SC_NS: return 1000000;
    case SC_US: return 1000000000;
    case SC_MS: return 1000000000000;
    case SC_SEC: break;
    }
    return 1000000000000000;
}

struct time_settings {
    unsigned long long resolution = 1000; /* in femtoseconds */
    unsigned long long unit = 1000000;    /* default time unit, likewise */
    bool used = false;
    bool resolution_given = false, unit_given = false;
};
inline time_settings times;
} // namespace heddle

class sc_time {
  public:
    typedef unsigned long long value_type;

    constexpr sc_time() : m_value(0) {}
    sc_time(double v, sc_time_unit unit) : m_value(from(v, heddle::femtoseconds(unit))) {}
    /* Whole numbers may be unknown. */
    template <class V, class = typename std::enable_if<std::is_integral<V>::value>::type>
    sc_time(V v, sc_time_unit unit)
        : m_value(from_whole(static_cast<value_type>(v), heddle::femtoseconds(unit))) {}
    sc_time(double v, bool scale)
        : m_value(scale ? from(v, heddle::times.unit) : static_cast<value_type>(v)) {}
    sc_time(value_type v, bool scale)
        : m_value(scale ? from(static_cast<double>(v), heddle::times.unit) : v) {}
    static sc_time from_value(value_type v) {
        sc_time t;
        t.m_value = v;
        return t;
    }

    value_type value() const { return m_value; }
    double to_double() const { return static_cast<double>(m_value); }
    double to_seconds() const {
        return static_cast<double>(m_value) * static_cast<double>(heddle::times.resolution) * 1e-15;
    }
    double to_default_time_units() const {
        return static_cast<double>(m_value) * static_cast<double>(heddle::times.resolution) /
               static_cast<double>(heddle::times.unit);
    }
    std::string to_string() const {
        if (!m_value) return "0 s";
        static const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
        value_type n = m_value, scale = heddle::times.resolution;
        int k = 0;
        while (scale >= 1000) {
            scale /= 1000;
            k++;
        }
        n *= scale;
        while (n % 1000 == 0 && k < 5) {
            n /= 1000;
            k++;
        }
        return std::to_string(n) + " " + units[k];
    }

    bool operator==(const sc_time &t) const { return m_value == t.m_value; }
    bool operator!=(const sc_time &t) const { return m_value != t.m_value; }
    bool operator<(const sc_time &t) const { return m_value < t.m_value; }
    bool operator<=(const sc_time &t) const { return m_value <= t.m_value; }
    bool operator>(const sc_time &t) const { return m_value > t.m_value; }
    bool operator>=(const sc_time &t) const { return m_value >= t.m_value; }
    sc_time &operator+=(const sc_time &t) {
        m_value += t.m_value;
        return *this;
    }
    sc_time &operator-=(const sc_time &t) {
        m_value -= t.m_value;
        return *this;
    }
    sc_time &operator%=(const sc_time &t) {
        m_value %= t.m_value;
        return *this;
    }
    sc_time &operator*=(double d) {
        m_value = rounded(static_cast<double>(m_value) * d);
        return *this;
    }
    sc_time &operator/=(double d) {
        m_value = rounded(static_cast<double>(m_value) / d);
        return *this;
    }
    void print(std::ostream &os) const {
        if (os.heddle_is_shown()) __heddle_print(heddle_print::TIME, m_value, heddle::times.resolution);
        if (os.heddle_is_read()) os << to_string();
    }

  private:
    static value_type rounded(double d) { return static_cast<value_type>(d + 0.5); }
    static value_type from_whole(value_type v, value_type unit) {
        if (unit % heddle::times.resolution) return from(static_cast<double>(v), unit);
        if (!heddle::simulation_runs) heddle::times.used = true;
        value_type scale = unit / heddle::times.resolution;
        if (v > ~value_type(0) / scale) __heddle_unsupported("a time beyond 64 bits");
        return v * scale;
    }
    static value_type from(double v, value_type unit) {
        if (v == 0) return 0;
        if (!heddle::simulation_runs) heddle::times.used = true; /* processes share it */
        value_type whole = static_cast<value_type>(v);
        if (static_cast<double>(whole) == v && unit % heddle::times.resolution == 0)
            return whole * (unit / heddle::times.resolution);
        return rounded(v * (static_cast<double>(unit) / static_cast<double>(heddle::times.resolution)));
    }
    value_type m_value;
};

inline sc_time operator+(sc_time a, const sc_time &b) {
    return a += b;
}
inline sc_time operator-(sc_time a, const sc_time &b) {
    return a -= b;
}
inline sc_time operator%(sc_time a, const sc_time &b) {
    return a %= b;
}
inline sc_time operator*(sc_time a, double d) {
    return a *= d;
}
inline sc_time operator*(double d, sc_time a) {
    return a *= d;
}
inline sc_time operator/(sc_time a, double d) {
    return a /= d;
}
inline double operator/(const sc_time &a, const sc_time &b) {
    return a.to_double() / b.to_double();
}
inline std::ostream &operator<<(std::ostream &os, const sc_time &t) {
    t.print(os);
    return os;
}

inline const sc_time SC_ZERO_TIME;

inline sc_time sc_time_stamp() {
    return sc_time::from_value(__heddle_sc_time());
}
inline double sc_simulation_time() {
    return sc_time_stamp().to_default_time_units();
}
inline sc_time sc_max_time() {
    return sc_time::from_value(~0ULL);
}
inline sc_time sc_get_time_resolution() {
    return sc_time::from_value(1);
}
namespace heddle {
/* Why a resolution or a default unit cannot be set; NULL: it can. */
inline const char *time_setting_trouble(double v, bool is_given) {
    if (v < 0) return "value not positive";
    double power = 1;
    while (power < v) power *= 10;
    while (power > v) power /= 10;
    if (!(v > 0) || power != v) return "value not a power of ten";
    if (simulation_runs) return "simulation running";
    if (is_given) return "already specified";
    return times.used ? "sc_time object(s) constructed" : nullptr;
}
} // namespace heddle

inline void sc_set_time_resolution(double v, sc_time_unit unit) {
    double wanted = v * static_cast<double>(heddle::femtoseconds(unit));
    const char *trouble = heddle::time_setting_trouble(v, heddle::times.resolution_given);
    if (!trouble && wanted < 1) trouble = "value smaller than 1 fs";
    if (trouble)
        HEDDLE_SC_ERROR_WITH(SC_ID_SET_TIME_RESOLUTION_, trouble,
                             "the time resolution is set once, before it is used");
    heddle::times.resolution = static_cast<unsigned long long>(wanted + 0.5);
    heddle::times.resolution_given = true;
    if (heddle::times.unit < heddle::times.resolution) heddle::times.unit = heddle::times.resolution;
}
inline void sc_set_default_time_unit(double v, sc_time_unit unit) {
    double wanted = v * static_cast<double>(heddle::femtoseconds(unit));
    const char *trouble = heddle::time_setting_trouble(v, heddle::times.unit_given);
    if (!trouble && wanted < static_cast<double>(heddle::times.resolution))
        trouble = "value smaller than time resolution";
    if (trouble)
        HEDDLE_SC_ERROR_WITH(SC_ID_SET_DEFAULT_TIME_UNIT_, trouble,
                             "the default time unit is set once, before it is used");
    heddle::times.unit = static_cast<unsigned long long>(wanted + 0.5);
    heddle::times.unit_given = true;
}
inline sc_time sc_get_default_time_unit() {
    return sc_time::from_value(heddle::times.unit / heddle::times.resolution);
}

} // namespace sc_core

#endif
