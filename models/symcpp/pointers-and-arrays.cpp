// expect: safe
// expect: unsafe -DBUG=1
// expect: unsafe -DBUG=2
//
// Pointers to pointers, arrays by index and by pointer, differences of pointers, arrays of objects, templates. A
// pointer may point one past the last element, where nothing is read. BUG=1 reads there, BUG=2 reads before the
// first.
// Origin of the first three: Lettrari (2005), section 3.1.1.

#include <cassert>
#include <symcpp.h>

#ifndef BUG
#define BUG 0
#endif

class C {
  public:
    int i = 0;
    C *n = nullptr;
};

static void pointToPointer() {
    C *c1 = new C, *c2 = new C;
    c1->n = c2;
    C **c3 = &c1->n;
    *c3 = c1;
    assert(c1->n == c1);
    delete c1;
    delete c2;
}

static int filled[100], empty[100];

static void sumByIndex() {
    int sum = 0;
    for (int j = 0; j < 100; j++) {
        filled[j] = j;
        sum = sum + filled[j];
    }
    assert(sum == 4950);
}

static void sumByPointer() {
    int sum = 0;
    int *p = &empty[0];
    for (int j = 0; j < 100; j++) {
        sum = sum + *p;
        p = p + 1;
    }
    assert(sum == 0);
    assert(p - empty == 100);
#if BUG == 1
    assert(*p == 0);
#endif
#if BUG == 2
    assert(empty[-1] == 0);
#endif
}

static void anyElement() {
    int i = symcpp_nondet(0, 99);
    assert(filled[i] == i);
    assert(*(filled + 99 - i) + i == 99);
}

template <class T> class Stack {
  public:
    explicit Stack(int capacity) : items(new T[capacity]), top(items) {}
    ~Stack() { delete[] items; }
    void push(const T &item) { *top++ = item; }
    T pop() { return *--top; }
    bool isEmpty() const { return top == items; }

  private:
    T *items;
    T *top;
};

static void reverseByStack() {
    Stack<int> numbers(4);
    Stack<C> objects(2);
    for (int i = 0; i < 4; i++) numbers.push(i);
    C c;
    c.i = 7;
    objects.push(c);
    for (int i = 3; i >= 0; i--) assert(numbers.pop() == i);
    assert(numbers.isEmpty() && objects.pop().i == 7);
}

int main() {
    pointToPointer();
    sumByIndex();
    sumByPointer();
    anyElement();
    reverseByStack();
}
