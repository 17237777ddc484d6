/* `opcheck advise` and `opcheck buckets`: answers from a dump apart from its report. */
#include "check/asked/targets.h"
#include "cli/shared/command.h"
#include "report/answers/buckets.h"
#include "report/answers/survey_sections.h"

struct advise_options {
	struct common_options common;
	struct str_list from;
};

static const struct option advise_table[] = {
	{ 't', "target", "TARGET", "list npu or musa alone", LIST(common_options, targets) },
	{ 0, "from", "TARGET", "release you are on, one a target (npu@2.1.0)", LIST(advise_options, from) },
	TERM("assume", common_add_assumption),
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every release and the operators that changed"),
	OPTION_QUIET("no progress and no list of skipped files"),
	OPTION_LANG,
	OPTIONS_DB,
	OPTION_OVERLAY,
	OPTION_LIMIT,
	{ 0 },
};

static const struct option buckets_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_VERBOSE("list every dimension and place"),
	OPTION_QUIET("no progress and no list of skipped files"),
	OPTION_LANG,
	OPTIONS_DB,
	OPTION_LIMIT,
	{ 0 },
};

/* --- what both do */

struct dump_answer {
	const struct check_request *request; /* its survey or its buckets */
	const struct result *result;
};

static int put_dump_answer(const void *ctx, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	const struct dump_answer *answer = ctx;

	if (answer->request->survey)
		survey_write(answer->result, format, render, out);
	else
		buckets_write(answer->request->buckets, answer->result, format, render, out);
	return 0;
}

static int answer_dump(const struct common_options *options, struct check_request *request,
	const struct arguments *dumps, struct err *err)
{
	struct result *result;
	int status = common_check(options, request, dumps, &result, err);

	if (status)
		return status;
	status = common_write(options, put_dump_answer, &(struct dump_answer){ request, result }, err);
	result_free(result);
	return status;
}

/* --- the commands */

/* Leaves out the targets that --target does not name. A release is refused: all of a target are listed. */
static int choose_listed(const struct common_options *options, struct survey_options *survey, struct err *err)
{
	struct target_question question = { options->targets.items, options->targets.count, STR("") };
	struct target_list listed;
	int status = options->targets.count ? targets_choose(options->opdb, &question, &listed, err) : 0;

	if (status || !options->targets.count)
		return status;
	for (unsigned i = 0; i < TARGET_COUNT; i++)
		survey->left_out[i] = true;
	for (size_t i = 0; i < listed.count && !status; i++) {
		const struct release *release = listed.items[i].release;

		survey->left_out[release->target] = false;
		if (listed.asked.items[i].text.len) {
			err_set(err, ERR_VALUE, "--target of advise is npu or musa: it lists all of their releases");
			status = err_hint(err, "write -t %.*s; the release you are on is --from %s",
				STR_ARG(target_kind_name(release->target)), listed.items[i].id);
		}
	}
	target_list_clear(&listed);
	return status;
}

static int settle_advise(void *ctx, const struct arguments *arguments, struct err *err UNUSED)
{
	common_name_dump(ctx, arguments);
	return 0;
}

static int run_advise(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct advise_options *options = ctx;
	struct survey_options survey = { .against_given = options->from.count > 0 };
	struct check_request request = { .targets = options->from.items,
		.target_count = options->from.count,
		.survey = &survey,
		.skip_digests = !outputs_want(&options->common.outputs, STR("html")) };
	int status = choose_listed(&options->common, &survey, err);

	return status ? status : answer_dump(&options->common, &request, arguments, err);
}

static int run_buckets(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct bucket_list list = { 0 };
	struct check_request request = {
		.skip_digests = true, .skip_history = true, .skip_releases = true, .buckets = &list
	};

	return answer_dump(ctx, &request, arguments, err);
}

const struct command cmd_advise = {
	.name = "advise",
	.summary = "judge a dump on every release; find the smallest move",
	.usage = "FILE|FOLDER... [OPTION]...",
	.examples = "  opcheck advise profiler.log\n"
		    "  opcheck advise profiler.log --from npu@2.1.0 --assume torchvision::nms=native",
	.options = advise_table,
	.options_size = sizeof(struct advise_options),
	.formats = "text json csv md html",
	.operand = "the dump",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.settle = settle_advise,
	.run = run_advise,
};

const struct command cmd_buckets = {
	.name = "buckets",
	.summary = "plan the sizes to pad changing dimensions to",
	.usage = "FILE... [OPTION]...",
	.examples = "  opcheck buckets profiler.log\n"
		    "  opcheck buckets profiler.log -o buckets.csv",
	.options = buckets_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md html",
	.operand = "the dump",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.database = true,
	.run = run_buckets,
};
