/* The list of Accellera's library, which is not part of SystemC but used by its examples. */
#ifndef HEDDLE_SYSTEMC_PLIST_H
#define HEDDLE_SYSTEMC_PLIST_H

#include <vector>

namespace sc_core {

template <class T> class sc_plist {
  public:
    bool empty() const { return m_list.empty(); }
    int size() const { return static_cast<int>(m_list.size()); }
    void push_back(T v) { m_list.push_back(v); }
    void push_front(T v) { m_list.insert(m_list.begin(), v); }
    T front() const { return m_list.front(); }
    T back() const { return m_list.back(); }
    T pop_front() { return heddle_remove(0); }
    T pop_back() { return heddle_remove(m_list.size() - 1); }
    void erase_all() { m_list.clear(); }
    T heddle_at(size_t k) const { return m_list[k]; }
    T heddle_remove(size_t k) {
        T v = m_list[k];
        m_list.erase(m_list.begin() + static_cast<long>(k));
        return v;
    }

  private:
    std::vector<T> m_list;
};

template <class T> class sc_plist_iter {
  public:
    sc_plist_iter(sc_plist<T> *list, bool from_tail = false)
        : m_list(list), m_at(from_tail ? static_cast<size_t>(list->size()) - 1 : 0) {}
    bool empty() const { return m_at >= static_cast<size_t>(m_list->size()); }
    T get() const { return m_list->heddle_at(m_at); }
    void operator++(int) { m_at++; }
    void operator--(int) { m_at--; }
    void remove() { m_list->heddle_remove(m_at); }

  private:
    sc_plist<T> *m_list;
    size_t m_at;
};

} // namespace sc_core

#endif
