/* Functions that sockets are given when a design is elaborated. */
#ifndef HEDDLE_TLM_UTILS_CALLBACK_H
#define HEDDLE_TLM_UTILS_CALLBACK_H

#include "../tlm"

namespace tlm_utils {
namespace heddle {

template <class R, class... A> struct callback {
    virtual ~callback() {}
    virtual R call(A... a) = 0;
};
template <class F, class R, class... A> class callback_of final : public callback<R, A...> {
  public:
    explicit callback_of(F f) : function(f) {}
    R call(A... a) override { return function(a...); }

  private:
    F function;
};

template <class R, class... A, class F> void set_callback(callback<R, A...> *&to, F f) {
    if (to) __heddle_violation("a callback of a socket is registered once");
    to = new callback_of<F, R, A...>(f);
}

/* What the two ways through a socket can be given. */
template <class TYPES> struct forward_callbacks {
    typedef typename TYPES::tlm_payload_type payload;
    typedef typename TYPES::tlm_phase_type phase;
    callback<void, payload &, sc_core::sc_time &> *b_transport = nullptr;
    callback<tlm::tlm_sync_enum, payload &, phase &, sc_core::sc_time &> *nb_transport = nullptr;
    callback<unsigned, payload &> *transport_dbg = nullptr;
    callback<bool, payload &, tlm::tlm_dmi &> *get_direct_mem_ptr = nullptr;
    unsigned debug(payload &trans) const { return transport_dbg ? transport_dbg->call(trans) : 0; }
    bool direct(payload &trans, tlm::tlm_dmi &dmi) const {
        if (get_direct_mem_ptr) return get_direct_mem_ptr->call(trans, dmi);
        dmi.allow_read_write();
        dmi.set_start_address(0);
        dmi.set_end_address(~sc_dt::uint64(0));
        return false;
    }
};
template <class TYPES> struct backward_callbacks {
    typedef typename TYPES::tlm_payload_type payload;
    typedef typename TYPES::tlm_phase_type phase;
    callback<tlm::tlm_sync_enum, payload &, phase &, sc_core::sc_time &> *nb_transport = nullptr;
    callback<void, sc_dt::uint64, sc_dt::uint64> *invalidate = nullptr;
};

} // namespace heddle
} // namespace tlm_utils

#endif
