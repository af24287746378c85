/* The whole abstract graph at one precision, and how far it is to a violation in it.
 *
 * Nothing is refined and nothing is left out: an abstract violation is a goal, and exploration goes on beside
 * it. What is kept of the data is found out by looking at steps: of the first survey it is control alone; the
 * next one also keeps what the conditions of its goals are about, the one after that what these depend on,
 * and so on.
 *
 * Promises: a distance is never more than the number of steps (with the stops of the search) in which any
 * state that the asked-for one stands for can violate something, and SURVEY_NEVER is only said if it never
 * can. A survey that was not finished knows less, but what it says is right. It changes nothing in the
 * machine but names and counts of statistics. */
#ifndef HEDDLE_CEGAR_SURVEY_H
#define HEDDLE_CEGAR_SURVEY_H

#include "explore/explore.h"

typedef struct survey survey;

#define SURVEY_NEVER UINT32_MAX /* no violation, and no limit, can be reached */
/* No violation of what is asked about can be reached, but something else that counts. */
#define SURVEY_FAR     (UINT32_MAX - 1)
#define SURVEY_UNKNOWN (UINT32_MAX - 2) /* the state was not found */

/* Of states at the stops of `options`. The options must live as long as the survey. */
survey *survey_begin(machine *m, const explore_options *options);

/* One that keeps more, after one that may have been finished or not; NULL: there is nothing
 * more that matters. */
survey *survey_begin_finer(const survey *v);
void survey_destroy(survey *v);

typedef struct survey_budget { /* 0: no bound */
    double seconds;
    uint64_t steps; /* abstract ones */
} survey_budget;

/* Goes on. True: all abstract states are explored; else call it again. */
bool survey_go_on(survey *v, survey_budget most);
bool survey_is_complete(const survey *v);
size_t survey_size(const survey *v);    /* abstract states */
uint64_t survey_steps(const survey *v); /* executed so far */
unsigned survey_level(const survey *v); /* 0: control alone */

/* Brings the distances up to date with the graph. */
void survey_measure(survey *v);

/* As of the last measuring: steps to a violation, at least; or SURVEY_…. */
uint32_t survey_distance(survey *v, const state *s);

/* --- the graph itself, for those who check it ----------------------------------------------------------- */

#define SURVEY_NO_NODE UINT32_MAX

typedef struct survey_place { /* an abstract state, numbered from 0, the first, to survey_size - 1 */
    uint32_t parent;          /* or SURVEY_NO_NODE */
    transition by;            /* from there; the last of them if there were several steps */
    uint32_t steps;           /* of the search; 0: inside of one */
    uint32_t goes_on_as;      /* the one that covers it, or itself */
    bool ends;                /* a step from it may violate something, or end in the unknown */
} survey_place;

survey_place survey_look(const survey *v, uint32_t node);

/* Whether it is one of those that the abstract state stands for. Not asked of states that are covered. */
bool survey_contains(survey *v, uint32_t node, const state *s);

#endif
