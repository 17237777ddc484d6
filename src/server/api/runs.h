#pragma once
/* Runs: what a submit says of its own, lists of them, and what becomes of one. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "store/run.h"

HANDLER(answer_runs);
HANDLER(answer_run);
HANDLER(answer_change_run);
HANDLER(answer_remove_run);
HANDLER(answer_change_model);
HANDLER(answer_remove_model);

/* Copied into the arena. ERR_VALUE for words that are none, ERR_SCOPE for another project than the token's. */
int run_take(const struct request *request, struct arena *arena, struct run *ret, struct err *err);

/* ?verdict=. ERR_VALUE for another word. */
int run_take_verdict(const struct request *request, struct str *ret, struct err *err);

/* ERR_VALUE for a name of a project, a model ... that is none; what: that it would be. */
int run_check_word(const char *what, struct str text, struct err *err);
