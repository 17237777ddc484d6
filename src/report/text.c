/* The report as plain text: fits 80 columns, says the most important things first. */
#include <inttypes.h>
#include <stdio.h>

#include "assess/model/capture.h"
#include "base/decimal.h"
#include "base/utf8.h"
#include "report/part.h"
#include "report/policy_parts.h"

enum { DEFAULT_WIDTH = 80, MAX_STATUS_COLUMNS = 3, STATUS_COLUMNS = 13, KIND_COLUMNS = 14, MIN_NAME_COLUMNS = 24 };

/* --- pieces */

struct str text_label(const struct page *page, const char *id)
{
	return catalog_text(page->options->lang, str_from(id));
}

struct str text_word(const struct page *page, const char *set, struct str value)
{
	struct buf id = BUF_INIT(256);
	struct str text;

	buf_printf(&id, "%s.%.*s", set, STR_ARG(value));
	text = catalog_has(LANG_EN, buf_str(&id)) ? catalog_text(page->options->lang, buf_str(&id)) : value;
	buf_clear(&id);
	return text;
}

void text_put(struct page *page, struct str value)
{
	buf_add(page->text.out, value);
}

struct buf text_percent(int64_t ppm)
{
	struct buf text = BUF_INIT(64);

	decimal_put(&text, (ppm + (ppm < 0 ? -500 : 500)) / 1000, 1);
	buf_add(&text, STR(" %"));
	return text;
}

struct buf text_interval(struct result_interval interval)
{
	struct buf text = BUF_INIT(64), hi = text_percent(interval.hi_ppm), lo = text_percent(interval.lo_ppm);

	if (!str_eq(buf_str(&lo), buf_str(&hi))) {
		buf_add(&text, str_chop(buf_str(&lo), 2));
		buf_byte(&text, '-');
	}
	buf_add(&text, buf_str(&hi));
	buf_clear(&lo);
	buf_clear(&hi);
	return text;
}

void text_heading(struct page *page, const char *id)
{
	text_put(page, STR("\n"));
	textw_colored(&page->text, COLOR_BOLD, text_label(page, id));
	text_put(page, STR("\n"));
}

void text_message(struct page *page, const struct message *message, unsigned first, unsigned indent)
{
	struct buf text = BUF_UNLIMITED, printable;

	catalog_put(&text, page->options->lang, message);
	printable = textw_printable(buf_str(&text));
	textw_wrap(&page->text, buf_str(&printable), first, indent);
	buf_clear(&text);
	buf_clear(&printable);
}

void text_count(struct page *page, const char *id, uint64_t count)
{
	struct message message = message_of(id);
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	message_add(&message, "count", str_from(text));
	text_message(page, &message, 0, 0);
}

/* --- head */

/* The day of a time stamp. */
static struct str date_of(struct str stamp)
{
	enum { DAY_BYTES = 10 };

	return stamp.len > DAY_BYTES ? str_sub(stamp, 0, DAY_BYTES) : stamp;
}

static void put_title(struct page *page, const char *title_id)
{
	const struct result *result = page->result;
	struct str title = text_label(page, title_id);
	struct buf line = BUF_UNLIMITED;

	textw_colored(&page->text, COLOR_BOLD, title);
	buf_printf(&line, " - opcheck %.*s, %.*s %.*s (%.*s %.*s)", STR_ARG(result->tool_version),
		STR_ARG(text_label(page, "report.database")), STR_ARG(date_of(result->db.built_at)),
		STR_ARG(text_label(page, "report.build")), STR_ARG(result->db.build));
	textw_wrap(&page->text, buf_str(&line), (unsigned)utf8_columns(title), 2);
	buf_clear(&line);
}

static void put_count(struct page *page, struct buf *line, uint64_t count, const char *id)
{
	buf_printf(line, ", %" PRIu64 " %.*s", count, STR_ARG(text_label(page, id)));
}

static void put_input(struct page *page, const struct result_input *input)
{
	struct buf line = BUF_UNLIMITED;

	utf8_printable(&line, input->name);
	buf_printf(&line, ": %.*s", STR_ARG(input->format));
	if (input->torch_era.len)
		buf_printf(&line, " %.*s %.*s", STR_ARG(text_label(page, "report.from")), STR_ARG(input->torch_era));
	put_count(page, &line, input->steps, "report.steps");
	put_count(page, &line, input->rows, "report.rows");
	if (input->ranks > 1)
		put_count(page, &line, input->ranks, "report.ranks");
	textw_wrap(&page->text, buf_str(&line), 0, 2);
	text_device(page, (size_t)(input - page->result->inputs));
	buf_clear(&line);
}

/* Which facts of the site were used. */
static void put_overlays(struct page *page)
{
	const struct result_db *db = &page->result->db;

	for (size_t i = 0; i < db->overlay_count; i++) {
		struct message message = message_of("report.overlay");
		char facts[24];

		snprintf(facts, sizeof(facts), "%" PRIu64, db->overlays[i].facts);
		message_add(&message, "name", db->overlays[i].name);
		message_add(&message, "facts", str_from(facts));
		message_add(&message, "sha256", db->overlays[i].sha256);
		text_message(page, &message, 0, 2);
	}
}

static void put_assumptions(struct page *page)
{
	for (size_t i = 0; i < page->result->assumption_count; i++) {
		struct message message = message_of("report.assumption");

		message_add(&message, "operator", page->result->assumptions[i].name);
		message_add(&message, "status", page->result->assumptions[i].status);
		text_message(page, &message, 0, 2);
	}
}

void text_head(struct page *page, const char *title_id)
{
	put_title(page, title_id);
	for (size_t i = 0; i < page->result->input_count; i++)
		put_input(page, &page->result->inputs[i]);
	put_overlays(page);
	put_assumptions(page);
}

/* --- targets */

uint64_t text_blockers(const struct result_target *target)
{
	uint64_t count = 0;

	for (size_t i = 0; i < target->count_count; i++) {
		struct str status = target->counts[i].status;

		if (str_eq(status, STR("unsupported")) || str_eq(status, STR("needs-package")))
			count += target->counts[i].operators;
	}
	return count;
}

static enum color verdict_color(struct str verdict)
{
	if (str_eq(verdict, STR("blocked")))
		return COLOR_RED;
	return str_eq(verdict, STR("ready")) ? COLOR_GREEN : COLOR_YELLOW;
}

enum { TARGET_COLUMNS = 23, VERDICT_COLUMNS = 19, INTERVAL_COLUMNS = 12, BLOCKER_COLUMNS = 8 };

static void put_target_row(struct page *page, const struct result_target *target)
{
	struct buf on_device = text_interval(target->readiness.time), at_all = text_interval(target->coverage.time);
	struct buf number = BUF_INIT(64);
	struct textw plain = page->text;
	struct buf cell = BUF_INIT(256);

	textw_left(&page->text, target->id, TARGET_COLUMNS);
	text_put(page, STR(" "));
	plain.out = &cell;
	textw_left(&plain, text_word(page, "verdict", target->verdict), VERDICT_COLUMNS);
	textw_colored(&page->text, verdict_color(target->verdict), buf_str(&cell));
	text_put(page, STR(" "));
	textw_right(&page->text, buf_str(&on_device), INTERVAL_COLUMNS);
	text_put(page, STR(" "));
	textw_right(&page->text, buf_str(&at_all), INTERVAL_COLUMNS);
	buf_printf(&number, "%" PRIu64, text_blockers(target));
	text_put(page, STR(" "));
	textw_right(&page->text, buf_str(&number), BLOCKER_COLUMNS);
	text_put(page, STR("\n"));
	buf_clear(&on_device);
	buf_clear(&at_all);
	buf_clear(&number);
	buf_clear(&cell);
}

static void put_basis(struct page *page)
{
	struct message message = message_of("report.basis");
	char count[24];

	snprintf(count, sizeof(count), "%zu", page->result->operator_count);
	message_add(&message, "basis", text_word(page, "basis", page->result->basis));
	message_add(&message, "operators", str_from(count));
	text_message(page, &message, 0, 0);
	message = message_of("report.interval-about");
	text_message(page, &message, 0, 0);
}

/* Why some target got no clear verdict. */
static void put_doubts(struct page *page)
{
	const struct result *result = page->result;
	bool inconclusive = false, open = false;
	struct message hidden = message_of("report.inconclusive-hidden"),
		       unknown = message_of("report.inconclusive-unknown");

	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!str_eq(target->verdict, STR("inconclusive")))
			continue;
		inconclusive = true;
		open |= target->coverage.operators.lo_ppm < target->coverage.operators.hi_ppm;
	}
	if (inconclusive && open)
		text_message(page, &unknown, 0, 0);
	if (inconclusive && capture_hides_operators(result->inputs, result->input_count))
		text_message(page, &hidden, 0, 0);
}

static void put_targets(struct page *page)
{
	text_put(page, STR("\n"));
	textw_left(&page->text, text_label(page, "report.target"), TARGET_COLUMNS);
	text_put(page, STR(" "));
	textw_left(&page->text, text_label(page, "report.verdict"), VERDICT_COLUMNS);
	text_put(page, STR(" "));
	textw_right(&page->text, text_label(page, "report.on-device"), INTERVAL_COLUMNS);
	text_put(page, STR(" "));
	textw_right(&page->text, text_label(page, "report.at-all"), INTERVAL_COLUMNS);
	text_put(page, STR(" "));
	textw_right(&page->text, text_label(page, "report.blockers"), BLOCKER_COLUMNS);
	text_put(page, STR("\n"));
	for (size_t i = 0; i < page->result->target_count; i++)
		put_target_row(page, &page->result->targets[i]);
	put_basis(page);
	put_doubts(page);
}

/* --- operators */

static void put_operator_head(struct page *page, unsigned name_columns, size_t targets)
{
	textw_right(&page->text, text_label(page, "report.share"), SHARE_COLUMNS);
	text_put(page, STR("  "));
	textw_left(&page->text, text_label(page, "report.operator"), name_columns);
	for (size_t i = 0; i < targets; i++) {
		text_put(page, STR(" "));
		textw_left(&page->text, page->result->targets[i].id, STATUS_COLUMNS);
	}
	text_put(page, STR(" "));
	text_put(page, text_label(page, "report.shapes"));
	text_put(page, STR("\n"));
}

/* Before a status that does not come from the shipped facts. */
static struct str mark_of(const struct result_verdict *verdict)
{
	if (verdict_has_flag(verdict, STR("assumed")))
		return STR("?");
	return verdict_has_flag(verdict, STR("overlay")) ? STR("*") : STR(" ");
}

static void put_operator(struct page *page, const struct result_operator *op, unsigned name_columns, size_t targets)
{
	struct buf share = text_percent(op->share_ppm), name = textw_printable(op->name);

	textw_right(&page->text, buf_str(&share), SHARE_COLUMNS);
	text_put(page, STR("  "));
	textw_left(&page->text, buf_str(&name), name_columns);
	for (size_t i = 0; i < targets; i++) {
		text_put(page, mark_of(&op->verdicts[i]));
		textw_left(&page->text, op->verdicts[i].status, STATUS_COLUMNS);
	}
	text_put(page, STR(" "));
	text_put(page, utf8_fit(text_word(page, "kind", op->dynamic.kind), KIND_COLUMNS));
	text_put(page, STR("\n"));
	buf_clear(&share);
	buf_clear(&name);
}

/* The operators that take most time, with their status on the first targets, as far as the width allows. */
static void put_operators(struct page *page)
{
	const unsigned fixed = SHARE_COLUMNS + 2 + 1 + KIND_COLUMNS;
	size_t count = page->result->operator_count, targets = page->result->target_count;
	size_t shown = page->options->all || count <= SHORT_LIST ? count : SHORT_LIST;
	unsigned name_columns;

	targets = targets < MAX_STATUS_COLUMNS ? targets : MAX_STATUS_COLUMNS;
	while (targets && fixed + MIN_NAME_COLUMNS + targets * (STATUS_COLUMNS + 1) > page->text.width)
		targets--;
	name_columns = page->text.width - fixed - (unsigned)targets * (STATUS_COLUMNS + 1);
	text_heading(page, "report.operators");
	put_operator_head(page, name_columns, targets);
	for (size_t i = 0; i < shown; i++)
		put_operator(page, &page->result->operators[i], name_columns, targets);
	if (page->result->db.overlay_count) {
		text_put(page, text_label(page, "report.overlay-mark"));
		text_put(page, STR("\n"));
	}
	if (page->result->assumption_count) {
		text_put(page, text_label(page, "report.assumption-mark"));
		text_put(page, STR("\n"));
	}
	if (shown < count)
		text_count(page, "report.more-operators", count - shown);
}

/* --- tail */

static void put_capture(struct page *page)
{
	bool any = false;

	text_heading(page, "report.capture");
	for (size_t i = 0; i < page->result->input_count; i++) {
		const struct result_capture *capture = &page->result->inputs[i].capture;

		for (size_t j = 0; j < capture->warning_count; j++) {
			text_put(page, STR("- "));
			text_message(page, &capture->warnings[j], 2, 2);
			any = true;
		}
	}
	for (size_t i = 0; i < page->result->warning_count; i++) {
		text_put(page, STR("- "));
		text_message(page, &page->result->warnings[i], 2, 2);
		any = true;
	}
	if (!any) {
		text_put(page, text_label(page, "report.capture-fine"));
		text_put(page, STR("\n"));
	}
}

/* How many names of each class, in the order of the list. */
static void put_ignored(struct page *page)
{
	const struct result *result = page->result;
	struct buf line = BUF_UNLIMITED;

	if (!result->ignored_count)
		return;
	text_heading(page, "report.ignored");
	for (size_t i = 0; i < result->ignored_count;) {
		size_t from = i;

		while (i < result->ignored_count &&
			str_eq(result->ignored[i].name_class, result->ignored[from].name_class))
			i++;
		buf_printf(&line, "%s%zu %.*s", from ? ", " : "", i - from,
			STR_ARG(text_word(page, "class", result->ignored[from].name_class)));
	}
	textw_wrap(&page->text, buf_str(&line), 0, 0);
	buf_clear(&line);
}

static void put_parts(struct page *page)
{
	for (size_t i = 0; i < report_part_count; i++) {
		if (report_parts[i]->shown(page->result))
			report_parts[i]->put_text(page);
	}
}

void render_text(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct new_findings fresh = new_findings_of(result, options->new_only);
	struct page page = { { out, options->width ? options->width : DEFAULT_WIDTH, options->color }, &fresh.result,
		options, fresh.left_out };

	text_head(&page, "report.title");
	text_policy(&page);
	put_targets(&page);
	text_gate(&page);
	text_findings(&page);
	text_waived(&page);
	text_costs(&page);
	put_operators(&page);
	put_parts(&page);
	put_capture(&page);
	put_ignored(&page);
	new_findings_clear(&fresh);
}
