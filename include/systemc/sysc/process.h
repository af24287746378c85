/* Processes: what runs, how it waits, and handles to it. */
#ifndef HEDDLE_SYSTEMC_PROCESS_H
#define HEDDLE_SYSTEMC_PROCESS_H

#include "event.h"

namespace sc_core {

class sc_event_finder;
class sc_port_base;
class sc_process_b;

enum sc_curr_proc_kind { SC_NO_PROC_ = 0, SC_METHOD_PROC_, SC_THREAD_PROC_, SC_CTHREAD_PROC_ };
enum sc_descendant_inclusion_info { SC_NO_DESCENDANTS = 0, SC_INCLUDE_DESCENDANTS, SC_INVALID_DESCENDANTS };

namespace heddle {

struct sensitive_to { /* resolved when all ports are bound */
    const sc_event *event;
    sc_event_finder *finder;
    sc_port_base *port;
};

struct trigger { /* of a method, for its next run; kept until then */
    enum kind { STATIC, TIME, ANY, ALL, ANY_FOR, ALL_FOR } how = STATIC;
    unsigned long long time = 0;
    event_list events;
};

inline void wait_any(const event_list &l) {
    const unsigned *e = l.numbers;
    switch (l.count) {
    case 1: __heddle_sc_wait_any(e[0]); break;
    case 2: __heddle_sc_wait_any(e[0], e[1]); break;
    case 3: __heddle_sc_wait_any(e[0], e[1], e[2]); break;
    case 4: __heddle_sc_wait_any(e[0], e[1], e[2], e[3]); break;
    case 5: __heddle_sc_wait_any(e[0], e[1], e[2], e[3], e[4]); break;
    case 6: __heddle_sc_wait_any(e[0], e[1], e[2], e[3], e[4], e[5]); break;
    case 7: __heddle_sc_wait_any(e[0], e[1], e[2], e[3], e[4], e[5], e[6]); break;
    case 8: __heddle_sc_wait_any(e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]); break;
    default: __heddle_unsupported("a wait for more than 8 events");
    }
}
inline void wait_all(const event_list &l) {
    const unsigned *e = l.numbers;
    switch (l.count) {
    case 1: __heddle_sc_wait_all(e[0]); break;
    case 2: __heddle_sc_wait_all(e[0], e[1]); break;
    case 3: __heddle_sc_wait_all(e[0], e[1], e[2]); break;
    case 4: __heddle_sc_wait_all(e[0], e[1], e[2], e[3]); break;
    case 5: __heddle_sc_wait_all(e[0], e[1], e[2], e[3], e[4]); break;
    case 6: __heddle_sc_wait_all(e[0], e[1], e[2], e[3], e[4], e[5]); break;
    case 7: __heddle_sc_wait_all(e[0], e[1], e[2], e[3], e[4], e[5], e[6]); break;
    case 8: __heddle_sc_wait_all(e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]); break;
    default: __heddle_unsupported("a wait for more than 8 events");
    }
}
typedef unsigned wait_with_time_out(unsigned long long time, unsigned event, ...);
template <wait_with_time_out *WAIT> unsigned wait_for(unsigned long long t, const event_list &l) {
    const unsigned *e = l.numbers;
    switch (l.count) {
    case 1: return WAIT(t, e[0]);
    case 2: return WAIT(t, e[0], e[1]);
    case 3: return WAIT(t, e[0], e[1], e[2]);
    case 4: return WAIT(t, e[0], e[1], e[2], e[3]);
    default: __heddle_unsupported("a wait with a time-out for more than 4 events");
    }
}
inline void listen(unsigned process, const event_list &l) {
    const unsigned *e = l.numbers;
    switch (l.count) {
    case 1: __heddle_sc_listen(process, e[0]); break;
    case 2: __heddle_sc_listen(process, e[0], e[1]); break;
    case 3: __heddle_sc_listen(process, e[0], e[1], e[2]); break;
    case 4: __heddle_sc_listen(process, e[0], e[1], e[2], e[3]); break;
    case 5: __heddle_sc_listen(process, e[0], e[1], e[2], e[3], e[4]); break;
    case 6: __heddle_sc_listen(process, e[0], e[1], e[2], e[3], e[4], e[5]); break;
    case 7: __heddle_sc_listen(process, e[0], e[1], e[2], e[3], e[4], e[5], e[6]); break;
    case 8: __heddle_sc_listen(process, e[0], e[1], e[2], e[3], e[4], e[5], e[6], e[7]); break;
    default: __heddle_unsupported("dont_initialize with a sensitivity to more than 8 events");
    }
}

/* Set by calls of timed_out: processes of other designs do not keep how their waits ended. */
inline bool time_outs_are_asked = false;
template <class T> struct time_out_question { static const bool is_asked; };
template <class T> const bool time_out_question<T>::is_asked = (time_outs_are_asked = true);

/* Signals that reset a process: see reset.h. What it does is compiled only for designs that have any. */
struct reset_lines {
    virtual ~reset_lines() {}
    virtual void resolve(sc_process_b &p) = 0;          /* when ports are bound */
    virtual void after_wait(sc_process_b &p) const = 0; /* does not return if the process is reset */
    event_list edges;                                   /* that reset it at once */
};

/* What others make of a process: see control.h. Compiled only for designs that reset or control processes. */
struct process_control {
    virtual ~process_control() {}
    virtual void live(sc_process_b &p) = 0;       /* sc_process_b::live, watched */
    virtual void after_wait(sc_process_b &p) = 0; /* does not return if the process does not go on */
};
inline process_control *control = nullptr;

struct exception_to_throw {
    virtual ~exception_to_throw() {}
    [[noreturn]] virtual void raise() const = 0;
};

enum demand { DEMAND_NOTHING, DEMAND_KILL, DEMAND_RESET, DEMAND_THROW };

} // namespace heddle

/* Thrown where a process waits when it is killed or reset. */
class sc_unwind_exception : public std::exception {
  public:
    explicit sc_unwind_exception(bool resets = true) : m_resets(resets) {}
    const char *what() const noexcept override { return m_resets ? "RESET" : "KILL"; }
    virtual bool is_reset() const { return m_resets; }

  private:
    bool m_resets;
};

class sc_process_b : public sc_object, public heddle_sc_process {
  public:
    sc_process_b(const char *process_name, sc_curr_proc_kind process_kind)
        : sc_object(process_name), what(process_kind) {
        heddle_sc_record::name = sc_object::name();
        sensitivity = sensitivity_order = heddle_sc_process::resets = nullptr;
        sensitivity_count = reset_count = 0;
        dont_initialize = 0;
        is_method = process_kind == SC_METHOD_PROC_;
        is_spare = 0;
        heddle::enlist(__heddle_sc_registry.processes, *this, __heddle_sc_registry.processes.count + 1);
        all().push_back(this);
    }
    const std::vector<sc_object *> &get_child_objects() const override {
        if (has_spawned) __heddle_unsupported("children of a process that has spawned others");
        return sc_object::get_child_objects();
    }
    const char *kind() const override {
        return what == SC_METHOD_PROC_    ? "sc_method_process"
               : what == SC_CTHREAD_PROC_ ? "sc_cthread_process"
                                          : "sc_thread_process";
    }
    using sc_object::name;

    /* Called by the kernel when the process runs for the first time. */
    void run() {
        for (;;) {
            if (__heddle_sc_catches_at_start)
                live_watched();
            else
                live();
            clean_up();
            has_ended = true;
            ended_event.notify();
            if (!is_pooled) return;
            __heddle_sc_wait_static();
        }
    }
    /* What leaves the process comes out of sc_start as a report: see report_handler.h. */
    void live_watched();
    void resolve_sensitivity();
    virtual void body() = 0;
    virtual void clean_up() {} /* when the process has ended */

    /* --- what the functions below are written on --- */
    void wait_static() {
        if (own_sensitivity)
            wait_any(*own_sensitivity);
        else
            __heddle_sc_wait_static(); /* edges that reset are among it */
    }
    void wait_any(const heddle::event_list &l) {
        remember_end(0);
        if (resets && resets->edges.count)
            heddle::wait_any(with_resets(l));
        else
            heddle::wait_any(l);
    }
    void wait_all(const heddle::event_list &l) {
        remember_end(0);
        if (resets && resets->edges.count)
            __heddle_unsupported("a wait for all of several events under an asynchronous reset");
        heddle::wait_all(l);
    }
    void wait_time(unsigned long long t) {
        remember_end(0);
        if (resets && resets->edges.count)
            heddle::wait_for<__heddle_sc_wait_any_for>(t, resets->edges);
        else
            __heddle_sc_wait_time(t);
    }
    void wait_any_for(unsigned long long t, const heddle::event_list &l) {
        if (resets && resets->edges.count)
            wait_listed_for(t, with_resets(l));
        else
            wait_listed_for(t, l);
    }
    void wait_all_for(unsigned long long t, const heddle::event_list &l) {
        if (resets && resets->edges.count)
            __heddle_unsupported("a wait for all of several events under an asynchronous reset");
        if (heddle::time_outs_are_asked)
            remember_end(heddle::wait_for<__heddle_sc_wait_all_for_told>(t, l));
        else
            heddle::wait_for<__heddle_sc_wait_all_for>(t, l);
    }
    /* Of a wait, but for one for the static sensitivity: as __heddle_sc_wait_any_for_told says it. */
    void remember_end(unsigned how) {
        if (heddle::time_outs_are_asked) last_wait_ended = how;
    }

    static std::vector<sc_process_b *> &all() {
        static std::vector<sc_process_b *> *list = new std::vector<sc_process_b *>;
        return *list;
    }
    static sc_process_b **table; /* by number, when elaboration is over */
    static sc_process_b *running() { return heddle::simulation_runs ? table[__heddle_sc_self()] : nullptr; }
    /* A number that no other process has or had, also if spawned ones were the same before; 0: none runs. */
    static unsigned running_identity() {
        unsigned self = heddle::simulation_runs ? __heddle_sc_self() : 0;
        if (!self || !table[self]->is_pooled) return self;
        return self + table[self]->generation * MOST_PROCESSES;
    }

    sc_curr_proc_kind what; /* written by spawned ones only */
    std::vector<heddle::sensitive_to> to_resolve;
    heddle::trigger next;
    sc_event ended_event{heddle::OF_CHANNEL};
    bool has_ended = false;
    heddle::reset_lines *resets = nullptr;
    /* Of processes that are controlled by others, see control.h. */
    heddle::demand demanded = heddle::DEMAND_NOTHING;
    bool is_unwinding = false, resets_at_waits = false;
    const heddle::exception_to_throw *to_throw = nullptr;
    /* Of processes that are spawned during the simulation, see spawn.h. */
    const heddle::event_list *own_sensitivity = nullptr;
    unsigned generation = 0;   /* how many processes it was before */
    unsigned owned = 0;        /* by the one it is now: channels that know it as their owner */
    bool is_held_back = false; /* it was suspended or disabled at some time */
    unsigned last_wait_ended = 0;
    bool is_pooled = false, is_remembered = false;
    bool is_spawned_late = false; /* after elaboration */
    bool has_spawned = false;     /* others, during the simulation */

    /* Written only by processes that use next_trigger: of all others it is known for ever what they await. */
    void await_trigger() {
        if (next.how == heddle::trigger::STATIC) {
            wait_static();
            return;
        }
        heddle::trigger t = next;
        next.how = heddle::trigger::STATIC;
        switch (t.how) {
        case heddle::trigger::STATIC: break;
        case heddle::trigger::TIME: wait_time(t.time); break;
        case heddle::trigger::ANY: wait_any(t.events); break;
        case heddle::trigger::ALL: wait_all(t.events); break;
        case heddle::trigger::ANY_FOR: wait_any_for(t.time, t.events); break;
        case heddle::trigger::ALL_FOR: wait_all_for(t.time, t.events); break;
        }
    }

  protected:
    void live() {
        if (heddle::control) {
            heddle::control->live(*this);
            return;
        }
        for (;;) {
            body();
            if (what != SC_METHOD_PROC_) return;
            await_trigger();
        }
    }

  private:
    enum { MOST_PROCESSES = 1 << 16 };
    void wait_listed_for(unsigned long long t, const heddle::event_list &l) {
        if (heddle::time_outs_are_asked)
            remember_end(heddle::wait_for<__heddle_sc_wait_any_for_told>(t, l));
        else
            heddle::wait_for<__heddle_sc_wait_any_for>(t, l);
    }
    heddle::event_list with_resets(const heddle::event_list &l) const {
        heddle::event_list both = l;
        for (unsigned k = 0; k < resets->edges.count; k++) both.add(resets->edges.numbers[k]);
        return both;
    }
};
inline sc_process_b **sc_process_b::table = nullptr;

namespace heddle {

inline sc_object *active_object() {
    return design().open.empty() ? sc_process_b::running() : design().open.back();
}

template <class F> class closure final : public sc_process_b {
  public:
    closure(const char *process_name, sc_curr_proc_kind process_kind, F f)
        : sc_process_b(process_name, process_kind), function(f) {}

  private:
    void body() override { function(); }
    F function;
};

inline constexpr char IN_METHODS[] = "\n        in SC_METHODs use next_trigger() instead";
inline constexpr char IN_THREADS[] = "\n        in SC_THREADs and SC_CTHREADs use wait() instead";

inline sc_process_b &who_waits() {
    if (!simulation_runs || !__heddle_sc_self())
        HEDDLE_SC_ERROR_WITH(SC_ID_WAIT_NOT_ALLOWED_, IN_METHODS, "wait is called by a process");
    sc_process_b &p = *sc_process_b::running();
    if (p.what == SC_METHOD_PROC_)
        HEDDLE_SC_ERROR_WITH(SC_ID_WAIT_NOT_ALLOWED_, IN_METHODS, "wait is not called by a method process");
    if (control && p.is_unwinding)
        __heddle_violation("wait is not called while the process is unwound"); /* whoever may catch it */
    return p;
}
inline void after_wait(sc_process_b &p) {
    if (control) control->after_wait(p);
}
inline event_list one_event(const sc_event &e) {
    event_list l;
    l.add(e.heddle_number());
    return l;
}

} // namespace heddle

class sc_process_handle {
  public:
    sc_process_handle() : m_process(nullptr) {}
    explicit sc_process_handle(sc_process_b *p) : m_process(p), m_generation(p ? p->generation : 0) {}
    explicit sc_process_handle(sc_object *o) : sc_process_handle(dynamic_cast<sc_process_b *>(o)) {}
    bool valid() const { return m_process != nullptr; }
    const char *name() const { return m_process ? m_process->name() : ""; }
    const char *basename() const { return m_process ? m_process->basename() : ""; }
    sc_curr_proc_kind proc_kind() const { return m_process ? m_process->what : SC_NO_PROC_; }
    sc_object *get_process_object() const { return m_process; }
    sc_object *get_parent_object() const { return m_process ? m_process->get_parent_object() : nullptr; }
    bool terminated() const { return m_process && (is_gone() || m_process->has_ended); }
    const sc_event &terminated_event() const {
        if (!m_process) return never();
        if (is_gone()) __heddle_unsupported("terminated_event of a process that ended before");
        if (m_process->is_pooled && m_process->has_ended) m_process->is_remembered = true;
        return m_process->ended_event;
    }
    const std::vector<sc_object *> &get_child_objects() const {
        static const std::vector<sc_object *> *none = new std::vector<sc_object *>;
        return m_process ? m_process->get_child_objects() : *none;
    }
    bool dynamic() const { return m_process && (m_process->is_pooled || m_process->is_spawned_late); }
    /* Invalid ones are equal to none. */
    bool operator==(const sc_process_handle &h) const {
        return m_process && m_process == h.m_process && m_generation == h.m_generation;
    }
    bool operator!=(const sc_process_handle &h) const { return !(*this == h); }
    void swap(sc_process_handle &h) {
        sc_process_handle mine = *this;
        *this = h;
        h = mine;
    }
    bool operator<(const sc_process_handle &h) const {
        return m_process == h.m_process ? m_generation < h.m_generation : m_process < h.m_process;
    }
    operator sc_process_b *() const { return m_process; }
    void suspend(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS) {
        if (!may_control(with)) return;
        if (m_process == sc_process_b::running() && m_process->what == SC_METHOD_PROC_)
            __heddle_unsupported("a method process that suspends itself");
        if (m_process->resets || m_process->resets_at_waits)
            __heddle_unsupported("suspend of a process that is reset by a signal or synchronously");
        note_holding_back();
        bool is_self = m_process == sc_process_b::running();
        __heddle_sc_suspend(m_process->number);
        if (is_self) heddle::after_wait(*m_process); /* it may be reset while it stands here */
    }
    void resume(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS) {
        if (!may_control(with)) return;
        __heddle_sc_resume(m_process->number);
    }
    void disable(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS) {
        if (!may_control(with)) return;
        if (m_process->resets && m_process->resets->edges.count)
            __heddle_unsupported("disable of a process that is reset by a signal at once");
        note_holding_back();
        __heddle_sc_disable(m_process->number);
    }
    void enable(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS) {
        if (!may_control(with)) return;
        __heddle_sc_enable(m_process->number);
    }
    bool is_unwinding() const { return m_process && !is_gone() && m_process->is_unwinding; }
    /* See control.h. Templates: what they need is made for designs that call them. */
    template <class WHO = sc_process_handle> void kill(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS);
    template <class WHO = sc_process_handle>
    void reset(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS);
    template <class WHO = sc_process_handle>
    void sync_reset_on(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS);
    template <class WHO = sc_process_handle>
    void sync_reset_off(sc_descendant_inclusion_info with = SC_NO_DESCENDANTS);
    template <class E> void throw_it(const E &e, sc_descendant_inclusion_info with = SC_NO_DESCENDANTS);

  private:
    bool may_control(sc_descendant_inclusion_info with) const {
        if (!m_process) return false;
        if (!heddle::simulation_runs)
            __heddle_unsupported("control of a process before the simulation begins");
        if (with == SC_INCLUDE_DESCENDANTS &&
            (m_process->has_spawned || !m_process->get_child_objects().empty()))
            __heddle_unsupported("control of a process and its descendants");
        return !terminated();
    }
    static const sc_event &never() { /* of invalid handles */
        static const sc_event *e = new sc_event(heddle::OF_CHANNEL);
        return *e;
    }
    bool is_gone() const { return m_process->generation != m_generation; }
    void note_holding_back() const {
        if (m_process->is_pooled) m_process->is_held_back = true;
    }
    sc_process_b *m_process;
    unsigned long m_generation = 0; /* as wide as the pointer: no padding */
};

/* Before the simulation: the process that was made last. */
inline sc_process_handle sc_get_current_process_handle() {
    if (heddle::simulation_runs) return sc_process_handle(sc_process_b::running());
    std::vector<sc_process_b *> &made = sc_process_b::all();
    return made.empty() ? sc_process_handle() : sc_process_handle(made.back());
}

inline sc_process_b *sc_get_current_process_b() {
    return sc_process_b::running();
}

/* --- waiting -------------------------------------------------------------------------------------------- */

inline void wait() {
    sc_process_b &p = heddle::who_waits();
    p.wait_static();
    heddle::after_wait(p);
}
inline void wait(int n) {
    if (n <= 0) HEDDLE_SC_ERROR(SC_ID_WAIT_N_INVALID_, "wait is for a positive number of times");
    for (int k = 0; k < n; k++) wait();
}
inline void wait(const sc_event &e) {
    sc_process_b &p = heddle::who_waits();
    if (p.resets) {
        p.wait_any(heddle::one_event(e));
    } else {
        p.remember_end(0);
        __heddle_sc_wait_any(e.heddle_number());
    }
    heddle::after_wait(p);
}
inline void wait(const sc_event_or_list &l) {
    sc_process_b &p = heddle::who_waits();
    p.wait_any(l.list);
    heddle::after_wait(p);
}
inline void wait(const sc_event_and_list &l) {
    sc_process_b &p = heddle::who_waits();
    p.wait_all(l.list);
    heddle::after_wait(p);
}
inline void wait(const sc_time &t) {
    sc_process_b &p = heddle::who_waits();
    p.wait_time(t.value());
    heddle::after_wait(p);
}
template <class V> void wait(V v, sc_time_unit unit) {
    wait(sc_time(v, unit));
}
inline void wait(const sc_time &t, const sc_event_or_list &l) {
    sc_process_b &p = heddle::who_waits();
    p.wait_any_for(t.value(), l.list);
    heddle::after_wait(p);
}
inline void wait(const sc_time &t, const sc_event_and_list &l) {
    sc_process_b &p = heddle::who_waits();
    p.wait_all_for(t.value(), l.list);
    heddle::after_wait(p);
}
inline void wait(const sc_time &t, const sc_event &e) {
    wait(t, sc_event_or_list(e));
}
template <class V> void wait(V v, sc_time_unit unit, const sc_event &e) {
    wait(sc_time(v, unit), e);
}
template <class V> void wait(V v, sc_time_unit unit, const sc_event_or_list &l) {
    wait(sc_time(v, unit), l);
}
template <class V> void wait(V v, sc_time_unit unit, const sc_event_and_list &l) {
    wait(sc_time(v, unit), l);
}

namespace heddle {
inline trigger &next_trigger_of_method() {
    sc_process_b *p = sc_process_b::running();
    if (!p || p->what != SC_METHOD_PROC_)
        HEDDLE_SC_ERROR_WITH(SC_ID_NEXT_TRIGGER_NOT_ALLOWED_, IN_THREADS,
                             "next_trigger is called by a method process");
    return p->next;
}
inline void set_trigger(trigger::kind how, unsigned long long time, const event_list *events) {
    trigger &t = next_trigger_of_method();
    t.how = how;
    t.time = time;
    if (events) t.events = *events;
}
} // namespace heddle

inline void next_trigger() {
    heddle::set_trigger(heddle::trigger::STATIC, 0, nullptr);
}
inline void next_trigger(const sc_event_or_list &l) {
    heddle::set_trigger(heddle::trigger::ANY, 0, &l.list);
}
inline void next_trigger(const sc_event_and_list &l) {
    heddle::set_trigger(heddle::trigger::ALL, 0, &l.list);
}
inline void next_trigger(const sc_event &e) {
    next_trigger(sc_event_or_list(e));
}
inline void next_trigger(const sc_time &t) {
    heddle::set_trigger(heddle::trigger::TIME, t.value(), nullptr);
}
template <class V> void next_trigger(V v, sc_time_unit unit) {
    next_trigger(sc_time(v, unit));
}
inline void next_trigger(const sc_time &t, const sc_event_or_list &l) {
    heddle::set_trigger(heddle::trigger::ANY_FOR, t.value(), &l.list);
}
inline void next_trigger(const sc_time &t, const sc_event_and_list &l) {
    heddle::set_trigger(heddle::trigger::ALL_FOR, t.value(), &l.list);
}
inline void next_trigger(const sc_time &t, const sc_event &e) {
    next_trigger(t, sc_event_or_list(e));
}
template <class V> void next_trigger(V v, sc_time_unit unit, const sc_event &e) {
    next_trigger(sc_time(v, unit), e);
}
template <class V> void next_trigger(V v, sc_time_unit unit, const sc_event_or_list &l) {
    next_trigger(sc_time(v, unit), l);
}
template <class V> void next_trigger(V v, sc_time_unit unit, const sc_event_and_list &l) {
    next_trigger(sc_time(v, unit), l);
}

/* Deprecated, but simulators have it. */
template <class T = void> bool timed_out() {
    (void)heddle::time_out_question<T>::is_asked;
    sc_process_b *p = sc_process_b::running();
    if (!p) __heddle_violation("timed_out is called by a process");
    if (p->last_wait_ended > 1)
        __heddle_unsupported("timed_out where the event and the time-out came at the same time");
    return p->last_wait_ended;
}

} // namespace sc_core

/* Called by the kernel: the first step of a process. */
extern "C" __attribute__((used, weak, section("heddle.first"))) void
__heddle_sc_run_process(heddle_sc_process *p) {
    static_cast<sc_core::sc_process_b *>(p)->run();
}

#endif
