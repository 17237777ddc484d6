/* The route table and what is answered through it, without a socket. */
#include <stdio.h>

#include "server/http/problem.h"
#include "server/pages/problem_reply.h"
#include "server/routes.h"
#include "tests/unit/store_fixture.h"

/* One request from its head to its reply. */
struct exchange {
	struct request request;
	struct reply reply;
	struct err err;
	int begun; /* what route_begin answered */
};

static struct exchange ask(struct store_fixture *fixture, const char *method, const char *path)
{
	struct exchange exchange = { .err = { 0 } };

	request_init(&exchange.request);
	exchange.request.routes = &routes;
	exchange.request.method = str_from(method);
	exchange.request.path = str_from(path);
	exchange.begun = route_begin(&exchange.request, &exchange.err);
	if (exchange.begun || answer_here(fixture, &exchange.request, &exchange.reply, &exchange.err))
		problem_reply(&fixture->service, &exchange.request, &exchange.reply, &exchange.err);
	return exchange;
}

static void done(struct exchange *exchange)
{
	job_release(exchange->request.job);
	reply_clear(&exchange->reply);
	request_clear(&exchange->request);
}

static struct str header(const struct exchange *exchange, const char *name)
{
	for (size_t i = 0; i < exchange->reply.header_count; i++) {
		if (strcmp(exchange->reply.headers[i].name, name) == 0)
			return exchange->reply.headers[i].value;
	}
	return STR("");
}

static void every_address_answers(void **state)
{
	static const struct {
		const char *method, *path;
		unsigned status;
		const char *media_type; /* its beginning; NULL: no body */
	} cases[] = {
		{ "GET", "/", 200, "text/html" },
		{ "HEAD", "/", 200, "text/html" },
		{ "OPTIONS", "/", 204, NULL },
		{ "GET", "/healthz", 200, "text/plain" },
		{ "GET", "/readyz", 200, "text/plain" },
		{ "GET", "/compare", 200, "text/html" },
		{ "GET", "/api/v1/compare", 400, "application/problem+json" },
		{ "GET", "/targets", 200, "text/html" },
		{ "GET", "/operators", 200, "text/html" },
		{ "GET", "/operators/aten%3A%3Aadd", 200, "text/html" },
		{ "GET", "/operators/aten::add.Tensor", 200, "text/html" },
		{ "GET", "/operators/no_such_thing", 404, "text/html" },
		{ "GET", "/help", 200, "text/html" },
		{ "GET", "/problems/OPC-3005", 200, "text/html" },
		{ "GET", "/problems/OPC-9999", 404, "text/html" },
		{ "GET", "/assessments/none", 404, "text/html" },
		{ "GET", "/assessments/", 404, "text/html" },
		{ "GET", "/assessments/{id}", 404, "text/html" },
		{ "GET", "/models/a/badge.svgs", 404, "text/html" },
		{ "GET", "/openapi.json", 200, "application/json" },
		{ "GET", "/assets/app.css", 200, "text/css" },
		{ "GET", "/assets/icon.svg", 200, "image/svg+xml" },
		{ "GET", "/api/v1/targets", 200, "application/json" },
		{ "GET", "/api/v1/operators", 200, "application/json" },
		{ "GET", "/api/v1/operators/add", 200, "application/json" },
		{ "GET", "/api/v1/operators/nosuchthing", 404, "application/problem+json" },
		{ "GET", "/api/v1/version", 200, "application/json" },
		{ "GET", "/api/v1/assessments", 200, "application/json" },
		{ "GET", "/api/v1/assessments/none", 404, "application/problem+json" },
		{ "GET", "/api/v1/assessments/none/report", 404, "application/problem+json" },
		{ "GET", "/api/v1/assessments/none/report.csv", 404, "application/problem+json" },
		{ "GET", "/api/v1/assessments/none/report.xml", 404, "application/problem+json" },
		{ "POST", "/api/v1/assessments", 400, "application/problem+json" },
		{ "DELETE", "/api/v1/assessments", 405, "application/problem+json" },
		{ "POST", "/api/v1/targets", 405, "application/problem+json" },
		{ "get", "/", 405, "text/html" },
		{ "GET", "/api/v1/", 404, "application/problem+json" },
		{ "GET", "/api/v1/targets/", 404, "application/problem+json" },
		{ "GET", "//", 404, "text/html" },
		{ "GET", "/../etc/passwd", 404, "text/html" },
		{ "GET", "/assets/../report.css", 404, "text/html" },
		{ "GET", "/operators/", 404, "text/html" },
		{ "GET", "/operators/%zz", 400, "text/html" },
		{ "GET", "/operators/a%00b", 400, "text/html" },
		{ "GET", "", 404, "text/html" },
		{ "OPTIONS", "/nothing", 404, "text/html" },
	};
	struct store_fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct exchange exchange = ask(fixture, cases[i].method, cases[i].path);
		const char *type = exchange.reply.media_type;

		if (exchange.reply.status != cases[i].status)
			fail_msg("%s %s: %u", cases[i].method, cases[i].path, exchange.reply.status);
		if (!cases[i].media_type ? type != NULL
					 : !type || strncmp(type, cases[i].media_type, strlen(cases[i].media_type)))
			fail_msg("%s %s: %s", cases[i].method, cases[i].path, type ? type : "no type");
		done(&exchange);
	}
}

static void a_wrong_method_says_which_are_right(void **state)
{
	struct exchange exchange = ask(*state, "PUT", "/api/v1/assessments");

	assert_int_equal(exchange.reply.status, 405);
	assert_str(header(&exchange, "Allow"), "POST, GET, HEAD, OPTIONS");
	done(&exchange);
	exchange = ask(*state, "OPTIONS", "/healthz");
	assert_str(header(&exchange, "Allow"), "GET, HEAD, OPTIONS");
	done(&exchange);
}

static void pages_forbid_what_they_do_not_bring(void **state)
{
	struct exchange exchange = ask(*state, "GET", "/");
	struct str policy = header(&exchange, "Content-Security-Policy");

	assert_true(str_starts(policy, STR("default-src 'none'; style-src 'self'; script-src 'self'")));
	assert_true(str_has(policy, STR("frame-ancestors 'none'")));
	assert_str(header(&exchange, "X-Content-Type-Options"), "nosniff");
	assert_str(header(&exchange, "Referrer-Policy"), "no-referrer");
	assert_str(header(&exchange, "Content-Language"), "en");
	done(&exchange);
}

static void strangers_text_reaches_a_page_escaped(void **state)
{
	struct exchange exchange = ask(*state, "GET", "/<script>alert(1)</script>\x1b[31m");

	assert_false(str_has(buf_str(&exchange.reply.body), STR("<script>alert")));
	assert_true(str_has(buf_str(&exchange.reply.body), STR("&lt;script&gt;")));
	assert_false(str_has(buf_str(&exchange.reply.body), STR("\x1b")));
	done(&exchange);
}

static void every_error_code_has_a_status_and_a_page(void **state)
{
	for (size_t i = 0; err_code_at(i); i++) {
		struct exchange exchange;
		char path[64];

		assert_in_range(problem_status(err_code_at(i)), 400, 507);
		snprintf(path, sizeof(path), "/problems/%s", err_name(err_code_at(i)));
		exchange = ask(*state, "GET", path);
		assert_int_equal(exchange.reply.status, 200);
		done(&exchange);
	}
}

static void codes_become_the_statuses_that_are_documented(void **state)
{
	static const struct {
		int code;
		unsigned status;
	} cases[] = {
		{ ERR_OPTION, 400 },
		{ ERR_VALUE, 400 },
		{ ERR_TARGET, 400 },
		{ ERR_AMBIGUOUS, 400 },
		{ ERR_OPERATOR, 404 },
		{ ERR_ORIGIN, 403 },
		{ ERR_EMPTY, 422 },
		{ ERR_NO_TABLE, 422 },
		{ ERR_NO_OPERATOR, 422 },
		{ ERR_COMPRESSION, 422 },
		{ ERR_FORMAT, 415 },
		{ ERR_UNREAD, 415 },
		{ ERR_LIMIT, 413 },
		{ ERR_DB_OPEN, 503 },
		{ ERR_DB_DAMAGED, 503 },
		{ ERR_STORE, 503 },
		{ ERR_STORE_FULL, 507 },
		{ ERR_INTERNAL, 500 },
		{ ERR_OPEN, 500 },
		{ ERR_REPORT, 500 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(problem_status(cases[i].code), cases[i].status);
}

static void nobody_learns_a_path_of_this_machine(void **state)
{
	struct store_fixture *fixture = *state;
	struct exchange exchange;

	fixture->service.db_path = "/a/secret/place/opdb.sqlite";
	exchange = ask(fixture, "GET", "/api/v1/targets");
	assert_int_equal(exchange.reply.status, 503);
	assert_false(str_has(buf_str(&exchange.reply.body), STR("secret")));
	assert_non_null(strstr(exchange.err.where, "secret"));
	assert_str(header(&exchange, "Retry-After"), "30");
	done(&exchange);
	exchange = ask(fixture, "GET", "/");
	assert_int_equal(exchange.reply.status, 503);
	assert_false(str_has(buf_str(&exchange.reply.body), STR("secret")));
	done(&exchange);
	exchange = ask(fixture, "GET", "/api/v1/version");
	assert_int_equal(exchange.reply.status, 200);
	assert_true(str_has(buf_str(&exchange.reply.body), STR("\"db\": null")));
	done(&exchange);
}

/* The id of an assessment of a small dump. */
static struct str assessed(struct store_fixture *fixture)
{
	struct buf dump = small_dump();
	struct upload *upload = upload_of(fixture, buf_str(&dump));
	struct submission submission = { .name = STR("a.log") };
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(submit_here(fixture, upload, &submission, &record, &err), 1);
	upload_free(upload);
	buf_clear(&dump);
	return record.id;
}

static struct exchange ask_with(struct store_fixture *fixture, const char *path, enum header name, struct str value)
{
	struct exchange exchange = { .err = { 0 } };

	request_init(&exchange.request);
	exchange.request.routes = &routes;
	exchange.request.method = STR("GET");
	exchange.request.path = str_from(path);
	exchange.request.headers[name] = value;
	exchange.request.beside = true; /* as in a worker */
	exchange.begun = route_begin(&exchange.request, &exchange.err);
	assert_int_equal(exchange.begun, 0);
	if (answer_here(fixture, &exchange.request, &exchange.reply, &exchange.err))
		problem_reply(&fixture->service, &exchange.request, &exchange.reply, &exchange.err);
	return exchange;
}

static void a_report_is_sent_once_to_a_client_that_keeps_it(void **state)
{
	static const char *const forms[] = { "/report", "/report.json", "/report.html", "/report.csv", "/report.txt",
		"/report.md", "" };
	struct store_fixture *fixture = *state;
	struct str id = assessed(fixture), tags[ARRAY_SIZE(forms)];

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct exchange first, again;
		char path[160];

		snprintf(path, sizeof(path), "/api/v1/assessments/%.*s%s", STR_ARG(id), forms[i]);
		first = ask_with(fixture, path, HEADER_HOST, STR("x"));
		assert_int_equal(first.reply.status, 200);
		assert_true(reply_sent_bytes(&first.reply));
		assert_str(header(&first, "Cache-Control"), "private, max-age=31536000, immutable");
		tags[i] = arena_keep(&fixture->arena, header(&first, "ETag"));
		again = ask_with(fixture, path, HEADER_IF_NONE_MATCH, tags[i]);
		assert_int_equal(again.reply.status, 304);
		assert_true(str_eq(header(&again, "ETag"), tags[i]));
		assert_null(again.reply.media_type);
		done(&first);
		done(&again);
	}
	assert_true(str_eq(tags[0], tags[1])); /* JSON is what /report is without a preference */
	assert_false(str_eq(tags[1], tags[2]));
	assert_false(str_eq(tags[2], tags[3]));
}

static void tags_are_compared_one_by_one(void **state)
{
	static const struct {
		const char *header;
		unsigned status;
	} cases[] = {
		{ "*", 304 },
		{ "\"x\", W/\"y\"", 200 },
		{ "", 200 },
		{ "\"", 200 },
	};
	struct store_fixture *fixture = *state;
	struct str tag;
	struct exchange exchange = ask_with(fixture, "/assets/app.js", HEADER_HOST, STR("x"));
	struct buf list = BUF_INIT(4096);

	tag = arena_keep(&fixture->arena, header(&exchange, "ETag"));
	done(&exchange);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		exchange = ask_with(fixture, "/assets/app.js", HEADER_IF_NONE_MATCH, str_from(cases[i].header));
		assert_int_equal(exchange.reply.status, cases[i].status);
		done(&exchange);
	}
	buf_printf(&list, "\"x\",  W/%.*s", STR_ARG(tag));
	exchange = ask_with(fixture, "/assets/app.js", HEADER_IF_NONE_MATCH, buf_str(&list));
	assert_int_equal(exchange.reply.status, 304);
	done(&exchange);
	buf_clear(&list);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(every_address_answers),
		store_test(a_wrong_method_says_which_are_right),
		store_test(pages_forbid_what_they_do_not_bring),
		store_test(strangers_text_reaches_a_page_escaped),
		store_test(every_error_code_has_a_status_and_a_page),
		store_test(codes_become_the_statuses_that_are_documented),
		store_test(nobody_learns_a_path_of_this_machine),
		store_test(a_report_is_sent_once_to_a_client_that_keeps_it),
		store_test(tags_are_compared_one_by_one),
	};

	return run_store_group(tests);
}
