/* A queue of transactions that come out at their times. */
#ifndef HEDDLE_TLM_UTILS_PEQ_WITH_GET_H
#define HEDDLE_TLM_UTILS_PEQ_WITH_GET_H

#include "../systemc"

namespace tlm_utils {

template <class PAYLOAD> class peq_with_get : public sc_core::sc_object {
  public:
    typedef PAYLOAD transaction_type;
    explicit peq_with_get(const char *peq_name) : sc_core::sc_object(peq_name) {}
    void notify(transaction_type &trans, const sc_core::sc_time &t) {
        insert(trans, sc_core::sc_time_stamp() + t);
        m_event.notify(t);
    }
    void notify(transaction_type &trans) {
        insert(trans, sc_core::sc_time_stamp());
        m_event.notify();
    }
    /* Null: there is none yet; the event will tell. */
    transaction_type *get_next_transaction() {
        if (!m_count) return nullptr;
        sc_core::sc_time now = sc_core::sc_time_stamp();
        if (now < m_entries[0].due) {
            m_event.notify(m_entries[0].due - now);
            return nullptr;
        }
        transaction_type *trans = m_entries[0].trans;
        m_count--;
        for (unsigned k = 0; k < m_count; k++) m_entries[k] = m_entries[k + 1];
        m_entries[m_count] = entry();
        return trans;
    }
    sc_core::sc_event &get_event() { return m_event; }
    void cancel_all() {
        while (m_count) m_entries[--m_count] = entry();
        m_event.cancel();
    }

  private:
    enum { MOST = 16 };
    struct entry {
        transaction_type *trans = nullptr;
        sc_core::sc_time due;
    };
    void insert(transaction_type &trans, const sc_core::sc_time &due) {
        if (m_count == MOST) __heddle_unsupported("more than 16 transactions in a peq_with_get");
        unsigned k = m_count++;
        for (; k && due < m_entries[k - 1].due; k--) m_entries[k] = m_entries[k - 1];
        m_entries[k].trans = &trans;
        m_entries[k].due = due;
    }
    entry m_entries[MOST];
    unsigned m_count = 0;
    sc_core::sc_event m_event{sc_core::heddle::OF_CHANNEL};
};

} // namespace tlm_utils

#endif
