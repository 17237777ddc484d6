#pragma once
/* Handlers of this room, by source; their addresses are in `routes`. */
#include "server/http/reply.h"

/* assessments */
HANDLER(answer_submit);
HANDLER(answer_rejudge);
HANDLER(answer_example);
HANDLER(answer_assessments);
HANDLER(answer_assessment);
HANDLER(answer_keep);
HANDLER(answer_remove);
/* audit */
HANDLER(answer_audit);
/* compare */
HANDLER(answer_compare);
/* meta */
HANDLER(answer_version);
HANDLER(answer_alive);
HANDLER(answer_ready);
HANDLER(answer_metrics);
/* operators */
HANDLER(answer_targets);
HANDLER(answer_operators);
HANDLER(answer_operator);
/* projects */
HANDLER(answer_project);
HANDLER(answer_waivers);
HANDLER(answer_set_waivers);
/* reports */
HANDLER(answer_report);
HANDLER(answer_beside);
HANDLER(answer_list);
/* runs */
HANDLER(answer_runs);
HANDLER(answer_run);
HANDLER(answer_change_run);
HANDLER(answer_remove_run);
HANDLER(answer_change_model);
HANDLER(answer_remove_model);
/* team */
HANDLER(answer_models);
HANDLER(answer_fleet);
HANDLER(answer_demand);
HANDLER(answer_demand_draft);
/* tickets */
HANDLER(answer_job);
HANDLER(answer_cancel);
