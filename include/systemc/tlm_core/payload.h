/* The generic payload and its extensions. Extensions lie in an array of fixed size: no heap is needed. */
#ifndef HEDDLE_TLM_PAYLOAD_H
#define HEDDLE_TLM_PAYLOAD_H

#include "../systemc"

#include <cstring>
#include <typeinfo>

namespace sc_dt {
/* Data types may be absent. */
#if !__has_include("../dt/sc_types.h")
typedef unsigned long long uint64;
typedef long long int64;
#endif
} // namespace sc_dt

namespace tlm {

enum { HEDDLE_MOST_EXTENSIONS = 8 };

inline unsigned &heddle_extension_count() {
    static unsigned count = 0;
    return count;
}
inline unsigned max_num_extensions() {
    return heddle_extension_count();
}

class tlm_extension_base {
  public:
    virtual tlm_extension_base *clone() const = 0;
    virtual void free() { delete this; }
    virtual void copy_from(const tlm_extension_base &) = 0;

  protected:
    virtual ~tlm_extension_base() {}
    static unsigned register_extension(const std::type_info &) {
        if (heddle_extension_count() == HEDDLE_MOST_EXTENSIONS)
            __heddle_unsupported("more than 8 types of extensions");
        return heddle_extension_count()++;
    }
};

template <class T> class tlm_extension : public tlm_extension_base {
  public:
    tlm_extension_base *clone() const override = 0;
    void copy_from(const tlm_extension_base &) override = 0;
    ~tlm_extension() override {}
    static const unsigned ID;
};
template <class T> const unsigned tlm_extension<T>::ID = tlm_extension_base::register_extension(typeid(T));

class tlm_generic_payload;

class tlm_mm_interface {
  public:
    virtual void free(tlm_generic_payload *) = 0;
    virtual ~tlm_mm_interface() {}
};

enum tlm_command { TLM_READ_COMMAND, TLM_WRITE_COMMAND, TLM_IGNORE_COMMAND };
enum tlm_response_status {
    TLM_OK_RESPONSE = 1,
    TLM_INCOMPLETE_RESPONSE = 0,
    TLM_GENERIC_ERROR_RESPONSE = -1,
    TLM_ADDRESS_ERROR_RESPONSE = -2,
    TLM_COMMAND_ERROR_RESPONSE = -3,
    TLM_BURST_ERROR_RESPONSE = -4,
    TLM_BYTE_ENABLE_ERROR_RESPONSE = -5
};
enum tlm_gp_option { TLM_MIN_PAYLOAD, TLM_FULL_PAYLOAD, TLM_FULL_PAYLOAD_ACCEPTED };

#define TLM_BYTE_DISABLED 0x0
#define TLM_BYTE_ENABLED  0xff

class tlm_generic_payload {
  public:
    tlm_generic_payload() {}
    explicit tlm_generic_payload(tlm_mm_interface *mm) : m_mm(mm) {}
    tlm_generic_payload(const tlm_generic_payload &) = delete;
    tlm_generic_payload &operator=(const tlm_generic_payload &) = delete;
    virtual ~tlm_generic_payload() {
        for (unsigned k = 0; k < max_num_extensions(); k++)
            if (m_extensions[k]) m_extensions[k]->free();
    }

    /* --- memory management --- */
    void acquire() {
        if (!m_mm) __heddle_violation("a payload that is acquired has a memory manager");
        m_references++;
    }
    void release() {
        if (!m_mm || !m_references) __heddle_violation("a payload is released as often as it was acquired");
        if (!--m_references) m_mm->free(this);
    }
    int get_ref_count() const { return static_cast<int>(m_references); }
    void set_mm(tlm_mm_interface *mm) { m_mm = mm; }
    bool has_mm() const { return m_mm != nullptr; }
    void reset() {
        for (unsigned k = 0; k < max_num_extensions(); k++) {
            if (!m_is_automatic[k]) continue;
            m_is_automatic[k] = false;
            if (!m_extensions[k]) continue;
            m_extensions[k]->free();
            m_extensions[k] = nullptr;
        }
    }

    /* --- copies --- */
    void deep_copy_from(const tlm_generic_payload &other) {
        m_command = other.m_command;
        m_address = other.m_address;
        m_length = other.m_length;
        m_response = other.m_response;
        m_byte_enable_length = other.m_byte_enable_length;
        m_streaming_width = other.m_streaming_width;
        m_dmi = other.m_dmi;
        m_option = other.m_option;
        if (m_data && other.m_data) std::memcpy(m_data, other.m_data, m_length);
        if (m_byte_enable && other.m_byte_enable)
            std::memcpy(m_byte_enable, other.m_byte_enable, m_byte_enable_length);
        copy_extensions(other);
    }
    void update_original_from(const tlm_generic_payload &other, bool use_byte_enable_on_read = true) {
        update_extensions_from(other);
        m_response = other.m_response;
        m_dmi = other.m_dmi;
        if (!is_read() || !m_data || !other.m_data || m_data == other.m_data) return;
        if (!m_byte_enable || !use_byte_enable_on_read) {
            std::memcpy(m_data, other.m_data, m_length);
            return;
        }
        for (unsigned k = 0; k < m_length; k++)
            if (m_byte_enable[k % m_byte_enable_length]) m_data[k] = other.m_data[k];
    }
    void update_extensions_from(const tlm_generic_payload &other) {
        for (unsigned k = 0; k < max_num_extensions(); k++)
            if (other.m_extensions[k] && m_extensions[k]) m_extensions[k]->copy_from(*other.m_extensions[k]);
    }
    void free_all_extensions() {
        for (unsigned k = 0; k < max_num_extensions(); k++) {
            m_is_automatic[k] = false;
            if (!m_extensions[k]) continue;
            m_extensions[k]->free();
            m_extensions[k] = nullptr;
        }
    }

    /* --- attributes --- */
    bool is_read() const { return m_command == TLM_READ_COMMAND; }
    void set_read() { m_command = TLM_READ_COMMAND; }
    bool is_write() const { return m_command == TLM_WRITE_COMMAND; }
    void set_write() { m_command = TLM_WRITE_COMMAND; }
    tlm_command get_command() const { return m_command; }
    void set_command(const tlm_command command) { m_command = command; }
    sc_dt::uint64 get_address() const { return m_address; }
    void set_address(const sc_dt::uint64 address) { m_address = address; }
    unsigned char *get_data_ptr() const { return m_data; }
    void set_data_ptr(unsigned char *data) { m_data = data; }
    unsigned get_data_length() const { return m_length; }
    void set_data_length(const unsigned length) { m_length = length; }
    bool is_response_ok() const { return m_response > 0; }
    bool is_response_error() const { return m_response <= 0; }
    tlm_response_status get_response_status() const { return m_response; }
    void set_response_status(const tlm_response_status status) { m_response = status; }
    std::string get_response_string() const {
        switch (m_response) {
        case TLM_OK_RESPONSE: return "TLM_OK_RESPONSE";
        case TLM_INCOMPLETE_RESPONSE: return "TLM_INCOMPLETE_RESPONSE";
        case TLM_GENERIC_ERROR_RESPONSE: return "TLM_GENERIC_ERROR_RESPONSE";
        case TLM_ADDRESS_ERROR_RESPONSE: return "TLM_ADDRESS_ERROR_RESPONSE";
        case TLM_COMMAND_ERROR_RESPONSE: return "TLM_COMMAND_ERROR_RESPONSE";
        case TLM_BURST_ERROR_RESPONSE: return "TLM_BURST_ERROR_RESPONSE";
        case TLM_BYTE_ENABLE_ERROR_RESPONSE: return "TLM_BYTE_ENABLE_ERROR_RESPONSE";
        }
        return "TLM_UNKNOWN_RESPONSE";
    }
    unsigned get_streaming_width() const { return m_streaming_width; }
    void set_streaming_width(const unsigned width) { m_streaming_width = width; }
    unsigned char *get_byte_enable_ptr() const { return m_byte_enable; }
    void set_byte_enable_ptr(unsigned char *enable) { m_byte_enable = enable; }
    unsigned get_byte_enable_length() const { return m_byte_enable_length; }
    void set_byte_enable_length(const unsigned length) { m_byte_enable_length = length; }
    void set_dmi_allowed(bool allowed) { m_dmi = allowed; }
    bool is_dmi_allowed() const { return m_dmi; }
    tlm_gp_option get_gp_option() const { return m_option; }
    void set_gp_option(const tlm_gp_option option) { m_option = option; }

    /* --- extensions --- */
    template <class T> T *set_extension(T *extension) {
        return static_cast<T *>(set_extension(T::ID, extension));
    }
    tlm_extension_base *set_extension(unsigned index, tlm_extension_base *extension) {
        tlm_extension_base *old = m_extensions[index];
        m_extensions[index] = extension;
        return old;
    }
    template <class T> T *set_auto_extension(T *extension) {
        return static_cast<T *>(set_auto_extension(T::ID, extension));
    }
    tlm_extension_base *set_auto_extension(unsigned index, tlm_extension_base *extension) {
        if (!m_mm) __heddle_violation("a payload with automatic extensions has a memory manager");
        if (!m_extensions[index]) m_is_automatic[index] = true;
        return set_extension(index, extension);
    }
    template <class T> void get_extension(T *&extension) const { extension = get_extension<T>(); }
    template <class T> T *get_extension() const { return static_cast<T *>(get_extension(T::ID)); }
    tlm_extension_base *get_extension(unsigned index) const { return m_extensions[index]; }
    template <class T> void clear_extension(const T *) { clear_extension<T>(); }
    template <class T> void clear_extension() { m_extensions[T::ID] = nullptr; }
    template <class T> void release_extension(T *) { release_extension<T>(); }
    template <class T> void release_extension() {
        if (m_mm) {
            m_is_automatic[T::ID] = true;
            return;
        }
        m_extensions[T::ID]->free();
        m_extensions[T::ID] = nullptr;
    }
    void resize_extensions() {}

  private:
    void copy_extensions(const tlm_generic_payload &other) {
        for (unsigned k = 0; k < max_num_extensions(); k++) {
            if (!other.m_extensions[k]) continue;
            if (m_extensions[k]) {
                m_extensions[k]->copy_from(*other.m_extensions[k]);
                continue;
            }
            m_extensions[k] = other.m_extensions[k]->clone();
            m_is_automatic[k] = m_extensions[k] && m_mm;
        }
    }
    sc_dt::uint64 m_address = 0;
    tlm_command m_command = TLM_IGNORE_COMMAND;
    unsigned char *m_data = nullptr;
    unsigned m_length = 0;
    tlm_response_status m_response = TLM_INCOMPLETE_RESPONSE;
    bool m_dmi = false;
    unsigned char *m_byte_enable = nullptr;
    unsigned m_byte_enable_length = 0;
    unsigned m_streaming_width = 0;
    tlm_gp_option m_option = TLM_MIN_PAYLOAD;
    tlm_extension_base *m_extensions[HEDDLE_MOST_EXTENSIONS] = {};
    bool m_is_automatic[HEDDLE_MOST_EXTENSIONS] = {};
    tlm_mm_interface *m_mm = nullptr;
    unsigned m_references = 0;
};

} // namespace tlm

#endif
