/* Events, and lists of them. */
#ifndef HEDDLE_SYSTEMC_EVENT_H
#define HEDDLE_SYSTEMC_EVENT_H

#include "object.h"
#include "time.h"

namespace sc_core {

class sc_event;

namespace heddle {

enum { MOST_LISTED = 16, SPARE_EVENTS = 16 };

/* Numbers of events that are made and destroyed during the simulation. */
struct spare_events {
    unsigned first = 0;
    bool taken[SPARE_EVENTS] = {};
};
inline spare_events spares;

/* Numbers of events that are notified before the simulation: nobody waits yet, but processes are sensitive to
 * them. */
inline std::vector<unsigned> &notified_early() {
    static std::vector<unsigned> *list = new std::vector<unsigned>;
    return *list;
}

struct timed_notification {
    unsigned event;
    unsigned long long time;
};
/* Timed ones: made when elaboration is over, as main's. */
inline std::vector<timed_notification> &timed_early() {
    static std::vector<timed_notification> *list = new std::vector<timed_notification>;
    return *list;
}
inline bool is_notified_early(unsigned event) {
    for (unsigned notified : notified_early())
        if (notified == event) return true;
    return false;
}
inline void notify_timed_early() {
    for (const timed_notification &n : timed_early())
        if (!is_notified_early(n.event)) __heddle_sc_notify_after(n.event, n.time);
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
        if (heddle::simulation_runs) {
            take_spare();
            return;
        }
        heddle::hierarchy &h = heddle::design();
        std::string prefix = h.open.empty() ? "" : std::string(h.open.back()->name()) + ".";
        std::string number_text = std::to_string(__heddle_sc_registry.events.count);
        std::string *kept =
            new std::string(prefix + (event_name && *event_name ? event_name : "event_" + number_text));
        name_text = kept;
        heddle_sc_record::name = kept->c_str();
        heddle::enlist(__heddle_sc_registry.events, *this, __heddle_sc_registry.events.count);
    }
    sc_event(const sc_event &) = delete;
    sc_event &operator=(const sc_event &) = delete;
    ~sc_event() {
        heddle::outlive(__heddle_sc_registry.events, *this);
        if (heddle::simulation_runs && (!name_text || heddle::design().simulating))
            __heddle_sc_cancel(number); /* of spare events the next one with this number is another one */
        if (!name_text) heddle::spares.taken[number - heddle::spares.first] = false;
    }

    void notify() {
        if (!heddle::simulation_runs || !__heddle_sc_self())
            __heddle_violation("an immediate notification is made by a process while it runs");
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
            cancel_early();
    }
    const char *name() const { return heddle_sc_record::name; }
    const char *basename() const { return heddle_sc_record::name; }
    bool in_hierarchy() const { return true; }
    unsigned heddle_number() const { return number; }

  private:
    void notify_after(unsigned long long time) {
        if (heddle::simulation_runs) {
            __heddle_sc_notify_after(number, time);
            return;
        }
        if (time)
            heddle::timed_early().push_back({number, time});
        else
            heddle::notified_early().push_back(number);
    }
    void cancel_early() {
        bool is_notified = heddle::is_notified_early(number);
        for (const heddle::timed_notification &n : heddle::timed_early()) is_notified |= n.event == number;
        if (is_notified) __heddle_unsupported("cancel of a notification before the simulation");
    }
    void take_spare() {
        for (unsigned k = 0; k < heddle::SPARE_EVENTS; k++)
            if (!heddle::spares.taken[k]) {
                heddle::spares.taken[k] = true;
                number = heddle::spares.first + k;
                heddle_sc_record::name = "event";
                name_text = nullptr;
                return;
            }
        __heddle_unsupported("more than 16 events that are made during the simulation");
    }
    const std::string *name_text = nullptr;
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
