/* Signals with several drivers: each process drives a value of its own, and what is seen is resolved from all
 * of them. */
#ifndef HEDDLE_SYSTEMC_RESOLVED_H
#define HEDDLE_SYSTEMC_RESOLVED_H

#include "signal.h"

#if __has_include("../dt/sc_types.h")
#include "../dt/sc_types.h"

namespace sc_core {

namespace heddle {

/* X wins over all, Z loses against all, 0 and 1 together are X. */
inline sc_dt::sc_logic_value_t resolve(sc_dt::sc_logic_value_t a, sc_dt::sc_logic_value_t b) {
    if (a == b || b == sc_dt::Log_Z) return a;
    return a == sc_dt::Log_Z ? b : sc_dt::Log_X;
}
inline void resolve_into(sc_dt::sc_logic &v, const sc_dt::sc_logic &with) {
    v = sc_dt::sc_logic(resolve(v.value(), with.value()));
}
template <int W> void resolve_into(sc_dt::sc_lv<W> &v, const sc_dt::sc_lv<W> &with) {
    for (int k = 0; k < W; k++) v.set_bit(k, resolve(v.get_bit(k), with.get_bit(k)));
}

template <class T> class resolved_signal : public sc_signal<T, SC_UNCHECKED_WRITERS> {
  public:
    using sc_signal<T, SC_UNCHECKED_WRITERS>::sc_signal;
    sc_writer_policy get_writer_policy() const override { return SC_MANY_WRITERS; }
    void write(const T &v) override {
        unsigned self = sc_process_b::running_identity(), k = 0;
        while (k < m_count && m_drivers[k].process != self) k++;
        if (k == m_count) {
            if (m_count == MOST_DRIVERS) __heddle_unsupported("more than 16 drivers of a resolved signal");
            m_drivers[m_count++].process = self;
        } else if (m_drivers[k].value == v) {
            return;
        }
        m_drivers[k].value = v;
        this->request_update();
    }

  protected:
    void update() override {
        if (m_count) this->m_new = m_drivers[0].value;
        for (unsigned k = 1; k < m_count; k++) resolve_into(this->m_new, m_drivers[k].value);
        sc_signal<T, SC_UNCHECKED_WRITERS>::update();
    }

  private:
    enum { MOST_DRIVERS = 16 };
    struct driver {
        unsigned process = 0;
        T value;
    };
    driver m_drivers[MOST_DRIVERS];
    unsigned m_count = 0;
};

} // namespace heddle

class sc_signal_resolved : public heddle::resolved_signal<sc_dt::sc_logic> {
    typedef heddle::resolved_signal<sc_dt::sc_logic> base;

  public:
    sc_signal_resolved() : base(sc_gen_unique_name("signal_resolved")) {}
    explicit sc_signal_resolved(const char *signal_name) : base(signal_name) {}
    sc_signal_resolved &operator=(const sc_dt::sc_logic &v) {
        write(v);
        return *this;
    }
    const char *kind() const override { return "sc_signal_resolved"; }
};

template <int W> class sc_signal_rv : public heddle::resolved_signal<sc_dt::sc_lv<W>> {
    typedef heddle::resolved_signal<sc_dt::sc_lv<W>> base;

  public:
    sc_signal_rv() : base(sc_gen_unique_name("signal_rv")) {}
    explicit sc_signal_rv(const char *signal_name) : base(signal_name) {}
    sc_signal_rv &operator=(const sc_dt::sc_lv<W> &v) {
        this->write(v);
        return *this;
    }
    const char *kind() const override { return "sc_signal_rv"; }
};

/* --- ports ---------------------------------------------------------------------------------------------- */

namespace heddle {
template <class signal_type> void must_be_resolved(const sc_port_base &port, const sc_interface *bound) {
    if (!dynamic_cast<const signal_type *>(bound))
        HEDDLE_SC_ERROR_WITH(SC_ID_RESOLVED_PORT_NOT_BOUND_, said_of("port", port),
                             "a resolved port is bound to a resolved signal");
}
} // namespace heddle

class sc_in_resolved : public sc_in<sc_dt::sc_logic> {
  public:
    using sc_in<sc_dt::sc_logic>::sc_in;
    void end_of_elaboration() override {
        sc_in<sc_dt::sc_logic>::end_of_elaboration();
        heddle::must_be_resolved<sc_signal_resolved>(*this, get_interface());
    }
    const char *kind() const override { return "sc_in_resolved"; }
};
class sc_inout_resolved : public sc_inout<sc_dt::sc_logic> {
  public:
    using sc_inout<sc_dt::sc_logic>::sc_inout;
    using sc_inout<sc_dt::sc_logic>::operator=;
    void end_of_elaboration() override {
        sc_inout<sc_dt::sc_logic>::end_of_elaboration();
        heddle::must_be_resolved<sc_signal_resolved>(*this, get_interface());
    }
    const char *kind() const override { return "sc_inout_resolved"; }
};
class sc_out_resolved : public sc_inout_resolved {
  public:
    using sc_inout_resolved::sc_inout_resolved;
    using sc_inout_resolved::operator=;
    const char *kind() const override { return "sc_out_resolved"; }
};
template <int W> class sc_in_rv : public sc_in<sc_dt::sc_lv<W>> {
  public:
    using sc_in<sc_dt::sc_lv<W>>::sc_in;
    void end_of_elaboration() override {
        sc_in<sc_dt::sc_lv<W>>::end_of_elaboration();
        heddle::must_be_resolved<sc_signal_rv<W>>(*this, this->get_interface());
    }
    const char *kind() const override { return "sc_in_rv"; }
};
template <int W> class sc_inout_rv : public sc_inout<sc_dt::sc_lv<W>> {
  public:
    using sc_inout<sc_dt::sc_lv<W>>::sc_inout;
    using sc_inout<sc_dt::sc_lv<W>>::operator=;
    void end_of_elaboration() override {
        sc_inout<sc_dt::sc_lv<W>>::end_of_elaboration();
        heddle::must_be_resolved<sc_signal_rv<W>>(*this, this->get_interface());
    }
    const char *kind() const override { return "sc_inout_rv"; }
};
template <int W> class sc_out_rv : public sc_inout_rv<W> {
  public:
    using sc_inout_rv<W>::sc_inout_rv;
    using sc_inout_rv<W>::operator=;
    const char *kind() const override { return "sc_out_rv"; }
};

} // namespace sc_core

#endif
#endif
