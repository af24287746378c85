/* Streams of char for verification, in place of the library's (<iostream>, <sstream>, <iomanip>, <fstream>).
 *
 * What goes to a string stream is formatted; what goes to cout is told to whoever shows an execution (see
 * heddle_print.h), which no other process sees; what goes to cerr, clog or a file is evaluated and forgotten.
 * Reading from a string stream works on words and numbers; what comes from cin or a file is not modelled. */
#ifndef HEDDLE_STREAMS_H
#define HEDDLE_STREAMS_H

#define _GLIBCXX_IOS       1
#define _GLIBCXX_OSTREAM   1
#define _GLIBCXX_ISTREAM   1
#define _GLIBCXX_IOSTREAM  1
#define _GLIBCXX_IOMANIP   1
#define _GLIBCXX_SSTREAM   1
#define _GLIBCXX_FSTREAM   1
#define _GLIBXX_STREAMBUF  1
#define _GLIBCXX_STREAMBUF 1

/* What the library's own streams bring along. */
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <ext/atomicity.h>
#include <iosfwd>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <typeinfo>

#include "heddle_print.h"

extern "C" [[noreturn]] void __heddle_unsupported(const char *what);

namespace std {

class ios_base {
  public:
    typedef unsigned fmtflags;
    static constexpr fmtflags dec = 1, oct = 2, hex = 4, basefield = 7, showbase = 8, uppercase = 16,
                              boolalpha = 32, left = 64, right = 128, internal = 256, adjustfield = 448,
                              showpos = 512, fixed = 1024, scientific = 2048, floatfield = 3072,
                              showpoint = 4096, skipws = 8192, unitbuf = 16384;
    typedef unsigned iostate;
    static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
    typedef unsigned openmode;
    static constexpr openmode in = 1, out = 2, app = 4, trunc = 8, ate = 16, binary = 32;
    typedef int seekdir;
    static constexpr seekdir beg = 0, cur = 1, end = 2;
    class failure : public exception {};
    class Init {};

    fmtflags flags() const { return m_flags; }
    fmtflags flags(fmtflags f) {
        tell_flags(f, ~0u);
        return swap(m_flags, f);
    }
    fmtflags setf(fmtflags f) {
        tell_flags(f, 0);
        return swap(m_flags, m_flags | f);
    }
    fmtflags setf(fmtflags f, fmtflags mask) {
        tell_flags(f & mask, mask);
        return swap(m_flags, (m_flags & ~mask) | (f & mask));
    }
    void unsetf(fmtflags f) {
        tell_flags(0, f);
        m_flags &= ~f;
    }
    streamsize width() const { return m_width; }
    streamsize width(streamsize w) {
        tell(heddle_print::WIDTH, w);
        return swap(m_width, w);
    }
    streamsize precision() const { return m_precision; }
    streamsize precision(streamsize p) {
        tell(heddle_print::PRECISION, p);
        return swap(m_precision, p);
    }
    bool heddle_is_shown() const { return m_shown; }
    /* For manipulators: streams that are shown do not keep it. */
    void heddle_change(fmtflags on, fmtflags off) {
        if (m_shown)
            tell_flags(on, off);
        else
            m_flags = (m_flags & ~off) | on;
    }
    void tell(heddle_print::setting what, long long n) {
        if (m_shown) __heddle_print(heddle_print::SETTING, what, n);
    }
    void tell_flags(fmtflags on, fmtflags off) {
        if (off) tell(heddle_print::CLEAR_FLAGS, off);
        if (on) tell(heddle_print::SET_FLAGS, on);
    }
    static bool sync_with_stdio(bool = true) { return true; }
    virtual ~ios_base() {}

  protected:
    template <class T> static T swap(T &a, T b) {
        T old = a;
        a = b;
        return old;
    }
    bool m_shown = false;
    fmtflags m_flags = dec | skipws;
    streamsize m_width = 0, m_precision = 6;
};

template <> class basic_ios<char, char_traits<char>> : public ios_base {
  public:
    bool good() const { return m_state == goodbit; }
    bool eof() const { return m_state & eofbit; }
    bool fail() const { return m_state & (failbit | badbit); }
    bool bad() const { return m_state & badbit; }
    explicit operator bool() const { return !fail(); }
    bool operator!() const { return fail(); }
    iostate rdstate() const { return m_state; }
    void clear(iostate s = goodbit) { m_state = s; }
    void setstate(iostate s) { m_state |= s; }
    char fill() const { return m_fill; }
    char fill(char c) {
        tell(heddle_print::FILL, c);
        return swap(m_fill, c);
    }
    void exceptions(iostate) {}
    void copyfmt(const basic_ios &from) {
        m_flags = from.m_flags;
        m_fill = from.m_fill;
        m_precision = from.m_precision;
    }
    basic_ostream<char> *tie() const { return nullptr; }
    basic_ostream<char> *tie(basic_ostream<char> *) { return nullptr; }

  protected:
    iostate m_state = goodbit;
    char m_fill = ' ';
};

template <> class basic_ostream<char, char_traits<char>> : virtual public basic_ios<char> {
  public:
    typedef char char_type;
    typedef char_traits<char> traits_type;
    basic_ostream() {}
    explicit basic_ostream(basic_streambuf<char> *) {}
    struct heddle_shown {};
    explicit basic_ostream(heddle_shown) { m_shown = true; }

    basic_ostream &operator<<(bool v) {
        if (m_shown) __heddle_print(heddle_print::BOOL, v);
        if (!m_text) return *this;
        return m_flags & boolalpha ? padded(v ? "true" : "false", v ? 4 : 5) : number(v, false);
    }
    basic_ostream &operator<<(short v) { return signed_number(v, static_cast<unsigned short>(v)); }
    basic_ostream &operator<<(unsigned short v) { return number(v, false); }
    basic_ostream &operator<<(int v) { return signed_number(v, static_cast<unsigned>(v)); }
    basic_ostream &operator<<(unsigned v) { return number(v, false); }
    basic_ostream &operator<<(long v) { return signed_number(v, static_cast<unsigned long>(v)); }
    basic_ostream &operator<<(unsigned long v) { return number(v, false); }
    basic_ostream &operator<<(long long v) { return signed_number(v, static_cast<unsigned long long>(v)); }
    basic_ostream &operator<<(unsigned long long v) { return number(v, false); }
    basic_ostream &operator<<(double v) { return floating(v); }
    basic_ostream &operator<<(float v) { return floating(v); }
    basic_ostream &operator<<(long double v) { return floating(static_cast<double>(v)); }
    basic_ostream &operator<<(const void *) {
        if (m_text) __heddle_unsupported("an address that is written as text");
        return *this;
    }
    basic_ostream &operator<<(nullptr_t) { return heddle_write("nullptr", 7); }
    basic_ostream &operator<<(basic_ostream &(*f)(basic_ostream &)) { return f(*this); }
    basic_ostream &operator<<(basic_ios<char> &(*f)(basic_ios<char> &)) {
        if (m_text || m_shown) f(*this);
        return *this;
    }
    basic_ostream &operator<<(ios_base &(*f)(ios_base &)) {
        if (m_text || m_shown) f(*this);
        return *this;
    }
    basic_ostream &put(char c) { return heddle_write(&c, 1); }
    basic_ostream &write(const char *s, streamsize n) { return heddle_write(s, static_cast<size_t>(n)); }
    basic_ostream &flush() { return *this; }
    streamoff tellp() { return m_text ? static_cast<streamoff>(m_text->size()) : 0; }

    /* Of everything that is shown as a word. */
    basic_ostream &padded(const char *s, size_t n) {
        if (m_shown) __heddle_print(heddle_print::WORD, s, n);
        if (!m_text) return *this;
        size_t wanted = m_width > 0 ? static_cast<size_t>(m_width) : 0, missing = wanted > n ? wanted - n : 0;
        m_width = 0;
        bool on_the_left = !(m_flags & left);
        if (on_the_left) m_text->append(missing, m_fill);
        m_text->append(s, n);
        if (!on_the_left) m_text->append(missing, m_fill);
        return *this;
    }
    bool heddle_is_read() const { return m_text; }

  protected:
    basic_ostream &heddle_write(const char *s, size_t n) {
        if (m_text) m_text->append(s, n);
        if (m_shown) __heddle_print(heddle_print::RAW, s, n);
        return *this;
    }
    string *m_text = nullptr; /* NULL: nobody reads it */

  private:
    basic_ostream &signed_number(long long v, unsigned long long as_unsigned) {
        if (m_shown) {
            __heddle_print(heddle_print::SIGNED, v, as_unsigned);
            return *this;
        }
        if (v < 0 && !(m_flags & (hex | oct))) return number(-static_cast<unsigned long long>(v), true);
        return number(as_unsigned, false);
    }
    basic_ostream &number(unsigned long long v, bool negative) {
        if (m_shown) __heddle_print(heddle_print::UNSIGNED, v);
        if (!m_text) return *this;
        const char *digits = m_flags & uppercase ? "0123456789ABCDEF" : "0123456789abcdef";
        unsigned base = m_flags & hex ? 16 : m_flags & oct ? 8 : 10;
        char text[32];
        size_t at = sizeof text;
        bool zero = v == 0;
        do {
            text[--at] = digits[v % base];
            v /= base;
        } while (v);
        if (m_flags & showbase && !zero && base == 16) {
            text[--at] = m_flags & uppercase ? 'X' : 'x';
            text[--at] = '0';
        }
        if (m_flags & showbase && !zero && base == 8) text[--at] = '0';
        if (negative)
            text[--at] = '-';
        else if (m_flags & showpos && base == 10)
            text[--at] = '+';
        return padded(text + at, sizeof text - at);
    }
    basic_ostream &floating(double v) {
        if (m_shown) __heddle_print(heddle_print::FLOATING, v);
        if (!m_text) return *this;
        bool negative = v < 0;
        if (negative) v = -v;
        if (m_flags & scientific || v >= 1e15) __heddle_unsupported("a large or scientific number as text");
        unsigned long long whole = static_cast<unsigned long long>(v);
        double rest = v - static_cast<double>(whole);
        unsigned long long scale = 1;
        streamsize places = m_precision;
        if (!(m_flags & fixed)) { /* significant digits */
            for (unsigned long long w = whole; w && places > 0; w /= 10) places--;
        }
        for (streamsize k = 0; k < places; k++) scale *= 10;
        unsigned long long fraction =
            static_cast<unsigned long long>(rest * static_cast<double>(scale) + 0.5);
        if (fraction >= scale) {
            fraction -= scale;
            whole++;
        }
        string digits;
        for (streamsize k = 0; k < places; k++, fraction /= 10)
            digits.insert(digits.begin(), static_cast<char>('0' + fraction % 10));
        if (!(m_flags & (fixed | showpoint)))
            while (!digits.empty() && digits.back() == '0') digits.pop_back();
        string out = (negative ? "-" : "") + to_string(whole) + (digits.empty() ? "" : "." + digits);
        return padded(out.data(), out.size());
    }
};

inline ostream &operator<<(ostream &os, char c) {
    if (!os.heddle_is_shown()) return os.padded(&c, 1);
    __heddle_print(heddle_print::CHARACTER, c);
    return os;
}
inline ostream &operator<<(ostream &os, signed char c) {
    return os << static_cast<char>(c);
}
inline ostream &operator<<(ostream &os, unsigned char c) {
    return os << static_cast<char>(c);
}
inline ostream &operator<<(ostream &os, const char *s) {
    if (os.heddle_is_shown()) __heddle_print(heddle_print::STRING, s);
    return os.heddle_is_read() ? os.padded(s, char_traits<char>::length(s)) : os;
}
inline ostream &operator<<(ostream &os, const signed char *s) {
    return os << reinterpret_cast<const char *>(s);
}
inline ostream &operator<<(ostream &os, const unsigned char *s) {
    return os << reinterpret_cast<const char *>(s);
}
inline ostream &operator<<(ostream &os, const string &s) {
    return os.padded(s.data(), s.size());
}
inline ostream &operator<<(ostream &os, string_view s) {
    return os.padded(s.data(), s.size());
}
inline ostream &endl(ostream &os) {
    return os.put('\n');
}
inline ostream &ends(ostream &os) {
    return os.put('\0');
}
inline ostream &flush(ostream &os) {
    return os;
}

template <> class basic_istream<char, char_traits<char>> : virtual public basic_ios<char> {
  public:
    typedef char char_type;
    typedef char_traits<char> traits_type;
    basic_istream() {}
    explicit basic_istream(basic_streambuf<char> *) {}
    int get() { return next(); }
    basic_istream &get(char &c) {
        int n = next();
        if (n >= 0) c = static_cast<char>(n);
        return *this;
    }
    int peek() {
        known();
        return m_at < m_from->size() ? static_cast<unsigned char>((*m_from)[m_at]) : -1;
    }
    basic_istream &ignore(streamsize n = 1, int until = -1) {
        for (streamsize k = 0; k < n; k++)
            if (next() == until) break;
        return *this;
    }
    basic_istream &operator>>(string &word) {
        word.clear();
        skip();
        for (int c = peek(); c >= 0 && !is_space(c); c = peek()) word.push_back(static_cast<char>(next()));
        if (word.empty()) m_state |= failbit;
        return *this;
    }
    basic_istream &operator>>(char &c) {
        skip();
        return get(c);
    }
    basic_istream &operator>>(int &v) { return number(v); }
    basic_istream &operator>>(unsigned &v) { return number(v); }
    basic_istream &operator>>(short &v) { return number(v); }
    basic_istream &operator>>(unsigned short &v) { return number(v); }
    basic_istream &operator>>(long &v) { return number(v); }
    basic_istream &operator>>(unsigned long &v) { return number(v); }
    basic_istream &operator>>(long long &v) { return number(v); }
    basic_istream &operator>>(unsigned long long &v) { return number(v); }
    basic_istream &operator>>(bool &v) { return number(v); }
    basic_istream &operator>>(double &) { __heddle_unsupported("a floating-point number that is read"); }
    basic_istream &operator>>(float &) { __heddle_unsupported("a floating-point number that is read"); }
    basic_istream &operator>>(ios_base &(*f)(ios_base &)) {
        f(*this);
        return *this;
    }
    basic_istream &operator>>(basic_istream &(*f)(basic_istream &)) { return f(*this); }
    int next() {
        int c = peek();
        if (c >= 0)
            m_at++;
        else
            m_state |= eofbit | failbit;
        return c;
    }
    void skip() {
        for (int c = peek(); c >= 0 && is_space(c); c = peek()) m_at++;
    }

  protected:
    string *m_from = nullptr; /* NULL: comes from outside */
    size_t m_at = 0;

  private:
    static bool is_space(int c) { return c == ' ' || (c >= 9 && c <= 13); }
    void known() const {
        if (!m_from) __heddle_unsupported("input that is read from a stream");
    }
    template <class T> basic_istream &number(T &out) {
        skip();
        bool negative = false, some = false;
        if (peek() == '-' || peek() == '+') negative = next() == '-';
        T v = 0;
        for (int c = peek(); c >= '0' && c <= '9'; c = peek()) {
            v = static_cast<T>(v * 10 + (c - '0'));
            m_at++;
            some = true;
        }
        if (peek() < 0) m_state |= eofbit;
        if (some)
            out = negative ? static_cast<T>(-v) : v;
        else
            m_state |= failbit;
        return *this;
    }
};

inline istream &getline(istream &is, string &line, char end = '\n') {
    line.clear();
    int c = is.next();
    if (c < 0) return is;
    for (; c >= 0 && c != end; c = is.peek() < 0 ? -1 : is.next()) line.push_back(static_cast<char>(c));
    return is;
}
inline istream &ws(istream &is) {
    is.skip();
    return is;
}

template <>
class basic_iostream<char, char_traits<char>> : public basic_istream<char>, public basic_ostream<char> {};

template <> class basic_streambuf<char, char_traits<char>> {
  public:
    virtual ~basic_streambuf() {}
};

template <> class basic_ostringstream<char, char_traits<char>, allocator<char>> : public basic_ostream<char> {
  public:
    basic_ostringstream() { m_text = &m_kept; }
    explicit basic_ostringstream(openmode) { m_text = &m_kept; }
    explicit basic_ostringstream(const string &s, openmode = out) {
        m_text = &m_kept;
        str(s);
    }
    string str() const { return m_kept; }
    void str(const string &s) { m_kept = s; }

  private:
    string m_kept;
};

template <> class basic_istringstream<char, char_traits<char>, allocator<char>> : public basic_istream<char> {
  public:
    basic_istringstream() { m_from = &m_kept; }
    explicit basic_istringstream(const string &s, openmode = in) : m_kept(s) { m_from = &m_kept; }
    string str() const { return m_kept; }
    void str(const string &s) {
        m_kept = s;
        m_at = 0;
    }

  private:
    string m_kept;
};

template <> class basic_stringstream<char, char_traits<char>, allocator<char>> : public basic_iostream<char> {
  public:
    basic_stringstream() { m_text = m_from = &m_kept; }
    explicit basic_stringstream(const string &s, openmode = in | out) : m_kept(s) {
        m_text = m_from = &m_kept;
    }
    string str() const { return m_kept; }
    void str(const string &s) {
        m_kept = s;
        m_at = 0;
    }

  private:
    string m_kept;
};

template <> class basic_ofstream<char, char_traits<char>> : public basic_ostream<char> {
  public:
    basic_ofstream() {}
    explicit basic_ofstream(const char *, openmode = out) : m_open(true) {}
    explicit basic_ofstream(const string &, openmode = out) : m_open(true) {}
    void open(const char *, openmode = out) { m_open = true; }
    void open(const string &, openmode = out) { m_open = true; }
    bool is_open() const { return m_open; }
    void close() { m_open = false; }

  private:
    bool m_open = false;
};

template <> class basic_ifstream<char, char_traits<char>> : public basic_istream<char> {
  public:
    basic_ifstream() {}
    explicit basic_ifstream(const char *, openmode = in) { refuse(); }
    explicit basic_ifstream(const string &, openmode = in) { refuse(); }
    void open(const char *, openmode = in) { refuse(); }
    void open(const string &, openmode = in) { refuse(); }
    bool is_open() const { return false; }
    void close() {}

  private:
    [[noreturn]] static void refuse() { __heddle_unsupported("a file that is read"); }
};

template <> class basic_fstream<char, char_traits<char>> : public basic_iostream<char> {
  public:
    basic_fstream() {}
    explicit basic_fstream(const char *, openmode = in | out) { __heddle_unsupported("a file that is read"); }
    explicit basic_fstream(const string &, openmode = in | out) {
        __heddle_unsupported("a file that is read");
    }
    void open(const char *, openmode = in | out) { __heddle_unsupported("a file that is read"); }
    bool is_open() const { return false; }
    void close() {}
};

inline ostream cout(ostream::heddle_shown{});
inline ostream cerr, clog;
inline istream cin;

/* --- manipulators --------------------------------------------------------------------------------------- */

// clang-format off
inline ios_base &dec(ios_base &b) { b.heddle_change(ios_base::dec, ios_base::basefield); return b; }
inline ios_base &hex(ios_base &b) { b.heddle_change(ios_base::hex, ios_base::basefield); return b; }
inline ios_base &oct(ios_base &b) { b.heddle_change(ios_base::oct, ios_base::basefield); return b; }
inline ios_base &left(ios_base &b) { b.heddle_change(ios_base::left, ios_base::adjustfield); return b; }
inline ios_base &right(ios_base &b) { b.heddle_change(ios_base::right, ios_base::adjustfield); return b; }
inline ios_base &internal(ios_base &b) { b.heddle_change(ios_base::internal, ios_base::adjustfield); return b; }
inline ios_base &fixed(ios_base &b) { b.heddle_change(ios_base::fixed, ios_base::floatfield); return b; }
inline ios_base &scientific(ios_base &b) { b.heddle_change(ios_base::scientific, ios_base::floatfield); return b; }
inline ios_base &showbase(ios_base &b) { b.heddle_change(ios_base::showbase, 0); return b; }
inline ios_base &noshowbase(ios_base &b) { b.heddle_change(0, ios_base::showbase); return b; }
inline ios_base &showpos(ios_base &b) { b.heddle_change(ios_base::showpos, 0); return b; }
inline ios_base &noshowpos(ios_base &b) { b.heddle_change(0, ios_base::showpos); return b; }
inline ios_base &boolalpha(ios_base &b) { b.heddle_change(ios_base::boolalpha, 0); return b; }
inline ios_base &noboolalpha(ios_base &b) { b.heddle_change(0, ios_base::boolalpha); return b; }
inline ios_base &uppercase(ios_base &b) { b.heddle_change(ios_base::uppercase, 0); return b; }
inline ios_base &nouppercase(ios_base &b) { b.heddle_change(0, ios_base::uppercase); return b; }
inline ios_base &unitbuf(ios_base &b) { return b; }
inline ios_base &skipws(ios_base &b) { return b; }

struct heddle_setw { int n; };
struct heddle_setfill { char c; };
struct heddle_setprecision { int n; };
struct heddle_setbase { int n; };
struct heddle_setflags { ios_base::fmtflags on, off; };
inline heddle_setw setw(int n) { return {n}; }
inline heddle_setfill setfill(char c) { return {c}; }
inline heddle_setprecision setprecision(int n) { return {n}; }
inline heddle_setbase setbase(int n) { return {n}; }
inline heddle_setflags setiosflags(ios_base::fmtflags f) { return {f, 0}; }
inline heddle_setflags resetiosflags(ios_base::fmtflags f) { return {0, f}; }
/* Streams that nobody reads keep no format: their manipulators write nothing that processes would share. */
inline ostream &operator<<(ostream &os, heddle_setw m) {
    if (os.heddle_is_read()) os.width(m.n); else os.tell(heddle_print::WIDTH, m.n);
    return os;
}
inline ostream &operator<<(ostream &os, heddle_setfill m) {
    if (os.heddle_is_read()) os.fill(m.c); else os.tell(heddle_print::FILL, m.c);
    return os;
}
inline ostream &operator<<(ostream &os, heddle_setprecision m) {
    if (os.heddle_is_read()) os.precision(m.n); else os.tell(heddle_print::PRECISION, m.n);
    return os;
}
inline ostream &operator<<(ostream &os, heddle_setbase m) {
    ios_base::fmtflags base = m.n == 16 ? ios_base::hex : m.n == 8 ? ios_base::oct : ios_base::dec;
    if (os.heddle_is_read()) os.setf(base, ios_base::basefield);
    else os.tell_flags(base, ios_base::basefield);
    return os;
}
inline ostream &operator<<(ostream &os, heddle_setflags m) {
    if (os.heddle_is_read()) { os.unsetf(m.off); os.setf(m.on); }
    else os.tell_flags(m.on, m.off);
    return os;
}
// clang-format on

} // namespace std

#endif
