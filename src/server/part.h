#pragma once
/* What a page shows of a report, or an address has of its dump: made once, by a job, and stored beside the report. */
#include "assess/model/result.h"
#include "server/reply.h"
#include "server/service.h"

/* Which: the whole id of an assessment, "releases", "shapes" or one of lists.h; static text. */
struct part {
	struct str id, form;
	int (*answer)(const struct service *service, struct request *request, struct reply *reply, struct err *err);
};

/* Appends it: 0. ANSWER_LATER when a job has to make it, after which `answer` takes it in the same way. Else the errors
   of the store. */
int part_take(const struct service *service, struct request *request, const struct part *part, struct buf *out,
	struct err *err);

/* In the job: appends that part of a report as HTML; empty where the report has nothing of it. False: it has no such
   part. In page_report.c. */
bool part_put(struct str form, enum lang lang, const struct result *result, struct buf *out);
