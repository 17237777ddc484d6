#include "check/database/database.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "opdb/db/overlay.h"

/* A path relative to the directory of the running program, if a file is there. */
static const char *beside_program(const char *relative)
{
	static char path[PATH_MAX];
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (len <= 0)
		return NULL;
	program[len] = '\0';
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

int database_open(struct str given, struct opdb **ret, struct err *err)
{
	int status = opdb_open(database_path(given), ret, err);

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

static int lay_usual_overlays(struct opdb *db, const struct limits *limits, struct err *err)
{
	struct str rest = usual_overlays();
	char path[PATH_MAX];
	int status = 0;

	while (!status && next_usual_overlay(&rest, path))
		status = opdb_add_overlay(db, path, limits->overlay_bytes, err);
	return status;
}

static int lay_overlays(struct opdb **db, const struct str_list *overlays, const struct limits *limits, struct err *err)
{
	int status = lay_usual_overlays(*db, limits, err);

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
	int status = opdb_open(path, ret, err);

	return status ? status : lay_overlays(ret, overlays, limits, err);
}

int database_open_with(struct str given, const struct str_list *overlays, const struct limits *limits,
	struct opdb **ret, struct err *err)
{
	int status = database_open(given, ret, err);

	return status ? status : lay_overlays(ret, overlays, limits, err);
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
	char usual[PATH_MAX];

	while (next_usual_overlay(&rest, usual))
		version = file_version(version, usual);
	for (size_t i = 0; i < overlays->count; i++)
		version = file_version(version, overlays->items[i].ptr);
	return version;
}
