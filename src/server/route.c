#include "server/route.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "base/value/utf8.h"
#include "check/asked/terms.h"
#include "report/render.h"
#include "server/answer.h"
#include "server/handlers.h"
#include "server/page_handlers.h"

#define API "/api/v1"

const struct route routes[] = {
	{ "POST", API "/assessments", "name target torch baseline project model branch commit tag wait lang",
		answer_submit, false, SCOPE_SUBMIT, .texts = "waivers", .terms = true },
	{ "GET", API "/jobs/{job}", "lang", answer_job, false },
	{ "DELETE", API "/jobs/{job}", "lang", answer_cancel, false, SCOPE_SUBMIT },
	{ "GET", API "/assessments", "limit cursor fields lang", answer_assessments, false,
		.fields = "id created_at name input options db tool targets links" },
	{ "GET", API "/assessments/{id}", "lang", answer_assessment, false },
	{ "PATCH", API "/assessments/{id}", "kept lang", answer_keep, false, SCOPE_SUBMIT },
	{ "DELETE", API "/assessments/{id}", "lang", answer_remove, false, SCOPE_ADMIN },
	{ "GET", API "/assessments/{id}/report", "lang", answer_report, false, .formats = true },
	{ "GET", API "/assessments/{id}/all_ops.txt", "lang", answer_list, false },
	{ "GET", API "/assessments/{id}/dynamic_ops.txt", "lang", answer_list, false },
	{ "GET", API "/assessments/{id}/advice", "lang", answer_beside, false },
	{ "GET", API "/assessments/{id}/buckets", "lang", answer_beside, false },
	{ "GET", API "/runs", "project model branch tag verdict q sort limit cursor fields lang", answer_runs, false,
		.fields = "id created_at project name model branch commit tags kept verdict assessment input targets "
			  "links" },
	{ "GET", API "/runs/{run}", "lang", answer_run, false },
	{ "POST", API "/runs/{run}/judgement", "wait lang", answer_judge_again, false, SCOPE_SUBMIT },
	{ "PATCH", API "/runs/{run}", "name tag kept lang", answer_change_run, false, SCOPE_SUBMIT },
	{ "DELETE", API "/runs/{run}", "lang", answer_remove_run, false, SCOPE_ADMIN },
	{ "GET", API "/projects/{project}", "lang", answer_project, false },
	{ "GET", API "/projects/{project}/waivers", "lang", answer_waivers, false },
	{ "PUT", API "/projects/{project}/waivers", "lang", answer_set_waivers, false, SCOPE_SUBMIT, .texts = "waivers",
		.text = true },
	{ "GET", API "/models", "project model branch limit cursor fields lang", answer_models, false,
		.fields = "run created_at project model branch commit targets" },
	{ "PATCH", API "/models/{model}", "project name kept lang", answer_change_model, false, SCOPE_SUBMIT },
	{ "DELETE", API "/models/{model}", "project lang", answer_remove_model, false, SCOPE_ADMIN },
	{ "GET", API "/fleet", "project model branch target verdict q limit cursor fields lang", answer_fleet, false,
		.fields = "project model branch targets" },
	{ "GET", API "/demand", "project target limit cursor fields lang", answer_demand, false,
		.fields = "target operator status runs models mean_time_share" },
	{ "GET", API "/demand.md", "project target limit lang", answer_demand_draft, false },
	{ "GET", API "/targets", "lang", answer_targets, false },
	{ "GET", API "/operators", "q target torch limit cursor fields lang", answer_operators, false,
		.fields = "name statuses", .aside = true },
	{ "GET", API "/operators/{name}", "target torch lang", answer_operator, false },
	{ "GET", API "/compare", "a b fail_on lang", answer_compare, false },
	{ "GET", API "/version", "lang", answer_version, false },
	{ "GET", API "/audit", "limit cursor fields lang", answer_audit, false, SCOPE_ADMIN,
		.fields = "at who address action subject status request_id" },
	{ "GET", "/openapi.json", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/healthz", "", answer_alive, false, SCOPE_OPEN },
	{ "GET", "/readyz", "", answer_ready, false, SCOPE_OPEN },
	{ "GET", "/", "cursor lang", page_home, true },
	{ "GET", "/assessments/{id}", "lang", page_assessment, true },
	{ "GET", "/fleet", "project cursor lang", page_fleet, true },
	{ "GET", "/demand", "project target lang", page_demand, true },
	{ "POST", "/example", "lang", answer_example, true, SCOPE_SUBMIT, true },
	{ "GET", "/models", "q project cursor lang", page_models, true },
	{ "GET", "/models/{model}", "project branch view lang", page_model, true },
	{ "POST", "/models/{model}", "project name kept remove lang", answer_model_form, true, SCOPE_SUBMIT, true },
	{ "GET", "/models/{model}/badge.svg", "project branch lang", answer_model_badge, false },
	{ "GET", "/runs/{run}", "lang", page_run, true },
	{ "POST", "/runs/{run}", "name tag kept remove lang", answer_run_form, true, SCOPE_SUBMIT, true },
	{ "GET", "/compare", "a b fail_on lang", page_compare, true },
	{ "GET", "/targets", "from to lang", page_targets, true, .aside = true },
	{ "GET", "/operators", "q status target cursor lang", page_operators, true, .aside = true },
	{ "GET", "/operators/{name}", "target torch lang", page_operator, true },
	{ "GET", "/metrics", "", answer_metrics, false },
	{ "GET", "/login", "next lang", page_login, true, SCOPE_OPEN },
	{ "POST", "/login", "next lang", answer_login, true, SCOPE_OPEN, true },
	{ "POST", "/logout", "lang", answer_logout, true, SCOPE_OPEN, true },
	{ "GET", "/help", "lang", page_help, true, SCOPE_OPEN },
	{ "GET", "/tokens", "lang", page_tokens, true, SCOPE_ADMIN },
	{ "POST", "/tokens", "name scope project expires lang", answer_token_form, true, SCOPE_ADMIN, true },
	{ "POST", "/tokens/{token}", "sure lang", answer_token_end, true, SCOPE_ADMIN, true },
	{ "GET", "/queue", "lang", page_queue, true, SCOPE_ADMIN },
	{ "POST", "/queue/{job}", "sure lang", answer_queue_form, true, SCOPE_ADMIN, true },
	{ "GET", "/problems/{code}", "lang", page_problem, true, SCOPE_OPEN },
	{ "GET", "/assets/app.css", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/assets/app.js", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/assets/report.css", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/assets/report.js", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/assets/example.log", "v", answer_asset, false, SCOPE_OPEN },
	{ "GET", "/assets/icon.svg", "v", answer_asset, false, SCOPE_OPEN },
};
const size_t route_count = ARRAY_SIZE(routes);

/* --- matching */

/* *ret_capture is what stood for the pattern's {name}, still encoded: a segment that is not empty. */
static bool pattern_matches(const char *pattern, struct str path, struct str *ret_capture)
{
	const char *at = path.ptr, *end = path.ptr + path.len;
	size_t fixed = strcspn(pattern, "{");

	*ret_capture = STR("");
	if (fixed > path.len || memcmp(pattern, at, fixed) != 0)
		return false;
	at += fixed;
	for (pattern += fixed; *pattern; pattern++, at++) {
		struct str rest = { at, (size_t)(end - at) };

		if (*pattern != '{') {
			if (at == end || *at != *pattern)
				return false;
			continue;
		}
		if (!str_cut(&rest, '/', ret_capture) || !ret_capture->len)
			return false;
		at += ret_capture->len - 1;
		pattern = strchr(pattern, '}');
	}
	return at == end;
}

/* "/report.csv" is the address "/report" of a route that has formats. */
static struct str bare_path(const struct route *route, struct str path)
{
	const struct renderer *format = route->formats ? renderer_of_path(path) : NULL;

	return format ? str_chop(path, strlen(format->suffix)) : path;
}

static bool route_matches(const struct route *route, struct str path, struct str *ret_capture)
{
	return pattern_matches(route->pattern, bare_path(route, path), ret_capture);
}

static bool has_method(const struct route *route, struct str method)
{
	return str_eq(method, str_from(route->method)) ||
	       (str_eq(method, STR("HEAD")) && strcmp(route->method, "GET") == 0);
}

/* The route of an address with this method, or NULL; any method: the first route of the address. */
static const struct route *find_route(struct str path, const struct str *method, struct str *ret_capture)
{
	for (size_t i = 0; i < route_count; i++) {
		if (route_matches(&routes[i], path, ret_capture) && (!method || has_method(&routes[i], *method)))
			return &routes[i];
	}
	return NULL;
}

struct str route_methods(struct request *request)
{
	CLEANUP(buf_clear) struct buf methods = BUF_UNLIMITED;
	struct str ignored;

	for (size_t i = 0; i < route_count; i++) {
		if (route_matches(&routes[i], request->path, &ignored))
			buf_printf(
				&methods, "%s%s, ", routes[i].method, strcmp(routes[i].method, "GET") ? "" : ", HEAD");
	}
	buf_add(&methods, STR("OPTIONS"));
	return arena_keep(&request->arena, buf_str(&methods));
}

bool route_is_page(struct str path)
{
	struct str ignored;
	const struct route *route = find_route(path, NULL, &ignored);

	return route ? route->page : !str_starts(path, STR("/api/"));
}

static void put_parameters(struct buf *buf, const struct route *route)
{
	char space[TERM_NAME_BYTES];

	buf_add(buf, str_from(route->parameters));
	for (size_t i = 0; i < term_count && route->terms; i++)
		buf_printf(buf, " %s", term_parameter(&term_table[i], space));
}

const char *route_parameters(struct request *request)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!request->route->terms)
		return request->route->parameters;
	put_parameters(&text, request->route);
	return arena_keep(&request->arena, buf_str(&text)).ptr;
}

static void put_route(struct buf *buf, const struct route *route, const char *suffix)
{
	buf_printf(buf, "%s %s%s%s", route->method, route->pattern, suffix, route->parameters[0] ? " " : "");
	put_parameters(buf, route);
	buf_byte(buf, '\n');
}

void route_put_table(struct buf *buf)
{
	for (size_t i = 0; i < route_count; i++) {
		put_route(buf, &routes[i], "");
		for (size_t j = 0; j < renderer_count && routes[i].formats; j++)
			put_route(buf, &routes[i], renderers[j].suffix);
	}
}

/* --- a request */

static int no_such_route(struct request *request, struct err *err)
{
	struct str ignored;

	if (!find_route(request->path, NULL, &ignored)) {
		err_set(err, ERR_ADDRESS, "there is nothing at %s", shown(request->path).text);
		return err_hint(err, "/help and /openapi.json list what there is");
	}
	err_set(err, ERR_METHOD, "%s is not possible here", shown(request->method).text);
	return err_hint(err, "use %.*s", STR_ARG(route_methods(request)));
}

static int check_fields(const struct request *request, struct err *err)
{
	struct str rest = request_value(request, "fields"), name;

	while (request->route->fields && rest.len && str_cut(&rest, ',', &name)) {
		struct str known = str_from(request->route->fields), field = { 0 };

		while (known.len && !(field.ptr && str_eq(field, name)))
			str_cut(&known, ' ', &field);
		if (str_eq(field, name))
			continue;
		err_set(err, ERR_VALUE, "the items have no member '%s'", shown(name).text);
		return err_hint(err, "they have %s", request->route->fields);
	}
	return 0;
}

int route_begin(struct request *request, struct err *err)
{
	int status = request_settle_lang(request, err);
	struct str capture;

	if (status)
		return status;
	if (str_eq(request->method, STR("OPTIONS")) && find_route(request->path, NULL, &capture))
		return 0;
	request->route = find_route(request->path, &request->method, &capture);
	if (!request->route)
		return no_such_route(request, err);
	if (!url_decode(capture, &request->arena, &request->capture)) {
		err_set(err, ERR_VALUE, "the address has a broken escape");
		return err_hint(err, "write bytes as %%XX, and no NUL");
	}
	status = request_check_names(request, route_parameters(request), err);
	return status ? status : check_fields(request, err);
}

int route_answer(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	enum { NO_CONTENT = 204 };
	int status;

	if (!request->route) { /* OPTIONS */
		reply_start(reply, NO_CONTENT, NULL);
		reply_header(reply, "Allow", route_methods(request));
		return 0;
	}
	status = request->route->answer(service, request, reply, err);
	if (!status && request->route->fields && request_value(request, "fields").len)
		answer_select_fields(request, &reply->body);
	return status;
}
