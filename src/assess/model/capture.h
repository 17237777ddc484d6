#pragma once
/* Gaps of a dump and their consequences. */
#include "assess/model/operators.h"
#include "dump/common/format.h"
#include "io/source.h"
#include "op/profile.h"
#include "opdb/db/target.h"

/* One dump of an assessment. */
struct assess_input {
	struct source_facts source; /* its name must outlive the call */
	struct dump_facts dump;
	size_t place;     /* of its sink among those of the profile */
	uint64_t content; /* profile_content of its part */
	size_t same_as;   /* the position of an earlier dump that holds the same, and one; 0: none */
	/* Of one run that several dumps show: the position of the dump whose calls and times count, and one; 0: its
	   own do. */
	size_t counted_in;
	bool rows_elsewhere; /* rows that it lacks are in another dump of its run */
};

/* Inputs of the description of dumps. */
struct capture_context {
	const struct profile *profile;
	const struct operators *operators;
	int64_t max_uncovered_ppm; /* of the time: when more is of no operator, operators may be hidden */
};

/* Describes the dump. Texts live in arena. */
enum { USUAL_MAX_UNCOVERED_PPM = 50000 };
void capture_describe(struct arena *arena, const struct assess_input *input, const struct capture_context *context,
	struct result_input *ret);

/* Where a dump first shows the operator; NULL where it has no such place, as the cells of a notebook. In arena. */
struct result_spot *capture_first_seen(
	struct arena *arena, const struct assess_input *inputs, size_t count, const struct op *op);

/* Returns whether some dump lacks rows that may have other shapes of its operators. */
bool capture_hides_rows(const struct assess_input *inputs, size_t count);

/* The same of the steps that shapes are compared in: one whose table the end of the text tore is none of them. */
bool capture_hides_rows_of_steps(const struct assess_input *inputs, size_t count);

/* Returns whether warnings of some dump mean that operators may be hidden. */
bool capture_hides_operators(const struct result_input *inputs, size_t count);
