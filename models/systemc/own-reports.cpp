// expect: safe
// expect: unsafe -DNO_HANDLER
// expect: unsafe -DFORWARDS
// expect: unsafe -DLOUD
//
// A design with a handler of its own for reports: it counts what is wrong and goes on. Rules say which actions
// the handler is told of: for an id and a severity, for an id, for a severity, in this order. Without the handler
// (NO_HANDLER) or if it has the default one throw errors (FORWARDS) a report of an error is a finding. LOUD asks for
// information that the verbosity level keeps back.

#include <cassert>
#include <cstdlib>
#include <systemc.h>

static int errors, infos;
static sc_actions own;

static void count(const sc_report &report, const sc_actions &actions) {
    std::cout << report.get_msg_type() << ": " << report.get_msg() << " at " << report.get_time() << " in "
              << (report.get_process_name() ? report.get_process_name() : "nobody") << ", actions " << actions
              << std::endl;
    if (report.get_severity() == SC_INFO) infos++;
    if (report.get_severity() != SC_ERROR) return;
    errors++;
    assert(actions & own);
#ifdef FORWARDS
    sc_report_handler::default_handler(report, SC_THROW);
#endif
}

SC_MODULE(sensor) {
    void sample() {
        for (int value = 0; value < 4; value++) {
            wait(10, SC_NS);
            if (value == 2) SC_REPORT_ERROR("sensor", "out of range");
            if (value == 3) SC_REPORT_WARNING("sensor", "nearly out of range");
            SC_REPORT_INFO_VERB("trace", "sampled", SC_HIGH);
        }
    }
    SC_CTOR(sensor) {
        SC_THREAD(sample);
    }
};

int sc_main(int, char *[]) {
    own = sc_report_handler::get_new_action_id();
    sc_report_handler::set_handler(count);
#ifdef NO_HANDLER
    sc_report_handler::set_handler(nullptr); // the default one again
    own = SC_ABORT;
#endif
#ifdef LOUD
    sc_report_handler::set_verbosity_level(SC_HIGH);
#endif
    assert(sc_report_handler::set_actions("sensor", SC_ERROR, own) == SC_UNSPECIFIED);
    assert(sc_report_handler::set_actions("sensor", SC_DISPLAY) == SC_UNSPECIFIED);
    assert(sc_report_handler::set_actions(SC_WARNING, SC_LOG) == (SC_LOG | SC_DISPLAY));
    SC_REPORT_INFO("start", "all is set");
    sensor s("sensor");
    sc_start();
    std::cout << errors << " errors, " << infos << " infos" << std::endl;
    assert(errors == 1);
    assert(infos == 1);
    return 0;
}
