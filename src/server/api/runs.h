#pragma once
/* Runs: lists of them; changing and removing one, or a whole model. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "store/run.h"

HANDLER(answer_runs);
HANDLER(answer_run);
HANDLER(answer_change_run);
HANDLER(answer_remove_run);
HANDLER(answer_change_model);
HANDLER(answer_remove_model);

/* ?verdict=. ERR_VALUE for another word. */
int run_take_verdict(const struct request *request, struct str *ret, struct err *err);
