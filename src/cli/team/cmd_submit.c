#include <stdlib.h>

#include "base/memory/mem.h"
#include "check/asked/policy_files.h"
#include "check/asked/terms.h"
#include "cli/shared/client.h"
#include "cli/shared/command.h"
#include "cli/shared/each.h"
#include "cli/shared/progress.h"
#include "report/record/load.h"
#include "scan/source/files.h"

struct submit_options {
	struct gated_options gated;
	struct client_options client;
	struct str project, model, branch, revision;
	struct str_list tags, sources;
	bool each;
};

#define RUN(member) FIELD(submit_options, member), .topic = "run"

static const struct option submit_table[] = {
	OPTIONS_SERVER(submit_options),
	{ 0, "project", "NAME", "project of the run", RUN(project) },
	{ 0, "model", "NAME", "model that was profiled; see `opcheck help run`", FIELD(submit_options, model) },
	{ 0, "branch", "NAME", "branch of the run", RUN(branch) },
	{ 0, "commit", "ID", "commit of the run", RUN(revision) },
	{ 0, "tag", "WORD", "label of the run, repeatable", LIST(submit_options, tags), .topic = "run" },
	OPTION_TARGET,
	OPTION_TORCH,
	OPTIONS_REPORT,
	GATE_OPTIONS,
	STATED_OPTIONS,
	{ 0, "source", "PATH", "script, folder or archive to scan, repeatable", LIST(submit_options, sources) },
	{ 0, "each", NULL, "one assessment for each file or dump of a folder", RUN(each) },
	{ 0 },
};

/* --- what the service is asked */

struct asked {
	struct arena text;
	struct client_submit request;
};

static void add_field(struct asked *asked, const char *name, struct str value)
{
	MEM_PUSH(&asked->request.fields, ((struct client_field){ name, arena_keep(&asked->text, value) }));
}

static void add_term(void *ctx, const struct term *term, struct str value)
{
	struct asked *asked = ctx;

	add_field(asked, term_parameter(term, arena_alloc(&asked->text, TERM_NAME_BYTES)), value);
}

/* A baseline that is a file makes the whole policy the client's: the service has no such report. */
static bool applies_policy(const struct submit_options *options)
{
	return options->gated.gate.baseline.len && !gated_options_wants_run(&options->gated);
}

static void add_fields(struct asked *asked, struct submit_options *options)
{
	struct policy none;
	struct gated_options *gated = &options->gated;
	struct stated stated = gated->stated;
	struct terms terms = { applies_policy(options) ? &none : &gated->gate.policy, &stated, &gated->cost,
		&gated->common.assumptions };

	stated.require_dtypes = false; /* the service would refuse the dump that check makes a report of */
	policy_init(&none);
	terms_each(&terms, add_term, asked);
	for (size_t i = 0; i < gated->common.targets.count; i++)
		add_field(asked, "target", gated->common.targets.items[i]);
	for (size_t i = 0; i < options->tags.count; i++)
		add_field(asked, "tag", options->tags.items[i]);
	add_field(asked, "torch", gated->common.torch);
	add_field(asked, "project", options->project);
	add_field(asked, "model", options->model);
	add_field(asked, "branch", options->branch);
	add_field(asked, "commit", options->revision);
	if (gated_options_wants_run(gated))
		add_field(asked, "baseline", gated->gate.baseline);
}

static int add_waivers(struct asked *asked, const struct submit_options *options, struct err *err)
{
	const struct str_list *files = &options->gated.gate.waivers;
	const struct limits *limits = &options->gated.common.limits;

	for (size_t i = 0; i < files->count && !applies_policy(options); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(limits->waiver_bytes);
		int status = file_read_text(files->items[i].ptr, limits, &text, NULL, err);

		if (status)
			return status;
		MEM_PUSH(&asked->request.waivers, ((struct client_field){ str_file_name(files->items[i].ptr),
							  arena_keep(&asked->text, buf_str(&text)) }));
	}
	return 0;
}

/* A script goes by its own name, one of a folder by that below the folder, which comes first: so the service finds the
   modules that the scripts import. */
static void push_sources(struct asked *asked, const struct source_files *files, struct str folder)
{
	while (folder.len > 1 && str_ends(folder, STR("/")))
		folder = str_chop(folder, 1);
	for (size_t i = 0; i < files->list.count; i++) {
		const struct source_file *file = &files->list.items[i];
		struct str path = arena_keep(&asked->text, str_from(file->path));
		const char *name = file->root.len ? path.ptr + folder.len - file->root.len : str_file_name(path.ptr);

		MEM_PUSH(&asked->request.sources, ((struct client_field){ name, path }));
	}
}

static int add_source(struct asked *asked, struct str path, const struct limits *limits, struct err *err)
{
	CLEANUP(source_files_clear) struct source_files files = { .text = ARENA_INIT(ARENA_UNLIMITED) };
	int status = source_files_add(&files, path.ptr, limits, err);

	if (!status && !files.list.count) {
		err_set(err, ERR_EMPTY, "found no script");
		status = err_where(err, "%s", shown(path).text);
	}
	source_files_sort(&files);
	if (!status)
		push_sources(asked, &files, path);
	return status;
}

/* --- one assessment */

static int write_loaded_report(const struct submit_options *options, struct str report, struct err *err)
{
	struct result *result;
	int status = report_load(report, &result, err);

	if (status)
		return status;
	if (applies_policy(options))
		policy_apply(&options->gated.gate.policy, result);
	return gated_options_report(&options->gated, result, err);
}

struct sending {
	const struct submit_options *options;
	const struct asked *asked;
	struct client *client;
};

static int submit_once(void *ctx, const struct arguments *files, struct err *err)
{
	const struct sending *sending = ctx;
	const struct submit_options *options = sending->options;
	CLEANUP(buf_clear) struct buf report = BUF_INIT(1 << 30);
	struct progress progress;
	struct client_submit request = sending->asked->request;
	int status;

	request.paths = (const char *const *)files->items;
	request.path_count = files->count;
	request.meter = &progress.meter;
	progress_start(&progress, options->gated.common.quiet);
	status = client_submit(sending->client, &request, &report, err);
	progress_stop(&progress);
	return status ? status : write_loaded_report(options, buf_str(&report), err);
}

static int run_submit(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct submit_options *options = ctx;
	struct asked asked = { .text = ARENA_INIT(ARENA_UNLIMITED) };
	struct sending sending;
	struct client *client = NULL;
	int status = client_open_usual(&options->client, &client, err);

	if (!status)
		status = add_waivers(&asked, options, err);
	for (size_t i = 0; i < options->sources.count && !status; i++)
		status = add_source(&asked, options->sources.items[i], &options->gated.common.limits, err);
	if (!status) {
		add_fields(&asked, options);
		sending = (struct sending){ options, &asked, client };
		status = options->each ? each_run(&options->gated, submit_once, &sending, arguments, err)
				       : submit_once(&sending, arguments, err);
	}
	client_close(client);
	free(asked.request.fields.items);
	free(asked.request.waivers.items);
	free(asked.request.sources.items);
	arena_clear(&asked.text);
	return status;
}

static int settle_submit(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct submit_options *options = ctx;
	int status = gated_options_settle(ctx, arguments, err);

	common_name_dump(ctx, arguments);
	return status || !options->each ? status : each_settle(&options->gated, arguments, err);
}

const struct command cmd_submit = {
	.name = "submit",
	.summary = "check a dump on a server: same report and exit status",
	.usage = "FILE... --server URL [OPTION]...",
	.examples = "  opcheck submit profiler.log --server http://127.0.0.1:8787 --model llama",
	.options = submit_table,
	.options_size = sizeof(struct submit_options),
	.operand = "the dump to send",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.init = gated_options_init,
	.settle = settle_submit,
	.run = run_submit,
	.clear = gated_options_clear,
};
