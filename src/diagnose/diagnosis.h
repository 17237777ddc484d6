#pragma once
/*
 * The contents of logs: known faults, each with its first line and count, and unknown errors, gathered by their form:
 * lines that differ in numbers alone are one. An unknown code of a vendor is named.
 */
#include "assess/model/result.h"
#include "base/memory/arena.h"
#include "base/memory/map.h"
#include "base/setup/limits.h"
#include "diagnose/doctor.h"
#include "diagnose/faults.h"
#include "opdb/db/names.h"

struct log_place {
	struct str path, text; /* of the first line, shown */
	struct str code;       /* of an unknown error: "EI0777"; "" for none */
	uint64_t line, count;
	uint64_t first, last; /* lines among all that were read */
};

/* An operator or a kernel that a fault is about. */
struct fault_subject {
	size_t fault;
	struct str name, dtype; /* "aten::isin.out", or "aclnnExpm1" and "DT_DOUBLE" */
	struct str path;        /* of the first line that names it */
	uint64_t line;
	struct str op; /* "aten::expm1" of the kernel, if it has only one: diagnosis_name_kernels; else "" */
	uint64_t count;
};

struct diagnosis {
	struct arena arena;
	struct fault_book book;
	struct log_place *faults; /* by fault of the book; count 0: not met */
	MEM_LIST(struct fault_subject) subjects;
	MEM_LIST(struct log_place) unknown;
	struct map by_form;       /* of unknown ones */
	struct doctor versions;   /* that the logs name; rows: diagnosis_compare */
	struct str kernel;        /* that the last line named: "aclnnExpm1" */
	uint64_t lines, left_out; /* errors past the most */
	uint64_t most;
};

/* Returns the positions of the faults that were met: causes first, each level by its first line. Free it. */
size_t *diagnosis_in_order(const struct diagnosis *diagnosis, size_t *ret_count);

int diagnosis_open(const struct limits *limits, struct diagnosis *ret, struct err *err);
void diagnosis_clear(struct diagnosis *diagnosis);

/* Reads a log: text in any encoding, plain or compressed. ERR_OPEN, ERR_LIMIT. */
int diagnosis_read(struct diagnosis *diagnosis, const char *path, const struct limits *limits, struct err *err);

/* Finds the operators of kernels. The errors of opdb_names_of_call. */
int diagnosis_name_kernels(struct diagnosis *diagnosis, const struct opdb *db, struct err *err);

/* Compares the versions that the logs name with the releases, where they do not fit or a fault is about versions. */
void diagnosis_compare(struct diagnosis *diagnosis, const struct opdb *db);

/* A line of an overlay that says what the log showed of an operator: appended, or nothing when it shows too little. */
void diagnosis_put_overlay(const struct diagnosis *diagnosis, const struct fault_subject *subject, struct buf *out);
