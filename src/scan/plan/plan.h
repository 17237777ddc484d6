#pragma once
/*
 * The migration plan of a program to one target: findings of dump and scripts together, the size of the patch, the
 * effort, and tests for the first day on the device.
 */
#include "report/doc/doc.h"
#include "scan/find/scan.h"
#include "scan/plan/effort.h"
#include "scan/port/port.h"

struct plan_request {
	struct scan_request scan; /* of one target, with the result of the dumps; without paths: no scripts */
	const struct release *release;
	const char *dump; /* the operand, as commands of the plan name it */
	struct effort_table efforts;
	struct str efforts_name; /* of the user's file; "": the assumptions are those of opcheck */
};

struct plan {
	const struct plan_request *request;
	struct result *result; /* of the dumps, with the scan as a part where there are scripts */
	const struct release *release;
	bool has_scripts;
	bool is_distributed; /* the scripts or the dump have collectives */
	struct port port;
	struct {
		size_t files, edits, added, removed; /* lines */
	} patch;
};

/* As scan_run; the result of the dumps is the plan's, also when it fails. The request outlives it. Clear it in any
   case. */
int plan_make(const struct plan_request *request, struct plan *ret, struct err *err);
void plan_clear(struct plan *plan);

/* A script for the first day on the device: each operator at risk with the recorded sizes and types, on the CPU and on
   the device. Returns how many operators it runs; out may be NULL. */
size_t plan_put_tests(const struct plan *plan, struct buf *out);

/* The newest version of the plugin in an index that a release has, else its own. */
struct str plan_plugin_version(const struct release *release);

/* "pip install ...", what a release needs, for `text`, which has its id. */
void plan_say_install(const struct release *release, struct message *text);
