/* Submitting dumps, and the assessments that there are. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "store/submit.h"

enum { LISTED = 100, MOST_LISTED = 1000, NAME_BYTES = 255 };

/* --- submitting */

/* ?name=, else the name of the form's file, else what a dump without a name is called; directories left out. */
static int display_name(const struct request *request, struct str *ret, struct err *err)
{
	struct str name = request_value(request, "name"), part;

	if (!name.len)
		name = request->file_name;
	*ret = STR("");
	while (str_cut(&name, '/', &part)) {
		if (part.len)
			*ret = part;
	}
	if (!ret->len)
		*ret = STR("-");
	if (ret->len <= NAME_BYTES)
		return 0;
	err_set(err, ERR_VALUE, "the name of the dump has more than %d bytes", NAME_BYTES);
	return err_hint(err, "give a shorter one with ?name=");
}

/* All ?fail_on= as one list. */
static struct str gate_words_given(struct request *request)
{
	struct buf words = BUF_UNLIMITED;
	struct str *values, joined;
	size_t count = request_values(request, "fail_on", &values);

	for (size_t i = 0; i < count; i++)
		buf_printf(&words, "%s%.*s", i ? "," : "", STR_ARG(values[i]));
	joined = arena_keep(&request->arena, buf_str(&words));
	free(values);
	buf_clear(&words);
	return joined;
}

static int take_switch(const struct request *request, const char *name, bool *ret, struct err *err)
{
	struct str value = request_value(request, name);

	*ret = str_eq(value, STR("true"));
	if (*ret || !value.len || str_eq(value, STR("false")))
		return 0;
	return err_set(err, ERR_VALUE, "%s is true or false, not '%s'", name, shown(value).text);
}

static int take_stated(const struct request *request, struct stated *ret, struct err *err)
{
	struct str *types, uncovered = request_value(request, "max_uncovered_time");
	size_t count = request_values(request, "dtype", &types);
	int status = take_switch(request, "require_dtypes", &ret->require_dtypes, err);

	for (size_t i = 0; i < count && !status; i++)
		status = stated_set_types(ret, types[i], err);
	free(types);
	return status || !uncovered.len ? status : stated_set_uncovered(ret, uncovered, err);
}

static int submit(const struct service *service, struct request *request, struct record *ret, struct err *err)
{
	struct submission submission = { .upload = request->upload, .torch = request_value(request, "torch") };
	struct opdb *db = NULL;
	struct str *targets = NULL;
	int status = display_name(request, &submission.name, err);

	if (!status)
		status = take_stated(request, &submission.stated, err);
	if (!status)
		status = answer_open_db(service, &db, err);
	if (!status) {
		submission.target_count = request_values(request, "target", &targets);
		submission.targets = targets;
		submission.fail_on = gate_words_given(request);
		status = store_submit(service->store, db, &service->limits, &submission, &request->arena, ret, err);
	}
	free(targets);
	opdb_close(db);
	return status;
}

/* A browser that sent the form goes on to the page. */
static void redirect(struct request *request, struct reply *reply, const struct record *record)
{
	struct buf address = BUF_UNLIMITED;

	reply_start(reply, STATUS_SEE_OTHER, NULL);
	buf_printf(&address, "/assessments/%.*s", STR_ARG(record->id));
	if (request->lang_given)
		buf_printf(&address, "?lang=%.*s", STR_ARG(lang_name(request->lang)));
	reply_header_copy(reply, request, "Location", &address);
	buf_clear(&address);
}

int answer_submit(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct buf address = BUF_UNLIMITED;
	struct record record;
	struct jsonw json;
	int status;

	if (!request->upload) {
		err_set(err, ERR_ARGUMENT, "the form has no file");
		return err_hint(err, "send the dump as the body, or as the field 'file' of a form");
	}
	status = submit(service, request, &record, err);
	if (status < 0)
		return status;
	if (request_wants_html(request, false)) {
		redirect(request, reply, &record);
		return 0;
	}
	answer_json(reply, status ? STATUS_CREATED : STATUS_OK);
	buf_printf(&address, "/api/v1/assessments/%.*s", STR_ARG(record.id));
	reply_header_copy(reply, request, "Location", &address);
	buf_clear(&address);
	json = jsonw_start(&reply->body, 1);
	answer_put_record(&json, &record);
	return 0;
}

/* --- reading */

int answer_assessment(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct record record;
	struct jsonw json;
	struct buf tag = BUF_UNLIMITED;
	int status = answer_find(service, request, &record, err);

	if (status)
		return status;
	answer_json(reply, STATUS_OK);
	buf_add(&tag, record.id);
	json = jsonw_start(&reply->body, 1);
	if (!reply_is_unchanged(reply, request, &tag, CACHE_FOREVER))
		answer_put_record(&json, &record);
	buf_clear(&tag);
	return 0;
}

static void put_list(struct reply *reply, struct request *request, const struct record_list *list)
{
	struct jsonw json = jsonw_start(&reply->body, 2);
	char cursor[24] = "";

	jsonw_object(&json);
	jsonw_key(&json, "items");
	jsonw_list(&json);
	for (size_t i = 0; i < list->count; i++)
		answer_put_record(&json, &list->items[i]);
	jsonw_list_end(&json);
	if (list->more)
		snprintf(cursor, sizeof(cursor), "%llu", (unsigned long long)list->items[list->count - 1].number);
	answer_put_next(&json, reply, request, str_from(cursor));
	jsonw_key_number(&json, "total", (int64_t)list->total);
	jsonw_object_end(&json);
}

int answer_assessments(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct record_list list;
	uint64_t before;
	size_t limit;
	int status = request_number(request, "limit", MOST_LISTED, LISTED, &limit, err);

	if (!status)
		status = answer_take_cursor(request, &before, err);
	if (!status)
		status = store_list(service->store, before, limit, &request->arena, &list, err);
	if (status)
		return status;
	answer_json(reply, STATUS_OK);
	put_list(reply, request, &list);
	return 0;
}
