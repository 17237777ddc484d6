#include "assess/finding/types.h"

#include <stdlib.h>

#include "assess/judge/recipes.h"
#include "base/memory/mem.h"
#include "opdb/model/name_list.h"

enum { NAMES_SHOWN = 5 };

/* Each kind is about the types of the data that calls show; with a list, of the operators on it alone. */
static const struct hot_spot {
	const char *rule;
	unsigned types;
	enum name_list names; /* NAME_LISTS: any */
} hot_spots[] = {
	{ "dtype-fp64", DTYPE_FP64, NAME_LISTS },
	{ "dtype-complex", DTYPE_COMPLEX32 | DTYPE_COMPLEX64 | DTYPE_COMPLEX128, NAME_LISTS },
	{ "dtype-bf16", DTYPE_BF16, NAME_LISTS },
	{ "dtype-fp8", DTYPE_FP8, NAME_LISTS },
	{ "dtype-int64-keys", DTYPE_INT64, NAMES_SLOW_INT64 },
	{ "dtype-bool", DTYPE_BOOL, NAMES_SLOW_BOOL },
};

/* shown: of each of the result's operators, those that its calls have. */
static void find_hot_spot(
	struct finding_list *findings, const struct hot_spot *spot, const struct result *result, const unsigned *shown)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	const struct result_operator *first = NULL;
	struct str *operators = arena_alloc(findings->arena, (result->operator_count + 1) * sizeof(operators[0]));
	struct result_finding *finding;
	unsigned types = 0;
	int64_t share_ppm = 0;
	size_t count = 0;

	for (size_t i = 0; i < result->operator_count; i++) {
		struct str name = result->operators[i].name;
		size_t colons = str_find(name, STR("::"));
		struct str base = colons == STR_NONE ? name : str_skip(name, colons + 2);
		unsigned here = shown[i] & spot->types;

		if (!here || (spot->names != NAME_LISTS && !name_is_listed(spot->names, base)))
			continue;
		first = first ? first : &result->operators[i];
		types |= here;
		if (count < NAMES_SHOWN)
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(name));
		operators[count++] = name;
		share_ppm += result->operators[i].share_ppm;
	}
	if (!first)
		return;
	finding = finding_of_several(findings, first, spot->rule);
	finding->operators = operators;
	finding->operator_count = count;
	finding->share_ppm = share_ppm < WHOLE_PPM ? share_ppm : WHOLE_PPM;
	message_add_number(&finding->what, findings->arena, "count", (int64_t)count);
	message_add(&finding->what, "dtypes", dtypes_text(findings->arena, types, ", "));
	message_add_copy(&finding->what, findings->arena, "operators", buf_str(&names));
	if (findings->db)
		recipes_advise(findings->arena, findings->db,
			&(struct recipe_case){ .name = first->name, .types = types }, &finding->advice,
			&finding->advice_count);
}

void findings_of_types(struct finding_list *findings, const struct result *result, const struct call_facts *call_facts,
	const size_t *order)
{
	unsigned *shown = mem_zalloc((result->operator_count + 1) * sizeof(shown[0]));

	for (size_t i = 0; i < result->operator_count; i++)
		shown[i] = call_facts->types[order[i]].sized;
	for (size_t i = 0; i < ARRAY_SIZE(hot_spots); i++)
		find_hot_spot(findings, &hot_spots[i], result, shown);
	free(shown);
}
