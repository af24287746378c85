/* Events of which several notifications may be pending. */
#ifndef HEDDLE_SYSTEMC_EVENT_QUEUE_H
#define HEDDLE_SYSTEMC_EVENT_QUEUE_H

#include "module.h"

namespace sc_core {

class sc_event_queue_if : virtual public sc_interface {
  public:
    virtual void notify(double v, sc_time_unit unit) = 0;
    virtual void notify(const sc_time &t) = 0;
    virtual void cancel_all() = 0;
};

class sc_event_queue : public sc_event_queue_if, public sc_module {
  public:
    enum { MOST_PENDING = 32 };
    explicit sc_event_queue(sc_module_name queue_name = sc_module_name(sc_gen_unique_name("event_queue")))
        : sc_module(queue_name) {
        heddle_process("fire_event", SC_METHOD_PROC_, [this] { fire(); });
        dont_initialize();
        sensitive << m_event;
    }
    const char *kind() const override { return "sc_event_queue"; }
    void notify(double v, sc_time_unit unit) override { notify(sc_time(v, unit)); }
    void notify(const sc_time &after) override {
        unsigned long long due = __heddle_sc_time() + after.value();
        if (!m_count || due < m_due[0]) m_event.notify(after);
        if (m_count == MOST_PENDING) __heddle_unsupported("more than 32 notifications in an event queue");
        unsigned k = m_count++;
        for (; k && due < m_due[k - 1]; k--) m_due[k] = m_due[k - 1];
        m_due[k] = due;
    }
    void cancel_all() override {
        for (unsigned k = 0; k < m_count; k++) m_due[k] = 0;
        m_count = 0;
        m_event.cancel();
    }
    const sc_event &default_event() const override { return m_event; }

  private:
    void fire() {
        if (!m_count) return; /* cancelled in the meantime */
        m_count--;
        for (unsigned k = 0; k < m_count; k++) m_due[k] = m_due[k + 1];
        m_due[m_count] = 0;
        if (m_count) m_event.notify(sc_time::from_value(m_due[0] - __heddle_sc_time()));
    }
    unsigned long long m_due[MOST_PENDING] = {}; /* the earliest one first */
    unsigned m_count = 0;
    sc_event m_event{heddle::OF_CHANNEL};
};

typedef sc_port<sc_event_queue_if, 1, SC_ONE_OR_MORE_BOUND> sc_event_queue_port;

} // namespace sc_core

#endif
