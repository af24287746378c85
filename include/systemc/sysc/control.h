/* Processes that are reset, killed or made to throw, by signals or by others.
 *
 * kill, reset and throw_it take effect before they return: the process that is meant runs, finds out what is
 * demanded of it where it waits, and goes on until it waits again or ends. Only then does the
 * caller go on. */
#ifndef HEDDLE_SYSTEMC_CONTROL_H
#define HEDDLE_SYSTEMC_CONTROL_H

#include "process.h"

namespace sc_core {
namespace heddle {

class watching_control final : public process_control {
  public:
    void live(sc_process_b &p) override {
        if (p.demanded == DEMAND_THROW) __heddle_unsupported("throw_it to a process that has not begun");
        while (p.demanded != DEMAND_KILL) {
            p.demanded = DEMAND_NOTHING;
            bool again = false;
            try {
                p.body();
                if (p.is_unwinding)
                    __heddle_violation("sc_unwind_exception is thrown again by who catches it");
            } catch (const sc_unwind_exception &e) {
                again = e.is_reset();
                p.is_unwinding = false;
                if (!again) return;
            }
            if (again) continue;
            if (p.what != SC_METHOD_PROC_) return;
            p.await_trigger();
        }
    }
    void after_wait(sc_process_b &p) override {
        if (p.resets) p.resets->after_wait(p);
        demand d = p.demanded;
        if (d == DEMAND_NOTHING && !p.resets_at_waits) return;
        p.demanded = DEMAND_NOTHING;
        if (d == DEMAND_THROW) p.to_throw->raise();
        unwind(p, d != DEMAND_KILL);
    }
    [[noreturn]] static void unwind(sc_process_b &p, bool resets) {
        p.is_unwinding = true;
        throw sc_unwind_exception(resets);
    }
    static void tell(sc_process_b &p, demand d) {
        if (p.is_unwinding) return; /* that has begun */
        p.demanded = d;
        __heddle_sc_run_now(p.number);
    }
};
inline watching_control the_control;

/* Instantiated by calls of what needs it. */
template <class WHO> struct watched { static const bool is_made; };
template <class WHO> const bool watched<WHO>::is_made = (control = &the_control, true);

template <class E> class exception_of final : public exception_to_throw {
  public:
    explicit exception_of(const E &e) : m_exception(e) {}
    [[noreturn]] void raise() const override { throw m_exception; }

  private:
    E m_exception;
};

} // namespace heddle

template <class WHO> void sc_process_handle::kill(sc_descendant_inclusion_info with) {
    (void)heddle::watched<WHO>::is_made;
    if (!may_control(with)) return;
    if (m_process == sc_process_b::running()) heddle::watching_control::unwind(*m_process, false);
    heddle::watching_control::tell(*m_process, heddle::DEMAND_KILL);
}
template <class WHO> void sc_process_handle::reset(sc_descendant_inclusion_info with) {
    (void)heddle::watched<WHO>::is_made;
    if (!may_control(with)) return;
    if (m_process == sc_process_b::running()) heddle::watching_control::unwind(*m_process, true);
    heddle::watching_control::tell(*m_process, heddle::DEMAND_RESET);
}
template <class WHO> void sc_process_handle::sync_reset_on(sc_descendant_inclusion_info with) {
    (void)heddle::watched<WHO>::is_made;
    if (may_control(with)) m_process->resets_at_waits = true;
}
template <class WHO> void sc_process_handle::sync_reset_off(sc_descendant_inclusion_info with) {
    (void)heddle::watched<WHO>::is_made;
    if (may_control(with)) m_process->resets_at_waits = false;
}
template <class E> void sc_process_handle::throw_it(const E &e, sc_descendant_inclusion_info with) {
    (void)heddle::watched<E>::is_made;
    if (!may_control(with)) return;
    if (m_process->what == SC_METHOD_PROC_) __heddle_unsupported("throw_it to a method process");
    if (m_process == sc_process_b::running()) throw e;
    if (!m_process->is_unwinding) m_process->to_throw = new heddle::exception_of<E>(e);
    heddle::watching_control::tell(*m_process, heddle::DEMAND_THROW);
}

} // namespace sc_core

#endif
