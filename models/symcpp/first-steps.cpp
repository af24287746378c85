// expect: safe
// expect: unsafe -DBUG
// expect: unsafe --property reach:pump&&pump->runs
// expect: unsafe --property reach:begun_first==1
// expect: unsafe --property reach:begun_first==2
// expect: unsafe --property reach:second_pump
//
// A plant with two valves, each with a thread of its own, which are ready by themselves before they look at the first
// event, in either order. An operator opens the first valve and a supervisor closes it: two environments, either of
// which may act whenever the model is stable. The first event that opens the valve makes a pump, an active object with
// a statechart that begins by itself, and sends it an event. With BUG the valve takes for granted that nobody closes
// it before it was opened.

#include <cassert>
#include <uml.h>

enum { evOpen, evClose, evRun };

int begun_first = 0;
bool second_pump = false;

class Pump : public Active, public Reactive {
  public:
    bool primed = false, runs = false;
    Pump() : Reactive(this) {}

  protected:
    bool processEvent(const Event &) override {
        assert(primed);
        runs = true;
        return true;
    }
    bool processCompletion() override {
        if (primed) return false;
        primed = true;
        return true;
    }
};

Pump *pump = nullptr;

class Valve : public Reactive {
    const int number;

  public:
    bool ready = false, open = false;
    Valve(Active *thread, int number) : Reactive(thread), number(number) {}

  protected:
    bool processEvent(const Event &event) override {
        assert(ready);
#ifdef BUG
        assert(event.id == evOpen || open);
#endif
        open = event.id == evOpen;
        if (open && !pump) {
            pump = new Pump;
            pump->gen(evRun);
        } else if (open && pump->runs) {
            second_pump = true;
        }
        return true;
    }
    bool processCompletion() override {
        if (ready) return false;
        ready = true;
        if (!begun_first) begun_first = number;
        return true;
    }
};

Active first_thread, second_thread;
Valve first(&first_thread, 1), second(&second_thread, 2);

class Operator : public Environment {
    void act() override { first.gen(evOpen); }
} operator_of_plant;

class Supervisor : public Environment {
    void act() override { first.gen(evClose); }
} supervisor;

int main() { Model::start(); }
