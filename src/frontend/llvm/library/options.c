/* Options of the models. The front end replaces these initialisers; the values here are those of a program
 * that asks for nothing. They are constants, so reading them is no operation that other threads could see. */
#include "intrinsics.h"

const unsigned __heddle_spurious_wakeup = 0;
const unsigned __heddle_thread_keys = 0;
const unsigned __heddle_throws = 0;
const unsigned __heddle_seeds = SEEDS_NONE;
const unsigned __heddle_few_rand_r = 0;
const unsigned __heddle_few_clocks = 0;
const unsigned __heddle_clocks = 0;
const unsigned __heddle_sc_catches = 0;
const unsigned __heddle_sc_catches_at_start = 0;
const unsigned __heddle_sc_has_rules = 0;
const unsigned __heddle_unwinds = 0;
const unsigned __heddle_check_misuse = 0;
const unsigned __heddle_writers_first = 0;
const unsigned __heddle_detaches = 0;
const unsigned __heddle_cores = 0;
const unsigned __heddle_nobody_catches = 0;
