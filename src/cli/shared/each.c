#include "cli/shared/each.h"

#include "check/input/folder.h"

struct each {
	int (*run)(void *ctx, const struct arguments *one, struct err *err);
	void *ctx;
	int status;
	struct err *err;
};

/* The exit status that a result of a command leads to. */
static int exit_status(int status, const struct err *err)
{
	return status < 0 ? err_exit_status(err->code) : status;
}

/* Keeps the worst; an error that is not kept is printed. */
static void take_status(struct each *each, int status, const struct err *failure)
{
	if (exit_status(status, failure) > exit_status(each->status, each->err)) {
		if (each->status < 0)
			common_print_error(each->err);
		each->status = status;
		*each->err = *failure;
	} else if (status < 0) {
		common_print_error(failure);
	}
}

static int run_one(struct each *each, const char *path, struct err *failure)
{
	return each->run(each->ctx, &(struct arguments){ &path, 1 }, failure);
}

static bool is_no_dump(int status)
{
	return status == -ERR_FORMAT || status == -ERR_NO_TABLE || status == -ERR_NO_OPERATOR || status == -ERR_EMPTY ||
	       status == -ERR_UNREAD;
}

/* A folder of torch_npu's profiler is one dump, named by its folder. */
static struct str path_of(const struct folder_file *file)
{
	struct str path = str_from(file->path), mark = STR("_ascend_pt");
	size_t at = file->device ? str_find(path, mark) : STR_NONE;

	return at == STR_NONE ? path : str_sub(path, 0, at + mark.len);
}

static void run_folder(struct each *each, const struct folder *folder)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	struct err kept = { 0 }; /* of the last file, which is no dump: the command prints it where none is one */
	size_t dumps = 0;

	for (size_t i = 0; i < folder->count; i++) {
		struct err failure = { 0 };
		int status;

		if (i && str_eq(path_of(&folder->items[i]), path_of(&folder->items[i - 1])))
			continue;
		buf_reset(&path);
		buf_add(&path, path_of(&folder->items[i]));
		status = run_one(each, buf_text(&path), &failure);
		if (kept.code)
			common_print_error(&kept);
		kept = is_no_dump(status) ? failure : (struct err){ 0 };
		dumps += !kept.code;
		if (!kept.code)
			take_status(each, status, &failure);
	}
	if (kept.code && dumps)
		common_print_error(&kept);
	else if (kept.code)
		take_status(each, -kept.code, &kept);
}

/* A folder of torch_npu's profiler is listed as one dump, too. */
static int run_operand(struct each *each, const char *path, struct err *err)
{
	struct limits limits = limits_default();
	CLEANUP(folder_clear) struct folder folder = { 0 };
	int status = 0;

	if (folder_is(path) && !str_has(str_from(path), STR("_ascend_pt")))
		status = folder_list(path, &limits, &folder, err);
	if (!status && folder.count)
		run_folder(each, &folder);
	else if (!status)
		status = run_one(each, path, err);
	return status;
}

int each_settle(const struct gated_options *options, const struct arguments *arguments, struct err *err)
{
	bool several = arguments->count > 1 || (arguments->count && folder_is(arguments->items[0]));

	if (!several || !options->common.outputs.count)
		return 0;
	err_set(err, ERR_VALUE, "--each makes several reports, but --output names one file");
	return err_hint(err, "run opcheck once for each file");
}

int each_run(struct gated_options *options, int (*run)(void *ctx, const struct arguments *one, struct err *err),
	void *ctx, const struct arguments *arguments, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct each each = { run, ctx, 0, err };
	struct each_list lines = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	const struct outputs *outputs = &options->common.outputs;
	enum view view = outputs->printed.view;

	if (view != VIEW_WHOLE && view != VIEW_CAUSES && outputs_print(outputs))
		options->lines = &lines;
	for (size_t i = 0; i < arguments->count; i++) {
		struct err failure = { 0 };
		int status = run_operand(&each, arguments->items[i], &failure);

		if (status)
			take_status(&each, status, &failure);
	}
	if (!lines.lines.count)
		return each.status;
	each_put(&lines, &outputs->printed, &text);
	return output_print(buf_str(&text), err) ? -err->code : each.status;
}
