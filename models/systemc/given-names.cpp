// expect: safe
// expect: unsafe -DTWO_WRITERS
// expect: safe -DOPEN_MODULE
//
// What nobody has named gets a name: objects by their kind and a number at their place of the hierarchy, spawned
// processes below the process that made them, a taken name a number more. Handles that stand for no process are equal
// to none. A module may get its name as a text (OPEN_MODULE), an event may be notified by sc_main between two
// simulations, and signals whose writers are not checked have several (TWO_WRITERS: this one is checked).

#define SC_NO_WRITE_CHECK
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <string>
#include <systemc.h>

static bool is_called(const sc_object &o, const char *name) { return std::string(o.name()) == name; }

struct labelled : sc_module {
    sc_signal<bool> first, second;
    sc_in<bool> in;
    sc_event ready, spoken;
#ifdef TWO_WRITERS
    sc_signal<int, SC_ONE_WRITER> shared;
#else
    sc_signal<int> shared;
#endif
    unsigned heard = 0;

    void listen() { heard++; }
    void write() { shared = 1; }
    void spawn() {
        shared = 2;
        sc_process_handle named = sc_spawn([] {}, "helper"), nameless = sc_spawn([] {});
        sc_process_handle again = sc_spawn([] {}, "helper");
        assert(std::string(named.name()) == "plant.spawn.helper");
        assert(std::string(nameless.name()) == "plant.spawn.thread_p_0");
        assert(std::string(again.name()) == "plant.spawn.helper_0");
        assert(named.get_parent_object() == sc_get_current_process_handle().get_process_object());
    }
    SC_HAS_PROCESS(labelled);
    explicit labelled(sc_module_name) : spoken("spoken") {
        in(first);
        SC_THREAD(spawn);
        SC_METHOD(write);
        SC_METHOD(listen);
        sensitive << ready;
        dont_initialize();
    }
};

// Nothing tells where its constructor ends.
struct open_module : sc_module {
    explicit open_module(const char *given) : sc_module(given) {}
};

int sc_main(int, char *[]) {
    sc_report_handler::set_actions(SC_WARNING, SC_DO_NOTHING);
    sc_signal<int> s, t("t"), u("t"), v;
    sc_buffer<int> b;
    sc_clock clock;
    assert(is_called(s, "signal_0") && is_called(v, "signal_1") && is_called(u, "t_0") && is_called(b, "buffer_0"));
    assert(is_called(clock, "clock_0"));
    labelled plant("plant");
    assert(is_called(plant.second, "plant.signal_1") && is_called(plant.in, "plant.port_0"));
    assert(std::string(plant.ready.name()) == "plant.event_0" && std::string(plant.spoken.basename()) == "spoken");
    sc_process_handle nobody, nobody_else;
    assert(nobody != nobody_else && !nobody.valid() && nobody.get_child_objects().empty());
#ifdef OPEN_MODULE
    open_module outer("outer");
    sc_signal<int> inside;
    assert(is_called(outer, "outer") && is_called(inside, "outer.signal_0"));
    return 0;
#endif
    sc_bv_base bits(true);
    assert(bits.length() == 32 && bits[31] == true);
    sc_start(1, SC_NS);
    assert(plant.heard == 0);
    plant.ready.notify();
    sc_start(1, SC_NS);
    assert(plant.heard == 1);
    std::cout << "heard " << plant.heard << std::endl;
    return 0;
}
