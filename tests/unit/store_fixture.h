#pragma once
/* A service without its sockets: the support database of the unit tests, and a fresh state directory for each test. */
#include "server/http/request.h"
#include "server/http/reply.h"
#include "server/jobs/job.h"
#include "server/service/service.h"
#include "server/service/resolution.h"
#include "tests/unit/opdb_fixture.h"

struct store_fixture {
	struct fixture *database; /* of the group */
	char directory[256];
	struct service service;
	struct limits limits; /* of the service */
	struct arena arena;
};

/* Setup and teardown of the group and of each test; *state of a test is a struct store_fixture. */
int store_group_setup(void **state);
int store_group_teardown(void **state);
int store_setup(void **state);
int store_teardown(void **state);

/* A test with a state directory of its own. */
#define store_test(function) cmocka_unit_test_setup_teardown(function, store_setup, store_teardown)
#define run_store_group(tests) cmocka_run_group_tests(tests, store_group_setup, store_group_teardown)

/* Closes the store and opens it again. */
void store_reopen(struct store_fixture *fixture);

/* DIRECTORY/name, as long as the fixture. */
const char *state_path(struct store_fixture *fixture, const char *name);

/* How many entries a directory of the state has. */
size_t state_count(struct store_fixture *fixture, const char *name);

/* An upload that holds this text, ended. */
struct upload *upload_of(struct store_fixture *fixture, struct str text);

/* Submits an upload without a process of its own: 1 for a new assessment, 0 for one that was there, or the error. */
int submit_here(struct store_fixture *fixture, struct upload *upload, struct submission *submission,
	struct stored_assessment *ret, struct err *err);

/* Answers a request whose route is found; a job that it waits for is done here. */
int answer_here(struct store_fixture *fixture, struct request *request, struct reply *reply, struct err *err);

/* A small real dump, to be cleared. */
struct buf small_dump(void);
