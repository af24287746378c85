// expect: safe
// expect: unsafe -DBUG
//
// The address of a first member is the object's own: `place` moves on while `this` stays where it is. The queue
// is used by two threads under a lock; with BUG its end is forgotten when an element is put in front.

#include <cassert>
#include <mutex>
#include <thread>

struct element {
    element *next;
    int priority;
};

class queue {
    element *first = nullptr;
    element *last = nullptr;

  public:
    void put(element *e) {
        element **place = &first;
        while (*place && (*place)->priority <= e->priority) place = &(*place)->next;
        e->next = *place;
        *place = e;
#ifndef BUG
        if (!e->next) last = e;
#else
        if (!last) last = e;
#endif
    }
    bool is_ordered() const {
        return first->priority <= first->next->priority && !last->next && first->next == last;
    }
};

static std::mutex lock;
static queue q;
static element low{nullptr, 1}, high{nullptr, 2};

static void put(element *e) {
    std::lock_guard<std::mutex> hold(lock);
    q.put(e);
}

int main() {
    std::thread a(put, &low), b(put, &high);
    a.join();
    b.join();
    assert(q.is_ordered());
}
