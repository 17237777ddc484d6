#pragma once
/*
 * Changes between two releases or two databases apart from the status: the unit that runs a type, accepted types,
 * reports. For `db diff` and the service's page of two releases.
 */
#include "base/memory/arena.h"
#include "opdb/diff.h"
#include "report/doc/doc.h"

struct diff_detail {
	struct str release; /* of two databases; "" where two releases are compared */
	struct op_detail what;
	size_t place; /* in the order in which they came */
};

struct diff_details {
	struct diff_detail *items; /* on the heap */
	size_t count, capacity;
	size_t left_out;    /* beyond the most that are kept */
	struct str release; /* of those that come next */
	struct arena arena;
};

#define DIFF_DETAILS_INIT ((struct diff_details){ .release = STR(""), .arena = ARENA_INIT(ARENA_UNLIMITED) })

void diff_details_clear(struct diff_details *details);

/* The sink of opdb_diff; ctx: struct diff_details. Texts are copied. */
int diff_details_add(void *ctx, const struct op_detail *what);

/* By operator; those that differ in the release alone stand together. */
void diff_details_sort(struct diff_details *details);

/* Returns the number of equal details from this one on, of other releases, itself included. They are sorted. */
size_t diff_details_same(const struct diff_details *details, size_t at);

/* "AI Core or AI CPU (Sort)": the unit or API of the types before (0) or after (1), in the document's language, with
   the kernels on the AI CPU if these changed. Not for reports. */
struct str diff_side_text(struct doc *doc, const struct op_detail *what, unsigned side);

/* A list in the open section; sorted ones. */
void diff_details_build(struct doc *doc, const struct diff_details *details);
