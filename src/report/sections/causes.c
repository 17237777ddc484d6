/* The causes of a report: its findings by rule and origin, what follows from them, and what each opens to. */
#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "report/doc/doc_put.h"
#include "report/sections/findings.h"
#include "report/sections/operator_index.h"
#include "report/sections/parts.h"
#include "report/sections/policy.h"
#include "report/sections/vendor_issue.h"
#include "report/sections/verdict.h"

static const struct doc_column columns[] = {
	{ .label = "report.severity", .width = 8 },
	{ .label = "report.share", .width = SHARE_COLUMNS, .number = true },
	{ .label = "report.cause", .gap = 2, .fit = COLUMN_WRAP },
};
static const struct doc_table table = { .columns = columns, .count = ARRAY_SIZE(columns), .bare = true };

struct cause_list {
	struct doc *doc;
	const struct result *result;
	struct map operators; /* by name */
	struct map findings;  /* places in the result, by fingerprint */
	bool *recipes_shown;  /* per recipe of the result */
};

/* --- what a cause is about */

static const struct result_finding *finding_of(const struct cause_list *list, struct str fingerprint)
{
	struct map_cursor at = map_start(&list->findings, hash_str(hash_seed(), fingerprint));

	while (map_next(&list->findings, &at)) {
		if (str_eq(list->result->findings[at.index].fingerprint, fingerprint))
			return &list->result->findings[at.index];
	}
	return NULL;
}

/* Those that are waived, or left out as known, open to nothing. */
static bool is_shown(const struct cause_list *list, const struct result_cause *cause)
{
	return ANY(i, cause->finding_count, finding_of(list, cause->findings[i]));
}

/* "resnet50.a.log:17"; a byte of a packed dump is one that no editor shows, so the event is named. */
static struct str place_of(const struct cause_list *list, const struct result_operator *op)
{
	const struct result_spot *spot = op->first_seen;
	struct str file = list->result->inputs[spot->input].name;
	bool packed = str_ends(file, STR(".gz")) || str_ends(file, STR(".zip"));

	return doc_text_with(list->doc,
		spot->line ? "report.at-line"
		: packed   ? "report.at-event"
			   : "report.at-byte",
		BLANK("file", file), BLANK("operator", op->name),
		NUMBER("place", spot->line ? spot->line : spot->byte));
}

/* "aten::copy_ 3.1 %, resnet50.a.log:17" */
static void put_operator(struct cause_list *list, struct str name)
{
	struct doc *doc = list->doc;
	const struct result_operator *op = operators_find(&list->operators, list->result, name);
	const struct result_spot *spot = op ? op->first_seen : NULL;

	doc_open(doc, BLOCK_ITEM);
	if (op && is_safe_word(name))
		doc_link(doc, SPAN_NAME, doc_format_of(doc, "#q=%.*s", STR_ARG(name)), name);
	else
		doc_styled(doc, SPAN_NAME, name);
	if (op)
		doc_printf(doc, " %.*s", STR_ARG(doc_percent_of(doc, op->share_ppm)));
	if (spot) {
		doc_text(doc, STR(", "));
		doc_styled(doc, SPAN_SOFT, place_of(list, op));
	}
	doc_close(doc);
}

/* On a page the table of operators has the rest, one click away. */
static void put_names(struct cause_list *list, const struct str *names, size_t count)
{
	enum { MOST_ON_A_PAGE = 100 };
	bool page = doc_is(list->doc, DOC_HTML);
	size_t some = page && count > MOST_ON_A_PAGE ? MOST_ON_A_PAGE : count, shown = doc_shown(list->doc, some, some);

	doc_open(list->doc, BLOCK_LIST);
	for (size_t i = 0; i < shown; i++)
		put_operator(list, names[i]);
	doc_close(list->doc);
	doc_say_more(list->doc, page ? "report.more-in-table" : "report.more-operators", count - shown);
}

/* A list for each target where they differ, and one of operators that concern every target. */
static void put_cause_operators(struct cause_list *list, const struct result_cause *cause)
{
	struct str *others;
	size_t count = 0;

	if (!cause->on_target_count) {
		put_names(list, cause->operators, cause->operator_count);
		return;
	}
	for (size_t i = 0; i < cause->on_target_count; i++) {
		doc_say_styled(list->doc, BLOCK_META, SPAN_NAME, cause->on_targets[i].target);
		put_names(list, cause->on_targets[i].operators, cause->on_targets[i].operator_count);
	}
	others = arena_alloc(&list->doc->arena, cause->operator_count * sizeof(others[0]));
	for (size_t i = 0; i < cause->operator_count; i++) {
		if (!ANY(j, cause->on_target_count,
			    STR_IS_AMONG(cause->on_targets[j].operators, cause->on_targets[j].operator_count,
				    cause->operators[i])))
			others[count++] = cause->operators[i];
	}
	if (!count)
		return;
	doc_say_label(list->doc, BLOCK_META, "report.on-every-target");
	put_names(list, others, count);
}

/* --- what proves it, and what to do */

struct evidence_list {
	MEM_LIST(const struct result_evidence *) items;
	struct map by_text;
};

static void add_evidence(struct evidence_list *list, const struct result_evidence *evidence)
{
	uint64_t hash = hash_str(hash_str(hash_seed(), evidence->ref), evidence->text);
	struct map_cursor at = map_start(&list->by_text, hash);

	while (map_next(&list->by_text, &at)) {
		const struct result_evidence *other = list->items.items[at.index];

		if (other->kind == evidence->kind && str_eq(other->ref, evidence->ref) &&
			str_eq(other->text, evidence->text))
			return;
	}
	map_add(&list->by_text, hash, (uint32_t)list->items.count);
	MEM_PUSH(&list->items, evidence);
}

/* That of all its findings, each once. */
static void put_evidence(struct cause_list *list, const struct result_cause *cause)
{
	struct evidence_list all = { 0 };
	size_t shown;

	for (size_t i = 0; i < cause->finding_count; i++) {
		const struct result_finding *finding = finding_of(list, cause->findings[i]);

		for (size_t j = 0; finding && j < finding->evidence_count; j++)
			add_evidence(&all, &finding->evidence[j]);
	}
	shown = doc_shown(list->doc, all.items.count, all.items.count);
	doc_open(list->doc, BLOCK_LIST);
	for (size_t i = 0; i < shown; i++)
		evidence_build(list->doc, all.items.items[i]);
	doc_close(list->doc);
	doc_say_more(list->doc, "report.more-rows", all.items.count - shown);
	map_clear(&all.by_text);
	free(all.items.items);
}

/* Without the inputs that tests try it with. */
static struct str code_to_show(struct doc *doc, struct str code)
{
	size_t from = str_find(code, STR("def cases():\n")), to;

	if (from == STR_NONE)
		return code;
	to = str_find(str_skip(code, from), STR("\n\n\n"));
	if (to == STR_NONE)
		return code;
	return doc_format_of(doc, "%.*s%.*s", STR_ARG(str_sub(code, 0, from)),
		STR_ARG(str_skip(code, from + to + strlen("\n\n\n"))));
}

static struct str recipe_name(const struct message *advice)
{
	return str_starts(str_from(advice->id), STR("advice-recipe")) ? message_value(advice, "recipe") : STR("");
}

static const struct result_recipe *recipe_of(const struct cause_list *list, const struct message *advice)
{
	const struct result *result = list->result;
	struct str name = recipe_name(advice);

	return name.len ? FIND(i, result->recipes, result->recipe_count, str_eq(result->recipes[i].name, name)) : NULL;
}

/* --- a cause */

static void put_meaning(struct doc *doc, struct str rule)
{
	struct str about = doc_format_of(doc, "%.*s.about", STR_ARG(rule));

	doc_say_with(doc, BLOCK_META, "report.explained", BLANK("rule", rule),
		BLANK("about", catalog_has(LANG_EN, about) ? catalog_text(doc->options.lang, about) : STR("")));
}

static const struct result_target *target_of(const struct result *result, struct str id)
{
	size_t at = 0;

	while (at + 1 < result->target_count && !str_eq(result->targets[at].id, id))
		at++;
	return &result->targets[at];
}

/* Remedies in words; the first recipe among them. */
static const struct result_recipe *put_ways(
	const struct cause_list *list, struct doc *doc, const struct result_finding *finding, struct vendor_issue *ret)
{
	struct issue_way *ways = arena_alloc(&doc->arena, (finding->advice_count + 1) * sizeof(ways[0]));
	const struct result_recipe *recipe = NULL;

	for (size_t i = 0; i < finding->advice_count; i++) {
		ways[i] = (struct issue_way){ doc_message_of(doc, &finding->advice[i]), STR("") };
		recipe = recipe ? recipe : recipe_of(list, &finding->advice[i]);
	}
	ret->ways = ways;
	ret->way_count = finding->advice_count;
	return recipe;
}

/* As Markdown, from the report: the recipe's code before, or the recorded calls, reproduce it. */
static struct str vendor_draft(struct cause_list *list, const struct result_operator *op,
	const struct result_verdict *verdict, const struct result_finding *finding)
{
	enum { CALLS = 3 };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct result *result = list->result;
	const struct result_target *target = target_of(result, verdict->target);
	const struct result_recipe *recipe;
	struct doc doc = doc_new(DOC_MD, &list->doc->options);
	const struct issue_version versions[] = { { STR("PyTorch"), target->torch }, { STR("plugin"), target->plugin },
		{ STR("CANN"), target->cann } };
	struct vendor_issue issue = { .operator_name = called_with(&doc.arena, op->name, verdict->dtypes),
		.said = doc_message_of(&doc, &finding->what),
		.rule = finding->what.id,
		.verdict = verdict,
		.versions = versions,
		.version_count = ARRAY_SIZE(versions),
		.fallback = target->fallback,
		.tool = result->tool_version,
		.build = result->db.build,
		.code = STR(""),
		.calls = op->shapes,
		.call_count = op->shape_count < CALLS ? op->shape_count : CALLS };

	doc.title_level = 1;
	recipe = put_ways(list, &doc, finding, &issue);
	if (recipe)
		issue.code = issue_code_of_recipe(&doc, target->id, recipe->code);
	vendor_issue_build(&doc, &issue);
	doc_put(&doc, &text);
	return arena_keep(&list->doc->arena, buf_str(&text));
}

/* For the operator of the cause with the largest share; notes need no report. */
static void put_issue(struct cause_list *list, const struct result_finding *finding)
{
	struct doc *doc = list->doc;
	const struct result_operator *op = operators_find(&list->operators, list->result, finding->operator_name);
	const struct result_verdict *verdict = op ? FIND(i, op->verdicts, op->verdict_count,
							    str_eq(op->verdicts[i].target, finding->target))
						  : NULL;

	if (finding->severity == SEVERITY_NOTE || !verdict)
		return;
	doc_open(doc, BLOCK_MORE);
	doc_say_with(doc, BLOCK_SUMMARY, "report.issue-draft",
		BLANK("operator", called_with(&doc->arena, op->name, verdict->dtypes)),
		BLANK("target", finding->target));
	doc_code(doc, STR("markdown"), vendor_draft(list, op, verdict, finding));
	doc_close(doc);
}

/* On a page: the rows of its operators, the line of an overlay that says otherwise, a draft for the vendor. */
static void put_answers(struct cause_list *list, const struct result_cause *cause)
{
	struct doc *doc = list->doc;
	const struct result_finding *finding = cause->finding_count ? finding_of(list, cause->findings[0]) : NULL;

	if (!doc_is(doc, DOC_HTML) || !finding)
		return;
	if (cause->operator_count) {
		doc_say_link(doc, BLOCK_META, SPAN_PLAIN, doc_format_of(doc, "#rule=%.*s", STR_ARG(cause->rule)),
			doc_label_of(doc, "report.rows-of-rule"));
	}
	correction_build(doc, finding);
	put_issue(list, finding);
}

/* "op-aicpu" of the statement "op-aicpu-many". */
static struct str rule_of(const struct message *text)
{
	struct str id = str_from(text->id);

	if (str_ends(id, STR("-many")) || str_ends(id, STR("-each")))
		id.len -= strlen("-many");
	return id;
}

static void put_inside(struct cause_list *list, const struct result_cause *cause)
{
	put_meaning(list->doc, rule_of(&cause->text));
	for (size_t i = 0; i < cause->also_count; i++) {
		doc_say(list->doc, BLOCK_PARAGRAPH, &cause->also[i]);
		put_meaning(list->doc, rule_of(&cause->also[i]));
	}
	doc_say_each(doc_in(list->doc, DOC_HTML), BLOCK_ADVICE, cause->advice, cause->advice_count);
	put_cause_operators(list, cause);
	put_evidence(list, cause);
	for (size_t i = 0; i < cause->advice_count; i++) {
		const struct result_recipe *recipe = recipe_of(list, &cause->advice[i]);

		if (recipe && !list->recipes_shown[recipe - list->result->recipes]) {
			list->recipes_shown[recipe - list->result->recipes] = true;
			doc_say_with(list->doc, BLOCK_PARAGRAPH, "report.recipe", BLANK("recipe", recipe->name),
				BLANK("torch", recipe->torch), BLANK("tolerance", recipe->tolerance));
			doc_code(list->doc, STR("python"), code_to_show(list->doc, recipe->code));
		}
	}
	put_answers(list, cause);
}

/* The policy on one of its findings, such as an expired waiver. */
static void put_standing(struct cause_list *list, const struct result_cause *cause)
{
	for (size_t i = 0; i < cause->finding_count; i++) {
		const struct result_finding *finding = finding_of(list, cause->findings[i]);

		if (finding && finding->waiver) {
			standing_build(list->doc, finding);
			return;
		}
	}
}

static void put_followers(struct cause_list *list, const struct result_cause *cause);

/* On a page advice is behind the row, which names the recipes. */
static void put_recipe_names(struct doc *doc, const struct result_cause *cause)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	for (size_t i = 0; i < cause->advice_count; i++) {
		struct str name = recipe_name(&cause->advice[i]);

		if (name.len)
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(name));
	}
	if (names.len)
		doc_say_with(
			doc_in(doc, DOC_HTML), BLOCK_ADVICE, "report.recipe-names", COPY("recipes", buf_str(&names)));
}

/* Details after the text of a cause. */
static void put_rest(struct cause_list *list, const struct result_cause *cause)
{
	put_standing(list, cause);
	put_recipe_names(list->doc, cause);
	doc_say_each(doc_in(list->doc, DOC_PLAIN), BLOCK_ADVICE, cause->also, cause->also_count);
	doc_say_each(doc_in(list->doc, DOC_PLAIN), BLOCK_ADVICE, cause->advice, cause->advice_count);
	put_followers(list, cause);
}

/* On a page a cause opens where it stands. */
static void put_page_cause(struct cause_list *list, const struct result_cause *cause)
{
	struct doc *doc = list->doc;

	doc_open(doc, BLOCK_DETAILS);
	doc_say(doc, BLOCK_SUMMARY, &cause->text);
	doc_open(doc, BLOCK_INSET);
	put_inside(list, cause);
	doc_close(doc);
	doc_close(doc);
	put_rest(list, cause);
}

static void put_followers(struct cause_list *list, const struct result_cause *cause)
{
	for (size_t i = 0; i < list->result->cause_count; i++) {
		const struct result_cause *other = &list->result->causes[i];

		if (other == cause || !str_eq(other->under, cause->id) || !is_shown(list, other))
			continue;
		if (!doc_is(list->doc, DOC_HTML)) {
			doc_say(list->doc, BLOCK_ADVICE, &other->text);
			continue;
		}
		doc_open(list->doc, BLOCK_FOLLOWER);
		put_page_cause(list, other);
		doc_close(list->doc);
	}
}

static void put_cause(struct cause_list *list, const struct result_cause *cause)
{
	struct doc *doc = list->doc;

	finding_open(doc, cause->severity, cause->operator_count ? doc_percent_of(doc, cause->share_ppm) : STR(""));
	if (doc_is(doc, DOC_HTML)) {
		put_page_cause(list, cause);
	} else {
		doc_message(doc, &cause->text);
		put_rest(list, cause);
	}
}

/* Text and Markdown have what a cause opens to behind the table, and only when all is asked for. */
static void put_opened(struct cause_list *list)
{
	struct doc *doc = list->doc;

	for (size_t i = 0; i < list->result->cause_count; i++) {
		if (!is_shown(list, &list->result->causes[i]))
			continue;
		doc_open(doc, BLOCK_PARAGRAPH);
		doc_styled(doc, SPAN_STRONG, list->result->causes[i].id);
		doc_text(doc, STR(": "));
		doc_message(doc, &list->result->causes[i].text);
		doc_close(doc);
		put_inside(list, &list->result->causes[i]);
	}
}

/* --- all of them */

static bool is_leading(const struct cause_list *list, const struct result_cause *cause)
{
	return !cause->under.len && is_shown(list, cause);
}

/* Rows of leading causes from *at on, which moves behind them, until so many are there. */
static void put_cause_rows(struct cause_list *list, size_t *at, size_t count)
{
	doc_table(list->doc, &table);
	for (; *at < list->result->cause_count && count; ++*at) {
		if (!is_leading(list, &list->result->causes[*at]))
			continue;
		put_cause(list, &list->result->causes[*at]);
		count--;
	}
	doc_table_end(list->doc);
}

void causes_build(struct doc *doc, const struct result *result)
{
	enum { DOZEN = 12 };
	struct cause_list list = { .doc = doc, .result = result, .operators = operators_map(result) };
	size_t leading = 0, shown, open, at = 0;

	list.recipes_shown = arena_alloc(&doc->arena, (result->recipe_count + 1) * sizeof(list.recipes_shown[0]));
	for (size_t i = 0; i < result->finding_count; i++)
		map_add(&list.findings, hash_str(hash_seed(), result->findings[i].fingerprint), (uint32_t)i);
	for (size_t i = 0; i < result->cause_count; i++)
		leading += is_leading(&list, &result->causes[i]);
	shown = doc_shown(doc, leading, SHORT_LIST);
	open = doc_is(doc, DOC_HTML) && shown > DOZEN ? DOZEN : shown;
	doc_section(doc, "report.causes");
	if (doc->left_out && !doc->options.section.len && !findings_listed(doc, result))
		doc_say_count(doc, BLOCK_PARAGRAPH, "report.known-left-out", doc->left_out);
	put_cause_rows(&list, &at, open);
	if (shown > open) {
		doc_open(doc, BLOCK_MORE);
		doc_say_count(doc, BLOCK_SUMMARY, "report.further-causes", shown - open);
		put_cause_rows(&list, &at, shown - open);
		doc_close(doc);
	}
	doc_say_more(doc, "report.more-causes", leading - shown);
	if (doc->options.all && !doc_is(doc, DOC_HTML))
		put_opened(&list);
	else if (leading)
		doc_say_count(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH,
			doc->options.rows ? "report.findings-in-all" : "report.causes-findings", result->finding_count);
	doc_close(doc);
	map_clear(&list.operators);
	map_clear(&list.findings);
}
