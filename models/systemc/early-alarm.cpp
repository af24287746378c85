// expect: safe
// expect: unsafe -DSLOW
//
// An alarm is set before the simulation starts: by notifications with a delay, of which the earliest counts,
// and by a channel that may be used from outside (async_request_update). The guard must come before the bell.
// With SLOW it starts too late.

#include <cassert>
#include <systemc.h>

class doorbell : public sc_prim_channel {
  public:
    explicit doorbell(const char *name) : sc_prim_channel(name) {}
    void ring(const sc_time &after) {
        delay = after;
        async_request_update();
    }
    const sc_event &default_event() const { return rings; }

  private:
    void update() override { rings.notify(delay); }
    sc_time delay;
    sc_event rings;
};

SC_MODULE(house) {
    doorbell bell{"bell"};
    sc_event guard_comes{"guard_comes"};
    bool guarded = false;

    void guard() {
        wait(guard_comes);
        std::cout << "guard at " << sc_time_stamp() << std::endl;
        guarded = true;
    }
    void answer() {
        std::cout << "bell at " << sc_time_stamp() << std::endl;
        assert(guarded);
        sc_stop();
    }
    void start_of_simulation() override {
        bell.ring(sc_time(10, SC_NS));
    }
    SC_CTOR(house) {
        SC_THREAD(guard);
        SC_METHOD(answer);
        sensitive << bell.default_event();
        dont_initialize();
    }
};

int sc_main(int, char *[]) {
    house h("house");
    h.guard_comes.notify(20, SC_NS);
#ifndef SLOW
    h.guard_comes.notify(9, SC_NS);
#endif
    h.guard_comes.notify(15, SC_NS);
    sc_start();
    return 0;
}
