// expect: safe
// expect: unsafe -DBUG
//
// A primitive channel of one's own: a mailbox that holds one message. What is posted shows after the update
// phase, so that a sender and a receiver in the same evaluation phase never see each other's half-done work.
// With BUG the message is stored at once and only the flag waits for the update: a second message of the
// same phase replaces the first one.

#include <cassert>
#include <systemc.h>

#include <heddle_stimulus.h>

struct mailbox_if : virtual sc_interface {
    virtual bool post(int message) = 0;
    virtual bool fetch(int &message) = 0;
    virtual const sc_event &arrival() const = 0;
};

struct mailbox : sc_prim_channel, mailbox_if {
    explicit mailbox(const char *name) : sc_prim_channel(name) {}
    bool post(int message) override {
#ifdef BUG
        if (is_full) return false;
        current = message;
#else
        if (is_full || is_posted) return false;
#endif
        next = message;
        is_posted = true;
        request_update();
        return true;
    }
    bool fetch(int &message) override {
        if (!is_full) return false;
        message = current;
        is_full = false;
        return true;
    }
    const sc_event &arrival() const override {
        return arrived;
    }

  protected:
    void update() override {
        current = next;
        is_full = true;
        is_posted = false;
        arrived.notify(SC_ZERO_TIME);
    }

  private:
    int current = 0, next = 0;
    bool is_full = false, is_posted = false;
    sc_event arrived;
};

SC_MODULE(sender) {
    sc_port<mailbox_if> box{"box"};
    int posted = 0; // sum of what was accepted

    void run() {
        int message = heddle::input<unsigned char>("message") + 1;
        for (int tries = 0; tries < 3; tries++) {
            if (box->post(message)) {
                posted += message;
                return;
            }
            wait(1, SC_NS);
        }
    }
    SC_CTOR(sender) {
        SC_THREAD(run);
    }
};

SC_MODULE(receiver) {
    sc_port<mailbox_if> box{"box"};
    int fetched = 0;

    void run() {
        int message = 0;
        for (;;) {
            wait(box->arrival());
            if (box->fetch(message)) fetched += message;
        }
    }
    SC_CTOR(receiver) {
        SC_THREAD(run);
    }
};

int sc_main(int, char *[]) {
    mailbox box("box");
    sender first("first"), second("second");
    receiver r("receiver");
    first.box(box);
    second.box(box);
    r.box(box);
    sc_start();
    assert(r.fetched == first.posted + second.posted);
    return 0;
}
