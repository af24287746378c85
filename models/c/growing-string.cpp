// expect: safe
// expect: safe --std c++17
// expect: safe --std c++11
// expect: unsafe --std c++14 -DBUG
//
// A log that two threads write to. Up to C++17 the library keeps the members of std::string to itself.

#include <cassert>
#include <mutex>
#include <string>
#include <thread>

std::mutex guard;
std::string log_text = "begin";

void add(const char *what) {
#ifndef BUG
    std::lock_guard<std::mutex> held(guard);
#endif
    std::string longer = log_text;
    longer += " and then ";
    longer += what;
    log_text = longer;
}

int main() {
    std::thread one(add, "one"), two(add, "two");
    one.join();
    two.join();
    assert(log_text == "begin and then one and then two" || log_text == "begin and then two and then one");
}
