// Processes that are suspended, reset, killed, made to throw, disabled; what handles say; who is told about
// elaboration and the end.
// expect: safe
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>

SC_MODULE(worker) {
    struct alarm {
        int number;
    };
    sc_process_handle unwound, restarted, alarmed, ignored;
    sc_event poke;
    SC_CTOR(worker) {
        SC_THREAD(counts);
        unwound = sc_get_current_process_handle();
        SC_THREAD(begins);
        restarted = sc_get_current_process_handle();
        SC_THREAD(sleeps);
        alarmed = sc_get_current_process_handle();
        SC_METHOD(poked);
        sensitive << poke;
        ignored = sc_get_current_process_handle();
        SC_THREAD(supervises);
        SC_THREAD(forks);
    }
    void counts() {
        try {
            for (;;) {
                wait(1, SC_NS);
                cout << "counts at " << sc_time_stamp() << endl;
            }
        } catch (const sc_unwind_exception &e) {
            cout << "unwound, reset: " << e.is_reset() << endl;
            throw;
        }
    }
    void begins() {
        cout << "begins at " << sc_time_stamp() << endl;
        for (;;) {
            wait(4, SC_NS);
            cout << "goes on at " << sc_time_stamp() << endl;
        }
    }
    void sleeps() {
        try {
            wait(100, SC_NS);
        } catch (const alarm &a) {
            cout << "alarm " << a.number << " at " << sc_time_stamp() << endl;
        }
        wait(1, SC_NS);
        cout << "slept until " << sc_time_stamp() << endl;
    }
    void poked() { cout << "poked at " << sc_time_stamp() << endl; }
    void supervises() {
        wait(2500, SC_PS);
        unwound.suspend();
        ignored.disable();
        poke.notify();
        wait(3, SC_NS);
        restarted.reset();
        unwound.resume();
        ignored.enable();
        poke.notify();
        wait(1, SC_NS);
        alarmed.throw_it(alarm{3});
        unwound.kill();
        cout << unwound.terminated() << unwound.valid() << restarted.terminated() << endl;
    }
    void adds(int &sum, int value) {
        wait(value, SC_NS);
        sum += value;
    }
    void forks() {
        int sum = 0;
        SC_FORK
            sc_spawn(sc_bind(&worker::adds, this, sc_ref(sum), 1)),
            sc_spawn(sc_bind(&worker::adds, this, sc_ref(sum), 3))
        SC_JOIN
        cout << sum << " at " << sc_time_stamp() << endl;
        sc_process_handle last = sc_spawn(sc_bind(&worker::adds, this, sc_ref(sum), 2));
        wait(last.terminated_event());
        cout << sum << " at " << sc_time_stamp() << " " << last.dynamic() << last.proc_kind() << endl;
    }
};

SC_MODULE(told) {
    SC_CTOR(told) { SC_THREAD(run); }
    void run() {
        cout << name() << " runs, " << sc_get_status() << endl;
        wait(15, SC_NS);
        sc_stop();
        wait(SC_ZERO_TIME);
        cout << "nobody gets here" << endl;
    }
    void before_end_of_elaboration() override { cout << name() << " before, " << sc_get_status() << endl; }
    void end_of_elaboration() override { cout << name() << " elaborated, " << sc_get_status() << endl; }
    void start_of_simulation() override { cout << name() << " starts, " << sc_get_status() << endl; }
    void end_of_simulation() override { cout << name() << " ends, " << sc_get_status() << endl; }
};

int sc_main(int, char *[]) {
    worker w("w");
    told a("a"), b("b");
    sc_start();
    cout << sc_time_stamp() << " " << sc_get_status() << sc_is_running() << endl;
    return 0;
}
