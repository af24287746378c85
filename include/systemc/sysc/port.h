/* Interfaces, ports, exports and how they are bound. */
#ifndef HEDDLE_SYSTEMC_PORT_H
#define HEDDLE_SYSTEMC_PORT_H

#include "process.h"
#include "report_handler.h"

#include <typeinfo>

namespace sc_core {

class sc_interface {
  public:
    virtual void register_port(sc_port_base &, const char *) {}
    virtual const sc_event &default_event() const { __heddle_violation("the interface has a default event"); }
    virtual ~sc_interface() {}

  protected:
    sc_interface() {}

  private:
    sc_interface(const sc_interface &) = delete;
    sc_interface &operator=(const sc_interface &) = delete;
};

enum sc_port_policy { SC_ONE_OR_MORE_BOUND = 0, SC_ZERO_OR_MORE_BOUND = 1, SC_ALL_BOUND = 2 };

/* The event of a port's channel, found when the port is bound. */
class sc_event_finder {
  public:
    virtual ~sc_event_finder() {}
    virtual void find_events(std::vector<const sc_event *> &out) const = 0;
    virtual const class sc_port_base *heddle_port() const { return nullptr; }
};

namespace heddle {
/* "port 'm.p' (sc_in)" */
inline const char *said_of(const char *what, const sc_object &o) {
    std::string *said = new std::string(std::string(what) + " '" + o.name() + "' (" + o.kind() + ")");
    return said->c_str();
}
} // namespace heddle

class sc_port_base : public sc_object {
  public:
    sc_port_base(const char *port_name, int most, sc_port_policy policy)
        : sc_object(port_name), m_most(most), m_policy(policy) {
        if (heddle::simulation_runs)
            HEDDLE_SC_ERROR_WITH(SC_ID_INSERT_PORT_, heddle::said_of("simulation running: port", *this),
                                 "ports are made before the simulation starts");
        if (heddle::design().open.empty() && !heddle::design().elaborated)
            HEDDLE_SC_ERROR_WITH(SC_ID_PORT_OUTSIDE_MODULE_, heddle::said_of("port", *this),
                                 "a port belongs to a module");
        all().push_back(this);
    }
    ~sc_port_base() override {
        std::vector<sc_port_base *> &list = all();
        for (size_t k = 0; k < list.size(); k++)
            if (list[k] == this) {
                list.erase(list.begin() + static_cast<long>(k));
                break;
            }
    }
    const char *kind() const override { return "sc_port_base"; }

    /* Interfaces are collected port by port, parents first; a port may be bound before its parent is. */
    void heddle_complete() {
        if (m_state == DONE) return;
        if (m_state == UNDER_WAY)
            HEDDLE_SC_ERROR(SC_ID_BIND_PORT_TO_PORT_, "ports are not bound to each other in a circle");
        m_state = UNDER_WAY;
        for (const binding &b : m_bindings) {
            if (b.to_interface) {
                heddle_add(b.to_interface);
                continue;
            }
            b.to_port->heddle_complete();
            for (sc_interface *i : b.to_port->heddle_all()) heddle_add(i);
        }
        m_state = DONE;
        int bound = static_cast<int>(heddle_all().size());
        if (!bound && m_policy != SC_ZERO_OR_MORE_BOUND) {
            tell("port not bound");
            HEDDLE_SC_ERROR(SC_ID_COMPLETE_BINDING_, "complete binding: every port is bound");
        }
        if (m_most > 0 && bound > m_most) {
            tell("port bound too often");
            HEDDLE_SC_ERROR(SC_ID_COMPLETE_BINDING_,
                            "complete binding: no port is bound more often than it allows");
        }
        if (m_most > 0 && m_policy == SC_ALL_BOUND && bound < m_most) {
            tell("port bound too rarely");
            HEDDLE_SC_ERROR(SC_ID_COMPLETE_BINDING_,
                            "complete binding: a port is bound as often as it must be");
        }
    }
    const std::vector<sc_interface *> &heddle_all() const { return m_interfaces; }
    virtual void before_end_of_elaboration() {}
    virtual void end_of_elaboration() {}
    virtual void start_of_simulation() {}
    virtual void end_of_simulation() {}
    virtual void heddle_bind_by_position(sc_interface &) {
        HEDDLE_SC_ERROR(SC_ID_BIND_IF_TO_PORT_, "the interface fits the port");
    }
    virtual void heddle_bind_by_position(sc_port_base &) {
        HEDDLE_SC_ERROR(SC_ID_BIND_PORT_TO_PORT_, "the port fits the port");
    }
    static std::vector<sc_port_base *> &all() {
        static std::vector<sc_port_base *> *list = new std::vector<sc_port_base *>;
        return *list;
    }

  protected:
    void bind_interface(sc_interface *i) {
        if (!i) HEDDLE_SC_ERROR(SC_ID_BIND_IF_TO_PORT_, "a port is bound to an interface");
        m_bindings.push_back({i, nullptr});
    }
    void bind_port(sc_port_base *p) {
        p->m_is_leaf = false;
        m_bindings.push_back({nullptr, p});
    }
    virtual void heddle_add(sc_interface *i) = 0;
    virtual const char *heddle_type() const = 0;
    std::vector<sc_interface *> m_interfaces;
    bool m_is_leaf = true; /* no port is bound to it: channels hear of such ports only */

  private:
    void tell(const char *what) const {
        std::cout << "Error: complete binding failed: " << what << ": port '" << name() << "' (" << kind()
                  << ")" << std::endl;
    }
    struct binding {
        sc_interface *to_interface;
        sc_port_base *to_port;
    };
    std::vector<binding> m_bindings;
    enum { OPEN, UNDER_WAY, DONE } m_state = OPEN;
    int m_most;
    sc_port_policy m_policy;
};

template <class IF> class sc_port_b : public sc_port_base {
  public:
    sc_port_b(const char *port_name, int most, sc_port_policy policy)
        : sc_port_base(port_name, most, policy) {}
    void bind(IF &i) { bind_interface(&i); }
    void bind(sc_port_b<IF> &p) { bind_port(&p); }
    void operator()(IF &i) { bind(i); }
    void operator()(sc_port_b<IF> &p) { bind(p); }
    int size() const { return static_cast<int>(m_interfaces.size()); }
    IF *operator->() { return m_first ? m_first : unbound(); }
    const IF *operator->() const { return m_first ? m_first : unbound(); }
    IF *operator[](int k) { return m_typed.at(static_cast<size_t>(k)); }
    const IF *operator[](int k) const { return m_typed.at(static_cast<size_t>(k)); }
    IF *get_interface() { return m_first; }
    const IF *get_interface() const { return m_first; }
    const char *kind() const override { return "sc_port"; }
    void heddle_bind_by_position(sc_interface &i) override {
        IF *typed = dynamic_cast<IF *>(&i);
        if (!typed) HEDDLE_SC_ERROR(SC_ID_BIND_IF_TO_PORT_, "the interface fits the port");
        bind(*typed);
    }
    void heddle_bind_by_position(sc_port_base &p) override {
        sc_port_b<IF> *typed = dynamic_cast<sc_port_b<IF> *>(&p);
        if (!typed) HEDDLE_SC_ERROR(SC_ID_BIND_PORT_TO_PORT_, "the port fits the port");
        bind(*typed);
    }

  protected:
    void heddle_add(sc_interface *i) override {
        IF *typed = dynamic_cast<IF *>(i);
        for (sc_interface *old : m_interfaces)
            if (old == i) HEDDLE_SC_ERROR(SC_ID_BIND_IF_TO_PORT_, "a port is bound to a channel once");
        m_interfaces.push_back(i);
        m_typed.push_back(typed);
        if (!m_first) m_first = typed;
        if (m_is_leaf) i->register_port(*this, typeid(IF).name());
    }
    const char *heddle_type() const override { return "sc_port"; }

  private:
    IF *unbound() const { HEDDLE_SC_ERROR(SC_ID_GET_IF_, "a port is bound when it is used"); }
    IF *m_first = nullptr;
    std::vector<IF *> m_typed;
};

template <class IF, int N = 1, sc_port_policy P = SC_ONE_OR_MORE_BOUND> class sc_port : public sc_port_b<IF> {
  public:
    sc_port() : sc_port_b<IF>(sc_gen_unique_name("port"), N, P) {}
    explicit sc_port(const char *port_name) : sc_port_b<IF>(port_name, N, P) {}
    explicit sc_port(IF &i) : sc_port_b<IF>(sc_gen_unique_name("port"), N, P) { this->bind(i); }
    sc_port(const char *port_name, IF &i) : sc_port_b<IF>(port_name, N, P) { this->bind(i); }
};

class sc_export_base : public sc_object {
  public:
    explicit sc_export_base(const char *export_name) : sc_object(export_name) {
        if (heddle::simulation_runs)
            HEDDLE_SC_ERROR_WITH(SC_ID_INSERT_EXPORT_, heddle::said_of("simulation running: export", *this),
                                 "exports are made before the simulation starts");
        if (heddle::design().open.empty() && !heddle::design().elaborated)
            HEDDLE_SC_ERROR_WITH(SC_ID_EXPORT_OUTSIDE_MODULE_, heddle::said_of("export", *this),
                                 "an export belongs to a module");
        all().push_back(this);
    }
    ~sc_export_base() override {
        std::vector<sc_export_base *> &list = all();
        for (size_t k = 0; k < list.size(); k++)
            if (list[k] == this) {
                list.erase(list.begin() + static_cast<long>(k));
                break;
            }
    }
    const char *kind() const override { return "sc_export_base"; }
    virtual sc_interface *get_interface() = 0;
    void heddle_complete() {
        if (get_interface() || m_may_stay_unbound) return;
        std::cout << "Error: sc_export instance has no interface: export '" << name() << "' (" << kind()
                  << ")" << std::endl;
        HEDDLE_SC_ERROR(SC_ID_SC_EXPORT_HAS_NO_INTERFACE_, "complete binding: every export is bound");
    }
    virtual void before_end_of_elaboration() {}
    virtual void end_of_elaboration() {}
    virtual void start_of_simulation() {}
    virtual void end_of_simulation() {}
    static std::vector<sc_export_base *> &all() {
        static std::vector<sc_export_base *> *list = new std::vector<sc_export_base *>;
        return *list;
    }
    void heddle_may_stay_unbound() { m_may_stay_unbound = true; } /* what binds to it gets something else */

  private:
    bool m_may_stay_unbound = false;
};

template <class IF> class sc_export : public sc_export_base {
  public:
    sc_export() : sc_export_base(sc_gen_unique_name("export")) {}
    explicit sc_export(const char *export_name) : sc_export_base(export_name) {}
    explicit sc_export(IF &i) : sc_export_base(sc_gen_unique_name("export")) { bind(i); }
    sc_export(const char *export_name, IF &i) : sc_export_base(export_name) { bind(i); }
    virtual void bind(IF &i) {
        if (m_interface) HEDDLE_SC_ERROR(SC_ID_SC_EXPORT_ALREADY_BOUND_, "an export is bound once");
        m_interface = &i;
    }
    void operator()(IF &i) { bind(i); }
    operator IF &() { return *bound(); }
    operator const IF &() const { return *bound(); }
    IF *operator->() { return bound(); }
    const IF *operator->() const { return bound(); }
    sc_interface *get_interface() override { return m_interface; }
    const char *kind() const override { return "sc_export"; }

  private:
    IF *bound() const {
        if (!m_interface)
            HEDDLE_SC_ERROR(SC_ID_SC_EXPORT_HAS_NO_INTERFACE_, "an export is bound when it is used");
        return m_interface;
    }
    IF *m_interface = nullptr;
};

template <class IF> class sc_event_finder_t : public sc_event_finder {
  public:
    sc_event_finder_t(const sc_port_b<IF> &port, const sc_event &(IF::*event)() const)
        : m_port(port), m_event(event) {}
    void find_events(std::vector<const sc_event *> &out) const override {
        for (int k = 0; k < m_port.size(); k++) out.push_back(&(m_port[k]->*m_event)());
    }
    const sc_port_base *heddle_port() const override { return &m_port; }

  private:
    const sc_port_b<IF> &m_port;
    const sc_event &(IF::*m_event)() const;
};

/* For ports whose events have fixed names: no pointer to member is needed. */
namespace heddle {
template <class IF, class PICK> class finder final : public sc_event_finder {
  public:
    finder(const sc_port_b<IF> &port, PICK pick) : m_port(port), m_pick(pick) {}
    void find_events(std::vector<const sc_event *> &out) const override {
        for (int k = 0; k < m_port.size(); k++) out.push_back(&m_pick(*m_port[k]));
    }
    const sc_port_base *heddle_port() const override { return &m_port; }

  private:
    const sc_port_b<IF> &m_port;
    PICK m_pick;
};
template <class IF, class PICK> sc_event_finder &make_finder(const sc_port_b<IF> &port, PICK pick) {
    return *new finder<IF, PICK>(port, pick);
}
} // namespace heddle

namespace heddle {
/* Accellera's library resolves the last port first, after all events that are named directly. */
inline unsigned order_of_port(const sc_port_base *port) {
    const std::vector<sc_port_base *> &ports = sc_port_base::all();
    for (size_t k = 0; k < ports.size(); k++)
        if (ports[k] == port) return static_cast<unsigned>(ports.size() - k);
    return 0;
}
} // namespace heddle

inline void sc_process_b::resolve_sensitivity() {
    std::vector<unsigned> numbers, order;
    if (resets) resets->resolve(*this);
    for (const heddle::sensitive_to &s : to_resolve) {
        std::vector<const sc_event *> events;
        if (s.event) events.push_back(s.event);
        if (s.finder) s.finder->find_events(events);
        if (s.port)
            for (sc_interface *i : s.port->heddle_all()) events.push_back(&i->default_event());
        for (const sc_event *e : events) {
            bool known = false;
            for (unsigned n : numbers) known = known || n == e->heddle_number();
            if (known) continue;
            numbers.push_back(e->heddle_number());
            order.push_back(heddle::order_of_port(s.port     ? s.port
                                                  : s.finder ? s.finder->heddle_port()
                                                             : nullptr));
        }
    }
    unsigned *list = numbers.empty() ? nullptr : new unsigned[numbers.size()];
    unsigned *orders = numbers.empty() ? nullptr : new unsigned[numbers.size()];
    for (size_t k = 0; k < numbers.size(); k++) list[k] = numbers[k], orders[k] = order[k];
    sensitivity = list;
    sensitivity_order = orders;
    sensitivity_count = static_cast<unsigned>(numbers.size());
}

} // namespace sc_core

#endif
