/* The report on a terminal: it fits, and it does nothing but show. */
#include "base/value/utf8.h"
#include "report/report.h"
#include "tests/unit/check.h"
#include "tests/unit/results.h"

static void no_line_is_wider_than_asked(void **state)
{
	static const unsigned widths[] = { 0, 80, 90, 200 };
	struct result *results[] = { result_plain(), result_hostile() };

	for (size_t i = 0; i < ARRAY_SIZE(results) * ARRAY_SIZE(widths) * LANG_COUNT * 2; i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 24);
		struct render_options options = { .width = widths[i / 2 % ARRAY_SIZE(widths)],
			.all = i % 2,
			.lang = (enum lang)(i / 2 / ARRAY_SIZE(widths) % LANG_COUNT) };
		struct str rest, line;

		render_text(results[i / 2 / ARRAY_SIZE(widths) / LANG_COUNT], &options, &out);
		rest = buf_str(&out);
		while (str_cut(&rest, '\n', &line)) {
			if (utf8_columns(line) > (options.width ? options.width : 80))
				fail_msg("%zu columns: %.*s", utf8_columns(line), STR_ARG(line));
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(results); i++)
		result_free(results[i]);
}

static void nothing_of_a_dump_reaches_the_terminal_unescaped(void **state)
{
	struct result *result = result_hostile();
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 24);
	struct render_options options = { .all = true };

	render_text(result, &options, &out);
	for (size_t i = 0; i < out.len; i++)
		assert_true((unsigned char)out.ptr[i] >= 0x20 || out.ptr[i] == '\n');
	assert_false(str_has(buf_str(&out), STR("\x7f")));
	assert_false(str_has(buf_str(&out), STR("\xe2\x80\xae")));
	result_free(result);
}

static void colour_adds_nothing_but_colour(void **state)
{
	struct result *result = result_plain();
	CLEANUP(buf_clear)
	struct buf plain = BUF_INIT(1 << 24), colored = BUF_INIT(1 << 24), stripped = BUF_INIT(1 << 24);
	struct render_options options = { .all = true };
	struct str rest, part;

	render_text(result, &options, &plain);
	options.color = true;
	render_text(result, &options, &colored);
	rest = buf_str(&colored);
	assert_true(str_has(rest, STR("\x1b[31m")));
	while (str_cut(&rest, '\x1b', &part))
		buf_add(&stripped,
			stripped.len || part.ptr != colored.ptr ? str_skip(part, str_find(part, STR("m")) + 1) : part);
	assert_str(buf_str(&stripped), buf_text(&plain));
	result_free(result);
}

static void long_lists_are_shortened_and_say_so(void **state)
{
	struct result *result = result_plain();
	CLEANUP(buf_clear) struct buf brief = BUF_INIT(1 << 24), all = BUF_INIT(1 << 24);
	struct render_options options = { .width = 0 };

	render_text(result, &options, &brief);
	options.all = true;
	render_text(result, &options, &all);
	assert_true(brief.len < all.len * 2 / 3);
	assert_true(str_has(buf_str(&brief), STR("10 more")));
	assert_false(str_has(buf_str(&all), STR(" more")));
	result_free(result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_line_is_wider_than_asked),
		cmocka_unit_test(nothing_of_a_dump_reaches_the_terminal_unescaped),
		cmocka_unit_test(colour_adds_nothing_but_colour),
		cmocka_unit_test(long_lists_are_shortened_and_say_so),
	};

	return run_group(tests);
}
