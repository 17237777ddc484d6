#pragma once
/*
 * Re-judges what the store has: the submit that a run was, once more. Its dump, name, words and options are those of
 * the run; its targets are the releases that they meant then, so that only facts differ.
 */
#include "base/memory/buf.h"
#include "server/service/submit.h"

/* The tag of every run that was re-judged. */
#define REJUDGED_TAG "judged-again"

/* Fills *ret, whose text lives in the arena. ERR_VALUE for a run whose waivers an earlier version did not keep. */
int rejudge_submit(
	const struct service *service, const struct run *run, struct arena *arena, struct submit *ret, struct err *err);

/* The submission of an assessment alone. */
int rejudge_submission(const struct service *service, const struct stored_assessment *record, struct arena *arena,
	struct submission *ret, struct err *err);

/* Progress of the service's own re-judging since the facts changed: the newest run of each model and branch, one
   after the other. All zero at first; after is the holder's to clear. */
struct stale_round {
	char digest[65];
	struct buf after;
	bool over;
};

/* Starts with the next ones where no other check waits or runs. */
int rejudge_stale(const struct service *service, struct stale_round *round, struct err *err);
