#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "check/database/database.h"
#include "check/database/pack.h"
#include "cli/shared/command.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/verify.h"

struct lines {
	struct buf text;
	const char *prefix;
};

/* Text of a damaged file, on its way to a terminal. */
static void put_verify_line(void *ctx, struct str line)
{
	struct lines *lines = ctx;

	buf_add(&lines->text, str_from(lines->prefix));
	utf8_printable(&lines->text, line);
	buf_byte(&lines->text, '\n');
}

static int put_coverage(const struct opdb *db, struct buf *out, struct err *err)
{
	size_t count;
	const struct release *releases = opdb_releases(db, &count);
	struct resolver *resolver = resolver_new(db);
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		struct coverage coverage = { 0 };

		status = opdb_coverage(resolver, &releases[i], &coverage, err);
		buf_printf(out, "covers     %-24.*s %5zu of %5zu operators of PyTorch %.*s", STR_ARG(releases[i].id),
			coverage.known, coverage.operators, STR_ARG(releases[i].torch));
		if (coverage.inferred)
			buf_printf(out, ", %zu by inference", coverage.inferred);
		buf_byte(out, '\n');
	}
	resolver_free(resolver);
	return status;
}

/* Check that the database was built from the caller's text, if given. */
static int check_text(
	const struct opdb *db, const struct arguments *arguments, struct lines *lines, size_t *broken, struct err *err)
{
	struct str sha256 = opdb_info(db)->sha256;
	char found[OPDB_DIGEST_BYTES];
	int status = arguments->count ? opdb_text_digest(arguments->items[0], found, err) : 0;

	if (status || !arguments->count || str_eq(sha256, str_from(found)))
		return status;
	put_verify_line(lines, STR("it was built from another fact text than the one in that directory"));
	(*broken)++;
	return 0;
}

static int verify_facts(const struct opdb *db, const struct arguments *arguments, struct buf *out, struct err *err)
{
	struct lines lines = { .text = BUF_UNLIMITED, .prefix = "broken     " };
	size_t broken = 0;
	int status = opdb_verify(db, put_verify_line, &lines, &broken, err);

	if (!status)
		status = check_text(db, arguments, &lines, &broken, err);
	if (!status && !broken) {
		buf_add(&lines.text, STR("integrity  OK\n"));
		status = put_coverage(db, &lines.text, err);
	}
	lines.prefix = "gap        ";
	if (!status && !broken)
		status = opdb_gaps(db, put_verify_line, &lines, err);
	buf_add(out, buf_str(&lines.text));
	buf_clear(&lines.text);
	if (!status && broken) {
		err_set(err, ERR_DB_DAMAGED, "the database breaks %zu invariants", broken);
		status = err_hint(err, "build or install it again");
	}
	return status;
}

/* Of the whole file; the digest inside is that of the fact text. */
static int put_digest(const struct common_options *options, struct buf *out, struct err *err)
{
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(options->limits.pack_bytes);
	int status = whole_read(database_path(options->db), &options->limits, &bytes, err);
	char hex[SHA256_HEX_BYTES];

	if (status)
		return status;
	sha256_of(buf_str(&bytes), hex);
	buf_printf(out, "SHA-256    %s\n", hex);
	return 0;
}

static int run_verify(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct err failure = { 0 };
	int printed, status;

	buf_printf(&text, "file       %s\nbuild      %.*s\n", database_path(options->db),
		STR_ARG(opdb_info(options->opdb)->build));
	status = put_digest(options, &text, err);
	if (!status)
		status = verify_facts(options->opdb, arguments, &text, err);
	printed = output_print(buf_str(&text), &failure);
	if (status || !printed)
		return status;
	*err = failure;
	return printed;
}

static const struct option verify_table[] = {
	OPTION_DB,
	{ 0 },
};

const struct command cmd_db_verify = {
	.name = "db verify",
	.summary = "check the database, and against its fact text if given",
	.usage = "[TEXT_DIR] [--db FILE]",
	.examples = "  opcheck db verify opdb",
	.options = verify_table,
	.options_size = sizeof(struct common_options),
	.max_operands = 1,
	.database = true,
	.run = run_verify,
};
