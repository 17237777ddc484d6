#pragma once
/* Hand-made tables for a profile, written as text. */
#include "op/event.h"
#include "op/profile.h"

enum { WHOLE = TABLE_HAS_SHAPES | TABLE_HAS_TIMES, PLAIN = TABLE_HAS_TIMES };

/* A printed table. Rows stand between ';', each "name[/overload] [shapes] [xCALLS] [=SELF_CPU_US] [dDEVICE_US]". A name may have
   blanks. Without figures a row has one call and a time that no other row of the test has. */
struct sheet {
	unsigned has;       /* enum table_has */
	const char *footer; /* microseconds; NULL: none */
	const char *rows;
};

void feed_sheet(const struct event_sink *sink, unsigned stream, const struct sheet *sheet);

/* Feeds tables with shapes and times, written between '|', as steps of a stream. */
void feed_steps(const struct event_sink *sink, const char *label, const char *tables);

/* A finished profile of steps of one stream without a label. */
struct profile *profile_of_steps(const char *tables);

/* The use of a name with these shapes and overload in a stream, or NULL. */
const struct profile_use *use_find(
	const struct profile *profile, unsigned stream, const char *name, const char *overload, const char *shapes);

/* "1-2,4": the runs of steps of a use; lives until the next call. */
const char *steps_text(const struct step_runs *runs);
