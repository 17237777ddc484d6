/* opcheck db score: the database held against observations, with other and with no reports among its facts. */
#include "base/memory/mem.h"
#include "check/score/score.h"
#include "check/score/score_keys.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"
#include "opdb/db/target.h"

struct score_options {
	struct common_options common;
	struct str without;
};

static const struct option score_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_LANG,
	OPTION_DB,
	{ 0, "without", "FACTS", "leave out facts of this kind (reported)", FIELD(score_options, without) },
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

/* How many answers say so in all: what is right of a few may be so because it is said of all. */
static const char *const called_specs[] = { "npu:910B", "musa" };
enum { CALLED = ARRAY_SIZE(called_specs) };

struct scores {
	const char *file;
	const struct observations *observations;
	enum reports first; /* whose rows that do not agree are listed */
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

static void put_text(const void *answer, struct buf *text)
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
			"%s:%zu: '%s' is no data type of PyTorch; rows with such a type, scored by the rest: %zu\n",
			scores->file, scores->observations->unknown_type_line,
			shown(scores->observations->unknown_type).text, scores->observations->unknown_types);
	score_put_disagreements(&scores->by_reports[scores->first], scores->file, text);
}

/* --- as JSON */

static const char *const report_words[] = {
	[REPORTS_ALL] = "all", [REPORTS_OF_OTHERS] = "others", [REPORTS_NONE] = "none"
};
static const char *const grade_keys[GRADE_COUNT] = { [GRADE_AGREES] = "agree",
	[GRADE_WARNED] = "warned",
	[GRADE_FALSE_GREEN] = "false_green",
	[GRADE_FALSE_RED] = "false_red",
	[GRADE_UNKNOWN] = "unknown" };

static void put_line_json(void *ctx, struct str name, const size_t tally[GRADE_COUNT])
{
	struct jsonw *json = ctx;

	jsonw_object(json);
	jsonw_key_str(json, "about", str_trim(name));
	jsonw_key_number(json, "rows", (int64_t)score_rows(tally));
	for (unsigned i = 0; i < GRADE_COUNT; i++)
		jsonw_key_number(json, grade_keys[i], (int64_t)tally[i]);
	jsonw_object_end(json);
}

static void put_keys_json(const struct key_tally *tally, struct jsonw *json)
{
	jsonw_key_list(json, "keys");
	for (unsigned i = 0; i < KEY_PARTS; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "about", str_from(key_part_titles[i]));
		jsonw_key_number(json, "keys", (int64_t)tally->keys[i]);
		jsonw_key_number(json, "agree", (int64_t)tally->agreeing[i]);
		jsonw_key_number(json, "false_green", (int64_t)tally->false_green[i]);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
	jsonw_key_number(json, "keys_with_two_outcomes", (int64_t)tally->apart);
	jsonw_key_number(json, "native_rows", (int64_t)tally->native);
	jsonw_key_number(json, "alarms", (int64_t)tally->alarms);
}

static void put_called_json(const struct target *target, const struct called *called, struct jsonw *json)
{
	jsonw_object(json);
	jsonw_key_str(json, "target", str_from(target->id));
	jsonw_key_number(json, "operators", (int64_t)called->operators);
	jsonw_key_number(json, "aicpu", (int64_t)called->aicpu);
	jsonw_key_number(json, "aicpu_if", (int64_t)called->maybe_aicpu);
	jsonw_key_number(json, "not_contiguous", (int64_t)called->strided);
	jsonw_key_number(json, "limited", (int64_t)called->refused);
	jsonw_object_end(json);
}

static void put_operator(const struct observation *row, struct buf *name)
{
	buf_printf(name, "%.*s::%.*s%s%.*s", STR_ARG(row->ns), STR_ARG(row->base), row->overload.len ? "." : "",
		STR_ARG(row->overload));
}

static void put_disagreement_json(const struct scored *scored, struct jsonw *json)
{
	const struct observation *row = scored->observation;
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	put_operator(row, &name);
	jsonw_object(json);
	jsonw_key_number(json, "line", (int64_t)row->line);
	jsonw_fill(json, "'grade': $, 'operator': $, 'observed': $, 'predicted': $, 'flags': [",
		str_from(grade_keys[scored->grade]), buf_str(&name), word_for(&observed_words, row->observed),
		op_status_name(scored->status));
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (scored->flags & 1u << i)
			jsonw_str(json, op_flag_name(i));
	}
	jsonw_fill(json, "], 'release': $, 'detail': $}", scored->release, row->detail);
}

static int put_json(const void *answer, struct buf *out, struct err *err)
{
	const struct scores *scores = answer;
	const struct score *first = &scores->by_reports[scores->first];
	struct jsonw json = jsonw_start(out, 2);

	(void)err;
	jsonw_fill(&json, "{'scores': [");
	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		struct key_tally tally = score_keys(&scores->by_reports[i]);

		jsonw_fill(&json, "{'reports': $, 'lines': [", str_from(report_words[i]));
		score_walk(&scores->by_reports[i], put_line_json, &json);
		jsonw_list_end(&json);
		put_keys_json(&tally, &json);
		jsonw_object_end(&json);
	}
	jsonw_fill(&json, "], 'called': [");
	for (size_t i = 0; i < CALLED; i++)
		put_called_json(&scores->targets[i], &scores->called[i], &json);
	jsonw_fill(&json, "], 'disagreements': [");
	for (size_t i = 0; i < first->count; i++) {
		if (first->items[i].grade != GRADE_AGREES)
			put_disagreement_json(&first->items[i], &json);
	}
	jsonw_fill(&json, "]");
	jsonw_key_number(&json, "rows_with_unknown_types", (int64_t)scores->observations->unknown_types);
	jsonw_fill(&json, "}");
	return 0;
}

/* --- as tables */

#define SHAPE(id, ...)                                                                                                 \
	{                                                                                                              \
		id, (const char *const[]){ __VA_ARGS__ }, ARRAY_SIZE(((const char *const[]){ __VA_ARGS__ }))           \
	}

enum { LINES, KEYS, ALARMS, CALLED_SO, DISAGREEMENTS };
static const struct sheet_shape shapes[] = {
	[LINES] = SHAPE(
		"db.score-title", "reports", "about", "rows", "agree", "warned", "false_green", "false_red", "unknown"),
	[KEYS] = SHAPE("db.score-keys", "reports", "about", "keys", "agree", "false_green"),
	[ALARMS] = SHAPE("db.score-alarms", "reports", "keys_with_two_outcomes", "native_rows", "alarms"),
	[CALLED_SO] = SHAPE("db.score-called", "target", "operators", "aicpu", "aicpu_if", "not_contiguous", "limited"),
	[DISAGREEMENTS] = SHAPE("db.score-disagreements", "line", "grade", "operator", "observed", "predicted", "flags",
		"release", "detail"),
};

struct score_rows {
	struct sheet *sheet;
	struct str reports;
};

static void put_line_row(void *ctx, struct str name, const size_t tally[GRADE_COUNT])
{
	struct score_rows *rows = ctx;

	sheet_cells(rows->sheet, rows->reports, str_trim(name));
	sheet_number(rows->sheet, (int64_t)score_rows(tally), 0);
	for (unsigned i = 0; i < GRADE_COUNT; i++)
		sheet_number(rows->sheet, (int64_t)tally[i], 0);
}

static void put_numbers(struct sheet *sheet, const size_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sheet_number(sheet, (int64_t)numbers[i], 0);
}

static void put_key_rows(const struct scores *scores, struct sheet *sheet)
{
	struct key_tally tallies[REPORTS_NONE + 1];

	sheet_next(sheet, &shapes[KEYS]);
	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		const struct key_tally *tally = &tallies[i];

		tallies[i] = score_keys(&scores->by_reports[i]);
		for (unsigned part = 0; part < KEY_PARTS; part++) {
			sheet_cells(sheet, str_from(report_words[i]), str_from(key_part_titles[part]));
			put_numbers(sheet,
				(const size_t[]){ tally->keys[part], tally->agreeing[part], tally->false_green[part] },
				3);
		}
	}
	sheet_next(sheet, &shapes[ALARMS]);
	for (enum reports i = scores->first; i <= REPORTS_NONE; i++) {
		sheet_cell(sheet, str_from(report_words[i]));
		put_numbers(sheet, (const size_t[]){ tallies[i].apart, tallies[i].native, tallies[i].alarms }, 3);
	}
}

static void put_called_rows(const struct scores *scores, struct sheet *sheet)
{
	sheet_next(sheet, &shapes[CALLED_SO]);
	for (size_t i = 0; i < CALLED; i++) {
		const struct called *called = &scores->called[i];

		sheet_cell(sheet, str_from(scores->targets[i].id));
		put_numbers(sheet,
			(const size_t[]){ called->operators, called->aicpu, called->maybe_aicpu, called->strided,
				called->refused },
			5);
	}
}

static void put_disagreement_row(const struct scored *scored, struct sheet *sheet)
{
	const struct observation *row = scored->observation;
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf flags = BUF_UNLIMITED;

	put_operator(row, &name);
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (scored->flags & 1u << i)
			buf_printf(&flags, "%s%.*s", flags.len ? " " : "", STR_ARG(op_flag_name(i)));
	}
	sheet_number(sheet, (int64_t)row->line, 0);
	sheet_cells(sheet, str_from(grade_keys[scored->grade]), buf_str(&name),
		word_for(&observed_words, row->observed), op_status_name(scored->status), buf_str(&flags),
		scored->release, row->detail);
}

static void put_rows(const void *answer, struct sheet *sheet)
{
	const struct scores *scores = answer;
	const struct score *first = &scores->by_reports[scores->first];

	for (enum reports i = scores->first; i <= REPORTS_NONE; i++)
		score_walk(
			&scores->by_reports[i], put_line_row, &(struct score_rows){ sheet, str_from(report_words[i]) });
	put_key_rows(scores, sheet);
	put_called_rows(scores, sheet);
	sheet_next(sheet, &shapes[DISAGREEMENTS]);
	for (size_t i = 0; i < first->count; i++) {
		if (first->items[i].grade != GRADE_AGREES)
			put_disagreement_row(&first->items[i], sheet);
	}
}

/* --- the command */

static int run_score(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct score_options *options = ctx;
	struct observations observations = { 0 };
	struct scores scores = { .file = arguments->items[0],
		.observations = &observations,
		.first = options->without.len ? REPORTS_NONE : REPORTS_ALL };
	int status = read_observations(scores.file, &options->common.limits, &observations, err);

	if (!status)
		status = run_scores(options->common.opdb, &observations, &scores, err);
	if (!status)
		status = common_write(&options->common, put_table,
			&(struct table_answer){ &scores, &shapes[LINES], put_json, put_text, put_rows }, err);
	for (enum reports i = scores.first; i <= REPORTS_NONE; i++)
		score_clear(&scores.by_reports[i]);
	observations_clear(&observations);
	return status;
}

static int settle_score(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct str without = ((const struct score_options *)ctx)->without;

	(void)arguments;
	if (without.len && !str_eq(without, STR("reported")))
		return err_set(err, ERR_VALUE, "--without takes reported, no other kind of facts");
	return 0;
}

const struct command cmd_db_score = {
	.name = "db score",
	.summary = "hold the database against observations of users",
	.usage = "FILE.csv|FILE.tsv [--without reported] [-f FORMAT]",
	.examples = "  opcheck db score observations.tsv --without reported",
	.options = score_table,
	.options_size = sizeof(struct score_options),
	.operand = "the table of observations",
	.min_operands = 1,
	.max_operands = 1,
	.formats = "text json csv md html",
	.database = true,
	.settle = settle_score,
	.run = run_score,
};
