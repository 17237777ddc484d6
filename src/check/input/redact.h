#pragma once
/*
 * Remove private text from a dump before it leaves a team: paths, addresses, labels of the user, stacks.
 *
 * Letters and digits become x, and every byte keeps its place, so that columns of a table, structure of JSON and
 * lengths stay what they were: a redacted dump reads as the original does, but for the labels. Names of operators, of
 * kernels and of the runtime stay (op/name.h decides), and so do types, shapes and times. Works on text tables, CSV,
 * lists and JSON alike.
 */
#include "base/memory/buf.h"

struct redaction;

struct redaction *redaction_new(void);
void redaction_free(struct redaction *redaction);

/* Appends what the next bytes become, as far as that is known: a line of text or a string of JSON that is not
   complete yet waits, up to 1 MiB. */
void redaction_add(struct redaction *redaction, struct str bytes, struct buf *out);

/* The rest, after the last bytes. */
void redaction_end(struct redaction *redaction, struct buf *out);
