/* Numbers of states behind every statement, against a count of its own: all configurations of a sensor and an
 * actuator that exclude each other by a semaphore, from lists of what each thread does at each
 * of its places. */
#include "asked.h"

#include "base/map.h"
#include "base/vec.h"

/* --- the count ------------------------------------------------------------------------------------------ */

typedef enum {
    OVER, /* the thread goes round, or has ended if it is main */
    NOTHING,
    RAISE, /* sem = 1 */
    START_SENSOR,
    START_ACTUATOR,
    BE_STARTED, /* waits for that, and does not come back here */
    AWAIT,      /* sem > 0, and sem = 0 */
    SENSE,      /* buf = any value */
    DRAW,       /* kept = any value */
    PUT_DRAWN,  /* buf = kept */
    ACT,        /* out = 2 * buf */
    READ,       /* kept = 2 * buf */
    PUT_READ    /* out = kept */
} action;

enum { MAIN, SENSOR, ACTUATOR, THREADS };

typedef struct reading {
    action code[THREADS][10];
    uint8_t head; /* of the loops: where those who are not main go round */
} reading;

typedef struct configuration {
    uint8_t at[THREADS], kept[THREADS];
    uint8_t started[THREADS];
    uint8_t sem, buf, out;
} configuration;

typedef VEC(configuration) configurations;

static uint64_t key_of(const configuration *c) {
    const uint8_t parts[] = {c->at[0], c->at[1],      c->at[2],      c->kept[1], c->kept[2],
                             c->sem,   c->started[1], c->started[2], c->buf,     c->out};
    uint64_t key = 0;
    for (size_t k = 0; k < sizeof parts; k++) {
        assert_true(parts[k] < 32);
        key = key << 5 | parts[k];
    }
    return key;
}

static bool is_enabled(const configuration *c, int thread, action what) {
    if (what == OVER) return false;
    if (what == BE_STARTED) return c->started[thread];
    return what != AWAIT || c->sem;
}

static configuration after(configuration c, int thread, action what, unsigned value) {
    switch (what) {
    case RAISE: c.sem = 1; break;
    case START_SENSOR: c.started[SENSOR] = 1; break;
    case START_ACTUATOR: c.started[ACTUATOR] = 1; break;
    case AWAIT: c.sem = 0; break;
    case SENSE: c.buf = (uint8_t)value; break;
    case DRAW: c.kept[thread] = (uint8_t)value; break;
    case ACT: c.out = (uint8_t)(2 * c.buf); break;
    case READ: c.kept[thread] = (uint8_t)(2 * c.buf); break;
    case PUT_DRAWN:
    case PUT_READ:
        if (what == PUT_DRAWN)
            c.buf = c.kept[thread];
        else
            c.out = c.kept[thread];
        c.kept[thread] = 0;
        break;
    default: break;
    }
    return c;
}

static uint8_t place_behind(const reading *r, int thread, uint8_t at) {
    bool round = thread != MAIN && r->code[thread][at + 1] == OVER;
    return round ? r->head : (uint8_t)(at + 1);
}

static uint64_t count_configurations(const reading *r, unsigned values) {
    map seen = {0};
    configurations all = {0};
    vec_push(&all, ((configuration){0}));
    map_put(&seen, key_of(&all.data[0]), 0);
    for (size_t k = 0; k < all.size; k++)
        for (int t = 0; t < THREADS; t++) {
            const configuration from = all.data[k];
            action what = r->code[t][from.at[t]];
            if (!is_enabled(&from, t, what)) continue;
            unsigned ways = what == SENSE || what == DRAW ? values : 1;
            for (unsigned value = 0; value < ways; value++) {
                configuration to = after(from, t, what, value);
                to.at[t] = place_behind(r, t, from.at[t]);
                if (map_get(&seen, key_of(&to)) != MAP_NONE) continue;
                map_put(&seen, key_of(&to), all.size);
                vec_push(&all, to);
            }
        }
    uint64_t count = all.size;
    vec_free(&all);
    map_free(&seen);
    return count;
}

/* --- how the program is read ---------------------------------------------------------------------------- */

/* One statement is one transition, a round has one jump, and an input is part of its assignment. */
static const reading one_jump_a_round = {{{RAISE, START_SENSOR, START_ACTUATOR},
                                          {BE_STARTED, AWAIT, SENSE, RAISE, NOTHING},
                                          {BE_STARTED, AWAIT, ACT, RAISE, NOTHING}},
                                         1};

/* The document's translation to the letter: each thread jumps to its function, a loop tests its condition and
 * jumps back, an input comes first into a variable of its own. */
static const reading to_the_letter = {{{NOTHING, RAISE, START_SENSOR, START_ACTUATOR},
                                       {BE_STARTED, NOTHING, NOTHING, AWAIT, DRAW, PUT_DRAWN, RAISE, NOTHING},
                                       {BE_STARTED, NOTHING, NOTHING, AWAIT, ACT, RAISE, NOTHING}},
                                      2};

/* Here: an endless loop has no jump, but the call of `await` is one place and to wait is another; so it is
 * with Start, except for the first, which nobody can disturb. */
static const reading statements_here = {{{RAISE, START_SENSOR, NOTHING, START_ACTUATOR},
                                         {BE_STARTED, AWAIT, SENSE, RAISE, NOTHING},
                                         {BE_STARTED, AWAIT, ACT, RAISE, NOTHING}},
                                        1};

/* The same, but an assignment is several operations. */
static const reading operations_here = {{{RAISE, START_SENSOR, NOTHING, START_ACTUATOR},
                                         {BE_STARTED, AWAIT, DRAW, PUT_DRAWN, RAISE, NOTHING},
                                         {BE_STARTED, AWAIT, READ, PUT_READ, RAISE, NOTHING}},
                                        1};

/* --- the program ---------------------------------------------------------------------------------------- */

static const char sensor_and_actuator[] =
    "#include <symcpp.h>\n"
    "int sem, buf, out;\n"
    "class Sensor : public Thread { void Run() override {\n"
    "    while (true) { await(&sem); buf = symcpp_nondet(0, VALUES - 1); sem = 1; } } };\n"
    "class Actuator : public Thread { void Run() override {\n"
    "    while (true) { await(&sem); out = 2 * buf; sem = 1; } } };\n"
    "Sensor sensor; Actuator actuator;\n"
    "int main() { MAIN }\n";

static uint64_t states_with(const char *values, const char *what_main_does, const char *atomicity) {
    return states_of(ASK("t.cpp", sensor_and_actuator, "stops", "statements", "match", "ceq", "define",
                         "SYMCPP_EXPLICIT", "sleep-spins", "off", "define", values, "define", what_main_does,
                         "atomicity", atomicity));
}

static void every_configuration_is_a_state(void **unused) {
    (void)unused;
    static const struct {
        const char *defined;
        unsigned values;
    } ranges[] = {{"VALUES=1", 1}, {"VALUES=2", 2}, {"VALUES=6", 6}};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const char *values = ranges[k].defined;
        /* static objects are made before main; an empty main has one place */
        uint64_t before_main = states_with(values, "MAIN=", "statements") - 1;
        static const char whole[] = "MAIN=sem = 1; sensor.Start(); actuator.Start();";
        assert_int_equal(states_with(values, whole, "statements") - before_main,
                         count_configurations(&statements_here, ranges[k].values));
        assert_int_equal(states_with(values, whole, "operations") - before_main,
                         count_configurations(&operations_here, ranges[k].values));
    }
}

/* What is between 428 and the number here is the place inside the second Start. */
static void places_make_the_difference(void **unused) {
    (void)unused;
    assert_int_equal(count_configurations(&one_jump_a_round, 6), 428);
    /* the sensor at its beginning, and at each of four places with each value */
    assert_int_equal(count_configurations(&statements_here, 6), 428 + 1 + 4 * 6);
    assert_int_equal(count_configurations(&to_the_letter, 6), 1531);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_configuration_is_a_state),
        cmocka_unit_test(places_make_the_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
