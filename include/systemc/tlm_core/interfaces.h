/* The transport, direct memory and debug interfaces. */
#ifndef HEDDLE_TLM_INTERFACES_H
#define HEDDLE_TLM_INTERFACES_H

#include "payload.h"
#include "phase.h"

namespace tlm {

enum tlm_sync_enum { TLM_ACCEPTED, TLM_UPDATED, TLM_COMPLETED };

struct tlm_base_protocol_types {
    typedef tlm_generic_payload tlm_payload_type;
    typedef tlm_phase tlm_phase_type;
};

class tlm_dmi {
  public:
    enum dmi_access_e {
        DMI_ACCESS_NONE = 0,
        DMI_ACCESS_READ = 1,
        DMI_ACCESS_WRITE = 2,
        DMI_ACCESS_READ_WRITE = DMI_ACCESS_READ | DMI_ACCESS_WRITE
    };
    void init() { *this = tlm_dmi(); }
    unsigned char *get_dmi_ptr() const { return m_pointer; }
    sc_dt::uint64 get_start_address() const { return m_start; }
    sc_dt::uint64 get_end_address() const { return m_end; }
    sc_core::sc_time get_read_latency() const { return m_read_latency; }
    sc_core::sc_time get_write_latency() const { return m_write_latency; }
    dmi_access_e get_granted_access() const { return m_access; }
    bool is_none_allowed() const { return m_access == DMI_ACCESS_NONE; }
    bool is_read_allowed() const { return m_access & DMI_ACCESS_READ; }
    bool is_write_allowed() const { return m_access & DMI_ACCESS_WRITE; }
    bool is_read_write_allowed() const { return m_access == DMI_ACCESS_READ_WRITE; }
    void set_dmi_ptr(unsigned char *pointer) { m_pointer = pointer; }
    void set_start_address(sc_dt::uint64 start) { m_start = start; }
    void set_end_address(sc_dt::uint64 end) { m_end = end; }
    void set_read_latency(sc_core::sc_time t) { m_read_latency = t; }
    void set_write_latency(sc_core::sc_time t) { m_write_latency = t; }
    void set_granted_access(dmi_access_e access) { m_access = access; }
    void allow_none() { m_access = DMI_ACCESS_NONE; }
    void allow_read() { m_access = DMI_ACCESS_READ; }
    void allow_write() { m_access = DMI_ACCESS_WRITE; }
    void allow_read_write() { m_access = DMI_ACCESS_READ_WRITE; }

  private:
    unsigned char *m_pointer = nullptr;
    sc_dt::uint64 m_start = 0, m_end = ~sc_dt::uint64(0);
    dmi_access_e m_access = DMI_ACCESS_NONE;
    sc_core::sc_time m_read_latency, m_write_latency;
};

template <class TRANS = tlm_generic_payload, class PHASE = tlm_phase>
class tlm_fw_nonblocking_transport_if : public virtual sc_core::sc_interface {
  public:
    virtual tlm_sync_enum nb_transport_fw(TRANS &, PHASE &, sc_core::sc_time &) = 0;
};
template <class TRANS = tlm_generic_payload, class PHASE = tlm_phase>
class tlm_bw_nonblocking_transport_if : public virtual sc_core::sc_interface {
  public:
    virtual tlm_sync_enum nb_transport_bw(TRANS &, PHASE &, sc_core::sc_time &) = 0;
};
template <class TRANS = tlm_generic_payload>
class tlm_blocking_transport_if : public virtual sc_core::sc_interface {
  public:
    virtual void b_transport(TRANS &, sc_core::sc_time &) = 0;
};
template <class TRANS = tlm_generic_payload>
class tlm_fw_direct_mem_if : public virtual sc_core::sc_interface {
  public:
    virtual bool get_direct_mem_ptr(TRANS &, tlm_dmi &) = 0;
};
class tlm_bw_direct_mem_if : public virtual sc_core::sc_interface {
  public:
    virtual void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) = 0;
};
template <class TRANS = tlm_generic_payload>
class tlm_transport_dbg_if : public virtual sc_core::sc_interface {
  public:
    virtual unsigned transport_dbg(TRANS &) = 0; /* bytes that were read or written */
};

template <class TYPES = tlm_base_protocol_types>
class tlm_fw_transport_if : public virtual tlm_fw_nonblocking_transport_if<typename TYPES::tlm_payload_type,
                                                                           typename TYPES::tlm_phase_type>,
                            public virtual tlm_blocking_transport_if<typename TYPES::tlm_payload_type>,
                            public virtual tlm_fw_direct_mem_if<typename TYPES::tlm_payload_type>,
                            public virtual tlm_transport_dbg_if<typename TYPES::tlm_payload_type> {
  public:
    typedef TYPES protocol_types;
};
template <class TYPES = tlm_base_protocol_types>
class tlm_bw_transport_if : public virtual tlm_bw_nonblocking_transport_if<typename TYPES::tlm_payload_type,
                                                                           typename TYPES::tlm_phase_type>,
                            public virtual tlm_bw_direct_mem_if {
  public:
    typedef TYPES protocol_types;
};

} // namespace tlm

#endif
