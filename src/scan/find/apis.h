#pragma once
/*
 * Python APIs that a release does not support: its vendor's documents say so, or the operator that the API is about has
 * neither a kernel nor another way there.
 */
#include "opdb/db/opdb.h"
#include "opdb/db/target.h"
#include "scan/find/program.h"

/* A call of such an API on one target; node: the call. */
struct api_finding {
	const struct script *script;
	uint32_t node;
	struct str name, source; /* of the API; address of the document, or "" */
	const struct target *target;
	enum source_action action;
};

struct api_request {
	const struct program *program;
	const struct opdb *db;
	const struct target *targets;
	size_t target_count;
	struct arena *arena; /* of names and sources */
};

/* Calls found for each such call and target, script by script. ERR_DB_DAMAGED, ERR_LIMIT. */
int apis_find(const struct api_request *request, void (*found)(void *ctx, const struct api_finding *finding), void *ctx,
	struct err *err);
