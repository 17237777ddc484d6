#include "scan/plan/plan_screen.h"

#include "assess/finding/headline.h"
#include "report/screen/report_screen.h"

enum { MOST_FIXES = 6 };

static void add_step(struct screen *screen, size_t *number, struct str text)
{
	struct str label = arena_printf(&screen->arena, "%zu", ++*number);

	screen_add_row(screen, (struct screen_row){ SCREEN_ITEM, .label = label, .text = text });
}

static void add_steps(struct screen *screen, const struct plan *plan)
{
	const struct result_target *target = &plan->result->targets[0];
	bool npu = plan->release->target == TARGET_NPU;
	size_t number = 0;

	add_step(screen, &number, screen_label(screen, npu ? "plan.step-install" : "plan.step-install-musa"));
	if (plan->has_scripts)
		add_step(screen, &number,
			screen_text_with(screen, "plan.edits-made", NUMBER("files", plan->patch.files),
				NUMBER("edits", plan->patch.edits), NUMBER("added", plan->patch.added),
				NUMBER("removed", plan->patch.removed)));
	for (size_t i = 0; i < target->fix_count && i < MOST_FIXES; i++) {
		struct message fix = headline_fix(&screen->arena, &target->fixes[i], target->headline.word);

		add_step(screen, &number, screen_text(screen, &fix));
	}
	add_step(screen, &number, screen_label(screen, "plan.step-tests"));
	add_step(screen, &number, screen_label(screen, "plan.step-run"));
}

void plan_screen(const struct plan *plan, const struct render_options *options, struct buf *out)
{
	struct screen screen = screen_begin(options);

	screen_add_title(&screen, plan->result);
	screen_add_targets(&screen, plan->result);
	add_steps(&screen, plan);
	screen_add(&screen, SCREEN_MORE, "screen.more", screen_label(&screen, "screen.more-plan"));
	screen_put(&screen, out);
}
