#include <stdlib.h>

#include "base/mem.h"
#include "check/policy_files.h"
#include "cli/client.h"
#include "cli/command.h"
#include "cli/policy_options.h"
#include "report/load.h"

struct submit_options {
	struct gated_options gated;
	struct str server, token_file;
	struct str project, model, branch, revision;
	struct str_list tags;
};

/* clang-format off */
static const struct option submit_table[] = {
	OPTIONS_SERVER(submit_options),
	{ 0, "project", "NAME", "project that the run belongs to", FIELD(submit_options, project) },
	{ 0, "model", "NAME", "model that was profiled", FIELD(submit_options, model) },
	{ 0, "branch", "NAME", "branch that it was built from", FIELD(submit_options, branch) },
	{ 0, "commit", "ID", "revision that it was built from", FIELD(submit_options, revision) },
	{ 0, "tag", "WORD", "word that the run is found by, repeatable", LIST(submit_options, tags) },
	OPTION_TARGET,
	OPTION_TORCH,
	OPTIONS_REPORT,
	GATE_OPTIONS,
	STATED_OPTIONS,
	{ 0 },
};
/* clang-format on */

static int write_loaded_report(const struct submit_options *options, struct str report, struct err *err)
{
	struct result *result;
	int status = report_load(report, &result, err);

	if (status)
		return status;
	policy_apply(&options->gated.gate.policy, result);
	return gated_options_report(&options->gated, result, err);
}

static int submit_one(const struct submit_options *options, struct client *client, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf words = BUF_UNLIMITED, report = BUF_INIT(1 << 30);
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED, uncovered = BUF_UNLIMITED;
	struct client_submit request = { .path = path,
		.targets = options->gated.common.targets.items,
		.target_count = options->gated.common.targets.count,
		.torch = options->gated.common.torch,
		.project = options->project,
		.model = options->model,
		.branch = options->branch,
		.revision = options->revision,
		.tags = options->tags.items,
		.tag_count = options->tags.count };
	int status;

	gate_put(&words, &options->gated.gate.policy.gate);
	request.fail_on = buf_str(&words);
	stated_put_types(&types, &options->gated.stated);
	request.dtype = buf_str(&types);
	stated_put_uncovered(&uncovered, &options->gated.stated);
	request.max_uncovered_time = buf_str(&uncovered);
	status = client_submit(client, &request, &report, err);
	return status ? status : write_loaded_report(options, buf_str(&report), err);
}

/* The baseline that is an assessment of the server. */
static int fetch_baseline(struct submit_options *options, struct client *client, struct err *err)
{
	CLEANUP(buf_clear) struct buf report = BUF_INIT(1 << 30);
	struct str id = options->gated.gate.baseline;
	int status = client_report(client, id.ptr, &report, err);

	return status ? status : policy_take_baseline(&options->gated.gate.policy, buf_str(&report), id, err);
}

/* Each dump is an assessment of its own; the gravest status is the answer. */
static int run_submit(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct submit_options *options = ctx;
	struct client *client = NULL;
	int status = client_open_usual(options->server, &client, err);

	if (!status)
		status = client_use_token(client, options->token_file, err);
	if (!status && gated_options_wants_run(&options->gated))
		status = fetch_baseline(options, client, err);
	for (size_t i = 0; i < arguments->count && status >= 0; i++) {
		int one = submit_one(options, client, arguments->items[i], err);

		status = one < 0 || one > status ? one : status;
	}
	client_close(client);
	return status;
}

static void submit_clear(void *options)
{
	free(((struct submit_options *)options)->tags.items);
	gated_options_clear(options);
}

const struct command cmd_submit = {
	.name = "submit",
	.summary = "let a server check a dump: same report, same exit status",
	.usage = "FILE... --server URL [OPTION]...",
	.examples = "  opcheck submit profiler.log --server http://127.0.0.1:8787 --model llama",
	.options = submit_table,
	.options_size = sizeof(struct submit_options),
	.operand = "the dump to send",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.init = gated_options_init,
	.settle = gated_options_settle,
	.run = run_submit,
	.clear = submit_clear,
};
