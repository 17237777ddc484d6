#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/shell.h"
#include "base/value/utf8.h"
#include "cli/shared/command.h"
#include "io/outfile.h"
#include "io/process.h"
#include "scan/port/launcher.h"
#include "scan/port/patch.h"
#include "scan/port/port.h"
#include "scan/port/port_put.h"

struct port_options {
	struct common_options common;
	const char *folder; /* -o DIR */
	enum target_kind target;
	bool in_place, launcher;
};

static int set_patch(void *ctx, struct str value, struct err *err)
{
	struct port_options *options = ctx;
	CLEANUP(buf_clear) struct buf named = BUF_UNLIMITED;

	buf_printf(&named, "patch=%.*s", STR_ARG(value));
	return outputs_add(&options->common.outputs, buf_str(&named), err);
}

/* A path that says a format is a file, any other a folder. */
static int set_output(void *ctx, struct str value, struct err *err)
{
	static const struct str suffixes[] = { STR(".patch"), STR(".json"), STR(".csv"), STR(".text"), STR(".txt") };
	struct port_options *options = ctx;
	bool is_file = str_has(value, STR("="));

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		is_file |= str_ends(value, suffixes[i]);
	if (is_file)
		return outputs_add(&options->common.outputs, value, err);
	options->folder = value.ptr; /* from argv: ended by a NUL */
	return 0;
}

static const struct option port_table[] = {
	{ 't', "target", "TARGET", "npu or musa", LIST(common_options, targets) },
	{ 'o', "output", "DIR", "write the changed scripts below a folder", CALL(set_output) },
	{ 0, "patch", "FILE", "write the patch into a file", CALL(set_patch) },
	{ 0, "write", NULL, "change the scripts in place, in a clean work tree", FIELD(port_options, in_place) },
	{ 0, "launcher", NULL, "print a launch script for one node and several", FIELD(port_options, launcher) },
	{ 'f', "format", "FORMAT", "patch (default), text, json or csv", CALL(common_set_format) },
	{ 0, "force", NULL, "replace files that exist", FIELD(common_options, outputs.replace) },
	OPTION_LANG,
	OPTION_QUIET("do not list the remaining manual changes"),
	OPTION_LIMIT,
	{ 0 },
};

/* 0 when the path lies in a work tree of git whose tracked files are as committed and the path has no file that git
   does not know: a change can be taken back. Else ERR_EXISTS with what is in the way. No hook or program of the
   repository runs. */
static int check_worktree(const char *path, struct str target, struct err *err)
{
	CLEANUP(buf_clear) struct buf folder = BUF_UNLIMITED;
	const char *name = str_file_name(path);
	struct stat info;
	bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
	struct str before = is_folder ? str_from(path) : (struct str){ path, (size_t)(name - path) };
	CLEANUP(buf_clear) struct buf printed = BUF_INIT(256);
	CLEANUP(buf_clear) struct buf word = BUF_UNLIMITED;
	int status;

	buf_add(&folder, before.len ? before : STR("."));
	status = process_run((const char *const[]){ "git", "-c", "core.fsmonitor=false", "-c",
				     "core.hooksPath=/dev/null", "-C", buf_text(&folder), "status", "--porcelain",
				     "--untracked-files=all", "--", is_folder ? "." : name, NULL },
		0, &printed);
	if (status)
		err_set(err, ERR_EXISTS, "not in a work tree of git, so the change could not be taken back");
	else if (printed.len)
		err_set(err, ERR_EXISTS, "changes that are not committed: %s",
			shown((struct str){ buf_text(&printed), strcspn(buf_text(&printed), "\n") }).text);
	else
		return 0;
	shell_put_word(&word, str_from(shown(str_from(path)).text));
	err_hint(err, "commit first, or write a patch: opcheck port %s -t %.*s --patch port.patch", buf_text(&word),
		STR_ARG(target));
	return err_where(err, "%s", shown(str_from(path)).text);
}

static int settle_port(void *ctx, const struct arguments *arguments, struct err *err)
{
	struct port_options *options = ctx;
	const struct str_list *targets = &options->common.targets;
	struct str kind = targets->count == 1 ? targets->items[0] : STR("");
	CLEANUP(buf_clear) struct buf word = BUF_UNLIMITED;
	int status = 0;

	str_cut(&(struct str){ kind.ptr, kind.len }, '@', &kind);
	if (!target_kind_from(kind, &options->target)) {
		err_set(err, ERR_VALUE, "port needs one target");
		shell_put_word(&word, str_from(shown(str_from(arguments->items[0])).text));
		return err_hint(err, "write opcheck port %s -t npu, or -t musa", buf_text(&word));
	}
	for (size_t i = 0; i < arguments->count && options->in_place && !status; i++)
		status = check_worktree(arguments->items[i], kind, err);
	return status;
}

/* --- writing */

/* Makes the folders that a path lies in. */
static int make_folders(char *path, struct err *err)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(path, 0777) && errno != EEXIST) {
			err_os(err, ERR_OUTPUT, errno, "cannot make the folder");
			return err_where(err, "%s", shown(str_from(path)).text);
		}
		*at = '/';
	}
	return 0;
}

/* A script keeps its rights. */
static int write_script(const struct port_options *options, const struct port_script *script, struct err *err)
{
	const char *from = script->path.ptr;
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;
	struct stat info;
	bool known = stat(from, &info) == 0;
	int status = 0;

	if (options->folder) {
		buf_printf(&path, "%s/%.*s", options->folder, STR_ARG(port_path(script->path)));
		status = make_folders(path.ptr, err);
	} else {
		buf_add(&path, str_from(from));
	}
	if (!status)
		status = outfile_write(
			buf_text(&path), script->ported, options->in_place || options->common.outputs.replace, err);
	if (!status && known)
		(void)!chmod(buf_text(&path), info.st_mode & 07777);
	return status;
}

static int put_port(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	const struct port *port = answer;

	if (str_eq(format, STR("patch")))
		port_put_patch(port, out);
	else if (str_eq(format, STR("json")))
		port_put_json(port, out);
	else if (str_eq(format, STR("csv")))
		port_put_csv(port, out);
	else
		port_put_text(port, render->lang, out);
	return 0;
}

/* Findings left to a person go to standard error, unless they are the answer. */
static int put_summary(const struct port_options *options, const struct port *port, bool printed, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (options->common.quiet || outputs_want(&options->common.outputs, STR("text")))
		return 0;
	port_put_text(port, options->common.render.lang, &text);
	if (!printed)
		return output_print(buf_str(&text), err);
	fputs(buf_text(&text), stderr);
	return 0;
}

static int write_port(const struct port_options *options, const struct port *port, struct err *err)
{
	const struct outputs *outputs = &options->common.outputs;
	bool scripts = options->in_place || options->folder, printed = !scripts || outputs->format.len;
	int status = 0;

	for (size_t i = 0; i < port->scripts.count && scripts && !status; i++)
		status = write_script(options, &port->scripts.items[i], err);
	printed = printed && outputs_print(outputs);
	if (!status && (printed || outputs->count))
		status = common_write(&options->common, put_port, port, err);
	return status ? status : put_summary(options, port, printed, err);
}

static int run_port(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct port_options *options = ctx;
	struct program_request request = { (const char *const *)arguments->items, arguments->count,
		&options->common.limits };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct port port;
	int status = port_run(&request, options->target, &port, err);

	if (!status && options->launcher) {
		launcher_put(&port, options->common.render.lang, &text);
		status = output_print(buf_str(&text), err);
	} else if (!status) {
		status = write_port(options, &port, err);
	}
	port_clear(&port);
	return status;
}

const struct command cmd_port = {
	.name = "port",
	.summary = "edit Python scripts for a target, as a patch",
	.usage = "PATH... -t npu|musa [-o DIR | --patch FILE | --write]",
	.examples = "  opcheck port src/ -t npu > npu.patch\n"
		    "  opcheck port train.py -t musa --launcher",
	.options = port_table,
	.options_size = sizeof(struct port_options),
	.formats = "patch text json csv",
	.operand = "the script or the folder of the program",
	.min_operands = 1,
	.max_operands = SIZE_MAX,
	.settle = settle_port,
	.run = run_port,
};
