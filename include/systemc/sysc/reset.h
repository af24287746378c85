/* Resets of processes by signals.
 *
 * A process finds out after each wait whether one of its signals is active, and then starts again. Those that
 * reset at once wake it besides: their edge belongs to everything the process waits for, and when it has come
 * the signal is active for the rest of the evaluation phase, so that no wait ends too early. */
#ifndef HEDDLE_SYSTEMC_RESET_H
#define HEDDLE_SYSTEMC_RESET_H

#include "control.h"
#include "signal.h"

namespace sc_core {
namespace heddle {

class resets final : public reset_lines {
  public:
    struct line {
        const sc_port_base *port;
        const sc_interface *channel;
        bool level, at_once;
        const sc_signal_in_if<bool> *signal;
    };
    void add(const line &l) { lines.push_back(l); }
    void resolve(sc_process_b &p) override {
        unsigned *list = new unsigned[2 * lines.size()];
        p.heddle_sc_process::resets = list;
        for (line &l : lines) {
            l.signal =
                dynamic_cast<const sc_signal_in_if<bool> *>(l.port ? l.port->heddle_all().at(0) : l.channel);
            if (!l.signal) __heddle_violation("a process is reset by a signal of type bool");
            list[2 * p.reset_count] = ~0u;
            list[2 * p.reset_count++ + 1] = l.port != nullptr;
            if (!l.at_once) continue;
            const sc_event &edge = l.level ? l.signal->posedge_event() : l.signal->negedge_event();
            edges.add(edge.heddle_number());
            list[2 * p.reset_count - 2] = edge.heddle_number();
            p.to_resolve.push_back({&edge, nullptr, nullptr});
        }
    }
    void after_wait(sc_process_b &p) const override {
        for (const line &l : lines)
            if (l.signal->read() == l.level) watching_control::unwind(p, true);
    }

  private:
    std::vector<line> lines;
};

inline void add_reset(sc_process_b &p, const sc_port_base *port, const sc_interface *channel, bool level,
                      bool at_once) {
    control = &the_control;
    if (!p.resets) p.resets = new resets;
    static_cast<resets *>(p.resets)->add({port, channel, level, at_once, nullptr});
}

} // namespace heddle
} // namespace sc_core

#endif
