/* The way forward through a target socket. A call of one kind goes over to the other if the module has
 * registered only that one:
 *
 *  - b_transport to nb_transport: the caller itself goes through the phases, requests one after the other in
 *    the order of their times;
 *  - nb_transport to b_transport: in a spawned process. */
#ifndef HEDDLE_TLM_UTILS_ADAPTER_H
#define HEDDLE_TLM_UTILS_ADAPTER_H

#include "heddle_callback.h"

namespace tlm_utils {
namespace heddle {

template <class TYPES> class adapter : public tlm::tlm_fw_transport_if<TYPES>, public tlm::tlm_mm_interface {
  public:
    typedef typename TYPES::tlm_payload_type payload;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync;
    typedef sc_core::sc_time time;
    forward_callbacks<TYPES> calls;
    tlm::tlm_bw_transport_if<TYPES> *way_back = nullptr; /* to the initiator, when the simulation runs */

    void b_transport(payload &trans, time &t) override {
        if (calls.b_transport)
            calls.b_transport->call(trans, t);
        else if (calls.nb_transport)
            go_through_phases(trans, t);
        else
            __heddle_violation("a socket that is called has a b_transport");
    }
    sync nb_transport_fw(payload &trans, phase_type &phase, time &t) override {
        if (calls.nb_transport) return calls.nb_transport->call(trans, phase, t);
        if (!calls.b_transport) __heddle_violation("a socket that is called has an nb_transport_fw");
        if (phase == tlm::BEGIN_REQ) {
            if (!sc_core::heddle::make_spawn_pool)
                __heddle_unsupported("nb_transport_fw to a simple_target_socket that has b_transport alone");
            payload *kept = &trans;
            time delay = t;
            auto work = [this, kept, delay] { answer(*kept, delay); };
            sc_core::heddle::begin_in_pool(new sc_core::heddle::task_of<decltype(work)>(work), nullptr,
                                           nullptr);
            return tlm::TLM_ACCEPTED;
        }
        if (phase != tlm::END_RESP) __heddle_violation("phases are those of the base protocol");
        m_is_responding = false;
        m_end_response.notify(t);
        return tlm::TLM_COMPLETED;
    }
    unsigned transport_dbg(payload &trans) override { return calls.debug(trans); }
    bool get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi) override { return calls.direct(trans, dmi); }

    /* What the target sends back: some of it is for those who called b_transport. */
    sync receive(payload &trans, phase_type &phase, time &t) {
        request *r = find(trans);
        if (!r) return way_back->nb_transport_bw(trans, phase, t);
        if (phase == tlm::END_REQ) {
            m_end_request.notify(sc_core::SC_ZERO_TIME);
            return tlm::TLM_ACCEPTED;
        }
        if (phase != tlm::BEGIN_RESP) __heddle_violation("phases are those of the base protocol");
        if (m_current == &trans) m_end_request.notify(sc_core::SC_ZERO_TIME);
        r->has_response = true;
        r->due = sc_core::sc_time_stamp() + t;
        m_response.notify(sc_core::SC_ZERO_TIME);
        return tlm::TLM_COMPLETED;
    }
    void free(tlm::tlm_generic_payload *trans) override {
        trans->reset();
        m_freed.notify(sc_core::SC_ZERO_TIME);
    }

  private:
    enum { MOST_REQUESTS = 8 };
    struct request {
        payload *trans;
        time due; /* of the request, later of the response */
        bool has_begun, has_response;
    };

    request *find(const payload &trans) {
        for (unsigned k = 0; k < m_count; k++)
            if (m_requests[k].trans == &trans) return &m_requests[k];
        return nullptr;
    }
    void insert(payload &trans, const time &due) {
        if (m_count == MOST_REQUESTS)
            __heddle_unsupported("more than 8 requests at a time in a target socket");
        unsigned k = m_count++;
        for (; k && due < m_requests[k - 1].due && !m_requests[k - 1].has_begun; k--)
            m_requests[k] = m_requests[k - 1];
        m_requests[k] = request{&trans, due, false, false};
    }
    void remove(const payload &trans) {
        unsigned k = 0;
        while (m_requests[k].trans != &trans) k++;
        for (m_count--; k < m_count; k++) m_requests[k] = m_requests[k + 1];
        m_requests[m_count] = request();
    }
    bool is_next(const payload &trans) const {
        for (unsigned k = 0; k < m_count; k++)
            if (!m_requests[k].has_begun) return m_requests[k].trans == &trans;
        return false;
    }
    static void wait_until(const time &due) {
        time now = sc_core::sc_time_stamp();
        if (now < due) sc_core::wait(due - now);
    }
    void end_request() {
        m_is_busy = false;
        m_turn.notify();
    }

    void go_through_phases(payload &trans, time &t) {
        bool lends_manager = !trans.has_mm();
        insert(trans, sc_core::sc_time_stamp() + t);
        if (lends_manager) {
            trans.set_mm(this);
            trans.acquire();
        }
        sc_core::wait(t);
        while (m_is_busy || !is_next(trans)) sc_core::wait(m_turn);
        m_is_busy = find(trans)->has_begun = true;
        phase_type phase = tlm::BEGIN_REQ;
        t = sc_core::SC_ZERO_TIME;
        if (calls.nb_transport->call(trans, phase, t) == tlm::TLM_COMPLETED) {
            end_request();
            sc_core::wait(t);
        } else if (phase == tlm::BEGIN_RESP) {
            sc_core::wait(t);
            t = sc_core::SC_ZERO_TIME;
            phase = tlm::END_RESP;
            calls.nb_transport->call(trans, phase, t);
            end_request();
            sc_core::wait(t);
        } else {
            if (phase == tlm::BEGIN_REQ && !find(trans)->has_response) {
                m_current = &trans;
                sc_core::wait(m_end_request);
                m_current = nullptr;
            }
            end_request();
            while (!find(trans)->has_response) sc_core::wait(m_response);
            wait_until(find(trans)->due);
        }
        t = sc_core::SC_ZERO_TIME;
        remove(trans);
        if (!lends_manager) return;
        trans.release();
        while (trans.get_ref_count()) sc_core::wait(m_freed);
        trans.set_mm(nullptr);
    }

    void answer(payload &trans, const time &delay) {
        sc_core::wait(delay);
        time t = sc_core::SC_ZERO_TIME;
        calls.b_transport->call(trans, t);
        sc_core::wait(t);
        while (m_is_responding) sc_core::wait(m_end_response);
        t = sc_core::SC_ZERO_TIME;
        phase_type phase = tlm::BEGIN_RESP;
        sync s = way_back->nb_transport_bw(trans, phase, t);
        if (s != tlm::TLM_COMPLETED && !(s == tlm::TLM_UPDATED && phase == tlm::END_RESP))
            m_is_responding = true;
    }

    request m_requests[MOST_REQUESTS] = {};
    unsigned m_count = 0;
    payload *m_current = nullptr; /* its request has not ended */
    bool m_is_busy = false, m_is_responding = false;
    sc_core::sc_event m_turn{sc_core::heddle::OF_CHANNEL}, m_end_request{sc_core::heddle::OF_CHANNEL},
        m_response{sc_core::heddle::OF_CHANNEL}, m_freed{sc_core::heddle::OF_CHANNEL},
        m_end_response{sc_core::heddle::OF_CHANNEL};
};

} // namespace heddle
} // namespace tlm_utils

#endif
