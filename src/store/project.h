#pragma once
/* Projects. The waivers of a project are a text (opcheck-waivers(5)) for its later runs, empty at first. All text
   lives in the arena that is given. */
#include "base/value/sha256.h"
#include "store/assessments.h"

struct project_waivers {
	struct str text;
	char sha256[SHA256_HEX_BYTES]; /* of the text */
};

int store_project_waivers(
	struct store *store, struct str project, struct arena *arena, struct project_waivers *ret, struct err *err);

struct waivers_change {
	struct str project, text;
	struct str before; /* digest of the text that it takes the place of */
};

/* 1, or 0 if the project's text has changed meanwhile. */
int store_set_project_waivers(struct store *store, const struct waivers_change *change, struct err *err);

/* An operator, and how many runs have it among those with the largest share of their time. */
struct operator_use {
	struct str op;
	uint64_t runs;
};

struct use_list {
	struct operator_use *items; /* ordered by runs, most first */
	size_t count;
};

struct use_query {
	struct str project;
	size_t max;
};

int store_list_uses(
	struct store *store, const struct use_query *query, struct arena *arena, struct use_list *ret, struct err *err);
