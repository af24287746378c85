// expect: safe
// expect: unsafe -DBUG
//
// Two initiators reach two memories through an interconnect with multi-sockets: the highest bit of an address is the number of the memory, and the
// interconnect, which sits inside a module of its own, takes it away. Each initiator has a word of its own in each memory, so that none disturbs the other.
// Memories complain to whoever asks for a word that they do not have. With BUG the bit is left in the address.

#include <cassert>
#include <cstdio>
#include <systemc.h>
#include <tlm.h>
#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <heddle_stimulus.h>

enum { MEMORIES = 2, WORDS = 2, MEMORY_BIT = 8 };

SC_MODULE(memory) {
    tlm_utils::passthrough_target_socket<memory> socket{"socket"};
    unsigned words[WORDS] = {};

    SC_CTOR(memory) {
        socket.register_b_transport(this, &memory::transport);
    }
    void transport(tlm::tlm_generic_payload & p, sc_time & delay) {
        if (p.get_address() >= WORDS) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        unsigned &word = words[p.get_address()], *data = reinterpret_cast<unsigned *>(p.get_data_ptr());
        if (p.is_write())
            word = *data;
        else
            *data = word;
        delay += sc_time(1, SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

SC_MODULE(interconnect) {
    tlm_utils::multi_passthrough_target_socket<interconnect> from{"from"};
    tlm_utils::multi_passthrough_initiator_socket<interconnect> to{"to"};
    unsigned asked[2] = {};

    SC_CTOR(interconnect) {
        from.register_b_transport(this, &interconnect::transport);
    }
    void transport(int who, tlm::tlm_generic_payload & p, sc_time & delay) {
        sc_dt::uint64 address = p.get_address();
        asked[who]++;
#ifndef BUG
        p.set_address(address % MEMORY_BIT);
#endif
        to[static_cast<int>(address / MEMORY_BIT)]->b_transport(p, delay);
        p.set_address(address);
    }
};

SC_MODULE(fabric) {
    tlm_utils::multi_passthrough_target_socket<fabric> from{"from"};
    tlm_utils::multi_passthrough_initiator_socket<fabric> to{"to"};
    interconnect inside{"inside"};

    SC_CTOR(fabric) {
        from.bind(inside.from);
        inside.to.bind(to);
    }
};

SC_MODULE(initiator) {
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};
    unsigned own_word;

    void access(tlm::tlm_command command, unsigned memory_number, unsigned &word) {
        tlm::tlm_generic_payload p;
        sc_time delay = SC_ZERO_TIME;
        p.set_command(command);
        p.set_address(memory_number * MEMORY_BIT + own_word);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        p.set_data_length(sizeof word);
        p.set_streaming_width(sizeof word);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        socket->b_transport(p, delay);
        wait(delay);
        assert(p.is_response_ok());
    }
    void run() {
        unsigned where = heddle::input<unsigned>("where"), word = heddle::input<unsigned>("word"), back = 0;
        heddle::assume(where < MEMORIES);
        access(tlm::TLM_WRITE_COMMAND, where, word);
        access(tlm::TLM_READ_COMMAND, where, back);
        assert(back == word);
        printf("%s has its word back\n", name());
    }
    SC_HAS_PROCESS(initiator);
    initiator(sc_module_name name, unsigned word) : sc_module(name), own_word(word) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    fabric f("fabric");
    memory low("low"), high("high");
    initiator first("first", 0), second("second", 1);
    first.socket.bind(f.from);
    second.socket.bind(f.from);
    f.to.bind(low.socket);
    f.to.bind(high.socket);
    sc_start();
    assert(f.inside.asked[0] == 2 && f.inside.asked[1] == 2);
    assert(f.inside.to.size() == MEMORIES && f.inside.from.size() == 2);
    return 0;
}
