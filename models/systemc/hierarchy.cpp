// expect: safe
// expect: unsafe -DBUG
//
// A system on chip in three levels: the processor's port goes through the port of its cluster to the export
// of the peripheral block, behind which a register file lies two levels down. Two processors add to one
// register by its atomic operation. With BUG they read, compute for a nanosecond and write, and one addition
// is lost.

#include <cassert>
#include <systemc.h>

struct register_if : virtual sc_interface {
    virtual int read(int index) const = 0;
    virtual void write(int index, int value) = 0;
    virtual void add(int index, int value) = 0;
};

struct register_file : sc_channel, register_if {
    explicit register_file(sc_module_name name) : sc_channel(name) {}
    int read(int index) const override { return cells[checked(index)]; }
    void write(int index, int value) override { cells[checked(index)] = value; }
    void add(int index, int value) override { cells[checked(index)] += value; }

  private:
    static int checked(int index) {
        assert(index >= 0 && index < 4);
        return index;
    }
    int cells[4] = {};
};

SC_MODULE(peripherals) {
    sc_export<register_if> access{"access"};
    register_file registers{"registers"};

    SC_CTOR(peripherals) {
        access.bind(registers);
    }
};

SC_MODULE(io_block) {
    sc_export<register_if> access{"access"};
    peripherals inner{"inner"};

    SC_CTOR(io_block) {
        access.bind(inner.access);
    }
};

struct processor : sc_module {
    sc_port<register_if> bus{"bus"};
    int amount;

    void run() {
        wait(1, SC_NS);
#ifdef BUG
        int value = bus->read(2);
        wait(1, SC_NS);
        bus->write(2, value + amount);
#else
        bus->add(2, amount);
#endif
    }
    SC_HAS_PROCESS(processor);
    processor(sc_module_name name, int a) : sc_module(name), amount(a) {
        SC_THREAD(run);
    }
};

SC_MODULE(cluster) {
    sc_port<register_if> bus{"bus"};
    processor first{"first", 3}, second{"second", 5};

    SC_CTOR(cluster) {
        first.bus(bus);
        second.bus(bus);
    }
};

int sc_main(int, char *[]) {
    io_block io("io");
    cluster processors("processors");
    processors.bus(io.access);
    sc_start();
    assert(io.access->read(2) == 8);
    return 0;
}
