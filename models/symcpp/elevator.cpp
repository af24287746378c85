// expect: safe --engine search --chain 1000000 -DINVARIANT -DFLOORS=2
// expect: unsafe -DINVARIANT -DBUG
// expect: unsafe --engine search --chain 1000000 --property reach:building.elevator[0]->state==Elevator::Open&&building.elevator[0]->floor==FLOORS-1&&building.elevator[1]->state==Elevator::Open&&building.elevator[1]->floor==FLOORS-1
// expect: safe --engine search --chain 1000000 --property reach:building.elevator[0]->floor<0||building.elevator[0]->floor>=FLOORS -DFLOORS=2
//
// ELEVATORS elevators in a house with FLOORS floors. Buttons in a cabin are for its elevator; a call from a floor
// goes to an elevator that is idle or already bound for that floor, and is lost if there is none. Time passes in
// ticks, with which a moving cabin comes to the next floor and an open door closes. The environment presses buttons,
// which may be labelled with any of RANGE numbers, and lets time pass.
// Invariant: cabins stay within the house, move with closed doors only, and do so towards a floor where they are
// wanted.
// With BUG an elevator forgets to look for wishes below it before it goes up again.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef ELEVATORS
#define ELEVATORS 2
#endif
#ifndef FLOORS
#define FLOORS 3
#endif

enum { evGoto, evTick };

class Goto : public Event {
  public:
    const int floor;
    explicit Goto(int floor) : Event(evGoto), floor(floor) {}
};

class Elevator : public Reactive {
  public:
    enum State { Idle, Open, Up, Down } state = Idle;
    int floor = 0;
    bool wanted[FLOORS] = {};

    explicit Elevator(Active *thread) : Reactive(thread) {}

    bool isWantedAbove() const {
        for (int f = floor + 1; f < FLOORS; f++) {
            if (wanted[f]) return true;
        }
        return false;
    }

    bool isWantedBelow() const {
        for (int f = 0; f < floor; f++) {
            if (wanted[f]) return true;
        }
        return false;
    }

  protected:
    bool processEvent(const Event &event) override {
        if (event.id == evGoto) {
            wanted[static_cast<const Goto &>(event).floor] = true;
            return true;
        }
        switch (state) {
        case Open:
            state = Idle;
            return true;
        case Up:
            floor++;
            return true;
        case Down:
            floor--;
            return true;
        default:
            return false;
        }
    }

    // Where to go, from the floor where the cabin stands or has just arrived.
    bool processCompletion() override {
        State next = state;
        if (state == Open) return false;
        if (wanted[floor]) {
            wanted[floor] = false;
            next = Open;
        } else if (state == Idle) {
#ifdef BUG
            next = isWantedAbove() || isWantedBelow() ? Up : Idle;
#else
            next = isWantedAbove() ? Up : isWantedBelow() ? Down : Idle;
#endif
        }
        bool moves = next != state;
        state = next;
        return moves;
    }
};

// Calls from floors.
class Dispatcher : public Reactive {
  public:
    Elevator *itsElevator[ELEVATORS];

    explicit Dispatcher(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override {
        int floor = static_cast<const Goto &>(event).floor;
        for (Elevator *elevator : itsElevator) {
            if (elevator->wanted[floor]) return true; // comes anyway
        }
        for (Elevator *elevator : itsElevator) {
            if (elevator->state != Elevator::Idle) continue;
            elevator->gen(new Goto(floor));
            return true;
        }
        return false;
    }
};

class Building {
  public:
    Elevator *elevator[ELEVATORS];
    Dispatcher *dispatcher;

    explicit Building(Active *thread) : dispatcher(new Dispatcher(thread)) {
        for (int i = 0; i < ELEVATORS; i++) dispatcher->itsElevator[i] = elevator[i] = new Elevator(thread);
    }

    ~Building() {
        delete dispatcher;
        for (Elevator *e : elevator) delete e;
    }

    void checkInvariant() const {
        for (const Elevator *e : elevator) {
            assert(e->floor >= 0 && e->floor < FLOORS);
            if (e->state == Elevator::Up) assert(e->isWantedAbove());
            if (e->state == Elevator::Down) assert(e->isWantedBelow());
        }
    }
};

Active thread;
Building building(&thread);

class People : public Environment {
    void act() override {
#ifdef INVARIANT
        building.checkInvariant();
#endif
        if (anyOf(2)) {
            for (Elevator *elevator : building.elevator) elevator->gen(evTick);
            return;
        }
        int floor = buttonWithLabel(anyNumber());
        int where = anyOf(ELEVATORS + 1); // the floor, or one of the cabins
        if (floor < 0) return;
        if (where == ELEVATORS)
            building.dispatcher->gen(new Goto(floor));
        else
            building.elevator[where]->gen(new Goto(floor));
    }

    // Floors are numbered from 1; other labels belong to no button.
    static int buttonWithLabel(int label) {
        for (int floor = 0; floor < FLOORS; floor++) {
            if (label == floor + 1) return floor;
        }
        return -1;
    }
};

People people;

int main() { Model::start(); }
