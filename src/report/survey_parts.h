#pragma once
/* What the forms of a survey share: which releases are shown as one line, and the sentences about moves. */
#include "report/answers.h"
#include "report/doc_build.h"

/* Releases in a row whose figures and blockers are the same; a release of a move stands alone. */
struct survey_group {
	size_t first, last; /* positions in the survey */
	size_t count;       /* of those that are shown */
	bool is_from, is_to;
};

/* The next group from *at on, which moves behind it. False at the end. all: every release is a group, development heads
   too. */
bool survey_next_group(const struct survey *survey, bool all, size_t *at, struct survey_group *ret);

/* "npu@v2.7.1-7.2.0..26.1.0" */
struct str survey_span_of(struct doc *doc, const struct survey *survey, const struct survey_group *group);

/* Names of operators, at most so many, and how many more: "aten::a, aten::b, ... +3". */
struct str survey_names_of(struct doc *doc, const struct survey *survey, const struct survey_set *set, size_t most);

/* An operator that blocks somewhere. */
struct survey_blocked {
	uint32_t op;
	size_t on[TARGET_COUNT]; /* releases shown that it blocks */
	size_t of[TARGET_COUNT]; /* releases shown */
	/* the first shown release on which it neither blocks nor is unknown; NULL: none */
	const char *since[TARGET_COUNT];
};

/* All of them, largest share first; on the heap. */
struct survey_blocked *survey_list_blocked(const struct survey *survey, bool all, size_t *ret_count);
