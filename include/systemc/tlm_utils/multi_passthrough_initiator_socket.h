/* Initiator sockets that are bound to any number of targets. Each binding has a number, from 0 on in the
 * order in which they are made: socket[k] calls the k-th target, and what it calls back is told k.
 *
 * A socket of a module inside may be bound to that of the module around. The bindings are then the outer
 * one's, the functions the inner one's. */
#ifndef HEDDLE_TLM_UTILS_MULTI_PASSTHROUGH_INITIATOR_SOCKET_H
#define HEDDLE_TLM_UTILS_MULTI_PASSTHROUGH_INITIATOR_SOCKET_H

#include "heddle_callback.h"

namespace tlm_utils {

namespace heddle {

template <class TYPES> struct numbered_backward_callbacks {
    typedef typename TYPES::tlm_payload_type payload;
    typedef typename TYPES::tlm_phase_type phase;
    callback<tlm::tlm_sync_enum, int, payload &, phase &, sc_core::sc_time &> *nb_transport = nullptr;
    callback<void, int, sc_dt::uint64, sc_dt::uint64> *invalidate = nullptr;
};

template <unsigned BUSWIDTH, class TYPES, unsigned N, sc_core::sc_port_policy POL>
class multi_initiator : public tlm::tlm_initiator_socket<BUSWIDTH, TYPES, static_cast<int>(N), POL> {
    typedef tlm::tlm_initiator_socket<BUSWIDTH, TYPES, static_cast<int>(N), POL> base;

  public:
    typedef typename TYPES::tlm_payload_type transaction_type;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync_enum_type;
    explicit multi_initiator(const char *socket_name) : base(socket_name) {
        this->m_export.heddle_may_stay_unbound();
    }
    using base::bind;
    void bind(multi_initiator &outer) {
        if (outer.m_inner) __heddle_violation("a socket is bound to one of a module inside at most once");
        if (!m_bindings.empty()) __heddle_violation("a socket is bound either directly or to one around it");
        outer.m_inner = this;
        this->get_base_port().bind(outer.get_base_port());
    }
    using base::operator();
    void operator()(multi_initiator &outer) { bind(outer); }

    tlm::tlm_bw_transport_if<TYPES> &get_base_interface() override {
        m_bindings.push_back(new way_back(static_cast<long>(m_bindings.size())));
        return *m_bindings.back();
    }
    void end_of_elaboration() override {
        base::end_of_elaboration();
        multi_initiator *innermost = this;
        while (innermost->m_inner) innermost = innermost->m_inner;
        for (way_back *b : m_bindings) b->calls = innermost->m_calls;
    }

  protected:
    numbered_backward_callbacks<TYPES> m_calls;

  private:
    struct way_back : public tlm::tlm_bw_transport_if<TYPES> {
        explicit way_back(long n) : number(n) {}
        sync_enum_type nb_transport_bw(transaction_type &trans, phase_type &phase,
                                       sc_core::sc_time &t) override {
            if (!calls.nb_transport) __heddle_violation("a socket that is called has an nb_transport_bw");
            return calls.nb_transport->call(static_cast<int>(number), trans, phase, t);
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
            if (calls.invalidate) calls.invalidate->call(static_cast<int>(number), start, end);
        }
        numbered_backward_callbacks<TYPES> calls;
        long number; /* no padding */
    };
    std::vector<way_back *> m_bindings;
    multi_initiator *m_inner = nullptr;
};

} // namespace heddle

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types, unsigned N = 0,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class multi_passthrough_initiator_socket : public heddle::multi_initiator<BUSWIDTH, TYPES, N, POL> {
    typedef heddle::multi_initiator<BUSWIDTH, TYPES, N, POL> base;

  public:
    typedef typename base::transaction_type transaction_type;
    typedef typename base::phase_type phase_type;
    using base::base;
    multi_passthrough_initiator_socket() : base("multi_passthrough_initiator_socket") {}
    void register_nb_transport_bw(MODULE *m,
                                  tlm::tlm_sync_enum (MODULE::*f)(int, transaction_type &, phase_type &,
                                                                  sc_core::sc_time &)) {
        (void)sc_core::heddle::spawn_call<MODULE>::is_made; /* targets may answer by processes */
        heddle::set_callback(this->m_calls.nb_transport,
                             [m, f](int number, transaction_type &trans, phase_type &phase,
                                    sc_core::sc_time &t) { return (m->*f)(number, trans, phase, t); });
    }
    void register_invalidate_direct_mem_ptr(MODULE *m, void (MODULE::*f)(int, sc_dt::uint64, sc_dt::uint64)) {
        heddle::set_callback(
            this->m_calls.invalidate,
            [m, f](int number, sc_dt::uint64 start, sc_dt::uint64 end) { (m->*f)(number, start, end); });
    }
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types, unsigned N = 0>
class multi_passthrough_initiator_socket_optional
    : public multi_passthrough_initiator_socket<MODULE, BUSWIDTH, TYPES, N, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using multi_passthrough_initiator_socket<
        MODULE, BUSWIDTH, TYPES, N, sc_core::SC_ZERO_OR_MORE_BOUND>::multi_passthrough_initiator_socket;
};

} // namespace tlm_utils

#endif
