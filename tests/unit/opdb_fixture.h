#pragma once
/* A database, built once for a group of tests from the fact text of tests/unit/facts, and opened. */
#include "opdb/db/opdb.h"
#include "opdb/resolve/resolve.h"
#include "tests/unit/files.h"

struct fixture {
	char directory[256]; /* of its own, removed at the end with the files the fixture knows */
	char path[320];      /* of the database */
	struct opdb *db;
	struct resolver *resolver;
};

/* Group setup and teardown; *state is a struct fixture. Correcting a fact of opdb/ changes nothing here. */
int fixture_build(void **state);
int fixture_clean(void **state);

/* The release that a spec means; fails the test when it means none. */
struct target target_named(const struct fixture *fixture, const char *spec);

/* What becomes of "ns::base" or "base" (aten) on a spec; an overload may follow behind a dot. */
struct answer answer_on(const struct fixture *fixture, const char *spec, const char *name, enum reading reading);
