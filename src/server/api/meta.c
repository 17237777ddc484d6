#include "server/api/handlers.h"

#include "check/check.h"
#include "opdb/db/lists.h"
#include "opdb/db/overlay.h"
#include "report/record/load.h"
#include "server/http/answer.h"
#include "server/http/cache.h"
#include "server/http/metrics.h"
#include "server/service/all_jobs.h"
#include "server/service/databases.h"
#include "server/service/replica.h"
#include "store/run_list.h"
#include "store/upload.h"

static void put_overlays(struct jsonw *json, const struct opdb *db)
{
	size_t count;
	const struct overlay *overlays = opdb_overlays(db, &count);

	jsonw_key_list(json, "overlays");
	for (size_t i = 0; i < count; i++) {
		jsonw_fill(json, "{'name': $, 'sha256': $", overlays[i].name, overlays[i].sha256);
		jsonw_key_number(json, "facts", (int64_t)overlays[i].facts);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

/* null when there is no database: the program has a version without one, too. */
static void put_db(struct jsonw *json, const struct service *service)
{
	struct err ignored;
	struct opdb *db;

	jsonw_key(json, "db");
	if (service_open_db(service, &db, &ignored)) {
		jsonw_raw(json, STR("null"));
		return;
	}
	jsonw_fill(json, "{'build': $, 'built_at': $, 'sha256': $", opdb_info(db)->build, opdb_info(db)->built_at,
		opdb_info(db)->sha256);
	jsonw_key_number(json, "releases", (int64_t)opdb_info(db)->releases);
	jsonw_key_number(json, "names", (int64_t)opdb_info(db)->names);
	put_overlays(json, db);
	jsonw_object_end(json);
	service_close_db(service, db);
}

/* By their names, spelt as JSON keys are here. */
static void put_limits(struct jsonw *json, const struct limits *limits)
{
	jsonw_key_object(json, "limits");
	for (size_t i = 0; i < limit_key_count; i++) {
		struct buf name = BUF_INIT(64);

		for (const char *at = limit_keys[i].name; *at; at++)
			buf_byte(&name, *at == '-' ? '_' : *at);
		jsonw_key_number(json, buf_text(&name), (int64_t)limits_get(limits, &limit_keys[i]));
		buf_clear(&name);
	}
	jsonw_object_end(json);
}

int answer_version(
	const struct service *service, struct request *request UNUSED, struct reply *reply, struct err *err UNUSED)
{
	struct jsonw json;

	answer_json(reply, STATUS_OK);
	json = jsonw_start(&reply->body, 1);
	jsonw_fill(&json, "{'program': {'name': 'opcheck', 'version': $}", str_from(check_version()));
	put_db(&json, service);
	jsonw_fill(&json, "'schema': {'report': '" REPORT_SCHEMA_VERSION "'");
	jsonw_key_number(&json, "store", store_schema_version());
	jsonw_object_end(&json);
	put_limits(&json, service->limits);
	jsonw_object_end(&json);
	return 0;
}

static int answer_fine(struct reply *reply)
{
	reply_start(reply, STATUS_OK, "text/plain; charset=utf-8");
	reply_header(reply, "Cache-Control", STR("no-store"));
	buf_add(&reply->body, STR("ok\n"));
	return 0;
}

int answer_alive(const struct service *service UNUSED, struct request *request UNUSED, struct reply *reply,
	struct err *err UNUSED)
{
	return answer_fine(reply);
}

int answer_ready(const struct service *service, struct request *request UNUSED, struct reply *reply, struct err *err)
{
	struct opdb *db;
	int status = service_open_db(service, &db, err);

	if (status)
		return status;
	service_close_db(service, db);
	status = store_probe(service->store, err);
	if (!status)
		status = store_check_dumps(service->store, err);
	if (!status)
		status = store_has_room(service->store, service->limits->free_bytes, err);
	if (status)
		return status;
	answer_fine(reply);
	if (replica_left(service->replica))
		buf_printf(
			&reply->body, "%u jobs wait for a service with other facts\n", replica_left(service->replica));
	return 0;
}

static void count_jobs(const struct service *service, struct request *request, struct metrics_state *state)
{
	struct str project = request->caller.project;
	struct queue_item *items = NULL;
	size_t count = all_jobs(service, &request->arena, &items);

	for (size_t i = 0; i < count; i++) {
		if (project.len && !str_eq(items[i].project, project))
			continue;
		*(items[i].running ? &state->running : &state->waiting) += 1;
	}
}

int answer_metrics(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_query query = { .page = { .max = 1, .project = request->caller.project } };
	struct metrics_state state = { .of_project = query.page.project.len != 0,
		.answer_bytes = cache_charged(service->cache),
		.services = replica_count(service->replica) };
	struct run_list runs = { 0 };
	int status = 0;

	if (state.of_project)
		status = store_list_runs(service->store, &query, &request->arena, &runs, err);
	if (status)
		return status;
	state.runs = runs.total;
	if (service->queue) {
		struct queue_peaks peaks = queue_peaks(service->queue);

		state.check_peak_bytes = peaks.check;
		state.rendering_peak_bytes = peaks.rendering;
	}
	count_jobs(service, request, &state);
	reply_start(reply, STATUS_OK, "application/openmetrics-text; version=1.0.0; charset=utf-8");
	reply_header(reply, "Cache-Control", STR("no-store"));
	if (service->metrics)
		metrics_put(service->metrics, &state, &reply->body);
	return 0;
}
