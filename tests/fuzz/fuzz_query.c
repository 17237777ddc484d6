/* A query and a Prefer header: parameters are decoded once or refused, and what a client prefers is a number of seconds. */
#include "server/http/header.h"
#include "server/http/negotiate.h"
#include "server/http/request.h"
#include "tests/fuzz/fuzz.h"

static void add_query(struct request *request, struct str query)
{
	struct str pair, name;
	struct err err = { 0 };

	while (str_cut(&query, '&', &pair)) {
		str_cut(&pair, '=', &name);
		if (request_add_encoded(request, name, pair.ptr ? pair : STR(""), &err))
			HOLD(err.code == ERR_VALUE && !strpbrk(err.text, "\x1b\n"));
	}
}

static void hold_values(struct request *request)
{
	struct err err = { 0 };
	int64_t seconds;
	size_t number;

	if (request_wait(request, &seconds, &err) == 0)
		HOLD(seconds >= -1 && seconds <= INT32_MAX);
	if (request_limit(request, &number, &err) == 0)
		HOLD(number >= 1 && number <= 1000);
	HOLD(request_resolve_lang(request, &err) == 0 || err.code == ERR_VALUE);
	HOLD(request_check_names(request, "wait limit lang", &err) <= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size), query;
	struct request request;

	request_init(&request);
	str_cut(&text, '\n', &query);
	str_cut(&text, '\n', &request.headers[HEADER_PREFER]);
	request.headers[HEADER_ACCEPT_LANGUAGE] = text;
	add_query(&request, query);
	hold_values(&request);
	HOLD(negotiate_gzip(text) == negotiate_gzip(text));
	request_clear(&request);
	return 0;
}
