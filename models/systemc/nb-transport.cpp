// expect: safe
// expect: unsafe -DBUG
//
// A handshake of four phases by nb_transport: the target accepts a request at once and sends its response
// after 10 ns; meanwhile the initiator may not begin another request. The target checks the order of the
// phases, the initiator the data. With BUG the initiator takes the end of the request for the response and
// begins the next one too early.

#include <cassert>
#include <systemc.h>
#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <heddle_stimulus.h>

enum { TRANSFERS = 2 };

SC_MODULE(target) {
    tlm_utils::simple_target_socket<target> socket{"socket"};
    tlm::tlm_generic_payload *under_way = nullptr;
    sc_event accepted;

    tlm::tlm_sync_enum forward(tlm::tlm_generic_payload & p, tlm::tlm_phase & phase, sc_time &) {
        if (phase == tlm::BEGIN_REQ) {
            assert(!under_way);
            under_way = &p;
            accepted.notify(10, SC_NS);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        assert(phase == tlm::END_RESP && under_way == &p);
        under_way = nullptr;
        return tlm::TLM_COMPLETED;
    }
    void respond() {
        for (;;) {
            wait(accepted);
            unsigned *word = reinterpret_cast<unsigned *>(under_way->get_data_ptr());
            *word = ~*word;
            under_way->set_response_status(tlm::TLM_OK_RESPONSE);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_time delay = SC_ZERO_TIME;
            socket->nb_transport_bw(*under_way, phase, delay);
        }
    }
    SC_CTOR(target) {
        socket.register_nb_transport_fw(this, &target::forward);
        SC_THREAD(respond);
    }
};

SC_MODULE(initiator) {
    tlm_utils::simple_initiator_socket<initiator> socket{"socket"};
    tlm::tlm_generic_payload payload[TRANSFERS];
    unsigned word[TRANSFERS] = {};
    sc_event answered;

    tlm::tlm_sync_enum backward(tlm::tlm_generic_payload &, tlm::tlm_phase & phase, sc_time &) {
        assert(phase == tlm::BEGIN_RESP);
        answered.notify(SC_ZERO_TIME);
        return tlm::TLM_ACCEPTED;
    }
    void run() {
        for (int k = 0; k < TRANSFERS; k++) {
            unsigned sent = heddle::input<unsigned>("word");
            word[k] = sent;
            payload[k].set_read();
            payload[k].set_data_ptr(reinterpret_cast<unsigned char *>(&word[k]));
            payload[k].set_data_length(sizeof word[k]);
            payload[k].set_streaming_width(sizeof word[k]);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_time delay = SC_ZERO_TIME;
            tlm::tlm_sync_enum said = socket->nb_transport_fw(payload[k], phase, delay);
            assert(said == tlm::TLM_UPDATED && phase == tlm::END_REQ);
#ifdef BUG
            wait(5, SC_NS);
#else
            wait(answered);
            assert(payload[k].is_response_ok() && word[k] == ~sent);
            phase = tlm::END_RESP;
            socket->nb_transport_fw(payload[k], phase, delay);
#endif
        }
    }
    SC_CTOR(initiator) {
        socket.register_nb_transport_bw(this, &initiator::backward);
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    target t("target");
    initiator i("initiator");
    i.socket.bind(t.socket);
    sc_start();
    assert(!t.under_way);
    return 0;
}
