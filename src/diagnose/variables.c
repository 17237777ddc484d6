#include "diagnose/variables.h"

#include <stdlib.h>

#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "opdb/text/tsv.h"

extern const char environment_text[];
extern char **environ;

enum { SHOWN_BYTES = 200 };

static bool of_a_device(struct str name)
{
	static const struct str heads[] = { STR("ASCEND_"), STR("HCCL_"), STR("MCCL_"), STR("MUSA_"), STR("P2P_HCCL_"),
		STR("PYTORCH_MUSA_"), STR("PYTORCH_NPU_"), STR("TORCH_HCCL_"), STR("TORCH_MUSA_"), STR("TORCH_NPU_") };

	return ANY(i, ARRAY_SIZE(heads), str_starts(name, heads[i]));
}

/* Returns whether a whole number is in a range such as "[120,7200]". */
static bool in_range(struct str range, struct str value)
{
	struct str lowest;
	uint64_t low, high, number;

	range = str_sub(range, 1, range.len - 1);
	str_cut(&range, ',', &lowest);
	return decimal_unsigned(lowest, &low) && decimal_unsigned(range, &high) && decimal_unsigned(value, &number) &&
	       number >= low && number <= high;
}

/* A row's value: "*" for any, "[120,7200]" for a range, "*text*" for one that has the text, or the value itself. */
static bool value_fits(struct str wanted, struct str value)
{
	if (str_starts(wanted, STR("[")) && str_ends(wanted, STR("]")))
		return in_range(wanted, value);
	if (str_eq(wanted, STR("*")))
		return true;
	if (wanted.len > 2 && wanted.ptr[0] == '*' && str_ends(wanted, STR("*")))
		return str_has(value, str_sub(wanted, 1, wanted.len - 1));
	return str_eq(wanted, value);
}

/* The first row that fits says what the variable means. */
static int look_up(struct variable *variable, struct str value, struct err *err)
{
	enum { NAME, VALUE, LEVEL, MEANING, MEANING_ZH, SOURCES };
	struct tsv rows;
	int status = tsv_open(&rows, STR("environment.tsv"), str_from(environment_text),
		STR("variable value level meaning meaning_zh sources"), err);

	while (!status && (status = tsv_next(&rows, err)) > 0) {
		status = 0;
		if (variable->known || !str_eq(rows.cells[NAME], variable->name) ||
			!value_fits(rows.cells[VALUE], value))
			continue;
		variable->known = true;
		variable->look_again = str_eq(rows.cells[LEVEL], STR("check"));
		variable->meaning[0] = rows.cells[MEANING];
		variable->meaning[1] = rows.cells[MEANING_ZH];
		variable->sources = rows.cells[SOURCES];
	}
	return status;
}

static int name_order(const void *a, const void *b)
{
	return str_cmp(((const struct variable *)a)->name, ((const struct variable *)b)->name);
}

int variables_in_force(struct arena *arena, variable_list *ret, struct err *err)
{
	int status = 0;

	for (char **at = environ; *at && !status; at++) {
		struct str value = str_from(*at), name = { 0 };
		struct variable variable = { 0 };

		str_cut(&value, '=', &name);
		variable.name = name;
		status = look_up(&variable, value, err);
		if (status || (!variable.known && !of_a_device(name)))
			continue;
		variable.value = utf8_keep_printable(
			arena, value.len > SHOWN_BYTES ? str_sub(value, 0, SHOWN_BYTES) : value);
		variable.name = utf8_keep_printable(arena, name);
		MEM_PUSH(ret, variable);
	}
	MEM_SORT(ret, name_order);
	return status;
}
