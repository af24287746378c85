/* The proof of a safe answer: collected while an explorer runs, written as text, and confirmed from that text
 * by a machine with terms and a solver of its own (certify/certify.h). A certificate that is not confirmed
 * leaves no `safe`. */
#ifndef HEDDLE_API_CERTIFICATION_H
#define HEDDLE_API_CERTIFICATION_H

#include "api/session.h"
#include "certify/certify.h"
#include "report/invariants.h"

typedef struct certification {
    certificate_writer *writer; /* NULL: nobody asked for a certificate */
    text written;               /* empty: there is none */
    invariants *found;          /* for a witness; NULL: nobody asked */
    loop_invariants loops;      /* those, after a safe answer */
    bool looked_at;             /* it was to be confirmed ... */
    bool confirmed;             /* ... and is */
    size_t states;              /* of the certificate */
    statistics effort;
} certification;

/* Before an explorer runs: what it hands over is collected, if the options ask for it. */
void certification_open(certification *c, const session *s, explore_options *how);
void certification_close(certification *c);

/* After a run that gave `o`: the text of the certificate, if the answer is safe and has one. */
void certification_write(certification *c, const outcome *o);

/* Doubts that a run of this session leaves beside its explorer's. */
typedef void (*session_doubts)(const session *s, outcome *o);

/* Confirms what was written, if the options ask for it; `o` has doubts afterwards if that fails. */
void certification_confirm(certification *c, const session *s, session_doubts doubts, outcome *o);

/* Instead of an explorer's run: `o` is safe if the text is a certificate for the program of the session. */
void certification_check(certification *c, session *s, const char *json, size_t length, outcome *o);

#endif
