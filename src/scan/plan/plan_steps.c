#include "scan/plan/plan_steps.h"

#include "base/value/shell.h"

/* --- commands */

static void put_word(struct buf *out, const char *word)
{
	buf_byte(out, ' ');
	shell_put_word(out, str_from(word));
}

static void put_scripts(const struct plan *plan, struct buf *out)
{
	const struct program_request *program = &plan->request->scan.program;

	for (size_t i = 0; i < program->path_count; i++)
		put_word(out, program->paths[i]);
}

static struct str kind_name(const struct plan *plan)
{
	return target_kind_name(plan->release->target);
}

/* Nothing for a plugin without wheels in an index. */
static void put_install(const struct plan *plan, struct buf *out)
{
	if (plan->release->target == TARGET_NPU)
		buf_printf(out,
			"pip install torch==%.*s torch_npu==%.*s --extra-index-url "
			"https://download.pytorch.org/whl/cpu\n",
			STR_ARG(plan->release->torch), STR_ARG(plan_plugin_version(plan->release)));
}

static void put_environment(const struct plan *plan, struct buf *out)
{
	struct str kind = kind_name(plan);

	buf_printf(out, "python3 -m venv venv-%.*s\n. venv-%.*s/bin/activate\n", STR_ARG(kind), STR_ARG(kind));
	put_install(plan, out);
	if (plan->release->target == TARGET_NPU)
		buf_add(out, STR(". /usr/local/Ascend/ascend-toolkit/set_env.sh\n"));
	buf_add(out, STR("opcheck doctor\n"));
}

static void put_edits(const struct plan *plan, struct buf *out)
{
	struct str kind = kind_name(plan);

	buf_add(out, STR("opcheck port"));
	put_scripts(plan, out);
	buf_printf(out, " -t %.*s --launcher > run.sh\n", STR_ARG(kind));
	if (!plan->patch.files)
		return;
	buf_add(out, STR("opcheck port"));
	put_scripts(plan, out);
	buf_printf(out, " -t %.*s --patch port.patch\ngit apply port.patch\n", STR_ARG(kind));
}

static void put_tests(const struct plan *plan, struct buf *out)
{
	CLEANUP(buf_clear) struct buf target = BUF_UNLIMITED;

	buf_add(&target, plan->result->targets[0].id);
	buf_add(out, STR("opcheck plan"));
	put_word(out, plan->request->dump);
	buf_add(out, STR(" -t"));
	put_word(out, buf_text(&target));
	buf_add(out, STR(" --tests first_day.py -o plan.md\npython3 first_day.py\n"));
}

/* A log of the run says what went wrong. */
static void put_single_run(const struct plan *plan, struct buf *out)
{
	buf_add(out, STR("CARDS=1 sh run.sh > train.log 2>&1\nopcheck diagnose train.log --with"));
	put_word(out, plan->request->dump);
	buf_byte(out, '\n');
}

/* --- steps */

static void put_commands(struct doc *doc, const char *id, struct str commands)
{
	doc_open(doc, BLOCK_ITEM);
	doc_label(doc, id);
	doc_code(doc, STR("sh"), commands);
	doc_close(doc);
}

static void put_step(
	struct doc *doc, const struct plan *plan, const char *id, void (*put)(const struct plan *plan, struct buf *out))
{
	CLEANUP(buf_clear) struct buf commands = BUF_UNLIMITED;

	put(plan, &commands);
	put_commands(doc, id, arena_keep(&doc->arena, buf_str(&commands)));
}

static void put_single(struct doc *doc, const struct plan *plan)
{
	doc_section(doc, "plan.single");
	doc_open(doc, BLOCK_STEPS);
	put_step(doc, plan, plan->release->target == TARGET_NPU ? "plan.step-install" : "plan.step-install-musa",
		put_environment);
	if (plan->has_scripts)
		put_step(doc, plan, "plan.step-edits", put_edits);
	if (plan_put_tests(plan, NULL))
		put_step(doc, plan, "plan.step-tests", put_tests);
	if (plan->has_scripts)
		put_step(doc, plan, "plan.step-run", put_single_run);
	else
		doc_say_label(doc, BLOCK_ITEM, "plan.no-scripts");
	doc_close(doc);
	doc_close(doc);
}

/* command: NULL where the label says why there is none. */
static void put_start(struct doc *doc, const char *section, const char *id, const char *command)
{
	doc_section(doc, section);
	doc_open(doc, BLOCK_STEPS);
	if (command)
		put_commands(doc, id, str_from(command));
	else
		doc_say_label(doc, BLOCK_ITEM, id);
	doc_close(doc);
	doc_close(doc);
}

void plan_steps_build(struct doc *doc, const struct plan *plan)
{
	put_single(doc, plan);
	if (plan->has_scripts && plan->is_distributed) {
		put_start(doc, "plan.cards", "plan.step-cards", "CARDS=8 sh run.sh\n");
		put_start(doc, "plan.nodes", "plan.step-nodes", "NODES=2 CARDS=8 sh run.sh\n");
	} else {
		put_start(doc, "plan.cards", plan->has_scripts ? "plan.not-distributed" : "plan.cards-unknown", NULL);
		put_start(doc, "plan.nodes", "plan.nodes-later", NULL);
	}
}

void plan_back_build(struct doc *doc, const struct plan *plan)
{
	doc_section(doc, "plan.back");
	doc_open(doc, BLOCK_LIST);
	if (plan->patch.files)
		put_commands(doc, "plan.back-patch", STR("git apply -R port.patch\n"));
	put_commands(doc, "plan.back-environment", STR("deactivate\n"));
	doc_say_label(doc, BLOCK_ITEM, "plan.back-checkpoints");
	doc_close(doc);
	doc_close(doc);
}
