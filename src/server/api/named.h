#pragma once
/* Finds what the address and the parameters of a request name. */
#include "check/asked/targets.h"
#include "server/http/answer.h"
#include "server/service/service.h"
#include "store/run.h"
#include "store/team.h"

/* The assessment with the id in the address, or the only one that begins like this, among those that the caller may
   see; request->capture is its whole id then. ERR_ADDRESS when there is none, ERR_PREFIX for several. */
int answer_find(const struct service *service, struct request *request, struct stored_assessment *ret, struct err *err);

/* The run that the address names, found as an assessment is. */
int answer_find_run(const struct service *service, struct request *request, struct run *ret, struct err *err);

/* The model that the address names: its branches, and its project; without ?project=, "" if there is one of no project,
   else the project that ran a model of that name last. ERR_ADDRESS. */
int answer_find_model(const struct service *service, struct request *request, struct str *ret_project,
	struct latest_list *ret_branches, struct err *err);

/* Answer a change: 204 for 1, ERR_ADDRESS for 0, or the error. */
int answer_changed(int status, const char *what, struct reply *reply, struct err *err);

/* ?target= and ?torch=, resolved as targets_choose does. */
int answer_take_targets(struct request *request, const struct opdb *db, struct target_list *ret, struct err *err);

/* Calls put with the support database. */
int answer_with_db(const struct service *service, struct request *request, struct reply *reply, struct err *err,
	int (*put)(const struct opdb *db, struct request *request, struct reply *reply, struct err *err));
