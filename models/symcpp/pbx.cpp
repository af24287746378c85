// expect: safe --engine search --chain 1000000 -DINVARIANT -DTELEPHONES=2
// expect: unsafe -DBUG=1
// expect: unsafe -DINVARIANT -DBUG=2
// expect: unsafe --engine search --chain 1000000 --order bfs --property reach:pbx.telephone[0]->state==Telephone::Talking -DTELEPHONES=3
// expect: unsafe --engine search --chain 1000000 --property reach:pbx.telephone[0]->state==Telephone::Busy&&pbx.telephone[1]->state==Telephone::Talking
// expect: safe --engine search --chain 1000000 --property reach:pbx.telephone[0]->state==Telephone::Ringing&&pbx.line[0]->itsCallee -DTELEPHONES=2
//
// A private branch exchange with TELEPHONES telephones. Each has a line; a line that originates a call gets a free
// connection from the call router; the connection collects two digits and asks the registry for the line with that
// number. That line rings if it is idle, else the caller hears that it is busy. The telephone i has the number 10 +
// i; its user, the environment, may at any time lift or replace the receiver, press a key or talk.
// Invariant, whenever the model is stable: lines are connected in pairs, who talks talks to somebody who talks, who
// rings is called, and connections are in use as long as their line is.
// With BUG=1 a number that nobody has is not considered, with BUG=2 the other side is not told when one hangs up.
// The parts, their links and the statecharts follow the PBX sample in Lettrari, "Efficient State Space Exploration of
// Reactive Object-Oriented Programs" (2005), appendix B.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef TELEPHONES
#define TELEPHONES 4
#endif
#ifndef BUG
#define BUG 0
#endif

enum {
    evOnHook, evOffHook, evDigitDialed, evTalk, // from the user
    evOriginateCall, evDialTone, evRing, evAnswerCall, evBusy, evListen, evRelease
};

class DigitDialed : public Event {
  public:
    const int digit;
    explicit DigitDialed(int digit) : Event(evDigitDialed), digit(digit) {}
};

class CallRouter;
class Connection;
class Line;

class Telephone : public Reactive {
  public:
    enum State { Idle, Calling, Ringing, Talking, Busy } state = Idle;
    Line *itsLine = nullptr;

    explicit Telephone(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override;
};

class Line : public Reactive {
  public:
    enum State { Idle, Dialing, Ringing, Talking, Busy } state = Idle;
    int number = 0;
    Telephone *itsTelephone = nullptr;
    CallRouter *itsCallRouter = nullptr;
    Connection *itsCallee = nullptr; // the connection, if this line originates the call
    Connection *itsCaller = nullptr; // the connection, if this line is called
    Line *itsCall = nullptr;         // the line at the other end

    explicit Line(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override;

  private:
    void OpenConnection();
    void CloseConnection();
};

class Registry {
  public:
    void PutInService(Line *line) { itsLine.add(line); }

    Line *getItsLine(int number) const {
        for (Line *line : itsLine) {
            if (line->number == number) return line;
        }
        return nullptr;
    }

  private:
    List<Line> itsLine;
};

class Connection : public Reactive {
  public:
    enum State { Disconnected, CollectDigits, Connected } state = Disconnected;
    CallRouter *itsCallRouter = nullptr;
    Line *itsSource = nullptr;
    Line *itsDestination = nullptr;

    explicit Connection(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override;

  private:
    int digits = 0;
    int extension = 0;

    bool DialingDone() const { return digits == 2; }
    void ConnectLines();
};

class CallRouter {
  public:
    Registry *itsRegistry = nullptr;

    void add(Connection *connection) { itsConnection.add(connection); }

    Connection *OpenConnection(Line *source) {
        for (Connection *connection : itsConnection) {
            if (connection->itsSource) continue;
            connection->itsSource = source;
            return connection;
        }
        return nullptr;
    }

  private:
    List<Connection> itsConnection;
};

bool Telephone::processEvent(const Event &event) {
    switch (event.id) {
    case evOnHook:
        if (state == Idle) return false;
        state = Idle;
        itsLine->gen(evOnHook);
        return true;
    case evRelease:
        state = Idle;
        return true;
    case evOffHook:
        if (state == Idle) {
            state = Calling;
            itsLine->gen(evOriginateCall);
            return true;
        }
        if (state == Ringing) {
            state = Talking;
            itsLine->gen(evAnswerCall);
            return true;
        }
        return false;
    case evDigitDialed: {
        int digit = static_cast<const DigitDialed &>(event).digit;
        if (state != Calling || digit < 0 || digit > 9) return false;
        itsLine->gen(new DigitDialed(digit));
        return true;
    }
    case evRing:
        if (state != Idle) return false;
        state = Ringing;
        return true;
    case evAnswerCall:
    case evBusy:
        if (state != Calling) return false;
        state = event.id == evBusy ? Busy : Talking;
        return true;
    case evTalk:
        if (state != Talking) return false;
        itsLine->gen(evTalk);
        return true;
    default: // evDialTone and evListen are for the user's ears
        return false;
    }
}

void Line::OpenConnection() {
    itsCall = nullptr;
    itsCaller = nullptr;
    itsCallee = itsCallRouter->OpenConnection(this);
    itsCallee->gen(evOriginateCall);
}

void Line::CloseConnection() {
    if (itsCallee) itsCallee->gen(evRelease);
    itsCallee = itsCaller = nullptr;
    itsCall = nullptr;
    state = Idle;
}

bool Line::processEvent(const Event &event) {
    switch (event.id) {
    case evOriginateCall:
        if (state != Idle) return false;
        state = Dialing;
        OpenConnection();
        itsTelephone->gen(evDialTone);
        return true;
    case evDigitDialed:
        if (state != Dialing) return false;
        itsCallee->gen(new DigitDialed(static_cast<const DigitDialed &>(event).digit));
        return true;
    case evBusy:
        if (state != Dialing) return false;
        state = Busy;
        itsTelephone->gen(evBusy);
        return true;
    case evRing:
        if (state != Idle) return false;
        state = Ringing;
        itsTelephone->gen(evRing);
        return true;
    case evAnswerCall:
        if (state == Ringing)
            itsCall->gen(evAnswerCall);
        else if (state == Dialing)
            itsTelephone->gen(evAnswerCall);
        else
            return false;
        state = Talking;
        return true;
    case evTalk:
        if (state != Talking) return false;
        itsCall->gen(evListen);
        return true;
    case evListen:
        if (state != Talking) return false;
        itsTelephone->gen(evListen);
        return true;
    case evOnHook:
        if (state == Idle) return false;
        if (itsCall && BUG != 2) itsCall->gen(evRelease);
        CloseConnection();
        return true;
    case evRelease:
        if (state == Idle) return false;
        CloseConnection();
        itsTelephone->gen(evRelease);
        return true;
    default:
        return false;
    }
}

void Connection::ConnectLines() {
    Line *destination = itsCallRouter->itsRegistry->getItsLine(extension);
    digits = extension = 0;
    if ((!destination && BUG != 1) || destination->state != Line::Idle) {
        itsSource->gen(evBusy);
        return;
    }
    itsDestination = destination;
    itsDestination->itsCallee = nullptr;
    itsDestination->itsCaller = this;
    itsSource->itsCall = itsDestination;
    itsDestination->itsCall = itsSource;
    itsDestination->gen(evRing);
}

bool Connection::processEvent(const Event &event) {
    switch (event.id) {
    case evOriginateCall:
        if (state != Disconnected) return false;
        state = CollectDigits;
        return true;
    case evDigitDialed:
        if (state != CollectDigits) return false;
        extension = 10 * extension + static_cast<const DigitDialed &>(event).digit;
        digits++;
        if (!DialingDone()) return true;
        state = Connected;
        ConnectLines();
        return true;
    case evRelease:
        state = Disconnected;
        digits = extension = 0;
        itsSource = itsDestination = nullptr;
        return true;
    default:
        return false;
    }
}

class PBX {
  public:
    Registry *registry;
    CallRouter *callRouter;
    Connection *connection[TELEPHONES];
    Line *line[TELEPHONES];
    Telephone *telephone[TELEPHONES];

    explicit PBX(Active *thread) {
        initRelations(thread);
        Configure();
    }

    ~PBX() {
        for (int i = 0; i < TELEPHONES; i++) {
            delete telephone[i];
            delete line[i];
            delete connection[i];
        }
        delete callRouter;
        delete registry;
    }

    void checkInvariant() const {
        for (int i = 0; i < TELEPHONES; i++) {
            const Line *other = line[i]->itsCall;
            if (other) assert(other != line[i] && other->itsCall == line[i]);
            if (telephone[i]->state == Telephone::Talking) assert(other && other->itsTelephone->state == Telephone::Talking);
            if (telephone[i]->state == Telephone::Ringing) assert(line[i]->itsCaller && line[i]->itsCaller->itsSource == other);
            if (connection[i]->itsSource) assert(connection[i]->itsSource->itsCallee == connection[i]);
        }
    }

  private:
    void initRelations(Active *thread) {
        registry = new Registry;
        callRouter = new CallRouter;
        callRouter->itsRegistry = registry;
        for (int i = 0; i < TELEPHONES; i++) {
            connection[i] = new Connection(thread);
            connection[i]->itsCallRouter = callRouter;
            callRouter->add(connection[i]);
        }
        for (int i = 0; i < TELEPHONES; i++) line[i] = new Line(thread);
        for (int i = 0; i < TELEPHONES; i++) {
            telephone[i] = new Telephone(thread);
            telephone[i]->itsLine = line[i];
            line[i]->itsTelephone = telephone[i];
        }
    }

    void Configure() {
        for (int i = 0; i < TELEPHONES; i++) {
            line[i]->itsCallRouter = callRouter;
            line[i]->number = 10 + i;
            registry->PutInService(line[i]);
        }
    }
};

Active thread;
PBX pbx(&thread);

class Users : public Environment {
    void act() override {
#ifdef INVARIANT
        pbx.checkInvariant();
#endif
        enum { ACTIONS = 4 };
        int chosen = anyOf(TELEPHONES * ACTIONS);
        Telephone *telephone = pbx.telephone[chosen / ACTIONS];
        switch (chosen % ACTIONS) {
        case 0: telephone->gen(evOnHook); break;
        case 1: telephone->gen(evOffHook); break;
        case 2: telephone->gen(new DigitDialed(anyNumber())); break;
        default: telephone->gen(evTalk); break;
        }
    }
};

Users users;

int main() { Model::start(); }
