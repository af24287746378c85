"""Assertions for the examples of a SystemC distribution, and what is right about them over all orders of processes.

Each is put into a copy of the example, before or behind a line that is found by what it contains, and on that line, so that lines keep their numbers.
`verdict` follows from the reason given, which does not need Heddle. `simulator` says what becomes of the assertion in the one order of Accellera's
simulator: with `holds` beside `unsafe` simulation alone would never have shown it.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Assertion:
    example: str
    file: str
    place: str  # "before" or "behind"
    line: str  # what the line contains; the first that does
    text: str
    verdict: str
    simulator: str  # "holds", "fails"; "inputs": that depends on the inputs it is given
    claim: str
    why: str


ASSERTIONS = [
    Assertion(
        "simple_fifo", "simple_fifo.cpp", "behind", "++ num_elements;", "sc_assert(num_elements <= max);",
        "safe", "holds", "the fifo never holds more than its capacity",
        "its only writer waits while it is full, until a read has made room",
    ),
    Assertion(
        "simple_fifo", "simple_fifo.cpp", "before", "c = data[first];", "sc_assert(num_elements > 0);",
        "safe", "holds", "nothing is read from an empty fifo",
        "its only reader waits while it is empty, until something was written",
    ),
    Assertion(
        "simple_fifo", "simple_fifo.cpp", "before", "cout << endl << endl;", "sc_assert(in->num_available() == 10);",
        "unsafe", "holds", "the fifo is full when the consumer begins",
        "either process may begin; the simulator takes the producer, which was made first",
    ),
    Assertion(
        "simple_fifo", "simple_fifo.cpp", "before", "cout << c << flush;",
        'static const char *expected = "Visit www.accellera.org and see what SystemC can do for you today!\\n"; sc_assert(c == *expected++);',
        "safe", "holds", "what is read is what was written, in that order",
        "one writer, one reader and a ring that is neither read when empty nor written when full",
    ),
    Assertion(
        "pipe", "display.cpp", "before", "printf(",
        "static int ticks = 0; static double a = 134.56, b = 98.24;"
        " if (++ticks > 4) {"
        " a -= 1.5; b -= 2.8; double sum = a + b, difference = a - b; if (difference == 0) difference = 5.0;"
        " double product = sum * difference, quotient = sum / difference;"
        " sc_assert(in.read() == (product > 0 && quotient > 0 ? pow(product, quotient) : 0.)); }",
        "safe", "holds", "every result is the formula of the numbers of four clock cycles ago",
        "stages are joined by signals, which show a value one delta cycle later whoever runs first",
    ),
    Assertion(
        "pipe", "display.cpp", "before", "printf(", "sc_assert(in.read() > 0);",
        "unsafe", "fails", "results are positive",
        "at the first clock edge the pipeline is empty and its signals are 0",
    ),
    Assertion(
        "simple_bus", "simple_bus.cpp", "before", "m_current_request->status = SIMPLE_BUS_WAIT;",
        "unsigned owners = 0; for (unsigned i = 0; i < m_requests.size(); ++i) owners += m_requests[i]->status == SIMPLE_BUS_WAIT && m_requests[i] != m_current_request;"
        " sc_assert(owners == 0);",
        "unsafe", "fails", "no transfer begins while another is under way",
        "a burst without a lock is interrupted between two words by a request of higher priority",
    ),
    Assertion(
        "fir/main", "display.cpp", "behind", "tmp1 = result.read();",
        "{ static const int weights[16] = {-6, -4, 13, 16, -18, -41, 23, 154, 222, 154, 23, -41, -18, 16, 13, -4};"
        " int sum = 0; for (int j = 0; j < 16 && j <= i; j++) sum += weights[j] * (i - j); sc_assert(tmp1 == sum); }",
        "safe", "holds", "every result is the weighted sum of the last sixteen samples",
        "the n-th sample is n; sender and filter share signals only",
    ),
    Assertion(
        "fir/main_rtl", "display.cpp", "behind", "tmp1 = result.read();",
        "{ static const int weights[16] = {-6, -4, 13, 16, -18, -41, 23, 154, 222, 154, 23, -41, -18, 16, 13, -4};"
        " int sum = 0; for (int j = 0; j < 16 && j <= i; j++) sum += weights[j] * (i - j); sc_assert(tmp1 == sum); }",
        "unsafe", "inputs", "the same of the filter at register-transfer level",
        "the state machine reads its state at the first clock edge, before anybody has set it; whatever value takes the default case makes a result",
    ),
    Assertion(
        "2.1/dpipe", "main.cpp", "before", "cout << sc_time_stamp().to_double()",
        "static int ticks = 0; ticks++; sc_assert(m_from_pipe.read() == (ticks < 4 ? 0 : ticks - 4));",
        "safe", "holds", "what comes out was put in four clock cycles ago",
        "the stages are signals; the writer also runs once at the beginning",
    ),
    Assertion(
        "2.1/scx_barrier", "main.cpp", "before", "- c", "sc_assert(sc_time_stamp() == sc_time(11, SC_NS));",
        "safe", "holds", "the barrier opens when the last thread has come, after 11 ns",
        "the last of the three, b, waits 11 ns",
    ),
    Assertion(
        "2.1/scx_mutex_w_policy", "scx_mutex_w_policy.cpp", "before", "t3 got mutex", "sc_assert(sc_time_stamp() == sc_time(21, SC_NS));",
        "safe", "holds", "the third thread has the mutex after two others had it for 10 ns each",
        "they ask at different times and are served in that order",
    ),
    Assertion(
        "2.1/scx_mutex_w_policy", "scx_mutex_w_policy.cpp", "before", "if (event_list.empty())",
        "policy_ = RANDOM; sc_assert(event_list.empty() || sc_time_stamp() > sc_time(20, SC_NS) || rand() % event_list.size() == 0);",
        "unsafe", "inputs", "chance lets the first in the queue go first",
        "rand may return any number, and two threads wait when the first one unlocks",
    ),
    Assertion(
        "2.1/forkjoin", "forkjoin.cpp", "before", 'cout << "Returned int is " << r << endl;', "sc_assert(sc_time_stamp() == sc_time(220, SC_NS));",
        "safe", "holds", "the fork is joined after 100 ns and twelve turns of 10 ns",
        "every turn begins when the one before it ends",
    ),
    Assertion(
        "2.3/sc_rvd", "main.cpp", "behind", "data = m_from_dut.read();", "sc_assert(data == i);",
        "safe", "holds", "data come out in the order in which they were put in, and none is lost",
        "both sides of a channel agree in every clock cycle, through signals, whether it carries a value",
    ),
    Assertion(
        "2.3/sc_ttd", "main.cpp", "behind", "data = m_from_dut.read();", "sc_assert(data == i);",
        "safe", "holds", "the same of channels that toggle",
        "as there",
    ),
    Assertion(
        "2.1/reset_signal_is", "reset_signal_is.cpp", "before", 'cout << sc_time_stamp() << ": " << m_value.read()',
        "static int last = 0; sc_assert(m_value.read() <= last + 1); last = m_value.read();",
        "safe", "holds", "no value is left out",
        "the producer adds one in a clock cycle and the consumer looks in each, both through signals",
    ),
]
