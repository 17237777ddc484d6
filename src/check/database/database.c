#include "check/database/database.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "check/database/pack.h"
#include "opdb/db/lists.h"
#include "opdb/db/overlay.h"

enum { DATABASE_HEAD_BYTES = 3 << 20 };

/* A path relative to the directory of the running program, if a file is there. */
static const char *beside_program(const char *relative)
{
	static char path[PATH_MAX];
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (len > 0)
		program[len] = '\0';
	else /* a root without /proc */
		snprintf(program, sizeof(program), "%s", (const char *)getauxval(AT_EXECFN));
	slash = strrchr(program, '/');
	if (!slash || snprintf(path, sizeof(path), "%.*s/%s", (int)(slash - program), program, relative) >= PATH_MAX)
		return NULL;
	return access(path, R_OK) == 0 ? path : NULL;
}

const char *database_path(struct str given)
{
	static const char *const places[] = { "opdb.sqlite", "../opdb/opdb.sqlite", "../share/opcheck/opdb.sqlite" };
	static char path[PATH_MAX];
	const char *from_environment = getenv("OPCHECK_DB"), *found = NULL;

	if (given.len || (from_environment && from_environment[0])) {
		snprintf(path, sizeof(path), "%.*s", given.len ? (int)given.len : PATH_MAX,
			given.len ? given.ptr : from_environment);
		return path;
	}
	for (size_t i = 0; i < ARRAY_SIZE(places) && !found; i++)
		found = beside_program(places[i]);
	return found ? found : OPCHECK_DATADIR "/opdb.sqlite";
}

void database_head_path(const char *database, char ret[DATABASE_PATH_BYTES])
{
	snprintf(ret, DATABASE_PATH_BYTES, "%s.pack", database);
}

/* Names the pack that the file was installed from. The head of another one, beside a file that was put there by hand,
   does not count. */
static int name_pack(struct opdb *db, const char *path, struct err *err)
{
	CLEANUP(pack_clear) struct pack head = { .content = BUF_INIT(DATABASE_HEAD_BYTES) };
	const struct opdb_info *info = opdb_info(db);
	const struct limits limits = limits_default();
	char head_path[DATABASE_PATH_BYTES];
	int status;

	database_head_path(path, head_path);
	if (access(head_path, F_OK))
		return 0;
	status = whole_read(head_path, &limits, &head.content, err) ?: pack_take_head(&head, err);
	if (status) {
		err_hint(err, "remove the file, or install the pack again");
		return err_where(err, "%s", head_path);
	}
	if (str_eq(info->build, str_from(head.build)) && str_eq(info->sha256, str_from(head.facts_sha256)))
		opdb_name_pack(db, str_from(head.sha256), head.signatures.len > 0);
	return 0;
}

static int open_file(const char *path, struct opdb **ret, struct err *err)
{
	struct opdb *db = NULL;
	int status = opdb_open(path, &db, err) ?: name_pack(db, path, err);

	if (status)
		opdb_close(db);
	else
		*ret = db;
	return status;
}

int database_open(struct str given, struct opdb **ret, struct err *err)
{
	int status = open_file(database_path(given), ret, err);

	if (status)
		err_hint(err,
			"build it with `opcheck db build OPDB_DIR -o opdb.sqlite`, name it with --db or $OPCHECK_DB");
	return status;
}

/* The next path of $OPCHECK_OVERLAY, separated by ':': overlays of a site. False after the last. */
static bool next_usual_overlay(struct str *rest, char ret[PATH_MAX])
{
	struct str part;

	while (rest->len && str_cut(rest, ':', &part)) {
		if (part.len) {
			snprintf(ret, PATH_MAX, "%.*s", STR_ARG(part)); /* one that is cut is not found */
			return true;
		}
	}
	return false;
}

static struct str usual_overlays(void)
{
	const char *usual = getenv("OPCHECK_OVERLAY");

	return str_from(usual ? usual : "");
}

int database_lay_overlays(
	struct opdb **db, const struct str_list *overlays, const struct limits *limits, struct err *err)
{
	struct str usual = usual_overlays();
	char path[PATH_MAX];
	int status = 0;

	while (!status && next_usual_overlay(&usual, path))
		status = opdb_add_overlay(*db, path, limits->overlay_bytes, err);
	for (size_t i = 0; i < overlays->count && !status; i++)
		status = opdb_add_overlay(*db, overlays->items[i].ptr, limits->overlay_bytes, err);
	if (status) {
		opdb_close(*db);
		*db = NULL;
	}
	return status;
}

int database_open_at(const char *path, const struct str_list *overlays, const struct limits *limits, struct opdb **ret,
	struct err *err)
{
	int status = open_file(path, ret, err);

	return status ? status : database_lay_overlays(ret, overlays, limits, err);
}

int database_open_with(struct str given, const struct str_list *overlays, const struct limits *limits,
	struct opdb **ret, struct err *err)
{
	int status = database_open(given, ret, err);

	return status ? status : database_lay_overlays(ret, overlays, limits, err);
}

int database_open_pack(const char *path, const struct pack_trust *trust, const struct limits *limits, struct opdb **ret,
	struct err *err)
{
	CLEANUP(pack_clear) struct pack pack;
	int status = pack_read(path, limits, trust, &pack, err) ?: opdb_open_memory(pack.database, ret, err);

	if (status)
		return err_where(err, "%s", path);
	opdb_name_pack(*ret, str_from(pack.sha256), pack.signatures.len > 0);
	return 0;
}

static uint64_t file_version(uint64_t seed, const char *path)
{
	struct stat file;
	int64_t parts[5] = { 0 };

	if (stat(path, &file) == 0) {
		parts[0] = (int64_t)file.st_dev;
		parts[1] = (int64_t)file.st_ino;
		parts[2] = file.st_size;
		parts[3] = file.st_mtim.tv_sec;
		parts[4] = file.st_mtim.tv_nsec;
	}
	return hash_str(seed, (struct str){ (const char *)parts, sizeof(parts) });
}

uint64_t database_version(const char *path, const struct str_list *overlays)
{
	uint64_t version = file_version(hash_seed(), path);
	struct str rest = usual_overlays();
	char usual[PATH_MAX], head[DATABASE_PATH_BYTES];

	database_head_path(path, head);
	version = file_version(version, head);
	while (next_usual_overlay(&rest, usual))
		version = file_version(version, usual);
	for (size_t i = 0; i < overlays->count; i++)
		version = file_version(version, overlays->items[i].ptr);
	return version;
}
