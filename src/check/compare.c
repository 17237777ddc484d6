#include "check/compare.h"

#include "base/value/shell.h"
#include "base/value/utf8.h"
#include "check/input/reading.h"
#include "report/record/load.h"

enum { MAX_REPORT_BYTES = 1 << 30, HINT_BYTES = 400 };

/* --- reading */

/* The whole text of a report; *ret_report is false, and the text only begun, for anything else. */
static int read_report(
	const char *path, const struct limits *limits, struct buf *text, bool *ret_report, struct err *err)
{
	struct source *source;
	struct str chunk;
	int status = source_open(path, limits, &source, err);

	*ret_report = false;
	if (status)
		return status;
	source_skip_digest(source);
	status = source_next(source, &chunk, err);
	*ret_report = status == 1 && reading_is_report(chunk);
	while (status == 1 && *ret_report) {
		buf_add(text, chunk);
		status = source_next(source, &chunk, err);
	}
	source_close(source);
	if (*ret_report && status >= 0 && text->full)
		return err_set(err, ERR_LIMIT, "the report has more than %zu bytes", text->max_bytes);
	return *ret_report && status < 0 ? status : 0;
}

/* target: "" leaves it open. */
static int check_dump(const struct compare_request *request, const char *path, struct str target, struct result **ret,
	struct err *err)
{
	struct check_input input = { .path = path };
	struct check_request check = { .inputs = &input,
		.input_count = 1,
		.db = request->db,
		.targets = &target,
		.target_count = target.len > 0,
		.torch = request->torch,
		.limits = request->limits,
		.skip_history = true,
		.skip_releases = true,
		.left_out = request->left_out,
		.ctx = request->ctx };

	return check_run(&check, ret, err);
}

/* --- the run on the device */

/* Without a target of the user the check itself takes the release that the dump names, else the newest one. */
static int read_device(const struct compare_request *request, struct result **ret, struct err *err)
{
	int status = check_dump(request, request->device, request->target, ret, err);

	if (!status && !(*ret)->agreement_count && !((*ret)->operator_count && (*ret)->operators[0].observed.where)) {
		err_set(err, ERR_NO_DEVICE, "the dump does not come from an NPU or a GPU of Moore Threads");
		err_hint(err, "give what torch_npu's or torch_musa's profiler wrote on the device; the prediction "
			      "comes first");
		status = err_file(err, shown(str_from(request->device)).text);
	}
	if (!status && !(*ret)->agreement_count) {
		err_set(err, ERR_TARGET, "the target is not a release for the device of the dump: %.*s",
			STR_ARG((*ret)->inputs[0].device.kind));
		status = err_hint(err, "give one with --target, or none");
	}
	return status;
}

/* The targets of a report that are for the device, for an error. */
static int hint_targets(const struct result *predicted, struct str plugin, struct err *err)
{
	CLEANUP(buf_clear) struct buf names = BUF_INIT(HINT_BYTES);

	for (size_t i = 0; i < predicted->target_count; i++) {
		if (str_eq(str_head(predicted->targets[i].id, '@'), plugin))
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(predicted->targets[i].id));
	}
	if (names.len)
		return err_hint(err, "it has verdicts on %.*s; choose with --target", STR_ARG(buf_str(&names)));
	buf_clear(&names);
	for (size_t i = 0; i < predicted->input_count; i++) {
		buf_add(&names, names.len ? STR(" ") : STR(""));
		shell_put_word(&names, str_from(shown(predicted->inputs[i].name).text));
	}
	return err_hint(err, "make it with `opcheck check %s -t %.*s -f json`",
		names.len && !names.full ? buf_text(&names) : "DUMP...", STR_ARG(plugin));
}

/* The target of a report to compare: the user's, else that of the dump's device, else the only one for the device. */
static int find_target(const struct compare_request *request, const struct result *predicted, const struct result *seen,
	size_t *ret, struct err *err)
{
	struct str plugin = seen->inputs[0].device.kind, wanted = seen->agreements[0].target;
	size_t count = 0;

	for (size_t i = 0; i < predicted->target_count; i++) {
		if (str_eq(predicted->targets[i].id, wanted)) {
			*ret = i;
			return 0;
		}
		if (str_eq(str_head(predicted->targets[i].id, '@'), plugin)) {
			*ret = i;
			count++;
		}
	}
	if (count == 1 && !request->target.len)
		return 0;
	err_set(err, count > 1 && !request->target.len ? ERR_AMBIGUOUS : ERR_TARGET, "the report has %s",
		!count                ? "no verdicts on a target of the device"
		: request->target.len ? "no verdicts on this target"
				      : "several targets of the device");
	return hint_targets(predicted, plugin, err);
}

/* --- the whole */

static int read_predicted(
	const struct compare_request *request, struct compared *ret, bool *ret_report, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(MAX_REPORT_BYTES);
	struct str target = ret->seen->agreements[0].target;
	int status = read_report(request->predicted, request->limits, &text, ret_report, err);

	if (!status && *ret_report)
		status = report_load(buf_str(&text), &ret->predicted, err);
	if (status)
		return err_file(err, shown(str_from(request->predicted)).text);
	return *ret_report ? 0 : check_dump(request, request->predicted, target, &ret->predicted, err);
}

int compare_run(const struct compare_request *request, struct compared *ret, struct err *err)
{
	bool report = false;
	size_t target = 0;
	int status = read_device(request, &ret->seen, err) ?:
		read_predicted(request, ret, &report, err) ?:
		find_target(request, ret->predicted, ret->seen, &target, err);

	if (status)
		return status;
	comparison_make(ret->predicted, target, ret->seen, &ret->comparison);
	ret->comparison.from_report = report;
	return 0;
}

void compare_clear(struct compared *compared)
{
	comparison_clear(&compared->comparison);
	result_free(compared->predicted);
	result_free(compared->seen);
	*compared = (struct compared){ 0 };
}
