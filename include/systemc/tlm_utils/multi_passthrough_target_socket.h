/* Target sockets that any number of initiators are bound to. Each binding has a number, from 0 on in the
 * order in which they are made: what a socket calls is told it, and socket[k] calls the k-th initiator back.
 *
 * A socket of a module inside may be bound to that of the module around. The bindings are then the outer
 * one's, the functions the inner one's. */
#ifndef HEDDLE_TLM_UTILS_MULTI_PASSTHROUGH_TARGET_SOCKET_H
#define HEDDLE_TLM_UTILS_MULTI_PASSTHROUGH_TARGET_SOCKET_H

#include "heddle_callback.h"

namespace tlm_utils {

namespace heddle {

template <class TYPES> struct numbered_forward_callbacks {
    typedef typename TYPES::tlm_payload_type payload;
    typedef typename TYPES::tlm_phase_type phase;
    callback<void, int, payload &, sc_core::sc_time &> *b_transport = nullptr;
    callback<tlm::tlm_sync_enum, int, payload &, phase &, sc_core::sc_time &> *nb_transport = nullptr;
    callback<unsigned, int, payload &> *transport_dbg = nullptr;
    callback<bool, int, payload &, tlm::tlm_dmi &> *get_direct_mem_ptr = nullptr;
};

template <unsigned BUSWIDTH, class TYPES, unsigned N, sc_core::sc_port_policy POL>
class multi_target : public tlm::tlm_target_socket<BUSWIDTH, TYPES, static_cast<int>(N), POL> {
    typedef tlm::tlm_target_socket<BUSWIDTH, TYPES, static_cast<int>(N), POL> base;

  public:
    typedef typename TYPES::tlm_payload_type transaction_type;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync_enum_type;
    explicit multi_target(const char *socket_name) : base(socket_name) { this->heddle_may_stay_unbound(); }
    using base::bind;
    void bind(multi_target &inner) {
        if (m_inner) __heddle_violation("a socket is bound to one of a module inside at most once");
        if (!inner.m_bindings.empty())
            __heddle_violation("a socket is bound either directly or to one around it");
        m_inner = &inner;
        inner.get_base_port().bind(this->get_base_port());
    }
    using base::operator();
    void operator()(multi_target &inner) { bind(inner); }

    tlm::tlm_fw_transport_if<TYPES> &get_base_interface() override {
        m_bindings.push_back(new forward(static_cast<long>(m_bindings.size())));
        return *m_bindings.back();
    }
    void end_of_elaboration() override {
        base::end_of_elaboration();
        multi_target *innermost = this;
        while (innermost->m_inner) innermost = innermost->m_inner;
        for (forward *b : m_bindings) b->calls = innermost->m_calls;
    }

  protected:
    numbered_forward_callbacks<TYPES> m_calls;

  private:
    struct forward : public tlm::tlm_fw_transport_if<TYPES> {
        explicit forward(long n) : number(n) {}
        void b_transport(transaction_type &trans, sc_core::sc_time &t) override {
            if (!calls.b_transport) __heddle_violation("a socket that is called has a b_transport");
            calls.b_transport->call(static_cast<int>(number), trans, t);
        }
        sync_enum_type nb_transport_fw(transaction_type &trans, phase_type &phase,
                                       sc_core::sc_time &t) override {
            if (!calls.nb_transport) __heddle_violation("a socket that is called has an nb_transport_fw");
            return calls.nb_transport->call(static_cast<int>(number), trans, phase, t);
        }
        unsigned transport_dbg(transaction_type &trans) override {
            return calls.transport_dbg ? calls.transport_dbg->call(static_cast<int>(number), trans) : 0;
        }
        bool get_direct_mem_ptr(transaction_type &trans, tlm::tlm_dmi &dmi) override {
            if (calls.get_direct_mem_ptr)
                return calls.get_direct_mem_ptr->call(static_cast<int>(number), trans, dmi);
            dmi.allow_none();
            dmi.set_start_address(0);
            dmi.set_end_address(~sc_dt::uint64(0));
            return false;
        }
        numbered_forward_callbacks<TYPES> calls;
        long number; /* no padding */
    };
    std::vector<forward *> m_bindings;
    multi_target *m_inner = nullptr;
};

} // namespace heddle

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types, unsigned N = 0,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class multi_passthrough_target_socket : public heddle::multi_target<BUSWIDTH, TYPES, N, POL> {
    typedef heddle::multi_target<BUSWIDTH, TYPES, N, POL> base;

  public:
    typedef typename base::transaction_type transaction_type;
    typedef typename base::phase_type phase_type;
    using base::base;
    multi_passthrough_target_socket() : base("multi_passthrough_target_socket") {}
    void register_b_transport(MODULE *m, void (MODULE::*f)(int, transaction_type &, sc_core::sc_time &)) {
        heddle::set_callback(
            this->m_calls.b_transport,
            [m, f](int number, transaction_type &trans, sc_core::sc_time &t) { (m->*f)(number, trans, t); });
    }
    void register_nb_transport_fw(MODULE *m,
                                  tlm::tlm_sync_enum (MODULE::*f)(int, transaction_type &, phase_type &,
                                                                  sc_core::sc_time &)) {
        heddle::set_callback(this->m_calls.nb_transport,
                             [m, f](int number, transaction_type &trans, phase_type &phase,
                                    sc_core::sc_time &t) { return (m->*f)(number, trans, phase, t); });
    }
    void register_transport_dbg(MODULE *m, unsigned (MODULE::*f)(int, transaction_type &)) {
        heddle::set_callback(this->m_calls.transport_dbg,
                             [m, f](int number, transaction_type &trans) { return (m->*f)(number, trans); });
    }
    void register_get_direct_mem_ptr(MODULE *m, bool (MODULE::*f)(int, transaction_type &, tlm::tlm_dmi &)) {
        heddle::set_callback(this->m_calls.get_direct_mem_ptr,
                             [m, f](int number, transaction_type &trans, tlm::tlm_dmi &dmi) {
                                 return (m->*f)(number, trans, dmi);
                             });
    }
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types, unsigned N = 0>
class multi_passthrough_target_socket_optional
    : public multi_passthrough_target_socket<MODULE, BUSWIDTH, TYPES, N, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using multi_passthrough_target_socket<MODULE, BUSWIDTH, TYPES, N,
                                          sc_core::SC_ZERO_OR_MORE_BOUND>::multi_passthrough_target_socket;
};

} // namespace tlm_utils

#endif
