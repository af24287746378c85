/* Queues between processes. What is written can be read after the next update phase, and the place of what is
 * read is free then.
 *
 * The oldest element is always the first of the buffer, so that two queues with the same content are the
 * same; a reader and a writer never touch the same variable in one evaluation phase. */
#ifndef HEDDLE_SYSTEMC_FIFO_H
#define HEDDLE_SYSTEMC_FIFO_H

#include "module.h"

#include <type_traits>

namespace sc_core {

template <class T> class sc_fifo_nonblocking_in_if : virtual public sc_interface {
  public:
    virtual bool nb_read(T &) = 0;
    virtual const sc_event &data_written_event() const = 0;
};
template <class T> class sc_fifo_blocking_in_if : virtual public sc_interface {
  public:
    virtual void read(T &) = 0;
    virtual T read() = 0;
};
template <class T>
class sc_fifo_in_if : public sc_fifo_nonblocking_in_if<T>, public sc_fifo_blocking_in_if<T> {
  public:
    virtual int num_available() const = 0;
};

template <class T> class sc_fifo_nonblocking_out_if : virtual public sc_interface {
  public:
    virtual bool nb_write(const T &) = 0;
    virtual const sc_event &data_read_event() const = 0;
};
template <class T> class sc_fifo_blocking_out_if : virtual public sc_interface {
  public:
    virtual void write(const T &) = 0;
};
template <class T>
class sc_fifo_out_if : public sc_fifo_nonblocking_out_if<T>, public sc_fifo_blocking_out_if<T> {
  public:
    virtual int num_free() const = 0;
};

template <class T> class sc_fifo : public sc_fifo_in_if<T>, public sc_fifo_out_if<T>, public sc_prim_channel {
  public:
    bool heddle_updates_itself() const override { return true; }
    explicit sc_fifo(int size = 16) : sc_fifo(sc_gen_unique_name("fifo"), size) {}
    explicit sc_fifo(const char *fifo_name, int size = 16) : sc_prim_channel(fifo_name), m_size(size) {
        if (size <= 0) HEDDLE_SC_ERROR(SC_ID_INVALID_FIFO_SIZE_, "a fifo has room for at least one element");
        m_buffer = new T[static_cast<size_t>(size)]();
    }
    ~sc_fifo() override { delete[] m_buffer; }

    void register_port(sc_port_base &port, const char *interface_name) override {
        if (is(interface_name, typeid(sc_fifo_in_if<T>)) ||
            is(interface_name, typeid(sc_fifo_blocking_in_if<T>))) {
            if (m_reader && m_reader != &port)
                HEDDLE_SC_ERROR(SC_ID_MORE_THAN_ONE_FIFO_READER_, "a fifo has one reader");
            m_reader = &port;
        } else if (is(interface_name, typeid(sc_fifo_out_if<T>)) ||
                   is(interface_name, typeid(sc_fifo_blocking_out_if<T>))) {
            if (m_writer && m_writer != &port)
                HEDDLE_SC_ERROR(SC_ID_MORE_THAN_ONE_FIFO_WRITER_, "a fifo has one writer");
            m_writer = &port;
        }
    }

    int num_available() const override { return m_readable - m_read; }
    int num_free() const override { return m_size - m_readable - m_written; }
    const sc_event &data_written_event() const override { return m_data_written; }
    const sc_event &data_read_event() const override { return m_data_read; }

    bool nb_read(T &v) override {
        if (!num_available()) return false;
        v = m_buffer[m_read];
        if (!std::is_trivially_destructible<T>::value) m_buffer[m_read] = T(); /* it may hold something */
        m_read++;
        request_update();
        return true;
    }
    void read(T &v) override {
        while (!nb_read(v)) sc_core::wait(m_data_written);
    }
    T read() override {
        T v;
        read(v);
        return v;
    }
    bool nb_write(const T &v) override {
        if (!num_free()) return false;
        m_buffer[m_readable + m_written++] = v;
        request_update();
        return true;
    }
    void write(const T &v) override {
        while (!nb_write(v)) sc_core::wait(m_data_read);
    }
    operator T() { return read(); }
    sc_fifo &operator=(const T &v) {
        write(v);
        return *this;
    }
    const char *kind() const override { return "sc_fifo"; }
    void print(std::ostream &os = std::cout) const override {
        for (int k = m_read; k < m_readable + m_written; k++) os << m_buffer[k] << std::endl;
    }

  protected:
    void update() override {
        if (m_read) m_data_read.notify_delayed();
        if (m_written) m_data_written.notify_delayed();
        int filled = m_readable + m_written;
        for (int k = m_read; m_read && k < filled; k++) m_buffer[k - m_read] = m_buffer[k];
        for (int k = filled - m_read; k < filled; k++) m_buffer[k] = T();
        m_readable = filled - m_read;
        m_read = m_written = 0;
    }

  private:
    static bool is(const char *interface_name, const std::type_info &type) {
        return interface_name == type.name();
    }
    int m_size;
    T *m_buffer;
    int m_readable = 0;            /* at the beginning of the evaluation phase */
    int m_read = 0, m_written = 0; /* since then */
    sc_port_base *m_reader = nullptr, *m_writer = nullptr;
    sc_event m_data_written{heddle::OF_CHANNEL}, m_data_read{heddle::OF_CHANNEL};
};

template <class T> inline std::ostream &operator<<(std::ostream &os, const sc_fifo<T> &f) {
    f.print(os);
    return os;
}

template <class T> class sc_fifo_in : public sc_port<sc_fifo_in_if<T>, 0> {
  public:
    typedef sc_port<sc_fifo_in_if<T>, 0> base;
    sc_fifo_in() {}
    explicit sc_fifo_in(const char *port_name) : base(port_name) {}
    void read(T &v) { (*this)->read(v); }
    T read() { return (*this)->read(); }
    bool nb_read(T &v) { return (*this)->nb_read(v); }
    operator T() { return (*this)->read(); }
    int num_available() const { return (*this)->num_available(); }
    const sc_event &data_written_event() const { return (*this)->data_written_event(); }
    sc_event_finder &data_written() const {
        return heddle::make_finder<sc_fifo_in_if<T>>(
            *this, [](const sc_fifo_in_if<T> &i) -> const sc_event & { return i.data_written_event(); });
    }
    const char *kind() const override { return "sc_fifo_in"; }
};

template <class T> class sc_fifo_out : public sc_port<sc_fifo_out_if<T>, 0> {
  public:
    typedef sc_port<sc_fifo_out_if<T>, 0> base;
    sc_fifo_out() {}
    explicit sc_fifo_out(const char *port_name) : base(port_name) {}
    void write(const T &v) { (*this)->write(v); }
    bool nb_write(const T &v) { return (*this)->nb_write(v); }
    sc_fifo_out &operator=(const T &v) {
        write(v);
        return *this;
    }
    int num_free() const { return (*this)->num_free(); }
    const sc_event &data_read_event() const { return (*this)->data_read_event(); }
    sc_event_finder &data_read() const {
        return heddle::make_finder<sc_fifo_out_if<T>>(
            *this, [](const sc_fifo_out_if<T> &i) -> const sc_event & { return i.data_read_event(); });
    }
    const char *kind() const override { return "sc_fifo_out"; }
};

} // namespace sc_core

#endif
