// Who runs when, and in which order: notifications that overwrite each other, lists of events, queues,
// clocks, time-outs, and what a simulation that goes on makes of notifications in between.
// expect: safe
#include <systemc.h>

SC_MODULE(overwriting) {
    sc_event e;
    SC_CTOR(overwriting) { SC_THREAD(run); }
    void run() {
        e.notify(5, SC_NS);
        e.notify(3, SC_NS);
        e.notify(4, SC_NS);
        wait(e);
        cout << "first at " << sc_time_stamp() << endl;
        e.notify(SC_ZERO_TIME);
        e.notify(1, SC_NS);
        wait(e);
        cout << "delta at " << sc_time_stamp() << endl;
        e.notify(2, SC_NS);
        e.cancel();
        wait(3, SC_NS, e);
        cout << "cancelled, " << sc_time_stamp() << endl;
    }
};

SC_MODULE(lists) {
    sc_event a, b, c;
    SC_CTOR(lists) {
        SC_THREAD(listen);
        SC_THREAD(speak);
    }
    void listen() {
        wait(a | b);
        cout << "or at " << sc_time_stamp() << endl;
        wait(a & b & c);
        cout << "and at " << sc_time_stamp() << endl;
        wait(2, SC_NS, a | c);
        cout << "either at " << sc_time_stamp() << endl;
    }
    void speak() {
        wait(1, SC_NS);
        a.notify();
        b.notify();
        wait(1, SC_NS);
        a.notify();
        wait(1, SC_NS);
        c.notify();
        wait(1, SC_NS);
        b.notify();
    }
};

SC_MODULE(kinds) {
    sc_event_queue queue;
    sc_event e;
    sc_in_clk clock;
    SC_CTOR(kinds) {
        SC_THREAD(thread_1);
        SC_METHOD(method_1);
        SC_THREAD(thread_2);
        SC_METHOD(method_2);
        SC_METHOD(queued);
        sensitive << queue;
        dont_initialize();
        SC_METHOD(triggered);
        SC_CTHREAD(clocked, clock.pos());
    }
    void thread_1() {
        cout << "thread 1" << endl;
        queue.notify(2, SC_NS);
        queue.notify(1, SC_NS);
        queue.notify(1, SC_NS);
        queue.notify(SC_ZERO_TIME);
        wait(SC_ZERO_TIME);
        cout << "thread 1 again" << endl;
        wait(5, SC_NS);
        queue.notify(1, SC_NS);
        queue.cancel_all();
        e.notify();
    }
    void thread_2() {
        cout << "thread 2" << endl;
        wait(SC_ZERO_TIME);
        cout << "thread 2 again" << endl;
    }
    void method_1() { cout << "method 1" << endl; }
    void method_2() { cout << "method 2" << endl; }
    void queued() { cout << "queued at " << sc_time_stamp() << endl; }
    void triggered() {
        cout << "triggered at " << sc_time_stamp() << endl;
        if (sc_time_stamp() < sc_time(20, SC_NS)) next_trigger(7, SC_NS, e);
    }
    void clocked() {
        cout << "clocked at " << sc_time_stamp() << endl;
        wait(3);
        cout << "clocked at " << sc_time_stamp() << endl;
        for (;;) wait();
    }
};

SC_MODULE(between) {
    sc_event e;
    SC_CTOR(between) { SC_THREAD(run); }
    void run() {
        for (;;) {
            wait(e);
            cout << "notified at " << sc_time_stamp() << endl;
        }
    }
};

int sc_main(int, char *[]) {
    sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", SC_DO_NOTHING);
    sc_set_default_time_unit(10, SC_NS);
    cout << sc_time(2.5, SC_NS) * 2 << " " << sc_time(0.6, SC_PS) << " " << sc_get_default_time_unit() << " " << sc_get_time_resolution() << endl;
    sc_clock clock("clock", 10, SC_NS, 0.3, 2, SC_NS, false);
    overwriting o("overwriting");
    lists l("lists");
    kinds k("kinds");
    between b("between");
    k.clock(clock);
    sc_start(SC_ZERO_TIME);
    b.e.notify(); // nobody is in the midst of anything
    sc_start(SC_ZERO_TIME);
    b.e.notify(1, SC_NS);
    sc_start(3, SC_NS);
    b.e.notify(SC_ZERO_TIME);
    cout << sc_pending_activity_at_current_time() << " at " << sc_time_stamp() << endl;
    sc_start(40, SC_NS);
    cout << sc_time_stamp() << " " << clock.read() << endl;
    return 0;
}
