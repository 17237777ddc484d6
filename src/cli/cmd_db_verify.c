#include "base/mem.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "check/database.h"
#include "check/pack.h"
#include "cli/cmd_db.h"
#include "opdb/verify.h"

struct lines {
	struct buf text;
	const char *prefix;
};

/* What a damaged file says of itself goes to a terminal. */
static void put_line(void *ctx, struct str line)
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

/* The text that the database says it was built from, if the caller has it. */
static int check_text(
	const struct opdb *db, const struct arguments *arguments, struct lines *lines, size_t *broken, struct err *err)
{
	struct str sha256 = opdb_info(db)->sha256;
	char found[OPDB_DIGEST_BYTES];
	int status = arguments->count > 1 ? opdb_text_digest(arguments->items[1], found, err) : 0;

	if (status || arguments->count < 2 || str_eq(sha256, str_from(found)))
		return status;
	put_line(lines, STR("the fact text in that directory is another than it was built from"));
	(*broken)++;
	return 0;
}

static int verify(const struct opdb *db, const struct arguments *arguments, struct buf *out, struct err *err)
{
	struct lines lines = { .text = BUF_UNLIMITED, .prefix = "broken     " };
	size_t broken = 0;
	int status = opdb_verify(db, put_line, &lines, &broken, err);

	if (!status)
		status = check_text(db, arguments, &lines, &broken, err);
	if (!status && !broken) {
		buf_add(&lines.text, STR("integrity  fine\n"));
		status = put_coverage(db, &lines.text, err);
	}
	lines.prefix = "gap        ";
	if (!status && !broken)
		status = opdb_gaps(db, put_line, &lines, err);
	buf_add(out, buf_str(&lines.text));
	buf_clear(&lines.text);
	if (!status && broken) {
		err_set(err, ERR_DB_DAMAGED, "the database breaks %zu invariants", broken);
		status = err_hint(err, "build it again from its text, or install it again");
	}
	return status;
}

/* Of the file as it lies there; the one inside is that of the fact text. */
static int put_digest(const struct db_options *options, struct buf *out, struct err *err)
{
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(limits.pack_bytes);
	int status = pack_read_file(database_path(options->db), &limits, &bytes, err);
	char hex[SHA256_HEX_BYTES];

	if (status)
		return status;
	pack_digest(buf_str(&bytes), hex);
	buf_printf(out, "SHA-256    %s\n", hex);
	return 0;
}

int db_run_verify(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct buf text = BUF_UNLIMITED;
	struct err failure = { 0 };
	struct opdb *db = NULL;
	int printed, status = database_open(options->db, &db, err);

	if (status)
		return status;
	buf_printf(
		&text, "file       %s\nbuild      %.*s\n", database_path(options->db), STR_ARG(opdb_info(db)->build));
	status = put_digest(options, &text, err);
	if (!status)
		status = verify(db, arguments, &text, err);
	printed = common_print(buf_str(&text), &failure);
	buf_clear(&text);
	opdb_close(db);
	if (status || !printed)
		return status;
	*err = failure;
	return printed;
}
