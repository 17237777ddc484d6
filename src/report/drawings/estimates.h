#pragma once
/* Device times estimated from shapes (assess/model/result_estimate.h). */
#include "report/doc/sheet.h"
#include "report/record/records.h"

void estimates_build(struct doc *doc, const struct result *result);

/* One line for each target that has an estimate. */
void estimate_lines_build(struct doc *doc, const struct result *result);

/* The sentence with the interval, "910B2: 158-405 ms for 4 steps, estimated from shapes; ..."; or the refusal. */
struct message estimate_say(struct arena *arena, const struct result_estimate *estimate);

/* "158-405 ms", in the unit of the longer one; "158 ms". */
struct str estimate_span(struct arena *arena, struct time_range time);
struct str estimate_time(struct arena *arena, int64_t ns);

extern const struct sheet_shape estimate_shape;

/* The rows of each target: the whole, classes of work, operators; or the reason of a refusal. */
void estimate_put_rows(const void *result, struct sheet *sheet);
