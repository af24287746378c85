/* Modules: hierarchy, processes, sensitivity, and the simulation as a whole. */
#ifndef HEDDLE_SYSTEMC_MODULE_H
#define HEDDLE_SYSTEMC_MODULE_H

#include "channel.h"

namespace sc_core {

namespace heddle {
/* A port or an interface, of which one is null: see reset.h. */
inline void add_reset(sc_process_b &p, const sc_port_base *port, const sc_interface *line, bool level,
                      bool at_once);
/* Makes the processes that sc_spawn takes during the simulation; null if nobody calls it. */
inline void (*make_spawn_pool)() = nullptr;
} // namespace heddle

class sc_sensitive {
  public:
    sc_sensitive &operator<<(const sc_event &e) { return add({&e, nullptr, nullptr}); }
    sc_sensitive &operator<<(sc_event_finder &f) { return add({nullptr, &f, nullptr}); }
    sc_sensitive &operator<<(const sc_port_base &p) {
        return add({nullptr, nullptr, const_cast<sc_port_base *>(&p)});
    }
    sc_sensitive &operator<<(const sc_interface &i) { return add({&i.default_event(), nullptr, nullptr}); }
    template <class T> sc_sensitive &operator()(T &to) { return *this << to; }
    sc_process_b *heddle_process = nullptr;

  private:
    sc_sensitive &add(heddle::sensitive_to to) {
        if (!heddle_process) HEDDLE_SC_ERROR(SC_ID_MAKE_SENSITIVE_, "sensitivity is given to a process");
        heddle_process->to_resolve.push_back(to);
        return *this;
    }
};

class sc_bind_proxy {
  public:
    sc_bind_proxy(sc_interface &i) : to_interface(&i), to_port(nullptr) {}
    sc_bind_proxy(sc_port_base &p) : to_interface(nullptr), to_port(&p) {}
    sc_interface *to_interface;
    sc_port_base *to_port;
};

class sc_module : public sc_object {
  public:
    ~sc_module() override {
        std::vector<sc_module *> &list = all();
        for (size_t k = 0; k < list.size(); k++)
            if (list[k] == this) {
                list.erase(list.begin() + static_cast<long>(k));
                break;
            }
    }
    const char *kind() const override { return "sc_module"; }
    void operator()(const sc_bind_proxy &first) { bind_next(first); }
    template <class... MORE> void operator()(const sc_bind_proxy &first, MORE &...more) {
        bind_next(first);
        (*this)(more...);
    }
    sc_module &operator<<(sc_interface &i) {
        bind_next(i);
        return *this;
    }
    sc_module &operator<<(sc_port_base &p) {
        bind_next(p);
        return *this;
    }
    static std::vector<sc_module *> &all() {
        static std::vector<sc_module *> *list = new std::vector<sc_module *>;
        return *list;
    }
    virtual void before_end_of_elaboration() {}
    virtual void end_of_elaboration() {}
    virtual void start_of_simulation() {}
    virtual void end_of_simulation() {}

  protected:
    sc_module() : sc_module(heddle::design().names) {}
    explicit sc_module(const sc_module_name &) : sc_module() {}
    /* No sc_module_name, whose end would close the module: it stays open, as in the library. */
    explicit sc_module(const char *module_name) : sc_object(module_name) { open(); }
    explicit sc_module(const std::string &module_name) : sc_module(module_name.c_str()) {}

    template <class F> sc_process_b *heddle_process(const char *process_name, sc_curr_proc_kind what, F f) {
        sc_process_b *p = new heddle::closure<F>(process_name, what, f);
        sensitive.heddle_process = p;
        return p;
    }
    void dont_initialize() {
        if (!sensitive.heddle_process) __heddle_violation("dont_initialize is for a process");
        sensitive.heddle_process->dont_initialize = 1;
    }
    void set_stack_size(size_t) {}
    void reset_signal_is(const sc_port_base &line, bool level) { heddle_reset(&line, nullptr, level, false); }
    void reset_signal_is(const sc_interface &line, bool level) { heddle_reset(nullptr, &line, level, false); }
    void async_reset_signal_is(const sc_port_base &line, bool level) {
        heddle_reset(&line, nullptr, level, true);
    }
    void async_reset_signal_is(const sc_interface &line, bool level) {
        heddle_reset(nullptr, &line, level, true);
    }

    void wait() { sc_core::wait(); }
    template <class... A> void wait(const A &...a) { sc_core::wait(a...); }
    void next_trigger() { sc_core::next_trigger(); }
    template <class... A> void next_trigger(const A &...a) { sc_core::next_trigger(a...); }
    template <class T = void> bool timed_out() { return sc_core::timed_out<T>(); }
    void halt() {
        for (;;) sc_core::wait();
    }

    sc_sensitive sensitive;

  private:
    void heddle_reset(const sc_port_base *port, const sc_interface *line, bool level, bool at_once) {
        if (!sensitive.heddle_process) __heddle_violation("a reset is for a process");
        heddle::add_reset(*sensitive.heddle_process, port, line, level, at_once);
    }
    explicit sc_module(sc_module_name *given)
        : sc_object(given ? static_cast<const char *>(*given) : sc_gen_unique_name("module")) {
        if (!given || given->m_opened)
            HEDDLE_SC_ERROR(SC_ID_SC_MODULE_NAME_REQUIRED_, "a module gets its name from an sc_module_name");
        given->m_opened = true;
        open();
    }
    void open() {
        if (heddle::simulation_runs)
            HEDDLE_SC_ERROR_WITH(SC_ID_INSERT_MODULE_, "simulation running",
                                 "modules are made before the simulation starts");
        heddle::design().open.push_back(this);
        all().push_back(this);
    }
    void bind_next(const sc_bind_proxy &to) {
        size_t seen = 0;
        for (sc_object *child : get_child_objects()) {
            sc_port_base *port = dynamic_cast<sc_port_base *>(child);
            if (!port || seen++ != m_bound) continue;
            m_bound++;
            if (to.to_interface)
                port->heddle_bind_by_position(*to.to_interface);
            else
                port->heddle_bind_by_position(*to.to_port);
            return;
        }
        HEDDLE_SC_ERROR(SC_ID_BIND_IF_TO_PORT_, "a module is not bound more often than it has ports");
    }
    size_t m_bound = 0;
};

class sc_channel : public sc_module {
  public:
    const char *kind() const override { return "sc_channel"; }

  protected:
    sc_channel() {}
    explicit sc_channel(const sc_module_name &n) : sc_module(n) {}
};
typedef sc_module sc_behavior;

/* --- the simulation ------------------------------------------------------------------------------------- */

enum sc_stop_mode { SC_STOP_FINISH_DELTA, SC_STOP_IMMEDIATE };
enum sc_starvation_policy { SC_RUN_TO_TIME, SC_EXIT_ON_STARVATION };

namespace heddle {

template <class T, class F> void each(std::vector<T *> &list, F f) {
    for (size_t k = 0; k < list.size(); k++) f(*list[k]); /* callbacks may make more of them */
}

/* Updates that were requested before the simulation, what was requested last first: other orders
 * must not show. */
inline void update_early() {
    std::vector<sc_prim_channel *> &due = sc_prim_channel::requested_early();
    unsigned others = 0;
    for (const sc_prim_channel *o : due) others += !o->heddle_updates_itself();
    if (due.size() > 1 && others)
        __heddle_unsupported("updates of several channels that are requested before the simulation");
    for (size_t k = due.size(); k-- > 0;) due[k]->heddle_update_early();
    due.clear();
}

inline void end_elaboration() {
    hierarchy &h = design();
    h.elaborated = true;
    h.stage = SC_BEFORE_END_OF_ELABORATION;
    each(sc_port_base::all(), [](sc_port_base &o) { o.before_end_of_elaboration(); });
    each(sc_export_base::all(), [](sc_export_base &o) { o.before_end_of_elaboration(); });
    each(sc_prim_channel::all(), [](sc_prim_channel &o) { o.before_end_of_elaboration(); });
    each(sc_module::all(), [](sc_module &o) { o.before_end_of_elaboration(); });
    each(sc_port_base::all(), [](sc_port_base &o) { o.heddle_complete(); });
    each(sc_export_base::all(), [](sc_export_base &o) { o.heddle_complete(); });
    h.stage = SC_END_OF_ELABORATION;
    each(sc_port_base::all(), [](sc_port_base &o) { o.end_of_elaboration(); });
    each(sc_export_base::all(), [](sc_export_base &o) { o.end_of_elaboration(); });
    each(sc_prim_channel::all(), [](sc_prim_channel &o) { o.end_of_elaboration(); });
    each(sc_module::all(), [](sc_module &o) { o.end_of_elaboration(); });
    h.stage = SC_START_OF_SIMULATION;
    each(sc_port_base::all(), [](sc_port_base &o) { o.start_of_simulation(); });
    each(sc_export_base::all(), [](sc_export_base &o) { o.start_of_simulation(); });
    each(sc_prim_channel::all(), [](sc_prim_channel &o) { o.start_of_simulation(); });
    each(sc_module::all(), [](sc_module &o) { o.start_of_simulation(); });
    h.stage = SC_RUNNING;
    each(sc_prim_channel::all(), [](sc_prim_channel &o) { o.heddle_prepare(); });
    if (make_spawn_pool) make_spawn_pool();
    std::vector<sc_process_b *> &processes = sc_process_b::all();
    each(processes, [](sc_process_b &p) { p.resolve_sensitivity(); });
    update_early();
    sc_process_b::table = new sc_process_b *[processes.size() + 1];
    sc_process_b::table[0] = nullptr;
    for (size_t k = 0; k < processes.size(); k++) sc_process_b::table[k + 1] = processes[k];
    spares.first = __heddle_sc_registry.events.count;
    __heddle_sc_registry.events.count += SPARE_EVENTS;
    simulation_runs = true;
}

inline void must_not_be_stopped() {
    if (__heddle_sc_catches_at_start && design().error)
        HEDDLE_SC_ERROR(SC_ID_SIMULATION_START_AFTER_ERROR_, "sc_start is not called after an error");
    if (design().stopped)
        HEDDLE_SC_ERROR(SC_ID_SIMULATION_START_AFTER_STOP_, "sc_start is not called after sc_stop");
}

/* Once, when a simulation that was stopped comes back to main, or main stops it itself. */
__attribute__((noinline)) inline void tell_the_end() {
    hierarchy &h = design();
    if (h.ended) return;
    h.ended = true;
    h.stage = SC_END_OF_SIMULATION;
    each(sc_port_base::all(), [](sc_port_base &o) { o.end_of_simulation(); });
    each(sc_export_base::all(), [](sc_export_base &o) { o.end_of_simulation(); });
    each(sc_prim_channel::all(), [](sc_prim_channel &o) { o.end_of_simulation(); });
    each(sc_module::all(), [](sc_module &o) { o.end_of_simulation(); });
    h.end_told = true;
    h.stage = SC_STOPPED;
}

inline sc_status status() {
    const hierarchy &h = design();
    return h.stage == SC_RUNNING && !h.simulating ? SC_PAUSED : h.stage;
}

inline void prepare_start() {
    must_not_be_stopped();
    if (status() != SC_ELABORATION && status() != SC_PAUSED)
        HEDDLE_SC_ERROR(SC_ID_SIMULATION_START_UNEXPECTED_,
                        "sc_start is called by sc_main, not by a process or a callback");
    bool is_first = !simulation_runs;
    if (is_first) end_elaboration();
    if (is_first && design().stopped) __heddle_unsupported("sc_stop in a callback before the simulation");
    design().simulating = true; /* before elaboration ends, and known for ever if there is one start */
    if (is_first) notify_early();
}

inline void conclude_start() {
    design().simulating = false;
    if (__heddle_sc_catches_at_start && design().error) heddle_sc_throw(design().error);
    if (design().stopped)
        tell_the_end();
    else if (suspending_channels)
        __heddle_unsupported("a simulation that waits for threads of the host (async_attach_suspending)");
}

inline void start(long long duration) {
    prepare_start();
    __heddle_sc_start(duration);
    conclude_start();
}

/* Set by calls of functions that ask for pending activity: an update that changes nothing is some. */
inline bool activity_is_asked = false;
template <class T> struct activity_question { static const bool is_asked; };
template <class T> const bool activity_question<T>::is_asked = (activity_is_asked = true);

/* Whether something is left to do now, and the time to what is to be done later, if there is any. */
struct pending_activity {
    bool now;
    unsigned long long later; /* NEVER: nothing */
    enum : unsigned long long { NEVER = ~0ULL };
};

/* Before the simulation. */
inline pending_activity pending_early() {
    pending_activity a = {!sc_prim_channel::requested_early().empty(), pending_activity::NEVER};
    for (const early_notification &n : notified_early())
        if (!n.time)
            a.now = true;
        else if (n.time < a.later)
            a.later = n.time;
    return a;
}

template <class T> pending_activity pending() {
    (void)activity_question<T>::is_asked;
    if (!simulation_runs) return pending_early();
    if (design().simulating && !__heddle_sc_self())
        __heddle_unsupported("pending activity as an update sees it");
    return {__heddle_sc_pending_now() != 0, __heddle_sc_pending_later()};
}

} // namespace heddle

/* The constant is needed here: absolute time does not matter in designs that never limit it. */
inline void sc_start() {
    heddle::prepare_start();
    __heddle_sc_start(-1);
    heddle::conclude_start();
}
inline void sc_start(const sc_time &t, sc_starvation_policy policy = SC_RUN_TO_TIME) {
    heddle::prepare_start();
    if (policy == SC_EXIT_ON_STARVATION)
        __heddle_sc_start_while_busy(static_cast<long long>(t.value()));
    else
        __heddle_sc_start(static_cast<long long>(t.value()));
    heddle::conclude_start();
}
inline void sc_start(double v, sc_time_unit unit, sc_starvation_policy p = SC_RUN_TO_TIME) {
    sc_start(sc_time(v, unit), p);
}
inline void sc_start(double v) {
    if (v < 0)
        sc_start();
    else
        sc_start(sc_time(v, true));
}
inline void sc_initialize() {
    heddle::start(0);
}
inline void sc_stop() {
    heddle::design().stopped = true;
    __heddle_sc_stop();
    if (heddle::design().stage == SC_ELABORATION) heddle::design().stage = SC_STOPPED;
    if (heddle::simulation_runs && !heddle::design().simulating) heddle::tell_the_end();
}
inline void sc_pause() {
    __heddle_unsupported("sc_pause");
}
inline void sc_set_stop_mode(sc_stop_mode mode) {
    if (mode == SC_STOP_IMMEDIATE) __heddle_unsupported("sc_set_stop_mode(SC_STOP_IMMEDIATE)");
}
inline sc_stop_mode sc_get_stop_mode() {
    return SC_STOP_FINISH_DELTA;
}
inline sc_status sc_get_status() {
    return heddle::status();
}
template <class T = void> bool sc_pending_activity_at_current_time() {
    return heddle::pending<T>().now;
}
template <class T = void> bool sc_pending_activity_at_future_time() {
    return heddle::pending<T>().later != heddle::pending_activity::NEVER;
}
template <class T = void> bool sc_pending_activity() {
    heddle::pending_activity a = heddle::pending<T>();
    return a.now || a.later != heddle::pending_activity::NEVER;
}
template <class T = void> sc_time sc_time_to_pending_activity() {
    heddle::pending_activity a = heddle::pending<T>();
    if (a.now) return SC_ZERO_TIME;
    return a.later == heddle::pending_activity::NEVER ? sc_max_time() - sc_time_stamp()
                                                      : sc_time::from_value(a.later);
}
inline bool sc_is_running() {
    return heddle::simulation_runs && !heddle::design().ended;
}
inline bool sc_start_of_simulation_invoked() {
    return heddle::simulation_runs;
}
inline bool sc_end_of_simulation_invoked() {
    return heddle::design().end_told;
}
inline unsigned long long sc_delta_count() {
    __heddle_unsupported("sc_delta_count");
}
inline int sc_argc() {
    return 1;
}
inline const char *const *sc_argv() {
    static const char *const arguments[] = {"program", nullptr};
    return arguments;
}
inline const char *sc_copyright() {
    return "";
}
inline const char *sc_version() {
    return "SystemC 2.3.4 (verified)";
}
inline const char *sc_release() {
    return "2.3.4";
}

namespace heddle {
/* What the second argument of SC_CTHREAD means: the rising edge of a port or a signal, or what it says. */
template <class T> auto clock_edge(T &clock, int, int) -> decltype(clock.pos()) {
    return clock.pos();
}
template <class T> auto clock_edge(T &clock, int, long) -> decltype(clock.posedge_event()) {
    return clock.posedge_event();
}
inline sc_event_finder &clock_edge(sc_event_finder &edge, long, long) {
    return edge;
}
inline const sc_event &clock_edge(const sc_event &edge, long, long) {
    return edge;
}
} // namespace heddle

} // namespace sc_core

#define SC_MODULE(name) struct name : ::sc_core::sc_module
#define SC_CTOR(name)                                                                                        \
    typedef name SC_CURRENT_USER_MODULE;                                                                     \
    name(::sc_core::sc_module_name)
#define SC_HAS_PROCESS(name) typedef name SC_CURRENT_USER_MODULE
/* Statements, as the library's are: a semicolon may be missing behind them. */
#define SC_THREAD(function)                                                                                  \
    {                                                                                                        \
        this->heddle_process(#function, ::sc_core::SC_THREAD_PROC_, [this] { this->function(); });           \
    }
#define SC_METHOD(function)                                                                                  \
    {                                                                                                        \
        this->heddle_process(#function, ::sc_core::SC_METHOD_PROC_, [this] { this->function(); });           \
    }
#define SC_CTHREAD(function, edge)                                                                           \
    {                                                                                                        \
        this->heddle_process(#function, ::sc_core::SC_CTHREAD_PROC_, [this] { this->function(); })           \
            ->dont_initialize = 1;                                                                           \
        this->sensitive << ::sc_core::heddle::clock_edge(edge, 0, 0);                                        \
    }

int sc_main(int argc, char *argv[]);

#ifndef HEDDLE_SYSTEMC_NO_MAIN
extern "C++" __attribute__((weak)) int main(int argc, char *argv[]) {
    /* A design that simulates nothing is one, too. */
    static __attribute__((used)) heddle_sc_registry *const is_a_design = &__heddle_sc_registry;
    return sc_main(argc, argv);
}
#endif

#endif
