/* One document in each of its formats: what a block, a table and a hostile text become. */
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"
#include "report/doc/text_doc.h"
#include "tests/unit/check.h"

static void build_small(struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ .title = STR("Name"), .width = 8 },
		{ .title = STR("Calls"), .width = 5, .gap = 1, .number = true },
		{ .title = STR("Page alone"), .formats = DOC_HTML },
		{ .title = STR("About"), .gap = 1, .fit = COLUMN_WRAP },
	};

	doc_open(doc, BLOCK_NOTES);
	doc_open(doc, BLOCK_ITEM);
	doc_set_mood(doc, MOOD_BAD);
	doc_text(doc, STR("a <b> | `c`"));
	doc_close(doc);
	doc_close(doc);
	doc_section(doc, NULL); /* says nothing */
	doc_open(doc, BLOCK_LIST);
	doc_close(doc);
	doc_close(doc);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	doc_row(doc);
	doc_cell_text(doc, STR("longer than it"));
	doc_cell_number(doc, 7);
	doc_cell_text(doc, STR("x"));
	doc_cell(doc);
	doc_text(doc, STR("one two three"));
	doc_open(doc, BLOCK_ADVICE);
	doc_link(doc, SPAN_PLAIN, STR("https://example.org/a_b>c"), STR(""));
	doc_close(doc);
	doc_close(doc);
	doc_close(doc);
	doc_close(doc);
}

static void every_format_shows_the_same(void **state)
{
	static const struct {
		enum doc_format format;
		const char *text;
	} cases[] = {
		{ DOC_TEXT, "! a <b> | `c`\n"
			    "Name     Calls About\n"
			    "longer \xe2\x80\xa6     7 one two\n"
			    "               three\n"
			    "               -> https://example.org/a_b>c\n" },
		{ DOC_MD, "- **!** a &lt;b> \\| \\`c\\`\n"
			  "\n"
			  "| Name | Calls | About |\n"
			  "| --- | ---: | --- |\n"
			  "| longer than it | 7 | one two three<br><https://example.org/a_b%3Ec> |\n" },
		{ DOC_HTML, "<ul class=\"notes\"><li>a &lt;b&gt; | `c`</li>\n</ul>\n"
			    "<div class=\"scroll\"><table>\n"
			    "<thead><tr><th scope=\"col\">Name</th><th scope=\"col\" class=\"n\">Calls</th>"
			    "<th scope=\"col\">Page alone</th><th scope=\"col\">About</th></tr></thead>\n"
			    "<tbody>\n"
			    "<tr><td>longer than it</td><td class=\"n\">7</td><td>x</td><td>one two three<div "
			    "class=\"advice\">"
			    "<a rel=\"noreferrer\" "
			    "href=\"https://example.org/a_b&gt;c\">https://example.org/a_b&gt;c</a></div></td></tr>\n"
			    "</tbody>\n</table></div>\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 16);
		struct doc doc = doc_new(cases[i].format, &(struct render_options){ .width = 24 });

		build_small(&doc);
		doc_put(&doc, &out);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
}

/* A mask holds for the next node with all inside of it, and is over then, also where that was nothing. */
static void a_mask_is_of_the_next_node(void **state)
{
	static const struct doc_column columns[] = {
		{ .title = STR("head"), .width = 9, .headed = DOC_HTML | DOC_MD }
	};
	static const struct {
		enum doc_format format;
		const char *text;
	} cases[] = {
		{ DOC_TEXT, "both text\nboth\n\nother\nnone\n\ncell\n" },
		{ DOC_MD, "both md\n\nboth\n\n### one\n\nnone\n\n| head |\n| --- |\n| cell |\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 16);
		struct doc doc = doc_new(cases[i].format, &(struct render_options){ .width = 24 });

		doc_open(&doc, BLOCK_PARAGRAPH);
		doc_text(&doc, STR("both "));
		doc_text(doc_in(&doc, DOC_TEXT), STR("text"));
		doc_text(doc_in(&doc, DOC_MD), STR("md"));
		doc_close(&doc);
		doc_open(doc_in(&doc, DOC_HTML), BLOCK_PARAGRAPH);
		doc_text(&doc, STR("page"));
		doc_say_styled(&doc, BLOCK_LINE, SPAN_PLAIN, STR("inside"));
		doc_close(&doc);
		doc_text(doc_in(&doc, DOC_HTML), STR(""));
		doc_say_more(doc_in(&doc, DOC_HTML), "report.more-rows", 0);
		doc_say_styled(&doc, BLOCK_PARAGRAPH, SPAN_PLAIN, STR("both"));
		doc_section_headed(&doc, DOC_MD, "one", "other");
		doc_say_styled(&doc, BLOCK_PARAGRAPH, SPAN_PLAIN, STR("none"));
		doc_close(&doc);
		doc_table(&doc, &(struct doc_table){ .columns = columns, .count = 1 });
		doc_row(&doc);
		doc_cell_text(&doc, STR("cell"));
		doc_table_end(&doc);
		doc_put(&doc, &out);
		assert_string_equal(buf_text(&out), cases[i].text);
	}
}

/* Code keeps its signs, and nothing turns the direction of the text; an entity is no mention. */
static void markdown_shows_code_and_entities_as_they_are(void **state)
{
	static const struct doc_column columns[] = { { .title = STR("a") } };
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 16);
	struct doc doc = doc_new(DOC_MD, &(struct render_options){ .width = 24 });

	doc_say_styled(&doc, BLOCK_PARAGRAPH, SPAN_CODE, STR("f(a | b, `c``d`)"));
	doc_say_styled(&doc, BLOCK_PARAGRAPH, SPAN_CODE, STR("x\xe2\x80\xae\xc2\x9b"));
	doc_say_styled(&doc, BLOCK_PARAGRAPH, SPAN_PLAIN, STR("&#64;who &lt;b>"));
	doc_table(&doc, &(struct doc_table){ .columns = columns, .count = 1 });
	doc_row(&doc);
	doc_cell_styled(&doc, SPAN_CODE, STR("a | b"));
	doc_table_end(&doc);
	doc_code(&doc, STR("sh"), STR("a\tb\n```\x1b[0m\n"));
	doc_put(&doc, &out);
	assert_string_equal(buf_text(&out),
		"``` f(a | b, `c``d`) ```\n\n`x\\u{202e}\\x9b`\n\n&amp;&#35;64;who &amp;lt;b>\n\n"
		"| a |\n| --- |\n| `a \\| b` |\n\n````sh\na\tb\n```\\x1b[0m\n````\n");
}

static void put_numbered(struct doc *doc, const void *ctx, size_t at)
{
	doc_row(doc);
	doc_cell(doc);
	doc_printf(doc, "%s%zu", (const char *)ctx, at);
	doc_close(doc);
	doc_close(doc);
}

/* A tree of all of them would take more than a hundred times as much. */
static void rows_are_built_one_by_one(void **state)
{
	static const struct doc_column columns[] = { { .title = STR(""), .fit = COLUMN_WRAP } };
	enum { ROWS = 100000 };
	CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 24);
	struct doc doc = doc_new(DOC_TEXT, &(struct render_options){ .width = 80 });

	doc_table(&doc, &(struct doc_table){ .columns = columns,
				.count = 1,
				.bare = true,
				.row_count = ROWS,
				.put_row = put_numbered,
				.ctx = "row " });
	doc_close(&doc);
	doc_put_text(&doc, &out);
	assert_true(str_starts(buf_str(&out), STR("row 0\nrow 1\n")));
	assert_true(str_ends(buf_str(&out), STR("row 99998\nrow 99999\n")));
	assert_true(doc.arena.used_bytes < 1 << 17);
	doc_clear(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_format_shows_the_same),
		cmocka_unit_test(a_mask_is_of_the_next_node),
		cmocka_unit_test(markdown_shows_code_and_entities_as_they_are),
		cmocka_unit_test(rows_are_built_one_by_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
