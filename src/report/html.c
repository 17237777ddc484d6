/* The report as one HTML file: no network, readable without scripts, every operator in the markup. */
#include <inttypes.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/sha256.h"
#include "report/costs.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/part.h"
#include "report/policy_parts.h"

struct html_page {
	struct buf *out;
	const struct result *result;
	enum lang lang;
	size_t left_out; /* findings that are known from a baseline */
};

/* --- pieces */

static void label(struct html_page *page, const char *id)
{
	html_label(page->out, page->lang, id);
}

static void word(struct html_page *page, const char *set, struct str value)
{
	html_word(page->out, page->lang, set, value);
}

static void message(struct html_page *page, const struct message *what)
{
	html_message(page->out, page->lang, what);
}

static void tag(struct html_page *page, const char *prefix, const char *set, struct str value)
{
	html_tag(page->out, page->lang, prefix, set, value);
}

static void number(struct html_page *page, uint64_t value)
{
	buf_printf(page->out, "%" PRIu64, value);
}

static void percent(struct html_page *page, int64_t ppm)
{
	html_percent(page->out, ppm);
}

static void interval(struct html_page *page, struct result_interval interval)
{
	if ((interval.lo_ppm + 500) / 1000 != (interval.hi_ppm + 500) / 1000) {
		decimal_put(page->out, (interval.lo_ppm + 500) / 1000, 1);
		html(page->out, "\xe2\x80\x93");
	}
	percent(page, interval.hi_ppm);
}

static void heading(struct html_page *page, const char *id)
{
	html(page->out, "<h2>");
	label(page, id);
	html(page->out, "</h2>\n");
}

/* --- head */

void html_put_policy(struct buf *out)
{
	char style[SHA256_BASE64_BYTES], script[SHA256_BASE64_BYTES];

	sha256_base64(str_from(report_css), style);
	sha256_base64(str_from(report_js), script);
	buf_printf(out,
		"default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action "
		"'none'",
		style, script);
}

void html_put_head(const struct result *result, enum lang lang, const char *title_id, struct buf *out)
{
	struct html_page of = { out, result, lang }, *page = &of;

	html(page->out, "<!DOCTYPE html>\n<html");
	html_attribute(page->out, "lang", lang_name(page->lang));
	html(page->out, ">\n<head>\n<meta charset=\"utf-8\">\n"
			"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	html(page->out, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	html_put_policy(page->out);
	html(page->out, "\">\n<title>");
	label(page, title_id);
	html(page->out, " \xc2\xb7 ");
	html_text(page->out, page->result->input_count ? page->result->inputs[0].name : STR("opcheck"));
	html(page->out, "</title>\n<style>");
	buf_add(page->out, str_from(report_css));
	html(page->out, "</style>\n</head>\n<body>\n");
}

static void input_line(struct html_page *page, const struct result_input *input)
{
	html(page->out, "<p class=\"meta\"><strong class=\"name\">");
	html_text(page->out, input->name);
	html(page->out, "</strong> \xc2\xb7 ");
	html_text(page->out, input->format);
	if (input->torch_era.len) {
		html(page->out, " ");
		label(page, "report.from");
		html(page->out, " ");
		html_text(page->out, input->torch_era);
	}
	html(page->out, " \xc2\xb7 ");
	number(page, input->steps);
	html(page->out, " ");
	label(page, "report.steps");
	html(page->out, " \xc2\xb7 ");
	number(page, input->rows);
	html(page->out, " ");
	label(page, "report.rows");
	html(page->out, " \xc2\xb7 SHA-256 <code>");
	html_text(page->out, input->sha256);
	html(page->out, "</code></p>\n");
	html_device(page->out, page->lang, page->result, (size_t)(input - page->result->inputs));
}

static void origin_line(struct html_page *page)
{
	const struct result *result = page->result;

	html(page->out, "<p class=\"meta\">opcheck ");
	html_text(page->out, result->tool_version);
	html(page->out, " \xc2\xb7 ");
	label(page, "report.database");
	html(page->out, " ");
	html_text(page->out, result->db.built_at);
	html(page->out, " \xc2\xb7 ");
	label(page, "report.build");
	html(page->out, " <code>");
	html_text(page->out, result->db.build);
	html(page->out, "</code></p>\n");
}

static void overlay_line(struct html_page *page, const struct result_overlay *overlay)
{
	struct message what = message_of("report.overlay");
	char facts[24];

	snprintf(facts, sizeof(facts), "%" PRIu64, overlay->facts);
	message_add(&what, "name", overlay->name);
	message_add(&what, "facts", str_from(facts));
	message_add(&what, "sha256", overlay->sha256);
	html(page->out, "<p class=\"meta\">");
	message(page, &what);
	html(page->out, "</p>\n");
}

static void assumption_line(struct html_page *page, const struct result_assumption *assumption)
{
	struct message what = message_of("report.assumption");

	message_add(&what, "operator", assumption->name);
	message_add(&what, "status", assumption->status);
	html(page->out, "<p class=\"meta\"><strong>");
	message(page, &what);
	html(page->out, "</strong></p>\n");
}

/* --- targets */

/* A bar from 0 to 100 %: what is certain, then what is possible. */
static void bar(struct html_page *page, struct result_interval interval)
{
	html(page->out,
		"<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
		"<rect class=\"track\" width=\"1000\" height=\"10\"/><rect class=\"hi\" height=\"10\" width=\"");
	number(page, (uint64_t)(interval.hi_ppm / 1000));
	html(page->out, "\"/><rect class=\"lo\" height=\"10\" width=\"");
	number(page, (uint64_t)(interval.lo_ppm / 1000));
	html(page->out, "\"/></svg>");
}

static void interval_line(struct html_page *page, const char *id, struct result_interval shown)
{
	html(page->out, "<dt>");
	label(page, id);
	html(page->out, "</dt><dd>");
	bar(page, shown);
	html(page->out, "</dd><dd class=\"figure\">");
	interval(page, shown);
	html(page->out, "</dd>\n");
}

static void counts(struct html_page *page, const struct result_target *target)
{
	html(page->out, "<ul>\n");
	for (size_t i = 0; i < target->count_count; i++) {
		const struct result_count *count = &target->counts[i];

		html(page->out, "<li>");
		tag(page, "s-", "status", count->status);
		html(page->out, " ");
		number(page, count->operators);
		html(page->out, " <span class=\"soft\">(");
		percent(page, count->time_ppm);
		html(page->out, ")</span></li>\n");
	}
	html(page->out, "</ul>\n");
}

static void target_facts(struct html_page *page, const struct result_target *target)
{
	html(page->out, "<p class=\"meta\">PyTorch ");
	html_text(page->out, target->torch);
	if (target->cann.len) {
		html(page->out, " \xc2\xb7 CANN ");
		html_text(page->out, target->cann);
	}
	html(page->out, " \xc2\xb7 ");
	html_text(page->out, target->date);
	html(page->out, "</p>\n");
}

static void target_card(struct html_page *page, const struct result_target *target)
{
	html(page->out, "<section class=\"card\">\n<h3><span class=\"name\">");
	html_text(page->out, target->id);
	html(page->out, "</span> ");
	tag(page, "v-", "verdict", target->verdict);
	html(page->out, "</h3>\n");
	target_facts(page, target);
	html(page->out, "<dl>\n");
	interval_line(page, "report.on-device", target->readiness.time);
	interval_line(page, "report.at-all", target->coverage.time);
	html(page->out, "</dl>\n");
	counts(page, target);
	if (!str_eq(target->gate, STR("none"))) {
		html(page->out, "<p class=\"meta\">");
		label(page, "report.gate");
		html(page->out, ": ");
		word(page, "report.gate", target->gate);
		html(page->out, "</p>\n");
	}
	html_checks(page->out, page->lang, target);
	html(page->out, "</section>\n");
}

static void targets(struct html_page *page)
{
	struct message basis = message_of("report.basis"), about = message_of("report.interval-about");
	struct buf name = BUF_INIT(256);
	char count[24];

	heading(page, "report.targets");
	html(page->out, "<div class=\"cards\">\n");
	for (size_t i = 0; i < page->result->target_count; i++)
		target_card(page, &page->result->targets[i]);
	html(page->out, "</div>\n<p class=\"soft\">");
	snprintf(count, sizeof(count), "%zu", page->result->operator_count);
	buf_printf(&name, "basis.%.*s", STR_ARG(page->result->basis));
	message_add(&basis, "basis", catalog_text(page->lang, buf_str(&name)));
	message_add(&basis, "operators", str_from(count));
	message(page, &basis);
	html(page->out, " ");
	message(page, &about);
	html(page->out, "</p>\n");
	buf_clear(&name);
}

/* --- operators */

static void steps_of(struct html_page *page, const struct result_shape *shape)
{
	for (size_t i = 0; i < shape->step_count; i++) {
		const struct result_runs *run = &shape->steps[i];

		buf_printf(page->out, run->first == run->last ? "%s%" PRIu32 : "%s%" PRIu32 "\xe2\x80\x93%" PRIu32,
			i ? ", " : "", run->first, run->last);
	}
}

static void shape_list(struct html_page *page, const struct result_operator *op)
{
	enum { LISTED = 8 };

	if (!op->shape_count)
		return;
	html(page->out, "<p class=\"soft\">");
	label(page, "report.shape-list");
	html(page->out, " (");
	number(page, op->shape_total);
	html(page->out, ")</p><ul>");
	for (size_t i = 0; i < op->shape_count && i < LISTED; i++) {
		const struct result_shape *shape = &op->shapes[i];

		html(page->out, "<li><code>");
		html_text(page->out, shape->overload);
		if (shape->overload.len)
			html(page->out, " ");
		html_text(page->out, shape->dims);
		if (shape->cut)
			html(page->out, " \xe2\x80\xa6");
		html(page->out, "</code> \xc3\x97 ");
		number(page, shape->calls);
		html(page->out, " <span class=\"soft\">");
		label(page, "report.occurs-in");
		html(page->out, " ");
		steps_of(page, shape);
		html(page->out, "</span></li>");
	}
	html(page->out, "</ul>");
}

/* Lower case for the search; the statuses of all targets for the filter. */
static void row_data(struct html_page *page, const struct result_operator *op)
{
	struct buf name = BUF_UNLIMITED, statuses = BUF_UNLIMITED;

	for (size_t i = 0; i < op->name.len; i++) {
		char byte = op->name.ptr[i];

		buf_byte(&name, byte >= 'A' && byte <= 'Z' ? (char)(byte | 0x20) : byte);
	}
	for (size_t i = 0; i < op->verdict_count; i++) {
		buf_add(&statuses, i ? STR(" ") : STR(""));
		buf_add(&statuses, op->verdicts[i].status);
	}
	html_attribute(page->out, "data-name", buf_str(&name));
	html_attribute(page->out, "data-statuses", buf_str(&statuses));
	html_attribute(page->out, "data-kind", op->dynamic.kind);
	buf_clear(&name);
	buf_clear(&statuses);
}

static void number_cell(struct html_page *page, int64_t key)
{
	html(page->out, "<td class=\"n\" data-key=\"");
	buf_printf(page->out, "%" PRId64, key);
	html(page->out, "\">");
}

/* So many targets have a column of their own; the details list all. */
enum { STATUS_COLUMNS = 4 };

static size_t status_columns(const struct html_page *page)
{
	return page->result->target_count < STATUS_COLUMNS ? page->result->target_count : STATUS_COLUMNS;
}

static void operator_row(struct html_page *page, const struct result_operator *op)
{
	html(page->out, "<tr");
	row_data(page, op);
	html(page->out, ">");
	number_cell(page, op->share_ppm);
	percent(page, op->share_ppm);
	html(page->out, "</td>");
	number_cell(page, (int64_t)op->calls);
	number(page, op->calls);
	html(page->out, "</td><td><details><summary class=\"name\">");
	html_text(page->out, op->name);
	html(page->out, "</summary><div>");
	for (size_t i = 0; i < op->verdict_count; i++)
		html_verdict(page->out, page->lang, &op->verdicts[i]);
	html(page->out, "<p>");
	word(page, "kind", op->dynamic.kind);
	html(page->out, ": ");
	message(page, &op->dynamic.evidence);
	html(page->out, "</p>");
	shape_list(page, op);
	html_observed(page->out, page->lang, &op->observed);
	html(page->out, "</div></details></td>");
	for (size_t i = 0; i < status_columns(page); i++) {
		html(page->out, "<td>");
		tag(page, "s-", "status", op->verdicts[i].status);
		if (verdict_has_flag(&op->verdicts[i], STR("overlay")))
			html(page->out, " <code>overlay</code>");
		if (verdict_has_flag(&op->verdicts[i], STR("assumed")))
			html(page->out, " <code>assumed</code>");
		html(page->out, "</td>");
	}
	html(page->out, "<td>");
	word(page, "kind", op->dynamic.kind);
	html(page->out, "</td></tr>\n");
}

static void head_cell(struct html_page *page, const char *id, bool is_number)
{
	if (is_number)
		html(page->out, "<th scope=\"col\" class=\"n\">");
	else
		html(page->out, "<th scope=\"col\">");
	label(page, id);
	html(page->out, "</th>");
}

static void option(struct html_page *page, const char *set, const char *value)
{
	html(page->out, "<option");
	html_attribute(page->out, "value", str_from(value));
	html(page->out, ">");
	word(page, set, str_from(value));
	html(page->out, "</option>");
}

static void controls(struct html_page *page)
{
	static const char *const statuses[] = { "native", "native-jit", "composite", "equivalent", "cpu-fallback",
		"unsupported", "needs-package", "unknown" };
	static const char *const kinds[] = { "static", "warm-up", "late", "last-batch", "bounded", "unbounded",
		"data-dependent", "unknown" };

	html(page->out, "<div class=\"controls js-only\"><input id=\"search\" type=\"search\"");
	html_attribute(page->out, "placeholder", catalog_text(page->lang, STR("report.search")));
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("report.search")));
	html(page->out, "><select id=\"status\"");
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("report.status")));
	html(page->out, "><option value=\"\">");
	label(page, "report.filter-status");
	html(page->out, "</option>");
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		option(page, "status", statuses[i]);
	html(page->out, "</select><select id=\"kind\"");
	html_attribute(page->out, "aria-label", catalog_text(page->lang, STR("report.shapes")));
	html(page->out, "><option value=\"\">");
	label(page, "report.filter-shapes");
	html(page->out, "</option>");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		option(page, "kind", kinds[i]);
	html(page->out, "</select><output id=\"shown\" class=\"soft\"></output></div>\n");
}

static void operators(struct html_page *page)
{
	heading(page, "report.operators");
	controls(page);
	html(page->out, "<div class=\"scroll\"><table id=\"operators\">\n<thead><tr>");
	head_cell(page, "report.share", true);
	head_cell(page, "report.calls", true);
	head_cell(page, "report.operator", false);
	for (size_t i = 0; i < status_columns(page); i++) {
		html(page->out, "<th scope=\"col\">");
		html_text(page->out, page->result->targets[i].id);
		html(page->out, "</th>");
	}
	head_cell(page, "report.shapes", false);
	html(page->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < page->result->operator_count; i++)
		operator_row(page, &page->result->operators[i]);
	html(page->out, "</tbody>\n</table></div>\n");
}

/* --- tail */

static void notes(struct html_page *page)
{
	const struct result *result = page->result;
	size_t count = result->warning_count;

	heading(page, "report.capture");
	for (size_t i = 0; i < result->input_count; i++)
		count += result->inputs[i].capture.warning_count;
	if (!count) {
		html(page->out, "<p>");
		label(page, "report.capture-fine");
		html(page->out, "</p>\n");
		return;
	}
	html(page->out, "<ul class=\"notes\">\n");
	for (size_t i = 0; i < result->input_count + 1; i++) {
		const struct message *list = i < result->input_count ? result->inputs[i].capture.warnings
								     : result->warnings;
		size_t length = i < result->input_count ? result->inputs[i].capture.warning_count
							: result->warning_count;

		for (size_t j = 0; j < length; j++) {
			html(page->out, "<li>");
			message(page, &list[j]);
			html(page->out, "</li>\n");
		}
	}
	html(page->out, "</ul>\n");
}

static void ignored(struct html_page *page)
{
	const struct result *result = page->result;

	if (!result->ignored_count)
		return;
	heading(page, "report.ignored");
	html(page->out, "<details><summary>");
	number(page, result->ignored_count);
	html(page->out, " \xc2\xb7 ");
	label(page, "report.ignored-about");
	html(page->out, "</summary><div class=\"scroll\"><table>\n<thead><tr>");
	head_cell(page, "report.class", false);
	head_cell(page, "report.operator", false);
	head_cell(page, "report.calls", true);
	html(page->out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < result->ignored_count; i++) {
		html(page->out, "<tr><td>");
		word(page, "class", result->ignored[i].name_class);
		html(page->out, "</td><td class=\"name\">");
		html_text(page->out, result->ignored[i].name);
		html(page->out, "</td><td class=\"n\">");
		number(page, result->ignored[i].calls);
		html(page->out, "</td></tr>\n");
	}
	html(page->out, "</tbody>\n</table></div></details>\n");
}

static void parts(struct html_page *page)
{
	for (size_t i = 0; i < report_part_count; i++) {
		if (report_parts[i]->shown(page->result))
			report_parts[i]->put_html(page->out, page->lang, page->result);
	}
}

static void put_header(struct html_page *page, const char *title_id)
{
	const struct result *result = page->result;

	html(page->out, "<header>\n<h1>");
	label(page, title_id);
	html(page->out, "</h1>\n");
	for (size_t i = 0; i < result->input_count; i++)
		input_line(page, &result->inputs[i]);
	origin_line(page);
	for (size_t i = 0; i < result->db.overlay_count; i++)
		overlay_line(page, &result->db.overlays[i]);
	for (size_t i = 0; i < result->assumption_count; i++)
		assumption_line(page, &result->assumptions[i]);
	html_policy(page->out, page->lang, &result->policy);
	html(page->out, "</header>\n");
}

static void put_report(struct html_page *page)
{
	put_header(page, "report.title");
	html(page->out, "<main>\n");
	targets(page);
	html_findings(page->out, page->lang, page->result, page->left_out);
	html_costs(page->result, page->lang, page->out);
	operators(page);
	parts(page);
	notes(page);
	ignored(page);
	html(page->out, "</main>\n");
}

void html_put_header(const struct result *result, enum lang lang, const char *title_id, struct buf *out)
{
	struct html_page page = { out, result, lang, 0 };

	put_header(&page, title_id);
}

void html_put_report(const struct result *result, enum lang lang, struct buf *out)
{
	struct html_page page = { out, result, lang, 0 };

	put_report(&page);
}

void render_html(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct new_findings fresh = new_findings_of(result, options->new_only);
	struct html_page page = { out, &fresh.result, options->lang, fresh.left_out };

	html_put_head(result, options->lang, "report.title", out);
	put_report(&page);
	html(out, "<script>");
	buf_add(out, str_from(report_js));
	html(out, "</script>\n</body>\n</html>\n");
	new_findings_clear(&fresh);
}
