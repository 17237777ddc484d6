#include "server/api/runs.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "server/api/handlers.h"
#include "server/api/named.h"
#include "server/http/answer.h"
#include "server/service/run_json.h"
#include "server/service/run_words.h"
#include "store/keep.h"
#include "store/model.h"
#include "store/run_list.h"

/* All ?tag=, each once, in the order of their bytes. */
static int take_tags(struct request *request, struct str *ret, struct err *err)
{
	size_t count;
	struct str *values = parameters_values(&request->parameters, "tag", &request->arena, &count);

	return run_join_tags(values, count, &request->arena, ret, err);
}

/* --- lists */

static int take_sort(const struct request *request, struct run_query *ret, struct err *err)
{
	static const char *const orders[] = {
		[RUN_ARRIVAL] = "created_at", [RUN_MODEL] = "model", [RUN_BRANCH] = "branch", [RUN_VERDICT] = "verdict"
	};
	struct str sort = request_value(request, "sort"), word = sort;

	ret->ascending = sort.len && !str_starts(sort, STR("-"));
	if (!ret->ascending)
		word = str_skip(word, sort.len > 0);
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		if (sort.len && !str_eq(word, str_from(orders[i])))
			continue;
		ret->order = (enum run_order)i;
		return 0;
	}
	err_set(err, ERR_VALUE, "'%s' is not an order of runs", shown(sort).text);
	return err_hint(err, "use created_at, model, branch or verdict; - before it reverses the order");
}

/* The number of the last run of the page before, and behind a line feed the word that it is ordered by. */
static int take_cursor(struct request *request, struct run_query *ret, struct err *err)
{
	struct str rest = request_value(request, "cursor"), number;

	if (!ret->order || !rest.len)
		return answer_take_cursor(request, &ret->page.before, err);
	if (str_cut(&rest, '\n', &number) && rest.ptr && decimal_unsigned(number, &ret->page.before) &&
		ret->page.before && ret->page.before <= INT64_MAX) {
		ret->after = rest;
		return 0;
	}
	return answer_no_cursor(err);
}

static void end_list(struct jsonw *json, struct reply *reply, struct request *request, const struct run_list *list,
	enum run_order order)
{
	const struct run *last = list->more ? &list->items[list->count - 1] : NULL;
	struct list_end end = { STR(""), (int64_t)list->total, list->more_than_total };

	if (last)
		end.cursor = arena_printf(&request->arena, order ? "%llu\n%.*s" : "%llu",
			(unsigned long long)last->number,
			STR_ARG(order == RUN_MODEL    ? last->model
				: order == RUN_BRANCH ? last->branch
						      : last->verdict));
	answer_end_list(json, reply, request, &end);
}

static int take_search(const struct request *request, struct str *ret, struct err *err)
{
	*ret = request_value(request, "q");
	if (!ret->len || (utf8_points(*ret) >= RUN_SEARCH_LETTERS && !run_has_control(*ret)))
		return 0;
	return err_set(err, ERR_VALUE, "a search has at least %d letters", RUN_SEARCH_LETTERS);
}

int run_take_verdict(const struct request *request, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf known = BUF_UNLIMITED;
	unsigned ignored;

	*ret = request_value(request, "verdict");
	if (!ret->len || word_find(&verdict_words, *ret, &ignored))
		return 0;
	err_set(err, ERR_VALUE, "no verdict '%s'", shown(*ret).text);
	words_put(&known, &verdict_words, UINT_MAX, ", ");
	return err_hint(err, "use one of %s", buf_text(&known));
}

static int take_query(struct request *request, struct run_query *ret, struct err *err)
{
	int status = request_limit(request, &ret->page.max, err);

	ret->model = request_value(request, "model");
	ret->branch = request_value(request, "branch");
	ret->tag = request_value(request, "tag");
	if (!status)
		status = take_sort(request, ret, err);
	if (!status)
		status = take_cursor(request, ret, err);
	if (!status)
		status = answer_take_project(request, &ret->page.project, err);
	if (!status)
		status = take_search(request, &ret->search, err);
	return status ? status : run_take_verdict(request, &ret->verdict, err);
}

int answer_runs(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_query query = { 0 };
	struct run_list list;
	struct jsonw json;
	int status = take_query(request, &query, err);

	if (!status)
		status = store_list_runs(service->store, &query, &request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < list.count; i++)
		record_put(&json, &run_record, &list.items[i]);
	end_list(&json, reply, request, &list, query.order);
	return 0;
}

/* --- one */

int answer_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run run;
	struct jsonw json;
	int status = answer_find_run(service, request, &run, err);

	if (status)
		return status;
	answer_json(reply, STATUS_OK);
	json = jsonw_start(&reply->body, 1);
	record_put(&json, &run_record, &run);
	return 0;
}

int answer_change_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_change change = { .project = request->caller.project };
	struct str name = request_value(request, "name"), tags;
	struct run run;
	bool kept;
	int given = parameters_switch(&request->parameters, "kept", &kept, err);
	int status = given < 0 ? given : run_check_word("name", name, err);

	if (!status)
		status = take_tags(request, &tags, err);
	if (!status)
		status = answer_find_run(service, request, &run, err);
	if (status)
		return status;
	change.id = run.id;
	change.name = name.len ? name : (struct str){ 0 };
	change.tags = request_has(request, "tag") ? tags : (struct str){ 0 };
	change.kept = given ? &kept : NULL;
	return answer_changed(store_change_run(service->store, &change, err), "run", reply, err);
}

int answer_remove_run(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_changed(
		store_remove_run(service->store, request->capture, request->caller.project, err), "run", reply, err);
}

/* --- a model: all its runs */

int answer_change_model(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct model_change change = { .model = request->capture, .name = request_value(request, "name") };
	struct latest_list branches;
	bool kept;
	int given = parameters_switch(&request->parameters, "kept", &kept, err);
	int status = given < 0 ? given : run_check_word("name", change.name, err);

	if (!status && request_has(request, "name") && !change.name.len)
		status = err_set(err, ERR_VALUE, "a model needs a name");
	if (!status)
		status = answer_find_model(service, request, &change.project, &branches, err);
	if (status)
		return status;
	change.kept = given ? &kept : NULL;
	return answer_changed(store_change_model(service->store, &change, err), "model", reply, err);
}

int answer_remove_model(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct latest_list branches;
	struct str project;
	int status = answer_find_model(service, request, &project, &branches, err);

	if (status)
		return status;
	return answer_changed(store_remove_model(service->store, project, request->capture, err), "model", reply, err);
}
