/* HTML by pieces, and a page in which no text of a dump can become markup. */
#include "report/doc/markup.h"
#include "report/report.h"
#include "tests/unit/check.h"
#include "tests/unit/results.h"

static void texts_are_escaped_and_made_visible(void **state)
{
	static const struct {
		const char *text, *html;
	} cases[] = {
		{ "", "" },
		{ "aten::add", "aten::add" },
		{ "<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;" },
		{ "&lt;", "&amp;lt;" },
		{ "a\x1b\n\xe2\x80\xae", "a\\x1b\\x0a\\u{202e}" },
		{ "\xe8\xae\xad\xff", "\xe8\xae\xad\xef\xbf\xbd" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000), attribute = BUF_INIT(1000), want = BUF_INIT(1000);

		html_text(&out, str_from(cases[i].text));
		assert_str(buf_str(&out), cases[i].html);
		html_attribute(&attribute, "data-x", str_from(cases[i].text));
		buf_printf(&want, " data-x=\"%s\"", cases[i].html);
		assert_str(buf_str(&attribute), buf_text(&want));
	}
}

static void only_addresses_of_the_web_become_links(void **state)
{
	static const struct {
		const char *address;
		bool link;
	} cases[] = {
		{ "https://example.org/a?b=1&c=2", true },
		{ "http://example.org/\"><script>", true },
		{ "javascript:alert(1)", false },
		{ "HTTPS://example.org", false },
		{ " https://example.org", false },
		{ "data:text/html,x", false },
		{ "//example.org", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1000);

		html_link(&out, str_from(cases[i].address));
		assert_int_equal(str_has(buf_str(&out), STR("<a ")), cases[i].link);
		assert_false(str_has(buf_str(&out), STR("<script")));
	}
}

/* How often a tag opens, attributes or not. */
static size_t count_of(struct str text, struct str needle)
{
	size_t count = 0, at;

	while ((at = str_find(text, needle)) != STR_NONE) {
		count++;
		text = str_skip(text, at + needle.len);
	}
	return count;
}

/* Empties the block of data, in which equal texts are one. */
static void drop_data(struct buf *page)
{
	size_t from = str_find(buf_str(page), STR("id=\"operator-data\"")),
	       size = str_find(str_skip(buf_str(page), from), STR("</script"));

	assert_true(from != STR_NONE && size != STR_NONE);
	memset(page->ptr + from, ' ', size);
}

/* Whatever the texts are, the markup is that of a harmless report. */
static void the_markup_does_not_depend_on_texts(void **state)
{
	static const char *const pieces[] = { "<script", "</script", "<img", "<tr", "<td", "<li", "<a ", "<details",
		"<h2", "onerror", "</html>" };
	struct result *plain = result_plain(), *hostile = result_hostile();

	for (int lang = 0; lang < LANG_COUNT; lang++) {
		CLEANUP(buf_clear) struct buf good = BUF_INIT(1 << 24), bad = BUF_INIT(1 << 24);
		struct render_options options = { .lang = (enum lang)lang };

		render_html(plain, &options, &good);
		render_html(hostile, &options, &bad);
		assert_false(str_has(buf_str(&bad), STR("\x1b")));
		drop_data(&good);
		drop_data(&bad);
		for (size_t i = 0; i < ARRAY_SIZE(pieces) - 2; i++)
			assert_int_equal(count_of(buf_str(&good), str_from(pieces[i])),
				count_of(buf_str(&bad), str_from(pieces[i])));
		assert_int_equal(count_of(buf_str(&bad), STR("onerror='")), 0);
		assert_true(str_ends(buf_str(&bad), STR("</html>\n")));
	}
	result_free(plain);
	result_free(hostile);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_escaped_and_made_visible),
		cmocka_unit_test(only_addresses_of_the_web_become_links),
		cmocka_unit_test(the_markup_does_not_depend_on_texts),
	};

	return run_group(tests);
}
