/* Which functions of its module a target socket calls: BASE has the callbacks, `calls()`. */
#ifndef HEDDLE_TLM_UTILS_FUNCTIONS_H
#define HEDDLE_TLM_UTILS_FUNCTIONS_H

#include "heddle_callback.h"

namespace tlm_utils {
namespace heddle {

template <class MODULE, class BASE> class module_functions : public BASE {
  public:
    typedef typename BASE::transaction_type transaction_type;
    typedef typename BASE::phase_type phase_type;
    using BASE::BASE;
    void register_b_transport(MODULE *m, void (MODULE::*f)(transaction_type &, sc_core::sc_time &)) {
        set_callback(this->calls().b_transport,
                     [m, f](transaction_type &trans, sc_core::sc_time &t) { (m->*f)(trans, t); });
    }
    void register_nb_transport_fw(MODULE *m, tlm::tlm_sync_enum (MODULE::*f)(transaction_type &, phase_type &,
                                                                             sc_core::sc_time &)) {
        set_callback(this->calls().nb_transport,
                     [m, f](transaction_type &trans, phase_type &phase, sc_core::sc_time &t) {
                         return (m->*f)(trans, phase, t);
                     });
    }
    void register_transport_dbg(MODULE *m, unsigned (MODULE::*f)(transaction_type &)) {
        set_callback(this->calls().transport_dbg, [m, f](transaction_type &trans) { return (m->*f)(trans); });
    }
    void register_get_direct_mem_ptr(MODULE *m, bool (MODULE::*f)(transaction_type &, tlm::tlm_dmi &)) {
        set_callback(this->calls().get_direct_mem_ptr,
                     [m, f](transaction_type &trans, tlm::tlm_dmi &dmi) { return (m->*f)(trans, dmi); });
    }
};

/* Tells its number to the functions it calls. */
template <class MODULE, class BASE> class tagged_functions : public BASE {
  public:
    typedef typename BASE::transaction_type transaction_type;
    typedef typename BASE::phase_type phase_type;
    using BASE::BASE;
    void register_b_transport(MODULE *m, void (MODULE::*f)(int, transaction_type &, sc_core::sc_time &),
                              int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        set_callback(this->calls().b_transport, [m, f, id](transaction_type &trans, sc_core::sc_time &t) {
            (m->*f)(static_cast<int>(id), trans, t);
        });
    }
    void register_nb_transport_fw(MODULE *m,
                                  tlm::tlm_sync_enum (MODULE::*f)(int, transaction_type &, phase_type &,
                                                                  sc_core::sc_time &),
                                  int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        set_callback(this->calls().nb_transport,
                     [m, f, id](transaction_type &trans, phase_type &phase, sc_core::sc_time &t) {
                         return (m->*f)(static_cast<int>(id), trans, phase, t);
                     });
    }
    void register_transport_dbg(MODULE *m, unsigned (MODULE::*f)(int, transaction_type &), int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        set_callback(this->calls().transport_dbg,
                     [m, f, id](transaction_type &trans) { return (m->*f)(static_cast<int>(id), trans); });
    }
    void register_get_direct_mem_ptr(MODULE *m, bool (MODULE::*f)(int, transaction_type &, tlm::tlm_dmi &),
                                     int id_of_it) {
        long id = id_of_it; /* no padding in what is kept */
        set_callback(this->calls().get_direct_mem_ptr,
                     [m, f, id](transaction_type &trans, tlm::tlm_dmi &dmi) {
                         return (m->*f)(static_cast<int>(id), trans, dmi);
                     });
    }
};

} // namespace heddle
} // namespace tlm_utils

#endif
