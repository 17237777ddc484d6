/* Projects: what one has submitted and accepted. */
#include "server/api/handlers.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "server/http/answer.h"
#include "server/service/find.h"
#include "server/service/project.h"
#include "server/service/run_json.h"
#include "server/service/run_words.h"
#include "store/project.h"
#include "store/run_list.h"

/* The project that the address names. */
static int find_project(const struct request *request, struct str *ret, struct err *err)
{
	struct str own = request->caller.project;

	*ret = request->capture;
	if (!own.len || str_eq(own, *ret))
		return 0;
	err_set(err, ERR_SCOPE, "the token is for another project");
	return err_hint(err, "ask the operator of the service for a token of that one");
}

/* --- one */

static void put_links(struct jsonw *json, struct str project)
{
	static const char *const lists[] = { "runs", "models", "fleet", "demand" };
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	url_put(&name, project);
	jsonw_key_object(json, "links");
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		jsonw_key(json, lists[i]);
		jsonw_fill(json, "'/api/v1/$?project=$'", str_from(lists[i]), buf_str(&name));
	}
	jsonw_fill(json, "'waivers': '/api/v1/projects/$/waivers'}", buf_str(&name));
}

int answer_project(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct run_query query = { .page = { .max = 1 } };
	struct project_waivers waivers;
	struct run_list newest;
	struct jsonw json;
	int status = find_project(request, &query.page.project, err);

	if (!status)
		status = store_list_runs(service->store, &query, &request->arena, &newest, err);
	if (!status)
		status = store_project_waivers(service->store, request->capture, &request->arena, &waivers, err);
	if (status)
		return status;
	if (!newest.count && !waivers.text.len)
		return no_such(err, "project");
	answer_json(reply, STATUS_OK);
	json = jsonw_start(&reply->body, 1);
	jsonw_fill(&json, "{'name': $", request->capture);
	jsonw_key_number(&json, "runs", (int64_t)newest.total);
	jsonw_key(&json, "newest_run");
	if (newest.count)
		record_put(&json, &run_record, newest.items);
	else
		jsonw_raw(&json, STR("null"));
	jsonw_fill(&json, "'waivers': {'sha256': $", str_from(waivers.sha256));
	jsonw_key_number(&json, "bytes", (int64_t)waivers.text.len);
	jsonw_object_end(&json);
	put_links(&json, request->capture);
	jsonw_object_end(&json);
	return 0;
}

/* --- waivers */

int answer_waivers(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	struct project_waivers waivers;
	struct str project;
	int status = find_project(request, &project, err);

	if (!status)
		status = store_project_waivers(service->store, project, &request->arena, &waivers, err);
	if (status)
		return status;
	reply_start(reply, STATUS_OK, "text/plain; charset=utf-8");
	buf_add(&tag, str_from(waivers.sha256));
	if (!reply_is_unchanged(reply, request, &tag, CACHE_CHECK))
		buf_add(&reply->body, waivers.text);
	return 0;
}

/* Compare the tag that the client sends with that of the text it would replace. */
static int check_condition(const struct request *request, const struct project_waivers *waivers, struct err *err)
{
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	struct str known = request->headers[HEADER_IF_MATCH];

	if (!known.ptr) {
		err_set(err, ERR_UNCONDITIONAL, "a change needs If-Match");
		return err_hint(err, "read the waivers first, and send their ETag with the change");
	}
	buf_printf(&tag, "\"%s\"", waivers->sha256);
	return reply_names_tag(known, buf_str(&tag)) ? 0 : project_waivers_changed(err);
}

int answer_set_waivers(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct str text = request_value(request, "waivers"), file_name;
	struct waivers_change change = { .text = STR("") };
	struct project_waivers waivers;
	int status = find_project(request, &change.project, err);

	if (text.len && str_cut(&text, '\n', &file_name))
		change.text = text;
	if (!status)
		status = run_check_word("project", change.project, err);
	if (!status)
		status = store_project_waivers(service->store, change.project, &request->arena, &waivers, err);
	if (!status)
		status = check_condition(request, &waivers, err);
	change.before = str_from(waivers.sha256);
	if (!status)
		status = project_set_waivers(service, &change, err);
	if (status)
		return status;
	request->headers[HEADER_IF_NONE_MATCH] = (struct str){ 0 };
	return answer_waivers(service, request, reply, err);
}
