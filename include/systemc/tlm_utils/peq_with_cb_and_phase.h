/* A queue of transactions and phases that are handed to a function at their times.
 *
 * What is notified for the next delta cycle comes out after the update phase in between: it is a channel. */
#ifndef HEDDLE_TLM_UTILS_PEQ_WITH_CB_AND_PHASE_H
#define HEDDLE_TLM_UTILS_PEQ_WITH_CB_AND_PHASE_H

#include "../tlm"

namespace tlm_utils {

template <class OWNER, class TYPES = tlm::tlm_base_protocol_types>
class peq_with_cb_and_phase : public sc_core::sc_prim_channel {
  public:
    typedef typename TYPES::tlm_payload_type tlm_payload_type;
    typedef typename TYPES::tlm_phase_type tlm_phase_type;
    typedef void (OWNER::*cb)(tlm_payload_type &, const tlm_phase_type &);

    peq_with_cb_and_phase(OWNER *owner, cb callback)
        : peq_with_cb_and_phase("peq_with_cb_and_phase", owner, callback) {}
    peq_with_cb_and_phase(const char *peq_name, OWNER *owner, cb callback)
        : sc_core::sc_prim_channel(peq_name), m_owner(owner), m_callback(callback) {
        serve_with([this] { serve(); });
    }

    void notify(tlm_payload_type &trans, const tlm_phase_type &phase, const sc_core::sc_time &when) {
        bool in_delta = when == sc_core::SC_ZERO_TIME;
        insert(trans, phase, sc_core::sc_time_stamp() + when, in_delta ? NEXT_DELTA : TIMED);
        if (in_delta) request_update();
        m_event.notify(when);
    }
    void notify(tlm_payload_type &trans, const tlm_phase_type &phase) {
        insert(trans, phase, sc_core::sc_time_stamp(), IMMEDIATE);
        m_event.notify();
    }
    void cancel_all() {
        while (m_count) m_entries[--m_count] = entry();
        m_event.cancel();
    }

  protected:
    void update() override {
        for (unsigned k = 0; k < m_count; k++)
            if (m_entries[k].state == NEXT_DELTA) m_entries[k].state = READY;
    }

  private:
    enum { MOST = 16 };
    enum progress { TIMED, NEXT_DELTA, READY, IMMEDIATE };
    struct entry {
        tlm_payload_type *trans = nullptr;
        tlm_phase_type phase;
        sc_core::sc_time due;
        progress state = TIMED;
    };

    template <class F> void serve_with(F f) {
        std::string process_name = std::string(basename()) + "_process";
        sc_core::sc_process_b *p =
            new sc_core::heddle::closure<F>(process_name.c_str(), sc_core::SC_METHOD_PROC_, f);
        p->dont_initialize = 1;
        p->to_resolve.push_back({&m_event, nullptr, nullptr});
    }
    /* By time; of one time in the order they came. */
    void insert(tlm_payload_type &trans, const tlm_phase_type &phase, const sc_core::sc_time &due,
                progress state) {
        if (m_count == MOST) __heddle_unsupported("more than 16 transactions in a peq_with_cb_and_phase");
        unsigned k = m_count++;
        for (; k && due < m_entries[k - 1].due; k--) m_entries[k] = m_entries[k - 1];
        m_entries[k].trans = &trans;
        m_entries[k].phase = phase;
        m_entries[k].due = due;
        m_entries[k].state = state;
    }
    void serve_one(unsigned at) {
        entry e = m_entries[at];
        m_count--;
        for (unsigned k = at; k < m_count; k++) m_entries[k] = m_entries[k + 1];
        m_entries[m_count] = entry();
        (m_owner->*m_callback)(*e.trans, e.phase);
    }
    /* m_count: there is none. */
    unsigned find(progress state) const {
        unsigned k = 0;
        while (k < m_count && m_entries[k].state != state) k++;
        return k;
    }
    /* The function may notify more, also for now. An immediate notification has cancelled a pending one. */
    void serve() {
        unsigned k;
        while ((k = find(IMMEDIATE)) < m_count) serve_one(k);
        while ((k = find(READY)) < m_count) serve_one(k);
        sc_core::sc_time now = sc_core::sc_time_stamp();
        while ((k = find(TIMED)) < m_count && m_entries[k].due <= now) serve_one(k);
        if (k < m_count) m_event.notify(m_entries[k].due - now);
        if (find(NEXT_DELTA) < m_count) m_event.notify(sc_core::SC_ZERO_TIME);
    }
    OWNER *m_owner;
    cb m_callback;
    entry m_entries[MOST];
    unsigned m_count = 0;
    sc_core::sc_event m_event{sc_core::heddle::OF_CHANNEL};
};

} // namespace tlm_utils

#endif
