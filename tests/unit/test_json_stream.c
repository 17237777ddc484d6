/* Documents in pieces: members, elements, and how reading goes on behind damage. */
#include "json/stream.h"

#include <stdlib.h>

#include "json/token.h"
#include "tests/unit/check.h"

enum { MAX_ELEMENT = 200 };

static void on_member(void *ctx, struct str key, const struct json_value *value)
{
	buf_printf(ctx, "%.*s=%.*s\n", STR_ARG(key), STR_ARG(value->raw));
}

/* An element is an object with an "n". */
static enum json_status on_element(void *ctx, struct json_cursor *cursor, uint64_t offset)
{
	enum json_status status = json_open(cursor, '{');
	struct json_value value, number = { .kind = JSON_LIST };
	bool closed = false;
	struct str key;

	while (status == JSON_OK) {
		status = json_key(cursor, &key, &closed);
		if (status != JSON_OK || closed)
			break;
		status = json_value(cursor, str_eq(key, STR("n")) ? &number : &value);
	}
	if (status == JSON_OK && number.kind == JSON_LIST)
		return JSON_BROKEN;
	if (status == JSON_OK)
		buf_printf(ctx, "%.*s at %llu\n", STR_ARG(number.raw), (unsigned long long)offset);
	return status;
}

static void on_broken(void *ctx, uint64_t offset, struct str beginning)
{
	buf_printf(ctx, "broken at %llu\n", (unsigned long long)offset);
}

/* What is told of a document in pieces of a size. */
static void read_in(struct str text, size_t piece, struct buf *ret)
{
	struct json_handler handler = { ret, STR("list"), on_member, on_element, on_broken };
	struct json_stream *stream = json_stream_new(&handler, MAX_ELEMENT);
	uint64_t end;
	bool whole;

	for (size_t at = 0; at < text.len; at += piece) {
		size_t len = text.len - at < piece ? text.len - at : piece;
		char *copy = mem_resize(NULL, len, 1);

		memcpy(copy, text.ptr + at, len);
		json_stream_feed(stream, (struct str){ copy, len });
		free(copy);
	}
	whole = json_stream_finish(stream, &end);
	if (whole)
		buf_add(ret, STR("whole\n"));
	else
		buf_printf(ret, "cut at %llu\n", (unsigned long long)end);
	json_stream_free(stream);
}

static void assert_told(const char *text, const char *expected)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 50, 4096 };

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(100000);

		read_in(str_from(text), pieces[i], &got);
		if (strcmp(buf_text(&got), expected) != 0)
			fail_msg("%s in pieces of %zu:\n%s\nnot\n%s", text, pieces[i], buf_text(&got), expected);
	}
}

static void documents_are_read_in_any_pieces(void **state)
{
	assert_told(
		"{\"a\": 1, \"list\": [{\"n\": 1}, {\"n\": 2}], \"z\": [3]}", "a=1\n1 at 18\n2 at 28\nz=[3]\nwhole\n");
	assert_told("[{\"n\": 1},\n {\"n\": 2}]", "1 at 1\n2 at 12\nwhole\n");
	assert_told("{\"list\": []}\n", "whole\n");
	assert_told("{\"list\": [{\"n\": 1}], \"list\": [{\"n\": 2}]}", "1 at 10\n2 at 30\nwhole\n");
	assert_told("{\"list\": nts1e9, \"x\": N/A}", "list=nts1e9\nx=N/A\ncut at 26\n");
	assert_told("{\"list\": 7, \"a\": \"\\\"}\"}", "list=7\na=\\\"}\ncut at 23\n");
}

static void what_has_no_end_is_cut(void **state)
{
	assert_told("", "cut at 0\n");
	assert_told("{\"list\": [{\"n\": 1}", "1 at 10\ncut at 18\n");
	assert_told("{\"list\": [{\"n\": 1}, {\"n\": ", "1 at 10\ncut at 20\n");
	assert_told("{\"list\": [{\"n\": 1}]", "1 at 10\ncut at 19\n");
	assert_told("{\"list\": [{\"n\": 1}], \"a\": \"", "1 at 10\ncut at 19\n");
	assert_told("[{\"n\": 1},", "1 at 1\ncut at 10\n");
}

static void commas_may_be_missing_or_too_many(void **state)
{
	assert_told("{\"list\": [{\"n\": 1} {\"n\": 2},, {\"n\": 3},] \"a\": , \"b\": 1,}",
		"1 at 10\n2 at 19\n3 at 30\na=\nb=1\nwhole\n");
}

static void damage_costs_one_element(void **state)
{
	/* a stray quote, a missing brace, a missing bracket, foreign text, a value that is no object */
	assert_told("[{\"n\": 1}, {\"s\": \"a\"b\", \"n\": 2}, {\"n\": 3}]", "1 at 1\nbroken at 11\n3 at 33\nwhole\n");
	assert_told("[{\"n\": 1}, {\"s\": \"{\"d\": \"c\"}(1)\", \"n\": 2}, {\"n\": 3}]",
		"1 at 1\nbroken at 11\n3 at 43\nwhole\n");
	assert_told("[{\"n\": 1}, {\"n\": 2, {\"n\": 3}]", "1 at 1\nbroken at 11\n3 at 20\nwhole\n");
	assert_told("[{\"n\": 1}, {\"m\": [1, 2, \"n\": 2}, {\"n\": 3}]", "1 at 1\nbroken at 11\n3 at 33\nwhole\n");
	assert_told("[{\"n\": 1}, Traceback (most recent call last), {\"n\": 3}]",
		"1 at 1\nbroken at 11\n3 at 46\nwhole\n");
	assert_told("[{\"n\": 1}, 5, {\"n\": 3}]", "1 at 1\nbroken at 11\n3 at 14\nwhole\n");
	assert_told("[{\"n\": 1}, {\"m\": 2}, {\"n\": 3}]", "1 at 1\nbroken at 11\n3 at 21\nwhole\n");
	/* the last one: the end of the list is found */
	assert_told("{\"list\": [{\"n\": 1}, {\"s\": \"a\"b\"}], \"a\": 1}", "1 at 10\nbroken at 20\na=1\nwhole\n");
}

static void damage_at_the_top_does_not_hide_the_list(void **state)
{
	assert_told("{\"a\": \"x\"y\", \"list\": [{\"n\": 1}]}", "a=x\nbroken at 9\n1 at 22\nwhole\n");
}

/* before, a byte many times, behind. */
static void put_long(struct buf *text, const char *before, char byte, size_t count, const char *behind)
{
	buf_reset(text);
	buf_add(text, str_from(before));
	for (size_t i = 0; i < count; i++)
		buf_byte(text, byte);
	buf_add(text, str_from(behind));
}

static void what_is_too_large_is_passed_over(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);

	put_long(&text, "{\"a\": \"", 'x', 5000, "\", \"list\": [{\"n\": 1}]}");
	assert_told(buf_text(&text), "1 at 5019\nwhole\n");
	put_long(&text, "{\"a\": [", '\\', 5000, "], \"list\": [{\"n\": 1}]}");
	assert_told(buf_text(&text), "1 at 5019\nwhole\n");
	put_long(&text, "[{\"n\": 1}, {\"s\": \"", 'x', 5000, "\"}, {\"n\": 2}]");
	assert_told(buf_text(&text), "1 at 1\nbroken at 11\n2 at 5022\nwhole\n");
	put_long(&text, "[{\"n\": 1}, {\"s\": ", '[', 5000, "}, {\"n\": 2}]");
	assert_told(buf_text(&text), "1 at 1\nbroken at 11\n2 at 5020\nwhole\n");
	put_long(&text, "{\"a\": ", '[', 5000, ", \"list\": [{\"n\": 1}]}");
	assert_told(buf_text(&text), "broken at 135\n1 at 5017\nwhole\n");
}

/* The element is whole in the first piece, or in none: that must not matter. */
static void an_element_is_too_large_in_any_pieces(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);

	put_long(&text, "[{\"n\": 1, \"s\": \"", 'x', MAX_ELEMENT - 17, "\"}, {\"n\": 2}]");
	assert_told(buf_text(&text), "1 at 1\n2 at 203\nwhole\n");
	put_long(&text, "[{\"n\": 1, \"s\": \"", 'x', MAX_ELEMENT - 16, "\"}, {\"n\": 2}]");
	assert_told(buf_text(&text), "broken at 1\n2 at 204\nwhole\n");
}

static void a_list_inside_of_a_bad_element_does_not_end_the_list(void **state)
{
	assert_told("{\"list\": [{\"n\": 1}, {\"s\": \"a\"b\", \"l\": [{\"m\": 1}]}, {\"n\": 2}, {\"n\": 3}]}",
		"1 at 10\nbroken at 20\n2 at 51\n3 at 61\nwhole\n");
	assert_told("{\"list\": [{\"s\": \"a\"b\", \"l\": [{\"m\": 1}]}\n{\"n\": 2}], \"end\": 5}",
		"broken at 10\n2 at 40\nend=5\nwhole\n");
	assert_told("[{\"s\": \"a\"b\", \"l\": [{\"m\": 1}]}]", "broken at 1\nwhole\n");
	/* a bracket too many, which ends the list before its time */
	assert_told("[{\"n\": 1}], {\"n\": 2}]", "1 at 1\n2 at 12\nwhole\n");
	assert_told("[{\"n\": 1}], {\"n\": 2}", "1 at 1\n2 at 12\ncut at 20\n");
	assert_told("{\"list\": [{\"s\": \"a\"b\", \"l\": [{\"m\": 1}]}]}\n", "broken at 10\nwhole\n");
}

static void damage_never_costs_more_than_its_share(void **state)
{
	/* every element looks as if it went on for ever: each is tried, none is looked at again and again */
	static const struct str tail = { " \"n\": 1, \"s\": [ \"", 18 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24), told = BUF_INIT(1 << 24);

	buf_byte(&text, '[');
	for (size_t i = 0; i < 100000; i++) {
		buf_add(&text, STR(",{"));
		buf_add(&text, tail);
	}
	read_in(buf_str(&text), 65536, &told);
	assert_true(str_has(buf_str(&told), STR("cut at")));
	/* brackets without an end, none of which is the one looked for */
	put_long(&text, "[{\"n\": 1}, x", ']', 8 << 20, "");
	buf_reset(&told);
	read_in(buf_str(&text), 1 << 20, &told);
	assert_string_equal(buf_text(&told), "1 at 1\nbroken at 11\ncut at 8388620\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_are_read_in_any_pieces),
		cmocka_unit_test(what_has_no_end_is_cut),
		cmocka_unit_test(commas_may_be_missing_or_too_many),
		cmocka_unit_test(damage_costs_one_element),
		cmocka_unit_test(damage_at_the_top_does_not_hide_the_list),
		cmocka_unit_test(what_is_too_large_is_passed_over),
		cmocka_unit_test(an_element_is_too_large_in_any_pieces),
		cmocka_unit_test(a_list_inside_of_a_bad_element_does_not_end_the_list),
		cmocka_unit_test(damage_never_costs_more_than_its_share),
	};

	return run_group(tests);
}
