#include "server/http/answer.h"

#include <cjson/cJSON.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/url.h"
#include "base/value/utf8.h"

void answer_json(struct reply *reply, unsigned status)
{
	reply_start(reply, status, MEDIA_JSON);
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
}

/* --- lists */

/* The address of the next page: this one with another cursor. */
static void put_next_address(struct buf *buf, const struct request *request, struct str cursor)
{
	buf_printf(buf, "<%.*s?", STR_ARG(request->path));
	parameters_put(buf, &request->parameters, "cursor");
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

void answer_end_list(struct jsonw *json, struct reply *reply, struct request *request, const struct list_end *end)
{
	enum { LINK_BYTES = 2500 }; /* proxies read heads of 4 KiB */
	CLEANUP(buf_clear) struct buf link = BUF_UNLIMITED;

	jsonw_list_end(json);
	jsonw_key(json, "next_cursor");
	if (end->cursor.len) {
		jsonw_str(json, end->cursor);
		put_next_address(&link, request, end->cursor);
		if (link.len <= LINK_BYTES)
			reply_header(reply, "Link", arena_keep(&request->arena, buf_str(&link)));
	} else {
		jsonw_raw(json, STR("null"));
	}
	if (end->total >= 0)
		jsonw_key_number(json, "total", end->total);
	if (end->more_than_total)
		jsonw_key_bool(json, "more_than_total", true);
	jsonw_object_end(json);
}

void answer_end_numbered_list(
	struct jsonw *json, struct reply *reply, struct request *request, uint64_t last, int64_t total)
{
	struct str cursor = last ? arena_printf(&request->arena, "%llu", (unsigned long long)last) : STR("");

	answer_end_list(json, reply, request, &(struct list_end){ cursor, total, false });
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
	err_set(err, ERR_VALUE, "the cursor is invalid");
	return err_hint(err, "use next_cursor of the previous page");
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

int answer_take_project(const struct request *request, struct str *ret, struct err *err)
{
	struct str given = request_value(request, "project"), own = request->caller.project;

	*ret = own.len ? own : given;
	if (!own.len || !given.len || str_eq(own, given))
		return 0;
	err_set(err, ERR_SCOPE, "the token is for another project");
	return err_hint(err, "leave project out, or ask the operator of the service for a token of that one");
}
