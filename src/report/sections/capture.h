#pragma once
/* Weaknesses of the dumps, and notes on the whole. */
#include "assess/model/result.h"
#include "report/doc/doc_build.h"

/* Returns whether a rule is among the warnings about a dump. */
bool input_has_warning(const struct result_input *input, const char *rule);

bool has_weakness(const struct result *result);
void weaknesses_build(struct doc *doc, const struct result *result); /* each with what mends it */
void notes_build(struct doc *doc, const struct result *result);
