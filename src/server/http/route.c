#include "server/http/route.h"

#include "base/memory/mem.h"
#include "base/value/url.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "check/asked/terms.h"
#include "report/render.h"
#include "server/http/answer.h"

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
static const struct route *find_route(
	const struct route_table *routes, struct str path, const struct str *method, struct str *ret_capture)
{
	return FIND(i, routes->items, routes->count,
		route_matches(&routes->items[i], path, ret_capture) &&
			(!method || has_method(&routes->items[i], *method)));
}

struct str route_methods(struct request *request)
{
	CLEANUP(buf_clear) struct buf methods = BUF_UNLIMITED;
	struct str ignored;

	for (size_t i = 0; i < request->routes->count; i++) {
		const struct route *route = &request->routes->items[i];

		if (route_matches(route, request->path, &ignored))
			buf_printf(&methods, "%s%s, ", route->method, strcmp(route->method, "GET") ? "" : ", HEAD");
	}
	buf_add(&methods, STR("OPTIONS"));
	return arena_keep(&request->arena, buf_str(&methods));
}

bool route_is_page(const struct request *request)
{
	struct str ignored;
	const struct route *route = find_route(request->routes, request->path, NULL, &ignored);

	return route ? route->page : !str_starts(request->path, STR("/api/"));
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

void route_put_table(const struct route_table *routes, struct buf *buf)
{
	for (size_t i = 0; i < routes->count; i++) {
		put_route(buf, &routes->items[i], "");
		for (size_t j = 0; j < renderer_count && routes->items[i].formats; j++)
			put_route(buf, &routes->items[i], renderers[j].suffix);
	}
}

/* --- a request */

static int no_such_route(struct request *request, struct err *err)
{
	struct str ignored;

	if (!find_route(request->routes, request->path, NULL, &ignored)) {
		err_set(err, ERR_ADDRESS, "unknown address %s", shown(request->path).text);
		return err_hint(err, "/help and /openapi.json list the addresses");
	}
	err_set(err, ERR_METHOD, "this address does not allow %s", shown(request->method).text);
	return err_hint(err, "use %.*s", STR_ARG(route_methods(request)));
}

static int check_fields(const struct request *request, struct err *err)
{
	struct str rest = request_value(request, "fields"), name;

	while (request->route->fields && rest.len && str_cut(&rest, ',', &name)) {
		if (str_has_word(str_from(request->route->fields), name))
			continue;
		err_set(err, ERR_VALUE, "the items have no member '%s'", shown(name).text);
		return err_hint(err, "they have %s", request->route->fields);
	}
	return 0;
}

int route_begin(struct request *request, struct err *err)
{
	int status = request_resolve_lang(request, err);
	struct str capture;

	if (status)
		return status;
	if (str_eq(request->method, STR("OPTIONS")) && find_route(request->routes, request->path, NULL, &capture))
		return 0;
	request->route = find_route(request->routes, request->path, &request->method, &capture);
	if (!request->route)
		return no_such_route(request, err);
	if (!url_decode(capture, &request->arena, &request->captured)) {
		err_set(err, ERR_VALUE, "the address has an invalid escape");
		return err_hint(err, "write bytes as %%XX, and no NUL");
	}
	request->capture = request->captured;
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
	request->capture = request->captured; /* a handler that is called again may have completed it */
	status = request->route->answer(service, request, reply, err);
	if (!status && request->route->fields && request_value(request, "fields").len)
		answer_select_fields(request, &reply->body);
	return status;
}
