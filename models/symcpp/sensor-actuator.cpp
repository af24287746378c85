// expect: unsafe --property reach:out==10
// expect: safe --property reach:out%2!=0
// expect: safe --property reach:out>2*HIGHEST
// expect: safe --property reach:sensing&&acting
// expect: unsafe --property reach:sensing&&acting -DBUG
//
// A sensor puts a value into a buffer, an actuator puts the double of it out, for ever; a semaphore excludes one from
// the other. With BUG the actuator does not wait for it.
// Origin: Lettrari (2005), section 3.1.2.

#include <symcpp.h>

#ifndef HIGHEST
#define HIGHEST 1000
#endif

int sem, buf, out;
bool sensing, acting;

class Sensor : public Thread {
    void Run() override {
        while (true) {
            await(&sem);
            sensing = true;
            buf = symcpp_nondet(0, HIGHEST);
            sensing = false;
            sem = 1;
        }
    }
};

class Actuator : public Thread {
    void Run() override {
        while (true) {
#ifndef BUG
            await(&sem);
#endif
            acting = true;
            out = 2 * buf;
            acting = false;
            sem = 1;
        }
    }
};

Sensor sensor;
Actuator actuator;

int main() {
    sem = 1;
    sensor.Start();
    actuator.Start();
}
