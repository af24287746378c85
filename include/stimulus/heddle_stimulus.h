/* Inputs of a design that is verified, for a run in a simulator.
 *
 * Include it in the design after <systemc>. Under the verifier it does nothing: heddle::input<T>("name") is
 * any value of T. In a simulator the values come from the file that the environment variable HEDDLE_STIMULUS
 * names, with lines `name value` (decimal, or hexadecimal with 0x; # begins a comment): the k-th call for a
 * name takes the k-th value of that name. When a name has no more values the call gives 0.
 *
 * A condition that is assumed and does not hold ends the run: it says nothing about the design. */
#ifndef HEDDLE_STIMULUS_H
#define HEDDLE_STIMULUS_H

#ifndef HEDDLE_SYSTEMC

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>

namespace heddle {

class stimulus {
  public:
    static stimulus &instance() {
        static stimulus s;
        return s;
    }
    /* "": there is none. */
    std::string next(const char *name) {
        std::deque<std::string> &left = m_values[name];
        if (left.empty()) return "";
        std::string value = left.front();
        left.pop_front();
        return value;
    }

  private:
    stimulus() {
        const char *path = std::getenv("HEDDLE_STIMULUS");
        if (!path) return;
        std::ifstream file(path);
        if (!file) {
            std::cerr << "heddle: cannot read " << path << std::endl;
            std::exit(2);
        }
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line.substr(0, line.find('#')));
            std::string name, value;
            if (words >> name >> value) m_values[name].push_back(value);
        }
    }
    std::map<std::string, std::deque<std::string>> m_values;
};

inline std::uint64_t stimulus_bits(const std::string &text) {
    if (text.empty()) return 0;
    if (text == "true") return 1;
    if (text[0] == '-') return static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 0));
    return std::strtoull(text.c_str(), nullptr, 0);
}

template <class T>
typename std::enable_if<std::is_arithmetic<T>::value || std::is_enum<T>::value, T>::type
input(const char *name) {
    std::string text = stimulus::instance().next(name);
    if (std::is_floating_point<T>::value) return T(std::strtod(text.c_str(), nullptr));
    return T(stimulus_bits(text));
}
/* Types of sc_dt read texts themselves. */
template <class T>
typename std::enable_if<!std::is_arithmetic<T>::value && !std::is_enum<T>::value, T>::type
input(const char *name) {
    std::string text = stimulus::instance().next(name);
    T value;
    value = text.empty() ? "0" : text.c_str();
    return value;
}

inline void assume(bool condition) {
    if (condition) return;
    std::cerr << "heddle: the stimulus breaks an assumption" << std::endl;
    std::exit(3);
}

} // namespace heddle

#endif
#endif
