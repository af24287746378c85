/* Objects of the design hierarchy and their names. */
#ifndef HEDDLE_SYSTEMC_OBJECT_H
#define HEDDLE_SYSTEMC_OBJECT_H

#include "report.h"

#include <iostream>
#include <string>
#include <vector>

/* Read by elaboration when the simulation starts. */
inline heddle_sc_registry __heddle_sc_registry;

namespace sc_core {

enum sc_status {
    SC_ELABORATION = 1,
    SC_BEFORE_END_OF_ELABORATION = 2,
    SC_END_OF_ELABORATION = 4,
    SC_START_OF_SIMULATION = 8,
    SC_RUNNING = 16,
    SC_PAUSED = 32,
    SC_STOPPED = 64,
    SC_END_OF_SIMULATION = 128
};
inline std::ostream &operator<<(std::ostream &os, sc_status s) {
    switch (s) {
    case SC_ELABORATION: return os << "SC_ELABORATION";
    case SC_BEFORE_END_OF_ELABORATION: return os << "SC_BEFORE_END_OF_ELABORATION";
    case SC_END_OF_ELABORATION: return os << "SC_END_OF_ELABORATION";
    case SC_START_OF_SIMULATION: return os << "SC_START_OF_SIMULATION";
    case SC_RUNNING: return os << "SC_RUNNING";
    case SC_PAUSED: return os << "SC_PAUSED";
    case SC_STOPPED: return os << "SC_STOPPED";
    case SC_END_OF_SIMULATION: return os << "SC_END_OF_SIMULATION";
    }
    return os << static_cast<int>(s);
}

class sc_object;
class sc_report;
class sc_module;
class sc_module_name;

namespace heddle {

inline void enlist(heddle_sc_list &list, heddle_sc_record &record, unsigned number) {
    record.number = number;
    record.next = nullptr;
    list.count++;
    if (list.last)
        list.last->next = &record;
    else
        list.first = &record;
    list.last = &record;
}

inline void delist(heddle_sc_list &list, heddle_sc_record &record) {
    if (simulation_runs) return; /* nobody reads it any more */
    heddle_sc_record *before = nullptr;
    for (heddle_sc_record *r = list.first; r; before = r, r = r->next) {
        if (r != &record) continue;
        (before ? before->next : list.first) = r->next;
        if (list.last == r) list.last = before;
        list.count--;
        return;
    }
}

/* Before an object goes that has a number: it keeps it. */
inline void outlive(heddle_sc_list &list, const heddle_sc_record &record) {
    if (simulation_runs) return;
    heddle_sc_record *before = nullptr;
    for (heddle_sc_record *r = list.first; r; before = r, r = r->next) {
        if (r != &record) continue;
        heddle_sc_record *copy = new heddle_sc_record(record);
        (before ? before->next : list.first) = copy;
        if (list.last == r) list.last = copy;
        return;
    }
}

struct hierarchy {
    std::vector<sc_object *> open;    /* modules whose constructors run, outermost first */
    std::vector<sc_object *> objects; /* all that live */
    std::vector<sc_object *> top_level;
    std::vector<const std::string *> events;               /* full names */
    sc_module_name *names = nullptr;                       /* given to constructors that have not begun yet */
    std::vector<std::pair<std::string, unsigned>> made_up; /* names at the top level, and how many of each */
    bool hides = false; /* what is made now belongs to this library, not to the design */
    bool elaborated = false, simulating = false, stopped = false;
    bool ended = false, end_told = false; /* after sc_stop: the simulation, and all callbacks */
    sc_status stage = SC_ELABORATION;     /* never SC_PAUSED: that is SC_RUNNING while main runs */
    const sc_report *error = nullptr;     /* that has left a process: nothing runs any more */
};
inline hierarchy &design() {
    static hierarchy *h = new hierarchy;
    return *h;
}

/* The parent of what is made now: the module whose constructor runs, or else the process. */
inline sc_object *active_object();

/* What is made until the end of the block is none of the design's objects. */
class hidden {
  public:
    hidden() { design().hides = true; }
    ~hidden() { design().hides = false; }
};
} // namespace heddle

inline const char *sc_gen_unique_name(const char *base, bool preserve_first = false);

class sc_object {
  public:
    sc_object() : sc_object(sc_gen_unique_name("object")) {}
    explicit sc_object(const char *name) {
        heddle::hierarchy &h = heddle::design();
        if (h.hides) {
            m_is_hidden = true;
            m_parent = nullptr;
            m_base = std::string(name);
            m_name = m_base;
        } else {
            set_name(heddle::active_object(), name && *name ? name : sc_gen_unique_name("object"));
            h.objects.push_back(this);
            siblings().push_back(this);
        }
        m_label.name = m_name.c_str();
        if (!heddle::simulation_runs) heddle::enlist(__heddle_sc_registry.objects, m_label, 0);
    }
    sc_object(const sc_object &) = delete;
    sc_object &operator=(const sc_object &) = delete;
    virtual ~sc_object() {
        heddle::hierarchy &h = heddle::design();
        heddle::delist(__heddle_sc_registry.objects, m_label);
        remove(h.objects);
        if (!m_is_hidden) remove(siblings());
        for (sc_object *child : m_children) child->m_parent = nullptr;
    }

    const char *name() const { return m_name.c_str(); }
    const char *basename() const { return m_base.c_str(); }
    virtual const char *kind() const { return "sc_object"; }
    sc_object *get_parent_object() const { return m_parent; }
    sc_object *get_parent() const { return m_parent; }
    virtual const std::vector<sc_object *> &get_child_objects() const { return m_children; }
    virtual void print(std::ostream &os = std::cout) const { os << m_name; }
    virtual void dump(std::ostream &os = std::cout) const { os << m_name; }
    virtual void trace(class sc_trace_file *) const {}

    std::vector<std::pair<std::string, unsigned>> heddle_made_up; /* names inside, as at the top level */

  protected:
    /* Full names differ: a taken one gets a number, also of an event that has it. */
    void set_name(sc_object *parent, const char *given) {
        m_parent = parent;
        m_base = std::string(given);
        for (char &c : m_base)
            if (c == '.' || c == ' ' || c == '\t' || c == '\n') c = '_';
        m_name = full_name(parent, m_base);
        while (is_taken(m_name)) {
            m_base = std::string(sc_gen_unique_name(m_base.c_str()));
            m_name = full_name(parent, m_base);
        }
    }

    /* Of what was hidden: from now on it is one of the design's objects, and not what it was before. */
    void become(sc_object *parent, const char *given) {
        remove(heddle::design().objects);
        set_name(parent, given);
        heddle::design().objects.push_back(this);
    }

  private:
    friend class sc_event;
    static std::string full_name(const sc_object *parent, const std::string &base) {
        if (!parent) return base;
        std::string whole = parent->m_name;
        whole.append(".").append(base); /* + compares addresses, of which nothing is known without a start */
        return whole;
    }
    static bool is_taken(const std::string &name);
    std::vector<sc_object *> &siblings() const {
        return m_parent ? m_parent->m_children : heddle::design().top_level;
    }
    void remove(std::vector<sc_object *> &from) {
        for (size_t k = 0; k < from.size(); k++)
            if (from[k] == this) {
                from.erase(from.begin() + static_cast<long>(k));
                return;
            }
    }
    heddle_sc_record m_label;
    std::string m_name, m_base;
    sc_object *m_parent;
    std::vector<sc_object *> m_children;
    bool m_is_hidden = false;
};

inline bool sc_object::is_taken(const std::string &name) {
    for (const sc_object *o : heddle::design().objects)
        if (o->m_name == name) return true;
    for (const std::string *of_event : heddle::design().events)
        if (*of_event == name) return true;
    return false;
}

inline const std::vector<sc_object *> &sc_get_top_level_objects() {
    return heddle::design().top_level;
}
inline sc_object *sc_find_object(const char *name) {
    for (sc_object *o : heddle::design().objects)
        if (std::string(o->name()) == name) return o;
    return nullptr;
}
/* As the library does it: the k-th time a base is asked for at this place of the hierarchy. Like there the
 * text is kept until the next call. */
inline const char *sc_gen_unique_name(const char *base, bool preserve_first) {
    static std::string *kept = new std::string;
    sc_object *place = heddle::active_object();
    std::vector<std::pair<std::string, unsigned>> &made =
        place ? place->heddle_made_up : heddle::design().made_up;
    size_t k = 0;
    while (k < made.size() && made[k].first != base) k++;
    bool is_first = k == made.size();
    if (is_first) made.push_back({base, 0});
    std::string name = made[k].first; /* `base` may be the text that was kept */
    if (!is_first || !preserve_first) name.append("_").append(std::to_string(made[k].second));
    made[k].second++;
    *kept = name;
    return kept->c_str();
}

/* Lives as long as the constructor of the module that it names: its end closes the module. */
class sc_module_name {
  public:
    sc_module_name(const char *name) : m_name(name), m_below(heddle::design().names) {
        heddle::design().names = this;
    }
    sc_module_name(const sc_module_name &other) : m_name(other.m_name), m_is_copy(true) {}
    ~sc_module_name() {
        if (m_is_copy) return;
        heddle::hierarchy &h = heddle::design();
        h.names = m_below;
        if (m_opened) h.open.pop_back();
    }
    operator const char *() const { return m_name; }

  private:
    friend class sc_module;
    sc_module_name &operator=(const sc_module_name &) = delete;
    const char *m_name;
    sc_module_name *m_below = nullptr;
    bool m_opened = false, m_is_copy = false;
};

} // namespace sc_core

#endif
