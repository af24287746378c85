/* Repetition blocks <{n ... }>: the tokens between are written out n times, with '$' replaced by 0 .. n-1.
 *
 * This is the first of the document's two passes; it knows nothing of the grammar except what n may be. */
#ifndef HEDDLE_FRONTEND_DLANG_EXPAND_H
#define HEDDLE_FRONTEND_DLANG_EXPAND_H

#include "frontend/dlang/parse.h"

/* Reads the tokens of p (whose constants are known) and fills `out`, which ends with TOKEN_END;
 * false after reporting. */
bool dlang_expand(parser *p, token_list *out);

#endif
