// expect: safe
// expect: safe -DDELETED
// expect: safe --engine search --por none --stops statements --heap typed
// expect: safe --engine search --por none --stops statements --heap typed -DDELETED
// expect: safe --engine search --por none --stops statements --heap none -DDELETED
//
// Objects that are allocated in one order or the other. The states behind are the same up to the places in memory;
// placing objects by their type is enough to see it. With DELETED one object was allocated and deleted before on one
// of the paths: then the other one has another place of the same type, and only states that are compared up to a
// renaming of places are the same.
// Origin: Lettrari (2005), section 4.1.1.

#include <cassert>
#include <symcpp.h>

class C {
  public:
    int x = 0;
};

class D {
  public:
    int x = 0;
};

C *c1, *c2;
D *d1;

void allocateInSomeOrder() {
    if (symcpp_nondet(0, 1)) {
        c1 = new C;
        c1->x = 1;
        d1 = new D;
        d1->x = 2;
    } else {
        d1 = new D;
        d1->x = 2;
        c1 = new C;
        c1->x = 1;
    }
    assert(c1->x == 1 && d1->x == 2);
}

void allocateAndDelete() {
    if (symcpp_nondet(0, 1)) {
        c1 = new C;
        c2 = new C;
        delete c1;
        c1 = nullptr;
    } else {
        c2 = new C;
    }
    assert(!c1 && c2->x == 0);
}

int main() {
#ifdef DELETED
    allocateAndDelete();
#else
    allocateInSomeOrder();
#endif
}
