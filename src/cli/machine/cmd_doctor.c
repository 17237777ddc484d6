#include "cli/shared/command.h"
#include "diagnose/doctor.h"
#include "diagnose/doctor_put.h"

struct doctor_options {
	struct common_options common;
	struct str root, python;
};

static const struct option doctor_table[] = {
	{ 0, "root", "DIR", "look in a folder in place of /", FIELD(doctor_options, root) },
	{ 0, "python", "PROGRAM", "the Python to inspect (python3; --root: none)", FIELD(doctor_options, python) },
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	OPTION_LANG,
	OPTION_DB,
	OPTION_LIMIT,
	{ 0 },
};

static int put_doctor(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	doctor_put(answer, format, render, out);
	return 0;
}

static int run_doctor(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct doctor_options *options = ctx;
	const struct machine_search search = {
		.root = options->root.len ? options->root.ptr : "/",
		.python = options->python.len ? options->python.ptr
			  : options->root.len ? NULL
					      : "python3",
		.tools = !options->root.len,
		.seconds = options->common.limits.python_seconds,
	};
	struct doctor doctor;
	int status = doctor_examine(&search, options->common.opdb, &doctor, err);

	if (!status)
		status = common_write(&options->common, put_doctor, &doctor, err);
	if (!status && doctor.verdict == VERDICT_NOTHING_FOUND) {
		err_set(err, ERR_NO_STACK, "no plugin, SDK, driver or chip of Ascend or Moore Threads was found");
		status = err_hint(err, "--python names the Python of another environment, --root another folder");
	}
	if (!status)
		status = doctor.verdict == VERDICT_DOES_NOT_FIT;
	doctor_clear(&doctor);
	return status;
}

const struct command cmd_doctor = {
	.name = "doctor",
	.summary = "check that driver, toolkit, PyTorch and plugin versions match",
	.usage = "[OPTION]...",
	.examples = "  opcheck doctor\n  opcheck doctor --python venv/bin/python -f json",
	.options = doctor_table,
	.options_size = sizeof(struct doctor_options),
	.formats = "text json csv md html",
	.database = true,
	.run = run_doctor,
};
