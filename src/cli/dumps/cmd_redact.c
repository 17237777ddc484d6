/* `opcheck redact`: a dump without what is private. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/input/redact.h"
#include "cli/shared/command.h"
#include "io/members.h"
#include "io/outfile.h"
#include "io/source.h"

struct redact_options {
	struct common_options common;
	struct str path;
};

static const struct option redact_table[] = {
	{ 'o', "output", "PATH", "write to a file instead of standard output", FIELD(redact_options, path) },
	{ 0, "force", NULL, "replace the file if it exists", FIELD(common_options, outputs.replace) },
	OPTION_LIMIT,
	{ 0 },
};

static int settle_redact(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct redact_options *options = ctx;

	return options->path.len ? outfile_check(options->path.ptr, options->common.outputs.replace, err) : 0;
}

static int check_content(struct source *source, struct err *err)
{
	struct str head = STR("");
	int status = source_peek(source, &head, err);

	if (status < 0)
		return status;
	if (status && (members_sniff(head)[0] || memchr(head.ptr, '\0', head.len))) {
		err_set(err, ERR_UNREAD,
			"redact reads text, CSV and JSON, also compressed, but no archives or databases");
		return err_hint(err, "unpack the archive and redact its files");
	}
	return 0;
}

static int copy_redacted(struct source *source, int fd, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct redaction *redaction = redaction_new();
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, err)) == 1) {
		redaction_add(redaction, chunk, &out);
		status = outfile_put(fd, buf_str(&out), err);
		if (status)
			break;
		out.len = 0;
	}
	if (!status) {
		redaction_end(redaction, &out);
		status = outfile_put(fd, buf_str(&out), err);
	}
	redaction_free(redaction);
	return status;
}

/* A file that is not whole is removed. */
static int redact_into_file(const struct redact_options *options, struct source *source, struct err *err)
{
	const char *path = options->path.ptr;
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (options->common.outputs.replace ? O_TRUNC : O_EXCL);
	int fd = open(path, flags, 0666), status;

	if (fd < 0)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	else
		status = copy_redacted(source, fd, err);
	if (fd >= 0 && close(fd) && !status)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	if (fd >= 0 && status)
		unlink(path);
	return status ? err_where(err, "%s", shown(options->path).text) : 0;
}

static int run_redact(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct redact_options *options = ctx;
	const char *path = arguments->items[0];
	struct source *source;
	int status = source_open(path, &options->common.limits, &source, err);

	if (status)
		return err_file(err, shown(str_from(path)).text);
	source_skip_digest(source);
	status = check_content(source, err);
	if (status)
		err_file(err, shown(str_from(path)).text);
	else if (options->path.len)
		status = redact_into_file(options, source, err);
	else
		status = copy_redacted(source, STDOUT_FILENO, err);
	source_close(source);
	return status;
}

const struct command cmd_redact = {
	.name = "redact",
	.summary = "remove paths, hosts, labels and stacks from a dump",
	.usage = "DUMP [-o PATH]",
	.examples = "  opcheck redact profiler.log -o shared.log\n"
		    "  opcheck redact trace.json.gz | gzip > shared.json.gz",
	.options = redact_table,
	.options_size = sizeof(struct redact_options),
	.operand = "the dump",
	.min_operands = 1,
	.max_operands = 1,
	.settle = settle_redact,
	.run = run_redact,
};
