// expect: safe --engine search --chain 1000000 -DINVARIANT -DNODES=2
// expect: unsafe -DINVARIANT -DBUG
// expect: unsafe --engine search --chain 1000000 --property reach:network.node[0]->state==Node::BusOff&&network.node[1]->state==Node::ErrorPassive
// expect: safe --engine search --chain 1000000 --property reach:network.node[0]->errors<0 -DNODES=2
//
// A CAN bus with NODES nodes. A node that has a frame to send takes part in the arbitration, which the smallest
// identifier wins. If the frame is disturbed, or two nodes win with the same identifier, everybody who sends counts
// an error; a frame that is delivered makes up for one. With PASSIVE errors a node is error passive, with OFF it is
// off the bus until somebody restarts it. The environment gives frames to nodes, with any of RANGE identifiers, of
// which those of eleven bits are accepted, and disturbs the bus.
// Invariant: no frame is delivered while one that is more urgent waits, nodes that are off the bus do not send, and a
// node's state is what its number of errors says.
// With BUG a node that is off the bus still takes part in the arbitration.

#include <cassert>
#include <uml.h>

#include "range.h"

#ifndef NODES
#define NODES 3
#endif
#define PASSIVE 2
#define OFF     3
#define NONE    (-1)

enum { evSend, evSlot, evDisturbedSlot, evRestart, evDelivered, evError };

class Send : public Event {
  public:
    const int identifier;
    explicit Send(int identifier) : Event(evSend), identifier(identifier) {}
};

class Node : public Reactive {
  public:
    enum State { ErrorActive, ErrorPassive, BusOff } state = ErrorActive;
    int waiting = NONE; // identifier of the frame
    int errors = 0;

    explicit Node(Active *thread) : Reactive(thread) {}

    bool wantsToSend() const {
#ifdef BUG
        return waiting != NONE;
#else
        return waiting != NONE && state != BusOff;
#endif
    }

  protected:
    bool processEvent(const Event &event) override {
        switch (event.id) {
        case evSend: {
            int identifier = static_cast<const Send &>(event).identifier;
            if (waiting != NONE || identifier < 0 || identifier > 0x7ff) return false;
            waiting = identifier;
            return true;
        }
        case evDelivered:
            assert(state != BusOff);
            waiting = NONE;
            if (errors > 0) errors--;
            return true;
        case evError:
            assert(state != BusOff);
            errors++;
            return true;
        case evRestart:
            if (state != BusOff) return false;
            errors = 0;
            return true;
        default:
            return false;
        }
    }

    bool processCompletion() override {
        State next = errors >= OFF ? BusOff : errors >= PASSIVE ? ErrorPassive : ErrorActive;
        if (next == state) return false;
        state = next;
        return true;
    }
};

class Bus : public Reactive {
  public:
    Node *itsNode[NODES];

    explicit Bus(Active *thread) : Reactive(thread) {}

  protected:
    bool processEvent(const Event &event) override {
        int winner = arbitrate();
        if (winner == NONE) return false;
        int senders = 0;
        for (const Node *node : itsNode) senders += node->wantsToSend() && node->waiting == winner;
        bool isDelivered = senders == 1 && event.id == evSlot;
        for (Node *node : itsNode) {
            if (!node->wantsToSend()) continue;
            assert(winner <= node->waiting);
            if (node->waiting == winner) node->gen(isDelivered ? evDelivered : evError);
        }
        return true;
    }

  private:
    int arbitrate() const {
        int winner = NONE;
        for (const Node *node : itsNode) {
            if (!node->wantsToSend()) continue;
            if (winner == NONE || node->waiting < winner) winner = node->waiting;
        }
        return winner;
    }
};

class Network {
  public:
    Bus bus;
    Node *node[NODES];

    explicit Network(Active *thread) : bus(thread) {
        for (int i = 0; i < NODES; i++) bus.itsNode[i] = node[i] = new Node(thread);
    }

    ~Network() {
        for (Node *n : node) delete n;
    }

    void checkInvariant() const {
        for (const Node *n : node) {
            assert((n->state == Node::BusOff) == (n->errors >= OFF));
            assert((n->state == Node::ErrorActive) == (n->errors < PASSIVE));
        }
    }
};

Active thread;
Network network(&thread);

class Applications : public Environment {
    void act() override {
#ifdef INVARIANT
        network.checkInvariant();
#endif
        switch (anyOf(4)) {
        case 0: network.bus.gen(evSlot); break;
        case 1: network.bus.gen(evDisturbedSlot); break;
        case 2: anyNode()->gen(evRestart); break;
        default: anyNode()->gen(new Send(anyNumber())); break;
        }
    }

    static Node *anyNode() { return network.node[anyOf(NODES)]; }
};

Applications applications;

int main() { Model::start(); }
