// expect: safe --engine search --chain 1000000 -DINVARIANT
// expect: unsafe -DINVARIANT -DBUG
// expect: unsafe --engine search --chain 1000000 --property reach:machine.state==Dishwasher::Faulty&&machine.quick
// expect: safe --engine search --chain 1000000 --property reach:machine.door.open&&machine.jet.on
//
// A dishwasher. Its programs wash, rinse and dry; the normal one lasts as many minutes in each phase as the user has
// set (1 to MINUTES, other settings are refused), the quick one a single minute. Opening the door interrupts a
// program, closing it lets it go on. After RUNS runs the machine wants maintenance. Tank, jet, heater and door are
// parts that the machine operates by calls.
// Invariant: with an open door neither jet nor heater are on, the jet needs a full tank, and the machine is not worn
// out.
// With BUG the heater stays on when the door is opened while dishes dry.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef MINUTES
#define MINUTES 3
#endif
#ifndef RUNS
#define RUNS 3
#endif

enum { evStart, evQuick, evSetup, evOpen, evClose, evMinute, evService };

class Setup : public Event {
  public:
    const int minutes;
    explicit Setup(int minutes) : Event(evSetup), minutes(minutes) {}
};

class Part {
  public:
    bool on = false;
    virtual ~Part() {}
    virtual void turn(bool toOn) { on = toOn; }
};

class Tank : public Part {};

class Jet : public Part {
  public:
    explicit Jet(const Tank &tank) : tank(tank) {}
    void turn(bool toOn) override {
        assert(!toOn || tank.on);
        Part::turn(toOn);
    }

  private:
    const Tank &tank;
};

class Heater : public Part {};

class Door {
  public:
    bool open = false;
};

class Dishwasher : public Reactive {
  public:
    enum State { Off, Washing, Rinsing, Drying, Faulty } state = Off;
    Tank tank;
    Jet jet{tank};
    Heater heater;
    Door door;
    bool quick = false;

    explicit Dishwasher(Active *thread) : Reactive(thread) {}

    void checkInvariant() const {
        assert(!door.open || !(jet.on || heater.on));
        assert(!jet.on || tank.on);
        assert(runs <= RUNS && (runs < RUNS || state == Faulty));
    }

  protected:
    bool processEvent(const Event &event) override {
        switch (event.id) {
        case evStart:
            if (state != Off || door.open) return false;
            enter(Washing);
            return true;
        case evQuick:
            if (state != Off) return false;
            quick = !quick;
            return true;
        case evSetup: {
            int minutes = static_cast<const Setup &>(event).minutes;
            if (state != Off || minutes < 1 || minutes > MINUTES) return false;
            setting = minutes;
            return true;
        }
        case evOpen:
            pause();
            door.open = true;
            return true;
        case evClose:
            door.open = false;
            resume();
            return true;
        case evMinute:
            if (!isRunning() || door.open) return false;
            remaining--;
            return true;
        case evService:
            if (state != Faulty) return false;
            state = Off;
            runs = 0;
            return true;
        default:
            return false;
        }
    }

    // A phase is over.
    bool processCompletion() override {
        if (!isRunning() || remaining > 0) return false;
        if (state != Drying) {
            enter(state == Washing ? Rinsing : Drying);
        } else {
            heater.turn(false);
            runs++;
            state = runs == RUNS ? Faulty : Off;
        }
        return true;
    }

  private:
    int setting = 1;
    int remaining = 0;
    int runs = 0;

    bool isRunning() const { return state == Washing || state == Rinsing || state == Drying; }

    void enter(State phase) {
        state = phase;
        remaining = quick ? 1 : setting;
        tank.turn(phase != Drying); // in: fresh water; before drying: out
        resume();
    }

    void pause() {
        jet.turn(false);
#ifndef BUG
        heater.turn(false);
#endif
    }

    void resume() {
        jet.turn(state == Washing || state == Rinsing);
        heater.turn(state == Drying);
    }
};

Active thread;
Dishwasher machine(&thread);

class Household : public Environment {
    void act() override {
#ifdef INVARIANT
        machine.checkInvariant();
#endif
        int what = anyOf(evService + 1);
        if (what == evSetup)
            machine.gen(new Setup(anyNumber()));
        else
            machine.gen(what);
    }
};

Household household;

int main() { Model::start(); }
