#include "cli/facts/cmd_db_diff.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "check/asked/targets.h"
#include "check/database/database.h"
#include "check/input/reading.h"
#include "cli/facts/db_diff_answer.h"
#include "cli/shared/command.h"
#include "opdb/db/lists.h"
#include "report/record/load.h"

/* --- the operators that are wanted */

/* The report in a file, or what checking the dump in it comes to. */
static int load_result(const struct diff *diff, const struct limits *limits, const char *path, struct result **ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(limits->pack_bytes);
	struct check_input input = { .path = path, .name = STR("") };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = diff->new_db,
		.torch = STR(""),
		.limits = limits,
		.skip_digests = true,
		.skip_history = true,
		.skip_releases = true };
	struct source *source = NULL;
	struct str head = STR("");
	int status = source_open(path, limits, &source, diff->err);

	if (!status)
		status = source_peek(source, &head, diff->err) < 0 ? -diff->err->code : 0;
	if (!status && !reading_is_report(head))
		status = 1;
	source_close(source);
	if (status == 1)
		return check_run(&request, ret, diff->err);
	if (!status)
		status = file_read_text(path, limits, &text, NULL, diff->err);
	return status ? status : report_load(buf_str(&text), ret, diff->err);
}

static int gather_file(struct diff *diff, const struct limits *limits, const char *path)
{
	struct result *result = NULL;
	int status = load_result(diff, limits, path, &result);

	if (status)
		return err_file(diff->err, shown(str_from(path)).text);
	for (size_t n = 0; n < result->operator_count; n++)
		MEM_PUSH(&diff->names, arena_keep(&diff->arena, result->operators[n].name));
	for (size_t n = 0; n < result->ignored_count; n++) {
		if (result->ignored[n].name_class == NAME_COLLECTIVE)
			MEM_PUSH(&diff->names, arena_keep(&diff->arena, result->ignored[n].name));
	}
	result_free(result);
	return 0;
}

/* The readable files of a folder; others are reported and left out. In a state directory of the service these are
   its dumps. */
static void gather_folder(struct diff *diff, const struct limits *limits, const char *path, DIR *folder)
{
	for (const struct dirent *entry; (entry = readdir(folder));) {
		char file[PATH_MAX];
		struct stat about;

		if (entry->d_name[0] == '.' ||
			snprintf(file, sizeof(file), "%s/%s", path, entry->d_name) >= (int)sizeof(file) ||
			stat(file, &about) || !S_ISREG(about.st_mode))
			continue;
		if (!gather_file(diff, limits, file))
			continue;
		fprintf(stderr, translated("opcheck: %s: left out: %s"), shown(str_from(file)).text, diff->err->text);
		fputc('\n', stderr);
		*diff->err = (struct err){ 0 };
	}
}

static int gather_from(struct diff *diff, const struct limits *limits, const char *path)
{
	char dumps[PATH_MAX];
	DIR *folder = NULL;

	if (snprintf(dumps, sizeof(dumps), "%s/dumps", path) < (int)sizeof(dumps))
		folder = opendir(dumps);
	if (folder)
		path = dumps;
	else
		folder = opendir(path);
	if (!folder)
		return gather_file(diff, limits, path);
	gather_folder(diff, limits, path, folder);
	closedir(folder);
	return 0;
}

static int gather_names(struct diff *diff, const struct limits *limits, const struct str_list *of)
{
	for (size_t i = 0; i < of->count; i++) {
		int status = gather_from(diff, limits, of->items[i].ptr);

		if (status)
			return status;
	}
	diff->some = of->count;
	if (diff->names.count)
		qsort(diff->names.items, diff->names.count, sizeof(diff->names.items[0]), str_order);
	return 0;
}

static bool is_wanted(void *ctx, struct str name)
{
	const struct diff *diff = ctx;

	return !diff->some || (diff->names.count && bsearch(&name, diff->names.items, diff->names.count,
							    sizeof(diff->names.items[0]), str_order));
}

/* --- gathering */

static int add_change(void *ctx, const struct op_difference *what)
{
	struct diff *diff = ctx;
	struct change change = { diff->release, *what };

	change.what.name = arena_keep(&diff->arena, what->name);
	diff->counts[what->change]++;
	MEM_PUSH(&diff->changes, change);
	return 0;
}

static void add_release(struct diff *diff, struct str id, enum op_change how)
{
	struct change change = { id, { .name = STR(""), .change = how } };

	MEM_PUSH(&diff->changes, change);
}

static const struct release *find_release(const struct opdb *db, struct str id)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);

	return FIND(i, releases, count, str_eq(releases[i].id, id));
}

static int keep_detail(void *ctx, const struct op_detail *what)
{
	return diff_details_add(&((struct diff *)ctx)->details, what);
}

static int compare_releases(
	struct diff *diff, struct target old_target, struct target new_target, struct resolver *resolvers[2])
{
	struct diff_side before = { diff->old_db, resolvers[0], old_target },
			 after = { diff->new_db, resolvers[1], new_target };

	struct diff_sink sink = { .wanted = is_wanted, .change = add_change, .detail = keep_detail, .ctx = diff };

	return opdb_diff(&before, &after, &sink, diff->err);
}

/* Releases of one database alone, then those of both. */
static int compare_all(struct diff *diff, struct resolver *resolvers[2])
{
	size_t old_count, new_count;
	const struct release *old_ones = opdb_releases(diff->old_db, &old_count);
	const struct release *new_ones = opdb_releases(diff->new_db, &new_count);
	int status = 0;

	for (size_t i = 0; i < old_count; i++) {
		if (!find_release(diff->new_db, old_ones[i].id))
			add_release(diff, old_ones[i].id, CHANGE_REMOVED);
	}
	for (size_t i = 0; i < new_count && !status; i++) {
		const struct release *old_one = find_release(diff->old_db, new_ones[i].id);

		diff->release = diff->details.release = new_ones[i].id;
		if (old_one)
			status = compare_releases(diff, target_of(old_one), target_of(&new_ones[i]), resolvers);
		else
			add_release(diff, new_ones[i].id, CHANGE_ADDED);
	}
	return status;
}

static bool is_target(struct str text)
{
	enum target_kind kind;
	struct str name = text;

	str_cut(&text, ':', &name);
	text = name;
	str_cut(&text, '@', &name);
	return target_kind_from(name, &kind);
}

static struct str build_name(struct diff *diff, const struct opdb *db)
{
	return arena_printf(&diff->arena, "build %.*s", STR_ARG(opdb_info(db)->build));
}

static int diff_files(struct diff *diff, const char *const paths[2], const struct diff_options *options)
{
	struct resolver *resolvers[2];
	int status = opdb_open(paths[0], &diff->old_db, diff->err);

	if (!status)
		status = opdb_open(paths[1], &diff->new_db, diff->err);
	if (!status)
		status = gather_names(diff, &options->common.limits, &options->of);
	if (status)
		return status;
	diff->old_name = build_name(diff, diff->old_db);
	diff->new_name = build_name(diff, diff->new_db);
	resolvers[0] = resolver_new(diff->old_db);
	resolvers[1] = resolver_new(diff->new_db);
	status = compare_all(diff, resolvers);
	diff_details_sort(&diff->details);
	resolver_free(resolvers[0]);
	resolver_free(resolvers[1]);
	return status;
}

static int diff_targets(struct diff *diff, const char *const specs[2], const struct diff_options *options)
{
	struct resolver *resolvers[2];
	struct target targets[2];
	int status = database_open(options->common.db, &diff->old_db, diff->err);

	diff->new_db = diff->old_db;
	if (!status)
		status = gather_names(diff, &options->common.limits, &options->of);
	for (size_t i = 0; i < 2 && !status; i++)
		status = target_parse(diff->old_db, str_from(specs[i]), STR(""), &targets[i], diff->err);
	if (status)
		return status;
	diff->release = STR("");
	diff->old_name = arena_keep(&diff->arena, str_from(targets[0].id));
	diff->new_name = arena_keep(&diff->arena, str_from(targets[1].id));
	resolvers[0] = resolvers[1] = resolver_new(diff->old_db);
	status = compare_releases(diff, targets[0], targets[1], resolvers);
	diff_details_sort(&diff->details);
	resolver_free(resolvers[0]);
	return status;
}

/* --- the command */

static const struct option diff_table[] = {
	OPTION_OF,
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_DB,
	{ 0 },
};

static void clear_diff(struct diff *diff)
{
	if (diff->new_db != diff->old_db)
		opdb_close(diff->new_db);
	opdb_close(diff->old_db);
	free(diff->changes.items);
	diff_details_clear(&diff->details);
	free(diff->names.items);
	arena_clear(&diff->arena);
}

int db_diff_print(const struct diff_options *options, const char *const paths[2], struct err *err)
{
	struct diff diff = { .details = DIFF_DETAILS_INIT, .arena = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	struct buf text = BUF_UNLIMITED;
	int status = diff_files(&diff, paths, options);

	if (!status) {
		db_diff_put_document(&text, &diff, STR("text"), options->common.render.lang);
		status = output_print(buf_str(&text), err);
	}
	buf_clear(&text);
	clear_diff(&diff);
	return status;
}

static int run_db_diff(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct diff_options *options = ctx;
	struct diff diff = { .details = DIFF_DETAILS_INIT, .arena = ARENA_INIT(ARENA_UNLIMITED), .err = err };
	const char *const *sides = arguments->items;
	bool targets = is_target(str_from(sides[0]));
	int status;

	if (targets != is_target(str_from(sides[1]))) {
		err_set(err, ERR_VALUE, "cannot compare a release with a file");
		return err_hint(err, "give two targets such as npu@v2.7.1-26.0.0, or two database files");
	}
	status = targets ? diff_targets(&diff, sides, options) : diff_files(&diff, sides, options);
	if (!status)
		status = common_write(&options->common, db_diff_put, &diff, err);
	clear_diff(&diff);
	return status;
}

const struct command cmd_db_diff = {
	.name = "db diff",
	.summary = "what changed between two releases or two databases",
	.usage = "TARGET TARGET | FILE FILE [OPTION]...",
	.examples = "  opcheck db diff npu@v2.7.1-7.3.0 npu@v2.7.1-26.0.0\n"
		    "  opcheck db diff old.sqlite new.sqlite --of profiler.log",
	.options = diff_table,
	.options_size = sizeof(struct diff_options),
	.formats = "text json csv md html",
	.operand = "a release or database to compare",
	.min_operands = 2,
	.max_operands = 2,
	.run = run_db_diff,
};
