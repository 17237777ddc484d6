/* `opcheck db export`, `install` and `rollback`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/database/database.h"
#include "check/database/pack.h"
#include "cli/facts/cmd_db_diff.h"
#include "cli/shared/command.h"
#include "io/outfile.h"
#include "opdb/db/lists.h"
#include "opdb/verify.h"

/* Databases that an install keeps when it replaces them: FILE.1, the newest, to FILE.3. */
enum { KEPT = 3 };

/* --- export */

struct export_options {
	struct common_options common;
	struct str_list signing_keys;
};

static const struct option export_table[] = {
	OPTION_DB,
	{ 0, "sign", "KEY", "sign it with an Ed25519 key (PEM), repeatable", LIST(export_options, signing_keys) },
	{ 0, "force", NULL, "replace a pack that exists", FIELD(common_options, outputs.replace) },
	OPTION_QUIET("no line on standard error"),
	{ 0 },
};

static int run_export(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct export_options *options = ctx;
	const struct common_options *common = &options->common;
	uint64_t most = common->limits.pack_bytes;
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(most), pack = BUF_INIT(most);
	const char *path = arguments->items[0];
	int status = whole_read(database_path(common->db), &common->limits, &bytes, err);

	if (!status)
		status = pack_put(common->opdb, buf_str(&bytes), &options->signing_keys, &pack, err);
	if (!status)
		status = outfile_write(path, buf_str(&pack), common->outputs.replace, err);
	if (!status && !common->quiet)
		fprintf(stderr, "%s: build %.*s, %zu bytes\n", shown(str_from(path)).text,
			STR_ARG(opdb_info(common->opdb)->build), pack.len);
	return status;
}

static int settle_export(void *ctx, const struct arguments *arguments, struct err *err)
{
	return outfile_check(arguments->items[0], ((const struct common_options *)ctx)->outputs.replace, err);
}

const struct command cmd_db_export = {
	.name = "db export",
	.summary = "write the database as a pack, for machines without a network",
	.usage = "PACK [OPTION]...",
	.examples = "  opcheck db export opdb.pack --sign facts-key.pem",
	.options = export_table,
	.options_size = sizeof(struct export_options),
	.operand = "the pack to write",
	.min_operands = 1,
	.max_operands = 1,
	.database = true,
	.settle = settle_export,
	.run = run_export,
};

/* --- a file and those that it replaced */

struct place {
	char path[PATH_MAX], temporary[PATH_MAX + 32];
};

/* "FILE.2"; the file itself for 0. head: of the pack that it was installed from. */
struct kept {
	char path[PATH_MAX + 32], head[DATABASE_PATH_BYTES];
};

static struct kept kept_file(const struct place *place, unsigned number)
{
	struct kept ret;

	snprintf(ret.path, sizeof(ret.path), number ? "%s.%u" : "%s", place->path, number);
	database_head_path(ret.path, ret.head);
	return ret;
}

static int cannot_place(struct err *err, const char *path)
{
	return err_os(err, ERR_OUTPUT, errno, "cannot put %s in place", path);
}

static int find_place(struct str given, struct place *ret, struct err *err)
{
	const char *path = database_path(given);

	if (strlen(path) + KEPT >= sizeof(ret->path))
		return err_set(err, ERR_VALUE, "the path of the database is too long");
	snprintf(ret->path, sizeof(ret->path), "%s", path);
	snprintf(ret->temporary, sizeof(ret->temporary), "%s.%d.tmp", path, (int)getpid());
	return 0;
}

/* Renames a database and its head; one without a head leaves none at the new place. False where there is none. */
static bool rename_kept(const struct kept *from, const struct kept *to)
{
	if (rename(from->path, to->path))
		return false;
	if (rename(from->head, to->head))
		unlink(to->head);
	return true;
}

/* Moves FILE.2 to FILE.3 and so on, then gives the file itself the name FILE.1 beside its own: it is never missing. */
static int keep_current(const struct place *place, struct err *err)
{
	struct kept current = kept_file(place, 0), last = kept_file(place, 1);

	for (unsigned number = KEPT; number > 1; number--) {
		struct kept from = kept_file(place, number - 1), to = kept_file(place, number);

		if (!rename_kept(&from, &to) && errno != ENOENT)
			return cannot_place(err, to.path);
	}
	if ((link(current.path, last.path) || link(current.head, last.head)) && errno != ENOENT)
		return cannot_place(err, last.path);
	return 0;
}

static void count_broken(void *ctx, struct str broken)
{
	struct err *err = ctx;

	if (!err->code)
		err_set(err, ERR_DB_DAMAGED, "the database in the pack is broken: %s", shown(broken).text);
}

/* The file is opened as any database is, and has to be the one that the manifest speaks of. */
static int try_out(const char *path, const struct pack *pack, struct err *err)
{
	struct err broken = { 0 };
	struct opdb *db = NULL;
	size_t count = 0;
	int status = opdb_open(path, &db, err);

	if (!status && (!str_eq(opdb_info(db)->build, str_from(pack->build)) ||
			       !str_eq(opdb_info(db)->sha256, str_from(pack->facts_sha256))))
		status = err_set(
			err, ERR_DB_DAMAGED, "the database in the pack is not the build that its manifest names");
	if (!status)
		status = opdb_verify(db, count_broken, &broken, &count, err);
	opdb_close(db);
	if (!status && count) {
		*err = broken;
		status = -broken.code;
	}
	return status;
}

/* Returns whether the installed file is the one of the pack. */
static bool is_installed(const struct place *place, const struct pack *pack, const struct limits *limits)
{
	CLEANUP(buf_clear) struct buf bytes = BUF_INIT(limits->pack_bytes);
	struct err ignored;

	return !access(place->path, F_OK) && !whole_read(place->path, limits, &bytes, &ignored) &&
	       str_eq(buf_str(&bytes), pack->database);
}

/* The head comes first: beside another database it does not count. */
static int put_head(const struct place *place, const struct pack *pack, struct err *err)
{
	return outfile_write(kept_file(place, 0).head, pack->head, true, err);
}

static int replace_database(const struct place *place, const struct pack *pack, struct err *err)
{
	int status = outfile_write(place->temporary, pack->database, true, err);

	if (!status)
		status = try_out(place->temporary, pack, err);
	if (!status)
		status = keep_current(place, err);
	if (!status)
		status = put_head(place, pack, err);
	if (!status && rename(place->temporary, place->path))
		status = cannot_place(err, place->path);
	if (status)
		unlink(place->temporary);
	return status;
}

static const struct option install_table[] = {
	{ 0, "to", "FILE", "the database to replace", FIELD(diff_options, to) },
	OPTION_OF,
	OPTIONS_TRUST(NULL),
	OPTION_QUIET("no line on standard error"),
	{ 0 },
};

static int run_install(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct diff_options *options = ctx;
	const struct limits *limits = &options->common.limits;
	struct pack_trust trust = common_trust(&options->common);
	struct place place;
	CLEANUP(pack_clear) struct pack pack = { .build = "" };
	int status = find_place(options->to, &place, err);
	struct kept before;
	bool same = false;

	if (!status)
		status = pack_read(arguments->items[0], limits, &trust, &pack, err);
	if (!status)
		same = is_installed(&place, &pack, limits);
	if (!status)
		status = same ? try_out(place.path, &pack, err) : replace_database(&place, &pack, err);
	if (!status && same)
		status = put_head(&place, &pack, err);
	if (!status && !options->common.quiet)
		fprintf(stderr, same ? "%s: build %s is already installed\n" : "%s: build %s\n", place.path,
			shown(str_from(pack.build)).text);
	if (status || same || !options->of.count)
		return status;
	before = kept_file(&place, 1); /* none was replaced, or verdicts in the given dumps change */
	return access(before.path, F_OK)
		       ? 0
		       : db_diff_print(options, (const char *const[]){ before.path, place.path }, err);
}

const struct command cmd_db_install = {
	.name = "db install",
	.summary = "replace the database by the one in a pack; keeps the last 3",
	.usage = "PACK [OPTION]...",
	.examples = "  opcheck db install opdb.pack --to /usr/share/opcheck/opdb.sqlite",
	.options = install_table,
	.options_size = sizeof(struct diff_options),
	.operand = "the pack",
	.min_operands = 1,
	.max_operands = 1,
	.run = run_install,
};

/* --- rollback */

static const struct option rollback_table[] = {
	{ 0, "to", "FILE", "the database to replace", FIELD(diff_options, to) },
	OPTION_QUIET("no line on standard error"),
	{ 0 },
};

static int check_kept(const struct place *place, struct err *err)
{
	struct opdb *db = NULL;
	int status;

	if (access(kept_file(place, 1).path, F_OK)) {
		err_set(err, ERR_DB_OPEN, "no database was replaced at %s", shown(str_from(place->path)).text);
		return err_hint(err, "`opcheck db install` keeps the last %d", KEPT);
	}
	status = opdb_open(kept_file(place, 1).path, &db, err);
	opdb_close(db);
	return status;
}

/* FILE.1 becomes the file, FILE.2 becomes FILE.1, and the file becomes the oldest one kept, so that all stay. */
static int go_back(const struct place *place, struct err *err)
{
	struct kept current = kept_file(place, 0), last = kept_file(place, 1), aside = { 0 };
	unsigned number = 1;

	snprintf(aside.path, sizeof(aside.path), "%s", place->temporary);
	database_head_path(aside.path, aside.head);
	unlink(aside.path);
	unlink(aside.head);
	if ((link(current.path, aside.path) || link(current.head, aside.head)) && errno != ENOENT)
		return cannot_place(err, aside.path);
	if (!rename_kept(&last, &current)) {
		cannot_place(err, current.path);
		unlink(aside.path);
		unlink(aside.head);
		return -err->code;
	}
	for (; number < KEPT; number++) {
		struct kept from = kept_file(place, number + 1), to = kept_file(place, number);

		if (!rename_kept(&from, &to))
			break;
	}
	last = kept_file(place, number);
	return rename_kept(&aside, &last) || errno == ENOENT ? 0 : cannot_place(err, last.path);
}

static int run_rollback(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	const struct diff_options *options = ctx;
	struct place place;
	struct opdb *db = NULL;
	int status = find_place(options->to, &place, err);

	if (!status)
		status = check_kept(&place, err);
	if (!status)
		status = go_back(&place, err);
	if (!status)
		status = opdb_open(place.path, &db, err);
	if (!status && !options->common.quiet)
		fprintf(stderr, "%s: build %.*s\n", place.path, STR_ARG(opdb_info(db)->build));
	opdb_close(db);
	return status;
}

const struct command cmd_db_rollback = {
	.name = "db rollback",
	.summary = "go back to the database before the last install",
	.usage = "[OPTION]...",
	.examples = "  opcheck db rollback",
	.options = rollback_table,
	.options_size = sizeof(struct diff_options),
	.run = run_rollback,
};
