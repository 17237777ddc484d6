#include "scan/plan/plan_build.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "report/doc/headline.h"
#include "report/doc/html_page.h"
#include "report/sections/capture.h"
#include "report/sections/parts.h"
#include "report/drawings/estimates.h"
#include "report/sections/fix_words.h"
#include "report/sections/questions.h"
#include "report/sections/summary.h"
#include "scan/plan/plan_screen.h"
#include "scan/plan/plan_steps.h"
#include "scan/plan/plan_work.h"

/* One page lists the first of each; all of them come below it where that is asked for. */
enum { LEFT_LISTED = 3, FIXES_LISTED = 8, RISKS_LISTED = 6 };

struct building {
	struct doc *doc;
	const struct plan *plan;
	const struct result_target *target;
	struct plan_work work;
};

/* Open a list below an item, which HTML alone has an element for. */
static void open_sublist(struct doc *doc)
{
	doc_open_styled(doc, DOC_HTML, BLOCK_LIST);
}

/* --- goal and headline */

static void put_goal(struct building *building)
{
	struct doc *doc = building->doc;
	const struct plan *plan = building->plan;

	doc_section(doc, "plan.goal");
	doc_say_with(doc, BLOCK_PARAGRAPH, "plan.goal-is",
		BLANK("program", headline_subject(&doc->arena, doc->options.lang, plan->result)),
		BLANK("target", building->target->id), BLANK("torch", plan->release->torch),
		BLANK("plugin", target_plugin_name(plan->release->target)),
		BLANK("version", plan_plugin_version(plan->release)));
	doc_close(doc);
}

static struct str run_share(struct building *building)
{
	const struct result_target *target = building->target;

	return doc_interval_of(building->doc,
		target->fix_count ? target->fixes[target->fix_count - 1].coverage : target->coverage.time);
}

/* The headline is of the program as it is; the plan says what lifts it. */
static void put_agreement(struct building *building)
{
	struct doc *doc = building->doc;
	const struct plan *plan = building->plan;
	const struct result_target *target = building->target;
	uint64_t must = building->work.counts[WORK_HAND];

	if (plan->patch.edits || must)
		doc_say_with(doc, BLOCK_META, "plan.today-scripts", NUMBER("edits", plan->patch.edits),
			NUMBER("must", must));
	if (target->fix_count)
		doc_say_with(doc, BLOCK_META, "plan.after-fixes", NUMBER("count", target->fix_count),
			BLANK("device", doc_interval_of(doc, target->fixes[target->fix_count - 1].readiness)),
			BLANK("all", run_share(building)));
	else if (target->coverage.time.hi_ppm < WHOLE_PPM)
		doc_say_with(doc, BLOCK_META, "plan.no-fix", BLANK("all", run_share(building)));
}

static void put_headline(struct building *building)
{
	struct doc *doc = building->doc;
	const struct result_target *target = building->target;

	doc_section(doc, "plan.headline");
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, target->id);
	doc_text(doc, STR(" "));
	doc_tag_text(doc, SET_VERDICT, word_for(&verdict_words, target->verdict),
		headline_word(doc->options.lang, target->headline.word));
	doc_text(doc, STR(" "));
	doc_message(doc, target->headline.why.id ? &target->headline.why : &target->reason);
	doc_close(doc);
	doc_say_with(doc, BLOCK_META, "plan.ready", BLANK("device", doc_interval_of(doc, target->readiness.time)),
		BLANK("all", doc_interval_of(doc, target->coverage.time)));
	if (target->headline.first.id)
		doc_say_with(doc, BLOCK_META, "plan.first",
			BLANK("what", catalog_keep(&doc->arena, doc->options.lang, &target->headline.first)));
	put_agreement(building);
	doc_close(doc);
}

/* --- packages and versions */

/* A package that a script imports has a replacement, or none is known. */
static void put_package_advice(struct doc *doc, const struct plan *plan, const struct result_finding *finding)
{
	if (!finding->site)
		doc_say_each(doc, BLOCK_SUBITEM, finding->advice, finding->advice_count > 0);
	else if (finding->site->replacement.len)
		doc_say_with(doc, BLOCK_SUBITEM, "plan.package-instead", BLANK("package", finding->site->replacement),
			BLANK("torch", plan->release->torch));
	else
		doc_say_label(doc, BLOCK_SUBITEM, "source.nothing-instead");
}

static void put_packages(struct building *building)
{
	struct doc *doc = building->doc;
	const struct plan *plan = building->plan;
	const struct result *result = plan->result;
	struct message install = message_of(
		plan->release->target == TARGET_NPU ? "plan.versions-npu" : "plan.versions-musa");

	plan_say_install(plan->release, &install);
	doc_section(doc, "plan.packages");
	doc_open(doc, BLOCK_LIST);
	doc_say(doc, BLOCK_ITEM, &install);
	for (size_t i = 0; i < result->finding_count; i++) {
		if (!plan_is_package(result, i))
			continue;
		doc_open(doc, BLOCK_ITEM);
		doc_message(doc, &result->findings[i].what);
		open_sublist(doc);
		put_package_advice(doc, plan, &result->findings[i]);
		doc_close(doc);
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}

/* --- edits */

static void put_place(struct doc *doc, enum doc_block style, const struct port_left *left)
{
	doc_open(doc, style);
	doc_styled(doc, SPAN_NAME,
		doc_format_of(doc, "%.*s:%" PRIu32 ":%" PRIu32, STR_ARG(left->path), left->line, left->column));
	doc_printf(doc, " %.*s: ", STR_ARG(doc_word_of(doc, "action", word_for(&source_action_words, left->action))));
	doc_styled(doc, SPAN_CODE, place_text(&doc->arena, left->expression));
	if (left->replacement.len) {
		doc_text(doc, left->expression.len ? STR(" -> ") : STR(""));
		doc_styled(doc, SPAN_CODE, left->replacement);
	}
	doc_close(doc);
}

/* The number of places of an action, and the first of them. */
static void put_left(struct building *building, enum source_action action, const char *id, size_t most)
{
	struct doc *doc = building->doc;
	const struct port *port = &building->plan->port;
	size_t shown = 0;

	doc_open(doc, BLOCK_ITEM);
	doc_text(doc, doc_text_with(doc, id, NUMBER("count", plan_count_left(building->plan, action))));
	open_sublist(doc);
	for (size_t i = 0; i < port->left.count && shown < most; i++) {
		if (port->left.items[i].action != action)
			continue;
		put_place(doc, BLOCK_SUBITEM, &port->left.items[i]);
		shown++;
	}
	doc_close(doc);
	doc_close(doc);
}

static void put_edits(struct building *building)
{
	struct doc *doc = building->doc;
	const struct plan *plan = building->plan;
	size_t most = doc_shown(doc, plan->port.left.count, LEFT_LISTED);

	doc_section(doc, "plan.edits");
	doc_open(doc, BLOCK_LIST);
	if (!plan->has_scripts) {
		doc_say_label(doc, BLOCK_ITEM, "plan.no-scripts");
	} else {
		doc_say_with(doc, BLOCK_ITEM, "plan.edits-made", NUMBER("files", plan->patch.files),
			NUMBER("edits", plan->patch.edits), NUMBER("added", plan->patch.added),
			NUMBER("removed", plan->patch.removed));
		put_left(building, SOURCE_MUST_CHANGE, "plan.edits-hand", most);
		put_left(building, SOURCE_CHECK, "plan.edits-decide", most);
	}
	doc_close(doc);
	doc_close(doc);
}

/* --- operators to write or avoid */

static const struct doc_column fix_columns[] = {
	{ .label = "fix.number", .width = 4, .number = true },
	{ .label = "fix.effort", .gap = 2, .width = 18 },
	{ .label = "report.on-device", .gap = 1, .width = 13 },
	{ .label = "fix.what", .gap = 1, .fit = COLUMN_WRAP },
};

static void put_operators(struct building *building)
{
	struct doc *doc = building->doc;
	const struct result_target *target = building->target;
	size_t shown = doc_shown(doc, target->fix_count, FIXES_LISTED);

	doc_section(doc, "plan.operators");
	if (!target->fix_count)
		doc_say_label(doc, BLOCK_PARAGRAPH, "plan.no-operators");
	else
		doc_table(doc, &(struct doc_table){ .columns = fix_columns, .count = ARRAY_SIZE(fix_columns) });
	for (size_t i = 0; i < shown; i++) {
		const struct result_fix *fix = &target->fixes[i];

		doc_row(doc);
		doc_cell_number(doc, i + 1);
		doc_cell_text(doc, fix_effort(doc, fix));
		doc_cell_interval(doc, fix->readiness);
		doc_cell(doc);
		doc_word(doc, "fix", word_for(&fix_words, fix->kind));
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_NAME, fix_called(doc, fix));
	}
	if (target->fix_count)
		doc_table_end(doc);
	if (shown < target->fix_count)
		doc_say_count(doc, BLOCK_META, "fix.more", target->fix_count - shown);
	if (target->fixes_left)
		doc_say_count(doc, BLOCK_META, "fix.left", target->fixes_left);
	doc_close(doc);
}

/* --- effort */

static const struct doc_column effort_columns[] = {
	{ .label = "plan.work", .width = 52, .fit = COLUMN_FILL },
	{ .label = "plan.times", .gap = 1, .width = 6, .number = true },
	{ .label = "plan.each", .gap = 2, .width = 12, .number = true },
	{ .label = "plan.days", .gap = 2, .width = 12, .number = true },
};

static void put_thousandths(struct buf *out, int64_t days)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	decimal_put(&text, days, 3);
	while (text.ptr[text.len - 1] == '0')
		text.len--;
	text.len -= text.ptr[text.len - 1] == '.';
	buf_add(out, buf_str(&text));
}

/* "0.5-1.5" */
static struct str days_text(struct doc *doc, int64_t low, int64_t high)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	put_thousandths(&text, low);
	if (low != high) {
		buf_byte(&text, '-');
		put_thousandths(&text, high);
	}
	return arena_keep(&doc->arena, buf_str(&text));
}

/* Tenths of a day, the lower end rounded down, the upper one up. */
static struct effort_days rounded(struct effort_days days)
{
	return (struct effort_days){ days.low / 100 * 100, (days.high + 99) / 100 * 100 };
}

static void put_work(struct doc *doc, const struct effort_work *work, uint64_t count)
{
	struct effort_days days = effort_days_of(work, count);

	doc_row(doc);
	doc_cell(doc);
	doc_text(doc, work->work[doc->options.lang]);
	if (work->given)
		doc_text(doc, STR(" *"));
	doc_cell_number(doc, count);
	doc_cell_text(doc, work->once ? doc_label_of(doc, "plan.once") : days_text(doc, work->low, work->high));
	doc_cell_text(doc, days_text(doc, days.low, days.high));
}

static void put_effort(struct building *building)
{
	struct doc *doc = building->doc;
	const struct plan_request *request = building->plan->request;
	struct effort_days total = rounded(building->work.total);

	doc_section(doc, "plan.effort");
	doc_say_with(doc, BLOCK_PARAGRAPH, "plan.effort-is", BLANK("days", days_text(doc, total.low, total.high)));
	doc_table(doc, &(struct doc_table){ .columns = effort_columns, .count = ARRAY_SIZE(effort_columns) });
	for (size_t i = 0; i < WORK_COUNT; i++) {
		if (building->work.counts[i])
			put_work(doc, &request->efforts.works[i], building->work.counts[i]);
	}
	doc_table_end(doc);
	if (request->efforts_name.len)
		doc_say_with(doc, BLOCK_META, "plan.basis-file", BLANK("file", request->efforts_name));
	else
		doc_say_label(doc, BLOCK_META, "plan.basis");
	doc_close(doc);
}

/* --- risks */

/* An address where the gravest rule of the cause is known from; "" for one that rests on the dump alone. */
static struct str evidence_of(const struct result *result, const struct result_cause *cause)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		for (size_t j = 0; j < cause->finding_count; j++) {
			if (!str_eq(finding->fingerprint, cause->findings[j]) ||
				!str_eq(str_from(finding->what.id), cause->rule))
				continue;
			for (size_t k = 0; k < finding->evidence_count; k++) {
				if (finding->evidence[k].ref.len)
					return finding->evidence[k].ref;
			}
		}
	}
	return STR("");
}

static void put_risk(struct doc *doc, const struct result *result, const struct result_cause *cause)
{
	struct str evidence = evidence_of(result, cause);

	doc_open(doc, BLOCK_ITEM);
	doc_message(doc, &cause->text);
	open_sublist(doc);
	if (evidence.len)
		doc_say_with(doc, BLOCK_SUBITEM, "plan.evidence", BLANK("address", evidence));
	else
		doc_say_label(doc, BLOCK_SUBITEM, "plan.evidence-dump");
	doc_close(doc);
	doc_close(doc);
}

static void put_risks(struct building *building)
{
	struct doc *doc = building->doc;
	const struct result *result = building->plan->result;
	size_t shown = 0;

	doc_section(doc, "plan.risks");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->cause_count && shown < RISKS_LISTED; i++) {
		const struct result_cause *cause = &result->causes[i];

		if (cause->under.len || str_starts(cause->rule, STR("src-")))
			continue;
		put_risk(doc, result, cause);
		shown++;
	}
	if (has_weakness(result))
		doc_say_label(doc, BLOCK_ITEM, "plan.risk-dump");
	if (!shown && !has_weakness(result))
		doc_say_label(doc, BLOCK_ITEM, "plan.no-risk");
	doc_close(doc);
	doc_close(doc);
}

/* --- acceptance */

enum { LOSS_PERCENT = 1, LOSS_STEPS = 1000 };

static void put_acceptance(struct building *building)
{
	struct doc *doc = building->doc;
	size_t tests = plan_put_tests(building->plan, NULL);
	struct message said = { 0 };

	doc_section(doc, "plan.acceptance");
	doc_open(doc, BLOCK_LIST);
	doc_say_with(doc, BLOCK_ITEM, "plan.accept-loss", NUMBER("percent", LOSS_PERCENT), NUMBER("steps", LOSS_STEPS));
	if (tests)
		doc_say_count(doc, BLOCK_ITEM, "plan.accept-operators", tests);
	else
		doc_say_label(doc, BLOCK_ITEM, "plan.no-tests");
	doc_say_label(doc, BLOCK_ITEM, "plan.accept-throughput");
	if (building->target->estimate)
		said = estimate_say(&doc->arena, building->target->estimate);
	if (said.id)
		doc_say_with(doc, BLOCK_ITEM, "plan.throughput", BLANK("time", doc_message_of(doc, &said)));
	doc_close(doc);
	doc_close(doc);
}

/* --- all of it */

void plan_put(const struct plan *plan, struct str format, const struct render_options *options, struct buf *out)
{
	bool text = doc_format_of_name(format) == DOC_TEXT;
	struct doc doc;
	struct building building = { &doc, plan, &plan->result->targets[0], plan_count_work(plan) };

	if (text && options->view != VIEW_WHOLE) {
		plan_screen(plan, options, out);
		return;
	}
	doc = doc_new(doc_format_of_name(format), options);
	head_build(&doc, plan->result, "plan.title");
	doc_open(&doc, BLOCK_MAIN);
	doc_attribute(&doc, "class", STR("plan"));
	put_goal(&building);
	put_headline(&building);
	put_packages(&building);
	put_edits(&building);
	put_operators(&building);
	put_effort(&building);
	put_risks(&building);
	put_acceptance(&building);
	plan_steps_build(&doc, plan);
	plan_back_build(&doc, plan);
	if (options->all) { /* behind the page: every cause and weakness, and the questions */
		causes_build(&doc, plan->result);
		weaknesses_build(&doc, plan->result);
		questions_build(&doc, plan->result);
	}
	doc_close(&doc);
	html_put_page(&doc, plan->result, "plan.title", out);
}
