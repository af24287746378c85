/* Signals and their ports. */
#ifndef HEDDLE_SYSTEMC_SIGNAL_H
#define HEDDLE_SYSTEMC_SIGNAL_H

#include "module.h"

#include "../dt/sc_types.h"

namespace sc_core {

enum sc_writer_policy { SC_ONE_WRITER = 0, SC_MANY_WRITERS = 1, SC_UNCHECKED_WRITERS = 3 };

#ifndef SC_DEFAULT_WRITER_POLICY
#ifdef SC_NO_WRITE_CHECK
#define SC_DEFAULT_WRITER_POLICY ::sc_core::SC_UNCHECKED_WRITERS
#else
#define SC_DEFAULT_WRITER_POLICY ::sc_core::SC_ONE_WRITER
#endif
#endif

template <class T> class sc_signal_in_if : virtual public sc_interface {
  public:
    virtual const sc_event &value_changed_event() const = 0;
    virtual const T &read() const = 0;
    virtual const T &get_data_ref() const = 0;
    virtual bool event() const = 0;
};

template <> class sc_signal_in_if<bool> : virtual public sc_interface {
  public:
    virtual const sc_event &value_changed_event() const = 0;
    virtual const sc_event &posedge_event() const = 0;
    virtual const sc_event &negedge_event() const = 0;
    virtual const bool &read() const = 0;
    virtual const bool &get_data_ref() const = 0;
    virtual bool event() const = 0;
    virtual bool posedge() const = 0;
    virtual bool negedge() const = 0;
};

template <class T> class sc_signal_write_if : virtual public sc_interface {
  public:
    virtual void write(const T &) = 0;
    virtual sc_writer_policy get_writer_policy() const { return SC_ONE_WRITER; }
};

template <class T> class sc_signal_inout_if : public sc_signal_in_if<T>, public sc_signal_write_if<T> {};
template <class T> using sc_signal_out_if = sc_signal_inout_if<T>;

namespace heddle {

/* event() says whether the value changed in the update phase just before. A process that wakes on each change
 * asks for an update that takes the answer back: it exists in designs that put the question to a signal of
 * this type, which is known before main because the question instantiates the variable below. */
template <class T> inline bool events_are_asked = false;
template <class T> struct event_question { static const bool is_put; };
template <class T> const bool event_question<T>::is_put = (events_are_asked<T> = true);

/* Whether values that compare equal are the same: of other types a signal keeps the one that it has. */
template <class T> constexpr bool equal_is_same() {
    bool is_same = std::is_integral<T>::value || std::is_enum<T>::value || std::is_pointer<T>::value;
    is_same |= sc_dt::implementation::number<T>::ok || sc_dt::implementation::is_vec<T>::value ||
               std::is_same<T, sc_dt::sc_logic>::value || std::is_same<T, sc_dt::sc_bit>::value;
    return is_same;
}

/* What signals of every type share. */
template <class T, sc_writer_policy POLICY>
class signal_base : public sc_signal_inout_if<T>, public sc_prim_channel {
  public:
    bool heddle_updates_itself() const override { return true; }
    explicit signal_base(const char *signal_name, const T &initial)
        : sc_prim_channel(signal_name), m_now(initial), m_new(initial) {}
    const T &read() const override { return m_now; }
    const T &get_data_ref() const override { return m_now; }
    operator const T &() const { return m_now; }
    const sc_event &value_changed_event() const override { return heard(m_changed); }
    const sc_event &default_event() const override { return heard(m_changed); }
    sc_writer_policy get_writer_policy() const override { return POLICY; }
    void write(const T &v) override {
        check_writer();
        bool matters = always_updates() || POLICY == SC_MANY_WRITERS || !changes_matter() || !(v == m_now);
        m_new = v;
        if (matters) this->request_update();
    }
    bool event() const override {
        if (!events_are_asked<T>) __heddle_unsupported("event() of a signal that is asked by its interface");
        return m_event;
    }
    void register_port(sc_port_base &port, const char *interface_name) override {
        if (POLICY != SC_ONE_WRITER || interface_name != typeid(sc_signal_inout_if<T>).name()) return;
        if (m_output && m_output != &port)
            HEDDLE_SC_ERROR(SC_ID_MORE_THAN_ONE_SIGNAL_DRIVER_,
                            "a signal has one writer: no more than one output port is bound to it");
        m_output = &port;
    }
    void heddle_prepare() override {
        if (!events_are_asked<T>) return;
        if (activity_is_asked) __heddle_unsupported("pending activity of a design that asks for event()");
        std::string watcher = std::string(this->name()) + ".event";
        hidden own;
        sc_process_b *p = heddle_process(watcher.c_str(), [this] { this->request_update(); });
        p->dont_initialize = 1;
        p->to_resolve.push_back({&m_changed, nullptr, nullptr});
    }

  protected:
    virtual bool takes_effect() { return !(m_new == m_now); }
    virtual bool always_updates() const { return false; }
    /* Values may be unknown: whether they differ is asked only if somebody wants to know. */
    bool changes_matter() const {
        return m_is_heard || events_are_asked<T> || activity_is_asked || !equal_is_same<T>();
    }
    const sc_event &heard(const sc_event &e) const {
        if (!m_is_heard) m_is_heard = true;
        return e;
    }
    void update() override {
        if (!changes_matter() && !always_updates()) {
            m_now = m_new;
            if (POLICY == SC_MANY_WRITERS) m_writer = 0;
            return;
        }
        bool changes = takes_effect();
        if (changes) change();
        if (events_are_asked<T>) m_event = changes;
        if (POLICY == SC_MANY_WRITERS) m_writer = 0;
    }
    virtual void change() {
        m_now = m_new;
        m_changed.notify_delayed();
    }
    T m_now, m_new;
    sc_event m_changed{heddle::OF_CHANNEL};

  private:
    /* For SC_MANY_WRITERS: in one evaluation phase. */
    void check_writer() {
        if (POLICY == SC_UNCHECKED_WRITERS || !simulation_runs) return;
        unsigned self = sc_process_b::running_identity();
        if (!self || m_writer == self) return;
        if (m_writer) HEDDLE_SC_ERROR(SC_ID_MORE_THAN_ONE_SIGNAL_DRIVER_, "a signal has one writer");
        m_writer = self;
    }
    template <class F> static sc_process_b *heddle_process(const char *process_name, F f) {
        return new closure<F>(process_name, SC_METHOD_PROC_, f);
    }
    unsigned m_writer = 0;
    bool m_event = false;
    mutable bool m_is_heard = false; /* one of its events was handed out */
    sc_port_base *m_output = nullptr;
};

} // namespace heddle

template <class T, sc_writer_policy POLICY = SC_DEFAULT_WRITER_POLICY>
class sc_signal : public heddle::signal_base<T, POLICY> {
  public:
    sc_signal() : sc_signal(sc_gen_unique_name("signal")) {}
    explicit sc_signal(const char *signal_name) : sc_signal(signal_name, T()) {}
    sc_signal(const char *signal_name, const T &initial)
        : heddle::signal_base<T, POLICY>(signal_name, initial) {}
    const char *kind() const override { return "sc_signal"; }
    template <class Q = T> bool event() const {
        (void)heddle::event_question<Q>::is_put;
        return heddle::signal_base<T, POLICY>::event();
    }
    sc_signal &operator=(const T &v) {
        this->write(v);
        return *this;
    }
    sc_signal &operator=(const sc_signal &v) {
        this->write(v.read());
        return *this;
    }
    sc_signal &operator=(const sc_signal_in_if<T> &v) {
        this->write(v.read());
        return *this;
    }
};

namespace heddle {
template <sc_writer_policy POLICY> class bool_signal : public signal_base<bool, POLICY> {
  public:
    using signal_base<bool, POLICY>::signal_base;
    const sc_event &posedge_event() const override { return this->heard(m_rises); }
    const sc_event &negedge_event() const override { return this->heard(m_falls); }
    bool posedge() const override { return this->event() && this->m_now; }
    bool negedge() const override { return this->event() && !this->m_now; }

  protected:
    void change() override {
        signal_base<bool, POLICY>::change();
        (this->m_now ? m_rises : m_falls).notify_delayed();
    }

  private:
    sc_event m_rises{heddle::OF_CHANNEL}, m_falls{heddle::OF_CHANNEL};
};
} // namespace heddle

template <sc_writer_policy POLICY> class sc_signal<bool, POLICY> : public heddle::bool_signal<POLICY> {
  public:
    sc_signal() : sc_signal(sc_gen_unique_name("signal")) {}
    explicit sc_signal(const char *signal_name) : sc_signal(signal_name, false) {}
    sc_signal(const char *signal_name, bool initial) : heddle::bool_signal<POLICY>(signal_name, initial) {}
    const char *kind() const override { return "sc_signal"; }
    sc_signal &operator=(bool v) {
        this->write(v);
        return *this;
    }
    sc_signal &operator=(const sc_signal &v) {
        this->write(v.read());
        return *this;
    }
    sc_signal &operator=(const sc_signal_in_if<bool> &v) {
        this->write(v.read());
        return *this;
    }
    template <class B = bool> bool event() const {
        (void)heddle::event_question<B>::is_put;
        return heddle::bool_signal<POLICY>::event();
    }
    template <class B = bool> bool posedge() const {
        (void)heddle::event_question<B>::is_put;
        return heddle::bool_signal<POLICY>::posedge();
    }
    template <class B = bool> bool negedge() const {
        (void)heddle::event_question<B>::is_put;
        return heddle::bool_signal<POLICY>::negedge();
    }
};

template <class T, sc_writer_policy POLICY = SC_DEFAULT_WRITER_POLICY>
class sc_buffer : public sc_signal<T, POLICY> {
  public:
    sc_buffer() : sc_signal<T, POLICY>(sc_gen_unique_name("buffer")) {}
    explicit sc_buffer(const char *buffer_name) : sc_signal<T, POLICY>(buffer_name) {}
    sc_buffer(const char *buffer_name, const T &initial) : sc_signal<T, POLICY>(buffer_name, initial) {}
    const char *kind() const override { return "sc_buffer"; }
    using sc_signal<T, POLICY>::operator=;

    void write(const T &v) override {
        m_written = true;
        sc_signal<T, POLICY>::write(v);
    }

  protected:
    bool always_updates() const override { return true; }
    bool takes_effect() override {
        bool was_written = m_written;
        m_written = false;
        return was_written;
    }

  private:
    bool m_written = false; /* since the last update */
};

template <class T, sc_writer_policy POLICY>
inline std::ostream &operator<<(std::ostream &os, const sc_signal<T, POLICY> &s) {
    return os << s.read();
}

/* --- ports ---------------------------------------------------------------------------------------------- */

namespace heddle {
template <class T> class in_base : public sc_port<sc_signal_in_if<T>, 1, SC_ONE_OR_MORE_BOUND> {
  public:
    typedef sc_port<sc_signal_in_if<T>, 1, SC_ONE_OR_MORE_BOUND> base;
    using base::base;
    using base::bind;
    using base::operator();
    void bind(sc_port_b<sc_signal_inout_if<T>> &p) { this->bind_port(&p); }
    void operator()(sc_port_b<sc_signal_inout_if<T>> &p) { bind(p); }
    void heddle_bind_by_position(sc_port_base &p) override {
        if (sc_port_b<sc_signal_inout_if<T>> *typed = dynamic_cast<sc_port_b<sc_signal_inout_if<T>> *>(&p))
            bind(*typed);
        else
            base::heddle_bind_by_position(p);
    }
    void heddle_bind_by_position(sc_interface &i) override { base::heddle_bind_by_position(i); }
    const T &read() const { return (*this)->read(); }
    operator const T &() const { return (*this)->read(); }
    bool event() const {
        (void)heddle::event_question<T>::is_put;
        return (*this)->event();
    }
    const sc_event &value_changed_event() const { return (*this)->value_changed_event(); }
    const sc_event &default_event() const { return (*this)->value_changed_event(); }
    sc_event_finder &value_changed() const {
        return make_finder<sc_signal_in_if<T>>(
            *this, [](const sc_signal_in_if<T> &i) -> const sc_event & { return i.value_changed_event(); });
    }
    const char *kind() const override { return "sc_in"; }
};
} // namespace heddle

template <class T> class sc_in : public heddle::in_base<T> {
  public:
    sc_in() {}
    explicit sc_in(const char *port_name) : heddle::in_base<T>(port_name) {}
};

template <> class sc_in<bool> : public heddle::in_base<bool> {
  public:
    sc_in() {}
    explicit sc_in(const char *port_name) : heddle::in_base<bool>(port_name) {}
    template <class B = bool> bool posedge() const {
        (void)heddle::event_question<B>::is_put;
        return (*this)->posedge();
    }
    template <class B = bool> bool negedge() const {
        (void)heddle::event_question<B>::is_put;
        return (*this)->negedge();
    }
    const sc_event &posedge_event() const { return (*this)->posedge_event(); }
    const sc_event &negedge_event() const { return (*this)->negedge_event(); }
    sc_event_finder &pos() const {
        return heddle::make_finder<sc_signal_in_if<bool>>(
            *this, [](const sc_signal_in_if<bool> &i) -> const sc_event & { return i.posedge_event(); });
    }
    sc_event_finder &neg() const {
        return heddle::make_finder<sc_signal_in_if<bool>>(
            *this, [](const sc_signal_in_if<bool> &i) -> const sc_event & { return i.negedge_event(); });
    }
};
typedef sc_in<bool> sc_in_clk;

template <class T> class sc_inout : public sc_port<sc_signal_inout_if<T>, 1, SC_ONE_OR_MORE_BOUND> {
  public:
    typedef sc_port<sc_signal_inout_if<T>, 1, SC_ONE_OR_MORE_BOUND> base;
    sc_inout() {}
    explicit sc_inout(const char *port_name) : base(port_name) {}
    const T &read() const { return (*this)->read(); }
    operator const T &() const { return (*this)->read(); }
    void write(const T &v) { (*this)->write(v); }
    sc_inout &operator=(const T &v) {
        write(v);
        return *this;
    }
    sc_inout &operator=(const sc_inout &v) {
        write(v.read());
        return *this;
    }
    sc_inout &operator=(const sc_signal_in_if<T> &v) {
        write(v.read());
        return *this;
    }
    sc_inout &operator=(const sc_in<T> &v) {
        write(v.read());
        return *this;
    }
    void initialize(const T &v) {
        if (heddle::simulation_runs || this->get_interface())
            write(v);
        else
            m_initial = new T(v);
    }
    bool event() const {
        (void)heddle::event_question<T>::is_put;
        return (*this)->event();
    }
    const sc_event &value_changed_event() const { return (*this)->value_changed_event(); }
    const sc_event &default_event() const { return (*this)->value_changed_event(); }
    sc_event_finder &value_changed() const {
        return heddle::make_finder<sc_signal_inout_if<T>>(
            *this,
            [](const sc_signal_inout_if<T> &i) -> const sc_event & { return i.value_changed_event(); });
    }
    /* bool only: templates that nobody calls are not compiled. */
    sc_event_finder &pos() const {
        return heddle::make_finder<sc_signal_inout_if<T>>(
            *this, [](const sc_signal_inout_if<T> &i) -> const sc_event & { return i.posedge_event(); });
    }
    sc_event_finder &neg() const {
        return heddle::make_finder<sc_signal_inout_if<T>>(
            *this, [](const sc_signal_inout_if<T> &i) -> const sc_event & { return i.negedge_event(); });
    }
    bool posedge() const {
        (void)heddle::event_question<T>::is_put;
        return (*this)->posedge();
    }
    bool negedge() const {
        (void)heddle::event_question<T>::is_put;
        return (*this)->negedge();
    }
    const sc_event &posedge_event() const { return (*this)->posedge_event(); }
    const sc_event &negedge_event() const { return (*this)->negedge_event(); }
    void end_of_elaboration() override {
        if (m_initial) write(*m_initial);
    }
    const char *kind() const override { return "sc_inout"; }

  private:
    T *m_initial = nullptr;
};

template <class T> class sc_out : public sc_inout<T> {
  public:
    sc_out() {}
    explicit sc_out(const char *port_name) : sc_inout<T>(port_name) {}
    using sc_inout<T>::operator=;
    sc_out &operator=(const sc_out &v) {
        this->write(v.read());
        return *this;
    }
    const char *kind() const override { return "sc_out"; }
};
typedef sc_inout<bool> sc_inout_clk;
typedef sc_out<bool> sc_out_clk;

} // namespace sc_core

#endif
