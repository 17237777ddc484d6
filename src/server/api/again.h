#pragma once
/*
 * Judging again what the store has: the submit that a run was, as a request that can be sent once more. Its dump, name,
 * words and options are those of the run; its targets are the releases that they meant then, so that only facts differ.
 */
#include "server/http/request.h"
#include "server/service/service.h"
#include "store/run.h"

/* Adds the parameters to a request, whose text lives in the request's arena. What a project has accepted is not among
   them. ERR_VALUE for a run whose waivers an earlier version did not keep. */
int again_take(const struct service *service, struct request *request, const struct run *run, struct err *err);

/* The options of an assessment alone, and its name; request->arena as above. */
int again_take_options(const struct service *service, struct request *request, const struct stored_assessment *record,
	struct err *err);

/* What every run that was judged again is found by. */
#define AGAIN_TAG "judged-again"
