#include "cli/shared/beside.h"

#include <stdlib.h>

#include "base/value/utf8.h"
#include "check/input/folder.h"
#include "check/input/reading.h"

/* A file that cannot be opened goes to the check, which reports why. */
static bool is_report(const char *path, const struct limits *limits)
{
	struct source *source = NULL;
	struct err err;
	struct str head;
	bool found;

	if (strcmp(path, "-") == 0 || folder_is(path) || source_open(path, limits, &source, &err))
		return false;
	found = source_peek(source, &head, &err) == 1 && reading_is_report(head);
	source_close(source);
	return found;
}

static int load_report(const struct common_options *options, const char *path, struct result **ret, struct err *err)
{
	int status = common_load_report(options, path, ret, err);

	if (status || !(*ret)->source)
		return status;
	result_free(*ret);
	*ret = NULL;
	err_set(err, ERR_VALUE, "the report is about scripts, not about a dump");
	return err_file(err, shown(str_from(path)).text);
}

/* The names in a list of strings end with a NUL. */
static int check_dumps(
	const struct common_options *options, const struct str_list *paths, struct result **ret, struct err *err)
{
	struct check_request request = common_request(options);
	struct arguments dumps = { .count = paths->count };
	int status;

	request.skip_releases = true;
	dumps.items = mem_zalloc((dumps.count + 1) * sizeof(dumps.items[0]));
	for (size_t i = 0; i < dumps.count; i++)
		dumps.items[i] = paths->items[i].ptr;
	status = common_check(options, &request, &dumps, ret, err);
	free(dumps.items);
	return status;
}

int beside_read(
	const struct common_options *options, const struct str_list *paths, struct result **ret, struct err *err)
{
	bool report = false;

	*ret = NULL;
	for (size_t i = 0; i < paths->count; i++)
		report |= is_report(paths->items[i].ptr, &options->limits);
	if (report && (paths->count > 1 || options->targets.count || options->torch.len)) {
		err_set(err, ERR_VALUE, "a report has its own dumps and targets");
		return err_hint(err, "give it alone and without --target, or give the dumps");
	}
	if (report)
		return load_report(options, paths->items[0].ptr, ret, err);
	return paths->count ? check_dumps(options, paths, ret, err) : 0;
}

int beside_targets(
	const struct common_options *common, const struct result *beside, struct target_list *ret, struct err *err)
{
	struct target_question question = { common->targets.items, common->targets.count, common->torch };
	CLEANUP(mem_release) struct str *ids = mem_zalloc((beside ? beside->target_count + 1 : 1) * sizeof(ids[0]));

	for (size_t i = 0; beside && i < beside->target_count; i++)
		ids[i] = beside->targets[i].id;
	if (beside)
		question = (struct target_question){ ids, beside->target_count, STR("") };
	return targets_choose(common->opdb, &question, ret, err);
}
