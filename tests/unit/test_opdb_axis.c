/* The algebra of spans: any set of places written as spans is read back as that set, and nothing else is read as one. */
#include "opdb/text/axis.h"

#include <stdio.h>

#include "base/memory/buf.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { PLACES = 40, ROUNDS = 2000 };

/* Names that begin alike, as those of releases do: "2.1", "2.10" and "2.1-rc" are three. */
struct axis_of_names {
	struct axis axis;
	char names[PLACES][24];
};

static void name_places(struct axis_of_names *ret)
{
	static const char *const endings[] = { "", "-rc", "-dev", "-pt25" };

	*ret = (struct axis_of_names){ 0 };
	for (unsigned i = 0; i < PLACES; i++) {
		snprintf(ret->names[i], sizeof(ret->names[i]), "2.%u%s", i / 4 + 1, endings[i % 4]);
		assert_true(axis_add(&ret->axis, str_from(ret->names[i])));
	}
}

/* The set as spans, each as long as it can be. */
static void put_spans(struct buf *text, const struct axis_of_names *names, const bool *set)
{
	for (unsigned first = 0, last; first < PLACES; first = last + 1) {
		last = first;
		if (!set[first])
			continue;
		while (last + 1 < PLACES && set[last + 1])
			last++;
		buf_printf(text, "%s%s", text->len ? " " : "", names->names[first]);
		if (last > first)
			buf_printf(text, "..%s", names->names[last]);
	}
}

static void every_set_of_places_comes_back_from_its_spans(void **state)
{
	struct axis_of_names names;
	uint64_t seed = 1;

	name_places(&names);
	for (unsigned round = 0; round < ROUNDS; round++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
		bool set[PLACES], found[PLACES] = { false };
		uint64_t density = 1 + random_below(&seed, 8);
		struct span span, before = { 0 };
		struct str rest, name;
		size_t spans = 0;

		for (unsigned i = 0; i < PLACES; i++)
			set[i] = random_below(&seed, 8) < density;
		put_spans(&text, &names, set);
		rest = buf_str(&text);
		if (!rest.len)
			continue;
		for (; axis_span(&names.axis, &rest, &span, &name) == SPAN_OK; spans++, before = span) {
			assert_true(span.first <= span.last && span.last < PLACES);
			assert_true(!spans || span.first > before.last + 1); /* as long as they can be */
			for (unsigned i = span.first; i <= span.last; i++)
				found[i] = true;
		}
		assert_ptr_equal(rest.ptr, NULL);
		assert_memory_equal(found, set, sizeof(set));
	}
	axis_clear(&names.axis);
}

static void every_pair_is_a_span_one_way_and_reversed_the_other(void **state)
{
	struct axis_of_names names;

	name_places(&names);
	for (unsigned a = 0; a < PLACES; a++) {
		for (unsigned b = 0; b < PLACES; b++) {
			CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
			struct span span = { PLACES, PLACES };
			struct str rest, name;
			enum span_result result;

			buf_printf(&text, "%s..%s", names.names[a], names.names[b]);
			rest = buf_str(&text);
			result = axis_span(&names.axis, &rest, &span, &name);
			assert_int_equal(result, a <= b ? SPAN_OK : SPAN_REVERSED);
			assert_int_equal(span.first, a <= b ? a : PLACES);
			assert_str(name, names.names[b]);
		}
	}
	axis_clear(&names.axis);
}

static void what_is_no_name_is_never_a_span(void **state)
{
	static const struct {
		const char *text, *name;
	} cases[] = {
		{ "2.99", "2.99" },
		{ "2.1..2.99", "2.99" },
		{ "2.99..2.1", "2.99" },
		{ "2.1..", "" },
		{ "..2.1", "" },
		{ " 2.1", "" },
		{ "2.1...2.2", ".2.2" },
		{ "2.1..2.2..2.3", "2.2..2.3" },
		{ "2.1-RC", "2.1-RC" },
	};
	struct axis_of_names names;

	name_places(&names);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str rest = str_from(cases[i].text), name = STR("?");
		struct span span = { 7, 7 };

		assert_int_equal(axis_span(&names.axis, &rest, &span, &name), SPAN_UNKNOWN);
		assert_str(name, cases[i].name);
		assert_int_equal(span.first, 7);
	}
	axis_clear(&names.axis);
}

static void a_name_is_found_where_it_was_added_and_only_once(void **state)
{
	struct axis_of_names names;

	name_places(&names);
	for (unsigned i = 0; i < PLACES; i++) {
		unsigned place = PLACES;

		assert_true(axis_find(&names.axis, str_from(names.names[i]), &place));
		assert_int_equal(place, i);
		assert_false(axis_add(&names.axis, str_from(names.names[i])));
	}
	assert_int_equal(names.axis.count, PLACES);
	axis_clear(&names.axis);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_set_of_places_comes_back_from_its_spans),
		cmocka_unit_test(every_pair_is_a_span_one_way_and_reversed_the_other),
		cmocka_unit_test(what_is_no_name_is_never_a_span),
		cmocka_unit_test(a_name_is_found_where_it_was_added_and_only_once),
	};

	return run_group(tests);
}
