/* What can be done about a verdict that is unknown. */
#ifndef HEDDLE_REPORT_ADVICE_H
#define HEDDLE_REPORT_ADVICE_H

#include "report/report.h"

/* One sentence, a constant; NULL: nothing comes to mind. */
const char *advice_for(const report *r, const doubt *d);

#endif
