/* Initiator and target sockets: a port one way and an export the other. */
#ifndef HEDDLE_TLM_SOCKETS_H
#define HEDDLE_TLM_SOCKETS_H

#include "interfaces.h"

namespace tlm {

enum tlm_socket_category {
    TLM_UNKNOWN_SOCKET = 0,
    TLM_INITIATOR_SOCKET = 1,
    TLM_TARGET_SOCKET = 2,
    TLM_MULTI_SOCKET = 4,
    TLM_MULTI_INITIATOR_SOCKET = TLM_INITIATOR_SOCKET | TLM_MULTI_SOCKET,
    TLM_MULTI_TARGET_SOCKET = TLM_TARGET_SOCKET | TLM_MULTI_SOCKET
};

template <unsigned BUSWIDTH, class FW_IF, class BW_IF> class tlm_base_initiator_socket_b {
  public:
    virtual ~tlm_base_initiator_socket_b() {}
    virtual sc_core::sc_port_b<FW_IF> &get_base_port() = 0;
    virtual BW_IF &get_base_interface() = 0;
    virtual sc_core::sc_export<BW_IF> &get_base_export() = 0;
};
template <unsigned BUSWIDTH, class FW_IF, class BW_IF> class tlm_base_target_socket_b {
  public:
    virtual ~tlm_base_target_socket_b() {}
    virtual sc_core::sc_port_b<BW_IF> &get_base_port() = 0;
    virtual FW_IF &get_base_interface() = 0;
    virtual sc_core::sc_export<FW_IF> &get_base_export() = 0;
};

inline std::string heddle_socket_part(const char *socket, const char *part) {
    return std::string(socket) + part;
}

template <unsigned BUSWIDTH = 32, class FW_IF = tlm_fw_transport_if<>, class BW_IF = tlm_bw_transport_if<>,
          int N = 1, sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_base_initiator_socket : public tlm_base_initiator_socket_b<BUSWIDTH, FW_IF, BW_IF>,
                                  public sc_core::sc_port<FW_IF, N, POL> {
  public:
    typedef FW_IF fw_interface_type;
    typedef BW_IF bw_interface_type;
    typedef sc_core::sc_port<FW_IF, N, POL> port_type;
    typedef sc_core::sc_export<BW_IF> export_type;
    typedef tlm_base_target_socket_b<BUSWIDTH, FW_IF, BW_IF> base_target_socket_type;
    typedef tlm_base_initiator_socket_b<BUSWIDTH, FW_IF, BW_IF> base_type;

    tlm_base_initiator_socket()
        : tlm_base_initiator_socket(sc_core::sc_gen_unique_name("tlm_base_initiator_socket")) {}
    explicit tlm_base_initiator_socket(const char *socket_name)
        : port_type(socket_name), m_export(heddle_socket_part(socket_name, "_export").c_str()) {}
    const char *kind() const override { return "tlm_base_initiator_socket"; }
    unsigned get_bus_width() const { return BUSWIDTH; }

    virtual void bind(base_target_socket_type &s) {
        get_base_port().bind(s.get_base_interface());
        s.get_base_port().bind(get_base_interface());
    }
    void operator()(base_target_socket_type &s) { bind(s); }
    /* To the socket of the module around. */
    virtual void bind(base_type &s) {
        get_base_port().bind(s.get_base_port());
        s.get_base_export().bind(get_base_interface());
    }
    void operator()(base_type &s) { bind(s); }
    virtual void bind(BW_IF &i) { m_export.bind(i); }
    void operator()(BW_IF &i) { bind(i); }

    sc_core::sc_port_b<FW_IF> &get_base_port() override { return *this; }
    BW_IF &get_base_interface() override { return m_export; }
    sc_core::sc_export<BW_IF> &get_base_export() override { return m_export; }

  protected:
    export_type m_export;
};

template <unsigned BUSWIDTH = 32, class FW_IF = tlm_fw_transport_if<>, class BW_IF = tlm_bw_transport_if<>,
          int N = 1, sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_base_target_socket : public tlm_base_target_socket_b<BUSWIDTH, FW_IF, BW_IF>,
                               public sc_core::sc_export<FW_IF> {
  public:
    typedef FW_IF fw_interface_type;
    typedef BW_IF bw_interface_type;
    typedef sc_core::sc_port<BW_IF, N, POL> port_type;
    typedef sc_core::sc_export<FW_IF> export_type;
    typedef tlm_base_initiator_socket_b<BUSWIDTH, FW_IF, BW_IF> base_initiator_socket_type;
    typedef tlm_base_target_socket_b<BUSWIDTH, FW_IF, BW_IF> base_type;

    tlm_base_target_socket()
        : tlm_base_target_socket(sc_core::sc_gen_unique_name("tlm_base_target_socket")) {}
    explicit tlm_base_target_socket(const char *socket_name)
        : export_type(socket_name), m_port(heddle_socket_part(socket_name, "_port").c_str()) {}
    const char *kind() const override { return "tlm_base_target_socket"; }
    unsigned get_bus_width() const { return BUSWIDTH; }

    virtual void bind(base_initiator_socket_type &s) {
        s.get_base_port().bind(get_base_interface());
        get_base_port().bind(s.get_base_interface());
    }
    void operator()(base_initiator_socket_type &s) { bind(s); }
    /* To the socket of a module inside. */
    virtual void bind(base_type &s) {
        get_base_export().bind(s.get_base_interface());
        s.get_base_port().bind(get_base_port());
    }
    void operator()(base_type &s) { bind(s); }
    void bind(FW_IF &i) override { export_type::bind(i); }
    void operator()(FW_IF &i) { bind(i); }

    int size() const { return m_port.size(); }
    BW_IF *operator->() { return m_port.operator->(); }
    BW_IF *operator[](int k) { return m_port[k]; }
    sc_core::sc_port_b<BW_IF> &get_base_port() override { return m_port; }
    FW_IF &get_base_interface() override { return *this; }
    sc_core::sc_export<FW_IF> &get_base_export() override { return *this; }

  protected:
    port_type m_port;
};

template <unsigned BUSWIDTH = 32, class TYPES = tlm_base_protocol_types, int N = 1,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_initiator_socket : public tlm_base_initiator_socket<BUSWIDTH, tlm_fw_transport_if<TYPES>,
                                                              tlm_bw_transport_if<TYPES>, N, POL> {
  public:
    typedef tlm_base_initiator_socket<BUSWIDTH, tlm_fw_transport_if<TYPES>, tlm_bw_transport_if<TYPES>, N,
                                      POL>
        base;
    using base::base;
    tlm_initiator_socket() : base(sc_core::sc_gen_unique_name("tlm_initiator_socket")) {}
    const char *kind() const override { return "tlm_initiator_socket"; }
};
template <unsigned BUSWIDTH = 32, class TYPES = tlm_base_protocol_types, int N = 1,
          sc_core::sc_port_policy POL = sc_core::SC_ONE_OR_MORE_BOUND>
class tlm_target_socket : public tlm_base_target_socket<BUSWIDTH, tlm_fw_transport_if<TYPES>,
                                                        tlm_bw_transport_if<TYPES>, N, POL> {
  public:
    typedef tlm_base_target_socket<BUSWIDTH, tlm_fw_transport_if<TYPES>, tlm_bw_transport_if<TYPES>, N, POL>
        base;
    using base::base;
    tlm_target_socket() : base(sc_core::sc_gen_unique_name("tlm_target_socket")) {}
    const char *kind() const override { return "tlm_target_socket"; }
};

} // namespace tlm

#endif
