/* Phases of the protocols. */
#ifndef HEDDLE_TLM_PHASE_H
#define HEDDLE_TLM_PHASE_H

#include <iostream>
#include <string>

namespace tlm {

enum tlm_phase_enum { UNINITIALIZED_PHASE = 0, BEGIN_REQ = 1, END_REQ, BEGIN_RESP, END_RESP };

class tlm_phase {
  public:
    constexpr tlm_phase() : m_id(UNINITIALIZED_PHASE) {}
    tlm_phase(unsigned id) : m_id(id) {}
    tlm_phase(const tlm_phase_enum &standard) : m_id(standard) {}
    tlm_phase &operator=(const tlm_phase_enum &standard) {
        m_id = standard;
        return *this;
    }
    operator unsigned() const { return m_id; }
    const char *get_name() const {
        switch (m_id) {
        case UNINITIALIZED_PHASE: return "UNINITIALIZED_PHASE";
        case BEGIN_REQ: return "BEGIN_REQ";
        case END_REQ: return "END_REQ";
        case BEGIN_RESP: return "BEGIN_RESP";
        case END_RESP: return "END_RESP";
        default: return "extended phase";
        }
    }

  protected:
    /* Extended phases are numbered before main. */
    static unsigned next_number() {
        static unsigned last = END_RESP;
        return ++last;
    }

  private:
    unsigned m_id;
};

inline std::ostream &operator<<(std::ostream &os, const tlm_phase &p) {
    return os << p.get_name();
}

} // namespace tlm

#define TLM_DECLARE_EXTENDED_PHASE(phase)                                                                    \
    static class tlm_phase_##phase : public ::tlm::tlm_phase {                                               \
      public:                                                                                                \
        tlm_phase_##phase() : ::tlm::tlm_phase(number()) {}                                                  \
        static const tlm_phase_##phase &get_phase() {                                                        \
            static const tlm_phase_##phase one;                                                              \
            return one;                                                                                      \
        }                                                                                                    \
                                                                                                             \
      private:                                                                                               \
        static unsigned number() {                                                                           \
            static const unsigned mine = next_number();                                                      \
            return mine;                                                                                     \
        }                                                                                                    \
    } const phase
/* Its earlier name. */
#define DECLARE_EXTENDED_PHASE(phase) TLM_DECLARE_EXTENDED_PHASE(phase)

#endif
