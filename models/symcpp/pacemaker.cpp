// expect: safe --engine search --chain 1000000
// expect: unsafe -DBUG
// expect: unsafe --engine search --chain 1000000 --property reach:heart.atrium.state==Chamber::Pacing&&heart.atrium.mode==Chamber::Inhibited&&heart.ventricle.state==Chamber::Pacing&&heart.ventricle.mode==Chamber::Triggered
// expect: safe --engine search --chain 1000000 --property reach:heart.atrium.mode==Chamber::Off&&heart.atrium.state==Chamber::Pacing
//
// A pacemaker for the two chambers of a heart. After a beat a chamber is refractory for REFRACTORY ticks; if then no
// beat of the heart itself is sensed for the programmed interval, the chamber is paced, for one tick. In mode
// Inhibited a sensed beat makes the pulse unnecessary, in mode Triggered it is supported by a pulse at once, and Off
// does nothing. A doctor changes modes and the interval (1 to LONGEST ticks, of any of RANGE numbers sent) while a
// magnet closes the reed switch.
// Invariant: no pulse meets a refractory chamber, and nothing is programmed without the magnet.
// With BUG a chamber in mode Triggered answers every beat that is sensed.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef REFRACTORY
#define REFRACTORY 1
#endif
#ifndef LONGEST
#define LONGEST 2
#endif

enum { evAtrialMode, evVentricularMode, evInterval, evMagnet, evSense, evTick };

class Command : public Event {
  public:
    const int value;
    Command(int id, int value) : Event(id), value(value) {}
};

class ReedSwitch {
  public:
    bool closed = false;
};

class Chamber : public Reactive {
  public:
    enum Mode { Off, Inhibited, Triggered } mode = Off;
    enum State { Idle, Refractory, Waiting, Pacing } state = Idle;

    Chamber(Active *thread, const ReedSwitch &reed) : Reactive(thread), reed(reed) {}

  protected:
    bool processEvent(const Event &event) override {
        switch (event.id) {
        case evAtrialMode:
        case evVentricularMode:
            program(static_cast<const Command &>(event).value);
            return true;
        case evInterval:
            assert(reed.closed);
            interval = static_cast<const Command &>(event).value;
            return true;
        case evSense:
            return sense();
        case evTick:
            return tick();
        default:
            return false;
        }
    }

  private:
    const ReedSwitch &reed;
    int interval = 1;
    int remaining = 0;          // ticks in this state
    int recovered = REFRACTORY; // ticks since the last beat, as far as they matter

    void program(int newMode) {
        assert(reed.closed);
        if (newMode == Off) state = Idle;
        mode = static_cast<Mode>(newMode);
        if (mode != Off && state == Idle) beat();
    }

    void beat() {
        state = Refractory;
        remaining = REFRACTORY;
        recovered = 0;
    }

    void pace() {
        assert(recovered >= REFRACTORY);
        state = Pacing;
        remaining = 1;
    }

    bool sense() {
        bool isListening = state == Waiting;
#ifdef BUG
        isListening = isListening || (mode == Triggered && state == Refractory);
#endif
        if (!isListening) return false;
        if (mode == Triggered)
            pace();
        else
            beat();
        return true;
    }

    bool tick() {
        if (state == Idle) return false;
        if (recovered < REFRACTORY) recovered++;
        if (--remaining > 0) return true;
        if (state == Refractory) {
            state = Waiting;
            remaining = interval;
        } else if (state == Waiting) {
            pace();
        } else {
            beat();
        }
        return true;
    }
};

class Pacemaker : public Reactive {
  public:
    ReedSwitch reed;
    Chamber atrium;
    Chamber ventricle;

    explicit Pacemaker(Active *thread) : Reactive(thread), atrium(thread, reed), ventricle(thread, reed) {}

  protected:
    // What comes through the coil; commands count only next to a magnet.
    bool processEvent(const Event &event) override {
        if (event.id == evMagnet) {
            reed.closed = !reed.closed;
            return true;
        }
        int value = static_cast<const Command &>(event).value;
        if (!reed.closed || !isValid(event.id, value)) return false;
        if (event.id != evVentricularMode) atrium.gen(new Command(event.id, value));
        if (event.id != evAtrialMode) ventricle.gen(new Command(event.id, value));
        return true;
    }

  private:
    static bool isValid(int id, int value) {
        if (id == evInterval) return value >= 1 && value <= LONGEST;
        return value >= Chamber::Off && value <= Chamber::Triggered;
    }
};

Active thread;
Pacemaker heart(&thread);

class Patient : public Environment {
    void act() override {
        switch (anyOf(5)) {
        case 0: heart.gen(evMagnet); break;
        case 1: heart.gen(new Command(anyOf(evInterval + 1), anyNumber())); break;
        case 2: heart.atrium.gen(evSense); break;
        case 3: heart.ventricle.gen(evSense); break;
        default:
            heart.atrium.gen(evTick);
            heart.ventricle.gen(evTick);
            break;
        }
    }
};

Patient patient;

int main() { Model::start(); }
