/* The data types of SystemC (IEEE 1666-2011, clause 7) without fixed-point numbers:
 *
 *   sc_int.h      sc_int, sc_uint        up to 64 bits, arithmetic of int64 and uint64
 *   sc_bigint.h   sc_bigint, sc_biguint  any length, exact arithmetic (sc_wide.h)
 *                 sc_signed, sc_unsigned
 *   sc_concat.h   (a, b)                 concatenations of numbers
 *   sc_logic.h    sc_logic, sc_bit       one bit
 *   sc_bv_lv.h    sc_bv, sc_lv           vectors (sc_vector.h, sc_vec_words.h), and their concatenations
 *
 * Everything is defined in sc_dt::implementation, where operators are found by their operands; sc_dt has
 * only the names that IEEE 1666 and its users know, so that `using namespace sc_dt` brings no others.
 *
 * Whoever includes this defines sc_dt_violation and sc_dt_unsupported (sc_common.h). */
#ifndef HEDDLE_SYSTEMC_DT_SC_TYPES_H
#define HEDDLE_SYSTEMC_DT_SC_TYPES_H

#include "sc_bigint.h"
#include "sc_bv_lv.h"
#include "sc_concat.h"
#include "sc_int.h"
#include "sc_logic.h"

namespace sc_dt {

using implementation::and_reduce;
using implementation::concat;
using implementation::int64;
using implementation::int_type;
using implementation::Log_0;
using implementation::Log_1;
using implementation::Log_X;
using implementation::Log_Z;
using implementation::lrotate;
using implementation::nand_reduce;
using implementation::nor_reduce;
using implementation::or_reduce;
using implementation::reverse;
using implementation::rrotate;
using implementation::sc_abs;
using implementation::sc_bigint;
using implementation::sc_biguint;
using implementation::SC_BIN;
using implementation::SC_BIN_SM;
using implementation::SC_BIN_US;
using implementation::sc_bit;
using implementation::sc_bv;
using implementation::sc_bv_base;
using implementation::SC_CSD;
using implementation::SC_DEC;
using implementation::sc_digit;
using implementation::SC_HEX;
using implementation::SC_HEX_SM;
using implementation::SC_HEX_US;
using implementation::sc_int;
using implementation::sc_int_base;
using implementation::sc_logic;
using implementation::SC_LOGIC_0;
using implementation::sc_logic_0;
using implementation::SC_LOGIC_1;
using implementation::sc_logic_1;
using implementation::sc_logic_value_t;
using implementation::SC_LOGIC_X;
using implementation::sc_logic_X;
using implementation::SC_LOGIC_Z;
using implementation::sc_logic_Z;
using implementation::sc_lv;
using implementation::sc_lv_base;
using implementation::sc_max;
using implementation::sc_min;
using implementation::SC_NOBASE;
using implementation::sc_numrep;
using implementation::SC_OCT;
using implementation::SC_OCT_SM;
using implementation::SC_OCT_US;
using implementation::sc_signed;
using implementation::sc_uint;
using implementation::sc_uint_base;
using implementation::sc_unsigned;
using implementation::to_string;
using implementation::uint64;
using implementation::uint_type;
using implementation::xnor_reduce;
using implementation::xor_reduce;

} // namespace sc_dt

#endif
