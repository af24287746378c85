/* Initiator sockets that call functions of their module. */
#ifndef HEDDLE_TLM_UTILS_SIMPLE_INITIATOR_SOCKET_H
#define HEDDLE_TLM_UTILS_SIMPLE_INITIATOR_SOCKET_H

#include "heddle_callback.h"

namespace tlm_utils {

namespace heddle {

template <unsigned BUSWIDTH, class TYPES, sc_core::sc_port_policy POL>
class simple_initiator : public tlm::tlm_initiator_socket<BUSWIDTH, TYPES, 1, POL> {
  public:
    typedef typename TYPES::tlm_payload_type transaction_type;
    typedef typename TYPES::tlm_phase_type phase_type;
    typedef tlm::tlm_sync_enum sync_enum_type;
    explicit simple_initiator(const char *socket_name)
        : tlm::tlm_initiator_socket<BUSWIDTH, TYPES, 1, POL>(socket_name) {
        this->m_export.bind(m_way_back);
    }

  protected:
    /* Who registers this speaks the protocol of nb_transport, which targets may answer by processes. */
    template <class F> void set_nb_transport(F f) {
        (void)sc_core::heddle::spawn_call<F>::is_made;
        set_callback(m_way_back.calls.nb_transport, f);
    }
    template <class F> void set_invalidate(F f) { set_callback(m_way_back.calls.invalidate, f); }

  private:
    struct way_back : public tlm::tlm_bw_transport_if<TYPES> {
        sync_enum_type nb_transport_bw(transaction_type &trans, phase_type &phase,
                                       sc_core::sc_time &t) override {
            if (!calls.nb_transport) __heddle_violation("a socket that is called has an nb_transport_bw");
            return calls.nb_transport->call(trans, phase, t);
        }
        void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
            if (calls.invalidate) calls.invalidate->call(start, end);
        }
        backward_callbacks<TYPES> calls;
    };
    way_back m_way_back;
};

} // namespace heddle

template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class simple_initiator_socket_b : public heddle::simple_initiator<BUSWIDTH, TYPES, POL> {
    typedef heddle::simple_initiator<BUSWIDTH, TYPES, POL> base;

  public:
    typedef typename base::transaction_type transaction_type;
    typedef typename base::phase_type phase_type;
    simple_initiator_socket_b() : base("simple_initiator_socket") {}
    explicit simple_initiator_socket_b(const char *socket_name) : base(socket_name) {}
    void register_nb_transport_bw(MODULE *m, tlm::tlm_sync_enum (MODULE::*f)(transaction_type &, phase_type &,
                                                                             sc_core::sc_time &)) {
        this->set_nb_transport([m, f](transaction_type &trans, phase_type &phase, sc_core::sc_time &t) {
            return (m->*f)(trans, phase, t);
        });
    }
    void register_invalidate_direct_mem_ptr(MODULE *m, void (MODULE::*f)(sc_dt::uint64, sc_dt::uint64)) {
        this->set_invalidate([m, f](sc_dt::uint64 start, sc_dt::uint64 end) { (m->*f)(start, end); });
    }
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_initiator_socket : public simple_initiator_socket_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using simple_initiator_socket_b<MODULE, BUSWIDTH, TYPES>::simple_initiator_socket_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_initiator_socket_optional
    : public simple_initiator_socket_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using simple_initiator_socket_b<MODULE, BUSWIDTH, TYPES,
                                    sc_core::SC_ZERO_OR_MORE_BOUND>::simple_initiator_socket_b;
};

/* Tells its number to the functions it calls. */
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class simple_initiator_socket_tagged_b : public heddle::simple_initiator<BUSWIDTH, TYPES, POL> {
    typedef heddle::simple_initiator<BUSWIDTH, TYPES, POL> base;

  public:
    typedef typename base::transaction_type transaction_type;
    typedef typename base::phase_type phase_type;
    simple_initiator_socket_tagged_b() : base("simple_initiator_socket_tagged") {}
    explicit simple_initiator_socket_tagged_b(const char *socket_name) : base(socket_name) {}
    void register_nb_transport_bw(MODULE *m,
                                  tlm::tlm_sync_enum (MODULE::*f)(int, transaction_type &, phase_type &,
                                                                  sc_core::sc_time &),
                                  int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        this->set_nb_transport([m, f, id](transaction_type &trans, phase_type &phase, sc_core::sc_time &t) {
            return (m->*f)(static_cast<int>(id), trans, phase, t);
        });
    }
    void register_invalidate_direct_mem_ptr(MODULE *m, void (MODULE::*f)(int, sc_dt::uint64, sc_dt::uint64),
                                            int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        this->set_invalidate([m, f, id](sc_dt::uint64 start, sc_dt::uint64 end) {
            (m->*f)(static_cast<int>(id), start, end);
        });
    }
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_initiator_socket_tagged : public simple_initiator_socket_tagged_b<MODULE, BUSWIDTH, TYPES> {
  public:
    using simple_initiator_socket_tagged_b<MODULE, BUSWIDTH, TYPES>::simple_initiator_socket_tagged_b;
};
template <class MODULE, unsigned BUSWIDTH = 32, class TYPES = tlm::tlm_base_protocol_types>
class simple_initiator_socket_tagged_optional
    : public simple_initiator_socket_tagged_b<MODULE, BUSWIDTH, TYPES, sc_core::SC_ZERO_OR_MORE_BOUND> {
  public:
    using simple_initiator_socket_tagged_b<MODULE, BUSWIDTH, TYPES,
                                           sc_core::SC_ZERO_OR_MORE_BOUND>::simple_initiator_socket_tagged_b;
};

} // namespace tlm_utils

#endif
