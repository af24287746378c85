/* Pictures (SVG) and a LaTeX table of an experiment. */
#ifndef HEDDLE_CLI_PLOTS_H
#define HEDDLE_CLI_PLOTS_H

#include "cli/matrix.h"
#include "cli/records.h"

/* NAME-quantile.svg: for each configuration, how many runs are decided within how many seconds.
 * NAME-scatter.svg: seconds of the first two configurations against each other. NAME-scaling.svg: seconds
 * over the first parameter, if there is one. NAME.tex: the median seconds of each program and configuration.
 * False: a message was printed. */
bool plots_write(const char *name, const matrix *m, const records *all);

#endif
