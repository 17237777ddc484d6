/* The survey as Markdown and as one HTML file. */
#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/mdw.h"
#include "report/survey_parts.h"
#include "report/text_page.h"

enum { NAMES = 12 };

/* --- Markdown */

static void md_label(struct buf *out, enum lang lang, const char *id)
{
	md_text(out, catalog_text(lang, str_from(id)));
}

static void md_message(struct buf *out, enum lang lang, const struct message *message)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	catalog_put(&text, lang, message);
	md_text(out, buf_str(&text));
}

static void md_names(const struct survey *survey, const struct survey_set *set, struct buf *out)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	survey_put_names(survey, set, NAMES, &names);
	md_text(out, buf_str(&names));
}

static void md_row(const struct survey *survey, const struct survey_group *group, struct buf *out)
{
	const struct survey_release *release = &survey->releases[group->first];
	struct buf device = text_interval(release->figures.readiness.time),
		   all = text_interval(release->figures.coverage.time);
	struct buf span = BUF_UNLIMITED;

	survey_put_span(survey, group, &span);
	buf_add(out, group->is_from || group->is_to ? STR("| **") : STR("| "));
	md_text(out, buf_str(&span));
	buf_add(out, group->is_from || group->is_to ? STR("** | ") : STR(" | "));
	buf_printf(out, "%.*s | %.*s | %zu | ", STR_ARG(buf_str(&device)), STR_ARG(buf_str(&all)),
		release->blockers.count);
	md_names(survey, &release->fixed, out);
	buf_add(out, STR(" | "));
	md_names(survey, &release->fresh, out);
	buf_add(out, STR(" |\n"));
	buf_clear(&device);
	buf_clear(&all);
	buf_clear(&span);
}

static void md_moves(const struct survey *survey, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < survey->move_count; i++) {
		struct message lines[SURVEY_LINES];
		size_t count = survey_say_move(survey, &survey->moves[i], &arena, lines);

		for (size_t line = 0; line < count; line++) {
			buf_add(out, line ? STR("  ") : STR("- "));
			md_message(out, lang, &lines[line]);
			buf_byte(out, '\n');
		}
	}
	arena_clear(&arena);
}

static void md_head(const struct result *result, enum lang lang, struct buf *out)
{
	buf_add(out, STR("## "));
	md_label(out, lang, "survey.title");
	for (size_t i = 0; i < result->input_count; i++) {
		buf_add(out, i ? STR(", ") : STR(": "));
		md_text(out, result->inputs[i].name);
	}
	buf_add(out, STR("\n\n"));
	for (size_t i = 0; i < result->assumption_count; i++) {
		struct message what = message_of("report.assumption");

		message_add(&what, "operator", result->assumptions[i].name);
		message_add(&what, "status", result->assumptions[i].status);
		buf_add(out, STR("**"));
		md_message(out, lang, &what);
		buf_add(out, STR("**\n\n"));
	}
	for (size_t i = 0; i < result->warning_count; i++) {
		md_message(out, lang, &result->warnings[i]);
		buf_add(out, STR("\n\n"));
	}
}

void survey_put_md(
	const struct survey *survey, const struct result *result, const struct render_options *options, struct buf *out)
{
	static const char *const columns[] = { "survey.release", "report.on-device", "report.at-all", "report.blockers",
		"survey.fixed", "survey.new" };
	struct survey_group group;

	md_head(result, options->lang, out);
	md_moves(survey, options->lang, out);
	buf_add(out, STR("\n|"));
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		buf_byte(out, ' ');
		md_label(out, options->lang, columns[i]);
		buf_add(out, STR(" |"));
	}
	buf_add(out, STR("\n| --- | ---: | ---: | ---: | --- | --- |\n"));
	for (size_t at = 0; survey_next_group(survey, options->all, &at, &group);)
		md_row(survey, &group, out);
}

/* --- HTML */

static void html_names(const struct survey *survey, const struct survey_set *set, struct buf *out)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	survey_put_names(survey, set, SIZE_MAX, &names);
	html_text(out, buf_str(&names));
}

static void html_head_cell(struct buf *out, enum lang lang, const char *id, bool number)
{
	if (number)
		html(out, "<th scope=\"col\" class=\"n\">");
	else
		html(out, "<th scope=\"col\">");
	html_label(out, lang, id);
	html(out, "</th>");
}

static void html_interval(struct result_interval interval, struct buf *out)
{
	struct buf text = text_interval(interval);

	html(out, "<td class=\"n\">");
	html_text(out, buf_str(&text));
	html(out, "</td>");
	buf_clear(&text);
}

/* The numbers, and behind a click the names. */
static void html_sets(
	const struct survey *survey, const struct survey_release *release, enum lang lang, struct buf *out)
{
	const struct {
		const char *id;
		const struct survey_set *set;
	} sets[] = {
		{ "report.blockers", &release->blockers },
		{ "survey.unknown", &release->unknown },
		{ "survey.conditional", &release->doubts },
		{ "survey.fixed", &release->fixed },
		{ "survey.new", &release->fresh },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		if (!sets[i].set->count)
			continue;
		html(out, "<p>");
		html_label(out, lang, sets[i].id);
		html(out, ": <span class=\"name\">");
		html_names(survey, sets[i].set, out);
		html(out, "</span></p>");
	}
}

static void html_row(const struct survey *survey, const struct survey_group *group, enum lang lang, struct buf *out)
{
	const struct survey_release *release = &survey->releases[group->first];
	CLEANUP(buf_clear) struct buf span = BUF_UNLIMITED;

	survey_put_span(survey, group, &span);
	html(out, "<tr><td><details><summary class=\"name\">");
	if (group->is_to)
		html(out, "\xe2\x86\x92 ");
	html_text(out, buf_str(&span));
	html(out, "</summary><div>");
	html_sets(survey, release, lang, out);
	html(out, "</div></details></td><td>");
	html_tag(out, lang, "v-", "verdict", release->figures.verdict);
	html(out, "</td>");
	html_interval(release->figures.readiness.time, out);
	html_interval(release->figures.coverage.time, out);
	buf_printf(out,
		"<td class=\"n\">%zu</td><td class=\"n\">%zu</td><td class=\"n\">%zu</td><td "
		"class=\"n\">%zu</td></tr>\n",
		release->blockers.count, release->unknown.count, release->fixed.count, release->fresh.count);
}

static void html_moves(const struct survey *survey, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	html(out, "<h2>");
	html_label(out, lang, "survey.moves");
	html(out, "</h2>\n<ul class=\"notes\">\n");
	for (size_t i = 0; i < survey->move_count; i++) {
		struct message lines[SURVEY_LINES];
		size_t count = survey_say_move(survey, &survey->moves[i], &arena, lines);

		html(out, "<li>");
		for (size_t line = 0; line < count; line++) {
			html(out, "<div>");
			html_message(out, lang, &lines[line]);
			html(out, "</div>");
		}
		html(out, "</li>\n");
	}
	html(out, "</ul>\n");
	arena_clear(&arena);
}

static void html_matrix(const struct survey *survey, const struct render_options *options, struct buf *out)
{
	struct message against = message_of(survey->against_given ? "survey.against-given" : "survey.against-before");
	struct survey_group group;

	html(out, "<h2>");
	html_label(out, options->lang, "survey.matrix");
	html(out, "</h2>\n<p class=\"soft\">");
	html_message(out, options->lang, &against);
	html(out, "</p>\n<div class=\"scroll\"><table>\n<thead><tr>");
	html_head_cell(out, options->lang, "survey.release", false);
	html_head_cell(out, options->lang, "report.verdict", false);
	html_head_cell(out, options->lang, "report.on-device", true);
	html_head_cell(out, options->lang, "report.at-all", true);
	html_head_cell(out, options->lang, "report.blockers", true);
	html_head_cell(out, options->lang, "survey.unknown", true);
	html_head_cell(out, options->lang, "survey.fixed", true);
	html_head_cell(out, options->lang, "survey.new", true);
	html(out, "</tr></thead>\n<tbody>\n");
	for (size_t at = 0; survey_next_group(survey, options->all, &at, &group);)
		html_row(survey, &group, options->lang, out);
	html(out, "</tbody>\n</table></div>\n");
}

void survey_put_html(
	const struct survey *survey, const struct result *result, const struct render_options *options, struct buf *out)
{
	html_put_head(result, options->lang, "survey.title", out);
	html_put_header(result, options->lang, "survey.title", out);
	html(out, "<main>\n");
	html_moves(survey, options->lang, out);
	html_matrix(survey, options, out);
	for (size_t i = 0; i < result->warning_count; i++) {
		html(out, "<p>");
		html_message(out, options->lang, &result->warnings[i]);
		html(out, "</p>\n");
	}
	html(out, "</main>\n</body>\n</html>\n");
}
