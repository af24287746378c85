// Names of objects that were given none, or one that is taken; of spawned processes; what lies where.
// expect: safe
#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <systemc.h>

SC_MODULE(leaf) {
    SC_CTOR(leaf) {}
};

SC_MODULE(unnamed) {
    sc_signal<int> a, b;
    sc_in<int> in;
    sc_out<int> out;
    sc_port<sc_signal_in_if<int>> port;
    sc_export<sc_signal_inout_if<int>> exported;
    sc_event event, named;
    sc_fifo<int> fifo;
    sc_mutex mutex;
    sc_semaphore semaphore;
    sc_event_queue queue;
    sc_buffer<int> buffer;
    leaf first, second;
    sc_vector<sc_signal<int>> many;

    SC_CTOR(unnamed) : named("named"), semaphore(1), first("leaf"), second("leaf"), many("many", 2) {
        in(a);
        out(b);
        port(a);
        exported(b);
        SC_METHOD(tell);
        SC_THREAD(spawn);
    }
    void tell() {
        for (const sc_object *o : std::initializer_list<const sc_object *>{
                 &a, &b, &in, &out, &port, &exported, &fifo, &mutex, &semaphore, &queue, &buffer, &first, &second, &many, &many[1]})
            cout << o->name() << " " << o->basename() << " " << o->kind() << endl;
        cout << event.name() << " " << named.name() << " " << named.basename() << " " << event.in_hierarchy() << endl;
        for (sc_object *o : sc_get_top_level_objects()) cout << "top: " << o->name() << endl;
        for (sc_object *o : get_child_objects()) cout << "child: " << o->name() << endl;
        cout << (sc_find_object("unnamed.leaf_0") == &second) << (sc_find_object("unnamed.nobody") == nullptr) << endl;
    }
    void worker(int number) { cout << sc_get_current_process_handle().name() << " is " << number << endl; }
    void spawn() {
        sc_spawn_options method;
        method.spawn_method();
        sc_spawn(sc_bind(&unnamed::worker, this, 1));
        sc_spawn(sc_bind(&unnamed::worker, this, 2), "worker");
        sc_spawn(sc_bind(&unnamed::worker, this, 3), "worker");
        sc_spawn(sc_bind(&unnamed::worker, this, 4), nullptr, &method);
        wait(1, SC_NS);
    }
};

int sc_main(int, char *[]) {
    cout << sc_gen_unique_name("a") << sc_gen_unique_name("a") << sc_gen_unique_name("b") << endl;
    sc_signal<bool> outside;
    sc_signal<int> also_outside, named("named"), taken("named");
    cout << outside.name() << " " << also_outside.name() << " " << taken.name() << endl;
    unnamed u("unnamed");
    sc_process_handle nobody;
    cout << nobody.valid() << nobody.terminated() << (nobody.name()[0] == 0) << (nobody == sc_process_handle()) << endl;
    sc_start(2, SC_NS);
    return 0;
}
