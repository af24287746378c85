// The run-time framework that code generated from UML models is linked with, for SymC++ programs: events,
// queues of them, reactive objects (whose statecharts react to events), active objects (threads with a
// queue), environments.
//
//     Active thread; // every reactive object belongs to one active object
//     class Lamp : public Reactive { ... processEvent ... } lamp(&thread);
//     class User : public Environment { void act() override { lamp.gen(evPress); } } user;
//     int main() { Model::start(); }
//
// One event leads to one run-to-completion step, and steps exclude each other: at any time one thread has the
// turn and all others wait for theirs. Who ends a step hands the turn on: to any of the active objects that
// have events, which is a choice of symcpp_nondet if there are several, and to an environment, any one, if no
// one has (the model is stable). So threads interleave between run-to-completion steps only, in every
// possible order, and environments act on stable models only.
//
// The first step of an object takes the transitions that need no event, before any event for it is looked at.
// It is an entry of the queue, too, which only objects of classes with such transitions get. Objects that are
// made by a step, active ones and environments included, take part from the end of that step on.
//
// States stay small: an event is deleted after its step, a queue that has become empty holds no stale
// pointers, and nothing is counted. All of it works before Model::start, too, when main builds the model.
#ifndef HEDDLE_UML_H
#define HEDDLE_UML_H

#include "symcpp.h"

class Active;
class Model;
class Reactive;

// Asynchronous message. Parameters are members of derived classes, which the receiver knows by the id.
class Event {
  public:
    const int id;

    explicit Event(int id) : id(id) {}
    virtual ~Event() {}

  private:
    friend class Active;
    friend class EventQueue;
    Reactive *receiver = nullptr;
    Event *next = nullptr;
    bool isFirstStep = false; // of the receiver: nobody gets to see this event
};

// First in, first out; owns its events.
class EventQueue {
  public:
    EventQueue() {}
    EventQueue(const EventQueue &) = delete;
    EventQueue &operator=(const EventQueue &) = delete;
    ~EventQueue() {
        while (!empty()) delete take();
    }

    bool empty() const { return first == nullptr; }

    void append(Event *event) {
        if (first)
            last->next = event;
        else
            first = event;
        last = event;
    }

    // In front of all events that have the same receiver.
    void insertFirst(Event *event) {
        Event **place = &first;
        while (*place && (*place)->receiver != event->receiver) place = &(*place)->next;
        event->next = *place;
        *place = event;
        if (!event->next) last = event;
    }

    Event *take() {
        Event *event = first;
        first = event->next;
        if (!first) last = nullptr;
        event->next = nullptr;
        return event;
    }

    // Events for an object that is about to be deleted.
    void discard(const Reactive *receiver) {
        Event *event = first;
        first = last = nullptr;
        while (event) {
            Event *following = event->next;
            event->next = nullptr;
            if (event->receiver == receiver)
                delete event;
            else
                append(event);
            event = following;
        }
    }

  private:
    Event *first = nullptr;
    Event *last = nullptr;
};

// Thread that does something only when it has the turn. Lives as long as the program.
class Participant : public Thread {
  protected:
    int turn = 0;

  private:
    friend class Model;
};

// Objects of one kind in the order in which they were made.
template <class T> struct Chain {
    T *oldest = nullptr, *newest = nullptr;
    T *waiting = nullptr; // the first one that does not take part yet

    void append(T *object) {
        if (newest)
            newest->following = object;
        else
            oldest = object;
        newest = object;
        if (!waiting) waiting = object;
    }
};

// Thread with a queue of events for the reactive objects that belong to it.
class Active : public Participant {
  public:
    Active();

    void post(Reactive *receiver, Event *event) {
        event->receiver = receiver;
        queue.append(event);
    }

    void discard(const Reactive *receiver) { queue.discard(receiver); }
    bool hasEvents() const { return !queue.empty(); }
    void Run() override;

  private:
    friend class Model;
    template <class T> friend struct Chain;
    void postFirstStep(Reactive *receiver);
    static inline Chain<Active> all;
    EventQueue queue;
    Active *following = nullptr;
};

// Object with a statechart. An active class with one inherits from both: class Pump : public Active, public
// Reactive.
class Reactive {
  public:
    explicit Reactive(Active *thread);
    Reactive(const Reactive &) = delete;
    Reactive &operator=(const Reactive &) = delete;
    virtual ~Reactive();

    // Sends an event, which from now on belongs to the framework; it is processed in a later step.
    void gen(Event *event) { thread->post(this, event); }
    void gen(int id) { gen(new Event(id)); }

    // One step: the transition that the event triggers, then those that need none until none is left.
    virtual void runToCompletion(const Event &event) {
        if (processEvent(event)) complete();
    }

  protected:
    // Takes the transition that the event triggers. Without one the event is lost, and the answer false.
    virtual bool processEvent(const Event &event) = 0;
    // Takes one enabled transition without trigger, or answers false.
    virtual bool processCompletion() { return false; }

  private:
    friend class Active;
    friend class Model;
    friend class WithoutCompletions;
    Reactive() : thread(nullptr) {}

    void complete() {
        while (processCompletion()) {
        }
    }

    // The object's function processCompletion: behind two destructors and two other functions in the table
    // that the object begins with, as the Itanium ABI lays it out.
    const void *completions() const { return (*reinterpret_cast<const void *const *const *>(this))[4]; }
    bool hasCompletions() const;

    Active *const thread;
    Reactive *following = nullptr; // among those that have not begun
    static inline Reactive *notBegun = nullptr;
};

// What the table of a class has that does not override processCompletion.
class WithoutCompletions final : public Reactive {
    bool processEvent(const Event &) override { return false; }
};
inline const WithoutCompletions withoutCompletions;

inline bool Reactive::hasCompletions() const {
    return completions() != withoutCompletions.completions();
}

// The world around the model, or a part of it: acts (sends events, calls operations) when the model is
// stable.
class Environment : public Participant {
  public:
    Environment();
    virtual void act() = 0;
    void Run() override;

  private:
    friend class Model;
    template <class T> friend struct Chain;
    static inline Chain<Environment> all;
    Environment *following = nullptr;
};

// Who has the turn.
class Model {
  public:
    // Starts all threads; main calls it once, when the model is built, and does not return from it: static
    // objects live as long as there are threads that use them.
    static void start() {
        welcome();
        Thread *any = Active::all.oldest ? static_cast<Thread *>(Active::all.oldest)
                                         : Environment::all.oldest; // read now: see below
        handOver(); // behind it main does nothing that others could see
        any->await(&never);
    }

    // No event waits in a queue. Who asks has the turn, so no step is under way but the asker's.
    static bool isStable() { return countThoseWithEvents() == 0; }

  private:
    friend class Active;
    friend class Environment;
    friend class Reactive;
    static inline int never = 0;
    static inline bool hasNewcomers = false; // since the last step ended

    // They are not looked at before that: their constructors may be under way until then.
    static void welcome() {
        hasNewcomers = false;
        while (Reactive *object = Reactive::notBegun) {
            Reactive::notBegun = object->following;
            object->following = nullptr;
            if (object->hasCompletions()) object->thread->postFirstStep(object);
        }
        Active *active = Active::all.waiting;
        Environment *environment = Environment::all.waiting;
        Active::all.waiting = nullptr;
        Environment::all.waiting = nullptr;
        for (; active; active = active->following) active->Start();
        for (; environment; environment = environment->following) environment->Start();
    }

    static int countThoseWithEvents() {
        int count = 0;
        for (const Active *active = Active::all.oldest; active; active = active->following)
            count += active->hasEvents();
        return count;
    }

    static int choose(int candidates) { return candidates == 1 ? 1 : symcpp_nondet(1, candidates); }

    static void handOver() {
        if (hasNewcomers) welcome();
        int candidates = countThoseWithEvents();
        if (candidates == 0) {
            handOverToEnvironment();
            return;
        }
        int chosen = choose(candidates);
        Active *active = Active::all.oldest;
        for (;; active = active->following) {
            if (active->hasEvents() && --chosen == 0) break;
        }
        active->turn = 1;
    }

    static void handOverToEnvironment() {
        Environment *environment = Environment::all.oldest;
        if (!environment) return;
        int count = 0;
        for (const Environment *e = environment; e; e = e->following) count++;
        for (int chosen = choose(count); chosen > 1; chosen--) environment = environment->following;
        environment->turn = 1;
    }
};

inline Active::Active() {
    all.append(this);
    Model::hasNewcomers = true;
}

inline Environment::Environment() {
    all.append(this);
    Model::hasNewcomers = true;
}

inline Reactive::Reactive(Active *thread) : thread(thread) {
    Reactive **end = &notBegun;
    while (*end) end = &(*end)->following;
    *end = this;
    Model::hasNewcomers = true;
}

inline Reactive::~Reactive() {
    if (!thread) return;
    for (Reactive **place = &notBegun; *place; place = &(*place)->following) {
        if (*place != this) continue;
        *place = following;
        break;
    }
    thread->discard(this);
}

inline void Active::postFirstStep(Reactive *receiver) {
    Event *event = new Event(0);
    event->receiver = receiver;
    event->isFirstStep = true;
    queue.insertFirst(event);
}

inline void Active::Run() {
    for (;;) {
        await(&turn);
        Event *event = queue.take();
        if (event->isFirstStep)
            event->receiver->complete();
        else
            event->receiver->runToCompletion(*event);
        delete event;
        Model::handOver();
    }
}

inline void Environment::Run() {
    for (;;) {
        await(&turn);
        act();
        Model::handOver();
    }
}

// Association to any number of objects, which the list does not own. For range-based for.
template <class T> class List {
    struct Link {
        T *element;
        Link *next;
    };

  public:
    class Iterator {
      public:
        explicit Iterator(const Link *link) : link(link) {}
        T *operator*() const { return link->element; }
        Iterator &operator++() {
            link = link->next;
            return *this;
        }
        bool operator!=(const Iterator &other) const { return link != other.link; }

      private:
        const Link *link;
    };

    List() {}
    List(const List &) = delete;
    List &operator=(const List &) = delete;
    ~List() {
        while (first) {
            Link *link = first;
            first = link->next;
            delete link;
        }
    }

    void add(T *element) {
        Link **end = &first;
        while (*end) end = &(*end)->next;
        *end = new Link{element, nullptr};
    }

    Iterator begin() const { return Iterator(first); }
    Iterator end() const { return Iterator(nullptr); }

  private:
    Link *first = nullptr;
};

#endif
