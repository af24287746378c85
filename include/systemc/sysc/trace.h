/* Traces of values: accepted and not written. */
#ifndef HEDDLE_SYSTEMC_TRACE_H
#define HEDDLE_SYSTEMC_TRACE_H

#include "object.h"
#include "time.h"

namespace sc_core {

class sc_trace_file {
  public:
    void set_time_unit(double, sc_time_unit) {}
    void delta_cycles(bool) {}
    void space(int) {}
};

inline sc_trace_file *sc_create_vcd_trace_file(const char *) {
    static sc_trace_file file;
    return &file;
}
inline sc_trace_file *sc_create_wif_trace_file(const char *name) {
    return sc_create_vcd_trace_file(name);
}
inline void sc_close_vcd_trace_file(sc_trace_file *) {}
inline void sc_close_wif_trace_file(sc_trace_file *) {}
inline void sc_write_comment(sc_trace_file *, const std::string &) {}
inline void sc_trace_delta_cycles(sc_trace_file *, bool = true) {}

template <class T> void sc_trace(sc_trace_file *, const T &, const std::string &) {}
template <class T> void sc_trace(sc_trace_file *, const T &, const std::string &, int) {}
template <class T> void sc_trace(sc_trace_file *, const T *, const std::string &) {}
template <class T> void sc_trace(sc_trace_file *, const T *, const std::string &, int) {}
inline void sc_trace(sc_trace_file *, const unsigned &, const std::string &, const char **) {}

} // namespace sc_core

#endif
