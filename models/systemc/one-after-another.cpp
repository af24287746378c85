// expect: safe
// expect: safe --por none
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
// expect: unsafe -DBUG=3
// expect: unknown -DDESCENDANTS
//
// Processes are spawned one after another, and none inherits anything from the one before: not its mutex, nor
// that it was suspended, disabled, waiting for something or due for a restart, nor a notification of an event
// that is gone. A process that is reset begins again with what it was spawned with. With BUG = 1 the second
// process expects to have the mutex of the first, with 2 both write the same signal, with 3 somebody waits
// no times at all. With DESCENDANTS a process is killed together with one that it has spawned, which is not
// modelled.

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <cassert>
#include <set>
#include <systemc.h>

SC_MODULE(office) {
    sc_mutex desk;
    sc_signal<int> board;
    sc_event bell, other_bell;
    int begun = 0, done = 0, taken = 0, rung = 0;

    void note_and_leave() {
        next_trigger(other_bell);
        sc_get_current_process_handle().kill();
    }
    void count_bells() { rung++; }

    void mutexes() {
        sc_process_handle first = sc_spawn([this] { desk.lock(); });
        wait(1, SC_NS);
        assert(first.terminated());
        sc_process_handle second = sc_spawn([this] { taken = desk.trylock(); });
        wait(1, SC_NS);
#if defined(BUG) && BUG == 1
        assert(taken == 0);
#else
        assert(taken == -1);
#endif
    }
    void restarts() {
        int step = 3;
        sc_process_handle worker = sc_spawn([this, step] {
            begun += step;
            wait(100, SC_NS);
        });
        wait(1, SC_NS);
        worker.reset();
        assert(begun == 6 && !worker.terminated());
        worker.suspend();
        worker.kill();
        assert(worker.terminated());
        sc_process_handle next = sc_spawn([this] {
            wait(bell);
            done++;
        });
        wait(1, SC_NS);
        next.disable();
        next.kill();
        sc_process_handle last = sc_spawn([this] {
            wait(bell);
            done += 10;
        });
        wait(1, SC_NS);
        bell.notify();
        wait(1, SC_NS);
        assert(done == 10 && last.terminated());
    }
    void triggers() {
        sc_spawn_options of_first, of_second;
        of_first.spawn_method();
        sc_spawn(sc_bind(&office::note_and_leave, this), "first", &of_first);
        wait(1, SC_NS);
        of_second.spawn_method();
        of_second.set_sensitivity(&bell);
        sc_spawn(sc_bind(&office::count_bells, this), "second", &of_second);
        wait(1, SC_NS);
        other_bell.notify();
        wait(1, SC_NS);
        assert(rung == 1);
        bell.notify();
        wait(1, SC_NS);
        assert(rung == 2);
    }
    void events() {
        {
            sc_event gone;
            gone.notify(10, SC_NS);
        }
        sc_time before = sc_time_stamp();
        sc_event present;
        wait(sc_time(20, SC_NS), present);
        assert(sc_time_stamp() - before == sc_time(20, SC_NS));
    }
    void ends() {
        std::set<sc_process_handle> all;
        sc_process_handle first = sc_spawn([this] { wait(1, SC_NS); });
        sc_spawn_options of_watcher;
        of_watcher.spawn_method();
        of_watcher.dont_initialize();
        of_watcher.set_sensitivity(&first.terminated_event());
        int before = rung;
        sc_spawn(sc_bind(&office::count_bells, this), "watcher", &of_watcher);
        wait(2, SC_NS);
        sc_process_handle second = sc_spawn([this] { wait(1, SC_NS); });
        wait(2, SC_NS);
        sc_process_handle third = sc_spawn([this] { wait(1, SC_NS); });
        wait(2, SC_NS);
        assert(rung == before + 1);
        all.insert(first);
        all.insert(second);
        all.insert(third);
        assert(all.size() == 3);
    }
    void descendants() {
        sc_process_handle parent = sc_spawn([this] {
            sc_spawn([this] {
                wait(10, SC_NS);
                done = 0;
            });
            wait(100, SC_NS);
        });
        wait(1, SC_NS);
        parent.kill(SC_INCLUDE_DESCENDANTS);
        wait(20, SC_NS);
        assert(done == 10);
    }
    void signals() {
        sc_process_handle first = sc_spawn([this] { board = 1; });
        wait(1, SC_NS);
#if defined(BUG) && BUG == 2
        sc_process_handle second = sc_spawn([this] { board = 2; });
        wait(1, SC_NS);
#endif
        assert(board == 1);
    }
    void run() {
        mutexes();
        restarts();
        triggers();
        events();
        ends();
        signals();
#ifdef DESCENDANTS
        descendants();
#endif
#if defined(BUG) && BUG == 3
        wait(taken + 1);
#endif
    }
    SC_CTOR(office) {
        SC_THREAD(run);
    }
};

int sc_main(int, char **) {
    { sc_event nobodys; }
    office o("office");
    sc_start();
    return 0;
}
