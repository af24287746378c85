// expect: safe
// expect: unsafe -DUSE=1
// expect: unsafe -DUSE=2
// expect: unsafe -DUSE=3
// expect: unsafe -DUSE=4
// expect: unsafe -DUSE=5
// expect: unsafe -DUSE=6
// expect: unsafe -DUSE=7
// expect: safe -DUSE=8
// expect: safe -DUSE=9
// expect: safe -DUSE=10
// expect: unsafe -DUSE=11
// expect: unsafe --property reach:fail -DUSE=1
// expect: unsafe --property reach:fail -DUSE=3
// expect: safe --property reach:fail -DUSE=8
//
// Wrong uses of pointers: 1 reads a member of null, 2 writes one, 3 reads a deleted object, 4 calls a virtual
// function of one, 5 deletes twice, 6 deletes a static object, 7 walks past the end of an array and reads there. Not
// wrong: 8 the address of a member of a deleted object, which is not accessed; 9 to delete null. Another thread has
// deleted the object. The address of a member of null is not wrong either (10), but to read there is (11).

#include <cassert>
#include <symcpp.h>

#ifndef USE
#define USE 0
#endif

class Shape {
  public:
    int sides = 0;
    Shape *next = nullptr;

    explicit Shape(int sides) : sides(sides) {}
    virtual ~Shape() {}
    virtual int corners() const { return sides; }
};

class Circle : public Shape {
  public:
    Circle() : Shape(1) {}
    int corners() const override { return 0; }
};

Shape *nothing;
Shape *shape = new Circle;
Shape fixed(4);
int isDeleted;
int sum;

class Deleter : public Thread {
    void Run() override {
        delete shape;
        isDeleted = 1;
    }
};

class User : public Thread {
    void Run() override {
        await(&isDeleted);
#if USE == 1
        sum = nothing->sides;
#elif USE == 2
        nothing->sides = 3;
#elif USE == 3
        sum = shape->sides;
#elif USE == 4
        sum = shape->corners();
#elif USE == 5
        delete shape;
#elif USE == 6
        delete &fixed;
#elif USE == 7
        int numbers[4] = {1, 2, 3, 4};
        for (const int *p = numbers; p <= numbers + 4; p++) sum += *p;
#elif USE == 8
        int *address = &shape->sides;
        sum = address != nullptr;
#elif USE == 9
        delete nothing;
#elif USE == 10
        int *address = &nothing->sides;
        sum = address == nullptr;
#elif USE == 11
        int *address = &nothing->sides;
        sum = *address;
#endif
    }
};

Deleter deleter;
User user;

int main() {
    deleter.Start();
    user.Start();
}
