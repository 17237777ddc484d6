#pragma once
/* Releases with the versions that belong together, as a table of a page. */
#include "opdb/model/release.h"
#include "report/doc/doc_build.h"

struct opdb;

/* Returns the id of a target's name on pages; the fate of an operator without a kernel, in the page's language. */
const char *release_group_label(enum target_kind target);
struct str release_fallback(struct doc *doc, const struct release *release);

/* Returns the address of a release's own page, "" if it has none. */
typedef struct str release_address(void *ctx, struct doc *doc, const struct release *release);

/* The table of some releases, and of all of a target under its name, the newest first. address may be NULL. */
void release_rows_build(
	struct doc *doc, const struct release *releases, size_t count, release_address *address, void *ctx);
void release_table_build(
	struct doc *doc, const struct opdb *db, enum target_kind target, release_address *address, void *ctx);
