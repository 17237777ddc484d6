#include "assess/shape/data_dependent.h"

#include "opdb/db/names.h"
#include "opdb/resolve/resolve.h"

static bool has_aten(const struct operators *operators, struct str base)
{
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		if (str_eq(op->ns, STR("aten")) && str_eq(op->base, base))
			return true;
	}
	return false;
}

bool is_data_dependent(
	const struct opdb *db, const struct operators *operators, const struct op *op, unsigned tags, bool rows_hidden)
{
	const struct operator_rule *rule = operator_rule_find(db, RULE_DATA_DEPENDENT, op->name);

	if (rule)
		return !rule->reached.len || rows_hidden || has_aten(operators, rule->reached);
	return tags & TAG_DYNAMIC_OUTPUT_SHAPE;
}
