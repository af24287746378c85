/* Local time of an initiator that runs ahead. */
#ifndef HEDDLE_TLM_UTILS_QUANTUMKEEPER_H
#define HEDDLE_TLM_UTILS_QUANTUMKEEPER_H

#include "../tlm"

namespace tlm_utils {

class tlm_quantumkeeper {
  public:
    static void set_global_quantum(const sc_core::sc_time &t) { tlm::tlm_global_quantum::instance().set(t); }
    static const sc_core::sc_time &get_global_quantum() { return tlm::tlm_global_quantum::instance().get(); }
    virtual ~tlm_quantumkeeper() {}
    virtual void inc(const sc_core::sc_time &t) { m_local_time += t; }
    virtual void set(const sc_core::sc_time &t) { m_local_time = t; }
    virtual bool need_sync() const { return sc_core::sc_time_stamp() + m_local_time >= m_next_sync_point; }
    virtual void sync() {
        sc_core::wait(m_local_time);
        reset();
    }
    void set_and_sync(const sc_core::sc_time &t) {
        set(t);
        if (need_sync()) sync();
    }
    virtual void reset() {
        m_local_time = sc_core::SC_ZERO_TIME;
        m_next_sync_point = sc_core::sc_time_stamp() + compute_local_quantum();
    }
    virtual sc_core::sc_time get_current_time() const { return sc_core::sc_time_stamp() + m_local_time; }
    virtual sc_core::sc_time get_local_time() const { return m_local_time; }

  protected:
    virtual sc_core::sc_time compute_local_quantum() {
        return tlm::tlm_global_quantum::instance().compute_local_quantum();
    }
    sc_core::sc_time m_next_sync_point, m_local_time;
};

} // namespace tlm_utils

#endif
