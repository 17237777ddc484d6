/* opcheck db score: the database held against observations, with other and with no reports among its facts. */
#include <inttypes.h>

#include "assess/judge/readiness.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "check/score/score.h"
#include "check/score/score_keys.h"
#include "check/score/time_score.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"
#include "opdb/db/target.h"
#include "record/kinds.h"

struct score_options {
	struct common_options common;
	struct str without, chip;
	bool time, ratios;
};

static const struct option score_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_LANG,
	OPTION_DB,
	{ 0, "without", "FACTS", "leave out facts of this kind (reported)", FIELD(score_options, without) },
	{ 0, "time", NULL, "compare estimated device times with device dumps", FIELD(score_options, time) },
	{ 0, "chip", "CHIP", "the chip of these dumps (the one that each names)", FIELD(score_options, chip) },
	{ 0, "ratios", NULL, "with --time: print their ratios, for --overlay", FIELD(score_options, ratios) },
	{ 0 },
};

static int read_observations(const char *path, const struct limits *limits, struct observations *ret, struct err *err)
{
	struct source *source;
	int status = source_open(path, limits, &source, err);

	*ret = (struct observations){ 0 };
	if (status)
		return err_file(err, path);
	source_skip_digest(source);
	status = observations_read(source, str_ends(str_from(path), STR(".tsv")), ret, err);
	source_close(source);
	return status ? err_file(err, path) : 0;
}

/* --- what is scored */

/* Base rate over all answers: high recall of a few may be over-prediction. */
static const char *const called_specs[] = { "npu:910B", "musa" };
enum { CALLED = ARRAY_SIZE(called_specs) };

struct scores {
	const char *file;
	const struct observations *observations;
	enum reports first; /* tables whose disagreeing rows are listed */
	struct score by_reports[REPORTS_NONE + 1];
	struct target targets[CALLED];
	struct called called[CALLED];
};

static int run_scores(
	const struct opdb *db, const struct observations *observations, struct scores *ret, struct err *err)
{
	int status = 0;

	for (enum reports i = ret->first; i <= REPORTS_NONE && !status; i++)
		status = score_run(db, observations, i, &ret->by_reports[i], err);
	for (size_t i = 0; i < CALLED && !status; i++) {
		status = target_resolve(db, str_from(called_specs[i]), STR(""), &ret->targets[i], err);
		if (!status)
			status = score_called(db, &ret->targets[i], &ret->called[i], err);
	}
	return status;
}

/* --- as text */

static void put_score_text(const void *answer, struct buf *text)
{
	const struct scores *scores = answer;
	static const char *const titles[] = { [REPORTS_ALL] = "with reported facts",
		[REPORTS_OF_OTHERS] = "without those of its source",
		[REPORTS_NONE] = "without reported facts" };

	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		score_put_table(&scores->by_reports[i], titles[i], text);
		score_put_keys(&scores->by_reports[i], text);
	}
	for (size_t i = 0; i < CALLED; i++) {
		const struct called *called = &scores->called[i];

		buf_printf(text, "%s: of %zu operators with 12 types each, pairs called aicpu %zu, in some cases %zu, ",
			scores->targets[i].id, called->operators, called->aicpu, called->maybe_aicpu);
		buf_printf(text, "where the result is not contiguous %zu, limited %zu\n", called->strided,
			called->refused);
	}
	if (scores->observations->unknown_types)
		buf_printf(text,
			"%s:%zu: '%s' is not a data type of PyTorch; rows with such a type, scored by the rest: %zu\n",
			scores->file, scores->observations->unknown_type_line,
			shown(scores->observations->unknown_type).text, scores->observations->unknown_types);
	score_put_disagreements(&scores->by_reports[scores->first], scores->file, text);
}

/* --- rows */

static const char *const report_words[] = {
	[REPORTS_ALL] = "all", [REPORTS_OF_OTHERS] = "others", [REPORTS_NONE] = "none"
};
static const struct str grade_items[GRADE_COUNT] = { [GRADE_AGREES] = STR("agree"),
	[GRADE_WARNED] = STR("warned"),
	[GRADE_FALSE_GREEN] = STR("false_green"),
	[GRADE_FALSE_RED] = STR("false_red"),
	[GRADE_UNKNOWN] = STR("unknown") };
static const struct words grade_words = { grade_items, GRADE_COUNT, GRADE_UNKNOWN };

/* The first column, whose reports are known, is in JSON the object around the list: records of JSON begin behind it. */
struct line_row {
	struct str reports, about;
	uint64_t rows, grades[GRADE_COUNT];
};

static const struct field line_fields[] = {
	{ "reports", &kind_text, AT(line_row, reports) },
	{ "about", &kind_text, AT(line_row, about) },
	{ "rows", &kind_count, AT(line_row, rows) },
	{ "agree", &kind_count, AT(line_row, grades[GRADE_AGREES]) },
	{ "warned", &kind_count, AT(line_row, grades[GRADE_WARNED]) },
	{ "false_green", &kind_count, AT(line_row, grades[GRADE_FALSE_GREEN]) },
	{ "false_red", &kind_count, AT(line_row, grades[GRADE_FALSE_RED]) },
	{ "unknown", &kind_count, AT(line_row, grades[GRADE_UNKNOWN]) },
	{ 0 },
};
static const struct record line_record = { sizeof(struct line_row), line_fields },
			   line_json = { sizeof(struct line_row), line_fields + 1 };

struct key_row {
	struct str reports, about;
	uint64_t keys, agreeing, false_green;
};

static const struct field key_fields[] = {
	{ "reports", &kind_text, AT(key_row, reports) },
	{ "about", &kind_text, AT(key_row, about) },
	{ "keys", &kind_count, AT(key_row, keys) },
	{ "agree", &kind_count, AT(key_row, agreeing) },
	{ "false_green", &kind_count, AT(key_row, false_green) },
	{ 0 },
};
static const struct record key_record = { sizeof(struct key_row), key_fields },
			   key_json = { sizeof(struct key_row), key_fields + 1 };

struct alarm_row {
	struct str reports;
	struct key_tally tally;
};

static const struct field alarm_fields[] = {
	{ "reports", &kind_text, AT(alarm_row, reports) },
	{ "keys_with_two_outcomes", &kind_count, AT(alarm_row, tally.apart) },
	{ "native_rows", &kind_count, AT(alarm_row, tally.native) },
	{ "alarms", &kind_count, AT(alarm_row, tally.alarms) },
	{ 0 },
};
static const struct record alarm_record = { sizeof(struct alarm_row), alarm_fields },
			   alarm_json = { sizeof(struct alarm_row), alarm_fields + 1 };

struct called_row {
	struct str target;
	struct called called;
};

static const struct field called_fields[] = {
	{ "target", &kind_text, AT(called_row, target) },
	{ "operators", &kind_count, AT(called_row, called.operators) },
	{ "aicpu", &kind_count, AT(called_row, called.aicpu) },
	{ "aicpu_if", &kind_count, AT(called_row, called.maybe_aicpu) },
	{ "not_contiguous", &kind_count, AT(called_row, called.strided) },
	{ "limited", &kind_count, AT(called_row, called.refused) },
	{ 0 },
};
static const struct record called_record = { sizeof(struct called_row), called_fields };

struct disagreement_row {
	uint64_t line;
	enum grade grade;
	struct str name;
	enum observed observed;
	enum op_status predicted;
	unsigned flags;
	struct str release, detail;
};

static const struct field disagreement_fields[] = {
	{ "line", &kind_count, AT(disagreement_row, line) },
	{ "grade", &kind_enum, AT(disagreement_row, grade), .words = &grade_words },
	{ "operator", &kind_text, AT(disagreement_row, name) },
	{ "observed", &kind_enum, AT(disagreement_row, observed), .words = &observed_words },
	{ "predicted", &kind_enum, AT(disagreement_row, predicted), .words = &op_status_words },
	{ "flags", &kind_flags, AT(disagreement_row, flags), .words = &flag_words },
	{ "release", &kind_text, AT(disagreement_row, release) },
	{ "detail", &kind_text, AT(disagreement_row, detail) },
	{ 0 },
};
static const struct record disagreement_record = { sizeof(struct disagreement_row), disagreement_fields };

/* Where rows go: to a sheet, or to the open list of JSON. */
struct row_sink {
	struct sheet *sheet; /* NULL: JSON */
	struct jsonw *json;
	struct str reports;
};

static void put_score_row(const struct row_sink *sink, const struct record *json_record, const void *row)
{
	if (sink->sheet)
		sheet_row(sink->sheet, row);
	else
		record_put(sink->json, json_record, row);
}

static void put_score_line(void *ctx, struct str name, const size_t tally[GRADE_COUNT])
{
	const struct row_sink *sink = ctx;
	struct line_row row = { .reports = sink->reports, .about = str_trim(name), .rows = score_rows(tally) };

	for (unsigned i = 0; i < GRADE_COUNT; i++)
		row.grades[i] = tally[i];
	put_score_row(sink, &line_json, &row);
}

static void put_keys(const struct row_sink *sink, const struct key_tally *tally)
{
	for (unsigned i = 0; i < KEY_PARTS; i++)
		put_score_row(sink, &key_json,
			&(struct key_row){ sink->reports, str_from(key_part_titles[i]), tally->keys[i],
				tally->agreeing[i], tally->false_green[i] });
}

static void put_called(const struct row_sink *sink, const struct scores *scores)
{
	for (size_t i = 0; i < CALLED; i++)
		put_score_row(sink, &called_record,
			&(struct called_row){ str_from(scores->targets[i].id), scores->called[i] });
}

static void put_disagreements(const struct row_sink *sink, const struct score *score)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	for (size_t i = 0; i < score->count; i++) {
		const struct scored *scored = &score->items[i];
		const struct observation *seen = scored->observation;

		if (scored->grade == GRADE_AGREES)
			continue;
		buf_reset(&name);
		buf_printf(&name, "%.*s::%.*s%s%.*s", STR_ARG(seen->ns), STR_ARG(seen->base),
			seen->overload.len ? "." : "", STR_ARG(seen->overload));
		put_score_row(sink, &disagreement_record,
			&(struct disagreement_row){ seen->line, scored->grade, buf_str(&name), seen->observed,
				scored->status, scored->flags, scored->release, seen->detail });
	}
}

/* --- as JSON and as tables */

static int put_score_json(const void *answer, struct buf *out, struct err *err UNUSED)
{
	const struct scores *scores = answer;
	struct jsonw json = jsonw_start(out, 2);
	struct row_sink sink = { .json = &json };

	jsonw_fill(&json, "{'scores': [");
	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		struct alarm_row row = { str_from(report_words[i]), score_keys(&scores->by_reports[i]) };

		jsonw_fill(&json, "{'reports': $, 'lines': [", row.reports);
		score_walk(&scores->by_reports[i], put_score_line, &sink);
		jsonw_list_end(&json);
		jsonw_key_list(&json, "keys");
		put_keys(&sink, &row.tally);
		jsonw_list_end(&json);
		record_put_fields(&json, &alarm_json, &row);
		jsonw_object_end(&json);
	}
	jsonw_fill(&json, "], 'called': [");
	put_called(&sink, scores);
	jsonw_fill(&json, "], 'disagreements': [");
	put_disagreements(&sink, &scores->by_reports[scores->first]);
	jsonw_fill(&json, "]");
	jsonw_key_number(&json, "rows_with_unknown_types", (int64_t)scores->observations->unknown_types);
	jsonw_fill(&json, "}");
	return 0;
}

enum { LINES, KEYS, ALARMS, CALLED_SO, DISAGREEMENTS };
static const struct sheet_shape shapes[] = {
	[LINES] = { "db.score-title", &line_record },
	[KEYS] = { "db.score-keys", &key_record },
	[ALARMS] = { "db.score-alarms", &alarm_record },
	[CALLED_SO] = { "db.score-called", &called_record },
	[DISAGREEMENTS] = { "db.score-disagreements", &disagreement_record },
};

static void put_score_rows(const void *answer, struct sheet *sheet)
{
	const struct scores *scores = answer;
	struct alarm_row alarms[REPORTS_NONE + 1];
	struct row_sink sink = { .sheet = sheet };

	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		alarms[i] = (struct alarm_row){ str_from(report_words[i]), score_keys(&scores->by_reports[i]) };
		sink.reports = alarms[i].reports;
		score_walk(&scores->by_reports[i], put_score_line, &sink);
	}
	sheet_next(sheet, &shapes[KEYS]);
	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		sink.reports = alarms[i].reports;
		put_keys(&sink, &alarms[i].tally);
	}
	sheet_next(sheet, &shapes[ALARMS]);
	sheet_rows(sheet, &alarms[scores->first], REPORTS_NONE + 1 - scores->first);
	sheet_next(sheet, &shapes[CALLED_SO]);
	put_called(&sink, scores);
	sheet_next(sheet, &shapes[DISAGREEMENTS]);
	put_disagreements(&sink, &scores->by_reports[scores->first]);
}

/* --- times */

struct time_row {
	struct str file, chip, class;
	struct time_cell known; /* but the calls are all */
	int64_t known_ppm, others_ns;
	int64_t shipped_milli, others_milli; /* factors */
	uint64_t held, classes;
};

static const struct field time_fields[] = {
	{ "file", &kind_text, AT(time_row, file) },
	{ "chip", &kind_text, AT(time_row, chip) },
	{ "class", &kind_text, AT(time_row, class) },
	{ "calls", &kind_count, AT(time_row, known.calls) },
	{ "known", &kind_share, AT(time_row, known_ppm) },
	{ "measured_us", &kind_milli, AT(time_row, known.measured_ns) },
	{ "roofline_us", &kind_milli, AT(time_row, known.roofline_ns) },
	{ "shipped_lo_us", &kind_milli, AT(time_row, known.estimated.lo_ns) },
	{ "shipped_us", &kind_milli, AT(time_row, known.estimated.middle_ns) },
	{ "shipped_hi_us", &kind_milli, AT(time_row, known.estimated.hi_ns) },
	{ "shipped_factor", &kind_milli, AT(time_row, shipped_milli) },
	{ "others_us", &kind_milli, AT(time_row, others_ns) },
	{ "others_factor", &kind_milli, AT(time_row, others_milli) },
	{ "held", &kind_count, AT(time_row, held) },
	{ "classes", &kind_count, AT(time_row, classes) },
	{ 0 },
};
static const struct record time_record = { sizeof(struct time_row), time_fields };
static const struct sheet_shape time_shape = { "db.score-time", &time_record, .list = "dumps",
	.widths = (const unsigned char[]){ 32, 12, 12, 7, 8, 12, 12, 13, 12, 13, 14, 12, 13, 4, 7 }, .capitals = true };

static int64_t milli_factor(int64_t estimated_ns, int64_t measured_ns)
{
	return (int64_t)(time_factor(estimated_ns, measured_ns) * 1000 + 0.5);
}

/* work: WORK_COUNT for the whole, with what the other dumps say of it */
static void put_time(struct sheet *sheet, const struct timed_dump *dump, unsigned work)
{
	bool whole = work == WORK_COUNT;
	const struct time_cell *all = &dump->cells[work][CELL_ALL];
	struct time_row row = { .file = str_from(str_file_name(dump->file.ptr)),
		.chip = dump->chip->name,
		.class = whole ? STR("all") : word_for(&work_words, work),
		.known = dump->cells[work][BIN_ANY] };

	row.known.calls = all->calls;
	row.known_ppm = share_ppm(row.known.measured_ns, all->measured_ns);
	row.shipped_milli = milli_factor(row.known.estimated.middle_ns, row.known.measured_ns);
	if (whole) {
		row.others_ns = dump->others_ns;
		row.others_milli = milli_factor(dump->others_ns, row.known.measured_ns);
		row.held = dump->held;
		row.classes = dump->classes;
	}
	if (all->calls)
		sheet_row(sheet, &row);
}

static void put_times(const void *answer, struct sheet *sheet)
{
	const struct time_score *score = answer;

	for (size_t i = 0; i < score->count; i++) {
		put_time(sheet, &score->items[i], WORK_COUNT);
		for (unsigned work = 0; work < WORK_COUNT; work++)
			put_time(sheet, &score->items[i], work);
	}
}

static void put_time_text(const void *answer, struct buf *out)
{
	const struct time_score *score = answer;
	uint64_t held = SUM(i, score->count, score->items[i].held);
	uint64_t classes = SUM(i, score->count, score->items[i].classes);
	struct sheet sheet;

	sheet_begin(&sheet, &time_shape, STR("text"), &(struct render_options){ 0 }, out);
	put_times(answer, &sheet);
	sheet_end(&sheet);
	buf_printf(out,
		"\nEstimated from the other dumps: factor p50 %.2f, p80 %.2f, worst %.2f; intervals held: %" PRIu64
		" of %" PRIu64 " classes.\n",
		time_score_factor(score, 0.5), time_score_factor(score, 0.8), time_score_factor(score, 1), held,
		classes);
}

static int put_ratios(const void *answer, struct str format UNUSED, const struct render_options *render UNUSED,
	struct buf *out, struct err *err UNUSED)
{
	time_score_put_ratios(answer, out);
	return 0;
}

static int run_times(const struct score_options *options, const struct arguments *arguments, struct err *err)
{
	CLEANUP(time_score_clear) struct time_score score = { 0 };
	const struct time_score_request request = { options->common.opdb, (const char *const *)arguments->items,
		arguments->count, options->chip, &options->common.limits };
	int status = time_score_run(&request, &score, err);

	if (!status && options->ratios)
		status = common_write(&options->common, put_ratios, &score, err);
	else if (!status)
		status = common_write(&options->common, put_table,
			&(struct table_answer){ &score, &time_shape, put_times, put_time_text, NULL }, err);
	return status;
}

/* --- the command */

static int run_observations(const struct score_options *options, const struct arguments *arguments, struct err *err)
{
	CLEANUP(observations_clear) struct observations observations = { 0 };
	struct scores scores = { .file = arguments->items[0],
		.observations = &observations,
		.first = options->without.len ? REPORTS_NONE : REPORTS_ALL };
	int status = read_observations(scores.file, &options->common.limits, &observations, err);

	if (!status)
		status = run_scores(options->common.opdb, &observations, &scores, err);
	if (!status)
		status = common_write(&options->common, put_table,
			&(struct table_answer){
				&scores, &shapes[LINES], put_score_rows, put_score_text, put_score_json },
			err);
	for (enum reports i = scores.first; i <= REPORTS_NONE; i++)
		score_clear(&scores.by_reports[i]);
	return status;
}

static int run_score(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct score_options *options = ctx;

	return options->time ? run_times(options, arguments, err) : run_observations(options, arguments, err);
}

static int settle_score(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct score_options *options = ctx;
	struct str without = options->without;

	if (!options->time && (options->chip.len || options->ratios || arguments->count > 1))
		return err_set(err, ERR_VALUE, "--chip, --ratios and several files go with --time");
	if (without.len && !str_eq(without, STR("reported")))
		return err_set(err, ERR_VALUE, "--without takes reported, no other kind of facts");
	return 0;
}

const struct command cmd_db_score = {
	.name = "db score",
	.summary = "hold the database against observations of users",
	.usage = "FILE [--without reported] | --time DUMP...",
	.examples = "  opcheck db score observations.tsv --without reported\n"
		    "  opcheck db score --time kernel_details.csv trace.json --chip 910B2",
	.options = score_table,
	.options_size = sizeof(struct score_options),
	.operand = "the table of observations, or dumps of a device",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.formats = "text json csv md html",
	.database = true,
	.settle = settle_score,
	.run = run_score,
};
