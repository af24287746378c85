// expect: safe
// simulation: endless
//
// pc-sfifo-1 with a fifo that is a primitive channel: a put or a take requests an update, and the update
// notifies the other side for the next delta cycle.
// Origin: pc-sfifo-sym-2 of models/ivl.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

struct put_if : virtual sc_interface {
    virtual void put(unsigned value) = 0;
};
struct take_if : virtual sc_interface {
    virtual unsigned take() = 0;
};

struct one_place : sc_prim_channel, put_if, take_if {
    explicit one_place(const char *name) : sc_prim_channel(name) {}
    void put(unsigned value) override {
        if (!is_free) wait(taken);
        place = value;
        is_free = false;
        request_update();
    }
    unsigned take() override {
        if (is_free) wait(was_put);
        is_free = true;
        request_update();
        return place;
    }

  protected:
    void update() override { (is_free ? taken : was_put).notify(SC_ZERO_TIME); }

  private:
    unsigned place = 0;
    bool is_free = true;
    sc_event taken, was_put;
};

// What both sides count.
struct account {
    unsigned written = 0, read = 0, last_written = 0;
};

struct consumer : sc_module {
    sc_port<take_if> in{"in"};

    SC_HAS_PROCESS(consumer);
    consumer(sc_module_name name, account &a) : sc_module(name), counted(a) { SC_THREAD(consume); }
    void consume() {
        for (;;) {
            unsigned value = in->take();
            counted.read += 1;
            assert(value == counted.last_written);
            assert(counted.read == counted.written);
        }
    }

  private:
    account &counted;
};

struct producer : sc_module {
    sc_port<put_if> out{"out"};

    SC_HAS_PROCESS(producer);
    producer(sc_module_name name, account &a) : sc_module(name), counted(a) { SC_THREAD(produce); }
    void produce() {
        counted.written = counted.read = heddle::input<unsigned>("transfers_before");
        for (;;) {
            unsigned value = heddle::input<unsigned>("value");
            out->put(value);
            counted.last_written = value;
            counted.written += 1;
        }
    }

  private:
    account &counted;
};

int sc_main(int, char *[]) {
    account counted;
    one_place fifo("fifo");
    consumer c("consumer", counted);
    producer p("producer", counted);
    c.in(fifo);
    p.out(fifo);
    sc_start();
    return 0;
}
