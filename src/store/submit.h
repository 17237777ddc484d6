#pragma once
/*
 * The use case of the service: an uploaded dump becomes an assessment that is kept, or is found to be one already.
 *
 * The id of an assessment is the SHA-256 over these fields, each preceded by its length: digest of the dump, its name,
 * the options as JSON, name and value of every limit that a report depends on, digest of the support database, version
 * of opcheck. The same submit therefore answers with the same assessment, and a new database makes a new one.
 */
#include "base/limits.h"
#include "check/check.h"
#include "opdb/db/opdb.h"
#include "store/record.h"

struct submission {
	struct upload *upload;     /* ended */
	struct str name;           /* what the report calls the dump */
	const struct str *targets; /* as a user writes them; none: the newest stable releases */
	size_t target_count;
	struct str torch;   /* only releases for this version of PyTorch; "": any */
	struct str fail_on; /* words of the gate; "": none */
	struct stated stated;
};

/* 1 for a new assessment, 0 for one that was there; *ret is the assessment. The errors of target_resolve,
   gate_parse, check_run, stated_allows and store_keep. */
int store_submit(struct store *store, const struct opdb *db, const struct limits *limits,
	const struct submission *submission, struct arena *arena, struct record *ret, struct err *err);
