// dynamic_cast and handlers look at which bases are public, virtual or ambiguous.
// expect: safe
// expect: unsafe -DPRIVATE
// expect: unsafe -DAMBIGUOUS
// expect: unsafe -DCAUGHT
#include <cassert>

struct A {
    int a = 1;
    virtual ~A() {}
};
struct B {
    int b = 2;
    virtual ~B() {}
};
struct Both : A, B {};
struct Hidden : private A, public B { // A is nobody's business
    A *itself() { return this; }
};
struct Left : A {};
struct Right : A {};
struct Twice : Left, Right {}; // two of A
struct Inner : A {};
struct Outer : private Inner {
    A *itself() { return this; }
};
struct VLeft : virtual A {};
struct VRight : virtual A {};
struct Once : VLeft, VRight {}; // one of A
struct Mixed : Left, private Right {
    Right *right() { return this; }
};

template <class To, class From> bool casts(From *from) {
    return dynamic_cast<To *>(from) != nullptr;
}

template <class Error, class Wanted> bool caught() {
    try {
        throw Error();
    } catch (Wanted &) {
        return true;
    } catch (...) {
        return false;
    }
}

int main() {
    Both both;
    assert(casts<B>(static_cast<A *>(&both)) && casts<Both>(static_cast<B *>(&both)));
    assert(dynamic_cast<B *>(static_cast<A *>(&both))->b == 2);
    assert(dynamic_cast<void *>(static_cast<B *>(&both)) == &both);
    Hidden hidden;
    assert(!casts<B>(hidden.itself()));                   // from a private base
    assert(!casts<Hidden>(hidden.itself()));
    assert(!casts<A>(static_cast<B *>(&hidden)));         // to one
    Outer outer;
    assert(casts<Inner>(outer.itself()) && !casts<Outer>(outer.itself()));
    Twice twice;
    Left *left = &twice;
    assert(casts<Right>(left) && casts<Twice>(left));
    assert(!casts<B>(left));
    Once once;
    A *one = &once;
    assert(casts<Once>(one) && casts<VLeft>(one) && casts<VRight>(static_cast<VLeft *>(&once)));
    Mixed mixed;
    assert(!casts<Left>(mixed.right()) && !casts<Right>(static_cast<Left *>(&mixed)));
    assert((caught<Both, B>() && !caught<Hidden, A>() && caught<Hidden, B>()));
    assert((!caught<Twice, A>() && caught<Twice, Left>()));
    assert((!caught<Mixed, A>() && caught<Mixed, Left>() && !caught<Mixed, Right>()));
#ifdef PRIVATE
    assert(casts<B>(hidden.itself()));
#endif
#ifdef AMBIGUOUS
    assert((caught<Twice, A>()));
#endif
#ifdef CAUGHT
    assert((caught<Mixed, A>()));
#endif
}
