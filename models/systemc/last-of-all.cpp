// expect: unsafe
// expect: unsafe --por stub
// expect: unsafe --por stub2
// expect: unsafe --engine cegar
// expect: unsafe --por none
// expect: safe -DALONE
//
// Two processes count, and a third one asks whether anybody else is left to run in this delta cycle. If nobody is,
// both have counted, which is all it may conclude (ALONE). It believes that both or none have, but it may also come
// between them.

#include <cassert>
#include <iostream>
#include <systemc.h>

SC_MODULE(three) {
    int counted = 0;
    bool last = false;

    void count() {
        assert(!last);
        counted++;
        std::cout << "counted " << counted << std::endl;
    }
    void again() {
        assert(!last);
        counted++;
    }
    void look() {
        last = !sc_pending_activity_at_current_time();
        std::cout << "last " << last << std::endl;
        assert(!sc_pending_activity_at_future_time());
#ifdef ALONE
        if (last) assert(counted == 2);
#else
        assert(counted == 2 || counted == 0);
#endif
    }
    SC_CTOR(three) {
        SC_THREAD(look);
        SC_THREAD(count);
        SC_THREAD(again);
    }
};

int sc_main(int, char *[]) {
    three t("t");
    sc_start();
    return 0;
}
