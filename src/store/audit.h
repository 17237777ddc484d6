#pragma once
/* Actions and refusals with their token. Secrets are never recorded: a token is named by its id. */
#include "store/assessments.h"

struct audit {
	uint64_t number, at;        /* given by the store; seconds since 1970 */
	struct str who, address;    /* "token ID", "user NAME", "local", "anonymous", "system user 0" */
	struct str action, subject; /* method and route; id of what it was about, or "" */
	struct str request;         /* id of the request, as in the log */
	unsigned status;            /* of the answer; 0: of a command */
};

/* Appends entries, all or none. */
int store_add_audits(struct store *store, const struct audit *entries, size_t count, struct err *err);

struct audit_list {
	struct audit *items; /* the newest first */
	size_t count;
	bool more;
};

int store_list_audits(struct store *store, const struct list_page *page, struct arena *arena, struct audit_list *ret,
	struct err *err);

/* --- for the store alone */

struct db;

/* Appends one; hold the lock. */
int audit_add(struct db *db, const struct audit *audit, struct err *err);
