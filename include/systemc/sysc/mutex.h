/* Mutual exclusion between processes. */
#ifndef HEDDLE_SYSTEMC_MUTEX_H
#define HEDDLE_SYSTEMC_MUTEX_H

#include "module.h"

namespace sc_core {

class sc_mutex_if : virtual public sc_interface {
  public:
    virtual int lock() = 0;
    virtual int trylock() = 0;
    virtual int unlock() = 0;
};

class sc_mutex : public sc_mutex_if, public sc_object {
  public:
    sc_mutex() : sc_mutex(sc_gen_unique_name("mutex")) {}
    explicit sc_mutex(const char *mutex_name) : sc_object(mutex_name) {}
    int lock() override {
        sc_process_b *self = sc_process_b::running();
        while (m_owner && m_owner != self) sc_core::wait(m_free);
        give_to(self);
        return 0;
    }
    int trylock() override {
        sc_process_b *self = sc_process_b::running();
        if (m_owner && m_owner != self) return -1;
        give_to(self);
        return 0;
    }
    int unlock() override {
        sc_process_b *self = sc_process_b::running();
        if (m_owner != self) return -1;
        m_owner = nullptr;
        if (self && self->is_pooled && self->owned) self->owned--;
        m_free.notify();
        return 0;
    }
    const char *kind() const override { return "sc_mutex"; }

  protected: /* as in Accellera's library, whose examples derive from it */
    bool in_use() const { return m_owner != nullptr; }
    sc_process_b *m_owner = nullptr; /* nobody */
    sc_event m_free{heddle::OF_CHANNEL};

  private:
    /* Who ends and still owns it is not another process later. */
    void give_to(sc_process_b *self) {
        if (self && self->is_pooled && m_owner != self) self->owned++;
        m_owner = self;
    }
};

class sc_scoped_lock {
  public:
    explicit sc_scoped_lock(sc_mutex &m) : m_mutex(m), m_is_active(true) { m_mutex.lock(); }
    bool release() {
        if (!m_is_active) return false;
        m_mutex.unlock();
        m_is_active = false;
        return true;
    }
    ~sc_scoped_lock() { release(); }
    sc_scoped_lock(const sc_scoped_lock &) = delete;

  private:
    sc_mutex &m_mutex;
    bool m_is_active;
};

} // namespace sc_core

#endif
