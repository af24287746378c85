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
    const char *get_file_name() const { return ""; }
    int get_line_number() const { return 0; }
    const class sc_time &get_time() const { __heddle_unsupported("the time of a report"); }
    const char *get_process_name() const { return nullptr; }
    int get_verbosity() const { return SC_MEDIUM; }
    const char *what() const noexcept override { return ""; }
};

typedef void (*sc_report_handler_proc)(const sc_report &, const sc_actions &);

class sc_report_handler {
  public:
    static void report(sc_severity severity, const char *, const char *, const char *, int) {
        if (severity >= SC_ERROR) __heddle_violation("no error is reported");
    }
    static void report(sc_severity severity, const char *, const char *, int, const char *, int) {
        if (severity >= SC_ERROR) __heddle_violation("no error is reported");
    }
    static sc_actions set_actions(sc_severity severity, sc_actions actions = SC_UNSPECIFIED) {
        return severity < SC_ERROR ? harmless(actions) : SC_UNSPECIFIED;
    }
    static sc_actions set_actions(const char *, sc_actions actions = SC_UNSPECIFIED) {
        return harmless(actions);
    }
    static sc_actions set_actions(const char *, sc_severity severity, sc_actions actions = SC_UNSPECIFIED) {
        return severity < SC_ERROR ? harmless(actions) : SC_UNSPECIFIED;
    }
    static sc_actions force() { return SC_UNSPECIFIED; }
    static sc_actions force(sc_actions actions) { return harmless(actions); }
    static sc_actions suppress() { return SC_UNSPECIFIED; }
    static sc_actions suppress(sc_actions) { return SC_UNSPECIFIED; }
    static int stop_after(sc_severity, int limit = -1) {
        if (limit > 0) __heddle_unsupported("a simulation that stops after a number of reports");
        return -1;
    }
    static sc_actions get_new_action_id() { __heddle_unsupported("actions of a design's own for reports"); }
    static void set_handler(sc_report_handler_proc handler) {
        if (handler) __heddle_unsupported("a handler of a design's own for reports");
    }
    static sc_report_handler_proc get_handler() { __heddle_unsupported("the handler of reports"); }
    static void default_handler(const sc_report &, const sc_actions &) {}
    static int set_verbosity_level(int) { return SC_MEDIUM; }
    static int get_verbosity_level() { return SC_MEDIUM; }
    static int get_count(sc_severity) { __heddle_unsupported("the number of reports"); }
    static int get_count(const char *) { __heddle_unsupported("the number of reports"); }
    static int get_count(const char *, sc_severity) { __heddle_unsupported("the number of reports"); }
    static void initialize() {}
    static void release() {}

  private:
    static sc_actions harmless(sc_actions actions) {
        if (actions & (SC_THROW | SC_STOP | SC_ABORT | SC_INTERRUPT))
            __heddle_unsupported("reports below errors that end something");
        return SC_UNSPECIFIED;
    }
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
