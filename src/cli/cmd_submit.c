#include <stdlib.h>

#include "base/mem.h"
#include "check/policy_files.h"
#include "cli/client.h"
#include "cli/command.h"
#include "cli/policy_options.h"
#include "report/load.h"

struct submit_options {
	struct gated_options gated; /* first: REPORT_OPTIONS, GATE_OPTIONS */
	struct str_list targets;
	struct str server, torch;
};

static const struct option submit_table[] = {
	{ 's', "server", "URL", "address of opcheckd ($OPCHECK_SERVER)", FIELD(submit_options, server) },
	{ 't', "target", "TARGET", "release to check against, repeatable (npu@2.7.1)", LIST(submit_options, targets) },
	{ 0, "torch", "VERSION", "only releases for this version of PyTorch", FIELD(submit_options, torch) },
	REPORT_OPTIONS,
	GATE_OPTIONS,
	{ 0 },
};

static int print_report(const struct submit_options *options, struct str report, struct err *err)
{
	struct result *result;
	int status = report_load(report, &result, err);

	if (status)
		return status;
	policy_apply(&options->gated.gate.policy, result);
	status = outputs_write(&options->gated.report.outputs, result, &options->gated.report.render, err);
	if (!status)
		status = gated_options_status(&options->gated, result);
	result_free(result);
	return status;
}

static int submit_one(const struct submit_options *options, struct client *client, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf words = BUF_UNLIMITED, report = BUF_INIT(1 << 30);
	struct client_submit request = { .path = path,
		.targets = options->targets.items,
		.target_count = options->targets.count,
		.torch = options->torch };
	int status;

	gate_put(&words, &options->gated.gate.policy.gate);
	request.fail_on = buf_str(&words);
	status = client_submit(client, &request, &report, err);
	return status ? status : print_report(options, buf_str(&report), err);
}

/* The baseline that is an assessment of the server. */
static int fetch_baseline(struct submit_options *options, struct client *client, struct err *err)
{
	CLEANUP(buf_clear) struct buf report = BUF_INIT(1 << 30);
	struct str id = options->gated.gate.baseline;
	int status = client_report(client, id.ptr, &report, err);

	return status ? status : policy_take_baseline(&options->gated.gate.policy, buf_str(&report), id, err);
}

/* Each dump is an assessment of its own. */
static int submit_all(struct submit_options *options, const struct arguments *arguments, struct err *err)
{
	struct client *client = NULL;
	int status = client_open_usual(options->server, &client, err);

	if (!status && gated_options_wants_run(&options->gated))
		status = fetch_baseline(options, client, err);
	for (size_t i = 0; i < arguments->count && status >= 0; i++) {
		int worst = submit_one(options, client, arguments->items[i], err);

		status = worst < 0 || worst > status ? worst : status;
	}
	client_close(client);
	return status;
}

static int run_submit(const struct command *command, int argc, char **argv, struct err *err)
{
	struct submit_options options = { .server = STR("") };
	struct limits limits = limits_default();
	struct arguments arguments = { 0 };
	int status;

	policy_init(&options.gated.gate.policy);
	status = command_parse(command, argc, argv, &options, &arguments, err);

	if (!status && !arguments.help) {
		status = command_operands(&arguments, 1, SIZE_MAX, "the dump to send", err);
		if (!status)
			status = gated_options_settle(&options.gated, &limits, err);
		if (!status)
			status = submit_all(&options, &arguments, err);
	}
	gated_options_clear(&options.gated);
	free(options.targets.items);
	arguments_clear(&arguments);
	return status;
}

const struct command cmd_submit = {
	.name = "submit",
	.summary = "let a server check a dump, with the same report and status",
	.usage = "FILE... --server URL [OPTION]...",
	.examples = "  opcheck submit profiler.log --server http://127.0.0.1:8787\n"
		    "  OPCHECK_SERVER=https://opcheck.example opcheck submit profiler.log -f json",
	.options = submit_table,
	.run = run_submit,
};
