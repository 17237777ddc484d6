#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "assess/model/capture.h"
#include "assess/shape/dynamic.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "cli/shared/progress.h"
#include "dump/dump.h"
#include "dump/guide/guide.h"
#include "dump/guide/python.h"
#include "io/outfile.h"

#define ALL_OPS "all_ops.txt"
#define DYNAMIC_OPS "dynamic_ops.txt"

struct extract_options {
	struct common_options common;
	struct str out_dir;
	const char *guide_file; /* --profiler_file */
	bool as_guide;
};

/* The script overwrites what is there. */
static int set_guide_file(void *ctx, struct str value, struct err *err UNUSED)
{
	struct extract_options *options = ctx;

	options->as_guide = options->common.outputs.replace = true;
	options->guide_file = value.ptr; /* from argv: ended by a NUL */
	return 0;
}

static const struct option extract_table[] = {
	{ 0, "out-dir", "DIR", "folder for all_ops.txt and dynamic_ops.txt (here)", FIELD(extract_options, out_dir) },
	{ 0, "as-guide", NULL, "the porting guide's lists, byte for byte", FIELD(extract_options, as_guide) },
	{ 0, "profiler_file", "FILE", "as the guide's script: --as-guide --force", CALL(set_guide_file) },
	{ 0, "profilier_file", "FILE", NULL, CALL(set_guide_file) },
	{ 0, "force", NULL, "replace files that exist", FIELD(common_options, outputs.replace) },
	OPTION_QUIET("do not print the lists"),
	OPTION_LIMIT,
	{ 0 },
};

/* --- writing */

static struct buf list_path(const struct extract_options *options, const char *name)
{
	struct buf path = BUF_INIT(1 << 16);

	if (options->out_dir.len)
		buf_printf(&path, "%.*s/", STR_ARG(options->out_dir));
	buf_printf(&path, "%s", name);
	return path;
}

/* Makes the folder if need be. */
static int make_folder(const struct extract_options *options, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = list_path(options, "");

	if (!options->out_dir.len || !mkdir(buf_text(&path), 0777) || errno == EEXIST)
		return 0;
	err_os(err, ERR_OUTPUT, errno, "cannot make the folder");
	return err_where(err, "%s", shown(options->out_dir).text);
}

/* Files that must not be replaced are an error before the work. */
static int check_lists_writable(const struct extract_options *options, struct err *err)
{
	CLEANUP(buf_clear) struct buf all = list_path(options, ALL_OPS), dynamic = list_path(options, DYNAMIC_OPS);
	int status = outfile_check(buf_text(&all), options->common.outputs.replace, err);

	return status ? status : outfile_check(buf_text(&dynamic), options->common.outputs.replace, err);
}

static int write_list(
	const struct extract_options *options, const char *name, const struct str *names, size_t count, struct err *err)
{
	struct buf path = list_path(options, name), text = BUF_UNLIMITED;
	int status;

	for (size_t i = 0; i < count; i++) {
		buf_add(&text, names[i]);
		buf_byte(&text, '\n');
	}
	status = outfile_write(buf_text(&path), buf_str(&text), options->common.outputs.replace, err);
	buf_clear(&path);
	buf_clear(&text);
	return status;
}

/* Byte for byte the script's output, its missing colon included. */
static int print_lists(const struct guide_lists *lists, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	buf_add(&text, STR("all_ops: "));
	python_put_list(&text, lists->all_ops, lists->all_count);
	buf_add(&text, STR("\ndynamic_ops "));
	python_put_list(&text, lists->dynamic_ops, lists->dynamic_count);
	buf_byte(&text, '\n');
	return output_print(buf_str(&text), err);
}

static int write_lists(const struct extract_options *options, const struct guide_lists *lists, struct err *err)
{
	int status = make_folder(options, err);

	if (!status && !options->common.quiet)
		status = print_lists(lists, err);
	if (!status)
		status = write_list(options, ALL_OPS, lists->all_ops, lists->all_count, err);
	return status ? status : write_list(options, DYNAMIC_OPS, lists->dynamic_ops, lists->dynamic_count, err);
}

/* --- the two ways to make them */

static int extract_as_guide(const struct extract_options *options, const char *path, struct err *err)
{
	CLEANUP(guide_lists_clear) struct guide_lists found = { 0 };
	int status = guide_extract(path, &options->common.limits, &found, err);

	return status ? status : write_lists(options, &found, err);
}

static int write_profile_lists(const struct extract_options *options, const struct profile *profile,
	const struct assess_input *input, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct dynamic_options analysis = { capture_hides_rows(input, 1) };
	struct name_lookup nothing = { 0 };
	struct operators operators;
	struct result_dynamic *dynamic;
	struct guide_lists lists = { 0 };

	operators_gather(&arena, profile, &nothing, &operators);
	dynamic = arena_alloc(&arena, (operators.count + 1) * sizeof(dynamic[0]));
	dynamic_analyse(&arena, profile, &operators, analysis, dynamic);
	lists.all_ops = arena_alloc(&arena, (operators.count + 1) * sizeof(lists.all_ops[0]));
	lists.dynamic_ops = arena_alloc(&arena, (operators.count + 1) * sizeof(lists.dynamic_ops[0]));
	for (size_t i = 0; i < operators.count; i++) {
		lists.all_ops[lists.all_count++] = operators.items[i].name;
		if (dynamic_is_changing(dynamic[i].kind))
			lists.dynamic_ops[lists.dynamic_count++] = operators.items[i].name;
	}
	return write_lists(options, &lists, err);
}

static int extract_profile(const struct extract_options *options, const char *path, struct err *err)
{
	struct profile *profile = profile_new(&options->common.limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct assess_input input = { 0 };
	struct dump_context context = { &sink, &options->common.limits, &input.dump };
	struct source *source = NULL;
	struct progress progress;
	int status = source_open(path, &options->common.limits, &source, err);

	progress_start(&progress, options->common.quiet);
	meter_expect(&progress.meter, path);
	if (!status) {
		source_set_meter(source, &progress.meter);
		source_skip_digest(source); /* the lists do not show it */
		status = dump_read(source, &context, err);
	}
	progress_stop(&progress);
	if (status)
		err_file(err, shown(str_from(path)).text);
	profile_finish(profile);
	if (!status) {
		input.source = *source_facts(source);
		status = write_profile_lists(options, profile, &input, err);
	}
	source_close(source);
	profile_free(profile);
	return status;
}

static int settle_extract(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct extract_options *options = ctx;
	size_t operands = !options->guide_file;
	int status = command_operands(arguments, operands, operands, "the log", err);

	return status ? status : check_lists_writable(options, err);
}

static int run_extract(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct extract_options *options = ctx;
	const char *path = options->guide_file ? options->guide_file : arguments->items[0];

	return options->as_guide ? extract_as_guide(options, path, err) : extract_profile(options, path, err);
}

const struct command cmd_extract = {
	.name = "extract",
	.summary = "list the operators of a dump and those whose shapes change",
	.usage = "FILE [OPTION]...",
	.examples = "  opcheck extract profiler.log --out-dir lists\n"
		    "  opcheck extract --profiler_file profiler.log     as the porting guide's script",
	.options = extract_table,
	.options_size = sizeof(struct extract_options),
	.max_operands = 1,
	.settle = settle_extract,
	.run = run_extract,
};
