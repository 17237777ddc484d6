/* The tables of the fact text, read and written again: the same bytes; and what a new place in the order does to them. */
#include "import/facts.h"

#include <stdlib.h>

#include "import/release_text.h"
#include "import/table.h"
#include "opdb/text/fact_text.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "base/value/version.h"

enum { NAMES = 9, ROUNDS = 300, ROWS = 40 };

static const char columns[] = "op value where";

struct fixture {
	struct arena arena;
	struct axis axis;
	struct fact_rows rows;
	struct buf text;
};

static void begin(struct fixture *fixture)
{
	*fixture = (struct fixture){ .arena = ARENA_INIT(ARENA_UNLIMITED), .text = BUF_INIT(1 << 24) };
}

static void end(struct fixture *fixture)
{
	fact_rows_clear(&fixture->rows);
	axis_clear(&fixture->axis);
	buf_clear(&fixture->text);
	arena_clear(&fixture->arena);
}

static const char *opdb_folder(struct buf *buf)
{
	buf_printf(buf, "%s/opdb", getenv("OPCHECK_SOURCE_ROOT"));
	return buf_text(buf);
}

static struct text_file load(struct fixture *fixture, const char *name)
{
	CLEANUP(buf_clear) struct buf folder = BUF_INIT(4096);
	struct text_file file;
	struct err err = { 0 };

	if (text_file_load(opdb_folder(&folder), name, &fixture->arena, &file, &err))
		fail_msg("%s: %s", err.where, err.text);
	return file;
}

static void hold_same(const struct buf *written, struct str read, const char *file)
{
	if (!str_eq(buf_str(written), read))
		fail_msg("%s is not what it was", file);
}

/* A file whose last column is spans over the names in the first column of another. */
static void hold_spans(const char *file, const char *order, size_t keys)
{
	struct fixture fixture;
	struct table names;
	struct err err = { 0 };
	struct text_file listed, read;

	begin(&fixture);
	listed = load(&fixture, order);
	assert_int_equal(table_read(&names, &listed, &err), 0);
	for (size_t i = 0; i < names.count; i++)
		axis_add(&fixture.axis, names.items[i].cells[0]);
	read = load(&fixture, file);
	assert_int_equal(fact_rows_read(&fixture.rows, &read, keys, &fixture.axis, &err), 0);
	fact_rows_write(&fixture.rows, &fixture.axis, &fixture.text);
	hold_same(&fixture.text, read.text, file);
	table_clear(&names);
	end(&fixture);
}

static void tables_with_spans_are_written_as_they_were_read(void **state)
{
	hold_spans("npu/support.tsv", "npu/releases.tsv", 3);
	hold_spans("musa/support.tsv", "musa/releases.tsv", 3);
	hold_spans("torch/universe.tsv", "torch/versions.tsv", 1);
	hold_spans("torch/schemas.tsv", "torch/versions.tsv", 1);
}

static void tables_without_spans_are_written_as_they_were_read(void **state)
{
	static const char *const files[] = { "fallbacks.tsv", "namespaces.tsv", "packages.tsv", "torch/versions.tsv",
		"npu/releases.tsv", "npu/versions.tsv", "musa/releases.tsv", "rules/backend_rules.tsv",
		"rules/backend_names.tsv", "rules/bodies.tsv" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		struct fixture fixture;
		struct table table;
		struct err err = { 0 };
		struct text_file read;

		begin(&fixture);
		read = load(&fixture, files[i]);
		if (table_read(&table, &read, &err))
			fail_msg("%s: %s", err.where, err.text);
		table_write(&table, &fixture.text);
		hold_same(&fixture.text, read.text, files[i]);
		table_clear(&table);
		end(&fixture);
	}
}

/* --- a model: which rows hold at which names */

static struct str name_of(struct fixture *fixture, const char *kind, size_t number)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(32);

	buf_printf(&text, "%s%zu", kind, number);
	return arena_keep(&fixture->arena, buf_str(&text));
}

static void set_axis(struct fixture *fixture, size_t count, size_t new_at)
{
	axis_clear(&fixture->axis);
	for (size_t i = 0, number = 0; i < count; i++)
		axis_add(&fixture->axis, i == new_at ? STR("new") : name_of(fixture, "r", number++));
}

/* Writes the rows and reads them into a table of their own: what holds where must be what the model says. */
static void hold_model(struct fixture *fixture, bool model[ROWS][NAMES + 1], size_t names)
{
	struct fact_rows again;
	struct text_file file = { .name = STR("model.tsv"), .columns = str_from(columns), .arena = &fixture->arena };
	struct err err = { 0 };

	buf_reset(&fixture->text);
	fact_rows_write(&fixture->rows, &fixture->axis, &fixture->text);
	file.text = buf_str(&fixture->text);
	assert_int_equal(fact_rows_read(&again, &file, 1, &fixture->axis, &err), 0);
	for (size_t row = 0; row < ROWS; row++) {
		struct str cells[] = { name_of(fixture, "op", row % 7), name_of(fixture, "value", row) };

		for (unsigned place = 0; place < names; place++) {
			bool is_new = fact_rows_add(&again, cells, place);

			assert_int_equal(is_new, !model[row][place]);
		}
	}
	fact_rows_clear(&again);
}

/* No two rows of one operator at one place, as in the fact text: the value is drawn per operator and place. */
static void fill_model(struct fixture *fixture, uint64_t *random, bool model[ROWS][NAMES + 1])
{
	for (size_t op = 0; op < 7; op++) {
		for (unsigned place = 0; place < NAMES; place++) {
			size_t row = op + 7 * random_below(random, 4);
			struct str cells[] = { name_of(fixture, "op", op), name_of(fixture, "value", row) };

			model[row][place] = true;
			fact_rows_add(&fixture->rows, cells, place);
		}
	}
}

static void a_new_place_moves_what_stands_behind_it(void **state)
{
	uint64_t random = 7;

	for (size_t round = 0; round < ROUNDS; round++) {
		bool model[ROWS][NAMES + 1] = { 0 };
		size_t place = random_below(&random, NAMES + 1), removed = random_below(&random, NAMES + 1);
		struct fixture fixture;

		begin(&fixture);
		fixture.rows = (struct fact_rows){
			.columns = str_from(columns), .width = 2, .keys = 1, .arena = &fixture.arena
		};
		set_axis(&fixture, NAMES, SIZE_MAX);
		fill_model(&fixture, &random, model);
		fact_rows_shift(&fixture.rows, (unsigned)place);
		fact_rows_remove(&fixture.rows, (unsigned)removed);
		set_axis(&fixture, NAMES + 1, place);
		for (size_t row = 0; row < ROWS; row++) {
			memmove(&model[row][place + 1], &model[row][place], (NAMES - place) * sizeof(bool));
			model[row][place] = false;
			model[row][removed] = false;
		}
		hold_model(&fixture, model, NAMES + 1);
		end(&fixture);
	}
}

static void a_folder_that_cannot_be_read_is_an_error(void **state)
{
	static const char *const known[] = { NULL };
	static const struct span_folder folder = { "/nonexistent", "npu", "releases", known };
	CLEANUP(end) struct fixture fixture;
	struct span_tables tables = { 0 };
	struct err err = { 0 };

	begin(&fixture);
	assert_int_equal(span_tables_read(&tables, &folder, &fixture.axis, &fixture.arena, &err), -ERR_FACT);
	assert_string_equal(err.text, "cannot read the folder /nonexistent/npu: No such file or directory");
	assert_int_equal(tables.count, 0);
}

static void versions_have_an_order(void **state)
{
	static const char *const order[] = { "3.0.rc1", "3.0.0", "5.0.rc2", "5.0.rc2.1", "5.0.rc3", "5.0.0", "6.0.rc1",
		"6.0.0", "7.3.0", "8.1.RC1", "8.1.RC2", "8.1.0", "26.0.0", "26.0.0.post4+local" };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		for (size_t j = 0; j < ARRAY_SIZE(order); j++) {
			int cmp = version_cmp(str_from(order[i]), str_from(order[j]));

			assert_int_equal((cmp > 0) - (cmp < 0), (i > j) - (i < j));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_with_spans_are_written_as_they_were_read),
		cmocka_unit_test(tables_without_spans_are_written_as_they_were_read),
		cmocka_unit_test(a_new_place_moves_what_stands_behind_it),
		cmocka_unit_test(a_folder_that_cannot_be_read_is_an_error),
		cmocka_unit_test(versions_have_an_order),
	};

	return run_group(tests);
}
