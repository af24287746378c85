/* Options of the models. The front end replaces these initialisers; the values here are those of a program
 * that asks for nothing. They are constants, so reading them is no operation that other threads could see. */
#include "intrinsics.h"

const unsigned __heddle_spurious_wakeup = 0;
const unsigned __heddle_thread_keys = 0;
const unsigned __heddle_throws = 0;
