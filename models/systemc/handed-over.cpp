// expect: safe
// expect: safe --por none
// expect: unsafe -DBUG
//
// Parcels go through two queues, of the kernel and of TLM-1. Who takes one out has it alone: when it lets go
// of it, the parcel is gone, in the same evaluation phase. With BUG the queue is expected to hold it until
// then.

#include <cassert>
#include <memory>
#include <systemc.h>
#include <tlm.h>

typedef std::shared_ptr<int> parcel;

SC_MODULE(depot) {
    sc_fifo<parcel> in;
    tlm::tlm_fifo<parcel> out;
    int gone = 0;

    void bring() {
        for (int k = 0; k < 3; k++) in.write(parcel(new int(k), [this](int *p) {
            gone++;
            delete p;
        }));
    }
    void carry() {
        for (int k = 0; k < 3; k++) out.put(in.read());
    }
    void fetch() {
        for (int k = 0; k < 3; k++) {
            {
                parcel p = out.get();
                assert(*p == k && gone == k);
            }
#ifdef BUG
            assert(gone == k);
#else
            assert(gone == k + 1);
#endif
        }
    }
    SC_CTOR(depot) : in(2), out(1) {
        SC_THREAD(bring);
        SC_THREAD(carry);
        SC_THREAD(fetch);
    }
};

int sc_main(int, char **) {
    depot d("depot");
    sc_start();
    return 0;
}
