/* Vectors of modules, ports, channels and other objects of the hierarchy. */
#ifndef HEDDLE_SYSTEMC_VECTOR_H
#define HEDDLE_SYSTEMC_VECTOR_H

#include "module.h"

#include <cstddef>
#include <iterator>

namespace sc_core {

enum sc_vector_init_policy { SC_VECTOR_LOCK_AFTER_INIT, SC_VECTOR_LOCK_AFTER_ELABORATION };

namespace heddle {

/* How an element is seen: itself, or a member of it. */
template <class T> struct element_itself {
    typedef T type;
    T &operator()(T *e) const { return *e; }
};
template <class T, class M> struct element_member {
    typedef M type;
    M T::*member;
    M &operator()(T *e) const { return e->*member; }
};

template <class T, class SEE> class element_iterator {
  public:
    typedef std::random_access_iterator_tag iterator_category;
    typedef typename SEE::type value_type;
    typedef std::ptrdiff_t difference_type;
    typedef value_type *pointer;
    typedef value_type &reference;
    element_iterator() {}
    element_iterator(T *const *at, SEE see) : m_at(at), m_see(see) {}
    reference operator*() const { return m_see(*m_at); }
    pointer operator->() const { return &m_see(*m_at); }
    reference operator[](difference_type n) const { return m_see(m_at[n]); }
    element_iterator &operator++() { return *this += 1; }
    element_iterator &operator--() { return *this += -1; }
    element_iterator operator++(int) {
        element_iterator old = *this;
        ++*this;
        return old;
    }
    element_iterator operator--(int) {
        element_iterator old = *this;
        --*this;
        return old;
    }
    element_iterator &operator+=(difference_type n) {
        m_at += n;
        return *this;
    }
    element_iterator &operator-=(difference_type n) { return *this += -n; }
    element_iterator operator+(difference_type n) const { return element_iterator(m_at + n, m_see); }
    element_iterator operator-(difference_type n) const { return element_iterator(m_at - n, m_see); }
    difference_type operator-(const element_iterator &i) const { return m_at - i.m_at; }
    bool operator==(const element_iterator &i) const { return m_at == i.m_at; }
    bool operator!=(const element_iterator &i) const { return m_at != i.m_at; }
    bool operator<(const element_iterator &i) const { return m_at < i.m_at; }
    bool operator>(const element_iterator &i) const { return m_at > i.m_at; }
    bool operator<=(const element_iterator &i) const { return m_at <= i.m_at; }
    bool operator>=(const element_iterator &i) const { return m_at >= i.m_at; }

  private:
    T *const *m_at = nullptr;
    SEE m_see;
};

template <class INTO, class FROM> INTO bind_each(INTO from, INTO end, FROM to, FROM to_end) {
    for (; from != end && to != to_end; ++from, ++to) (*from)(*to);
    return from;
}

} // namespace heddle

class sc_vector_base : public sc_object {
  public:
    explicit sc_vector_base(const char *vector_name) : sc_object(vector_name) {}
    const char *kind() const override { return "sc_vector"; }
};

template <class T> class sc_vector : public sc_vector_base {
    typedef heddle::element_itself<T> itself;

  public:
    typedef T element_type;
    typedef std::size_t size_type;
    typedef heddle::element_iterator<T, itself> iterator;
    class const_iterator : public iterator {
      public:
        const_iterator() {}
        const_iterator(const iterator &i) : iterator(i) {}
        const T &operator*() const { return iterator::operator*(); }
        const T *operator->() const { return iterator::operator->(); }
    };

    sc_vector() : sc_vector_base(sc_gen_unique_name("vector")) {}
    explicit sc_vector(const char *vector_name) : sc_vector_base(vector_name) {}
    sc_vector(const char *vector_name, size_type n) : sc_vector_base(vector_name) { init(n); }
    template <class CREATOR>
    sc_vector(const char *vector_name, size_type n, CREATOR make) : sc_vector_base(vector_name) {
        init(n, make);
    }
    template <class CREATOR>
    sc_vector(const char *vector_name, size_type n, CREATOR make, sc_vector_init_policy)
        : sc_vector_base(vector_name) {
        init(n, make);
    }
    ~sc_vector() override {
        for (T *e : m_elements) delete e;
    }

    static T *create_element(const char *element_name, size_type) { return new T(element_name); }
    void init(size_type n) { init(n, create_element); }
    template <class CREATOR> void init(size_type n, CREATOR make) {
        if (!m_elements.empty()) HEDDLE_SC_ERROR(SC_ID_VECTOR_INIT_CALLED_TWICE_, "a vector is filled once");
        emplace_back_with_names(n, make);
    }
    void init(size_type n, sc_vector_init_policy) { init(n); }
    template <class CREATOR> void init(size_type n, CREATOR make, sc_vector_init_policy) { init(n, make); }

    size_type size() const { return m_elements.size(); }
    bool empty() const { return m_elements.empty(); }
    T &operator[](size_type k) { return *m_elements[checked(k)]; }
    const T &operator[](size_type k) const { return *m_elements[checked(k)]; }
    T &at(size_type k) { return *m_elements[checked(k)]; }
    const T &at(size_type k) const { return *m_elements[checked(k)]; }
    iterator begin() { return iterator(m_elements.data(), itself()); }
    iterator end() { return begin() + static_cast<std::ptrdiff_t>(size()); }
    const_iterator begin() const { return iterator(m_elements.data(), itself()); }
    const_iterator end() const { return iterator(m_elements.data() + size(), itself()); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    std::vector<sc_object *> get_elements() const {
        return std::vector<sc_object *>(m_elements.begin(), m_elements.end());
    }

    template <class CONTAINER> iterator bind(CONTAINER &c) { return bind(c.begin(), c.end()); }
    template <class FROM> iterator bind(FROM from, FROM end_of_it) { return bind(from, end_of_it, begin()); }
    template <class FROM> iterator bind(FROM from, FROM end_of_it, iterator at) {
        return heddle::bind_each(at, end(), from, end_of_it);
    }
    template <class CONTAINER> iterator operator()(CONTAINER &c) { return bind(c); }
    template <class FROM> iterator operator()(FROM from, FROM end_of_it) { return bind(from, end_of_it); }
    template <class FROM> iterator operator()(FROM from, FROM end_of_it, iterator at) {
        return bind(from, end_of_it, at);
    }
    T *const *heddle_data() const { return m_elements.data(); }

  private:
    template <class CREATOR> void emplace_back_with_names(size_type n, CREATOR &make) {
        for (size_type k = 0; k < n; k++) {
            std::string element_name = std::string(basename()) + "_" + std::to_string(k);
            m_elements.push_back(make(element_name.c_str(), k));
        }
    }
    size_type checked(size_type k) const {
        if (k >= m_elements.size()) HEDDLE_SC_ERROR(SC_ID_OUT_OF_BOUNDS_, "an index of a vector is in range");
        return k;
    }
    std::vector<T *> m_elements;
};

/* A vector of one member of each element. */
template <class T, class M> class sc_vector_assembly {
  public:
    typedef std::size_t size_type;
    typedef heddle::element_iterator<T, heddle::element_member<T, M>> iterator;
    typedef iterator const_iterator;
    sc_vector_assembly(sc_vector<T> &v, M T::*member) : m_vector(&v), m_see{member} {}
    size_type size() const { return m_vector->size(); }
    M &operator[](size_type k) const { return m_see(&(*m_vector)[k]); }
    M &at(size_type k) const { return (*this)[k]; }
    iterator begin() const { return iterator(m_vector->heddle_data(), m_see); }
    iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
    template <class CONTAINER> iterator bind(CONTAINER &c) { return bind(c.begin(), c.end()); }
    template <class FROM> iterator bind(FROM from, FROM end_of_it) {
        return heddle::bind_each(begin(), end(), from, end_of_it);
    }
    template <class CONTAINER> iterator operator()(CONTAINER &c) { return bind(c); }
    template <class FROM> iterator operator()(FROM from, FROM end_of_it) { return bind(from, end_of_it); }

  private:
    sc_vector<T> *m_vector;
    heddle::element_member<T, M> m_see;
};
template <class T, class M> sc_vector_assembly<T, M> sc_assemble_vector(sc_vector<T> &v, M T::*member) {
    return sc_vector_assembly<T, M>(v, member);
}

} // namespace sc_core

#endif
