/* The part of a report on a dump that was made on a device: what was predicted beside what the device did. */
#include "report/load_seen.h"
#include "report/part.h"
#include "report/pieces.h"
#include "report/sections.h"

static bool is_shown(const struct result *result)
{
	return result->agreement_count;
}

const struct report_part part_agreement = {
	.key = "agreement",
	.shown = is_shown,
	.put_json = json_put_agreements,
	.load = load_agreements,
	.build = agreements_build,
};
