/* TLM-1: the interfaces put, get, peek and transport, and the queue that has them. */
#ifndef HEDDLE_TLM_FIFO_H
#define HEDDLE_TLM_FIFO_H

#include "../systemc"

#include <type_traits>

namespace tlm {

template <class T> class tlm_tag {};

/* --- interfaces ----------------------------------------------------------------------------------------- */

template <class REQ, class RSP> class tlm_transport_if : public virtual sc_core::sc_interface {
  public:
    virtual RSP transport(const REQ &) = 0;
    virtual void transport(const REQ &request, RSP &response) { response = transport(request); }
};

template <class T> class tlm_blocking_get_if : public virtual sc_core::sc_interface {
  public:
    virtual T get(tlm_tag<T> * = nullptr) = 0;
    virtual void get(T &t) { t = get(); }
};
template <class T> class tlm_blocking_put_if : public virtual sc_core::sc_interface {
  public:
    virtual void put(const T &) = 0;
};
template <class T> class tlm_nonblocking_get_if : public virtual sc_core::sc_interface {
  public:
    virtual bool nb_get(T &) = 0;
    virtual bool nb_can_get(tlm_tag<T> * = nullptr) const = 0;
    virtual const sc_core::sc_event &ok_to_get(tlm_tag<T> * = nullptr) const = 0;
};
template <class T> class tlm_nonblocking_put_if : public virtual sc_core::sc_interface {
  public:
    virtual bool nb_put(const T &) = 0;
    virtual bool nb_can_put(tlm_tag<T> * = nullptr) const = 0;
    virtual const sc_core::sc_event &ok_to_put(tlm_tag<T> * = nullptr) const = 0;
};
template <class T>
class tlm_get_if : public virtual tlm_blocking_get_if<T>, public virtual tlm_nonblocking_get_if<T> {};
template <class T>
class tlm_put_if : public virtual tlm_blocking_put_if<T>, public virtual tlm_nonblocking_put_if<T> {};

template <class T> class tlm_blocking_peek_if : public virtual sc_core::sc_interface {
  public:
    virtual T peek(tlm_tag<T> * = nullptr) const = 0;
    virtual void peek(T &t) const { t = peek(); }
};
template <class T> class tlm_nonblocking_peek_if : public virtual sc_core::sc_interface {
  public:
    virtual bool nb_peek(T &) const = 0;
    virtual bool nb_can_peek(tlm_tag<T> * = nullptr) const = 0;
    virtual const sc_core::sc_event &ok_to_peek(tlm_tag<T> * = nullptr) const = 0;
};
template <class T>
class tlm_peek_if : public virtual tlm_blocking_peek_if<T>, public virtual tlm_nonblocking_peek_if<T> {};
template <class T>
class tlm_blocking_get_peek_if : public virtual tlm_blocking_get_if<T>,
                                 public virtual tlm_blocking_peek_if<T> {};
template <class T>
class tlm_nonblocking_get_peek_if : public virtual tlm_nonblocking_get_if<T>,
                                    public virtual tlm_nonblocking_peek_if<T> {};
template <class T>
class tlm_get_peek_if : public virtual tlm_get_if<T>,
                        public virtual tlm_peek_if<T>,
                        public virtual tlm_blocking_get_peek_if<T>,
                        public virtual tlm_nonblocking_get_peek_if<T> {};

template <class REQ, class RSP>
class tlm_blocking_master_if : public virtual tlm_blocking_put_if<REQ>,
                               public virtual tlm_blocking_get_peek_if<RSP> {};
template <class REQ, class RSP>
class tlm_blocking_slave_if : public virtual tlm_blocking_put_if<RSP>,
                              public virtual tlm_blocking_get_peek_if<REQ> {};
template <class REQ, class RSP>
class tlm_nonblocking_master_if : public virtual tlm_nonblocking_put_if<REQ>,
                                  public virtual tlm_nonblocking_get_peek_if<RSP> {};
template <class REQ, class RSP>
class tlm_nonblocking_slave_if : public virtual tlm_nonblocking_put_if<RSP>,
                                 public virtual tlm_nonblocking_get_peek_if<REQ> {};
template <class REQ, class RSP>
class tlm_master_if : public virtual tlm_put_if<REQ>,
                      public virtual tlm_get_peek_if<RSP>,
                      public virtual tlm_blocking_master_if<REQ, RSP>,
                      public virtual tlm_nonblocking_master_if<REQ, RSP> {};
template <class REQ, class RSP>
class tlm_slave_if : public virtual tlm_put_if<RSP>,
                     public virtual tlm_get_peek_if<REQ>,
                     public virtual tlm_blocking_slave_if<REQ, RSP>,
                     public virtual tlm_nonblocking_slave_if<REQ, RSP> {};

template <class T> class tlm_fifo_debug_if : public virtual sc_core::sc_interface {
  public:
    virtual int used() const = 0;
    virtual int size() const = 0;
    virtual bool nb_peek(T &, int n) const = 0;
    virtual bool nb_poke(const T &, int n = 0) = 0;
};
template <class T>
class tlm_fifo_put_if : public virtual tlm_put_if<T>, public virtual tlm_fifo_debug_if<T> {};
template <class T>
class tlm_fifo_get_if : public virtual tlm_get_peek_if<T>, public virtual tlm_fifo_debug_if<T> {};

/* --- the queue ------------------------------------------------------------------------------------------ */

/* As sc_fifo: the oldest element is the first of the buffer. A negative size means no bound. */
template <class T>
class tlm_fifo : public virtual tlm_fifo_get_if<T>,
                 public virtual tlm_fifo_put_if<T>,
                 public sc_core::sc_prim_channel {
  public:
    explicit tlm_fifo(int size_of_it = 1) : tlm_fifo(sc_core::sc_gen_unique_name("fifo"), size_of_it) {}
    explicit tlm_fifo(const char *fifo_name, int size_of_it = 1)
        : sc_core::sc_prim_channel(fifo_name), m_size(size_of_it),
          m_room(size_of_it < 0 ? MOST_UNBOUNDED : size_of_it),
          m_buffer(new T[static_cast<size_t>(m_room)]()) {}
    ~tlm_fifo() override { delete[] m_buffer; }
    const char *kind() const override { return "tlm_fifo"; }

    T get(tlm_tag<T> * = nullptr) override {
        while (is_empty()) sc_core::wait(m_data_written);
        return take();
    }
    using tlm_blocking_get_if<T>::get;
    bool nb_get(T &t) override {
        if (is_empty()) return false;
        t = take();
        return true;
    }
    bool nb_can_get(tlm_tag<T> * = nullptr) const override { return !is_empty(); }
    const sc_core::sc_event &ok_to_get(tlm_tag<T> * = nullptr) const override { return m_data_written; }

    T peek(tlm_tag<T> * = nullptr) const override {
        while (is_empty()) sc_core::wait(m_data_written);
        return m_buffer[m_read];
    }
    using tlm_blocking_peek_if<T>::peek;
    bool nb_peek(T &t) const override {
        if (is_empty()) return false;
        t = m_buffer[m_read];
        return true;
    }
    bool nb_can_peek(tlm_tag<T> * = nullptr) const override { return !is_empty(); }
    const sc_core::sc_event &ok_to_peek(tlm_tag<T> * = nullptr) const override { return m_data_written; }

    void put(const T &t) override {
        while (is_full()) sc_core::wait(m_data_read);
        add(t);
    }
    bool nb_put(const T &t) override {
        if (is_full()) return false;
        add(t);
        return true;
    }
    bool nb_can_put(tlm_tag<T> * = nullptr) const override { return !is_full(); }
    const sc_core::sc_event &ok_to_put(tlm_tag<T> * = nullptr) const override { return m_data_read; }

    int used() const override { return m_readable - m_read; }
    int size() const override { return m_size; }
    bool nb_peek(T &t, int n) const override {
        if (n < 0 || n >= used()) return false;
        t = m_buffer[m_read + n];
        return true;
    }
    bool nb_poke(const T &t, int n = 0) override {
        if (n < 0 || n >= used()) return false;
        m_buffer[m_read + n] = t;
        return true;
    }
    bool is_empty() const { return !used(); }
    bool is_full() const { return m_size >= 0 && m_size <= m_readable + m_written; }

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
    enum { MOST_UNBOUNDED = 64 };
    T take() {
        request_update();
        T t = m_buffer[m_read];
        if (!std::is_trivially_destructible<T>::value) m_buffer[m_read] = T(); /* it may hold something */
        m_read++;
        return t;
    }
    void add(const T &t) {
        if (m_readable + m_written == m_room)
            __heddle_unsupported("more than 64 elements in an unbounded tlm_fifo");
        request_update();
        m_buffer[m_readable + m_written++] = t;
    }
    int m_size, m_room;
    T *m_buffer;
    int m_readable = 0, m_read = 0, m_written = 0;
    sc_core::sc_event m_data_written{sc_core::heddle::OF_CHANNEL}, m_data_read{sc_core::heddle::OF_CHANNEL};
};

/* --- a request and its response ------------------------------------------------------------------------- */

template <class REQ, class RSP, class REQ_CHANNEL = tlm_fifo<REQ>, class RSP_CHANNEL = tlm_fifo<RSP>>
class tlm_transport_channel : public sc_core::sc_module, public tlm_transport_if<REQ, RSP> {
  public:
    sc_core::sc_export<tlm_transport_if<REQ, RSP>> target_export{"target_export"};
    sc_core::sc_export<tlm_fifo_get_if<REQ>> get_request_export{"get_request_export"};
    sc_core::sc_export<tlm_fifo_put_if<RSP>> put_response_export{"put_response_export"};
    explicit tlm_transport_channel(
        sc_core::sc_module_name n = sc_core::sc_module_name(sc_core::sc_gen_unique_name("transport_channel")))
        : sc_core::sc_module(n), m_requests("request_fifo", 1), m_responses("response_fifo", 1) {
        target_export.bind(*this);
        get_request_export.bind(m_requests);
        put_response_export.bind(m_responses);
    }
    RSP transport(const REQ &request) override {
        m_mutex.lock();
        m_requests.put(request);
        RSP response = m_responses.get();
        m_mutex.unlock();
        return response;
    }
    using tlm_transport_if<REQ, RSP>::transport;

  private:
    REQ_CHANNEL m_requests;
    RSP_CHANNEL m_responses;
    sc_core::sc_mutex m_mutex;
};

} // namespace tlm

#endif
