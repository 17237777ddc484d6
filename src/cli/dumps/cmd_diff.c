#include <stdlib.h>
#include <unistd.h>

#include "assess/gate/budget.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/database/database.h"
#include "check/input/folder.h"
#include "check/input/reading.h"
#include "cli/shared/client.h"
#include "cli/shared/command.h"
#include "io/source.h"
#include "report/answers/changes.h"
#include "report/answers/changes_csv.h"
#include "report/answers/changes_json.h"
#include "report/record/load.h"

struct diff_options {
	struct common_options common;
	struct client_options client;
	unsigned fail_on;
	int64_t least_share_ppm;
};

static int set_fail_on(void *ctx, struct str value, struct err *err)
{
	return change_words_parse(&((struct diff_options *)ctx)->fail_on, value, err);
}

static int set_share(void *ctx, struct str value, struct err *err)
{
	return percent_parse(value, &((struct diff_options *)ctx)->least_share_ppm, "--min-share", "1%", err);
}

static const struct option diff_table[] = {
	{ 0, "fail-on", "LIST", "fail on: new, worse, time, shapes, incomparable", CALL(set_fail_on) },
	{ 0, "min-share", "PERCENT", "smallest change of a time share that counts (1%)", CALL(set_share) },
	OPTION_TARGET,
	{ 's', "server", "URL", "server of the assessments given by id", FIELD(diff_options, client.server) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every change"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

/* --- the two sides */

/* One side, and what it needs to become a result. */
struct side {
	const char *path;
	bool is_report;
	bool is_run; /* of a server */
	struct result *result;
};

static int recognise_side(struct side *side, const struct limits *limits, struct err *err)
{
	struct source *source;
	struct str head;
	int status;

	side->is_run = side->is_report = client_is_id(side->path) && access(side->path, F_OK) != 0;
	if (side->is_run || strcmp(side->path, "-") == 0 || folder_is(side->path))
		return 0;
	status = source_open(side->path, limits, &source, err);
	if (status)
		return err_file(err, shown(str_from(side->path)).text);
	if (source_peek(source, &head, err) == 1) /* an error comes again when the dump is read */
		side->is_report = reading_is_report(head);
	source_close(source);
	return 0;
}

static int fetch_report(const struct diff_options *options, struct side *side, struct err *err)
{
	enum { REPORT_BYTES = 1 << 30 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(REPORT_BYTES);
	struct client *client = NULL;
	int status = client_open_usual(&options->client, &client, err);

	if (!status)
		status = client_report(client, side->path, &text, err);
	client_close(client);
	if (status)
		return status;
	return report_load(buf_str(&text), &side->result, err) ? err_file(err, side->path) : 0;
}

/* A dump is checked against the targets that were asked for, else against those of a report on the other side. */
static int check_dump(struct side *side, const struct side *other, const struct diff_options *options,
	const struct opdb *db, struct err *err)
{
	const struct result *model = other->is_report ? other->result : NULL;
	size_t count = options->common.targets.count ? options->common.targets.count : model ? model->target_count : 0;
	CLEANUP(mem_release) struct str *targets = mem_zalloc((count + 1) * sizeof(targets[0]));
	struct check_input input = { .path = side->path, .name = STR("") };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = db,
		.targets = targets,
		.target_count = count,
		.torch = STR(""),
		.limits = &options->common.limits,
		.skip_history = true,
		.skip_releases = true };

	for (size_t i = 0; i < count; i++)
		targets[i] = options->common.targets.count ? options->common.targets.items[i] : model->targets[i].id;
	return check_run(&request, &side->result, err);
}

static int check_dumps(struct side sides[2], const struct diff_options *options, struct err *err)
{
	struct opdb *db = NULL;
	int status = 0;

	if (sides[0].is_report && sides[1].is_report)
		return 0;
	status = database_open_with(options->common.db, &options->common.overlays, &options->common.limits, &db, err);
	for (size_t i = 0; i < 2 && !status; i++) {
		if (!sides[i].is_report)
			status = check_dump(&sides[i], &sides[1 - i], options, db, err);
	}
	opdb_close(db);
	return status;
}

static int load_sides(struct side sides[2], const struct diff_options *options, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < 2 && !status; i++)
		status = recognise_side(&sides[i], &options->common.limits, err);
	for (size_t i = 0; i < 2 && !status; i++) {
		if (sides[i].is_run)
			status = fetch_report(options, &sides[i], err);
		else if (sides[i].is_report)
			status = common_load_report(&options->common, sides[i].path, &sides[i].result, err);
	}
	return status ? status : check_dumps(sides, options, err);
}

/* --- the comparison */

static int put_changes(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	if (str_eq(format, STR("json")))
		changes_put_json(answer, out);
	else if (str_eq(format, STR("csv")))
		changes_put_csv(((const struct changes_view *)answer)->changes, out);
	else
		changes_put(answer, doc_format_of_name(format), render, out);
	return 0;
}

/* 1 if changes were found; an error if the sides do not compare: the gate cannot pass. */
static int judge_changes(const struct changes_view *view, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str unseen = changes_unseen(view, &arena);

	if (!unseen.len)
		return changes_fail(view);
	err_set(err, ERR_NOT_OBSERVABLE, "the two sides cannot be compared for --fail-on %.*s", STR_ARG(unseen));
	return err_hint(err, "give two dumps of one kind, with all rows (row_limit=-1), for the same targets");
}

static int run_diff(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct diff_options *options = ctx;
	struct side sides[2] = { { .path = arguments->items[0] }, { .path = arguments->items[1] } };
	int status = load_sides(sides, options, err);

	if (!status) {
		struct changes *changes = changes_find(sides[0].result, sides[1].result, options->least_share_ppm);
		struct changes_view view = { changes, options->fail_on };

		status = common_write(&options->common, put_changes, &view, err);
		if (!status)
			status = judge_changes(&view, err);
		changes_free(changes);
	}
	result_free(sides[0].result);
	result_free(sides[1].result);
	return status;
}

static void init_diff(void *ctx)
{
	enum { ONE_PERCENT_PPM = 10000 };

	((struct diff_options *)ctx)->least_share_ppm = ONE_PERCENT_PPM;
}

const struct command cmd_diff = {
	.name = "diff",
	.summary = "show the changes between two reports or dumps",
	.usage = "BEFORE AFTER [OPTION]...",
	.examples = "  opcheck diff before.json after.json\n"
		    "  opcheck diff before.json profiler.log --fail-on new,worse",
	.options = diff_table,
	.options_size = sizeof(struct diff_options),
	.formats = "text json csv md html",
	.operand = "a report or dump to compare",
	.min_operands = 2,
	.max_operands = 2,
	.init = init_diff,
	.run = run_diff,
};
