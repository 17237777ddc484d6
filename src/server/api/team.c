#include "server/api/team.h"

#include "base/value/decimal.h"
#include "record/kinds.h"
#include "report/doc/sheet.h"
#include "server/api/handlers.h"
#include "server/api/runs.h"
#include "server/http/answer.h"
#include "server/service/run_json.h"
#include "server/service/service.h"
#include "store/run_list.h"

/* --- lists of models and branches */

int team_take_cursor(const struct request *request, struct latest_query *ret, struct err *err)
{
	struct str cursor = request_value(request, "cursor"), rest = cursor;

	if (!cursor.len)
		return 0;
	if (str_cut(&rest, '\n', &ret->after_project) && str_cut(&rest, '\n', &ret->after_model) && rest.ptr) {
		ret->after_branch = rest;
		return 0;
	}
	return answer_no_cursor(err);
}

struct str team_cursor(struct request *request, const struct latest_list *list)
{
	const struct latest_run *last = &list->items[list->count - 1];

	return list->more ? arena_printf(&request->arena, "%.*s\n%.*s\n%.*s", STR_ARG(last->project),
				    STR_ARG(last->model), STR_ARG(last->branch))
			  : STR("");
}

bool team_begins_branch(const struct latest_list *list, size_t at)
{
	const struct latest_run *latest = &list->items[at], *before = at ? latest - 1 : NULL;

	return !before || !str_eq(latest->project, before->project) || !str_eq(latest->model, before->model) ||
	       !str_eq(latest->branch, before->branch);
}

static int take_latest_query(const struct request *request, struct latest_query *ret, struct err *err)
{
	int status = request_limit(request, &ret->max, err);

	ret->model = request_value(request, "model");
	ret->branch = request_value(request, "branch");
	ret->target = request_value(request, "target");
	ret->search = request_value(request, "q");
	if (!status)
		status = run_take_verdict(request, &ret->verdict, err);
	if (!status)
		status = answer_take_project(request, &ret->project, err);
	return status ? status : team_take_cursor(request, ret, err);
}

static int list_latest(const struct service *service, struct request *request, struct reply *reply,
	void (*put)(struct jsonw *json, const struct latest_list *list), struct err *err)
{
	struct latest_query query = { 0 };
	struct latest_list list;
	struct jsonw json;
	int status = take_latest_query(request, &query, err);

	if (!status)
		status = store_list_latest(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	put(&json, &list);
	answer_end_list(&json, reply, request, &(struct list_end){ team_cursor(request, &list), -1, false });
	return 0;
}

/* --- models, and the trend of one */

/* Each model and branch with its newest run. */
static void put_models(struct jsonw *json, const struct latest_list *list)
{
	for (size_t i = 0, end; i < list->count; i = end) {
		const struct latest_run *newest = &list->items[i];

		for (end = i + 1; end < list->count && !team_begins_branch(list, end); end++) {
			if (str_cmp(newest->created_at, list->items[end].created_at) < 0)
				newest = &list->items[end];
		}
		jsonw_fill(json, "{'project': $, 'model': $, 'branch': $, 'run': $, 'commit': $, 'created_at': $}",
			newest->project, newest->model, newest->branch, newest->run, newest->revision,
			newest->created_at);
	}
}

/* The run before one on its branch, as far as the list goes; NULL: none. */
static const struct run *run_before(const struct run_list *list, size_t at)
{
	const struct run *run = &list->items[at];

	for (size_t i = at + 1; i < list->count; i++) {
		if (str_eq(list->items[i].project, run->project) && str_eq(list->items[i].branch, run->branch))
			return &list->items[i];
	}
	return NULL;
}

/* Reads one run more than asked for: the last one is compared with it. */
static int answer_trend(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_query query = { .model = request_value(request, "model"),
		.branch = request_value(request, "branch") };
	struct run_list list;
	struct jsonw json;
	size_t limit = 0, count;
	int status = request_limit(request, &limit, err);

	query.page.max = limit + 1;
	if (!status)
		status = answer_take_project(request, &query.page.project, err);
	if (!status)
		status = answer_take_cursor(request, &query.page.before, err);
	if (!status)
		status = store_list_runs(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	count = list.count < limit ? list.count : limit;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < count; i++) {
		const struct run *before = run_before(&list, i);
		const struct run_point point = { list.items[i],
			before && !stored_shares_compare(&before->record, &list.items[i].record) };

		record_put(&json, &run_point_record, &point);
	}
	answer_end_numbered_list(
		&json, reply, request, count < list.count ? list.items[count - 1].number : 0, (int64_t)list.total);
	return 0;
}

int answer_models(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	if (request_value(request, "model").len)
		return answer_trend(service, request, reply, err);
	return list_latest(service, request, reply, put_models, err);
}

/* --- the fleet */

static void put_fleet(struct jsonw *json, const struct latest_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct latest_run *latest = &list->items[i];

		if (team_begins_branch(list, i)) {
			jsonw_fill(json, i ? "]}" : "");
			jsonw_fill(json, "{'project': $, 'model': $, 'branch': $, 'targets': [", latest->project,
				latest->model, latest->branch);
		}
		jsonw_object(json);
		record_put_fields(json, &target_verdict_record, &latest->verdict);
		jsonw_fill(json, "'run': $, 'commit': $, 'created_at': $}", latest->run, latest->revision,
			latest->created_at);
	}
	jsonw_fill(json, list->count ? "]}" : "");
}

int answer_fleet(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return list_latest(service, request, reply, put_fleet, err);
}

/* --- demand */

static const struct field demand_fields[] = {
	{ "target", &kind_text, AT(demand, target) },
	{ "operator", &kind_text, AT(demand, name) },
	{ "dtypes", &kind_text, AT(demand, dtypes), OPTIONAL },
	{ "status", &kind_text, AT(demand, status) },
	{ "runs", &kind_count, AT(demand, runs) },
	{ "models", &kind_count, AT(demand, models) },
	{ "mean_time_share", &kind_share, AT(demand, mean_share_ppm) },
	{ 0 },
};
static const struct record demand_record = { sizeof(struct demand), demand_fields };

/* The draft has the types in the operator's name. */
static const struct field draft_fields[] = {
	{ "target", &kind_text, AT(demand, target) },
	{ "operator", &kind_text, AT(demand, op) },
	{ "status", &kind_text, AT(demand, status) },
	{ "runs", &kind_count, AT(demand, runs) },
	{ "models", &kind_count, AT(demand, models) },
	{ "mean_time_share", &kind_share, AT(demand, mean_share_ppm) },
	{ 0 },
};
static const struct record draft_record = { sizeof(struct demand), draft_fields };

static int take_demand_cursor(const struct request *request, struct demand *ret, struct err *err)
{
	struct str rest = request_value(request, "cursor"), runs, share;

	if (str_cut(&rest, '\n', &runs) && str_cut(&rest, '\n', &share) && str_cut(&rest, '\n', &ret->target) &&
		str_cut(&rest, '\n', &ret->op) && rest.ptr && decimal_unsigned(runs, &ret->runs) &&
		decimal_unsigned(share, &ret->share_ppm) && ret->runs < INT64_MAX && ret->share_ppm < INT64_MAX) {
		ret->status = rest;
		return 0;
	}
	return answer_no_cursor(err);
}

static struct str demand_cursor(struct request *request, const struct demand_list *list)
{
	const struct demand *last = &list->items[list->count - 1];

	return list->more ? arena_printf(&request->arena, "%llu\n%llu\n%.*s\n%.*s\n%.*s",
				    (unsigned long long)last->runs, (unsigned long long)last->share_ppm,
				    STR_ARG(last->target), STR_ARG(last->op), STR_ARG(last->status))
			  : STR("");
}

/* For who makes the target: what is missing there, and how much hangs on it. */
static void put_draft(struct request *request, struct reply *reply, const struct demand_list *list)
{
	static const struct sheet_shape shape = { "demand.title", &draft_record };
	struct render_options options = { .lang = request->lang };
	struct sheet sheet;

	buf_printf(&reply->body, "# %.*s\n\n%.*s\n\n", STR_ARG(catalog_text(request->lang, STR("demand.title"))),
		STR_ARG(catalog_text(request->lang, STR("demand.intro"))));
	sheet_begin(&sheet, &shape, STR("md"), &options, &reply->body);
	sheet_rows(&sheet, list->items, list->count);
	sheet_end(&sheet);
}

static int find_demand(const struct service *service, struct request *request, struct demand_list *ret, struct err *err)
{
	struct demand_query query = { .target = request_value(request, "target") };
	struct demand after;
	int status = request_limit(request, &query.max, err);

	if (!status)
		status = answer_take_project(request, &query.project, err);
	if (!status && request_value(request, "cursor").len) {
		status = take_demand_cursor(request, &after, err);
		query.after = &after;
	}
	return status ? status : store_list_demand(service->store, &query, &request->arena, ret, err);
}

int answer_demand(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct demand_list list;
	struct jsonw json;
	int status = find_demand(service, request, &list, err);

	if (status)
		return status;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < list.count; i++)
		record_put(&json, &demand_record, &list.items[i]);
	answer_end_list(&json, reply, request, &(struct list_end){ demand_cursor(request, &list), -1, false });
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
