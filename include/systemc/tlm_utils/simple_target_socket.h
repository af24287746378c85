/* Target sockets that call functions of their module. */
#ifndef HEDDLE_TLM_UTILS_SIMPLE_TARGET_SOCKET_H
#define HEDDLE_TLM_UTILS_SIMPLE_TARGET_SOCKET_H

#include "heddle_adapter.h"
#include "heddle_functions.h"

namespace tlm_utils {

namespace heddle {

template <unsigned BUSWIDTH, class TYPES, sc_core::sc_port_policy POL>
class simple_target : public tlm::tlm_target_socket<BUSWIDTH, TYPES, 1, POL> {
    typedef tlm::tlm_target_socket<BUSWIDTH, TYPES, 1, POL> base;

  public:
    typedef typename TYPES::tlm_payload_type transaction_type;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync_enum_type;
    explicit simple_target(const char *socket_name) : base(socket_name), m_way_back(*this) {
        base::bind(static_cast<tlm::tlm_fw_transport_if<TYPES> &>(m_forward));
    }
    using base::bind;
    tlm::tlm_bw_transport_if<TYPES> *operator->() { return &m_way_back; }
    void start_of_simulation() override {
        base::start_of_simulation();
        m_forward.way_back = this->m_port.get_interface();
    }

  protected:
    forward_callbacks<TYPES> &calls() { return m_forward.calls; }

  private:
    struct way_back : public tlm::tlm_bw_transport_if<TYPES> {
        explicit way_back(simple_target &s) : socket(s) {}
        sync_enum_type nb_transport_bw(transaction_type &trans, phase_type &phase,
                                       sc_core::sc_time &t) override {
            return socket.m_forward.receive(trans, phase, t);
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
            socket.m_forward.way_back->invalidate_direct_mem_ptr(start, end);
        }
        simple_target &socket;
    };
    adapter<TYPES> m_forward;
    way_back m_way_back;
};

} // namespace heddle

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class simple_target_socket_b
    : public heddle::module_functions<MODULE, heddle::simple_target<BUSWIDTH, TYPES, POL>> {
    typedef heddle::module_functions<MODULE, heddle::simple_target<BUSWIDTH, TYPES, POL>> base;

  public:
    using base::base;
    simple_target_socket_b() : base("simple_target_socket") {}
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_target_socket : public simple_target_socket_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using simple_target_socket_b<MODULE, BUSWIDTH, TYPES>::simple_target_socket_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_target_socket_optional
    : public simple_target_socket_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using simple_target_socket_b<MODULE, BUSWIDTH, TYPES,
                                 sc_core::SC_ZERO_OR_MORE_BOUND>::simple_target_socket_b;
};

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class simple_target_socket_tagged_b
    : public heddle::tagged_functions<MODULE, heddle::simple_target<BUSWIDTH, TYPES, POL>> {
    typedef heddle::tagged_functions<MODULE, heddle::simple_target<BUSWIDTH, TYPES, POL>> base;

  public:
    using base::base;
    simple_target_socket_tagged_b() : base("simple_target_socket_tagged") {}
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_target_socket_tagged : public simple_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using simple_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES>::simple_target_socket_tagged_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_target_socket_tagged_optional
    : public simple_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using simple_target_socket_tagged_b<MODULE, BUSWIDTH, TYPES,
                                        sc_core::SC_ZERO_OR_MORE_BOUND>::simple_target_socket_tagged_b;
};

} // namespace tlm_utils

#endif
