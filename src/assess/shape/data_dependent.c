#include "assess/shape/data_dependent.h"

#include "opdb/db/names.h"
#include "opdb/resolve/resolve.h"

bool is_data_dependent(
	const struct opdb *db, const struct operators *operators, const struct op *op, unsigned tags, bool rows_hidden)
{
	const struct operator_rule *rule = operator_rule_find(db, RULE_DATA_DEPENDENT, op->name);

	if (rule)
		return !rule->reached.len || rows_hidden ||
		       ANY(i, operators->count,
			       str_eq(operators->items[i].ns, STR("aten")) &&
				       str_eq(operators->items[i].base, rule->reached));
	return tags & TAG_DYNAMIC_OUTPUT_SHAPE;
}
