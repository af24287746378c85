/* Analysis ports: what is written goes to everybody who is bound. */
#ifndef HEDDLE_TLM_ANALYSIS_H
#define HEDDLE_TLM_ANALYSIS_H

#include "../systemc"

namespace tlm {

template <class T> class tlm_write_if : public virtual sc_core::sc_interface {
  public:
    virtual void write(const T &) = 0;
};
template <class T> class tlm_delayed_write_if : public virtual sc_core::sc_interface {
  public:
    virtual void write(const T &, const sc_core::sc_time &) = 0;
};
template <class T> class tlm_analysis_if : public virtual tlm_write_if<T> {};
template <class T> class tlm_delayed_analysis_if : public virtual tlm_delayed_write_if<T> {};

template <class T> class tlm_analysis_port : public sc_core::sc_object, public virtual tlm_analysis_if<T> {
  public:
    tlm_analysis_port() : sc_core::sc_object(sc_core::sc_gen_unique_name("analysis_port")) {}
    explicit tlm_analysis_port(const char *port_name) : sc_core::sc_object(port_name) {}
    virtual void bind(tlm_analysis_if<T> &i) { m_listeners.push_back(&i); }
    void operator()(tlm_analysis_if<T> &i) { bind(i); }
    virtual bool unbind(tlm_analysis_if<T> &i) {
        for (size_t k = 0; k < m_listeners.size(); k++)
            if (m_listeners[k] == &i) {
                m_listeners.erase(m_listeners.begin() + static_cast<long>(k));
                return true;
            }
        return false;
    }
    void write(const T &t) override {
        for (tlm_analysis_if<T> *i : m_listeners) i->write(t);
    }

  private:
    std::vector<tlm_analysis_if<T> *> m_listeners;
};

} // namespace tlm

#endif
