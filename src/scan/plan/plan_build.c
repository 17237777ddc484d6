#include "scan/plan/plan_build.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/html_page.h"
#include "report/sections/capture.h"
#include "report/sections/causes.h"
#include "report/sections/questions.h"
#include "report/sections/summary.h"
#include "report/sections/fix_words.h"

enum { LEFT_LISTED = 50 };

struct building {
	struct doc *doc;
	const struct plan *plan;
	const struct result_target *target;
	size_t step;
};

/* --- the verdict */

static void put_verdict(struct building *building)
{
	struct doc *doc = building->doc;
	const struct result_target *target = building->target;

	doc_section(doc, "plan.verdict");
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, target->id);
	doc_text(doc, STR(" "));
	doc_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
	doc_text(doc, STR(" "));
	if (target->reason.id)
		doc_message(doc, &target->reason);
	doc_close(doc);
	doc_say_with(doc, BLOCK_META, "plan.ready", BLANK("device", doc_interval_of(doc, target->readiness.time)),
		BLANK("all", doc_interval_of(doc, target->coverage.time)));
	doc_close(doc);
}

/* --- the steps */

static const struct doc_column step_columns[] = {
	{ .label = "fix.number", .width = 4, .number = true },
	{ .label = "fix.effort", .gap = 2, .width = 18 },
	{ .label = "report.on-device", .gap = 1, .width = 13 },
	{ .label = "fix.what", .gap = 1, .fit = COLUMN_WRAP },
};

/* Open the last cell of a new row, for the step itself. after: the share on the device after it, or NULL. */
static void open_step(struct building *building, struct str effort, const struct result_interval *after)
{
	struct doc *doc = building->doc;

	doc_row(doc);
	doc_cell_number(doc, ++building->step);
	doc_cell_text(doc, effort);
	if (after)
		doc_cell_interval(doc, *after);
	else
		doc_cell_text(doc, STR(""));
	doc_cell(doc);
}

static void put_step(struct building *building, const char *effort, const struct message *what, const char *command)
{
	open_step(building, doc_label_of(building->doc, effort), NULL);
	doc_message(building->doc, what);
	if (command)
		doc_say_styled(building->doc, BLOCK_ADVICE, SPAN_CODE, str_from(command));
}

static struct message say_install(const struct plan *plan)
{
	struct message install = message_of(
		plan->release->target == TARGET_NPU ? "doctor.install-npu" : "doctor.install-musa");

	plan_say_install(plan->release, &install);
	return install;
}

static void count_left(const struct plan *plan, uint64_t *ret_must, uint64_t *ret_check)
{
	*ret_must = *ret_check = 0;
	for (size_t i = 0; i < plan->port.left.count; i++) {
		*ret_must += plan->port.left.items[i].action == SOURCE_MUST_CHANGE;
		*ret_check += plan->port.left.items[i].action == SOURCE_CHECK;
	}
}

static void put_script_steps(struct building *building)
{
	const struct plan *plan = building->plan;
	struct arena *arena = &building->doc->arena;
	uint64_t must, check;

	if (plan->patch.files)
		put_step(building, "plan.one-command",
			MESSAGE(arena, "plan.step-patch", NUMBER("files", plan->patch.files),
				NUMBER("edits", plan->patch.edits), NUMBER("added", plan->patch.added),
				NUMBER("removed", plan->patch.removed)),
			plan->release->target == TARGET_NPU
				? "opcheck port . -t npu --patch port.patch; git apply port.patch"
				: "opcheck port . -t musa --patch port.patch; git apply port.patch");
	count_left(plan, &must, &check);
	if (must || check)
		put_step(building, "effort.recipe",
			MESSAGE(arena, "plan.step-left", NUMBER("must", must), NUMBER("check", check)), NULL);
}

static void put_fixes(struct building *building)
{
	for (size_t i = 0; i < building->target->fix_count; i++) {
		const struct result_fix *fix = &building->target->fixes[i];

		open_step(building, fix_effort(building->doc, fix), &fix->readiness);
		doc_word(building->doc, "fix", word_for(&fix_words, fix->kind));
		doc_text(building->doc, STR(" "));
		doc_styled(building->doc, SPAN_NAME, fix_called(building->doc, fix));
	}
}

static void put_steps(struct building *building)
{
	struct doc *doc = building->doc;
	struct message install = say_install(building->plan), profile = message_of("plan.step-profile");

	doc_section(doc, "plan.steps");
	doc_table(doc, &(struct doc_table){ .columns = step_columns, .count = ARRAY_SIZE(step_columns) });
	if (has_weakness(building->plan->result))
		put_step(building, "plan.one-run", &profile, NULL);
	put_step(building, "plan.one-command", &install, NULL);
	if (building->plan->has_scripts)
		put_script_steps(building);
	put_fixes(building);
	put_step(building, "plan.one-command",
		MESSAGE(&doc->arena, "plan.step-tests", NUMBER("count", plan_put_tests(building->plan, NULL))),
		"opcheck plan DUMP -t TARGET --tests first_day.py; python first_day.py");
	doc_table_end(doc);
	if (building->target->fixes_left)
		doc_say_count(doc, BLOCK_META, "fix.left", building->target->fixes_left);
	doc_close(doc);
}

/* --- what is left to a person in the scripts */

static void put_place(struct doc *doc, const struct port_left *left)
{
	doc_open(doc, BLOCK_ITEM);
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

static void put_places(struct building *building)
{
	struct doc *doc = building->doc;
	const struct port *port = &building->plan->port;
	size_t shown = 0, left = 0;

	doc_section(doc, "plan.by-hand");
	doc_open(doc, BLOCK_LIST);
	for (int action = SOURCE_MUST_CHANGE; action <= SOURCE_CHECK; action++) {
		for (size_t i = 0; i < port->left.count; i++) {
			if ((int)port->left.items[i].action != action)
				continue;
			if (shown++ < LEFT_LISTED)
				put_place(doc, &port->left.items[i]);
			else
				left++;
		}
	}
	doc_close(doc);
	if (left)
		doc_say_count(doc, BLOCK_META, "plan.more-places", left);
	doc_close(doc);
}

/* --- packages that the scripts import, and those that operators need */

/* Returns whether a finding before it is about the same package. */
static bool is_listed(const struct result *result, size_t at)
{
	for (size_t i = 0; i < at; i++) {
		if (strcmp(result->findings[i].what.id, result->findings[at].what.id) == 0 &&
			str_eq(result->findings[i].operator_name, result->findings[at].operator_name))
			return true;
	}
	return false;
}

/* A package that a script imports has a replacement, or none is known. */
static void put_package_advice(struct doc *doc, const struct plan *plan, const struct result_finding *finding)
{
	if (!finding->site)
		doc_say_each(doc, BLOCK_SUBITEM, finding->advice, finding->advice_count);
	else if (finding->site->replacement.len)
		doc_say_with(doc, BLOCK_SUBITEM, "plan.package-instead", BLANK("package", finding->site->replacement),
			BLANK("torch", plan->release->torch));
	else
		doc_say_label(doc, BLOCK_SUBITEM, "source.nothing-instead");
}

static void put_packages(struct building *building)
{
	struct doc *doc = building->doc;
	const struct result *result = building->plan->result;

	doc_section(doc, "plan.packages");
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];
		bool package = strcmp(finding->what.id, "src-package") == 0 ||
			       strcmp(finding->what.id, "op-needs-package") == 0;

		if (!package || is_listed(result, i))
			continue;
		doc_say(doc, BLOCK_ITEM, &finding->what);
		put_package_advice(doc, building->plan, finding);
	}
	doc_close(doc);
	doc_close(doc);
}

/* --- tests */

static void put_tests(struct building *building)
{
	struct doc *doc = building->doc;
	size_t count = plan_put_tests(building->plan, NULL);

	doc_section(doc, "plan.tests");
	if (count)
		doc_say_count(doc, BLOCK_PARAGRAPH, "plan.tests-run", count);
	else
		doc_say_label(doc, BLOCK_PARAGRAPH, "plan.no-tests");
	doc_close(doc);
}

void plan_put(const struct plan *plan, struct str format, const struct render_options *options, struct buf *out)
{
	const struct message install = say_install(plan);
	struct doc doc = doc_new(doc_format_of_name(format), options);
	struct building building = { &doc, plan, &plan->result->targets[0], 0 };

	head_build(&doc, plan->result, "plan.title");
	doc_open(&doc, BLOCK_MAIN);
	put_verdict(&building);
	put_steps(&building);
	doc_section(&doc, "plan.versions");
	doc_say(&doc, BLOCK_PARAGRAPH, &install);
	doc_close(&doc);
	put_packages(&building);
	causes_build(&doc, plan->result, 0);
	if (plan->has_scripts)
		put_places(&building);
	if (has_weakness(plan->result)) {
		doc_section(&doc, "plan.profile");
		doc_say_label(&doc, BLOCK_PARAGRAPH, "plan.profile-why");
		doc_close(&doc);
	}
	weaknesses_build(&doc, plan->result);
	questions_build(&doc, plan->result);
	put_tests(&building);
	doc_close(&doc);
	html_put_page(&doc, plan->result, "plan.title", out);
}
