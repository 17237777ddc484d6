#pragma once
/* Of a scan beside a dump: the lines that call the operators which findings are about. */
#include "assess/model/result.h"
#include "base/map.h"
#include "report/doc_build.h"

struct callings_index {
	const struct result *result;
	struct map by_name;
};

/* The result must outlive it; callings_index_clear gives its memory back. */
struct callings_index callings_index_of(const struct result *result);
void callings_index_clear(struct callings_index *index);

/* NULL for an operator of which no line is known. */
const struct result_callings *callings_find(const struct callings_index *index, struct str operator_name);

/* A section: each operator with its findings and its lines. Text has those alone that errors and warnings are about,
   unless all is asked for. */
void callings_build(struct doc *doc, const struct result *result);
