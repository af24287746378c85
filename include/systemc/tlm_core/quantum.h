/* The global quantum of temporal decoupling. */
#ifndef HEDDLE_TLM_QUANTUM_H
#define HEDDLE_TLM_QUANTUM_H

#include "../systemc"

namespace tlm {

class tlm_global_quantum {
  public:
    static tlm_global_quantum &instance() {
        static tlm_global_quantum one;
        return one;
    }
    void set(const sc_core::sc_time &t) { m_quantum = t; }
    const sc_core::sc_time &get() const { return m_quantum; }
    /* Up to the next multiple of the quantum. */
    sc_core::sc_time compute_local_quantum() {
        if (!m_quantum.value()) return sc_core::sc_time();
        unsigned long long since = sc_core::sc_time_stamp().value() % m_quantum.value();
        return sc_core::sc_time::from_value(m_quantum.value() - since);
    }

  protected:
    tlm_global_quantum() {}

  private:
    sc_core::sc_time m_quantum;
};

} // namespace tlm

#endif
