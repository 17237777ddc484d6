/* Addresses to listen on: which are understood, and which need to be asked for twice. */
#include <unistd.h>

#include "server/http/listen.h"
#include "tests/unit/check.h"

static void the_name_tells_the_port_that_was_free(void **state)
{
	struct listening first, second;
	struct err err = { 0 };
	const char *address = first.name + strlen("http://");

	assert_int_equal(listen_on(STR("127.0.0.1:0"), false, &first, &err), 0);
	assert_memory_equal(first.name, "http://127.0.0.1:", strlen("http://127.0.0.1:"));
	assert_null(strstr(address, ":0"));
	assert_int_equal(listen_on(str_from(address), false, &second, &err), -ERR_LISTEN);
	assert_string_equal(err.where, address);
	close(first.fd);
}

static void other_loopback_addresses_are_fine(void **state)
{
	static const char *const addresses[] = { "localhost:0", "127.1.2.3:0" };

	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		struct listening listening;
		struct err err = { 0 };

		if (listen_on(str_from(addresses[i]), false, &listening, &err))
			fail_msg("%s: %s", addresses[i], err.text);
		close(listening.fd);
	}
}

static void what_others_can_reach_must_be_asked_for(void **state)
{
	static const char *const addresses[] = { "0.0.0.0:0", "[::]:0", "192.0.2.1:8787" };
	struct listening listening;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
		assert_int_equal(listen_on(str_from(addresses[i]), false, &listening, &err), -ERR_VALUE);
		assert_non_null(strstr(err.hint, "--insecure"));
	}
	assert_int_equal(listen_on(STR("0.0.0.0:0"), true, &listening, &err), 0);
	close(listening.fd);
}

static void anything_else_is_no_address(void **state)
{
	static const char *const wrong[] = { "", ":", "8787", ":8787", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http",
		"127.0.0.1:99999999", "::1:8787", "[::1]", "[]:1", "example.org:80", "127.0.0.1:8787\n", "\x1b[31m:1" };

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct listening listening;
		struct err err = { 0 };

		if (listen_on(str_from(wrong[i]), true, &listening, &err) != -ERR_VALUE)
			fail_msg("'%s' was taken", wrong[i]);
		assert_null(strchr(err.text, '\x1b'));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_name_tells_the_port_that_was_free),
		cmocka_unit_test(other_loopback_addresses_are_fine),
		cmocka_unit_test(what_others_can_reach_must_be_asked_for),
		cmocka_unit_test(anything_else_is_no_address),
	};

	return run_group(tests);
}
