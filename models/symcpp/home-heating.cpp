// expect: safe --engine search --chain 1000000 -DINVARIANT
// expect: unsafe -DINVARIANT -DBUG
// expect: unsafe --engine search --chain 1000000 --property reach:heating.boiler.state==Boiler::Fault&&heating.room[ROOMS-1]->valve
// expect: safe --engine search --chain 1000000 --property reach:heating.boiler.attempts>ATTEMPTS
//
// A heating with one boiler for ROOMS rooms. Each room has a thermometer, a valve and a wish, one for the day and one
// for the night: it asks for heat when it is colder than wished, and no longer when it is warmer by more than one
// degree. The boiler, an active object of its own, burns as long as some room asks; lighting it may fail, and after
// ATTEMPTS failures somebody has to come. The environment enters temperatures (any of RANGE numbers), says when day
// and night begin, and whether there is a flame.
// Invariant, whenever the model is stable: the boiler works if and only if some valve is open (or it is faulty), and
// a room with an open valve is not too warm.
// With BUG a room that is asking for heat already asks again when somebody changes the wish.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef ROOMS
#define ROOMS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 3
#endif
#define NIGHT 17
#define DAY   21

enum { evTemperature, evDay, evNight, evFlame, evNoFlame, evRepair, evMoreHeat, evLessHeat };

class Temperature : public Event {
  public:
    const int degrees;
    explicit Temperature(int degrees) : Event(evTemperature), degrees(degrees) {}
};

class Boiler : public Active, public Reactive {
  public:
    enum State { Off, Lighting, Burning, Fault } state = Off;
    int attempts = 0;

    Boiler() : Reactive(this) {}

  protected:
    bool processEvent(const Event &event) override {
        switch (event.id) {
        case evMoreHeat:
            asking++;
            return true;
        case evLessHeat:
            asking--;
            return true;
        case evFlame:
            if (state != Lighting) return false;
            attempts = 0;
            state = Burning;
            return true;
        case evNoFlame:
            if (state == Lighting)
                attempts++;
            else if (state == Burning)
                state = Lighting;
            else
                return false;
            return true;
        case evRepair:
            if (state != Fault) return false;
            attempts = 0;
            state = Off;
            return true;
        default:
            return false;
        }
    }

    bool processCompletion() override {
        State next = state;
        if (state == Lighting && attempts == ATTEMPTS)
            next = Fault;
        else if (state == Off && asking > 0)
            next = Lighting;
        else if (state != Fault && asking == 0)
            next = Off;
        if (next == state) return false;
        if (next == Off) attempts = 0;
        state = next;
        return true;
    }

  private:
    int asking = 0;
};

class Room : public Reactive {
  public:
    int temperature = DAY;
    int wish = DAY;
    bool valve = false;

    Room(Active *thread, Boiler *boiler) : Reactive(thread), itsBoiler(boiler) {}

  protected:
    bool processEvent(const Event &event) override {
        if (event.id == evTemperature) {
            temperature = static_cast<const Temperature &>(event).degrees;
            return true;
        }
        wish = event.id == evDay ? DAY : NIGHT;
#ifdef BUG
        if (valve && isCold()) itsBoiler->gen(evMoreHeat);
#endif
        return true;
    }

    bool processCompletion() override {
        if (!valve && isCold()) {
            valve = true;
            itsBoiler->gen(evMoreHeat);
            return true;
        }
        if (valve && isWarm()) {
            valve = false;
            itsBoiler->gen(evLessHeat);
            return true;
        }
        return false;
    }

  private:
    Boiler *const itsBoiler;

    bool isCold() const { return temperature < wish; }
    bool isWarm() const { return temperature > wish + 1; }
};

class Heating {
  public:
    Active control;
    Boiler boiler;
    Room *room[ROOMS];

    Heating() {
        for (Room *&r : room) r = new Room(&control, &boiler);
    }

    ~Heating() {
        for (Room *r : room) delete r;
    }

    void checkInvariant() const {
        bool someIsOpen = false;
        for (const Room *r : room) {
            someIsOpen = someIsOpen || r->valve;
            assert(!r->valve || r->temperature <= r->wish + 1);
        }
        assert(boiler.state == Boiler::Fault || someIsOpen == (boiler.state != Boiler::Off));
    }
};

Heating heating;

class House : public Environment {
    void act() override {
#ifdef INVARIANT
        heating.checkInvariant();
#endif
        switch (anyOf(5)) {
        case 0: measure(); break;
        case 1: anyRoom()->gen(anyOf(2) ? evDay : evNight); break;
        case 2: heating.boiler.gen(anyOf(2) ? evFlame : evNoFlame); break;
        case 3: heating.boiler.gen(evRepair); break;
        default: // at the same time, for two active objects
            measure();
            heating.boiler.gen(evNoFlame);
            break;
        }
    }

    static Room *anyRoom() { return heating.room[anyOf(ROOMS)]; }
    static void measure() { anyRoom()->gen(new Temperature(anyNumber())); }
};

House house;

int main() { Model::start(); }
