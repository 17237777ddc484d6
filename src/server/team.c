/* What only all runs together say: the trend of a model, the fleet on its targets, which operators are wanted most. */
#include "store/team.h"

#include "base/mem.h"
#include "report/sheet.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page_handlers.h"
#include "server/page_models.h"

/* --- the trend of a model */

int answer_models(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_query query = { .model = request_value(request, "model"),
		.branch = request_value(request, "branch") };
	struct run_list list;
	struct jsonw json;
	int status = request_limit(request, &query.page.max, err);

	if (!query.model.len) {
		err_set(err, ERR_ARGUMENT, "a trend is that of one model");
		return err_hint(err, "name it with ?model=; /api/v1/fleet lists all");
	}
	if (!status)
		status = answer_take_project(request, &query.page.project, err);
	if (!status)
		status = answer_take_cursor(request, &query.page.before, err);
	if (!status)
		status = store_list_runs(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < list.count; i++)
		answer_put_point(&json, &list.items[i]);
	answer_end_numbered_list(&json, reply, request, list.more ? list.items[list.count - 1].number : 0);
	jsonw_key_number(&json, "total", (int64_t)list.total);
	jsonw_object_end(&json);
	return 0;
}

/* --- the fleet */

int team_take_cursor(const struct request *request, struct standing_query *ret, struct err *err)
{
	struct str cursor = request_value(request, "cursor"), rest = cursor;

	if (!cursor.len)
		return 0;
	if (str_cut(&rest, '\n', &ret->after_project) && str_cut(&rest, '\n', &ret->after_model) && rest.ptr) {
		ret->after_branch = rest;
		return 0;
	}
	err_set(err, ERR_VALUE, "the cursor is none that this service gave");
	return err_hint(err, "take next_cursor of the page before");
}

struct str team_cursor(struct request *request, const struct standing_list *list)
{
	CLEANUP(buf_clear) struct buf cursor = BUF_UNLIMITED;
	const struct standing *last = &list->items[list->count - 1];

	if (!list->more)
		return STR("");
	buf_printf(&cursor, "%.*s\n%.*s\n%.*s", STR_ARG(last->project), STR_ARG(last->model), STR_ARG(last->branch));
	return arena_keep(&request->arena, buf_str(&cursor));
}

static void put_cell(struct jsonw *json, const struct standing *standing)
{
	jsonw_object(json);
	answer_put_verdict(json, &standing->verdict);
	jsonw_key_str(json, "run", standing->run);
	jsonw_key_str(json, "commit", standing->revision);
	jsonw_key_str(json, "created_at", standing->created_at);
	jsonw_object_end(json);
}

bool team_begins_branch(const struct standing_list *list, size_t at)
{
	const struct standing *standing = &list->items[at], *before = at ? standing - 1 : NULL;

	return !before || !str_eq(standing->project, before->project) || !str_eq(standing->model, before->model) ||
	       !str_eq(standing->branch, before->branch);
}

static void put_fleet(struct jsonw *json, const struct standing_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct standing *standing = &list->items[i];

		if (team_begins_branch(list, i)) {
			if (i) {
				jsonw_list_end(json);
				jsonw_object_end(json);
			}
			jsonw_object(json);
			jsonw_key_str(json, "project", standing->project);
			jsonw_key_str(json, "model", standing->model);
			jsonw_key_str(json, "branch", standing->branch);
			jsonw_key_list(json, "targets");
		}
		put_cell(json, standing);
	}
	if (list->count) {
		jsonw_list_end(json);
		jsonw_object_end(json);
	}
}

int answer_fleet(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct standing_query query = { 0 };
	struct standing_list list;
	struct jsonw json;
	int status = request_limit(request, &query.max, err);

	if (!status)
		status = answer_take_project(request, &query.project, err);
	if (!status)
		status = team_take_cursor(request, &query, err);
	if (!status)
		status = store_list_standings(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	put_fleet(&json, &list);
	answer_end_list(&json, reply, request, team_cursor(request, &list));
	jsonw_object_end(&json);
	return 0;
}

/* --- demand */

static void put_demand(struct reply *reply, const struct demand_list *list)
{
	struct jsonw json = jsonw_start(&reply->body, 2);

	jsonw_object(&json);
	jsonw_key_list(&json, "items");
	for (size_t i = 0; i < list->count; i++) {
		const struct demand *demand = &list->items[i];

		jsonw_object(&json);
		jsonw_key_str(&json, "target", demand->target);
		jsonw_key_str(&json, "operator", demand->operator);
		jsonw_key_str(&json, "status", demand->status);
		jsonw_key_number(&json, "runs", (int64_t)demand->runs);
		jsonw_key_number(&json, "models", (int64_t)demand->models);
		jsonw_key_decimal(&json, "mean_time_share", demand->mean_share_ppm, 6);
		jsonw_object_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_object_end(&json);
}

/* For who makes the target: what is missing there, and how much hangs on it. */
static void put_draft(struct request *request, struct reply *reply, const struct demand_list *list)
{
	static const char *const heads[] = { "target", "operator", "status", "runs", "models", "mean_time_share" };
	static const struct sheet_shape shape = { "demand.title", heads, ARRAY_SIZE(heads) };
	struct render_options options = { .lang = request->lang };
	struct sheet sheet;

	buf_printf(&reply->body, "# %.*s\n\n%.*s\n\n", STR_ARG(catalog_text(request->lang, STR("demand.title"))),
		STR_ARG(catalog_text(request->lang, STR("demand.intro"))));
	sheet_begin(&sheet, &shape, STR("md"), &options, &reply->body);
	for (size_t i = 0; i < list->count; i++) {
		const struct demand *demand = &list->items[i];

		sheet_cell(&sheet, demand->target);
		sheet_cell(&sheet, demand->operator);
		sheet_cell(&sheet, demand->status);
		sheet_number(&sheet, (int64_t)demand->runs, 0);
		sheet_number(&sheet, (int64_t)demand->models, 0);
		sheet_number(&sheet, demand->mean_share_ppm, 6);
	}
	sheet_end(&sheet);
}

static int find_demand(const struct service *service, struct request *request, struct demand_list *ret, struct err *err)
{
	struct demand_query query = { .target = request_value(request, "target") };
	int status = request_limit(request, &query.max, err);

	if (!status)
		status = answer_take_project(request, &query.project, err);
	return status ? status : store_list_demand(service->store, &query, &request->arena, ret, err);
}

int answer_demand(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct demand_list list;
	int status = find_demand(service, request, &list, err);

	if (status)
		return status;
	answer_json(reply, STATUS_OK);
	put_demand(reply, &list);
	return 0;
}

int answer_demand_draft(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct demand_list list;
	int status = find_demand(service, request, &list, err);

	if (status)
		return status;
	reply_start(reply, STATUS_OK, "text/markdown; charset=utf-8");
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
	reply_language(reply, request);
	put_draft(request, reply, &list);
	return 0;
}
