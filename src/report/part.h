#pragma once
/*
 * Parts of a report that stand on their own: one file each, one line in the table, one key in the JSON report.
 *
 * A part that has nothing to say writes no key and no section; a report that lacks the key is loaded without it.
 */
#include "assess/model/result.h"
#include "json/jsonw.h"
#include "report/doc_build.h"
#include "report/values.h"

struct report_part {
	const char *key; /* in the JSON report; NULL: what it shows stands elsewhere there */
	bool (*shown)(const struct result *result);
	void (*put_json)(struct jsonw *json, const struct result *result); /* the value of the key */
	void (*load)(struct loader *loader, const cJSON *root, struct result *ret);
	void (*build)(struct doc *doc, const struct result *result); /* a section behind the operators */
};

extern const struct report_part *const report_parts[]; /* in their order on the page */
extern const size_t report_part_count;

extern const struct report_part part_implied, part_training, part_agreement, part_traffic;
