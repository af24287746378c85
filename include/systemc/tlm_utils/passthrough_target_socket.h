/* Target sockets that call functions of their module, each kind of call its own: none goes over
 * to the other. */
#ifndef HEDDLE_TLM_UTILS_PASSTHROUGH_TARGET_SOCKET_H
#define HEDDLE_TLM_UTILS_PASSTHROUGH_TARGET_SOCKET_H

#include "heddle_functions.h"

namespace tlm_utils {

namespace heddle {

template <unsigned BUSWIDTH, class TYPES, sc_core::sc_port_policy POL>
class passthrough_target : public tlm::tlm_target_socket<BUSWIDTH, TYPES, 1, POL> {
    typedef tlm::tlm_target_socket<BUSWIDTH, TYPES, 1, POL> base;

  public:
    typedef typename TYPES::tlm_payload_type transaction_type;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync_enum_type;
    explicit passthrough_target(const char *socket_name) : base(socket_name) {
        base::bind(static_cast<tlm::tlm_fw_transport_if<TYPES> &>(m_forward));
    }
    using base::bind;

  protected:
    forward_callbacks<TYPES> &calls() { return m_forward.calls; }

  private:
    struct forward : public tlm::tlm_fw_transport_if<TYPES> {
        void b_transport(transaction_type &trans, sc_core::sc_time &t) override {
            if (!calls.b_transport) __heddle_violation("a socket that is called has a b_transport");
            calls.b_transport->call(trans, t);
        }
        sync_enum_type nb_transport_fw(transaction_type &trans, phase_type &phase,
                                       sc_core::sc_time &t) override {
            if (!calls.nb_transport) __heddle_violation("a socket that is called has an nb_transport_fw");
            return calls.nb_transport->call(trans, phase, t);
        }
        unsigned transport_dbg(transaction_type &trans) override { return calls.debug(trans); }
        bool get_direct_mem_ptr(transaction_type &trans, tlm::tlm_dmi &dmi) override {
            return calls.direct(trans, dmi);
        }
        forward_callbacks<TYPES> calls;
    };
    forward m_forward;
};

} // namespace heddle

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class passthrough_target_socket_b
    : public heddle::module_functions<MODULE, heddle::passthrough_target<BUSWIDTH, TYPES, POL>> {
    typedef heddle::module_functions<MODULE, heddle::passthrough_target<BUSWIDTH, TYPES, POL>> base;

  public:
    using base::base;
    passthrough_target_socket_b() : base("passthrough_target_socket") {}
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class passthrough_target_socket : public passthrough_target_socket_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using passthrough_target_socket_b<MODULE, BUSWIDTH, TYPES>::passthrough_target_socket_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class passthrough_target_socket_optional
    : public passthrough_target_socket_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using passthrough_target_socket_b<MODULE, BUSWIDTH, TYPES,
                                      sc_core::SC_ZERO_OR_MORE_BOUND>::passthrough_target_socket_b;
};

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class passthrough_target_socket_tagged_b
    : public heddle::tagged_functions<MODULE, heddle::passthrough_target<BUSWIDTH, TYPES, POL>> {
    typedef heddle::tagged_functions<MODULE, heddle::passthrough_target<BUSWIDTH, TYPES, POL>> base;

  public:
    using base::base;
    passthrough_target_socket_tagged_b() : base("passthrough_target_socket_tagged") {}
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class passthrough_target_socket_tagged : public passthrough_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using passthrough_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES>::passthrough_target_socket_tagged_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class passthrough_target_socket_tagged_optional
    : public passthrough_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using passthrough_target_socket_tagged_b<
        MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND>::passthrough_target_socket_tagged_b;
};

} // namespace tlm_utils

#endif
