// expect: safe
// expect: unsafe -DBUG
//
// Dispatch by the class of the object, through one base and through the second of two, and after a diamond with
// separate and with common bases; destructors in the right order. With BUG a destructor is not virtual.
// Origin of the first two: Lettrari (2005), section 3.1.1.

#include <cassert>

class A {
  public:
    int a = 0;
    virtual ~A() {}
    virtual int f() const { return a; }
};

class B : public A {
  public:
    int b = 1;
    int f() const override { return b; }
};

class C : public A {
  public:
    int c = 2;
    int f() const override { return c; }
};

static void callThroughBase() {
    B *b = new B;
    C *c = new C;
    A *a = b;
    int i = a->f();
    assert(i == 1);
    a = c;
    i = a->f();
    assert(i == 2);
    delete b;
    delete a;
}

class First {
  public:
    int first = 0;
    virtual ~First() {}
    int f() const { return first; }
};

class Second {
  public:
    int second = 1;
    virtual ~Second() {}
    int g() const { return second; }
    virtual int which() const { return 2; }
};

class Both : public First, public Second {
  public:
    int both = 2;
    int h() const { return both; }
    int which() const override { return both + first; }
};

static void inheritTwice() {
    Both *object = new Both;
    assert(object->f() + object->g() + object->h() == 3);
    Second *second = object;
    object->first = 40;
    assert(second->which() == 42);
    assert(static_cast<Both *>(second) == object);
    assert(static_cast<void *>(second) != static_cast<void *>(static_cast<First *>(object)));
    delete second;
}

class Left : public A {};
class Right : public A {};
class Separate : public Left, public Right {};
class CommonLeft : public virtual A {};
class CommonRight : public virtual A {};
class Common : public CommonLeft, public CommonRight {};

static void diamonds() {
    Separate separate;
    static_cast<Left &>(separate).a = 5;
    assert(static_cast<Right &>(separate).a == 0);
    Common common;
    static_cast<CommonLeft &>(common).a = 5;
    assert(static_cast<CommonRight &>(common).f() == 5);
}

static int destroyed; // digits of those who were, in this order

class Base {
  public:
#ifdef BUG
    ~Base() {
#else
    virtual ~Base() {
#endif
        destroyed = 10 * destroyed + 1;
    }
};

class Member {
  public:
    ~Member() { destroyed = 10 * destroyed + 2; }
};

class Derived : public Base {
    Member member;

  public:
    ~Derived() { destroyed = 10 * destroyed + 3; }
};

static void destroyInOrder() {
    Base *object = new Derived;
    delete object;
    assert(destroyed == 321);
}

int main() {
    callThroughBase();
    inheritTwice();
    diamonds();
    destroyInOrder();
}
