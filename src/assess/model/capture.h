#pragma once
/* What a dump could not show, and what that hides. */
#include "assess/model/result.h"
#include "dump/common/format.h"
#include "io/source.h"
#include "op/profile.h"

/* One dump of an assessment. */
struct assess_input {
	struct source_facts source; /* its name must outlive the call */
	struct dump_facts dump;
	size_t place;     /* of its sink among those of the profile */
	uint64_t content; /* profile_content of its part */
	size_t same_as;   /* the position of an earlier dump that holds the same, and one; 0: none */
};

/* Describes the dump. Texts live in arena. */
void capture_describe(
	struct arena *arena, const struct assess_input *input, const struct profile *profile, struct result_input *ret);

/* Whether rows of some dump are missing that may hold other shapes of the operators that are there. */
bool capture_hides_rows(const struct assess_input *inputs, size_t count);

/* Whether some dump's warnings say that operators may be hidden. */
bool capture_hides_operators(const struct result_input *inputs, size_t count);
