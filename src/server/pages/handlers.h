#pragma once
/* Handlers of this room, by source; their addresses are in `routes`. */
#include "server/http/reply.h"

/* page_home */
HANDLER(page_home);
/* page_login */
HANDLER(page_login);
HANDLER(answer_login);
HANDLER(answer_logout);
/* page_report */
HANDLER(page_assessment);
/* page_compare */
HANDLER(page_compare);
/* page_models */
HANDLER(page_models);
/* page_model */
HANDLER(page_model);
HANDLER(answer_model_badge);
/* page_run */
HANDLER(page_run);
HANDLER(answer_run_form);
HANDLER(answer_model_form);
/* page_fleet */
HANDLER(page_fleet);
HANDLER(page_demand);
/* page_operators */
HANDLER(page_operators);
HANDLER(page_operator);
/* page_targets */
HANDLER(page_targets);
/* page_help */
HANDLER(page_help);
HANDLER(page_problem);
/* page_admin */
HANDLER(page_tokens);
HANDLER(answer_token_form);
HANDLER(answer_token_end);
HANDLER(page_queue);
HANDLER(answer_queue_form);
