#pragma once
/* The records of the report; other answers have some of them, too. */
#include "assess/model/result.h"
#include "record/record.h"
#include "report/doc/doc.h"

extern const struct record report_record; /* struct result */
extern const struct record header_record; /* struct result: schema, tool, database, what was assumed, and basis */
extern const struct record verdict_record, device_record, coverage_record, agreement_record;
extern const struct record bucket_place_record;
extern const struct record time_range_record; /* struct time_range, in microseconds */
extern const struct record verdict_by_target; /* of a map */
extern const struct record message_record;    /* struct message: rule, English text, parameters */

void render_json(const struct result *result, const struct render_options *options, struct buf *out);
