#pragma once
/* Sections that stand on their own: one file each, one line in the table. One that has nothing to say is left out. */
#include "assess/model/result.h"
#include "report/doc_build.h"

struct report_part {
	bool (*shown)(const struct result *result);
	void (*build)(struct doc *doc, const struct result *result); /* a section behind the operators */
};

extern const struct report_part *const report_parts[]; /* in their order on the page */
extern const size_t report_part_count;

extern const struct report_part part_implied, part_training, part_agreement, part_traffic;
