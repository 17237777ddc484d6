#pragma once
/* The path of the support database, for the command line and the service. */
#include "base/setup/limits.h"
#include "base/setup/opt.h"
#include "opdb/db/opdb.h"

struct pack_trust;

/* Path of the database: given, $OPCHECK_DB, beside the program, or as installed. Static text: ask in one thread. */
const char *database_path(struct str given);

/* Opens it. The errors of opdb_open, with a hint where to get one. */
int database_open(struct str given, struct opdb **ret, struct err *err);

/* Opens the one at path and lays the overlays of $OPCHECK_OVERLAY, and then these files, over it. The errors of
   opdb_open and opdb_add_overlay. */
int database_open_at(const char *path, const struct str_list *overlays, const struct limits *limits, struct opdb **ret,
	struct err *err);

/* Another number when the file, an overlay of $OPCHECK_OVERLAY or one of these has been changed or put in its place. */
uint64_t database_version(const char *path, const struct str_list *overlays);

/* database_open with overlays. */
int database_open_with(struct str given, const struct str_list *overlays, const struct limits *limits,
	struct opdb **ret, struct err *err);

/* Opens the database in a pack. The errors of pack_read and opdb_open. */
int database_open_pack(const char *path, const struct pack_trust *trust, const struct limits *limits, struct opdb **ret,
	struct err *err);

/* Lays the overlays of $OPCHECK_OVERLAY, and then these files, over it; closes it on an error. */
int database_lay_overlays(
	struct opdb **db, const struct str_list *overlays, const struct limits *limits, struct err *err);

/* Path of the file beside a database that has the head of the pack it was installed from. */
enum { DATABASE_PATH_BYTES = 4096 + 64 };
void database_head_path(const char *database, char ret[DATABASE_PATH_BYTES]);
