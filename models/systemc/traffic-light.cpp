// expect: safe
// expect: unsafe -DBUG
//
// Two traffic lights of a crossing get green in turn. A light that is stopped is yellow for 2 ns before it
// is red; the controller gives it 3 ns. A pedestrian may shorten a green phase at any nanosecond. Never are
// both not red. With BUG the pedestrian shortens the time of yellow as well, and the other light begins too
// early.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

enum color { RED, YELLOW, GREEN };

inline std::ostream &operator<<(std::ostream &os, const color &c) {
    return os << (c == RED ? "red" : c == YELLOW ? "yellow" : "green");
}

SC_MODULE(light) {
    sc_out<color> shown{"shown"};
    sc_event go, stop;

    void shine() {
        for (;;) {
            wait(go);
            shown.write(GREEN);
            wait(stop);
            shown.write(YELLOW);
            wait(2, SC_NS);
            shown.write(RED);
        }
    }
    SC_CTOR(light) {
        SC_THREAD(shine);
    }
};

struct controller : sc_module {
    sc_in<color> first_color{"first_color"}, second_color{"second_color"};
    light &first, &second;
    sc_event request;

    void serve(light &l) {
        l.go.notify(SC_ZERO_TIME);
        wait(4, SC_NS, request);
        l.stop.notify(SC_ZERO_TIME);
#ifdef BUG
        wait(3, SC_NS, request);
#else
        wait(3, SC_NS);
#endif
    }
    void control() {
        serve(first);
        serve(second);
        sc_stop();
    }
    void pedestrian() {
        unsigned when = heddle::input<unsigned>("when");
        for (unsigned now = 1; now <= 13; now++) {
            wait(1, SC_NS);
            if (now == when) request.notify();
        }
    }
    void watch() {
        assert(first_color.read() == RED || second_color.read() == RED);
    }

    SC_HAS_PROCESS(controller);
    controller(sc_module_name name, light &a, light &b) : sc_module(name), first(a), second(b) {
        SC_THREAD(control);
        SC_THREAD(pedestrian);
        SC_METHOD(watch);
        sensitive << first_color << second_color;
    }
};

int sc_main(int, char *[]) {
    sc_signal<color> north_color("north_color", RED), east_color("east_color", RED);
    light north("north"), east("east");
    north.shown(north_color);
    east.shown(east_color);
    controller c("controller", north, east);
    c.first_color(north_color);
    c.second_color(east_color);
    sc_start();
    return 0;
}
