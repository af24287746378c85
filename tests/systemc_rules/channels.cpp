// When values are seen: signals, buffers, fifos, resolved ones, ports with a value of their own, ports of
// several channels, primitive channels. Nobody may rely on the order of updates; whoever looks finds what the
// library has.
// expect: safe
#include <systemc.h>

struct number_if : sc_interface {
    virtual int get() const = 0;
};
struct number : sc_channel, number_if {
    int value;
    number(sc_module_name name, int value) : sc_channel(name), value(value) {}
    int get() const override { return value; }
};
struct latch : sc_prim_channel {
    int now = 0, next = 0;
    sc_event changed;
    latch() : sc_prim_channel("latch") {}
    void put(int value) {
        next = value;
        request_update();
    }
    void update() override {
        if (now != next) changed.notify(SC_ZERO_TIME);
        now = next;
    }
};

SC_MODULE(inverter) {
    sc_in<bool> in;
    sc_out<bool> out;
    SC_CTOR(inverter) {
        SC_METHOD(run);
        sensitive << in;
    }
    void run() { out = !in; }
};

SC_MODULE(reader) {
    sc_port<number_if, 2> numbers;
    sc_port<number_if, 0, SC_ZERO_OR_MORE_BOUND> none;
    sc_inout<int> begins;
    sc_signal<int> s;
    sc_buffer<int> b;
    sc_fifo<int> f;
    sc_signal_resolved wire;
    sc_signal_rv<4> bus;
    latch l;
    inverter x, y;
    sc_signal<bool> in, middle, out;
    sc_mutex m;
    SC_CTOR(reader) : f("f", 2), x("x"), y("y") {
        x.in(in);
        x.out(middle);
        y.in(middle);
        y.out(out);
        begins.initialize(5);
        SC_THREAD(signals);
        SC_THREAD(writes);
        SC_THREAD(reads);
        SC_THREAD(drives);
        SC_METHOD(buffered);
        sensitive << b;
        dont_initialize();
        SC_METHOD(began);
        sensitive << begins;
        dont_initialize();
        SC_METHOD(latched);
        sensitive << l.changed;
        dont_initialize();
    }
    void signals() {
        cout << numbers.size() << numbers[1]->get() << numbers->get() << none.size() << endl;
        s = 1;
        b = 1;
        in = true;
        l.put(3);
        l.put(4);
        cout << s << s.event() << l.now << endl;
        wait(SC_ZERO_TIME);
        cout << s << s.event() << l.now << endl;
        b = 1;
        s = 2;
        s = 1;
        wait(SC_ZERO_TIME);
        cout << s << s.event() << middle << out << endl;
        cout << m.unlock() << m.trylock() << m.trylock() << m.unlock() << endl;
    }
    void buffered() { cout << "buffer " << b << " at " << sc_time_stamp() << endl; }
    void began() { cout << "begins with " << begins.read() << endl; }
    void latched() { cout << "latch " << l.now << endl; }
    void writes() {
        wire.write(SC_LOGIC_1);
        bus.write("1Z0Z");
        for (int i = 0; i < 5; i++) {
            f.write(i);
            cout << "written " << i << " at " << sc_time_stamp() << ", free " << f.num_free() << endl;
        }
    }
    void reads() {
        for (int i = 0; i < 5; i++) {
            wait(1, SC_NS);
            cout << "read " << f.read() << ", left " << f.num_available() << endl;
        }
        int value = 0;
        cout << f.nb_read(value) << f.nb_write(1) << f.nb_read(value) << endl;
    }
    void drives() {
        wire.write(SC_LOGIC_Z);
        bus.write("ZZ01");
        wait(1, SC_NS);
        cout << wire.read() << " " << bus.read() << endl;
        wire.write(SC_LOGIC_0);
        wait(1, SC_NS);
        cout << wire.read() << endl;
    }
};

int sc_main(int, char *[]) {
    reader r("r");
    number one("one", 1), two("two", 2);
    sc_signal<int> begins;
    r.numbers(one);
    r.numbers(two);
    r.begins(begins);
    sc_start(20, SC_NS);
    cout << r.middle << r.out << begins << endl;
    return 0;
}
