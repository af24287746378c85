/* The same as <tlm>. */
#ifndef HEDDLE_TLM_H
#define HEDDLE_TLM_H

#include "tlm"

#endif
