/* SHA-256 (FIPS 180-4), for naming input files in results. */
#ifndef HEDDLE_BASE_SHA256_H
#define HEDDLE_BASE_SHA256_H

#include <stddef.h>

enum { SHA256_HEX = 65 }; /* 64 hexadecimal digits and the final 0 */

void sha256_hex(const void *bytes, size_t length, char out[SHA256_HEX]);

#endif
