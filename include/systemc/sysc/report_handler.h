/* Reports as the handler of a design sees them. */
#ifndef HEDDLE_SYSTEMC_REPORT_HANDLER_H
#define HEDDLE_SYSTEMC_REPORT_HANDLER_H

#include "process.h"

namespace sc_core {

class sc_report : public std::exception {
  public:
    sc_report(sc_severity severity, const char *id, const char *message, int verbosity, const char *file,
              int line)
        : m_severity(severity), m_id(id), m_message(message ? message : ""), m_verbosity(verbosity),
          m_file(file ? file : ""), m_line(line),
          m_time(heddle::simulation_runs ? sc_time_stamp() : sc_time()), m_process(sc_process_b::running()) {}
    sc_severity get_severity() const { return m_severity; }
    const char *get_msg_type() const { return m_id.c_str(); }
    const char *get_msg() const { return m_message.c_str(); }
    const char *get_file_name() const { return m_file.c_str(); }
    int get_line_number() const { return m_line; }
    const sc_time &get_time() const { return m_time; }
    const char *get_process_name() const { return m_process ? m_process->name() : nullptr; }
    int get_verbosity() const { return m_verbosity; }
    bool valid() const { return true; }
    const char *what() const noexcept override;

  private:
    sc_severity m_severity;
    std::string m_id, m_message;
    int m_verbosity;
    std::string m_file;
    int m_line;
    sc_time m_time;
    sc_process_b *m_process;
    mutable std::string m_whole; /* when it is asked for */
};

} // namespace sc_core

/* The front end counts this one as thrown only in designs that may catch it. */
extern "C" [[noreturn]] inline void heddle_sc_throw(const sc_core::sc_report *report) {
    throw *report;
}

namespace sc_core {

namespace heddle {
/* Nobody else runs; sc_start throws what has left the process. Values that wait for an
 * update never arrive. */
inline void leave_simulation(const sc_report &r) {
    design().error = new sc_report(r);
    for (sc_process_b *p : sc_process_b::all())
        if (p != sc_process_b::running() && !p->has_ended) __heddle_sc_suspend(p->number);
    __heddle_sc_stop();
}
} // namespace heddle

inline void sc_process_b::live_watched() {
    try {
        live();
    } catch (const sc_unwind_exception &) {
        throw;
    } catch (const sc_report &r) {
        heddle::leave_simulation(r);
    } catch (const std::exception &e) {
        heddle::leave_simulation(
            sc_report(SC_ERROR, SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_, e.what(), SC_MEDIUM, "", 0));
    } catch (...) {
        heddle::leave_simulation(sc_report(SC_ERROR, SC_ID_SIMULATION_UNCAUGHT_EXCEPTION_,
                                           "UNKNOWN EXCEPTION OCCURRED", SC_MEDIUM, "", 0));
    }
}

namespace heddle {
/* What an error does without a handler of the design's own; returns if nothing. */
inline void take_error(const sc_report &report, sc_actions actions) {
    if (report.get_severity() == SC_ERROR && !(actions & ~(SC_DO_NOTHING | SC_CACHE_REPORT))) return;
    if (report.get_severity() == SC_ERROR && (actions & SC_THROW) && __heddle_sc_catches)
        heddle_sc_throw(&report);
    __heddle_violation("no error is reported");
}

inline void raise(const char *id, const char *message) {
    if (!__heddle_sc_catches && !HEDDLE_SC_RULES) return;
    sc_report made(SC_ERROR, id, message, SC_MEDIUM, "", 0);
    sc_actions actions = sc_report_handler::actions_for(id, SC_ERROR);
    if (reports.handler)
        reports.handler(made, actions);
    else if (actions & SC_THROW && !__heddle_sc_catches)
        return; /* a finding, where the library was called */
    else
        take_error(made, actions);
    __heddle_unsupported("a design that goes on behind an error of the library");
}
} // namespace heddle

inline void sc_report_handler::report(sc_severity severity, const char *id, const char *message,
                                      int verbosity, const char *file, int line) {
    const heddle::report_settings &s = heddle::reports;
    if (severity == SC_INFO && verbosity > s.verbosity) return;
    if (!s.matter && severity < SC_ERROR) return;
    if (!id) id = SC_ID_UNKNOWN_ERROR_;
    sc_actions actions = actions_for(id, severity);
    sc_report made(severity, id, message, verbosity, file, line);
    get_handler()(made, actions);
}

inline void sc_report_handler::default_handler(const sc_report &report, const sc_actions &actions) {
    if (report.get_severity() >= SC_ERROR)
        heddle::take_error(report, actions);
    else if (actions & heddle::ACTIONS_THAT_MATTER)
        __heddle_unsupported("reports below errors that end something");
}

namespace heddle {
/* "(E115) " for kinds of messages that the library has. */
inline std::string number_of(const sc_report &report) {
    static const struct {
        const char *id;
        int number;
    } known[] = {
#define HEDDLE_SC_ID(name, number, words) {name, number},
        HEDDLE_SC_IDS(HEDDLE_SC_ID)
#undef HEDDLE_SC_ID
    };
    for (const auto &k : known)
        if (!std::strcmp(k.id, report.get_msg_type()) && k.number)
            return std::string("(") + "IWEF"[report.get_severity()] + std::to_string(k.number) + ") ";
    return "";
}
} // namespace heddle

inline const std::string sc_report_compose_message(const sc_report &report) {
    static const char *const severities[] = {"Info", "Warning", "Error", "Fatal"};
    std::string text = std::string(severities[report.get_severity()]) + ": " + heddle::number_of(report) +
                       report.get_msg_type();
    if (*report.get_msg()) text += std::string(": ") + report.get_msg();
    if (report.get_severity() == SC_INFO) return text;
    text +=
        std::string("\nIn file: ") + report.get_file_name() + ":" + std::to_string(report.get_line_number());
    if (heddle::simulation_runs && report.get_process_name())
        text +=
            std::string("\nIn process: ") + report.get_process_name() + " @ " + report.get_time().to_string();
    return text;
}

inline const char *sc_report::what() const noexcept {
    m_whole = sc_report_compose_message(*this);
    return m_whole.c_str();
}

} // namespace sc_core

#endif
