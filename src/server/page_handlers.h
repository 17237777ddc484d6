#pragma once
/* Functions of the route table that answer with pages, or to their forms: page_*.c, reports.c, compare.c. */
#include "server/handlers.h"

HANDLER(page_home);
HANDLER(page_assessment);
HANDLER(page_compare);
HANDLER(page_targets);
HANDLER(page_operators);
HANDLER(page_operator);
HANDLER(page_models);
HANDLER(page_model);
HANDLER(page_fleet);
HANDLER(page_demand);
HANDLER(answer_model_badge);
HANDLER(answer_model_form);
HANDLER(page_run);
HANDLER(answer_run_form);
HANDLER(page_help);
HANDLER(page_login);
HANDLER(answer_login);
HANDLER(answer_logout);
HANDLER(page_problem);
HANDLER(page_tokens);
HANDLER(answer_token_form);
HANDLER(answer_token_end);
HANDLER(page_queue);
HANDLER(answer_queue_form);
