/* A fixed sequence of pseudo-random values, the same in every program. */
#ifndef RANDOM_VALUES_H
#define RANDOM_VALUES_H

#include <cstdint>
#include <string>

struct random_values {
    std::uint64_t state;

    explicit random_values(std::uint64_t seed) : state(seed) {}

    std::uint32_t word() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return std::uint32_t(state >> 33);
    }
    int below(int n) { return int(word() % unsigned(n)); }

    /* Bits with long runs as well as mixed ones, so that carries and signs get their turn. */
    std::string bits(int n, const char *alphabet = "01") {
        int values = 0;
        while (alphabet[values] != 0) values++;
        std::string s;
        int mode = below(4);
        char run = alphabet[below(values)];
        for (int i = 0; i < n; i++) {
            if (mode == 0 || below(mode == 1 ? 3 : 20) == 0) run = alphabet[below(values)];
            s += run;
        }
        return s;
    }
    long long value64() {
        std::string s = bits(64);
        unsigned long long v = 0;
        for (char c : s) v = v << 1 | (c == '1');
        return (long long)(v) >> below(64);
    }
};

#endif
