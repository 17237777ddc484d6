#include "opdb/model/unit.h"

static const struct str unit_names[UNIT_COUNT] = {
	[UNIT_UNKNOWN] = STR("unknown"),
	[UNIT_AICORE] = STR("aicore"),
	[UNIT_HELPER] = STR("helper"),
	[UNIT_UNDECLARED] = STR("undeclared"),
	[UNIT_VARIES] = STR("varies"),
	[UNIT_MIXED] = STR("mixed"),
	[UNIT_AICPU] = STR("aicpu"),
	[UNIT_REJECTED] = STR("rejected"),
};

const struct words unit_words = { unit_names, UNIT_COUNT, UNIT_UNKNOWN };

struct str unit_name(enum unit unit)
{
	return unit_names[unit];
}

bool unit_from(struct str text, enum unit *ret)
{
	unsigned unit;
	bool found = word_find(&unit_words, text, &unit);

	*ret = unit;
	return found && unit != UNIT_UNKNOWN;
}
