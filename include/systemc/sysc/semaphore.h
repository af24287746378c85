/* Counting semaphores between processes. */
#ifndef HEDDLE_SYSTEMC_SEMAPHORE_H
#define HEDDLE_SYSTEMC_SEMAPHORE_H

#include "module.h"

namespace sc_core {

class sc_semaphore_if : virtual public sc_interface {
  public:
    virtual int wait() = 0;
    virtual int trywait() = 0;
    virtual int post() = 0;
    virtual int get_value() const = 0;
};

class sc_semaphore : public sc_semaphore_if, public sc_object {
  public:
    explicit sc_semaphore(int initial) : sc_semaphore(sc_gen_unique_name("semaphore"), initial) {}
    sc_semaphore(const char *semaphore_name, int initial) : sc_object(semaphore_name), m_value(initial) {
        if (initial < 0)
            HEDDLE_SC_ERROR(SC_ID_INVALID_SEMAPHORE_VALUE_, "a semaphore does not begin below zero");
    }
    int wait() override {
        while (m_value <= 0) sc_core::wait(m_free);
        m_value--;
        return 0;
    }
    int trywait() override {
        if (m_value <= 0) return -1;
        m_value--;
        return 0;
    }
    int post() override {
        m_value++;
        m_free.notify();
        return 0;
    }
    int get_value() const override { return m_value; }
    const char *kind() const override { return "sc_semaphore"; }

  private:
    int m_value;
    sc_event m_free{heddle::OF_CHANNEL};
};

} // namespace sc_core

#endif
