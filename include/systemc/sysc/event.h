/* Events, and lists of them. */
#ifndef HEDDLE_SYSTEMC_EVENT_H
#define HEDDLE_SYSTEMC_EVENT_H

#include "object.h"
#include "time.h"

namespace sc_core {

class sc_event;

namespace heddle {

enum { MOST_LISTED = 16, SPARE_EVENTS = 16 };
enum of_channel { OF_CHANNEL }; /* events of this library: they have no name in the design */

/* Numbers of events that are made and destroyed during the simulation. */
struct spare_events {
    unsigned first = 0;
    bool taken[SPARE_EVENTS] = {};
};
inline spare_events spares;

/* Notifications before the simulation, in their order: main makes them when elaboration is over. */
struct early_notification {
    unsigned event;
    unsigned long long time; /* 0: in the first delta cycle */
};
inline std::vector<early_notification> &notified_early() {
    static std::vector<early_notification> *list = new std::vector<early_notification>;
    return *list;
}
inline void notify_early() {
    const std::vector<early_notification> &list = notified_early();
    for (size_t k = 0; k < list.size(); k++) __heddle_sc_notify_after(list[k].event, list[k].time);
}
inline void cancel_early(unsigned event) {
    std::vector<early_notification> &list = notified_early();
    for (size_t k = list.size(); k-- > 0;)
        if (list[k].event == event) list.erase(list.begin() + static_cast<long>(k));
}

struct event_list {
    unsigned numbers[MOST_LISTED] = {}; /* nothing unknown: lists are part of states */
    unsigned count = 0;
    void add(unsigned number) {
        for (unsigned k = 0; k < count; k++)
            if (numbers[k] == number) return;
        if (count == MOST_LISTED) __heddle_unsupported("a list of more than 16 events");
        numbers[count++] = number;
    }
};

} // namespace heddle

class sc_event : private heddle_sc_record {
  public:
    sc_event() : sc_event(nullptr) {}
    explicit sc_event(const char *event_name) {
        bool is_named = event_name && *event_name;
        if (heddle::simulation_runs) {
            take_spare();
            m_is_spare = true;
            if (is_named) set_name(event_name);
            return;
        }
        enlist();
        set_name(is_named ? event_name : sc_gen_unique_name("event"));
        if (is_named) heddle_sc_record::name = m_name->c_str();
    }
    explicit sc_event(heddle::of_channel) { enlist(); }
    sc_event(const sc_event &) = delete;
    sc_event &operator=(const sc_event &) = delete;
    ~sc_event() {
        heddle::outlive(__heddle_sc_registry.events, *this);
        if (!heddle::simulation_runs) heddle::cancel_early(number);
        if (heddle::simulation_runs && (m_is_spare || heddle::design().simulating))
            __heddle_sc_cancel(number); /* of spare events the next one with this number is another one */
        if (m_is_spare) heddle::spares.taken[number - heddle::spares.first] = false;
        if (m_name) forget_name();
    }

    void notify() {
        bool is_update = heddle::simulation_runs && heddle::design().simulating && !__heddle_sc_self();
        bool is_over = heddle::design().stopped && !heddle::design().simulating;
        if (!heddle::simulation_runs || is_update || is_over)
            HEDDLE_SC_ERROR(
                SC_ID_IMMEDIATE_NOTIFICATION_,
                "no immediate notification is made by an update, before the simulation or behind its end");
        __heddle_sc_notify(number);
    }
    void notify(const sc_time &t) { notify_after(t.value()); }
    template <class V> void notify(V v, sc_time_unit unit) { notify(sc_time(v, unit)); }
    void notify_delayed() { notify_after(0); }
    void notify_delayed(const sc_time &t) { notify(t); }
    void cancel() {
        if (heddle::simulation_runs)
            __heddle_sc_cancel(number);
        else
            heddle::cancel_early(number);
    }
    const char *name() const { return m_name ? m_name->c_str() : ""; }
    const char *basename() const {
        size_t dot = m_name ? m_name->rfind('.') : std::string::npos;
        return dot == std::string::npos ? name() : m_name->c_str() + dot + 1;
    }
    bool in_hierarchy() const { return m_name != nullptr; }
    sc_object *get_parent_object() const { return m_parent; }
    unsigned heddle_number() const { return number; }

  private:
    /* In traces it goes by the member that it is, unless the design has named it:
     * see elaboration/registry.c. */
    void enlist() {
        std::string *shown = new std::string("event_");
        shown->append(std::to_string(__heddle_sc_registry.events.count));
        heddle_sc_record::name = shown->c_str();
        heddle::enlist(__heddle_sc_registry.events, *this, __heddle_sc_registry.events.count);
    }
    void set_name(const char *given) {
        m_parent = heddle::active_object();
        std::string base = given, whole = sc_object::full_name(m_parent, base);
        while (sc_object::is_taken(whole)) {
            base = std::string(sc_gen_unique_name(base.c_str()));
            whole = sc_object::full_name(m_parent, base);
        }
        m_name = new std::string(whole);
        heddle::design().events.push_back(m_name);
    }
    void forget_name() {
        std::vector<const std::string *> &names = heddle::design().events;
        for (size_t k = 0; k < names.size(); k++)
            if (names[k] == m_name) {
                names.erase(names.begin() + static_cast<long>(k));
                break;
            }
        if (m_is_spare) delete m_name; /* others are told of in traces */
        m_name = nullptr;
    }
    void notify_after(unsigned long long time) {
        if (heddle::simulation_runs) {
            __heddle_sc_notify_after(number, time);
            return;
        }
        heddle::notified_early().push_back({number, time});
    }
    void take_spare() {
        for (unsigned k = 0; k < heddle::SPARE_EVENTS; k++)
            if (!heddle::spares.taken[k]) {
                heddle::spares.taken[k] = true;
                number = heddle::spares.first + k;
                heddle_sc_record::name = "event";
                return;
            }
        __heddle_unsupported("more than 16 events that are made during the simulation");
    }
    const std::string *m_name = nullptr; /* none: of a channel, or made during the simulation */
    sc_object *m_parent = nullptr;
    bool m_is_spare = false;
};

class sc_event_and_list {
  public:
    sc_event_and_list() {}
    sc_event_and_list(const sc_event &e) { list.add(e.heddle_number()); }
    int size() const { return static_cast<int>(list.count); }
    sc_event_and_list &operator&=(const sc_event &e) {
        list.add(e.heddle_number());
        return *this;
    }
    sc_event_and_list &operator&=(const sc_event_and_list &l) {
        for (unsigned k = 0; k < l.list.count; k++) list.add(l.list.numbers[k]);
        return *this;
    }
    sc_event_and_list operator&(const sc_event &e) const { return sc_event_and_list(*this) &= e; }
    sc_event_and_list operator&(const sc_event_and_list &l) const { return sc_event_and_list(*this) &= l; }
    heddle::event_list list;
};

class sc_event_or_list {
  public:
    sc_event_or_list() {}
    sc_event_or_list(const sc_event &e) { list.add(e.heddle_number()); }
    int size() const { return static_cast<int>(list.count); }
    sc_event_or_list &operator|=(const sc_event &e) {
        list.add(e.heddle_number());
        return *this;
    }
    sc_event_or_list &operator|=(const sc_event_or_list &l) {
        for (unsigned k = 0; k < l.list.count; k++) list.add(l.list.numbers[k]);
        return *this;
    }
    sc_event_or_list operator|(const sc_event &e) const { return sc_event_or_list(*this) |= e; }
    sc_event_or_list operator|(const sc_event_or_list &l) const { return sc_event_or_list(*this) |= l; }
    heddle::event_list list;
};

typedef sc_event_and_list sc_event_and_expr;
typedef sc_event_or_list sc_event_or_expr;

inline sc_event_and_list operator&(const sc_event &a, const sc_event &b) {
    return sc_event_and_list(a) &= b;
}
inline sc_event_and_list operator&(const sc_event &a, const sc_event_and_list &b) {
    return sc_event_and_list(a) &= b;
}
inline sc_event_or_list operator|(const sc_event &a, const sc_event &b) {
    return sc_event_or_list(a) |= b;
}
inline sc_event_or_list operator|(const sc_event &a, const sc_event_or_list &b) {
    return sc_event_or_list(a) |= b;
}

} // namespace sc_core

#endif
