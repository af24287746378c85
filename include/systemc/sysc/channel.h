/* Primitive channels: what is written in an evaluation phase shows after the update phase. */
#ifndef HEDDLE_SYSTEMC_CHANNEL_H
#define HEDDLE_SYSTEMC_CHANNEL_H

#include "port.h"

namespace sc_core {

namespace heddle {
inline unsigned suspending_channels = 0; /* a simulation with one does not end while nothing happens */
}

class sc_prim_channel : public sc_object, private heddle_sc_record {
  public:
    const char *kind() const override { return "sc_prim_channel"; }
    using sc_object::name;
    bool update_requested() const { __heddle_unsupported("sc_prim_channel::update_requested"); }
    static void heddle_update(heddle_sc_record *r) {
        if (__heddle_sc_catches_at_start && heddle::design().error) return;
        static_cast<sc_prim_channel *>(r)->update();
    }
    static std::vector<sc_prim_channel *> &all() {
        static std::vector<sc_prim_channel *> *list = new std::vector<sc_prim_channel *>;
        return *list;
    }
    virtual void before_end_of_elaboration() {}
    virtual void end_of_elaboration() {}
    virtual void start_of_simulation() {}
    virtual void end_of_simulation() {}
    virtual bool heddle_updates_itself() const {
        return false;
    } /* and nothing else: for channels of this library */
    /* Whose update is requested before the simulation, in the order of requests. */
    static std::vector<sc_prim_channel *> &requested_early() {
        static std::vector<sc_prim_channel *> *list = new std::vector<sc_prim_channel *>;
        return *list;
    }
    void heddle_update_early() { update(); }
    virtual void heddle_prepare() {} /* the last call before processes and events are counted */

  protected:
    sc_prim_channel() : sc_prim_channel(nullptr) {}
    explicit sc_prim_channel(const char *channel_name) : sc_object(channel_name) {
        if (heddle::simulation_runs) __heddle_unsupported("a channel that is made during the simulation");
        heddle_sc_record::name = sc_object::name();
        heddle::enlist(__heddle_sc_registry.updates, *this, __heddle_sc_registry.updates.count);
        all().push_back(this);
    }
    ~sc_prim_channel() override {
        heddle::outlive(__heddle_sc_registry.updates, *this);
        leave(all());
        if (!heddle::simulation_runs) leave(requested_early());
    }
    void request_update() {
        if (heddle::simulation_runs) {
            __heddle_sc_request_update(number);
            return;
        }
        for (const sc_prim_channel *o : requested_early())
            if (o == this) return;
        requested_early().push_back(this);
    }
    /* There are no other threads of the host: whoever calls it runs in the simulation. */
    void async_request_update() { request_update(); }
    bool async_attach_suspending() {
        if (heddle::simulation_runs) __heddle_unsupported("async_attach_suspending during the simulation");
        bool is_new = !m_is_suspending;
        m_is_suspending = true;
        heddle::suspending_channels += is_new;
        return is_new;
    }
    bool async_detach_suspending() {
        if (heddle::simulation_runs) __heddle_unsupported("async_detach_suspending during the simulation");
        bool was = m_is_suspending;
        m_is_suspending = false;
        heddle::suspending_channels -= was;
        return was;
    }
    virtual void update() {}
    void wait() { sc_core::wait(); }
    template <class... A> void wait(const A &...a) { sc_core::wait(a...); }
    void next_trigger() { sc_core::next_trigger(); }
    template <class... A> void next_trigger(const A &...a) { sc_core::next_trigger(a...); }

  private:
    void leave(std::vector<sc_prim_channel *> &list) {
        for (size_t k = 0; k < list.size(); k++)
            if (list[k] == this) {
                list.erase(list.begin() + static_cast<long>(k));
                break;
            }
    }
    bool m_is_suspending = false;
};

} // namespace sc_core

/* Called by the kernel in the update phase. */
extern "C" __attribute__((used, weak, section("heddle.first"))) void
__heddle_sc_run_update(heddle_sc_record *r) {
    sc_core::sc_prim_channel::heddle_update(r);
}

#endif
