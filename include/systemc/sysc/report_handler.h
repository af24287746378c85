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
    const char *what() const noexcept override { __heddle_unsupported("sc_report::what"); }

  private:
    sc_severity m_severity;
    std::string m_id, m_message;
    int m_verbosity;
    std::string m_file;
    int m_line;
    sc_time m_time;
    sc_process_b *m_process;
};

inline void sc_report_handler::report(sc_severity severity, const char *id, const char *message,
                                      int verbosity, const char *file, int line) {
    const heddle::report_settings &s = heddle::reports;
    if (severity == SC_INFO && verbosity > s.verbosity) return;
    if (!s.handler && severity >= SC_ERROR) __heddle_violation("no error is reported");
    if (!s.matter) return;
    if (!id) id = "unknown error";
    sc_actions actions = actions_for(id, severity);
    sc_report made(severity, id, message, verbosity, file, line);
    get_handler()(made, actions);
}

inline void sc_report_handler::default_handler(const sc_report &report, const sc_actions &actions) {
    if (report.get_severity() >= SC_ERROR) __heddle_violation("no error is reported");
    if (actions & heddle::ACTIONS_THAT_MATTER)
        __heddle_unsupported("reports below errors that end something");
}

inline const std::string sc_report_compose_message(const sc_report &report) {
    static const char *const severities[] = {"Info", "Warning", "Error", "Fatal"};
    std::string text = std::string(severities[report.get_severity()]) + ": " + report.get_msg_type();
    if (*report.get_msg()) text += std::string(": ") + report.get_msg();
    if (report.get_severity() == SC_INFO) return text;
    text +=
        std::string("\nIn file: ") + report.get_file_name() + ":" + std::to_string(report.get_line_number());
    if (heddle::simulation_runs && report.get_process_name())
        text +=
            std::string("\nIn process: ") + report.get_process_name() + " @ " + report.get_time().to_string();
    return text;
}

} // namespace sc_core

#endif
