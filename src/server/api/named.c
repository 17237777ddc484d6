#include "server/api/named.h"

#include "server/service/databases.h"
#include "server/service/find.h"

int answer_changed(int status, const char *what, struct reply *reply, struct err *err)
{
	if (status == 0)
		return no_such(err, what);
	if (status == 1)
		reply_start(reply, STATUS_NO_CONTENT, NULL);
	return status < 0 ? status : 0;
}

int answer_find(const struct service *service, struct request *request, struct stored_assessment *ret, struct err *err)
{
	struct id_like named = { .begin = request->capture, .project = request->caller.project };
	int status = find_assessment(service, &named, &request->arena, ret, err);

	if (!status)
		request->capture = ret->id;
	return status;
}

int answer_find_run(const struct service *service, struct request *request, struct run *ret, struct err *err)
{
	struct id_like named = { .begin = request->capture, .project = request->caller.project };
	int status = find_run(service, &named, &request->arena, ret, err);

	if (!status)
		request->capture = ret->id;
	return status;
}

int answer_find_model(const struct service *service, struct request *request, struct str *ret_project,
	struct latest_list *ret_branches, struct err *err)
{
	struct model_name name = { .model = request->capture };
	int status = answer_take_project(request, &name.project, err);

	if (!status)
		status = find_model(service, &name, &request->arena, ret_branches, err);
	*ret_project = name.project;
	return status;
}

int answer_take_targets(struct request *request, const struct opdb *db, struct target_list *ret, struct err *err)
{
	size_t count;
	struct str *given = parameters_values(&request->parameters, "target", &request->arena, &count);

	return targets_choose(db, &(struct target_question){ given, count, request_value(request, "torch") }, ret, err);
}

int answer_with_db(const struct service *service, struct request *request, struct reply *reply, struct err *err,
	int (*put)(const struct opdb *db, struct request *request, struct reply *reply, struct err *err))
{
	struct opdb *db;
	int status = service_open_db(service, &db, err);

	if (status)
		return status;
	status = put(db, request, reply, err);
	service_close_db(service, db);
	return status;
}
