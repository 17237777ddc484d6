#pragma once
/* Runs: lists of them; changing and removing one, or a whole model. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "store/run.h"

/* ?verdict=. ERR_VALUE for another word. */
int run_take_verdict(const struct request *request, struct str *ret, struct err *err);
