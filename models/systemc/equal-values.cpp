// expect: safe
// expect: safe --por none
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
//
// A signal whose type has an equality of its own: a message that equals the present one is not taken over,
// though it has another note, and nothing is pending because of it. With BUG = 1 the note is expected to
// change. With BUG = 2 the receiver catches the exception that resets it and does not throw it on.

#include <cassert>
#include <systemc.h>

struct message {
    int number = 0;
    bool has_note = false;
    bool operator==(const message &m) const { return number == m.number; }
};
inline std::ostream &operator<<(std::ostream &os, const message &m) {
    return os << m.number;
}
inline void sc_trace(sc_trace_file *, const message &, const std::string &) {}

SC_MODULE(post) {
    sc_signal<message> letter;
    sc_signal<bool> closes;
    int opened = 0;

    static message with(int number, bool has_note) {
        message m;
        m.number = number;
        m.has_note = has_note;
        return m;
    }
    void receive() {
        opened++;
        try {
            wait(100, SC_NS);
        } catch (const sc_unwind_exception &) {
#if !defined(BUG) || BUG != 2
            throw;
#endif
        }
    }
    void send() {
        wait(1, SC_NS);
        letter = with(0, true);
        assert(!sc_pending_activity_at_current_time());
        wait(1, SC_NS);
#if defined(BUG) && BUG == 1
        assert(letter.read().has_note);
#else
        assert(!letter.read().has_note);
#endif
        letter = with(1, true);
        assert(sc_pending_activity_at_current_time());
        wait(1, SC_NS);
        assert(letter.read().has_note);
        letter = with(1, false);
        wait(1, SC_NS);
        assert(letter.read().has_note);
        closes = true;
        wait(1, SC_NS);
        assert(opened == 2);
    }
    SC_CTOR(post) {
        SC_THREAD(receive);
        async_reset_signal_is(closes, true);
        SC_THREAD(send);
    }
};

int sc_main(int, char **) {
    post p("post");
    sc_start(20, SC_NS);
    return 0;
}
