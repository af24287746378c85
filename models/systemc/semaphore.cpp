// expect: safe
// expect: unsafe -DBUG
//
// Three masters share a memory with two access ports, which a semaphore counts. Never more than two are
// inside, and all three get through. With BUG a master first looks whether a port is free and takes it after
// a delta cycle: between these two somebody else may have taken it.

#include <cassert>
#include <systemc.h>

enum { MASTERS = 3, PORTS = 2 };

struct dual_port_memory : sc_channel {
    sc_semaphore ports{"ports", PORTS};
    int inside = 0, served = 0;

    explicit dual_port_memory(sc_module_name name) : sc_channel(name) {}
    void enter() {
#ifdef BUG
        while (ports.get_value() == 0) wait(1, SC_NS);
        wait(SC_ZERO_TIME);
        ports.trywait();
#else
        ports.wait();
#endif
        inside++;
        assert(inside <= PORTS);
    }
    void leave() {
        inside--;
        served++;
        ports.post();
    }
};

struct master : sc_module {
    dual_port_memory &memory;

    void run() {
        memory.enter();
        wait(2, SC_NS);
        memory.leave();
    }
    SC_HAS_PROCESS(master);
    master(sc_module_name name, dual_port_memory &m) : sc_module(name), memory(m) { SC_THREAD(run); }
};

int sc_main(int, char *[]) {
    dual_port_memory memory("memory");
    sc_vector<master> masters("master", MASTERS,
                              [&](const char *name, size_t) { return new master(name, memory); });
    sc_start();
    assert(memory.served == MASTERS && memory.inside == 0);
    return 0;
}
