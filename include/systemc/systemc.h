/* The same as <systemc>, with all names at hand. */
#ifndef HEDDLE_SYSTEMC_H
#define HEDDLE_SYSTEMC_H

#include "systemc"

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <string>

using namespace sc_core;
#if __has_include("dt/sc_types.h")
using namespace sc_dt;
#endif
using std::cerr;
using std::cin;
using std::cout;
using std::dec;
using std::endl;
using std::flush;
using std::fstream;
using std::hex;
using std::ifstream;
using std::ios;
using std::iostream;
using std::istream;
using std::noshowbase;
using std::oct;
using std::ofstream;
using std::ostream;
using std::showbase;
using std::streambuf;
using std::streamsize;

#endif
