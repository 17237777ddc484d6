#pragma once
/* The functions of the route table. Each fills the reply and returns 0, or returns an error that becomes a problem. */
#include "server/reply.h"
#include "server/service.h"

#define HANDLER(name)                                                                                                  \
	int name(const struct service *service, struct request *request, struct reply *reply, struct err *err)

/* assessments.c */
HANDLER(answer_submit);
HANDLER(answer_judge_again);
HANDLER(answer_example);
HANDLER(answer_assessments);
HANDLER(answer_assessment);
HANDLER(answer_keep);
HANDLER(answer_remove);

/* runs.c */
HANDLER(answer_runs);
HANDLER(answer_run);
HANDLER(answer_change_run);
HANDLER(answer_remove_run);
HANDLER(answer_change_model);
HANDLER(answer_remove_model);

/* team.c */
HANDLER(answer_models);
HANDLER(answer_fleet);
HANDLER(answer_project);
HANDLER(answer_waivers);
HANDLER(answer_set_waivers);
HANDLER(answer_demand);
HANDLER(answer_demand_draft);

/* tickets.c */
HANDLER(answer_job);
HANDLER(answer_cancel);

/* reports.c: the report in the format of the suffix, or of the Accept header */
HANDLER(answer_report);
HANDLER(answer_beside);

/* lists.c */
HANDLER(answer_list);

/* compare.c */
HANDLER(answer_compare);

/* operators.c */
HANDLER(answer_targets);
HANDLER(answer_operators);
HANDLER(answer_operator);

/* audit.c */
HANDLER(answer_audit);

/* meta.c */
HANDLER(answer_version);
HANDLER(answer_alive);
HANDLER(answer_ready);

/* metrics.c */
HANDLER(answer_metrics);

/* asset.c: the file of that address */
HANDLER(answer_asset);
