// expect: safe
// expect: unsafe -DBUG
// expect: unsafe --property reach:house.state==Alarm::Disarmed&&house.memory
// expect: safe --property reach:house.state==Alarm::Entry&&house.delay>DELAY
//
// A burglar alarm with a keypad. The first DIGITS digits that are entered become the code. From then on the code arms
// and disarms the house. While armed, a sensor starts a delay of DELAY ticks for the entry; without the code by then,
// or after TRIES wrong ones, the alarm sounds. It is remembered until the house is armed again. The keypad may send
// any of RANGE numbers, of which those that are no digits are ignored.
// Invariant: who disarms the house has entered its code, and has had less than TRIES wrong ones.
// With BUG the last digit is not compared.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef DIGITS
#define DIGITS 2
#endif
#ifndef DELAY
#define DELAY 2
#endif
#ifndef TRIES
#define TRIES 2
#endif

enum { evKey, evSensor, evTick, evCode };

class Key : public Event {
  public:
    const int number;
    explicit Key(int number) : Event(evKey), number(number) {}
};

// What the keypad sends when enough digits have been entered.
class Code : public Event {
  public:
    int digit[DIGITS] = {};

    Code() : Event(evCode) {}

    bool isEqualTo(const Code &other, int digits) const {
        for (int i = 0; i < digits; i++) {
            if (digit[i] != other.digit[i]) return false;
        }
        return true;
    }
};

class Alarm : public Reactive {
  public:
    enum State { New, Disarmed, Armed, Entry, Sounding } state = New;
    bool memory = false;
    int delay = 0;

    explicit Alarm(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override {
        switch (event.id) {
        case evCode:
            enterCode(static_cast<const Code &>(event));
            return true;
        case evSensor:
            if (state != Armed) return false;
            delay = DELAY;
            state = Entry;
            return true;
        case evTick:
            if (state != Entry) return false;
            delay--;
            return true;
        default:
            return false;
        }
    }

    bool processCompletion() override {
        bool tooLate = state == Entry && delay == 0;
        bool tooMany = (state == Armed || state == Entry) && wrong == TRIES;
        if (!tooLate && !tooMany) return false;
        state = Sounding;
        memory = true;
        wrong = delay = 0;
        return true;
    }

  private:
    Code code;
    int wrong = 0;

    void enterCode(const Code &entered) {
        if (state == New) {
            for (int i = 0; i < DIGITS; i++) code.digit[i] = entered.digit[i];
            state = Disarmed;
        } else if (isRight(entered)) {
            if (state == Disarmed)
                arm();
            else
                disarm(entered);
        } else if (state == Armed || state == Entry) {
            wrong++;
        }
    }

    bool isRight(const Code &entered) const {
#ifdef BUG
        return entered.isEqualTo(code, DIGITS - 1);
#else
        return entered.isEqualTo(code, DIGITS);
#endif
    }

    void arm() {
        memory = false;
        state = Armed;
    }

    void disarm(const Code &entered) {
        assert(entered.isEqualTo(code, DIGITS));
        assert(wrong < TRIES);
        wrong = delay = 0;
        state = Disarmed;
    }
};

class Keypad : public Reactive {
  public:
    Keypad(Active *thread, Alarm *alarm) : Reactive(thread), itsAlarm(alarm) {}

  protected:
    bool processEvent(const Event &event) override {
        int number = static_cast<const Key &>(event).number;
        if (number < 0 || number > 9) return false;
        if (!code) code = new Code;
        code->digit[entered++] = number;
        if (entered < DIGITS) return true;
        itsAlarm->gen(code);
        code = nullptr;
        entered = 0;
        return true;
    }

  private:
    Alarm *const itsAlarm;
    Code *code = nullptr;
    int entered = 0;
};

Active thread;
Alarm house(&thread);
Keypad keypad(&thread, &house);

class Outside : public Environment {
    void act() override {
        switch (anyOf(3)) {
        case 0: keypad.gen(new Key(anyNumber())); break;
        case 1: house.gen(evSensor); break;
        default: house.gen(evTick); break;
        }
    }
};

Outside outside;

int main() { Model::start(); }
