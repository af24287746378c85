/* Reports. Errors and fatal errors are findings, wherever they are caught; the rest is output, which nobody
 * reads. */
#ifndef HEDDLE_SYSTEMC_REPORT_H
#define HEDDLE_SYSTEMC_REPORT_H

#include "intrinsics.h"

#include <exception>

namespace sc_core {

enum sc_severity { SC_INFO = 0, SC_WARNING, SC_ERROR, SC_FATAL, SC_MAX_SEVERITY };
enum sc_verbosity {
    SC_NONE = 0,
    SC_LOW = 100,
    SC_MEDIUM = 200,
    SC_HIGH = 300,
    SC_FULL = 400,
    SC_DEBUG = 500
};

typedef unsigned sc_actions;
enum {
    SC_UNSPECIFIED = 0,
    SC_DO_NOTHING = 1,
    SC_THROW = 2,
    SC_LOG = 4,
    SC_DISPLAY = 8,
    SC_CACHE_REPORT = 16,
    SC_INTERRUPT = 32,
    SC_STOP = 64,
    SC_ABORT = 128
};

class sc_report : public std::exception {
  public:
    sc_severity get_severity() const { return SC_ERROR; }
    const char *get_msg_type() const { return ""; }
    const char *get_msg() const { return ""; }
    const char *what() const noexcept override { return ""; }
};

class sc_report_handler {
  public:
    static sc_actions set_actions(sc_severity, sc_actions = SC_UNSPECIFIED) { return SC_UNSPECIFIED; }
    static sc_actions set_actions(const char *, sc_actions = SC_UNSPECIFIED) { return SC_UNSPECIFIED; }
    static sc_actions set_actions(const char *, sc_severity, sc_actions = SC_UNSPECIFIED) {
        return SC_UNSPECIFIED;
    }
    static int set_verbosity_level(int) { return SC_MEDIUM; }
    static int get_verbosity_level() { return SC_MEDIUM; }
    static int get_count(sc_severity) { return 0; }
};

} // namespace sc_core

/* Macros, so that the finding stands where the design makes it. */
#define SC_REPORT_INFO(id, message)         ((void)(id), (void)(message))
#define SC_REPORT_INFO_VERB(id, message, v) ((void)(id), (void)(message), (void)(v))
#define SC_REPORT_WARNING(id, message)      ((void)(id), (void)(message))
#define SC_REPORT_ERROR(id, message)        ((void)(id), (void)(message), __heddle_violation("no error is reported"))
#define SC_REPORT_FATAL(id, message)                                                                         \
    ((void)(id), (void)(message), __heddle_violation("no fatal error is reported"))
#define sc_assert(expression) ((void)((expression) || (__heddle_violation(#expression), 0)))

#endif
