#include "check/lookup/lookup_related.h"

#include "assess/judge/sparse.h"
#include "check/lookup/lookup.h"

/* Libraries whose operators PyTorch or the plugin has, too. */
static const struct {
	struct str ns;
	const char *instead[3];
} replaced[] = {
	{ STR("flash_attn"), { "aten::scaled_dot_product_attention", "npu::npu_fusion_attention" } },
	{ STR("flash_attn_3"), { "aten::scaled_dot_product_attention", "npu::npu_fusion_attention" } },
	{ STR("xformers"), { "aten::scaled_dot_product_attention", "npu::npu_fusion_attention" } },
};

int lookup_status(
	struct resolver *resolver, const struct target *target, struct str name, enum op_status *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_question question = { &arena, resolver, target, name, STR(""), READING_REACHED };
	struct judgement judgement;
	struct answer answer;
	int status = judge_name(&question, &judgement, &answer, err);

	if (!status)
		*ret = judgement.verdict.status;
	return status;
}

static int find_instead(struct lookup *lookup, struct lookup_answer *answer, struct str ns, struct err *err)
{
	for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
		const char *const *name = replaced[i].instead;

		for (; str_eq(replaced[i].ns, ns) && *name; name++) {
			enum op_status is;
			int status = lookup_status(lookup->resolver, answer->target, str_from(*name), &is, err);

			if (status)
				return status;
			if (op_status_class(is) < CLASS_BLOCKED)
				answer->instead = arena_printf(&lookup->arena, "%.*s%s%s: %.*s",
					STR_ARG(answer->instead), answer->instead.len ? ", " : "", *name,
					STR_ARG(op_status_name(is)));
		}
	}
	return 0;
}

int lookup_find_related(
	struct lookup *lookup, struct lookup_answer *answer, const struct op_query *query, struct err *err)
{
	const struct answer *found = &answer->answer;

	if (sparse_by_name(lookup->name) && found->leaf_layouts)
		answer->sparse = (struct lookup_sparse){ found->dense_leaf, found->leaf_layouts };
	return find_instead(lookup, answer, query->ns, err);
}
