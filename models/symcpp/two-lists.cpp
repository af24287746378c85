// expect: safe
// expect: safe --engine search --por none --stops statements
// expect: safe --engine search --por none --stops statements --heap typed
//
// Two lists of LENGTH elements, to which an element is appended in each round, to either one first. By places in
// memory there are 2^LENGTH states at the end, by type and number of the object there is one.
// Origin: Lettrari (2005), section 4.1.1.

#include <cassert>
#include <symcpp.h>

#ifndef LENGTH
#define LENGTH 8
#endif

class C {
  public:
    C *n = nullptr;
};

class D {
  public:
    D *n = nullptr;
};

C *c1, *c11;
D *d1, *d11;
int i;

template <class T> static void append(T *&first, T *&last) {
    T *element = new T;
    if (first)
        last->n = element;
    else
        first = element;
    last = element;
}

template <class T> static int length(const T *element) {
    int count = 0;
    for (; element; element = element->n) count++;
    return count;
}

int main() {
    while (i < LENGTH) {
        if (symcpp_nondet(0, 1)) {
            append(c1, c11);
            append(d1, d11);
        } else {
            append(d1, d11);
            append(c1, c11);
        }
        i = i + 1;
    }
    assert(length(c1) == LENGTH && length(d1) == LENGTH);
}
