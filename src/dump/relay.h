#pragma once
/*
 * A sink across threads: the events of a reader in one thread reach the real sink in another, in the same order.
 *
 * Events travel in batches with a copy of their text, so that reading and collecting run side by side. Memory is a few
 * batches.
 */
#include "op/event.h"

struct relay;

/* Passes everything on to the sink, which outlives the relay. */
struct relay *relay_new(const struct event_sink *to);
void relay_free(struct relay *relay);

/* The sink for the reader; its events come from one thread. */
struct event_sink relay_sink(struct relay *relay);

/* In the reader's thread, at the end: nothing more follows. */
void relay_close(struct relay *relay);

/* In the thread of the real sink: passes everything on until the relay is closed. */
void relay_run(struct relay *relay);
