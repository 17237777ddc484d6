#include "server/answer.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/url.h"
#include "base/value/utf8.h"
#include "server/databases.h"
#include "store/run_list.h"

void answer_json(struct reply *reply, unsigned status)
{
	reply_start(reply, status, MEDIA_JSON);
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
}

/* --- an assessment */

void answer_put_verdict(struct jsonw *json, const struct stored_verdict *verdict)
{
	jsonw_fill(json, "'id': $, 'verdict': $, 'gate': $", verdict->target, verdict->verdict, verdict->gate);
	if (verdict->readiness_lo_ppm < 0)
		return;
	jsonw_key_object(json, "readiness");
	jsonw_key_decimal(json, "lo", verdict->readiness_lo_ppm, 6);
	jsonw_key_decimal(json, "hi", verdict->readiness_hi_ppm, 6);
	jsonw_object_end(json);
}

static void put_verdicts(struct jsonw *json, const struct stored_assessment *record)
{
	jsonw_key_list(json, "targets");
	for (size_t i = 0; i < record->verdict_count; i++) {
		jsonw_object(json);
		answer_put_verdict(json, &record->verdicts[i]);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void put_input(struct jsonw *json, const struct stored_assessment *record)
{
	jsonw_fill(json, "'input': {'sha256': $", record->input_sha256);
	jsonw_key_number(json, "bytes", (int64_t)record->input_bytes);
	jsonw_object_end(json);
}

static void put_tags(struct jsonw *json, struct str tags)
{
	struct str tag;

	jsonw_key_list(json, "tags");
	while (tags.len && str_cut(&tags, ' ', &tag))
		jsonw_str(json, tag);
	jsonw_list_end(json);
}

static void put_run_members(struct jsonw *json, const struct run *run)
{
	jsonw_fill(json, "'id': $, 'created_at': $, 'project': $, 'name': $, 'model': $, 'branch': $, 'commit': $",
		run->id, run->created_at, run->project, run->name, run->model, run->branch, run->revision);
	put_tags(json, run->tags);
	jsonw_key_bool(json, "kept", run->kept);
	jsonw_key_str(json, "verdict", run->verdict);
}

void answer_put_run(struct jsonw *json, const struct run *run)
{
	struct str id = run->record.id;

	jsonw_object(json);
	put_run_members(json, run);
	jsonw_key_str(json, "assessment", id);
	put_input(json, &run->record);
	put_verdicts(json, &run->record);
	jsonw_fill(json,
		"'links': {'self': '/api/v1/runs/$', 'assessment': '/api/v1/assessments/$', "
		"'report': '/api/v1/assessments/$/report', 'page': '/assessments/$'}}",
		run->id, id, id, id);
}

void answer_put_point(struct jsonw *json, const struct run *run)
{
	jsonw_fill(json, "{'run': $, 'created_at': $, 'project': $, 'branch': $, 'commit': $", run->id, run->created_at,
		run->project, run->branch, run->revision);
	put_verdicts(json, &run->record);
	jsonw_object_end(json);
}

static void put_run(struct jsonw *json, const struct run *run)
{
	jsonw_key_object(json, "run");
	put_run_members(json, run);
	jsonw_fill(json, "'links': {'self': '/api/v1/runs/$'", run->id);
	if (run->former.len)
		jsonw_fill(json, "'changes': '/api/v1/compare?a=$&b=$', 'changes_page': '/compare?a=$&b=$'",
			run->former, run->record.id, run->former, run->record.id);
	jsonw_fill(json, "}}");
}

void answer_put_record(struct jsonw *json, const struct stored_assessment *record, const struct run *run)
{
	jsonw_fill(json, "{'id': $, 'created_at': $, 'name': $", record->id, record->created_at, record->name);
	put_input(json, record);
	jsonw_key(json, "options");
	jsonw_raw(json, record->options);
	jsonw_fill(json, "'db': {'sha256': $}, 'tool': {'name': 'opcheck', 'version': $}", record->db_sha256,
		record->tool_version);
	put_verdicts(json, record);
	if (run)
		put_run(json, run);
	jsonw_fill(json,
		"'links': {'self': '/api/v1/assessments/$', 'report': '/api/v1/assessments/$/report', "
		"'page': '/assessments/$'}}",
		record->id, record->id, record->id);
}

/* --- lists */

/* The address of the next page: this one with another cursor. */
static void put_next_address(struct buf *buf, const struct request *request, struct str cursor)
{
	buf_printf(buf, "<%.*s?", STR_ARG(request->path));
	for (size_t i = 0; i < request->parameters.count; i++) {
		const struct parameter *parameter = &request->parameters.items[i];

		if (str_eq(parameter->name, STR("cursor")))
			continue;
		url_put(buf, parameter->name);
		buf_byte(buf, '=');
		url_put(buf, parameter->value);
		buf_byte(buf, '&');
	}
	buf_add(buf, STR("cursor="));
	url_put(buf, cursor);
	buf_add(buf, STR(">; rel=\"next\""));
}

struct jsonw answer_begin_list(struct reply *reply)
{
	struct jsonw json;

	answer_json(reply, STATUS_OK);
	json = jsonw_start(&reply->body, 2);
	jsonw_object(&json);
	jsonw_key_list(&json, "items");
	return json;
}

void answer_end_list(struct jsonw *json, struct reply *reply, struct request *request, struct str cursor, int64_t total)
{
	CLEANUP(buf_clear) struct buf link = BUF_UNLIMITED;

	jsonw_list_end(json);
	jsonw_key(json, "next_cursor");
	if (cursor.len) {
		jsonw_str(json, cursor);
		put_next_address(&link, request, cursor);
		reply_header(reply, "Link", arena_keep(&request->arena, buf_str(&link)));
	} else {
		jsonw_raw(json, STR("null"));
	}
	if (total >= 0)
		jsonw_key_number(json, "total", total);
	jsonw_object_end(json);
}

void answer_end_numbered_list(
	struct jsonw *json, struct reply *reply, struct request *request, uint64_t last, int64_t total)
{
	struct str cursor = last ? arena_printf(&request->arena, "%llu", (unsigned long long)last) : STR("");

	answer_end_list(json, reply, request, cursor, total);
}

int answer_take_cursor(const struct request *request, uint64_t *ret, struct err *err)
{
	struct str cursor = request_value(request, "cursor");

	*ret = 0;
	if (!cursor.len || (decimal_unsigned(cursor, ret) && *ret && *ret <= INT64_MAX))
		return 0;
	return answer_no_cursor(err);
}

int answer_no_cursor(struct err *err)
{
	err_set(err, ERR_VALUE, "the cursor is none that this service gave");
	return err_hint(err, "take next_cursor of the page before");
}

static bool is_selected(const cJSON *fields, const char *name)
{
	const cJSON *field;

	cJSON_ArrayForEach(field, fields)
	{
		if (strcmp(field->valuestring, name) == 0)
			return true;
	}
	return false;
}

static void select_members(cJSON *item, const cJSON *fields)
{
	for (cJSON *member = item->child, *next; member; member = next) {
		next = member->next;
		if (!is_selected(fields, member->string))
			cJSON_Delete(cJSON_DetachItemViaPointer(item, member));
	}
}

void answer_select_fields(const struct request *request, struct buf *body)
{
	struct str rest = request_value(request, "fields"), name;
	cJSON *list = cJSON_ParseWithLength(buf_text(body), body->len);
	cJSON *fields = cJSON_AddArrayToObject(list, "fields"), *item;
	char *text;

	while (rest.len && str_cut(&rest, ',', &name))
		cJSON_AddItemToArray(fields, cJSON_CreateString(shown(name).text));
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(list, "items")) select_members(item, fields);
	text = cJSON_PrintUnformatted(list);
	buf_reset(body);
	buf_add(body, str_from(text ? text : ""));
	cJSON_free(text);
	cJSON_Delete(list);
}

/* --- what is not there */

int answer_missing(struct err *err, const char *what)
{
	err_set(err, ERR_ADDRESS, "there is no such %s", what);
	return err_hint(err, "/help and /openapi.json list what there is");
}

int answer_find_model(const struct service *service, struct request *request, struct str *ret_project,
	struct standing_list *ret_branches, struct err *err)
{
	enum { BRANCHES_MOST = 100 };
	struct trend_query query = { .model = request->capture, .max = BRANCHES_MOST };
	struct run_query newest = { .page.max = 1, .model = query.model };
	struct run_list runs;
	int status = answer_take_project(request, ret_project, err);

	query.project = *ret_project;
	if (!status)
		status = store_list_branches(service->store, &query, &request->arena, ret_branches, err);
	if (status || ret_branches->count)
		return status;
	if (query.project.len)
		return answer_missing(err, "model");
	status = store_list_runs(service->store, &newest, &request->arena, &runs, err);
	if (status)
		return status;
	if (!runs.count)
		return answer_missing(err, "model");
	*ret_project = query.project = runs.items[0].project;
	status = store_list_branches(service->store, &query, &request->arena, ret_branches, err);
	return status || ret_branches->count ? status : answer_missing(err, "model");
}

int answer_changed(int status, const char *what, struct reply *reply, struct err *err)
{
	if (status == 0)
		return answer_missing(err, what);
	if (status == 1)
		reply_start(reply, STATUS_NO_CONTENT, NULL);
	return status < 0 ? status : 0;
}

/* --- what an address names */

enum { SHOWN_IDS = 6, SHOWN_LETTERS = 20 };

int answer_take_project(const struct request *request, struct str *ret, struct err *err)
{
	struct str given = request_value(request, "project"), own = request->caller.project;

	*ret = own.len ? own : given;
	if (!own.len || !given.len || str_eq(own, given))
		return 0;
	err_set(err, ERR_SCOPE, "the token is for another project");
	return err_hint(err, "leave project out, or ask the operator of the service for a token of that one");
}

static bool is_beginning(struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!strchr("0123456789abcdef", text.ptr[i]))
			return false;
	}
	return text.len >= ID_SHORTEST;
}

static int several_begin(struct str begin, const struct str *ids, size_t count, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_UNLIMITED;

	for (size_t i = 0; i < count && i < SHOWN_IDS; i++)
		buf_printf(&list, "%s%.*s", i ? ", " : "",
			(int)(ids[i].len < SHOWN_LETTERS ? ids[i].len : SHOWN_LETTERS), ids[i].ptr);
	err_set(err, ERR_PREFIX, "several ids begin with %.*s", STR_ARG(begin));
	return err_hint(err, "they are %s%s", buf_text(&list), count > SHOWN_IDS ? " and more" : "");
}

int answer_resolve(const struct service *service, struct request *request, struct str begin,
	struct stored_assessment *ret, struct err *err)
{
	struct stored_assessment found[SHOWN_IDS + 1];
	struct str ids[SHOWN_IDS + 1];
	struct id_like like = { begin, request->caller.project, ARRAY_SIZE(found) };
	int count = is_beginning(begin) ? store_find_like(service->store, &like, &request->arena, found, err) : 0;

	if (count < 1)
		return count ? count : answer_missing(err, "assessment");
	*ret = found[0];
	for (int i = 0; i < count; i++)
		ids[i] = found[i].id;
	return count > 1 ? several_begin(begin, ids, (size_t)count, err) : 0;
}

int answer_find(const struct service *service, struct request *request, struct stored_assessment *ret, struct err *err)
{
	int status = answer_resolve(service, request, request->capture, ret, err);

	if (!status)
		request->capture = ret->id;
	return status;
}

int answer_find_run(const struct service *service, struct request *request, struct run *ret, struct err *err)
{
	struct run found[SHOWN_IDS + 1];
	struct str ids[SHOWN_IDS + 1];
	struct id_like like = { request->capture, request->caller.project, ARRAY_SIZE(found) };
	int count = is_beginning(like.begin) ? store_find_runs(service->store, &like, &request->arena, found, err) : 0;

	if (count < 1)
		return count ? count : answer_missing(err, "run");
	*ret = found[0];
	request->capture = ret->id;
	for (int i = 0; i < count; i++)
		ids[i] = found[i].id;
	return count > 1 ? several_begin(like.begin, ids, (size_t)count, err) : 0;
}

/* --- the support database */

int answer_take_targets(const struct request *request, const struct opdb *db, struct target_list *ret, struct err *err)
{
	struct str *given;
	size_t count = request_values(request, "target", &given);
	int status = targets_choose(
		db, &(struct target_question){ given, count, request_value(request, "torch") }, ret, err);

	free(given);
	return status;
}

int answer_open_db(const struct service *service, struct opdb **ret, struct err *err)
{
	if (service->databases)
		return databases_take(service->databases, ret, err);
	return database_open_at(service->db_path, &service->overlays, service->limits, ret, err);
}

void answer_close_db(const struct service *service, struct opdb *db)
{
	if (service->databases)
		databases_give_back(service->databases, db);
	else
		opdb_close(db);
}

int answer_with_db(const struct service *service, struct request *request, struct reply *reply, struct err *err,
	int (*put)(const struct opdb *db, struct request *request, struct reply *reply, struct err *err))
{
	struct opdb *db;
	int status = answer_open_db(service, &db, err);

	if (status)
		return status;
	status = put(db, request, reply, err);
	answer_close_db(service, db);
	return status;
}
