// What the library refuses: told by the kind of the message where the design catches it, and a failure where
// it does not (BROKEN).
// expect: safe
// expect: unsafe -DBROKEN=1
// expect: unsafe -DBROKEN=2
// expect: unsafe -DBROKEN=3
// expect: unsafe -DBROKEN=4
// expect: unsafe -DBROKEN=5
// expect: unsafe -DBROKEN=6
// expect: unsafe -DBROKEN=7
// expect: unsafe -DBROKEN=8
#include <systemc.h>

#ifndef BROKEN
#define BROKEN 0
#endif

struct number_if : sc_interface {
    virtual int get() const = 0;
};
struct number : sc_channel, number_if {
    number(sc_module_name name) : sc_channel(name) {}
    int get() const override { return 7; }
};
struct hasty : sc_prim_channel {
    sc_event e;
    hasty() : sc_prim_channel("hasty") {}
    void put() { request_update(); }
    void update() override { // an immediate notification has no place in the update phase
        if (BROKEN == 1) e.notify();
    }
};

SC_MODULE(design) {
    sc_port<number_if, 1> one;
    sc_port<number_if, 2, SC_ALL_BOUND> all;
    sc_in<int> in;
    sc_out_resolved wire;
    sc_signal<int, SC_MANY_WRITERS> taken_in_turns;
    sc_signal<int> s;
    sc_fifo<int> f;
    hasty h;
    SC_CTOR(design) {
        SC_METHOD(writes);
        SC_THREAD(runs);
    }
    void writes() { s = 1; }
    void runs() {
        h.put();
        if (BROKEN == 2) s = 2;
        if (BROKEN == 3) throw 5;
        if (BROKEN == 4) SC_REPORT_ERROR("design", "uncaught");
#if !BROKEN
        try {
            SC_REPORT_ERROR("design", "caught");
        } catch (const sc_report &r) {
            cout << r.get_msg_type() << ", " << r.get_msg() << ", " << r.get_severity() << endl;
        }
        try {
            s = 2;
        } catch (const sc_report &r) {
            cout << r.get_msg_type() << endl;
        }
        try {
            sc_set_time_resolution(1, SC_NS);
        } catch (const sc_report &r) {
            cout << r.get_msg_type() << endl;
        }
        wait(1, SC_NS);
        throw 5; // to sc_main
#endif
    }
};

SC_MODULE(late) {
    SC_CTOR(late) {}
};

int sc_main(int, char *[]) {
    sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", SC_DO_NOTHING);
    design d("d");
    number a("a"), b("b");
    sc_signal<int> in;
    sc_signal<sc_logic> plain;
    sc_signal_resolved resolved;
    d.one(a);
    if (BROKEN == 5) d.one(b);
    d.all(a);
    if (BROKEN != 6) d.all(b);
    if (BROKEN != 7) d.in(in);
    if (BROKEN == 8)
        d.wire(plain);
    else
        d.wire(resolved);
#if BROKEN
    sc_start(2, SC_NS);
#else
    try {
        sc_start(2, SC_NS);
    } catch (...) {
        cout << "sc_start throws at " << sc_time_stamp() << endl;
    }
    try {
        late l("l");
    } catch (const sc_report &r) {
        cout << r.get_msg_type() << endl;
    }
    try {
        sc_set_default_time_unit(1, SC_US);
    } catch (const sc_report &r) {
        cout << r.get_msg_type() << endl;
    }
#endif
    return 0;
}
