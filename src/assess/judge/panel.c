#include "assess/judge/panel.h"

static int judge_one(const struct panel *panel, size_t index, const struct target *target,
	struct result_verdict *verdict, struct judgement *judgement, struct err *err)
{
	const struct assumption *assumed = assumption_about(
		panel->assumptions, panel->judge->operators->items[index].name);
	int code = judge_operator(panel->judge, index, target, verdict, judgement, err);

	if (code || !assumed)
		return code;
	assume_verdict(panel->judge->arena, assumed, verdict);
	assume_judgement(assumed, judgement);
	return 0;
}

int panel_judge(const struct panel *panel, const struct target *target, struct result_verdict **verdicts,
	struct judgement *judgements, struct err *err)
{
	struct result_verdict forgotten;
	int code = 0;

	for (size_t i = 0; i < panel->judge->operators->count && !code; i++)
		code = judge_one(panel, i, target, verdicts ? verdicts[i] : &forgotten, &judgements[i], err);
	return code ? code : composites_follow(panel->composites, panel->judge, target, verdicts, judgements, err);
}
