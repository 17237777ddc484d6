#pragma once
/* Support of a Python API by a vendor's tables. */
#include "base/memory/arena.h"
#include "base/setup/err.h"

struct opdb;
struct release;

enum { API_NOT_SAID, API_SUPPORTED, API_NOT_SUPPORTED };

struct api_support {
	unsigned says;      /* supported: on some chips at least */
	bool is_of_release; /* the tables are those of the release; else of the nearest one */
	struct str url;     /* lives in the database */
};

/* ERR_DB_DAMAGED. */
int opdb_api_support(
	const struct opdb *db, struct str api, const struct release *release, struct api_support *ret, struct err *err);

/* One row of these tables about an API. */
struct api_limit {
	unsigned says;
	struct str chips;                    /* "all", or series of chips joined by blanks */
	struct str types, excluded, remarks; /* data types; words of "cpu" (may run there) and "other"; "" for none */
};

struct api_limits {
	struct arena *arena; /* set by the caller: the texts live there */
	struct api_limit *items;
	size_t count;
	struct str url; /* "": the target has no such tables */
};

/* All that they say of it. ERR_DB_DAMAGED, ERR_LIMIT. */
int opdb_api_limits(
	const struct opdb *db, struct str api, const struct release *release, struct api_limits *ret, struct err *err);
