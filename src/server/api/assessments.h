#pragma once
/* Submitting dumps, and the assessments that there are. */
#include "base/memory/buf.h"
#include "server/http/reply.h"
#include "server/service/service.h"

HANDLER(answer_submit);
HANDLER(answer_judge_again);
HANDLER(answer_example);
HANDLER(answer_assessments);
HANDLER(answer_assessment);
HANDLER(answer_keep);
HANDLER(answer_remove);

/* Where the service's own judging has come since the facts changed: the newest run of each model and branch, one after
   the other. All zero at first; after is the holder's to clear. */
struct stale_round {
	char digest[65];
	struct buf after;
	bool over;
};

/* Starts with the next ones where no other check waits or runs. */
int submits_judge_stale(const struct service *service, struct stale_round *round, struct err *err);

/* Takes over what was acknowledged and nobody works on, as after a crash. */
int submits_resume(const struct service *service, struct err *err);
