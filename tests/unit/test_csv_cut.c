/* Rows cut sixty-four bytes at a time: every way gives the same. That libcsv gives it, too, is in test_csv_rows and fuzz_csv. */
#include "dump/npu/csv_cut.h"
#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

enum { MOST = 64, MAX_CELL_BYTES = 100 };

static size_t cut_by(const struct csv_way *way, struct str text, uint64_t keep, struct buf *ret)
{
	struct str cells[MOST];
	struct csv_cut cut = { .cells = cells, .most = MOST, .keep = keep, .max_cell_bytes = MAX_CELL_BYTES };
	size_t len = way->cut(&cut, text);

	buf_printf(ret, "%zu ", len);
	for (size_t i = 0; len && i < cut.count; i++) {
		buf_add(ret, cells[i]);
		buf_byte(ret, '|');
	}
	return len;
}

static void assert_cut(const char *text, const char *want)
{
	for (size_t i = 0; csv_way(i); i++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(10000);

		cut_by(csv_way(i), str_from(text), UINT64_MAX, &got);
		if (strcmp(buf_text(&got), want) != 0)
			fail_msg("%s: %s: %s, not %s", csv_way(i)->name, text, buf_text(&got), want);
	}
}

static void rows_are_cut_where_quotes_stand_around_cells(void **state)
{
	assert_cut("a,b\r\nc", "5 a|b|");
	assert_cut("a,b\nc", "4 a|b|");
	assert_cut("a\rb", "2 a|");
	assert_cut("\n", "1 |");
	assert_cut(",\"\",\n", "5 |||");
	assert_cut(" a\t,\"4,12;\r\n32\", \"\n", "0 ");
	assert_cut(" a\t,\"4,12;\r\n32\",\t \n", "19 a|4,12;\r\n32||");
	assert_cut("a,\"b\"\"c\"\n", "0 ");
	assert_cut("a,\"b\" \n", "0 ");
	assert_cut("a,b\"c\"\n", "0 ");
	assert_cut("a,\"\n", "0 ");
	assert_cut("a,b", "0 ");
	assert_cut("", "0 ");
	assert_cut("a cell of many bytes, one behind them that crosses the border of a block,\"and, one\nin quotes\"\n",
		"94 a cell of many bytes|one behind them that crosses the border of a block|and, one\nin quotes|");
}

static void what_is_over_a_limit_is_left(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(10000), want = BUF_INIT(10000);

	for (size_t i = 0; i < MAX_CELL_BYTES; i++)
		buf_byte(&text, 'x');
	buf_printf(&want, "%d %s|", MAX_CELL_BYTES + 1, buf_text(&text));
	buf_byte(&text, '\n');
	assert_cut(buf_text(&text), buf_text(&want));
	buf_reset(&want);
	buf_printf(&want, "x%s", buf_text(&text));
	assert_cut(buf_text(&want), "0 ");
	buf_reset(&text);
	for (size_t i = 0; i < MOST; i++)
		buf_byte(&text, ',');
	buf_byte(&text, '\n');
	assert_cut(buf_text(&text), "0 ");
}

static void columns_that_are_not_kept_are_empty(void **state)
{
	for (size_t i = 0; csv_way(i); i++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(100);

		cut_by(csv_way(i), STR("a,b,c\n"), 5, &got);
		assert_str(buf_str(&got), "6 a||c|");
	}
}

static void every_way_gives_the_same(void **state)
{
	static const char bytes[] = "\"\",,\n\r \tabcdefgh";
	const struct csv_way *portable = NULL;
	uint64_t random = 5;
	size_t rows = 0;
	char text[300];

	for (size_t i = 0; csv_way(i); i++)
		portable = csv_way(i);
	assert_string_equal(portable->name, "portable");
	for (size_t round = 0; round < 50000; round++) {
		size_t len = random_below(&random, sizeof(text)), start = len ? random_below(&random, len) % 8 : 0;
		uint64_t few = random_below(&random, 8);
		CLEANUP(buf_clear) struct buf want = BUF_INIT(1000);

		for (size_t i = 0; i < len; i++)
			text[i] = random_below(&random, 8) < few ? 'x'
								 : bytes[random_below(&random, sizeof(bytes) - 1)];
		rows += cut_by(portable, (struct str){ text + start, len - start }, UINT64_MAX, &want) > 0;
		for (size_t i = 0; csv_way(i); i++) {
			CLEANUP(buf_clear) struct buf got = BUF_INIT(1000);

			cut_by(csv_way(i), (struct str){ text + start, len - start }, UINT64_MAX, &got);
			assert_str(buf_str(&got), buf_text(&want));
		}
	}
	assert_true(rows > 10000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_cut_where_quotes_stand_around_cells),
		cmocka_unit_test(what_is_over_a_limit_is_left),
		cmocka_unit_test(columns_that_are_not_kept_are_empty),
		cmocka_unit_test(every_way_gives_the_same),
	};

	return run_group(tests);
}
