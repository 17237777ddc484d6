/* Requests taken apart: parameters, language, kind of client, origin. */
#include <stdlib.h>

#include "server/http/request.h"
#include "tests/unit/check.h"

static struct request request_with(enum header header, const char *value)
{
	struct request request;

	request_init(&request);
	if (value)
		request.headers[header] = str_from(value);
	return request;
}

static void every_request_has_an_id_of_its_own(void **state)
{
	struct request a, b;

	request_init(&a);
	request_init(&b);
	assert_int_equal(strlen(a.id), REQUEST_ID_BYTES - 1);
	assert_string_not_equal(a.id, b.id);
	request_clear(&a);
	request_clear(&b);
}

static void parameters_are_decoded_and_the_last_one_that_says_something_counts(void **state)
{
	struct request request;
	struct str *values;
	size_t count;
	struct err err = { 0 };

	request_init(&request);
	assert_int_equal(request_add_encoded(&request, STR("q"), STR("a%20b%3Cc"), &err), 0);
	assert_int_equal(request_add_encoded(&request, STR("targ%65t"), STR("npu"), &err), 0);
	assert_int_equal(request_add_encoded(&request, STR("target"), STR(""), &err), 0);
	assert_int_equal(request_add_encoded(&request, STR("target"), STR("musa"), &err), 0);
	assert_int_equal(request_add_encoded(&request, STR("torch"), STR("2.1"), &err), 0);
	assert_int_equal(request_add_encoded(&request, STR("torch"), STR(""), &err), 0);
	assert_str(request_value(&request, "q"), "a b<c");
	assert_str(request_value(&request, "torch"), "2.1");
	assert_str(request_value(&request, "name"), "");
	values = parameters_values(&request.parameters, "target", &request.arena, &count);
	assert_int_equal(count, 2);
	assert_str(values[0], "npu");
	assert_str(values[1], "musa");
	request_clear(&request);
}

static void broken_escapes_and_nul_are_errors(void **state)
{
	static const char *const broken[] = { "%", "%4", "%zz", "a%00b", "%-1", "%%41" };
	struct request request;
	struct err err = { 0 };

	request_init(&request);
	for (size_t i = 0; i < ARRAY_SIZE(broken); i++)
		assert_int_equal(request_add_encoded(&request, STR("q"), str_from(broken[i]), &err), -ERR_VALUE);
	assert_int_equal(request.parameters.count, 0);
	request_clear(&request);
}

static void an_unknown_parameter_is_named_with_the_nearest(void **state)
{
	struct request request;
	struct err err = { 0 };

	request_init(&request);
	request_add(&request, STR("limit"), STR("3"));
	assert_int_equal(request_check_names(&request, "limit cursor", &err), 0);
	request_add(&request, STR("cursr\x1b[0m"), STR("3"));
	assert_int_equal(request_check_names(&request, "limit cursor", &err), -ERR_OPTION);
	assert_string_equal(err.text, "unknown parameter 'cursr\\x1b[0m'");
	request.parameters.items[1].name = STR("cursr");
	assert_int_equal(request_check_names(&request, "limit cursor", &err), -ERR_OPTION);
	assert_string_equal(err.hint, "did you mean cursor?");
	assert_int_equal(request_check_names(&request, "", &err), -ERR_OPTION);
	request_clear(&request);
}

static void a_limit_stays_in_its_bounds(void **state)
{
	static const char *const bad[] = { "0", "1001", "-1", "1.5", "x", "99999999999999999999" };
	struct request request;
	struct err err = { 0 };
	size_t number = 7;

	request_init(&request);
	assert_int_equal(request_limit(&request, &number, &err), 0);
	assert_int_equal(number, 100);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		request_add(&request, STR("limit"), str_from(bad[i]));
		assert_int_equal(request_limit(&request, &number, &err), -ERR_VALUE);
	}
	request_add(&request, STR("limit"), STR("1000"));
	assert_int_equal(request_limit(&request, &number, &err), 0);
	assert_int_equal(number, 1000);
	request_clear(&request);
}

static void a_language_that_is_asked_for_goes_before_the_header(void **state)
{
	struct request request = request_with(HEADER_ACCEPT_LANGUAGE, "en");
	struct err err = { 0 };

	assert_int_equal(request_resolve_lang(&request, &err), 0);
	assert_int_equal(request.lang, LANG_EN);
	assert_false(request.lang_given);
	request_add(&request, STR("lang"), STR("zh-CN"));
	assert_int_equal(request_resolve_lang(&request, &err), 0);
	assert_int_equal(request.lang, LANG_ZH_CN);
	assert_true(request.lang_given);
	request_add(&request, STR("lang"), STR("tlh"));
	assert_int_equal(request_resolve_lang(&request, &err), -ERR_VALUE);
	request_clear(&request);
}

static void browsers_get_pages_and_programs_get_data(void **state)
{
	static const char browser[] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
	static const struct {
		const char *accept;
		bool on_page, on_data;
	} cases[] = {
		{ NULL, true, false },
		{ "*/*", true, false },
		{ browser, true, true },
		{ "application/json", false, false },
		{ "application/problem+json", false, false },
		{ "application/json, text/html;q=0.5", false, false },
		{ "image/png", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct request request = request_with(HEADER_ACCEPT, cases[i].accept);

		assert_int_equal(request_wants_html(&request, true), cases[i].on_page);
		assert_int_equal(request_wants_html(&request, false), cases[i].on_data);
		request_clear(&request);
	}
}

static void requests_of_other_sites_are_refused(void **state)
{
	static const struct {
		const char *site, *origin, *host;
		bool allowed;
	} cases[] = {
		{ NULL, NULL, "127.0.0.1:8787", true },
		{ NULL, "http://127.0.0.1:8787", "127.0.0.1:8787", true },
		{ NULL, "https://opcheck.example", "OpCheck.Example", true },
		{ NULL, "http://evil.example", "127.0.0.1:8787", false },
		{ NULL, "http://127.0.0.1", "127.0.0.1:8787", false },
		{ NULL, "null", "127.0.0.1:8787", false },
		{ NULL, "", "127.0.0.1:8787", false },
		{ NULL, "http://127.0.0.1:8787", NULL, false },
		{ "same-origin", "http://evil.example", "127.0.0.1:8787", true }, /* no script can set either header */
		{ "none", NULL, "127.0.0.1:8787", true },
		{ "cross-site", "http://127.0.0.1:8787", "127.0.0.1:8787", false },
		{ "same-site", NULL, "127.0.0.1:8787", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct request request = request_with(HEADER_HOST, cases[i].host);
		struct err err = { 0 };

		if (cases[i].site)
			request.headers[HEADER_SEC_FETCH_SITE] = str_from(cases[i].site);
		if (cases[i].origin)
			request.headers[HEADER_ORIGIN] = str_from(cases[i].origin);
		if ((request_check_origin(&request, &err) == 0) != cases[i].allowed)
			fail_msg("case %zu", i);
		request_clear(&request);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_request_has_an_id_of_its_own),
		cmocka_unit_test(parameters_are_decoded_and_the_last_one_that_says_something_counts),
		cmocka_unit_test(broken_escapes_and_nul_are_errors),
		cmocka_unit_test(an_unknown_parameter_is_named_with_the_nearest),
		cmocka_unit_test(a_limit_stays_in_its_bounds),
		cmocka_unit_test(a_language_that_is_asked_for_goes_before_the_header),
		cmocka_unit_test(browsers_get_pages_and_programs_get_data),
		cmocka_unit_test(requests_of_other_sites_are_refused),
	};

	return run_group(tests);
}
