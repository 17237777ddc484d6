/* opcheck site: the database as static pages. */
#include <inttypes.h>
#include <stdio.h>

#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "check/site/site.h"
#include "cli/shared/command.h"

enum { NEWEST = 20, MOST_TARGETS = 8, MOST_RELEASES = 1000 };

struct site_options {
	struct common_options common;
	struct str releases;
	uint64_t newest;
};

static const struct option site_table[] = {
	{ 't', "target", "TARGET", "release shown in detail, repeatable (npu and musa)",
		LIST(common_options, targets) },
	OPTION_TORCH,
	{ 0, "releases", "N", "pages for the newest N of each family (20)", FIELD(site_options, releases) },
	OPTION_QUIET("no line on standard error"),
	OPTIONS_DB,
	OPTION_OVERLAY,
	{ 0 },
};

static int settle_site(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	struct site_options *options = ctx;

	options->newest = NEWEST;
	if (options->releases.len && (!decimal_unsigned(options->releases, &options->newest) || !options->newest ||
					     options->newest > MOST_RELEASES))
		return err_set(err, ERR_VALUE, "--releases takes a number from 1 to %d, not '%s'", MOST_RELEASES,
			shown(options->releases).text);
	return 0;
}

static int run_site(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct site_options *options = ctx;
	const struct common_options *common = &options->common;
	struct target_question question = { common->targets.items, common->targets.count, common->torch };
	struct target_list targets;
	struct site_result made;
	int status = targets_choose(common->opdb, &question, &targets, err);

	if (!status && targets.count > MOST_TARGETS)
		status = err_set(err, ERR_VALUE, "a site shows at most %d targets in detail", MOST_TARGETS);
	if (!status)
		status = site_write(&(struct site_request){ common->opdb, check_version(), &targets,
					    (size_t)options->newest, arguments->items[0] },
			&made, err);
	if (!status && !common->quiet)
		fprintf(stderr, "%s: %zu operators, %zu releases, %zu recipes; %zu files, %" PRIu64 " bytes\n",
			shown(str_from(arguments->items[0])).text, made.operators, made.releases, made.recipes,
			made.files, made.bytes);
	target_list_clear(&targets);
	return status;
}

const struct command cmd_site = {
	.name = "site",
	.summary = "write operators, releases and recipes as static pages",
	.usage = "DIR [OPTION]...",
	.examples = "  opcheck site public\n"
		    "  opcheck site public -t npu@2.7.1:910B -t musa --releases 5",
	.options = site_table,
	.options_size = sizeof(struct site_options),
	.operand = "the folder to write",
	.min_operands = 1,
	.max_operands = 1,
	.database = true,
	.settle = settle_site,
	.run = run_site,
};
