// expect: safe
// expect: unsafe -DBUG
// expect: safe --property reach:fail
// expect: unsafe --property reach:controller.state==1
// expect: safe --property reach:controller.state!=0&&controller.state!=1
//
// A controller polls two sensors, which live on the heap, through a pointer to the variable that answers. With BUG
// the sensors do not wait until they exist.
// Origin: Lettrari (2005), the sample of section 3.2, where the conditions of await are arbitrary; here they are
// semaphores.

#include <symcpp.h>

struct Sensor {
    int value = 0;
};

Sensor *s1, *s2;
int started, request, polled;
int *answer;

class Controller : public Thread {
  public:
    int state = 0;

    void Run() override {
        s1 = new Sensor;
        s2 = new Sensor;
        answer = &polled;
        started = 1;
        while (true) {
            request = 1;
            await(&polled);
            state = s1->value + s2->value > 10 ? 1 : 0;
        }
    }
};

class Sensors : public Thread {
    void Run() override {
#ifndef BUG
        await(&started);
#endif
        while (true) {
#ifndef BUG
            await(&request);
#endif
            s1->value = symcpp_nondet(0, 100);
            s2->value = symcpp_nondet(0, 100);
            *answer = 1;
        }
    }
};

Controller controller;
Sensors sensors;

int main() {
    controller.Start();
    sensors.Start();
}
