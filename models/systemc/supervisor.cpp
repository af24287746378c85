// expect: safe
// expect: safe --por none
// expect: unsafe -DBUG
// expect: unknown --engine cegar
//
// A supervisor cancels, restarts and kills a worker, at a moment of its own choice: in the middle of a job or
// between two. What a job has taken it must give back when it is interrupted, which a destructor does. With
// BUG the job gives it back by hand, and only if it comes to its end.

#include <cassert>
#include <cstdio>
#include <systemc.h>

#include <heddle_stimulus.h>

struct cancelled {
    int job;
};

SC_MODULE(plant) {
    sc_event ordered;
    bool tool_is_taken = false;
    int begun = 0, done = 0, given_up = 0;
    sc_process_handle worker;

    struct holding {
        bool &taken;
        explicit holding(bool &tool) : taken(tool) {
            assert(!taken);
            taken = true;
        }
        ~holding() { taken = false; }
    };

    void job() {
#ifdef BUG
        assert(!tool_is_taken);
        tool_is_taken = true;
        wait(2, SC_NS);
        tool_is_taken = false;
#else
        holding tool(tool_is_taken);
        wait(2, SC_NS);
#endif
        done++;
    }
    void work() {
        begun++;
        for (;;) {
            try {
                wait(ordered);
                job();
            } catch (const cancelled &c) {
                given_up += c.job;
            }
        }
    }
    void supervise() {
        int how = heddle::input<int>("how");
        bool early = heddle::input<bool>("early");
        ordered.notify(SC_ZERO_TIME);
        wait(early ? sc_time(1, SC_NS)
                   : sc_time(2, SC_NS)); // then the end of the job and this are at the same time
        bool was_done = done;
        if (how == 0) {
            worker.kill();
            assert(worker.terminated() && begun == 1);
        } else if (how == 1) {
            worker.reset();
            assert(!worker.terminated() && begun == 2); // it has begun again before reset comes back
        } else {
            worker.throw_it(cancelled{1});
            assert(!worker.terminated() && begun == 1 && given_up == 1);
        }
        assert(!tool_is_taken);
        ordered.notify(SC_ZERO_TIME);
        wait(5, SC_NS);
        assert(done == was_done + !worker.terminated());
        printf("%d done, %d given up\n", done, given_up);
    }
    SC_CTOR(plant) {
        SC_THREAD(work);
        worker = sc_get_current_process_handle();
        SC_THREAD(supervise);
    }
};

int sc_main(int, char *[]) {
    plant p("plant");
    sc_start();
    return 0;
}
