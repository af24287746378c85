// expect: safe
// expect: unsafe -DBUG
// stimulus: key 4 7 1
//
// A door lock as a state machine in one method process: next_trigger says in each state what it waits for.
// Three right key strokes open it for 5 ns; a wrong one or 10 ns without any lock it again. The keys are
// arbitrary. With BUG the state after a wrong key is not the first one, and two strokes may be enough the
// next time.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(door) {
    sc_event key_pressed;
    int key = 0;
    bool is_open = false;
    enum { FIRST, SECOND, THIRD, OPEN } at = FIRST;

    void press(int which) {
        key = which;
        key_pressed.notify();
    }
    void react() {
        static const int code[] = {4, 7, 1};
        bool pressed = key != 0;
        if (at == OPEN || (!pressed && at != FIRST)) {
            is_open = false; // time is over
            at = FIRST;
        } else if (pressed && key == code[at]) {
            at = at == FIRST ? SECOND : at == SECOND ? THIRD : OPEN;
        } else if (pressed) {
#ifdef BUG
            at = at == THIRD ? SECOND : FIRST;
#else
            at = FIRST;
#endif
        }
        key = 0;
        if (at == OPEN) {
            is_open = true;
            next_trigger(5, SC_NS);
        } else if (at == FIRST) {
            next_trigger(key_pressed);
        } else {
            next_trigger(10, SC_NS, key_pressed);
        }
    }
    SC_CTOR(door) {
        SC_METHOD(react);
    }
};

struct visitor : sc_module {
    door &at;

    void type() {
        int right = 0; // strokes in a row
        for (int k = 0; k < 5; k++) {
            wait(1, SC_NS);
            int key = heddle::input<int>("key");
            heddle::assume(key > 0 && key < 10);
            right = key == (right == 0 ? 4 : right == 1 ? 7 : 1) ? right + 1 : 0;
            at.press(key);
            wait(SC_ZERO_TIME);
            assert(at.is_open == (right == 3));
            if (right == 3) break;
        }
        if (right < 3) return;
        wait(4, SC_NS);
        assert(at.is_open);
        wait(2, SC_NS);
        assert(!at.is_open);
    }
    SC_HAS_PROCESS(visitor);
    visitor(sc_module_name name, door &d) : sc_module(name), at(d) { SC_THREAD(type); }
};

int sc_main(int, char *[]) {
    door front("front");
    visitor v("visitor", front);
    sc_start();
    return 0;
}
