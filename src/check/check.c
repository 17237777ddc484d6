#include "check/check.h"

#include <stdlib.h>

#include "assess/model/origin.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "check/asked/targets.h"
#include "check/input/folder.h"
#include "check/input/models.h"
#include "check/input/readers.h"
#include "op/profile_merge.h"
#include "scan/find/scan.h"

struct run {
	const struct check_request *request;
	struct arena text;
	struct dump_files files; /* sorted */
	MEM_LIST(struct folder) folders;
	struct models models;          /* of the dumps that were read */
	MEM_LIST(struct str) left_out; /* names of files that are not dumps */
	size_t taken;                  /* files */
	bool several;                  /* dumps, which may be copies of each other */
	struct target_list targets;
};

const char *check_version(void)
{
	return OPCHECK_VERSION;
}

/* --- what there is to read */

static int add_folder(struct run *run, const struct check_input *input, struct err *err)
{
	struct folder folder;
	int status = folder_list(input->path, run->request->limits, &folder, err);

	for (size_t i = 0; i < folder.count && !status; i++) {
		const struct folder_file *file = &folder.items[i];

		MEM_PUSH(&run->files, ((struct dump_file){ file->path, file->name, str_from(file->path), file->rank,
					      file->info, NULL, file->aside }));
	}
	MEM_PUSH(&run->folders, folder);
	return status;
}

/* A dump with a name of its own is one file; only a path may be that of a folder. */
static int gather_files(struct run *run, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < run->request->input_count && !status; i++) {
		const struct check_input *input = &run->request->inputs[i];
		struct dump_file file = { .path = input->path, .rank = STR(""), .span = input->span };

		if (!input->name.len && folder_is(input->path)) {
			status = add_folder(run, input, err);
			continue;
		}
		file.name = input->name.len ? input->name : str_from(str_file_name(input->path));
		file.known_as = input->name.len ? input->name : str_from(input->path);
		MEM_PUSH(&run->files, file);
	}
	return status;
}

static int by_name(const void *a, const void *b)
{
	const struct dump_file *left = a, *right = b;
	int order = str_natural_cmp(left->name, right->name);

	if (!order && left->span && right->span)
		return left->span->from < right->span->from ? -1 : left->span->from > right->span->from;
	return order ? order : strcmp(left->path, right->path);
}

/* --- dumps */

static void leave_out(struct run *run, struct str name, const struct err *err)
{
	MEM_PUSH(&run->left_out, arena_keep(&run->text, name));
	if (run->request->left_out)
		run->request->left_out(run->request->ctx, err);
}

/* The dump that was read before this one and holds the same, as a place in the list and one; 0: none. */
static size_t same_as(const struct model *model, const struct assess_input *input)
{
	for (size_t i = 0; i < model->dumps.inputs.count; i++) {
		const struct assess_input *other = &model->dumps.inputs.items[i];

		if (other->content == input->content && other->source.text_bytes == input->source.text_bytes)
			return i + 1;
	}
	return 0;
}

static int take_dump(struct run *run, struct read_dump *dump, struct err *err)
{
	struct assess_input input = dump->input;
	struct model *model;
	struct str label;

	if (dump->status) {
		*err = dump->err;
		err_file(err, shown(dump->known_as).text);
		if (!dump->found || !reading_is_no_dump(dump->status))
			return dump->status;
		leave_out(run, dump->name, err);
		return 0;
	}
	input.source.name = arena_keep(&run->text, dump->name);
	if (run->several)
		input.content = profile_content(dump->part);
	label = rank_label(&run->text, dump->rank, &input.dump, dump->name);
	model = models_find(&run->models, dump, label);
	input.same_as = same_as(model, &input);
	runs_add(&model->dumps, &input, dump->part, label);
	dump->part = NULL;
	return 0;
}

/* Takes what a file became: itself, or the members of an archive. */
static int take_file(void *ctx, struct file_reading *reading, struct err *err)
{
	struct run *run = ctx;
	const struct dump_file *file = &run->files.items[run->taken++];
	int status = 0;

	run->models.apart = run->request->take && file->found;
	run->several = run->files.count > 1 || reading->dumps.count > 1;
	for (size_t i = 0; i < reading->dumps.count && !status; i++)
		status = take_dump(run, &reading->dumps.items[i], err);
	if (status || !reading->status)
		return status;
	return take_dump(run,
		&(struct read_dump){ .name = file->name,
			.known_as = file->known_as,
			.found = file->found,
			.status = reading->status,
			.err = reading->err },
		err);
}

/* Beside models, dumps without an operator are tables of something else. */
static void leave_out_empty(struct run *run)
{
	struct models *models = &run->models;
	size_t kept = 0;
	bool any = ANY(i, models->list.count, model_has_operator(&models->list.items[i]));

	for (size_t i = 0; any && i < models->list.count; i++) {
		struct model *model = &models->list.items[i];
		struct str name = model->dumps.inputs.items[0].source.name;
		struct err err = { 0 };

		if (model_has_operator(model)) {
			models->list.items[kept++] = *model;
			continue;
		}
		err_set(&err, ERR_NO_OPERATOR, "it holds no operator");
		err_file(&err, shown(name).text);
		leave_out(run, name, &err);
		model_clear(model);
	}
	models->list.count = any ? kept : models->list.count;
}

static int read_dumps(struct run *run, struct err *err)
{
	const struct check_request *request = run->request;
	struct meter unseen = { 0 };
	struct reading_options options = { request->limits, request->skip_digests,
		request->meter ? request->meter : &unseen };
	int status;

	run->models.limits = request->limits;
	run->models.arena = &run->text;
	status = read_files(&run->files, &options, take_file, run, err);
	models_finish(&run->models);
	leave_out_empty(run);
	if (!status && !run->models.list.count) {
		err_set(err, ERR_DIRECTORY, "none of the %zu files in the folder is a dump", run->files.count);
		err_hint(err, "the lines above name them");
		return err_file(err, shown(str_from(request->inputs[0].path)).text);
	}
	return status;
}

/* Without targets of the user, a dump made on a device is first of all compared with the release it was made with. */
static void prefer_origin(const struct run *run, const struct model *model, struct target *targets)
{
	const struct assess_input *inputs = model->dumps.inputs.items;
	size_t count = model->dumps.inputs.count, known = 0;
	struct target origin;

	while (known < count && !origin_release(run->request->db, &inputs[known].dump.device, &origin))
		known++;
	if (run->request->target_count || run->request->torch.len || known == count ||
		origin_of_all(inputs, count) == DEVICE_UNKNOWN)
		return;
	for (size_t i = 0; i < run->targets.count; i++) {
		if (targets[i].release->target == origin.release->target)
			targets[i] = origin;
	}
}

/* Add a message before the others of the dumps. */
static void note_first(struct result *result, const struct message *message)
{
	struct message *list = arena_alloc(&result->arena, (result->warning_count + 1) * sizeof(list[0]));

	list[0] = message_copy(&result->arena, message);
	for (size_t i = 0; i < result->warning_count; i++)
		list[i + 1] = result->warnings[i];
	result->warnings = list;
	result->warning_count++;
}

/* Add the requested targets and their resolution to the report. */
static void note_asked(const struct target_list *targets, struct result *result)
{
	for (size_t i = 0; i < targets->count && i < result->target_count; i++)
		result->targets[i].asked = arena_keep(&result->arena, targets->asked.items[i].text);
	for (size_t i = targets->count < result->target_count ? targets->count : result->target_count; i-- > 0;) {
		if (targets->asked.items[i].became.id)
			note_first(result, &targets->asked.items[i].became);
	}
}

/* The scan takes the result over; the policy is that of both. */
static int join_scripts(const struct run *run, const struct target *targets, struct result **result, struct err *err)
{
	struct scan_request request = {
		.program = { .limits = run->request->limits,
			.parts = run->request->scripts,
			.part_count = run->request->script_count },
		.db = run->request->db,
		.targets = targets,
		.target_count = run->targets.count,
		.tool_version = check_version(),
		.beside = *result,
	};
	int status = scan_run(&request, result, err);

	if (status)
		result_free(*result);
	return status;
}

static int assess_model(struct run *run, const struct model *model, struct result **ret, struct err *err)
{
	const struct stated *stated = &run->request->stated;
	struct target *targets = arena_keep_bytes(
		&run->text, run->targets.items, run->targets.count * sizeof(*targets));
	struct assess_request request = { .inputs = model->dumps.inputs.items,
		.input_count = model->dumps.inputs.count,
		.left_out = { run->left_out.items, run->left_out.count },
		.profile = model->profile,
		.db = run->request->db,
		.targets = targets,
		.target_count = run->targets.count,
		.limits = run->request->limits,
		.buckets = run->request->buckets,
		.survey = run->request->survey,
		.assumptions = run->request->assumptions,
		.stated_types = stated->types,
		.max_uncovered_ppm = stated->uncovered_given ? &stated->max_uncovered_ppm : NULL,
		.slow_ppm = stated->slow_given ? &stated->slow_ppm : NULL,
		.cost = run->request->cost,
		.tool_version = check_version(),
		.skip_history = run->request->skip_history,
		.skip_releases = run->request->skip_releases };
	int status;

	prefer_origin(run, model, targets);
	status = assess(&request, ret, err);
	if (!status && !run->request->survey)
		note_asked(&run->targets, *ret);
	if (!status && run->models.list.count > 1) /* the others have assessments of their own */
		note_first(*ret,
			MESSAGE(&(*ret)->arena, "input-models", NUMBER("models", run->models.list.count),
				NUMBER("files", model->dumps.inputs.count),
				BLANK("first", arena_keep(&(*ret)->arena, model->dumps.inputs.items[0].source.name))));
	if (!status && run->request->script_count)
		status = join_scripts(run, targets, ret, err);
	if (!status && run->request->policy)
		policy_apply(run->request->policy, *ret);
	return status == -ERR_NO_OPERATOR ? err_file(err, shown(run->files.items[0].known_as).text) : status;
}

static void clear_run(struct run *run)
{
	free(run->files.items);
	models_clear(&run->models);
	free(run->left_out.items);
	arena_clear(&run->text);
	for (size_t i = 0; i < run->folders.count; i++)
		folder_clear(&run->folders.items[i]);
	free(run->folders.items);
	target_list_clear(&run->targets);
}

static int several_models(const struct run *run, struct err *err)
{
	err_set(err, ERR_VALUE, "the folder holds %zu models, but --output names one file", run->models.list.count);
	err_hint(err, "name the files of one model in place of the folder");
	return err_file(err, shown(str_from(run->request->inputs[0].path)).text);
}

static int assess_models(struct run *run, struct result **ret, struct err *err)
{
	const struct check_request *request = run->request;
	size_t count = run->models.list.count;
	int status = request->one_model && count > 1 ? several_models(run, err) : 0;

	for (size_t i = 0; i < count && !status; i++) {
		status = assess_model(run, &run->models.list.items[i], ret, err);
		if (!status && request->take)
			status = request->take(request->take_ctx, *ret);
	}
	return status;
}

int check_run(const struct check_request *request, struct result **ret, struct err *err)
{
	struct run run = { .request = request, .text = ARENA_INIT(ARENA_UNLIMITED) }; /* names of dumps */
	int status = gather_files(&run, err);

	MEM_SORT(&run.files, by_name);
	if (!status && (!request->survey || request->target_count))
		status = targets_choose(request->db,
			&(struct target_question){ request->targets, request->target_count, request->torch },
			&run.targets, err);
	if (!status)
		status = read_dumps(&run, err);
	if (!status)
		status = assess_models(&run, ret, err);
	clear_run(&run);
	return status;
}
