/* The lists of the porting guide's script, quirks included. */
#include <stdio.h>
#include <unistd.h>

#include "dump/guide/guide.h"
#include "dump/guide/python.h"
#include "tests/unit/files.h"
#include "tests/unit/random.h"

static struct scratch scratch;

static int make(void **state)
{
	scratch_make(&scratch);
	return 0;
}

static int clean(void **state)
{
	scratch_remove(&scratch);
	return 0;
}

static int extract(struct str text, const struct limits *limits, struct guide_lists *ret, struct err *err)
{
	file_write(scratch_path(&scratch, "profiler.log"), text);
	return guide_extract(scratch.path, limits, ret, err);
}

/* The same from standard input. */
static int extract_piped(struct str text, const struct limits *limits, struct guide_lists *ret, struct err *err)
{
	int ends[2], saved = dup(STDIN_FILENO), status;

	assert_int_equal(pipe(ends), 0);
	if (fork() == 0) {
		FILE *end = fdopen(ends[1], "w");

		close(ends[0]);
		fwrite(text.ptr, 1, text.len, end);
		_exit(fclose(end));
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	status = guide_extract("-", limits, ret, err);
	close(STDIN_FILENO);
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	close(saved);
	return status;
}

static void assert_list(const struct str *names, size_t count, const char *want)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(1 << 20);

	python_put_list(&list, names, count);
	assert_str(buf_str(&list), want);
}

#define STEP "Name  # of Calls  Input Shapes\n"

static void names_are_listed_in_order_and_dynamic_ones_by_new_shapes(void **state)
{
	static const struct {
		const char *text, *all, *dynamic;
	} cases[] = {
		{ "", "[]", "[]" },
		{ "aten::add  7  [[2]]\n", "[]", "[]" },
		{ STEP "aten::add  7  [[2]]\naten::mul  7  [[3]]\naten::add  7  [[4]]\n", "['aten::add', 'aten::mul']",
			"[]" },
		{ STEP "aten::add  7  [[2]]\n" STEP "aten::add  7  [[2]]\n", "['aten::add']", "[]" },
		{ STEP "aten::add  7  [[2]]\n" STEP "aten::add  7  [[3]]\n", "['aten::add']", "['aten::add']" },
		{ STEP "aten::add  7  [[2]]\n" STEP STEP "aten::mul  7  [[2]]\naten::add  7  [[2]]\n",
			"['aten::add', 'aten::mul']", "['aten::mul']" },
		{ STEP "aten::a  7  [[2]]\naten::b  7  [[2]]\n" STEP "aten::b  7  [[3]]\naten::a  7  [[3]]\n",
			"['aten::a', 'aten::b']", "['aten::b', 'aten::a']" },
		/* once dynamic in any later step is enough, in the order of the first row after step 1 */
		{ STEP "aten::a  7  [[2]]\naten::b  7  [[2]]\n" STEP "aten::a  7  [[2]]\naten::b  7  [[3]]\n" STEP
		       "aten::a  7  [[3]]\n",
			"['aten::a', 'aten::b']", "['aten::a', 'aten::b']" },
		/* everything with [[ or [] is a row: labels, other lines, rows of tables whose header did not match */
		{ STEP "warning: [[1, 2]]\n[]\nmy label  [x]  []\n", "['warning: [[1, 2]]', '[]', 'my label']", "[]" },
		{ STEP "[[1]]  aten::add\n", "['[[1]]']", "[]" },
		{ STEP "aten::add  7  [ [2]\nx [\n", "[]", "[]" },
		/* the last field is the shapes, whatever it is */
		{ STEP "aten::add  [[2]]  12.5\n" STEP "aten::add  [[3]]  12.5\n", "['aten::add']", "[]" },
		/* cells are the pieces between pairs of blanks */
		{ STEP "a b   c  [[2]]\n   x  [[2]]  \n", "['a b', 'x']", "[]" },
		{ STEP "aten::add\t7\t[[2]]\n", "['aten::add\\t7\\t[[2]]']", "[]" },
		/* a header is a whole stripped line */
		{ " \tName x Input Shapes \r\naten::add  [[2]]\n", "['aten::add']", "[]" },
		{ "NameInput Shapes\naten::add  [[2]]\n", "['aten::add']", "[]" },
		{ "Name  Input Shapes  x\naten::add  [[2]]\n", "[]", "[]" },
		{ "xName  Input Shapes\naten::add  [[2]]\n", "[]", "[]" },
		{ "Name Input Shape\naten::add  [[2]]\n", "[]", "[]" },
		{ "NamInput Shapes\naten::add  [[2]]\n", "[]", "[]" },
		/* universal line ends, and white space of every kind is stripped */
		{ "Name  Input Shapes\raten::a  [[2]]\r\naten::b  [[2]]\n\raten::c  [[2]]",
			"['aten::a', 'aten::b', 'aten::c']", "[]" },
		{ "\xe3\x80\x80Name  Input Shapes\xc2\xa0\n\x1c"
		  "aten::a  [[2]]\x1f\n",
			"['aten::a']", "[]" },
		{ STEP "a\x0b"
		       "b  [[2]]\n",
			"['a\\x0bb']", "[]" },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct guide_lists lists = { 0 };
		struct err err = { 0 };

		assert_int_equal(extract(str_from(cases[i].text), &limits, &lists, &err), 0);
		assert_list(lists.all_ops, lists.all_count, cases[i].all);
		assert_list(lists.dynamic_ops, lists.dynamic_count, cases[i].dynamic);
		guide_lists_clear(&lists);
	}
}

static void lists_look_as_python_prints_them(void **state)
{
	static const struct {
		struct str name;
		const char *list;
	} cases[] = {
		{ { "aten::add", 9 }, "['aten::add']" },
		{ { "it's", 4 }, "[\"it's\"]" },
		{ { "say \"x\"", 7 }, "['say \"x\"']" },
		{ { "it's \"x\"", 8 }, "['it\\'s \"x\"']" },
		{ { "a\\b", 3 }, "['a\\\\b']" },
		{ { "\t\n\r\x0b\x1b\x7f\0", 7 }, "['\\t\\n\\r\\x0b\\x1b\\x7f\\x00']" },
		{ { "\xc2\x80\xc2\xa0\xc2\xad", 6 }, "['\\x80\\xa0\\xad']" },
		{ { "\xe8\xae\xad\xc3\xa9", 5 }, "['\xe8\xae\xad\xc3\xa9']" },
		{ { "\xe2\x80\xa8\xe3\x80\x80\xef\xbb\xbf", 9 }, "['\\u2028\\u3000\\ufeff']" },
		{ { "\xf0\x9f\x98\x80", 4 }, "['\xf0\x9f\x98\x80']" },
		{ { "\xf3\xa0\x80\x81\xf4\x8f\xbf\xbf", 8 }, "['\\U000e0001\\U0010ffff']" },
		{ { "", 0 }, "['']" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_list(&cases[i].name, 1, cases[i].list);
	assert_list(NULL, 0, "[]");
}

static void bytes_that_are_no_utf_8_stop_it_at_their_place(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "ab\xff", "byte 0xff at position 2 is not valid UTF-8" },
		{ "a\n\xd1\xb5\xc1\xb7\n", "byte 0xc1 at position 4 is not valid UTF-8" },
		{ "\xe8\xae", "byte 0xe8 at position 0 is not valid UTF-8" },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct guide_lists lists = { .all_count = 77 };
		struct err err = { 0 };

		assert_int_equal(extract(str_from(cases[i].text), &limits, &lists, &err), -ERR_ENCODING);
		assert_string_equal(err.text, cases[i].message);
		assert_int_equal(extract_piped(str_from(cases[i].text), &limits, &lists, &err), -ERR_ENCODING);
		assert_string_equal(err.text, cases[i].message);
		assert_int_equal(lists.all_count, 77);
	}
}

static void limits_are_errors(void **state)
{
	static const struct {
		const char *assignment, *text;
	} cases[] = {
		{ "names=2", STEP "a  [[1]]\nb  [[1]]\nc  [[1]]\n" },
		{ "shapes=2", STEP "a  [[1]]\na  [[2]]\na  [[3]]\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default();
		struct guide_lists lists = { .all_count = 77 };
		struct err err = { 0 };

		assert_int_equal(limits_set(&limits, str_from(cases[i].assignment), &err), 0);
		assert_int_equal(extract(str_from(cases[i].text), &limits, &lists, &err), -ERR_LIMIT);
		assert_int_equal(lists.all_count, 77);
	}
}

/* Long enough for several blocks, so that several threads take part. */
static struct buf large_log(const char *line_end)
{
	struct buf text = BUF_INIT(1 << 26);
	uint64_t seed = 31;

	while (text.len < 5 << 20) {
		if (random_below(&seed, 3000) == 0)
			buf_printf(&text, "Name  # of Calls  Input Shapes%s", line_end);
		buf_printf(&text, "aten::op_%u  7  [[%u, %u]]%s", (unsigned)random_below(&seed, 200),
			(unsigned)random_below(&seed, 3), (unsigned)random_below(&seed, 2), line_end);
		/* now and then a line longer than a block */
		if (random_below(&seed, 40000) == 0) {
			for (unsigned i = 0; i < 700000; i++)
				buf_byte(&text, 'x');
			buf_printf(&text, "  [[]]%s", line_end);
		}
	}
	return text;
}

/* A pipe is read by one thread from its beginning to its end, a file by several in blocks. */
static void a_pipe_gives_the_lists_of_the_file(void **state)
{
	static const char *const line_ends[] = { "\n", "\r\n", "\r" };
	struct limits limits = limits_default();

	limits.guide_line_bytes = 1 << 20;
	for (size_t i = 0; i < ARRAY_SIZE(line_ends); i++) {
		CLEANUP(buf_clear)
		struct buf text = large_log(line_ends[i]), list = BUF_INIT(1 << 26), piped = BUF_INIT(1 << 26);
		struct guide_lists lists = { 0 };
		struct err err = { 0 };

		assert_int_equal(extract(buf_str(&text), &limits, &lists, &err), 0);
		python_put_list(&list, lists.all_ops, lists.all_count);
		python_put_list(&list, lists.dynamic_ops, lists.dynamic_count);
		guide_lists_clear(&lists);
		assert_int_equal(extract_piped(buf_str(&text), &limits, &lists, &err), 0);
		python_put_list(&piped, lists.all_ops, lists.all_count);
		python_put_list(&piped, lists.dynamic_ops, lists.dynamic_count);
		guide_lists_clear(&lists);
		assert_true(str_eq(buf_str(&list), buf_str(&piped)));
	}
}

static void a_line_over_the_limit_is_an_error(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 26);
	struct limits limits = limits_default();
	struct guide_lists lists = { .all_count = 77 };
	struct err err = { 0 };

	limits.guide_line_bytes = 1 << 20;
	for (size_t i = 0; i < 3 << 20; i++)
		buf_byte(&text, 'x');
	assert_int_equal(extract(buf_str(&text), &limits, &lists, &err), -ERR_LIMIT);
	assert_int_equal(lists.all_count, 77);
	assert_true(str_has(str_from(err.hint), STR("guide-line-bytes")));
}

static void what_is_no_file_is_an_error(void **state)
{
	struct limits limits = limits_default();
	struct guide_lists lists = { .all_count = 77 };
	struct err err = { 0 };

	assert_int_equal(guide_extract("/nonexistent", &limits, &lists, &err), -ERR_OPEN);
	assert_string_equal(err.text, "cannot open: No such file or directory");
	assert_string_equal(err.where, "/nonexistent");
	assert_int_equal(guide_extract("/", &limits, &lists, &err), -ERR_DIRECTORY);
	assert_int_equal(lists.all_count, 77);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_listed_in_order_and_dynamic_ones_by_new_shapes),
		cmocka_unit_test(lists_look_as_python_prints_them),
		cmocka_unit_test(bytes_that_are_no_utf_8_stop_it_at_their_place),
		cmocka_unit_test(limits_are_errors),
		cmocka_unit_test(a_pipe_gives_the_lists_of_the_file),
		cmocka_unit_test(a_line_over_the_limit_is_an_error),
		cmocka_unit_test(what_is_no_file_is_an_error),
	};

	return cmocka_run_group_tests(tests, make, clean);
}
