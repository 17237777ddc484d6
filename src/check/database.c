#include "check/database.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
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

/* $OPCHECK_OVERLAY: paths with ':' between them, for what always holds at a site. */
static int lay_usual_overlays(struct opdb *db, const struct limits *limits, struct err *err)
{
	const char *usual = getenv("OPCHECK_OVERLAY");
	struct str rest = str_from(usual ? usual : ""), part;
	char path[PATH_MAX];
	int status = 0;

	while (!status && rest.len && str_cut(&rest, ':', &part)) {
		if (!part.len)
			continue;
		if (snprintf(path, sizeof(path), "%.*s", STR_ARG(part)) >= PATH_MAX)
			return err_set(err, ERR_FACT, "a path in OPCHECK_OVERLAY is too long");
		status = opdb_add_overlay(db, path, limits->overlay_bytes, err);
	}
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
