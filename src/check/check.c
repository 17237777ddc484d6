#include "check/check.h"

#include <stdlib.h>

#include "assess/origin.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "check/folder.h"
#include "check/info.h"
#include "check/targets.h"

/* One dump to read. */
struct item {
	const char *path;
	struct str name;     /* what the report calls it */
	struct str known_as; /* what an error calls it: as the user named it */
	struct str rank;     /* when its folder tells */
	const char *info;    /* the file beside it that names releases, or NULL */
	bool found;          /* in a folder, and the user did not name it: may be left out */
};

struct run {
	const struct check_request *request;
	struct {
		struct item *items; /* sorted */
		size_t count, capacity;
	} dumps;
	struct {
		struct folder *items;
		size_t count, capacity;
	} folders;
	struct assess_input *facts; /* of those that were read */
	size_t read;
	struct profile *profile;
	struct target_list targets;
	bool ranks; /* the names tell ranks apart */
};

const char *check_version(void)
{
	return OPCHECK_VERSION;
}

/* --- what there is to read */

static struct str base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return str_from(slash && slash[1] ? slash + 1 : path);
}

static void add_file(struct run *run, const struct check_input *input)
{
	struct item item = { .path = input->path, .rank = STR("") };

	item.name = input->name.len ? input->name : base_name(input->path);
	item.known_as = input->name.len ? input->name : str_from(input->path);
	MEM_PUSH(&run->dumps, item);
}

static int add_folder(struct run *run, const struct check_input *input, struct err *err)
{
	struct folder folder;
	int status = folder_list(input->path, run->request->limits, &folder, err);

	for (size_t i = 0; i < folder.count && !status; i++) {
		const struct folder_file *file = &folder.items[i];

		MEM_PUSH(&run->dumps,
			((struct item){ file->path, file->name, str_from(file->path), file->rank, file->info, file->aside }));
	}
	MEM_PUSH(&run->folders, folder);
	return status;
}

/* A dump with a name of its own was handed in as one file; only a path may be that of a folder. */
static int gather(struct run *run, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < run->request->input_count && !status; i++) {
		const struct check_input *input = &run->request->inputs[i];

		if (!input->name.len && folder_is(input->path))
			status = add_folder(run, input, err);
		else
			add_file(run, input);
	}
	return status;
}

/* --- order and ranks */

static int by_name(const void *a, const void *b)
{
	const struct item *left = a, *right = b;
	int order = str_natural_cmp(left->name, right->name);

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

static void sort_dumps(struct run *run)
{
	size_t count = run->dumps.count;
	struct str before = STR("");

	if (count)
		qsort(run->dumps.items, count, sizeof(run->dumps.items[0]), by_name);
	run->ranks = count > 1;
	for (size_t i = 0; i < count && run->ranks; i++) {
		struct str rank = rank_in(run->dumps.items[i].name);

		/* a file that was found may be no dump: only names that the user gave must all tell */
		if (run->dumps.items[i].rank.len || (run->dumps.items[i].found && !rank.len))
			continue;
		run->ranks = rank.len && !str_eq(rank, before);
		before = rank;
	}
}

static struct str rank_of(const struct run *run, const struct item *item)
{
	if (item->rank.len)
		return item->rank;
	return run->ranks ? rank_in(item->name) : STR("");
}

/* --- dumps */

/* What a file may be that stands in a folder of dumps and is none. */
static bool is_no_dump(int status)
{
	return status == -ERR_EMPTY || status == -ERR_FORMAT || status == -ERR_NO_TABLE || status == -ERR_UNREAD ||
	       status == -ERR_COMPRESSION;
}

static int read_dump(struct run *run, const struct item *item, struct err *err)
{
	struct assess_input *facts = &run->facts[run->read];
	struct event_sink sink = profile_sink(run->profile, rank_of(run, item));
	struct dump_context context = { &sink, run->request->limits, &facts->dump };
	struct source *source;
	int status = source_open(item->path, run->request->limits, &source, err);

	if (status)
		return err_file(err, shown(item->known_as).text);
	if (run->request->skip_digests)
		source_skip_digest(source);
	status = dump_read(source, &context, err);
	if (!status && item->info)
		info_read(item->info, run->request->limits, &facts->dump.device);
	facts->source = *source_facts(source);
	facts->source.name = item->name;
	source_close(source);
	return status ? err_file(err, shown(item->known_as).text) : 0;
}

static int read_dumps(struct run *run, struct err *err)
{
	const struct check_request *request = run->request;
	int status = 0;

	run->profile = profile_new(request->limits);
	run->facts = mem_zalloc((run->dumps.count + 1) * sizeof(run->facts[0]));
	for (size_t i = 0; i < run->dumps.count && !status; i++) {
		const struct item *item = &run->dumps.items[i];

		run->facts[run->read].place = i;
		status = read_dump(run, item, err);
		if (item->found && is_no_dump(status)) {
			if (request->left_out)
				request->left_out(request->ctx, err);
			status = 0;
		} else {
			run->read++;
		}
	}
	profile_finish(run->profile);
	if (!status && !run->read) {
		err_set(err, ERR_DIRECTORY, "none of the %zu files in the folder is a dump", run->dumps.count);
		err_hint(err, "the lines above say what they are");
		return err_file(err, shown(str_from(request->inputs[0].path)).text);
	}
	return status;
}

/* Without targets of the user, a dump made on a device is first of all compared with the release it was made with. */
static void prefer_origin(struct run *run)
{
	enum device_kind kind = origin_of_all(run->facts, run->read);
	struct target origin;
	size_t told = 0;

	while (told < run->read && !origin_release(run->request->db, &run->facts[told].dump.device, &origin))
		told++;
	if (run->request->target_count || run->request->torch.len || kind == DEVICE_UNTOLD || told == run->read)
		return;
	for (size_t i = 0; i < run->targets.count; i++) {
		if (run->targets.items[i].release->target == origin.release->target)
			run->targets.items[i] = origin;
	}
}

static int assess_run(struct run *run, struct result **ret, struct err *err)
{
	struct assess_request request = { .inputs = run->facts, .input_count = run->read,
		.profile = run->profile, .db = run->request->db, .targets = run->targets.items, .target_count = run->targets.count,
		.limits = run->request->limits, .buckets = run->request->buckets,
		.survey = run->request->survey, .assumptions = run->request->assumptions,
		.tool_version = check_version(), .skip_history = run->request->skip_history };

	int status = assess(&request, ret, err);

	if (!status && run->request->policy)
		policy_apply(run->request->policy, *ret);
	return status == -ERR_NO_OPERATOR ? err_file(err, shown(run->dumps.items[0].known_as).text) : status;
}

static void clear(struct run *run)
{
	profile_free(run->profile);
	free(run->facts);
	free(run->dumps.items);
	for (size_t i = 0; i < run->folders.count; i++)
		folder_clear(&run->folders.items[i]);
	free(run->folders.items);
	target_list_clear(&run->targets);
}

int check_run(const struct check_request *request, struct result **ret, struct err *err)
{
	struct run run = { .request = request };
	int status = gather(&run, err);

	sort_dumps(&run);
	if (!status && (!request->survey || request->target_count))
		status = targets_choose(request->db, request->targets, request->target_count, request->torch, &run.targets, err);
	if (!status)
		status = read_dumps(&run, err);
	if (!status)
		prefer_origin(&run);
	if (!status)
		status = assess_run(&run, ret, err);
	clear(&run);
	return status;
}
