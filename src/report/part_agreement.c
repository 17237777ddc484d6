/* The part of a report on a dump that was made on a device: what was predicted beside what the device did. */
#include "report/part.h"
#include "report/sections.h"

static bool is_shown(const struct result *result)
{
	return result->agreement_count;
}

const struct report_part part_agreement = { is_shown, agreements_build };
