/* The parts of `opcheck db` that need few lines: build, info, check-overlay and score. */
#include <time.h>

#include "base/mem.h"
#include "check/database.h"
#include "check/score.h"
#include "check/score_keys.h"
#include "opdb/db/target.h"
#include "cli/command.h"
#include "opdb/db/overlay.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/verify.h"

enum { SECONDS_A_DAY = 24 * 60 * 60 };

/* --- build */

struct build_options {
	struct common_options common;
	struct str output;
};

static const struct option build_table[] = {
	{ 'o', "output", "FILE", "the database file (opdb.sqlite)", FIELD(build_options, output) },
	{ 0 },
};

static int run_build(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct build_options *options = ctx;

	return opdb_build(arguments->items[0], options->output.len ? options->output.ptr : "opdb.sqlite", err);
}

const struct command cmd_db_build = {
	.name = "db build",
	.summary = "build the database from its fact text",
	.usage = "TEXT_DIR [-o FILE]",
	.examples = "  opcheck db build opdb -o opdb.sqlite",
	.options = build_table,
	.options_size = sizeof(struct build_options),
	.operand = "the directory of the fact text",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_build,
};

/* --- info */

static const struct option info_table[] = {
	OPTION_DB,
	{ 0 },
};

/* Facts change with releases: days since the newest of them, or since the build. */
static void put_age(struct buf *text, struct str built_at)
{
	CLEANUP(buf_clear) struct buf stamp = BUF_INIT(64);
	struct tm tm = { 0 };
	double days;

	buf_add(&stamp, built_at);
	if (!strptime(buf_text(&stamp), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return;
	days = difftime(time(NULL), timegm(&tm)) / SECONDS_A_DAY;
	buf_printf(text, "age        %lld days\n", days > 0 ? (long long)days : 0);
}

static int run_info(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);
	const struct opdb *db = options->opdb;
	const struct opdb_info *info = opdb_info(db);
	struct source_counts sources = opdb_source_counts(db);

	(void)arguments;
	buf_printf(&text, "file       %s\nbuild      %.*s\nbuilt at   %.*s\nsha256     %.*s (of the fact text)\n",
		database_path(options->db), STR_ARG(info->build), STR_ARG(info->built_at), STR_ARG(info->sha256));
	put_age(&text, info->built_at);
	buf_printf(&text, "sources    %zu: %zu of code, %zu of vendors' documents, %zu inferred\n",
		sources.source + sources.vendor_doc + sources.inferred, sources.source, sources.vendor_doc,
		sources.inferred);
	for (unsigned i = 0; i < TARGET_COUNT; i++) {
		size_t releases;

		opdb_target_releases(db, i, &releases);
		buf_printf(&text, "releases   %zu of %.*s\n", releases, STR_ARG(target_plugin_name(i)));
	}
	buf_printf(&text, "torch      %zu versions\nnames      %zu\nfacts      %zu\n", info->torch_versions,
		info->names, info->facts);
	return output_print(buf_str(&text), err);
}

const struct command cmd_db_info = {
	.name = "db info",
	.summary = "print the build, the age and the size of the database",
	.usage = "[--db FILE]",
	.examples = "  opcheck db info",
	.options = info_table,
	.options_size = sizeof(struct common_options),
	.database = true,
	.run = run_info,
};

/* --- check-overlay */

static int run_check_overlay(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	const struct overlay *overlays;
	size_t count;
	int status = 0;

	for (size_t i = 0; i < arguments->count && !status; i++)
		status = opdb_add_overlay(options->opdb, arguments->items[i], options->limits.overlay_bytes, err);
	if (status)
		return status;
	overlays = opdb_overlays(options->opdb, &count);
	for (size_t i = 0; i < count; i++)
		buf_printf(&text, "%.*s: %zu facts, SHA-256 %.*s\n", STR_ARG(overlays[i].name), overlays[i].facts,
			STR_ARG(overlays[i].sha256));
	return output_print(buf_str(&text), err);
}

const struct command cmd_db_check_overlay = {
	.name = "db check-overlay",
	.summary = "check files of your own site's facts",
	.usage = "FILE... [--db FILE]",
	.examples = "  opcheck db check-overlay site.tsv",
	.options = info_table,
	.options_size = sizeof(struct common_options),
	.operand = "the overlay",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_check_overlay,
};

/* --- score */

struct score_options {
	struct common_options common;
	struct str without;
};

static const struct option score_table[] = {
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

/* How many answers say so in all: what is right of a few may be so because it is said of all. */
static int put_called(const struct opdb *db, struct buf *text, struct err *err)
{
	static const char *const specs[] = { "npu:910B", "musa" };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(specs) && !status; i++) {
		struct target target;
		struct called called;

		status = target_resolve(db, str_from(specs[i]), STR(""), &target, err);
		if (!status)
			status = score_called(db, &target, &called, err);
		if (!status)
			buf_printf(text,
				"%s: of %zu operators with 12 types each, pairs called aicpu %zu, in some cases %zu, "
				"where "
				"the result is not contiguous %zu, limited %zu\n",
				target.id, called.operators, called.aicpu, called.maybe_aicpu, called.strided,
				called.refused);
	}
	return status;
}

static int put_scores(const struct score_options *options, const char *path, const struct observations *observations,
	struct buf *text, struct err *err)
{
	const struct opdb *db = options->common.opdb;
	static const char *const titles[] = { [REPORTS_ALL] = "with reported facts",
		[REPORTS_OF_OTHERS] = "without those of its source",
		[REPORTS_NONE] = "without reported facts" };
	CLEANUP(buf_clear) struct buf disagreements = BUF_UNLIMITED;
	enum reports first = options->without.len ? REPORTS_NONE : REPORTS_ALL;
	int status = 0;

	for (enum reports reports = first; reports <= REPORTS_NONE && !status; reports++) {
		struct score score = { 0 };

		status = score_run(db, observations, reports, &score, err);
		if (!status) {
			score_put_table(&score, titles[reports], text);
			score_put_keys(&score, text);
		}
		if (!status && reports == first)
			score_put_disagreements(&score, path, &disagreements);
		score_clear(&score);
	}
	if (!status)
		status = put_called(db, text, err);
	buf_add(text, buf_str(&disagreements));
	return status;
}

static int run_score(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct score_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct observations observations = { 0 };
	int status = read_observations(arguments->items[0], &options->common.limits, &observations, err);

	if (!status)
		status = put_scores(options, arguments->items[0], &observations, &text, err);
	if (!status)
		status = output_print(buf_str(&text), err);
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
	.usage = "FILE.csv|FILE.tsv [--without reported]",
	.examples = "  opcheck db score observations.tsv --without reported",
	.options = score_table,
	.options_size = sizeof(struct score_options),
	.operand = "the table of observations",
	.min_operands = 1,
	.max_operands = 1,
	.database = true,
	.settle = settle_score,
	.run = run_score,
};

/* --- the group */

static const struct command *const parts[] = { &cmd_db_build, &cmd_db_info, &cmd_db_verify, &cmd_db_diff,
	&cmd_db_import, &cmd_db_score, &cmd_db_check_overlay, &cmd_db_export, &cmd_db_install, &cmd_db_rollback, NULL };

const struct command cmd_db = {
	.name = "db",
	.summary = "build, check, compare and move the support database",
	.usage = "PART [ARGUMENT]... [OPTION]...",
	.examples = "  opcheck db build opdb -o opdb.sqlite\n  opcheck db diff npu@v2.7.1-7.3.0 npu@v2.7.1-26.0.0",
	.parts = parts,
};
