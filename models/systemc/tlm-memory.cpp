// expect: safe
// expect: unsafe -DBUG
//
// An initiator writes an arbitrary word to an arbitrary address of a memory by b_transport and reads it
// back. Addresses beyond the memory get an error response and change nothing. With BUG the memory checks the
// first byte of a transfer only, and a word at the last bytes reaches beyond its end.

#include <cassert>
#include <cstring>
#include <systemc.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <heddle_stimulus.h>

enum { SIZE = 16 };

SC_MODULE(memory) {
    tlm_utils::simple_target_socket<memory> socket{"socket"};
    unsigned char bytes[SIZE] = {};

    SC_CTOR(memory) {
        socket.register_b_transport(this, &memory::transport);
    }
    void transport(tlm::tlm_generic_payload & p, sc_time & delay) {
        sc_dt::uint64 address = p.get_address();
#ifdef BUG
        bool fits = address < SIZE;
#else
        bool fits = address < SIZE && p.get_data_length() <= SIZE - address;
#endif
        if (!fits) {
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        for (unsigned k = 0; k < p.get_data_length(); k++) {
            assert(address + k < SIZE);
            unsigned char &at = bytes[address + k];
            if (p.is_write())
                at = p.get_data_ptr()[k];
            else
                p.get_data_ptr()[k] = at;
        }
        delay += sc_time(10, SC_NS);
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};

SC_MODULE(initiator) {
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};

    tlm::tlm_response_status access(tlm::tlm_command command, unsigned address, unsigned &word) {
        tlm::tlm_generic_payload p;
        sc_time delay = SC_ZERO_TIME;
        p.set_command(command);
        p.set_address(address);
        p.set_data_ptr(reinterpret_cast<unsigned char *>(&word));
        p.set_data_length(sizeof word);
        p.set_streaming_width(sizeof word);
        p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        socket->b_transport(p, delay);
        wait(delay);
        return p.get_response_status();
    }
    void run() {
        unsigned address = heddle::input<unsigned>("address"), word = heddle::input<unsigned>("word"),
                 back = 0;
        heddle::assume(address % 2 == 0);
        bool fits = access(tlm::TLM_WRITE_COMMAND, address, word) == tlm::TLM_OK_RESPONSE;
        assert(fits == (address <= SIZE - sizeof word));
        if (!fits) return;
        assert(access(tlm::TLM_READ_COMMAND, address, back) == tlm::TLM_OK_RESPONSE);
        assert(back == word);
    }
    SC_CTOR(initiator) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    memory m("memory");
    initiator i("initiator");
    i.socket.bind(m.socket);
    sc_start();
    return 0;
}
