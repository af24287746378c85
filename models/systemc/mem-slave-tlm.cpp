// expect: safe
// expect: safe -DWORDS=2
// expect: safe -DWORDS=5
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=1 -DWORDS=5
// expect: unsafe -DBUG=2
// expect: unsafe -DBUG=2 -DWORDS=2
//
// A transaction-level master writes WORDS arbitrary values to a slave memory and reads them back. Requests
// and responses pass through slots with immediate notifications, which both sides check before they wait, so
// that no notification is missed. With BUG the slave does not store at its last address (1), or stores at
// most 100 (2).
// Origin: mem-slave-tlm, mem-slave-tlm-bug and mem-slave-tlm-bug2 of models/ivl.

#include <cassert>
#include <systemc.h>
#include <tlm.h>

#include <heddle_stimulus.h>

#ifndef WORDS
#define WORDS 1
#endif
#ifndef BUG
#define BUG 0
#endif

struct request {
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    int address = 0, data = 0;
};
struct response {
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    int data = 0;
};

// One value can be under way.
template <class T> struct slot : sc_channel, tlm::tlm_blocking_put_if<T>, tlm::tlm_blocking_get_if<T> {
    explicit slot(sc_module_name name) : sc_channel(name) {}
    void put(const T &value) override {
        while (!is_empty) sc_core::wait(taken);
        content = value;
        is_empty = false;
        was_put.notify();
    }
    T get(tlm::tlm_tag<T> * = nullptr) override {
        while (is_empty) sc_core::wait(was_put);
        is_empty = true;
        taken.notify();
        return content;
    }

  private:
    T content;
    bool is_empty = true;
    sc_event taken, was_put;
};

SC_MODULE(master) {
    sc_port<tlm::tlm_blocking_put_if<request>> requests{"requests"};
    sc_port<tlm::tlm_blocking_get_if<response>> responses{"responses"};
    sc_mutex bus{"bus"};

    int transfer(tlm::tlm_command command, int address, int data) {
        request r;
        r.command = command;
        r.address = address;
        r.data = data;
        bus.lock();
        requests->put(r);
        response answer = responses->get();
        bus.unlock();
        assert(answer.status == tlm::TLM_OK_RESPONSE);
        return answer.data;
    }

    void run() {
        int sent[WORDS];
        for (int a = 0; a < WORDS; a++) sent[a] = heddle::input<int>("data");
        for (int a = 0; a < WORDS; a++) transfer(tlm::TLM_WRITE_COMMAND, a, sent[a]);
        for (int a = 0; a < WORDS; a++) assert(transfer(tlm::TLM_READ_COMMAND, a, 0) == sent[a]);
    }
    SC_CTOR(master) {
        SC_THREAD(run);
    }
};

SC_MODULE(slave) {
    sc_port<tlm::tlm_blocking_get_if<request>> requests{"requests"};
    sc_port<tlm::tlm_blocking_put_if<response>> responses{"responses"};
    int memory[WORDS] = {};

    void store(int address, int data) {
        if (BUG == 1 && address == WORDS - 1) return;
        memory[address] = BUG == 2 && data > 100 ? 100 : data;
    }

    void serve() {
        for (;;) {
            request r = requests->get();
            bool is_write = r.command == tlm::TLM_WRITE_COMMAND;
            if (is_write) store(r.address, r.data);
            response answer;
            answer.status = tlm::TLM_OK_RESPONSE;
            answer.data = is_write ? r.data : memory[r.address];
            responses->put(answer);
        }
    }
    SC_CTOR(slave) {
        SC_THREAD(serve);
    }
};

int sc_main(int, char *[]) {
    slot<request> requests("request_slot");
    slot<response> responses("response_slot");
    master m("master");
    slave s("slave");
    m.requests(requests);
    m.responses(responses);
    s.requests(requests);
    s.responses(responses);
    sc_start();
    return 0;
}
