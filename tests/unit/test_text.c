/* Bytes as UTF-8: byte order marks, UTF-16 of both ends with and without one, and holes of NULs. */
#include <stdlib.h>
#include <unistd.h>

#include "io/text.h"
#include "tests/unit/files.h"
#include "tests/unit/packed.h"

struct reading {
	char encoding[16];
	bool marked;
	struct buf out;
};

static void reading_clear(struct reading *reading)
{
	buf_clear(&reading->out);
}

static struct reading read_bytes(struct str bytes)
{
	struct limits limits = limits_default();
	struct source *source = source_of_memory(bytes, STR("dump.log"), &limits);
	struct text *text = text_new(source);
	struct reading reading = { .out = BUF_INIT(1 << 24) };
	struct err err = { 0 };
	struct str chunk;
	int status;

	while ((status = text_next(text, &chunk, &err)) == 1) {
		assert_true(chunk.len > 0);
		buf_add(&reading.out, chunk);
	}
	assert_int_equal(status, 0);
	assert_int_equal(text_next(text, &chunk, &err), 0);
	assert_true(strlen(text_encoding(text)) < sizeof(reading.encoding));
	memcpy(reading.encoding, text_encoding(text), strlen(text_encoding(text)) + 1);
	reading.marked = text_has_mark(text);
	text_free(text);
	source_close(source);
	return reading;
}

/* Appends a code unit with its low or its high byte first. */
static void put_unit(struct buf *buf, unsigned unit, bool big)
{
	buf_byte(buf, (char)(big ? unit >> 8 : unit));
	buf_byte(buf, (char)(big ? unit : unit >> 8));
}

static void marks_are_taken_off_and_told(void **state)
{
	static const struct {
		struct str bytes;
		const char *text, *encoding;
		bool marked;
	} cases[] = {
		{ { "", 0 }, "", "", false },
		{ { "\xef\xbb\xbf"
		    "Name",
			  7 },
			"Name", "", true },
		{ { "\xef\xbb\xbf", 3 }, "", "", true },
		{ { "\xef\xbb", 2 }, "\xef\xbb", "", false },
		{ { "\xff\xfe"
		    "N\0a\0",
			  6 },
			"Na", "utf-16le", true },
		{ { "\xfe\xff"
		    "\0N\0a",
			  6 },
			"Na", "utf-16be", true },
		{ { "\xff\xfe", 2 }, "", "utf-16le", true },
		{ { "\xff", 1 }, "\xff", "", false },
		{ { "Name", 4 }, "Name", "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(reading_clear) struct reading reading = read_bytes(cases[i].bytes);

		assert_str(buf_str(&reading.out), cases[i].text);
		assert_string_equal(reading.encoding, cases[i].encoding);
		assert_int_equal(reading.marked, cases[i].marked);
	}
}

static void utf_16_without_a_mark_shows_by_its_nuls(void **state)
{
	for (unsigned big = 0; big < 2; big++) {
		CLEANUP(buf_clear) struct buf bytes = BUF_INIT(10000);
		CLEANUP(reading_clear) struct reading reading;

		/* a first letter over U+007F must not be taken for a mark */
		put_unit(&bytes, 0xff, big);
		for (unsigned i = 0; i < 100; i++)
			put_unit(&bytes, "aten::add "[i % 10], big);
		reading = read_bytes(buf_str(&bytes));
		assert_string_equal(reading.encoding, big ? "utf-16be" : "utf-16le");
		assert_false(reading.marked);
		assert_true(str_starts(buf_str(&reading.out), STR("\xc3\xbf"
								  "aten::add aten")));
		assert_int_equal(reading.out.len, 102);
	}
}

static void surrogates_are_joined_and_lone_ones_replaced(void **state)
{
	static const struct {
		unsigned units[4];
		size_t count;
		const char *text;
	} cases[] = {
		{ { 0x8bad }, 1, "\xe8\xae\xad" },
		{ { 0xd83d, 0xde00, 'x' }, 3, "\xf0\x9f\x98\x80x" },
		{ { 0xd83d, 'x', 'y' }, 3, "\xef\xbf\xbdxy" },
		{ { 0xde00, 'x' }, 2, "\xef\xbf\xbdx" },
		{ { 0xd83d, 0xd83d, 0xde00 }, 3, "\xef\xbf\xbd\xf0\x9f\x98\x80" },
		{ { 'x', 0xd83d }, 2, "x\xef\xbf\xbd" },
		{ { 'x', 0, 'y' }, 3, "xy" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases) * 2; i++) {
		CLEANUP(buf_clear) struct buf bytes = BUF_INIT(100);
		CLEANUP(reading_clear) struct reading reading;

		put_unit(&bytes, 0xfeff, i % 2);
		for (size_t j = 0; j < cases[i / 2].count; j++)
			put_unit(&bytes, cases[i / 2].units[j], i % 2);
		reading = read_bytes(buf_str(&bytes));
		assert_str(buf_str(&reading.out), cases[i / 2].text);
	}
}

static void half_a_unit_at_the_end_is_replaced(void **state)
{
	CLEANUP(reading_clear)
	struct reading reading = read_bytes((struct str){ "\xff\xfe"
							  "x\0y",
		5 });

	assert_str(buf_str(&reading.out), "x\xef\xbf\xbd");
}

/* Chunks of the source are a MiB: pairs are laid across each of its last bytes. */
static void pairs_across_a_chunk_boundary_are_joined(void **state)
{
	enum { CHUNK = 1 << 20 };

	for (size_t before = CHUNK / 2 - 4; before < CHUNK / 2 + 2; before++) {
		CLEANUP(buf_clear) struct buf bytes = BUF_INIT(1 << 24);
		CLEANUP(reading_clear) struct reading reading;

		put_unit(&bytes, 0xfeff, false);
		for (size_t i = 0; i < before; i++)
			put_unit(&bytes, 'x', false);
		put_unit(&bytes, 0xd83d, false);
		put_unit(&bytes, 0xde00, false);
		put_unit(&bytes, 'z', false);
		reading = read_bytes(buf_str(&bytes));
		assert_int_equal(reading.out.len, before + 5);
		assert_true(str_ends(buf_str(&reading.out), STR("x\xf0\x9f\x98\x80z")));
	}
}

static void holes_of_nuls_are_closed(void **state)
{
	static const struct {
		struct str bytes;
		const char *text;
	} cases[] = {
		{ { "a\0\0\0b", 5 }, "ab" },
		{ { "\0\0", 2 }, "" },
		{ { "\0a\0", 3 }, "a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(reading_clear) struct reading reading = read_bytes(cases[i].bytes);

		assert_str(buf_str(&reading.out), cases[i].text);
		assert_string_equal(reading.encoding, "");
	}
}

static void chunks_of_nuls_alone_are_passed_over(void **state)
{
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(1 << 24);
	CLEANUP(reading_clear) struct reading reading;

	for (size_t i = 0; i < 3 << 20; i++)
		buf_byte(&bytes, '\0');
	buf_add(&bytes, STR("Name"));
	reading = read_bytes(buf_str(&bytes));
	assert_str(buf_str(&reading.out), "Name");
}

static void errors_of_the_source_pass_through(void **state)
{
	struct limits limits = limits_default();
	struct source *source = source_of_memory((struct str){ "\x1f\x8bx", 3 }, STR("dump.gz"), &limits);
	struct text *text = text_new(source);
	struct str chunk = STR("untouched");
	struct err err = { 0 };

	assert_int_equal(text_next(text, &chunk, &err), -ERR_COMPRESSION);
	assert_str(chunk, "untouched");
	text_free(text);
	text_free(NULL);
	source_close(source);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(marks_are_taken_off_and_told),
		cmocka_unit_test(utf_16_without_a_mark_shows_by_its_nuls),
		cmocka_unit_test(surrogates_are_joined_and_lone_ones_replaced),
		cmocka_unit_test(half_a_unit_at_the_end_is_replaced),
		cmocka_unit_test(pairs_across_a_chunk_boundary_are_joined),
		cmocka_unit_test(holes_of_nuls_are_closed),
		cmocka_unit_test(chunks_of_nuls_alone_are_passed_over),
		cmocka_unit_test(errors_of_the_source_pass_through),
	};

	return run_group(tests);
}
