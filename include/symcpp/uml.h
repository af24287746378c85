// The run-time framework that code generated from UML models is linked with, for SymC++ programs: events,
// queues of them, reactive objects (whose statecharts react to events), active objects (threads with a
// queue), an environment.
//
//     Active thread;                                       // every reactive object belongs to one active
//     object class Lamp : public Reactive { ... processEvent ... } lamp(&thread); class User : public
//     Environment { void act() override { lamp.gen(new Event(evPress)); } } user; int main() {
//     Model::start(); }
//
// One event leads to one run-to-completion step, and steps exclude each other: at any time one thread has the
// turn and all others wait for theirs. Who ends a step hands the turn on: to any of the active objects that
// have events, which is a choice of symcpp_nondet if there are several, and to the environment if no one has
// (the model is stable). So threads interleave between run-to-completion steps only, in every possible order,
// and the environment acts on stable models only.
//
// States stay small: an event is deleted after its step, a queue that has become empty holds no stale
// pointers, and nothing is counted. All of it works before Model::start, too, when main builds the model.
#ifndef HEDDLE_UML_H
#define HEDDLE_UML_H

#include "symcpp.h"

class Active;
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

// Thread that does something only when it has the turn.
class Participant : public Thread {
  protected:
    int turn = 0;

  private:
    friend class Model;
};

// Thread with a queue of events for the reactive objects that belong to it. To be declared statically.
class Active : public Participant {
  public:
    Active() {
        if (newest)
            newest->following = this;
        else
            oldest = this;
        newest = this;
    }

    void post(Reactive *receiver, Event *event) {
        event->receiver = receiver;
        queue.append(event);
    }

    void discard(const Reactive *receiver) { queue.discard(receiver); }
    bool hasEvents() const { return !queue.empty(); }
    void Run() override;

  private:
    friend class Model;
    static inline Active *oldest = nullptr;
    static inline Active *newest = nullptr;
    EventQueue queue;
    Active *following = nullptr;
};

// Object with a statechart. An active class with one inherits from both: class Pump : public Active, public
// Reactive.
class Reactive {
  public:
    explicit Reactive(Active *thread) : thread(thread) {}
    Reactive(const Reactive &) = delete;
    Reactive &operator=(const Reactive &) = delete;
    virtual ~Reactive() { thread->discard(this); }

    // Sends an event, which from now on belongs to the framework; it is processed in a later step.
    void gen(Event *event) { thread->post(this, event); }
    void gen(int id) { gen(new Event(id)); }

    // One step: the transition that the event triggers, then those that need none until none is left.
    virtual void runToCompletion(const Event &event) {
        if (!processEvent(event)) return;
        while (processCompletion()) {
        }
    }

  protected:
    // Takes the transition that the event triggers. Without one the event is lost, and the answer false.
    virtual bool processEvent(const Event &event) = 0;
    // Takes one enabled transition without trigger, or answers false.
    virtual bool processCompletion() { return false; }

  private:
    Active *const thread;
};

// The world around the model. There is one; it acts (sends events, calls operations) whenever the model is
// stable.
class Environment : public Participant {
  public:
    Environment() { the = this; }
    virtual void act() = 0;
    void Run() override;

  private:
    friend class Model;
    static inline Environment *the = nullptr;
};

// Who has the turn.
class Model {
  public:
    // Starts all threads; main calls it once, when the model is built, and does not return from it: static
    // objects live as long as there are threads that use them.
    static void start() {
        for (Active *active = Active::oldest; active; active = active->following) active->Start();
        if (Environment::the) Environment::the->Start();
        Thread *any = Active::oldest; // read now: behind handOver main does nothing that others could see
        handOver();
        any->await(&never);
    }

    // No event waits in a queue. Who asks has the turn, so no step is under way but the asker's.
    static bool isStable() { return countThoseWithEvents() == 0; }

  private:
    friend class Active;
    friend class Environment;
    static inline int never = 0;

    static int countThoseWithEvents() {
        int count = 0;
        for (const Active *active = Active::oldest; active; active = active->following)
            count += active->hasEvents();
        return count;
    }

    static void handOver() {
        int candidates = countThoseWithEvents();
        if (candidates == 0) {
            if (Environment::the) Environment::the->turn = 1;
            return;
        }
        int chosen = candidates == 1 ? 1 : symcpp_nondet(1, candidates);
        Active *active = Active::oldest;
        for (;; active = active->following) {
            if (active->hasEvents() && --chosen == 0) break;
        }
        active->turn = 1;
    }
};

inline void Active::Run() {
    for (;;) {
        await(&turn);
        Event *event = queue.take();
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
