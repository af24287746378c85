// expect: safe
// expect: unsafe -DBUG
//
// A reader throws when the number it is given is out of range. The simulator reports an exception that leaves
// its process as an error; with BUG nobody catches it.

#include <cassert>
#include <stdexcept>
#include <systemc.h>

#include <heddle_stimulus.h>

SC_MODULE(reader) {
    unsigned cells[4] = {}, errors = 0;

    unsigned read(unsigned at) {
        if (at >= 4) throw std::out_of_range("reader");
        return cells[at];
    }
    void run() {
        unsigned at = heddle::input<unsigned>("at");
        wait(1, SC_NS);
#ifdef BUG
        assert(read(at) == 0);
#else
        try {
            assert(read(at) == 0);
        } catch (const std::out_of_range &) {
            errors++;
        }
        assert(errors == (at >= 4));
#endif
    }
    SC_CTOR(reader) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    reader r("reader");
    sc_start();
    return 0;
}
