/* Reports. An error is an exception, sc_report, where the design has handlers that it may come to, and a
 * finding if it leaves its process or sc_main. Without any such handler it is a finding where it is reported.
 * A design with a report handler of its own decides itself what becomes of reports. Fatal errors are
 * findings. The rest is output, which nobody reads. */
#ifndef HEDDLE_SYSTEMC_REPORT_H
#define HEDDLE_SYSTEMC_REPORT_H

#include "ids.h"
#include "intrinsics.h"

#include <cstring>
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

class sc_report;
typedef void (*sc_report_handler_proc)(const sc_report &, const sc_actions &);

namespace heddle {

/* What the design says about reports with one id. */
struct report_rule {
    const char *id;
    sc_actions actions, of_severity[SC_MAX_SEVERITY];
    int limit, limit_of_severity[SC_MAX_SEVERITY]; /* 0 and -1: none */
    report_rule *next;
};

/* Written by designs that have rules of their own, nobody else: it costs all others nothing. */
struct report_settings {
    sc_report_handler_proc handler = nullptr; /* of the design's own */
    bool matter = false;                      /* a report below errors may do something */
    bool have_rules = false;                  /* an error may do something else than it does by itself */
    int verbosity = SC_MEDIUM;
    sc_actions given_out = 255; /* bits that mean something */
    sc_actions forced = 0, suppressed = 0;
    sc_actions of_severity[SC_MAX_SEVERITY] = {SC_LOG | SC_DISPLAY, SC_LOG | SC_DISPLAY,
                                               SC_LOG | SC_CACHE_REPORT | SC_THROW,
                                               SC_LOG | SC_DISPLAY | SC_CACHE_REPORT | SC_ABORT};
    int limit_of_severity[SC_MAX_SEVERITY] = {-1, -1, -1, -1};
    report_rule *rules = nullptr;
    const char *log_file = nullptr;
};
inline report_settings reports;

enum { ACTIONS_THAT_MATTER = SC_THROW | SC_STOP | SC_ABORT | SC_INTERRUPT };

/* An error of the library: does not return if the design gets to know it. */
inline void raise(const char *id, const char *message = "");

} // namespace heddle
} // namespace sc_core

/* The front end looks whether a design comes here: __heddle_sc_has_rules. */
extern "C" inline void heddle_sc_note_rules() {
    sc_core::heddle::reports.have_rules = true;
}

/* A macro, so that nothing that needs rules is part of a design without. */
#define HEDDLE_SC_RULES (__heddle_sc_has_rules && ::sc_core::heddle::reports.have_rules)

namespace sc_core {

class sc_report_handler {
  public:
    static void report(sc_severity severity, const char *id, const char *message, const char *file,
                       int line) {
        report(severity, id, message, SC_MEDIUM, file, line);
    }
    static void report(sc_severity severity, const char *id, const char *message, int verbosity,
                       const char *file, int line);
    static sc_actions set_actions(sc_severity severity, sc_actions actions = SC_UNSPECIFIED) {
        return replace(heddle::reports.of_severity[severity], actions);
    }
    static sc_actions set_actions(const char *id, sc_actions actions = SC_UNSPECIFIED) {
        return replace(rule_of(id).actions, actions);
    }
    static sc_actions set_actions(const char *id, sc_severity severity, sc_actions actions = SC_UNSPECIFIED) {
        return replace(rule_of(id).of_severity[severity], actions);
    }
    static sc_actions force(sc_actions actions) { return replace(heddle::reports.forced, actions); }
    static sc_actions force() { return force(0); }
    static sc_actions suppress(sc_actions actions) {
        sc_actions old = heddle::reports.suppressed;
        heddle::reports.suppressed = actions;
        heddle_sc_note_rules();
        return old;
    }
    static sc_actions suppress() { return suppress(0); }
    static int stop_after(sc_severity severity, int limit = -1) {
        return replace_limit(heddle::reports.limit_of_severity[severity], limit);
    }
    static int stop_after(const char *id, int limit = -1) { return replace_limit(rule_of(id).limit, limit); }
    static int stop_after(const char *id, sc_severity severity, int limit = -1) {
        return replace_limit(rule_of(id).limit_of_severity[severity], limit);
    }
    static sc_actions get_new_action_id() {
        for (sc_actions action = 1; action; action <<= 1) {
            if (heddle::reports.given_out & action) continue;
            heddle::reports.given_out |= action;
            return action;
        }
        return SC_UNSPECIFIED;
    }
    static sc_report_handler_proc set_handler(sc_report_handler_proc handler) {
        sc_report_handler_proc old = get_handler();
        heddle::reports.handler = handler == &default_handler ? nullptr : handler;
        if (heddle::reports.handler) {
            heddle::reports.matter = true;
            heddle_sc_note_rules();
        }
        return old;
    }
    static sc_report_handler_proc get_handler() {
        return heddle::reports.handler ? heddle::reports.handler : &default_handler;
    }
    static void default_handler(const sc_report &report, const sc_actions &actions);
    static int set_verbosity_level(int level) {
        int old = heddle::reports.verbosity;
        heddle::reports.verbosity = level;
        return old;
    }
    static int get_verbosity_level() { return heddle::reports.verbosity; }
    static int get_count(sc_severity) { __heddle_unsupported("the number of reports"); }
    static int get_count(const char *) { __heddle_unsupported("the number of reports"); }
    static int get_count(const char *, sc_severity) { __heddle_unsupported("the number of reports"); }
    static sc_report *get_cached_report() { __heddle_unsupported("sc_report_handler::get_cached_report"); }
    static void clear_cached_report() {}
    static bool set_log_file_name(const char *name) {
        bool is_new = name && !heddle::reports.log_file;
        if (!name || is_new) heddle::reports.log_file = name;
        return is_new;
    }
    static const char *get_log_file_name() { return heddle::reports.log_file; }
    static void initialize() {}
    static void release() {}

  private:
    friend void heddle::raise(const char *id, const char *message);
    static sc_actions replace(sc_actions &place, sc_actions actions) {
        sc_actions old = place;
        place = actions;
        heddle_sc_note_rules();
        if (actions & heddle::ACTIONS_THAT_MATTER) heddle::reports.matter = true;
        return old;
    }
    static heddle::report_rule *find_rule(const char *id) {
        for (heddle::report_rule *r = heddle::reports.rules; r; r = r->next)
            if (!std::strcmp(r->id, id)) return r;
        return nullptr;
    }
    static heddle::report_rule &rule_of(const char *id) {
        heddle::report_rule *found = find_rule(id);
        if (found) return *found;
        found = new heddle::report_rule{strdup(id), 0, {}, -1, {-1, -1, -1, -1}, heddle::reports.rules};
        heddle::reports.rules = found;
        return *found;
    }
    static sc_actions actions_for(const char *id, sc_severity severity) {
        const heddle::report_settings &s = heddle::reports;
        const heddle::report_rule *rule = find_rule(id);
        sc_actions actions = rule ? rule->of_severity[severity] : SC_UNSPECIFIED;
        if (rule && actions == SC_UNSPECIFIED) actions = rule->actions;
        if (actions == SC_UNSPECIFIED) actions = s.of_severity[severity];
        return (actions & ~s.suppressed) | s.forced;
    }
    static int replace_limit(int &place, int limit) {
        if (limit > 0) __heddle_unsupported("a simulation that stops after a number of reports");
        int old = place;
        place = limit < 0 ? -1 : limit;
        return old;
    }
};

} // namespace sc_core

/* Macros, so that the finding stands where the design makes it. */
#define HEDDLE_REPORT(severity, id, message, verbosity)                                                      \
    ::sc_core::sc_report_handler::report(::sc_core::severity, id, message, verbosity, __FILE__, __LINE__)
#define HEDDLE_REPORT_BELOW_ERRORS(severity, id, message, verbosity)                                         \
    (::sc_core::heddle::reports.matter ? HEDDLE_REPORT(severity, id, message, verbosity)                     \
                                       : ((void)(id), (void)(message), (void)(verbosity)))
#define HEDDLE_REPORT_ERROR(severity, id, message, property)                                                 \
    (__heddle_sc_catches || HEDDLE_SC_RULES ? HEDDLE_REPORT(severity, id, message, ::sc_core::SC_MEDIUM)     \
                                            : ((void)(id), (void)(message), __heddle_error(property)))
#define SC_REPORT_INFO(id, message) HEDDLE_REPORT_BELOW_ERRORS(SC_INFO, id, message, ::sc_core::SC_MEDIUM)

#define SC_REPORT_INFO_VERB(id, message, v) HEDDLE_REPORT_BELOW_ERRORS(SC_INFO, id, message, v)
#define SC_REPORT_WARNING(id, message)                                                                       \
    HEDDLE_REPORT_BELOW_ERRORS(SC_WARNING, id, message, ::sc_core::SC_MEDIUM)
#define SC_REPORT_ERROR(id, message) HEDDLE_REPORT_ERROR(SC_ERROR, id, message, "no error is reported")
#define SC_REPORT_FATAL(id, message) HEDDLE_REPORT_ERROR(SC_FATAL, id, message, "no fatal error is reported")
#define sc_assert(expression)        ((void)((expression) || (__heddle_violation(#expression), 0)))
/* What the library itself reports as an error. Does not return. It is raised only where that may matter: else
 * nobody has to reckon with an exception behind every use of a port. */
#define HEDDLE_SC_RAISE(raised) (__heddle_sc_catches || HEDDLE_SC_RULES ? (raised) : (void)0)
#define HEDDLE_SC_ERROR(id, property)                                                                        \
    (HEDDLE_SC_RAISE(::sc_core::heddle::raise(::sc_core::id)), __heddle_violation(property))
#define HEDDLE_SC_ERROR_WITH(id, message, property)                                                          \
    (HEDDLE_SC_RAISE(::sc_core::heddle::raise(::sc_core::id, message)), __heddle_violation(property))

#endif
