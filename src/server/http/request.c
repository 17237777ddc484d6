#include "server/http/request.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/value/decimal.h"
#include "base/value/nearest.h"
#include "base/value/url.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "server/http/negotiate.h"

/* The system is asked for many at a time. */
static uint64_t random_number(void)
{
	static _Thread_local uint64_t numbers[32];
	static _Thread_local size_t left;

	if (!left) {
		if (getrandom(numbers, sizeof(numbers), 0) != sizeof(numbers))
			abort(); /* not for 256 bytes once the system is up */
		left = ARRAY_SIZE(numbers);
	}
	return numbers[--left];
}

void request_init(struct request *request)
{
	uint64_t number = random_number();

	*request = (struct request){ .arena = ARENA_INIT(ARENA_UNLIMITED), .key.owner = STR(""), .subject = STR("") };
	for (size_t i = REQUEST_ID_BYTES - 1; i-- > 0; number >>= 4)
		request->id[i] = "0123456789abcdef"[number & 0xf];
}

void request_clear(struct request *request)
{
	free(request->parameters.items);
	arena_clear(&request->arena);
}

/* --- parameters */

void request_add(struct request *request, struct str name, struct str value)
{
	MEM_PUSH(&request->parameters, ((struct parameter){ name, value }));
}

int request_add_encoded(struct request *request, struct str name, struct str value, struct err *err)
{
	struct str plain_name, plain_value;

	if (!url_decode(name, &request->arena, &plain_name) || !url_decode(value, &request->arena, &plain_value)) {
		err_set(err, ERR_VALUE, "the query has an invalid escape in '%s'", shown(name).text);
		return err_hint(err, "write bytes as %%XX, and no NUL");
	}
	request_add(request, plain_name, plain_value);
	return 0;
}

int request_check_name(const char *known, struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);
	struct str rest = str_from(known), word;

	if (str_has_word(rest, name))
		return 0;
	err_set(err, ERR_OPTION, "unknown parameter '%s'", shown(name).text);
	while (str_cut(&rest, ' ', &word))
		nearest_offer(&nearest, word);
	if (nearest.count)
		return err_hint(err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	return err_hint(err, known[0] ? "known here: %s" : "this address takes no parameters", known);
}

int request_check_names(const struct request *request, const char *known, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < request->parameters.count && !status; i++)
		status = request_check_name(known, request->parameters.items[i].name, err);
	return status;
}

bool request_has(const struct request *request, const char *name)
{
	return ANY(i, request->parameters.count, str_eq(request->parameters.items[i].name, str_from(name)));
}

struct str request_value(const struct request *request, const char *name)
{
	return parameters_value(&request->parameters, name);
}

int request_limit(const struct request *request, size_t *ret, struct err *err)
{
	enum { LISTED = 100, MOST_LISTED = 1000 };
	struct str text = request_value(request, "limit");
	uint64_t number = LISTED;

	if (text.len && (!decimal_unsigned(text, &number) || number < 1 || number > MOST_LISTED)) {
		err_set(err, ERR_VALUE, "'%s' is not a value of limit", shown(text).text);
		return err_hint(err, "give a whole number from 1 to %d", MOST_LISTED);
	}
	*ret = (size_t)number;
	return 0;
}

int request_resolve_lang(struct request *request, struct err *err)
{
	struct str given = request_value(request, "lang");

	request->lang = negotiate_lang(request->headers[HEADER_ACCEPT_LANGUAGE]);
	if (!given.len)
		return 0;
	request->lang_given = lang_from(given, &request->lang);
	if (request->lang_given)
		return 0;
	err_set(err, ERR_VALUE, "no language '%s'", shown(given).text);
	return err_hint(err, "use en or zh-CN");
}

int request_wait(const struct request *request, int64_t *ret_seconds, struct err *err)
{
	struct str given = request_value(request, "wait"), prefer = request->headers[HEADER_PREFER], item;
	uint64_t seconds;

	*ret_seconds = -1;
	if (given.len && (!decimal_unsigned(given, &seconds) || seconds > INT32_MAX)) {
		err_set(err, ERR_VALUE, "'%s' is not a value of wait", shown(given).text);
		return err_hint(err, "give a whole number of seconds");
	}
	if (given.len)
		*ret_seconds = (int64_t)seconds;
	while (!given.len && str_cut(&prefer, ',', &item)) {
		item = str_trim(item);
		if (str_eq_fold(item, STR("respond-async")) && *ret_seconds < 0)
			*ret_seconds = 0;
		else if (str_starts(item, STR("wait=")) && decimal_unsigned(str_skip(item, 5), &seconds) &&
			 seconds <= INT32_MAX)
			*ret_seconds = (int64_t)seconds;
	}
	return 0;
}

bool request_wants_html(const struct request *request, bool page)
{
	static const char *const data_first[] = { "application/json", "application/problem+json", "text/html" };
	static const char *const page_first[] = { "text/html", "application/problem+json", "application/json" };

	if (page)
		return negotiate_type(request->headers[HEADER_ACCEPT], page_first, ARRAY_SIZE(page_first)) == 0;
	return negotiate_type(request->headers[HEADER_ACCEPT], data_first, ARRAY_SIZE(data_first)) ==
	       ARRAY_SIZE(data_first) - 1;
}

/* --- where it comes from */

bool request_changes(const struct request *request)
{
	static const char *const safe[] = { "GET", "HEAD", "OPTIONS" };

	return ALL(i, ARRAY_SIZE(safe), !str_eq(request->method, str_from(safe[i])));
}

/* "https://host:port" and the Host header of the same site. A service behind a proxy that ends TLS sees another
   scheme. */
static bool is_own_origin(const struct request *request)
{
	struct str origin = request->headers[HEADER_ORIGIN], host = request->headers[HEADER_HOST];
	size_t scheme = str_find(origin, STR("://"));

	return scheme != STR_NONE && host.ptr && str_eq_fold(str_skip(origin, scheme + 3), host);
}

int request_check_origin(const struct request *request, struct err *err)
{
	struct str site = request->headers[HEADER_SEC_FETCH_SITE];
	bool foreign = false;

	if (site.ptr)
		foreign = !str_eq(site, STR("same-origin")) && !str_eq(site, STR("none"));
	else if (request->headers[HEADER_ORIGIN].ptr)
		foreign = !is_own_origin(request);
	if (!foreign)
		return 0;
	err_set(err, ERR_ORIGIN, "the browser says that another site sent this");
	return err_hint(err, "use the form of this service; programs send no Origin");
}
