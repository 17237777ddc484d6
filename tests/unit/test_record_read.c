/* A struct written and read by its record: optional and unknown keys, bounds, the position of damage. */
#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "tests/unit/check.h"

struct stop {
	struct str name;
	uint64_t wait;
};
struct tour {
	struct str title, guide;
	int64_t price_milli;
	bool is_booked;
	uint32_t seats;
	struct stop *stops;
	size_t stop_count;
};

/* clang-format off */
static const struct record stop_record = { sizeof(struct stop), (const struct field[]){
	{ "name", &kind_line, AT(stop, name) },
	{ "wait", &kind_count, AT(stop, wait), OPTIONAL },
	{ 0 } } };
static const struct record tour_record = { sizeof(struct tour), (const struct field[]){
	{ "title", &kind_text, AT(tour, title) },
	{ "guide", &kind_word, AT(tour, guide), LATER },
	{ "price", &kind_milli, AT(tour, price_milli), OPTIONAL },
	{ "seats", &kind_index, AT(tour, seats), PRESENCE, .when = AT(tour, is_booked) },
	{ "stops", &kind_list, AT(tour, stops), OPTIONAL, .count = AT(tour, stop_count), .record = &stop_record },
	{ 0 } }, .closed = true };
/* clang-format on */

static void what_is_written_is_read_back(void **state)
{
	static const char *const texts[] = {
		"{\"title\": \"a \\\"b\\\"\", \"guide\": \"\"}\n",
		"{\"title\": \"\", \"guide\": \"x\", \"price\": -1.500, \"seats\": 0}\n",
		("{\"title\": \"c\", \"guide\": \"x\", \"seats\": 4294967295, "
		 "\"stops\": [{\"name\": \"A\"}, {\"name\": \"B\", \"wait\": 7}]}\n"),
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct loader loader = { .arena = &arena };
		CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
		struct jsonw json = jsonw_start(&out, 0);
		struct tour tour = { 0 };

		assert_true(record_read(&loader, str_from(texts[i]), &tour_record, &tour));
		record_put(&json, &tour_record, &tour);
		assert_string_equal(buf_text(&out), texts[i]);
		assert_int_equal(tour.is_booked, i > 0);
		arena_clear(&arena);
	}
}

static void what_the_record_does_not_have_is_refused(void **state)
{
	static const struct {
		const char *text, *key;
		size_t bad_at;
		bool is_unknown;
	} cases[] = {
		{ "{\"title\":\"a\"", NULL, 12, false },
		{ "{\"title\":\"a\"} {}", NULL, 13, false },
		{ "[]", "title", SIZE_MAX, false },
		{ "{}", "title", SIZE_MAX, false },
		{ "{\"title\":7}", "title", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"guide\":\"b c\"}", "guide", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"price\":1e300}", "price", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"seats\":4294967296}", "seats", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"seats\":1.5}", "seats", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"stops\":{}}", "stops", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"stops\":[{\"name\":\"\\n\"}]}", "name", SIZE_MAX, false },
		{ "{\"title\":\"a\",\"meals\":2}", "meals", SIZE_MAX, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct loader loader = { .arena = &arena };
		struct tour tour = { 0 };

		assert_false(record_read(&loader, str_from(cases[i].text), &tour_record, &tour));
		assert_int_equal(loader.bad_at, cases[i].bad_at);
		assert_int_equal(loader.is_unknown, cases[i].is_unknown);
		if (cases[i].key)
			assert_string_equal(loader.missing, cases[i].key);
		arena_clear(&arena);
	}
}

static void a_record_that_is_open_skips_what_it_does_not_know(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct loader loader = { .arena = &arena };
	struct stop stop = { 0 };

	assert_true(record_read(&loader, STR("{\"open\":[1,{}],\"name\":\"A\"}"), &stop_record, &stop));
	assert_str(stop.name, "A");
	arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(what_the_record_does_not_have_is_refused),
		cmocka_unit_test(a_record_that_is_open_skips_what_it_does_not_know),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
