#pragma once
/* Operators, releases and recipes as static pages, in every language: what the service's own pages show. */
#include "check/asked/targets.h"

struct site_request {
	const struct opdb *db;
	const char *version;               /* of the program, for the foot of pages */
	const struct target_list *targets; /* shown in detail */
	size_t releases;                   /* the newest of each family that have a page */
	const char *folder;
};

struct site_result {
	size_t operators, releases, recipes, files;
	uint64_t bytes;
};

/* Write it; the same request and database give the same bytes. A folder with other files is ERR_EXISTS; pages of an
   earlier site that the new one lacks are removed. ERR_OUTPUT, ERR_DB_DAMAGED, ERR_LIMIT. */
int site_write(const struct site_request *request, struct site_result *ret, struct err *err);
