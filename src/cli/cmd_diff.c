#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "check/check.h"
#include "check/database.h"
#include "check/folder.h"
#include "check/policy_files.h"
#include "cli/client.h"
#include "cli/command.h"
#include "cli/common.h"
#include "io/source.h"
#include "report/changes.h"
#include "report/load.h"

typedef void put_changes(const struct changes_view *view, const struct render_options *options, struct buf *out);

struct diff_options {
	struct limits limits;
	struct render_options render;
	struct str_list targets, overlays;
	struct str db, lang, out, server;
	put_changes *put;
	unsigned fail_on;
	int64_t least_share_ppm;
	bool replace;
};

static int set_format(void *ctx, struct str value, struct err *err)
{
	static const struct {
		const char *name;
		put_changes *put;
	} formats[] = { { "text", changes_put_text }, { "json", changes_put_json }, { "md", changes_put_md },
		{ "html", changes_put_html } };

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (str_eq(value, str_from(formats[i].name))) {
			((struct diff_options *)ctx)->put = formats[i].put;
			return 0;
		}
	}
	return err_set(err, ERR_VALUE, "a comparison is printed as text, json, md or html");
}

static int set_fail_on(void *ctx, struct str value, struct err *err)
{
	return change_words_parse(&((struct diff_options *)ctx)->fail_on, value, err);
}

static int set_share(void *ctx, struct str value, struct err *err)
{
	return percent_parse(value, &((struct diff_options *)ctx)->least_share_ppm, "--min-share", "1%", err);
}

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct diff_options *)ctx)->limits, value, err);
}

static const struct option diff_table[] = {
	{ 0, "fail-on", "LIST", "exit 1 on: new, worse, time, shapes, incomparable", CALL(set_fail_on) },
	{ 0, "min-share", "PERCENT", "changes of time share from here on count (1%)", CALL(set_share) },
	{ 't', "target", "TARGET", "release to check dumps against, repeatable", LIST(diff_options, targets) },
	{ 's', "server", "URL", "where assessments are that are named by their id", FIELD(diff_options, server) },
	{ 'f', "format", "FORMAT", "text (default), json, md, html", CALL(set_format) },
	{ 'o', "output", "PATH", "write to a file instead of standard output", FIELD(diff_options, out) },
	{ 0, "force", NULL, "replace the file if it is there", FIELD(diff_options, replace) },
	{ 'v', "verbose", NULL, "list every change", FIELD(diff_options, render.all) },
	{ 0, "lang", "LANG", "en or zh-CN", FIELD(diff_options, lang) },
	{ 0, "db", "FILE", "support database", FIELD(diff_options, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(diff_options, overlays) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
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

/* Whether a file begins as a JSON report does. */
static int look(struct side *side, const struct limits *limits, struct err *err)
{
	enum { HEAD_BYTES = 256 };
	struct source *source;
	struct str chunk;
	int status;

	side->is_run = side->is_report = client_is_id(side->path) && access(side->path, F_OK) != 0;
	if (side->is_run || strcmp(side->path, "-") == 0 || folder_is(side->path))
		return 0;
	status = source_open(side->path, limits, &source, err);
	if (status)
		return err_file(err, shown(str_from(side->path)).text);
	if (source_next(source, &chunk, err) == 1) { /* an error comes again when it is read */
		chunk = str_sub(chunk, 0, chunk.len < HEAD_BYTES ? chunk.len : HEAD_BYTES);
		side->is_report = str_starts(str_trim(chunk), STR("{")) && str_has(chunk, STR("\"schema_version\""));
	}
	source_close(source);
	return 0;
}

static int fetch(const struct side *side, const struct diff_options *options, struct buf *text, struct err *err)
{
	struct client *client = NULL;
	int status = client_open_usual(options->server, &client, err);

	if (!status)
		status = client_report(client, side->path, text, err);
	client_close(client);
	return status;
}

static int load(struct side *side, const struct diff_options *options, struct err *err)
{
	enum { REPORT_BYTES = 1 << 30 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(REPORT_BYTES);
	int status = side->is_run ? fetch(side, options, &text, err)
				  : file_read(side->path, &options->limits, &text, NULL, err);

	if (status)
		return status;
	status = report_load(buf_str(&text), &side->result, err);
	return status ? err_file(err, shown(str_from(side->path)).text) : 0;
}

/* A dump is checked against the targets that were asked for, else against those of a report on the other side. */
static int check_dump(struct side *side, const struct side *other, const struct diff_options *options,
	const struct opdb *db, struct err *err)
{
	const struct result *model = other->is_report ? other->result : NULL;
	size_t count = options->targets.count ? options->targets.count : model ? model->target_count : 0;
	struct str *targets = mem_zalloc((count + 1) * sizeof(targets[0]));
	struct check_input input = { .path = side->path, .name = STR("") };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = db,
		.targets = targets,
		.target_count = count,
		.torch = STR(""),
		.limits = &options->limits,
		.skip_history = true };
	int status;

	for (size_t i = 0; i < count; i++)
		targets[i] = options->targets.count ? options->targets.items[i] : model->targets[i].id;
	status = check_run(&request, &side->result, err);
	free(targets);
	return status;
}

static int check_dumps(struct side sides[2], const struct diff_options *options, struct err *err)
{
	struct opdb *db = NULL;
	int status = 0;

	if (sides[0].is_report && sides[1].is_report)
		return 0;
	status = database_open_with(options->db, &options->overlays, &options->limits, &db, err);
	for (size_t i = 0; i < 2 && !status; i++) {
		if (!sides[i].is_report)
			status = check_dump(&sides[i], &sides[1 - i], options, db, err);
	}
	opdb_close(db);
	return status;
}

static int get_sides(struct side sides[2], const struct diff_options *options, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < 2 && !status; i++)
		status = look(&sides[i], &options->limits, err);
	for (size_t i = 0; i < 2 && !status; i++) {
		if (sides[i].is_report)
			status = load(&sides[i], options, err);
	}
	return status ? status : check_dumps(sides, options, err);
}

/* --- the comparison */

static int print(const struct diff_options *options, const struct changes_view *view, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	int status;

	options->put(view, &options->render, &text);
	status = common_deliver(options->out, options->replace, buf_str(&text), err);
	return status ? status : changes_fail(view);
}

static int diff(const struct diff_options *options, const struct arguments *arguments, struct err *err)
{
	struct side sides[2] = { { .path = arguments->items[0] }, { .path = arguments->items[1] } };
	int status = get_sides(sides, options, err);

	if (!status) {
		struct changes *changes = changes_find(sides[0].result, sides[1].result, options->least_share_ppm);

		status = print(options, &(struct changes_view){ changes, options->fail_on }, err);
		changes_free(changes);
	}
	result_free(sides[0].result);
	result_free(sides[1].result);
	return status;
}

static int run_diff(const struct command *command, int argc, char **argv, struct err *err)
{
	enum { ONE_PERCENT_PPM = 10000 };
	struct diff_options options = {
		.limits = limits_default(), .put = changes_put_text, .least_share_ppm = ONE_PERCENT_PPM
	};
	struct arguments arguments = { 0 };
	int status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 2, 2, "a report or dump to compare", err);
		if (!status)
			status = common_lang(options.lang, &options.render.lang, err);
		if (!status)
			status = common_may_deliver(options.out, options.replace, err);
		if (!status)
			status = diff(&options, &arguments, err);
	}
	free(options.targets.items);
	free(options.overlays.items);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_diff = {
	.name = "diff",
	.summary = "what changed between two reports or dumps",
	.usage = "BEFORE AFTER [OPTION]...",
	.examples = "  opcheck diff before.json after.json\n"
		    "  opcheck diff before.json profiler.log --fail-on new,worse",
	.options = diff_table,
	.run = run_diff,
};
