#include "check/asked/policy_files.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "io/source.h"
#include "report/record/load.h"

enum { REPORT_BYTES = 1 << 30 };

static int read_source(struct source *source, struct buf *ret, struct err *err)
{
	struct str chunk;
	int status;

	while ((status = source_next(source, &chunk, err)) == 1)
		buf_add(ret, chunk);
	if (!status && ret->full)
		return err_set(err, ERR_LIMIT, "the file has more than %zu bytes", ret->max_bytes);
	if (!status && source_facts(source)->damaged)
		return err_set(err, ERR_COMPRESSION, "the compressed data ends early or is damaged");
	return status;
}

int file_read_text(const char *path, const struct limits *limits, struct buf *ret, char *ret_sha256, struct err *err)
{
	struct source *source;
	int status = source_open(path, limits, &source, err);

	if (!status) {
		status = read_source(source, ret, err);
		if (!status && ret_sha256)
			snprintf(ret_sha256, SHA256_HEX_BYTES, "%s", source_facts(source)->sha256);
		source_close(source);
	}
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}

int policy_read_waivers(struct policy *policy, const char *path, const struct limits *limits, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(limits->waiver_bytes);
	char sha256[SHA256_HEX_BYTES];
	int status = file_read_text(path, limits, &text, sha256, err);

	if (status)
		return status;
	return policy_add_waivers(policy, buf_str(&text), str_from(str_file_name(path)), str_from(sha256), err);
}

int policy_take_baseline(struct policy *policy, struct str report, struct str name, struct err *err)
{
	char sha256[SHA256_HEX_BYTES];
	struct result *earlier;
	int status = report_load(report, &earlier, err);

	if (status)
		return status;
	sha256_of(report, sha256);
	policy_set_baseline(policy, earlier, name, str_from(sha256));
	result_free(earlier);
	return 0;
}

int policy_read_baseline(struct policy *policy, const char *path, const struct limits *limits, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(REPORT_BYTES);
	int status = file_read_text(path, limits, &text, NULL, err);

	if (status)
		return status;
	status = policy_take_baseline(policy, buf_str(&text), str_from(str_file_name(path)), err);
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}
