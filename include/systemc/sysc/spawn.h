/* sc_spawn. Before the simulation it makes an ordinary process. During the simulation it wakes one of a few
 * processes that wait for work; designs that never call it have none of these. */
#ifndef HEDDLE_SYSTEMC_SPAWN_H
#define HEDDLE_SYSTEMC_SPAWN_H

#include "module.h"

#include <functional>
#include <type_traits>

namespace sc_core {

namespace heddle {
/* Simulators run methods before threads: those that are spawned during the simulation have places of their
 * own, in designs that ask for any. */
inline bool methods_are_spawned = false;
template <class T> struct method_wish { static const bool is_made; };
template <class T> const bool method_wish<T>::is_made = (methods_are_spawned = true);
} // namespace heddle

class sc_spawn_options {
  public:
    sc_spawn_options() {}
    sc_spawn_options(const sc_spawn_options &) = delete;
    sc_spawn_options &operator=(const sc_spawn_options &) = delete;
    template <class T = void> void spawn_method() {
        (void)heddle::method_wish<T>::is_made;
        m_is_method = true;
    }
    void dont_initialize() { m_dont_initialize = true; }
    bool is_method() const { return m_is_method; }
    bool heddle_is_not_initialized() const { return m_dont_initialize; }
    void set_stack_size(int) {}
    void set_sensitivity(const sc_event *e) { add({e, nullptr, nullptr}); }
    void set_sensitivity(sc_event_finder *f) { add({nullptr, f, nullptr}); }
    void set_sensitivity(sc_port_base *p) { add({nullptr, nullptr, p}); }
    void set_sensitivity(sc_interface *i) { add({&i->default_event(), nullptr, nullptr}); }
    void set_sensitivity(sc_export_base *e) { set_sensitivity(e->get_interface()); }
    void reset_signal_is(const sc_port_base &line, bool level) { add_reset({&line, nullptr, level, false}); }
    void reset_signal_is(const sc_interface &line, bool level) { add_reset({nullptr, &line, level, false}); }
    void async_reset_signal_is(const sc_port_base &line, bool level) {
        add_reset({&line, nullptr, level, true});
    }
    void async_reset_signal_is(const sc_interface &line, bool level) {
        add_reset({nullptr, &line, level, true});
    }

    /* Before the simulation. */
    void heddle_apply(sc_process_b &p) const {
        p.dont_initialize = m_dont_initialize;
        for (unsigned k = 0; k < m_sensitivity_count; k++) p.to_resolve.push_back(m_sensitivity[k]);
        for (unsigned k = 0; k < m_reset_count; k++)
            heddle::add_reset(p, m_resets[k].port, m_resets[k].channel, m_resets[k].level,
                              m_resets[k].at_once);
    }
    /* During it, when all ports are bound. */
    void heddle_list(heddle::event_list &out) const {
        if (m_reset_count) __heddle_unsupported("a reset of a process that is spawned during the simulation");
        for (unsigned k = 0; k < m_sensitivity_count; k++) {
            const heddle::sensitive_to &s = m_sensitivity[k];
            if (s.event) out.add(s.event->heddle_number());
            if (s.port)
                for (sc_interface *i : s.port->heddle_all()) out.add(i->default_event().heddle_number());
            if (!s.finder) continue;
            std::vector<const sc_event *> events;
            s.finder->find_events(events);
            for (const sc_event *e : events) out.add(e->heddle_number());
        }
    }

  private:
    enum { MOST = 8 };
    struct reset {
        const sc_port_base *port;
        const sc_interface *channel;
        bool level, at_once;
    };
    void add(const heddle::sensitive_to &s) {
        if (m_sensitivity_count == MOST)
            __heddle_unsupported("a process spawned with more than 8 sensitivities");
        m_sensitivity[m_sensitivity_count++] = s;
    }
    void add_reset(const reset &r) {
        if (m_reset_count == MOST) __heddle_unsupported("a process spawned with more than 8 resets");
        m_resets[m_reset_count++] = r;
    }
    bool m_is_method = false, m_dont_initialize = false;
    heddle::sensitive_to m_sensitivity[MOST];
    reset m_resets[MOST];
    unsigned m_sensitivity_count = 0, m_reset_count = 0;
};

namespace heddle {

struct task {
    virtual ~task() {}
    virtual void run() = 0;
};
template <class F> class task_of final : public task {
  public:
    explicit task_of(const F &f) : function(f) {}
    void run() override { function(); }

  private:
    F function;
};

inline const char *given_or_made_up(const char *process_name, bool is_method) {
    if (process_name && *process_name) return process_name;
    return sc_gen_unique_name(is_method ? "method_p" : "thread_p");
}

/* Is one process after the other. Its end is that of the process it is, not its own. */
class pooled_process final : public sc_process_b {
  public:
    pooled_process(const char *process_name, sc_curr_proc_kind process_kind)
        : sc_process_b(process_name, process_kind) {
        dont_initialize = is_spare = 1;
        is_pooled = has_ended = true;
        own_sensitivity = &m_listens_to;
        to_resolve.push_back({&m_begins, nullptr, nullptr});
    }
    bool is_free() const { return has_ended && !is_remembered && !owned; }
    void begin(task *work, const char *process_name, const sc_spawn_options *options) {
        bool is_method_now = options && options->is_method();
        become(active_object(), given_or_made_up(process_name, is_method_now));
        m_work = work;
        m_listens_to = event_list();
        if (options) options->heddle_list(m_listens_to);
        if (!m_listens_to.count)
            m_listens_to.add(ended_event.heddle_number()); /* not while it waits: never */
        what = is_method_now ? SC_METHOD_PROC_ : SC_THREAD_PROC_;
        if (what == SC_METHOD_PROC_) /* not while it lives: it is none that waits for ever */
            m_listens_to.add(m_begins.heddle_number());
        generation++;
        has_ended = has_spawned = false;
        if (control) {
            demanded = DEMAND_NOTHING;
            resets_at_waits = false;
            next.how = trigger::STATIC;
        }
        if (is_held_back) {
            is_held_back = false;
            __heddle_sc_enable(number);
            __heddle_sc_resume(number);
        }
        remember_end(0);
        if (options && options->heddle_is_not_initialized())
            listen(number, m_listens_to);
        else
            __heddle_sc_notify(m_begins.heddle_number());
    }
    void body() override { m_work->run(); }
    void clean_up() override {
        delete m_work;
        m_work = nullptr;
    }

  private:
    task *m_work = nullptr;
    sc_event m_begins{heddle::OF_CHANNEL};
    event_list m_listens_to;
};

enum { POOLED_PROCESSES = 16 };
inline pooled_process *spawn_pool[2 * POOLED_PROCESSES]; /* threads, then methods */

inline void fill_spawn_pool() {
    hidden own;
    for (unsigned k = 0; k < (methods_are_spawned ? 2 : 1) * POOLED_PROCESSES; k++) {
        std::string process_name = "spawned_" + std::to_string(k);
        sc_curr_proc_kind kind_of_it = k < POOLED_PROCESSES ? SC_THREAD_PROC_ : SC_METHOD_PROC_;
        spawn_pool[k] = new pooled_process(process_name.c_str(), kind_of_it);
    }
}

/* Instantiated by calls of sc_spawn. */
template <class F> struct spawn_call { static const bool is_made; };
template <class F> const bool spawn_call<F>::is_made = (make_spawn_pool = fill_spawn_pool, true);

/* The end of a process that somebody is sensitive to comes once. */
inline void remember_ends(const sc_spawn_options &options) {
    event_list listened;
    options.heddle_list(listened);
    for (unsigned k = 0; k < 2 * POOLED_PROCESSES && spawn_pool[k]; k++)
        for (unsigned i = 0; i < listened.count; i++)
            if (listened.numbers[i] == spawn_pool[k]->ended_event.heddle_number())
                spawn_pool[k]->is_remembered = true;
}

inline sc_process_handle begin_in_pool(task *work, const char *process_name,
                                       const sc_spawn_options *options) {
    sc_process_b *parent = sc_process_b::running();
    if (parent && !parent->has_spawned) parent->has_spawned = true;
    if (options) remember_ends(*options);
    unsigned first = options && options->is_method() ? POOLED_PROCESSES : 0;
    for (unsigned k = first; k < first + POOLED_PROCESSES; k++)
        if (spawn_pool[k]->is_free()) {
            spawn_pool[k]->begin(work, process_name, options);
            return sc_process_handle(static_cast<sc_process_b *>(spawn_pool[k]));
        }
    __heddle_unsupported("more than 16 processes at a time that are spawned during the simulation");
}

} // namespace heddle

template <class F>
sc_process_handle sc_spawn(F f, const char *process_name = nullptr,
                           const sc_spawn_options *options = nullptr) {
    (void)heddle::spawn_call<F>::is_made;
    if (heddle::simulation_runs)
        return heddle::begin_in_pool(new heddle::task_of<F>(f), process_name, options);
    bool is_method = options && options->is_method();
    sc_process_b *p = new heddle::closure<F>(heddle::given_or_made_up(process_name, is_method),
                                             is_method ? SC_METHOD_PROC_ : SC_THREAD_PROC_, f);
    p->is_spawned_late = heddle::design().elaborated;
    if (options) options->heddle_apply(*p);
    return sc_process_handle(p);
}
template <class R, class F, class = typename std::enable_if<std::is_object<R>::value>::type>
sc_process_handle sc_spawn(R *result, F f, const char *process_name = nullptr,
                           const sc_spawn_options *options = nullptr) {
    return sc_spawn([result, f]() mutable { *result = f(); }, process_name, options);
}

template <class F, class... A> auto sc_bind(F f, A... a) {
    return std::bind(f, a...);
}
template <class T> std::reference_wrapper<T> sc_ref(T &v) {
    return std::ref(v);
}
template <class T> std::reference_wrapper<const T> sc_cref(const T &v) {
    return std::cref(v);
}

class sc_join {
  public:
    void add_process(const sc_process_handle &h) {
        if (m_count == MOST) __heddle_unsupported("a fork of more than 16 processes");
        m_processes[m_count++] = h;
    }
    int process_count() const { return static_cast<int>(m_count); }
    void wait() {
        for (unsigned k = 0; k < m_count; k++)
            while (!m_processes[k].terminated()) sc_core::wait(m_processes[k].terminated_event());
    }
    void wait_clocked() {
        do sc_core::wait();
        while (somebody_lives());
    }

  private:
    enum { MOST = 16 };
    bool somebody_lives() const {
        for (unsigned k = 0; k < m_count; k++)
            if (!m_processes[k].terminated()) return true;
        return false;
    }
    sc_process_handle m_processes[MOST];
    unsigned m_count = 0;
};

} // namespace sc_core

#define SC_FORK                                                                                              \
    {                                                                                                        \
        ::sc_core::sc_process_handle heddle_forked[] = {
#define HEDDLE_JOIN(how)                                                                                     \
    }                                                                                                        \
    ;                                                                                                        \
    ::sc_core::sc_join heddle_join;                                                                          \
    for (const ::sc_core::sc_process_handle &heddle_one : heddle_forked)                                     \
        heddle_join.add_process(heddle_one);                                                                 \
    heddle_join.how();                                                                                       \
    }
#define SC_JOIN  HEDDLE_JOIN(wait)
#define SC_CJOIN HEDDLE_JOIN(wait_clocked)

#endif
