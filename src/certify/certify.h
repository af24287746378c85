/* Certificates: proofs that a program is safe, and an independent look at them.
 *
 * A certificate is a list of partly unknown states (partial/abstract.h), each a control with constants at
 * some places and conditions on others, together an inductive invariant: the initial state is in one of them,
 * and every step that any of them can take, by any thread, ends in one of them and violates nothing. It is
 * text (docs/certificates.md), so whoever checks it shares nothing with who found it: another machine, other
 * terms, another solver.
 *
 * Promises
 *  - certify_run confirms a certificate only if it is such an invariant of the program of its machine,
 *    whatever the text says: no entry is believed, each is held against the machine by plain queries.
 *  - Every enabled transition counts. There are no reductions here.
 *  - A broken or hostile text is refused with a reason.
 * It never refines, never abstracts by itself, never explores beyond what the certificate says, and uses
 * nothing of the explorers. */
#ifndef HEDDLE_CERTIFY_CERTIFY_H
#define HEDDLE_CERTIFY_CERTIFY_H

#include "explore/explore.h"

/* --- writing -------------------------------------------------------------------------------------------- */

typedef struct certificate_writer certificate_writer;

certificate_writer *certificate_writer_create(machine *m);
void certificate_writer_destroy(certificate_writer *w);

/* One more state of the invariant; fits explore_options.invariant. */
void certificate_writer_add(void *writer, const state *s, invariant_kind of);
size_t certificate_writer_states(const certificate_writer *w);

/* The whole as JSON. */
void certificate_write(const certificate_writer *w, const char *engine, text *out);

/* --- checking ------------------------------------------------------------------------------------------- */

typedef struct certificate certificate;

/* For a machine that has done nothing yet: it takes over names that the certificate uses. NULL: `trouble`
 * says what is wrong with the text. */
certificate *certificate_read(machine *m, const char *json, size_t length, const char **trouble);
void certificate_destroy(certificate *c);
size_t certificate_states(const certificate *c);

/* The outcome is complete and without doubts exactly if the certificate is confirmed. Its states are those of
 * the certificate that were needed, each as often as it has different exact parts. */
void certify_run(machine *m, const certificate *c, const explore_options *options, outcome *out);

#endif
