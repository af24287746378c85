/* Clocks: signals with a process of their own. */
#ifndef HEDDLE_SYSTEMC_CLOCK_H
#define HEDDLE_SYSTEMC_CLOCK_H

#include "signal.h"

namespace sc_core {

class sc_clock : public sc_signal<bool, SC_ONE_WRITER> {
  public:
    sc_clock() : sc_clock(sc_gen_unique_name("clock")) {}
    explicit sc_clock(const char *clock_name) : sc_clock(clock_name, sc_time(1.0, true)) {}
    sc_clock(const char *clock_name, const sc_time &period, double duty_cycle = 0.5,
             const sc_time &start_time = sc_time(), bool posedge_first = true)
        : sc_signal<bool, SC_ONE_WRITER>(clock_name, !posedge_first), m_period(period), m_start(start_time),
          m_duty_cycle(duty_cycle > 0 && duty_cycle < 1 ? duty_cycle : 0.5), m_posedge_first(posedge_first) {
        sc_time high = period * m_duty_cycle;
        m_high = high.value();
        m_low = (period - high).value();
        if (!m_high || !m_low)
            HEDDLE_SC_ERROR(SC_ID_CLOCK_PERIOD_ZERO_,
                            "the period and the duty cycle of a clock are positive");
        m_begins.notify_delayed(m_start);
    }
    sc_clock(const char *clock_name, double period, sc_time_unit unit, double duty_cycle = 0.5)
        : sc_clock(clock_name, sc_time(period, unit), duty_cycle) {}
    sc_clock(const char *clock_name, double period, sc_time_unit unit, double duty_cycle, double start_time,
             sc_time_unit start_unit, bool posedge_first = true)
        : sc_clock(clock_name, sc_time(period, unit), duty_cycle, sc_time(start_time, start_unit),
                   posedge_first) {}
    sc_clock(const char *clock_name, double period, double duty_cycle = 0.5, double start_time = 0.0,
             bool posedge_first = true)
        : sc_clock(clock_name, sc_time(period, true), duty_cycle, sc_time(start_time, true), posedge_first) {}

    void write(const bool &) override {
        HEDDLE_SC_ERROR(SC_ID_ATTEMPT_TO_WRITE_TO_CLOCK_, "a clock is not written");
    }
    const sc_time &period() const { return m_period; }
    double duty_cycle() const { return m_duty_cycle; }
    const sc_time &start_time() const { return m_start; }
    bool posedge_first() const { return m_posedge_first; }
    sc_clock &signal() { return *this; }
    const sc_clock &signal() const { return *this; }
    static sc_time time_stamp() { return sc_time_stamp(); }
    const char *kind() const override { return "sc_clock"; }

    void heddle_prepare() override {
        sc_signal<bool, SC_ONE_WRITER>::heddle_prepare();
        tick_with([this] { tick(); });
    }

  private:
    /* A method, as in the library, made when it is known that the clock lives. It never comes back to its
     * caller: waiting for its own time touches nothing that others touch. */
    template <class F> void tick_with(F f) {
        heddle::hidden own;
        std::string process_name = std::string(name()) + "_process";
        sc_process_b *p = new heddle::closure<F>(process_name.c_str(), SC_METHOD_PROC_, f);
        p->dont_initialize = 1;
        p->to_resolve.push_back({&m_begins, nullptr, nullptr});
    }
    void tick() {
        for (;;) {
            m_new = !m_now;
            request_update();
            __heddle_sc_wait_time(m_new ? m_high : m_low);
        }
    }
    sc_event m_begins{heddle::OF_CHANNEL};
    sc_time m_period, m_start;
    double m_duty_cycle;
    bool m_posedge_first;
    unsigned long long m_high, m_low;
};

} // namespace sc_core

#endif
