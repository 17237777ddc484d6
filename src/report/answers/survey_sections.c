#include "report/answers/survey_sections.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/answers/answer_screens.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"
#include "report/drawings/drawing.h"
#include "report/drawings/release_drawing.h"
#include "report/record/records.h"
#include "report/sections/findings.h"
#include "report/sections/release_section.h"
#include "report/sections/summary.h"

enum { LISTED_NAMES = 12 };

/* --- releases as lines */

/* Releases in a row whose figures and blockers are the same; a release of a move stands alone. */
struct survey_group {
	size_t first, last; /* positions in the survey */
	size_t count;       /* of those that are shown */
	bool is_from, is_to;
};

static bool is_end(const struct result_releases *releases, size_t index, bool *ret_from, bool *ret_to)
{
	struct str id = releases->items[index].id;

	*ret_from = *ret_to = false;
	for (size_t i = 0; i < releases->move_count; i++) {
		const struct result_move *move = &releases->moves[i];

		*ret_from |= str_eq(move->from, id);
		*ret_to |= str_eq(move->to, id) && !str_eq(move->from, id);
	}
	return *ret_from || *ret_to;
}

static bool is_shown(const struct result_releases *releases, bool all, size_t index)
{
	bool from, to;

	return all || releases->items[index].kind != RELEASE_DEVELOPMENT || is_end(releases, index, &from, &to);
}

static bool same_names(const struct result_names *a, const struct result_names *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++)
		same = str_eq(a->items[i], b->items[i]);
	return same;
}

static bool same_interval(struct result_interval a, struct result_interval b)
{
	return a.lo_ppm == b.lo_ppm && a.hi_ppm == b.hi_ppm;
}

static bool releases_agree(const struct result_release *a, const struct result_release *b)
{
	return str_eq(a->target, b->target) && same_names(&a->blockers, &b->blockers) &&
	       same_names(&a->unknown, &b->unknown) && same_interval(a->readiness.time, b->readiness.time) &&
	       same_interval(a->coverage.time, b->coverage.time) && a->verdict == b->verdict;
}

/* The next group from *at on, which moves behind it. False at the end. all: every release is a group, development heads
   too. */
static bool next_group(const struct result_releases *releases, bool all, size_t *at, struct survey_group *ret)
{
	while (*at < releases->count && !is_shown(releases, all, *at))
		++*at;
	if (*at == releases->count)
		return false;
	*ret = (struct survey_group){ .first = *at, .last = *at, .count = 1 };
	if (is_end(releases, (*at)++, &ret->is_from, &ret->is_to) || all)
		return true;
	for (; *at < releases->count; ++*at) {
		bool from, to;

		if (!is_shown(releases, all, *at))
			continue;
		if (is_end(releases, *at, &from, &to) ||
			!releases_agree(&releases->items[ret->first], &releases->items[*at]))
			break;
		ret->last = *at;
		ret->count++;
	}
	return true;
}

/* The common beginning of two names up to a dash: "v2.7.1-". */
static size_t common_head(struct str a, struct str b)
{
	size_t head = 0;

	for (size_t i = 0; i < a.len && i < b.len && a.ptr[i] == b.ptr[i]; i++) {
		if (a.ptr[i] == '-')
			head = i + 1;
	}
	return head;
}

/* Branch or tag of the plugin: the release without its target and chip. */
static struct str ref_of(const struct result_release *release)
{
	return str_head(str_skip(release->id, release->target.len + 1), ':');
}

/* "npu@v2.7.1-7.2.0..26.1.0" */
static struct str span_of(struct doc *doc, const struct result_releases *releases, const struct survey_group *group)
{
	const struct result_release *first = &releases->items[group->first], *last = &releases->items[group->last];
	struct str ref = ref_of(last);

	if (group->count == 1)
		return first->id;
	return doc_format_of(
		doc, "%.*s..%.*s", STR_ARG(first->id), STR_ARG(str_skip(ref, common_head(ref_of(first), ref))));
}

/* Names of operators, at most so many, and how many more: "aten::a, aten::b, ... +3". */
static struct str names_of(struct doc *doc, const struct result_names *names, size_t most)
{
	return doc_names_of(doc, names->items, names->count < most ? names->count : most, names->total);
}

/* Behind a click, the names that the numbers count. */
static void put_sets(struct doc *doc, const struct result_release *release)
{
	const struct {
		const char *id;
		const struct result_names *names;
	} sets[] = {
		{ "report.blockers", &release->blockers },
		{ "survey.unknown", &release->unknown },
		{ "survey.conditional", &release->doubts },
		{ "where.aicpu", &release->aicpu },
		{ "survey.fixed", &release->fixed },
		{ "survey.new", &release->fresh },
	};

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		if (!sets[i].names->count)
			continue;
		doc_open(doc, BLOCK_PARAGRAPH);
		doc_printf(doc, "%.*s: ", STR_ARG(doc_label_of(doc, sets[i].id)));
		doc_styled(doc, SPAN_NAME, names_of(doc, sets[i].names, SIZE_MAX));
		doc_close(doc);
	}
}

static void put_name(struct doc *doc, const struct result_releases *releases, const struct survey_group *group)
{
	struct str span = span_of(doc, releases, group);

	doc_cell(doc);
	if (doc_is(doc, DOC_HTML)) {
		doc_open(doc, BLOCK_DETAILS);
		doc_say_styled(doc, BLOCK_SUMMARY_NAME, SPAN_PLAIN,
			group->is_to ? doc_format_of(doc, "\xe2\x86\x92 %.*s", STR_ARG(span)) : span);
		doc_open(doc, BLOCK_INSET);
		put_sets(doc, &releases->items[group->first]);
		doc_close(doc);
		doc_close(doc);
	}
	doc_printf(doc_in(doc, DOC_TEXT), "%s%.*s", group->is_to ? "> " : group->is_from ? "* " : "  ", STR_ARG(span));
	doc_styled(doc_in(doc, DOC_MD), group->is_from || group->is_to ? SPAN_STRONG : SPAN_PLAIN, span);
}

/* Added and removed blockers, in a few words below the row. */
static void put_change(struct doc *doc, const char *id, const struct result_names *names)
{
	enum { MOST = 8 };

	if (names->count && doc->options.all)
		doc_say_with(doc_in(doc, DOC_TEXT), BLOCK_UNDER_MARK, id, BLANK("names", names_of(doc, names, MOST)));
}

/* The number of a set, or in Markdown its names; "-" where nothing was compared. */
static void put_set(struct doc *doc, const struct result_release *release, const struct result_names *names)
{
	doc_cell_text(doc_in(doc, DOC_MD), names_of(doc, names, LISTED_NAMES));
	doc_cell_text(doc_in(doc, DOC_TEXT), release->against.len ? doc_format_of(doc, "%zu", names->count) : STR("-"));
	doc_cell_number(doc_in(doc, DOC_HTML), names->count);
}

static void put_group(struct doc *doc, const struct result_releases *releases, const struct survey_group *group)
{
	const struct result_release *release = &releases->items[group->first];

	doc_row(doc);
	put_name(doc, releases, group);
	doc_cell_tag(doc, SET_VERDICT, word_for(&verdict_words, release->verdict));
	doc_cell_interval(doc, release->readiness.time);
	doc_cell_interval(doc, release->coverage.time);
	doc_cell(doc);
	doc_printf(doc, "%zu", release->blockers.count);
	doc_text(doc_in(doc, DOC_TEXT), release->unknown.count ? STR("?") : STR(""));
	doc_cell_number(doc, release->unknown.count);
	put_set(doc, release, &release->fixed);
	put_set(doc, release, &release->fresh);
	put_change(doc, "survey.change-fixed", &release->fixed);
	put_change(doc, "survey.change-new", &release->fresh);
}

static void put_table(struct doc *doc, const struct result_releases *releases)
{
	static const struct doc_column text_columns[] = {
		{ .label = "survey.release", .width = 37 },
		{ .label = "report.verdict", .formats = DOC_HTML },
		{ .label = "report.on-device", .gap = 1, .width = 12, .number = true },
		{ .label = "report.at-all", .gap = 1, .width = 12, .number = true },
		{ .label = "survey.block", .gap = 1, .width = 5, .number = true },
		{ .label = "survey.unknown", .number = true, .formats = DOC_HTML },
		{ .label = "survey.fixed", .gap = 1, .width = 5, .number = true },
		{ .label = "survey.new", .gap = 1, .width = 4, .number = true },
	};
	struct doc_column *columns = arena_alloc(&doc->arena, sizeof(text_columns));
	struct survey_group group;

	memcpy(columns, text_columns, sizeof(text_columns));
	if (doc_is(doc, DOC_TEXT))
		columns[0] = (struct doc_column){ .width = 37,
			.title = doc_format_of(doc, "  %.*s", STR_ARG(doc_label_of(doc, "survey.release"))) };
	else
		columns[4].label = "report.blockers";
	columns[6].number = columns[7].number = !doc_is(doc, DOC_MD);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(text_columns) });
	for (size_t at = 0; next_group(releases, doc->options.all, &at, &group);)
		put_group(doc, releases, &group);
	doc_table_end(doc);
}

static void put_matrix(struct doc *doc, const struct result *result)
{
	const char *against = result->releases.against_given ? "survey.against-given" : "survey.against-before";

	doc_section_headed(doc, DOC_HTML, "survey.matrix", NULL);
	releases_draw(doc, &result->releases);
	doc_say_label(doc_in(doc, DOC_HTML), BLOCK_SOFT, against);
	put_table(doc, &result->releases);
	doc_say_label(doc_in(doc, DOC_TEXT), BLOCK_SOFT, "survey.legend");
	doc_say_label(doc_in(doc, DOC_TEXT), BLOCK_SOFT, against);
	doc_close(doc);
}

/* --- moves, and operators that block */

static void put_moves(struct doc *doc, const struct result *result)
{
	doc_section_headed(doc, DOC_TEXT | DOC_HTML, "survey.moves", NULL);
	moves_build(doc, &result->releases);
	doc_close(doc);
}

/* Where an operator blocks, by target. */
struct blocked_operator {
	const struct result_blocker *blocker;
	size_t on[TARGET_COUNT]; /* releases shown that it blocks */
	size_t of[TARGET_COUNT]; /* releases shown */
	/* the first shown release on which it neither blocks nor is unknown; "": none */
	struct str since[TARGET_COUNT];
	struct str last[TARGET_COUNT]; /* the last one behind that on which it blocks; "": none */
};

static void count_release(const struct result_release *release, enum span_state state, struct blocked_operator *blocked)
{
	enum target_kind target = TARGET_NPU;

	target_kind_from(release->target, &target);
	blocked->of[target]++;
	blocked->on[target] += state == SPAN_BLOCKED;
	if (state == SPAN_BLOCKED && blocked->since[target].len)
		blocked->last[target] = release->id;
	if (state != SPAN_BLOCKED && state != SPAN_UNKNOWN && !blocked->since[target].len)
		blocked->since[target] = release->id;
}

/* False where it blocks on releases that are not shown alone. */
static bool count_blocked(const struct result_releases *releases, bool all, struct blocked_operator *blocked)
{
	const struct result_span *span = blocked->blocker->spans, *end = span + blocked->blocker->span_count;
	bool inside = false, any = false;

	for (size_t i = 0; i < releases->count; i++) {
		const struct result_release *release = &releases->items[i];

		inside |= span < end && str_eq(span->first, release->id);
		if (is_shown(releases, all, i))
			count_release(release, inside ? span->state : SPAN_STATES, blocked);
		if (inside && str_eq(span->last, release->id)) {
			inside = false;
			span++;
		}
	}
	for (unsigned target = 0; target < TARGET_COUNT; target++)
		any |= blocked->on[target] != 0;
	return any;
}

/* All of them, largest share first; on the heap. */
static struct blocked_operator *list_blocked(const struct result_releases *releases, bool all, size_t *ret_count)
{
	struct blocked_operator *list = mem_zalloc((releases->blocker_count + 1) * sizeof(list[0]));

	*ret_count = 0;
	for (size_t i = 0; i < releases->blocker_count; i++) {
		list[*ret_count] = (struct blocked_operator){ .blocker = &releases->blockers[i] };
		*ret_count += count_blocked(releases, all, &list[*ret_count]);
	}
	return list;
}

static void put_blocked(struct doc *doc, const struct result_releases *releases)
{
	static const struct doc_column columns[] = {
		{ .label = "report.share", .width = SHARE_COLUMNS, .number = true },
		{ .label = "report.operator", .gap = 2, .fit = COLUMN_WRAP },
	};
	enum { SHOWN = 12 };
	size_t count, shown;
	CLEANUP(mem_release) struct blocked_operator *list = list_blocked(releases, doc->options.all, &count);

	shown = doc_shown(doc, count, SHOWN);
	doc_section(doc, "survey.blocked");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = true });
	for (size_t i = 0; i < shown; i++) {
		const struct result_blocker *op = list[i].blocker;

		doc_row(doc);
		doc_cell_text(doc, doc_percent_of(doc, op->share_ppm));
		doc_cell(doc);
		doc_text(doc, op->operator_name);
		for (unsigned target = 0; target < TARGET_COUNT; target++) {
			struct str since = list[i].since[target], last = list[i].last[target];
			const char *id = last.len    ? "survey.blocks-last"
					 : since.len ? "survey.blocks-since"
						     : "survey.blocks";

			/* "npu: blocks on 3 of 51 releases; npu@v2.1.0 is the first that runs it" */
			if (list[i].on[target])
				doc_say_with(doc, BLOCK_FIELD, id,
					BLANK("target", target_kind_name((enum target_kind)target)),
					NUMBER("on", list[i].on[target]), NUMBER("of", list[i].of[target]),
					BLANK("release", last.len ? last : since));
		}
	}
	doc_table_end(doc);
	if (shown < count)
		doc_say_count(doc, BLOCK_PARAGRAPH, "survey.more", count - shown);
	doc_close(doc);
}

/* --- JSON and CSV */

/* The records of `advise` over the releases of a result: a report has other keys of the same structs. */

#define NAMES(type, member) &kind_texts, AT(type, member.items), .count = AT(type, member.count)

static const struct field release_json_fields[] = {
	{ "id", &kind_text, AT(result_release, id) },
	{ "target", &kind_text, AT(result_release, target) },
	{ "torch", &kind_text, AT(result_release, torch) },
	{ "plugin", &kind_text, AT(result_release, plugin) },
	{ "cann", &kind_text, AT(result_release, cann) },
	{ "date", &kind_text, AT(result_release, date) },
	{ "stable", &kind_bool, AT(result_release, stable) },
	{ "verdict", &kind_enum, AT(result_release, verdict), .words = &verdict_words },
	{ "readiness", &kind_object, AT(result_release, readiness), .record = &coverage_record },
	{ "coverage", &kind_object, AT(result_release, coverage), .record = &coverage_record },
	{ "blockers", NAMES(result_release, blockers) },
	{ "unknown", NAMES(result_release, unknown) },
	{ "conditional", NAMES(result_release, doubts) },
	{ "aicpu", NAMES(result_release, aicpu) },
	{ "against", &kind_text, AT(result_release, against) },
	{ "fixed", NAMES(result_release, fixed) },
	{ "new", NAMES(result_release, fresh) },
	{ 0 },
};
static const struct record release_json = { sizeof(struct result_release), release_json_fields };

static const struct str stable_items[] = {
	[RELEASE_FINAL] = STR("1"), [RELEASE_CANDIDATE] = STR("0"), [RELEASE_DEVELOPMENT] = STR("0")
};
static const struct words stable_words = { stable_items, ARRAY_SIZE(stable_items), RELEASE_DEVELOPMENT };

static const struct field release_fields[] = {
	{ "release", &kind_text, AT(result_release, id) },
	{ "target", &kind_text, AT(result_release, target) },
	{ "torch", &kind_text, AT(result_release, torch) },
	{ "date", &kind_text, AT(result_release, date) },
	{ "stable", &kind_enum, AT(result_release, kind), .words = &stable_words },
	{ "verdict", &kind_enum, AT(result_release, verdict), .words = &verdict_words },
	{ "readiness_lo", &kind_share, AT(result_release, readiness.time.lo_ppm) },
	{ "readiness_hi", &kind_share, AT(result_release, readiness.time.hi_ppm) },
	{ "coverage_lo", &kind_share, AT(result_release, coverage.time.lo_ppm) },
	{ "coverage_hi", &kind_share, AT(result_release, coverage.time.hi_ppm) },
	{ "blocker_count", &kind_count, AT(result_release, blockers.total) },
	{ "blockers", NAMES(result_release, blockers) },
	{ "unknown_count", &kind_count, AT(result_release, unknown.total) },
	{ "unknown", NAMES(result_release, unknown) },
	{ "against", &kind_text, AT(result_release, against) },
	{ "fixed_count", &kind_count, AT(result_release, fixed.total) },
	{ "fixed", NAMES(result_release, fixed) },
	{ "new_count", &kind_count, AT(result_release, fresh.total) },
	{ "new", NAMES(result_release, fresh) },
	{ 0 },
};
static const struct record release_record = { sizeof(struct result_release), release_fields };

static const struct field move_fields[] = {
	{ "target", &kind_text, AT(result_move, target) },
	{ "from", &kind_text, AT(result_move, from) },
	{ "given", &kind_bool, AT(result_move, given) },
	{ "to", &kind_text, AT(result_move, to) },
	{ "clears", &kind_bool, AT(result_move, clears) },
	{ "releases", &kind_count, AT(result_move, releases) },
	{ "other_torch", &kind_bool, AT(result_move, other_torch) },
	{ "packages", &kind_bool, AT(result_move, packages), OPTIONAL },
	{ "back", &kind_bool, AT(result_move, back) },
	{ "cleared", NAMES(result_move, cleared) },
	{ "left", NAMES(result_move, left) },
	{ "new", NAMES(result_move, fresh) },
	{ "kernels", &kind_text, AT(result_move, kernels) },
	{ "off_aicpu", NAMES(result_move, off_aicpu) },
	{ 0 },
};
static const struct record move_record = { sizeof(struct result_move), move_fields };

static void put_survey_json(const struct result *result, struct buf *out)
{
	const struct result_releases *releases = &result->releases;
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	record_put_fields(&json, &header_record, result);
	jsonw_key_list(&json, "inputs");
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "operators", (int64_t)releases->operator_count);
	record_put_list(&json, "moves", &move_record, releases->moves, releases->move_count);
	record_put_list(&json, "releases", &release_json, releases->items, releases->count);
	jsonw_object_end(&json);
}

static void put_survey_csv(const struct result *result, struct buf *out)
{
	static const struct sheet_shape shape = { "survey.title", &release_record };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	sheet_rows(&sheet, result->releases.items, result->releases.count);
	sheet_end(&sheet);
}

/* --- the whole */

static void put_warnings(struct doc *doc, const struct result *result)
{
	doc_section(doc, NULL);
	doc_open_styled(doc, DOC_TEXT, BLOCK_LIST);
	for (size_t i = 0; i < result->warning_count; i++) {
		doc_say(doc_in(doc, DOC_TEXT), BLOCK_ITEM, &result->warnings[i]);
		doc_say(doc_in(doc, DOC_HTML | DOC_MD), BLOCK_PARAGRAPH, &result->warnings[i]);
	}
	doc_close(doc);
	doc_close(doc);
}

/* In Markdown the moves come first, and the release that one moves to is in the table. */
static void build_md(struct doc *doc, const struct result *result)
{
	doc_title(doc, "survey.title");
	for (size_t i = 0; i < result->input_count; i++)
		doc_printf(doc, "%s%.*s", i ? ", " : ": ", STR_ARG(result->inputs[i].name));
	doc_close(doc);
	assumptions_build(doc, result);
	put_warnings(doc, result);
	put_moves(doc, result);
	put_matrix(doc, result);
	put_blocked(doc, &result->releases);
}

static void build_survey(struct doc *doc, const struct result *result)
{
	head_build(doc, result, "survey.title");
	doc_open(doc, BLOCK_MAIN);
	doc_svg_patterns(doc);
	put_moves(doc_in(doc, DOC_HTML), result);
	put_matrix(doc, result);
	put_moves(doc_in(doc, DOC_TEXT), result);
	put_blocked(doc, &result->releases);
	put_warnings(doc, result);
	doc_close(doc);
}

void survey_write(const struct result *result, struct str form, const struct render_options *options, struct buf *out)
{
	enum doc_format format = doc_format_of_name(form);
	struct doc doc;

	if (str_eq(form, STR("json"))) {
		put_survey_json(result, out);
	} else if (str_eq(form, STR("csv"))) {
		put_survey_csv(result, out);
	} else if (format == DOC_TEXT && options->view != VIEW_WHOLE) {
		advise_screen(result, options, out);
	} else {
		doc = doc_new(format, options);
		(format == DOC_MD ? build_md : build_survey)(&doc, result);
		html_put_page(&doc, result, "survey.title", out);
	}
}
