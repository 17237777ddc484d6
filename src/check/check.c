#include "check/check.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "check/targets.h"

struct run {
	const struct check_request *request;
	const struct check_input **inputs; /* sorted */
	struct assess_input *facts;
	struct profile *profile;
	struct target_list targets;
	bool ranks; /* the names tell ranks apart */
};

const char *check_version(void)
{
	return OPCHECK_VERSION;
}

/* --- order and ranks */

static struct str shown_name(const struct check_input *input)
{
	const char *slash = strrchr(input->path, '/');

	return input->name.len ? input->name : str_from(slash && slash[1] ? slash + 1 : input->path);
}

/* What an error calls it: as the user named it. */
static struct str known_as(const struct check_input *input)
{
	return input->name.len ? input->name : str_from(input->path);
}

static int by_name(const void *a, const void *b)
{
	const struct check_input *left = *(const struct check_input *const *)a, *right = *(const struct check_input *const *)b;
	int order = str_natural_cmp(shown_name(left), shown_name(right));

	return order ? order : strcmp(left->path, right->path);
}

/* "rank3" of "run7_rank3_key_averages.txt"; "" when there is no rank in the name. */
static struct str rank_in(struct str name)
{
	for (size_t i = 0; i + 4 < name.len; i++) {
		size_t end = i + 4;

		if (!str_starts(str_skip(name, i), STR("rank")))
			continue;
		end += name.ptr[end] == '_' || name.ptr[end] == '-';
		if (end == name.len || !is_digit(name.ptr[end]))
			continue;
		while (end < name.len && is_digit(name.ptr[end]))
			end++;
		return str_sub(name, i, end);
	}
	return STR("");
}

static void sort_inputs(struct run *run)
{
	size_t count = run->request->input_count;

	run->inputs = mem_zalloc((count + 1) * sizeof(run->inputs[0]));
	for (size_t i = 0; i < count; i++)
		run->inputs[i] = &run->request->inputs[i];
	qsort(run->inputs, count, sizeof(run->inputs[0]), by_name);
	run->ranks = count > 1;
	for (size_t i = 0; i < count; i++) {
		struct str rank = rank_in(shown_name(run->inputs[i]));

		run->ranks = run->ranks && rank.len && (i == 0 || !str_eq(rank, rank_in(shown_name(run->inputs[i - 1]))));
	}
}

/* --- dumps */

static int read_input(struct run *run, size_t index, struct err *err)
{
	const struct check_input *input = run->inputs[index];
	struct event_sink sink = profile_sink(run->profile, run->ranks ? rank_in(shown_name(input)) : STR(""));
	struct dump_context context = { &sink, run->request->limits, &run->facts[index].dump };
	struct source *source;
	int status = source_open(input->path, run->request->limits, &source, err);

	if (status)
		return err_file(err, shown(known_as(input)).text);
	if (run->request->skip_digests)
		source_skip_digest(source);
	status = dump_read(source, &context, err);
	run->facts[index].source = *source_facts(source);
	run->facts[index].source.name = shown_name(input);
	source_close(source);
	return status ? err_file(err, shown(known_as(input)).text) : 0;
}

static int read_inputs(struct run *run, struct err *err)
{
	size_t count = run->request->input_count;
	int status = 0;

	run->profile = profile_new(run->request->limits);
	run->facts = mem_zalloc((count + 1) * sizeof(run->facts[0]));
	for (size_t i = 0; i < count && !status; i++)
		status = read_input(run, i, err);
	profile_finish(run->profile);
	return status;
}

static int assess_run(struct run *run, struct result **ret, struct err *err)
{
	struct assess_request request = { .inputs = run->facts, .input_count = run->request->input_count,
		.profile = run->profile, .db = run->request->db, .targets = run->targets.items, .target_count = run->targets.count,
		.gate = run->request->gate, .limits = run->request->limits, .buckets = run->request->buckets,
		.tool_version = check_version() };

	int status = assess(&request, ret, err);

	return status == -ERR_NO_OPERATOR ? err_file(err, shown(known_as(run->inputs[0])).text) : status;
}

static void clear(struct run *run)
{
	profile_free(run->profile);
	free(run->facts);
	free(run->inputs);
	target_list_clear(&run->targets);
}

int check_run(const struct check_request *request, struct result **ret, struct err *err)
{
	struct run run = { .request = request };
	int status;

	sort_inputs(&run);
	status = targets_choose(request->db, request->targets, request->target_count, request->torch, &run.targets, err);
	if (!status)
		status = read_inputs(&run, err);
	if (!status)
		status = assess_run(&run, ret, err);
	clear(&run);
	return status;
}
