/* Included first in every C++ program. Up to C++17 libstdc++ declares the members of std::string to be in its
 * binary, which nobody can look into: so they are instantiated in the program itself. */
#ifndef HEDDLE_CXX_TEMPLATES_H
#define HEDDLE_CXX_TEMPLATES_H

#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1
#endif

#endif
