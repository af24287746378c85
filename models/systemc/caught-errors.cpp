// expect: safe
// expect: unsafe -DUNCAUGHT
// expect: unsafe -DLATE_UNIT
// expect: unsafe -DPLAIN_SIGNAL
//
// Errors of the library are exceptions: a supervisor that writes a signal which belongs to another process is told so
// and goes on, a port outside of modules is not made, and an error that leaves a process comes out of sc_start. With
// UNCAUGHT nobody catches that one. The time unit cannot be changed any more when the simulation has begun (LATE_UNIT),
// and a resolved port needs a resolved signal (PLAIN_SIGNAL).

#include <cassert>
#include <cstring>
#include <systemc.h>

SC_MODULE(plant) {
    sc_signal<int> level{"level"};
    sc_event overflow, drained;
    bool told = false, went_on = false;

    void fill() {
        level = 1;
        wait(drained);
        assert(false); // nobody runs behind an error
    }
    void supervise() {
        wait(1, SC_NS);
        try {
            level = 2;
        } catch (const sc_report &report) {
            told = !std::strcmp(report.get_msg_type(), SC_ID_MORE_THAN_ONE_SIGNAL_DRIVER_);
        }
        wait(1, SC_NS);
        assert(level == 1);
        went_on = true;
        drained.notify();
        SC_REPORT_ERROR("plant", "overflow");
    }
    SC_CTOR(plant) {
        SC_THREAD(fill);
        SC_THREAD(supervise);
    }
};

SC_MODULE(bus) {
    sc_out_resolved line{"line"};
    SC_CTOR(bus) {}
};

static bool makes_port_outside() {
    try {
        sc_in<bool> lost("lost");
        return true;
    } catch (const sc_report &report) {
        return std::strcmp(report.get_msg_type(), SC_ID_PORT_OUTSIDE_MODULE_) != 0;
    }
}

int sc_main(int, char *[]) {
    sc_report_handler::set_actions(SC_ID_IEEE_1666_DEPRECATION_, SC_DO_NOTHING);
    assert(!makes_port_outside());
    plant p("plant");
    bus b("bus");
#ifdef PLAIN_SIGNAL
    sc_signal<sc_logic> line;
#else
    sc_signal_resolved line;
#endif
    b.line(line);
#ifdef UNCAUGHT
    sc_start();
#else
    bool failed = false;
    sc_start(1, SC_NS);
#ifdef LATE_UNIT
    sc_set_default_time_unit(1, SC_NS);
#endif
    try {
        sc_start();
    } catch (const sc_report &report) {
        failed = !std::strcmp(report.get_msg_type(), "plant");
    }
    assert(failed && p.told && p.went_on);
    std::cout << "failed at " << sc_time_stamp() << std::endl;
#endif
    return 0;
}
