#include "scan/plan/plan.h"

#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "scan/port/patch.h"

/* --- the size of the patch */

static void count_lines(struct plan *plan)
{
	CLEANUP(buf_clear) struct buf patch = BUF_UNLIMITED;
	struct str rest, line = { 0 };

	port_put_patch(&plan->port, &patch);
	rest = buf_str(&patch);
	while (rest.len && str_cut(&rest, '\n', &line)) {
		if (str_starts(line, STR("+++ ")) || str_starts(line, STR("--- ")))
			continue;
		plan->patch.added += str_starts(line, STR("+"));
		plan->patch.removed += str_starts(line, STR("-"));
	}
	plan->patch.files = plan->port.scripts.count;
	plan->patch.edits = plan->port.edits;
}

/* Returns whether the program trains on several devices already. */
static bool has_collectives(const struct plan *plan)
{
	static const struct str words[] = { STR("init_process_group"), STR("DistributedDataParallel"), STR("deepspeed"),
		STR("accelerate"), STR("FullyShardedDataParallel"), STR("mp.spawn") };
	const struct project *project = &plan->port.program.project;

	if (ANY(i, plan->result->operator_count, str_starts(plan->result->operators[i].name, STR("c10d::"))))
		return true;
	for (size_t i = 0; plan->has_scripts && i < project->count; i++) {
		if (ANY(j, ARRAY_SIZE(words), str_has(project->scripts[i].syntax.text, words[j])))
			return true;
	}
	return false;
}

int plan_make(const struct plan_request *request, struct plan *ret, struct err *err)
{
	int status = 0;

	*ret = (struct plan){ .request = request,
		.result = request->scan.beside,
		.release = request->release,
		.has_scripts = request->scan.program.path_count > 0 };
	if (ret->has_scripts)
		status = scan_run(&request->scan, &ret->result, err);
	if (!status && ret->has_scripts)
		status = port_run(&request->scan.program, request->release->target, &ret->port, err);
	if (!status && ret->has_scripts)
		count_lines(ret);
	if (!status)
		ret->is_distributed = has_collectives(ret);
	return status;
}

void plan_clear(struct plan *plan)
{
	if (plan->has_scripts)
		port_clear(&plan->port);
	result_free(plan->result);
}

struct str plan_plugin_version(const struct release *release)
{
	struct str pip = release->pip, last = release->plugin;

	while (pip.len && str_cut(&pip, ',', &last))
		last = str_trim(last);
	return last;
}

void plan_say_install(const struct release *release, struct message *text)
{
	message_add(text, "torch", release->torch);
	message_add(text, "plugin", target_plugin_name(release->target));
	message_add(text, "version", plan_plugin_version(release));
	message_add(text, "cann", release->cann);
}

/* --- tests for the first day */

extern const char first_day[];

enum { CASES_OF_OPERATOR = 3 };

/* Returns whether users or vendors report that it may fail. */
static bool is_reported(const struct result *result, struct str name)
{
	return ANY(i, result->finding_count,
		strncmp(result->findings[i].what.id, "op-reported", strlen("op-reported")) == 0 &&
			str_eq(result->findings[i].operator_name, name));
}

/* Returns whether its results on the device need a test; an operator that does not run there has none. */
static bool is_at_risk(const struct result *result, struct str name, const struct result_verdict *verdict)
{
	switch (verdict->status) {
	case OP_UNSUPPORTED:
	case OP_NEEDS_PACKAGE:
		return false;
	case OP_NATIVE:
	case OP_COMPOSITE:
		return verdict->flags || verdict->condition_count || is_reported(result, name);
	default:
		return true;
	}
}

static void put_case(struct jsonw *json, const struct result_operator *op, size_t at)
{
	const struct result_shape *shape = at < op->shape_count ? &op->shapes[at] : NULL;

	jsonw_list(json);
	jsonw_str(json, op->name);
	jsonw_str(json, shape ? shape->overload : STR(""));
	jsonw_str(json, shape && !shape->cut ? shape->dims : STR(""));
	jsonw_str(json, shape ? shape->dtypes : STR(""));
	jsonw_str(json, op_status_name(op->verdicts[0].status));
	jsonw_str(json, at < op->argument_count ? op->arguments[at] : STR(""));
	jsonw_list_end(json);
}

/* Lists and texts in JSON are valid Python. */
static size_t put_cases(const struct plan *plan, struct buf *out)
{
	const struct result *result = plan->result;
	struct jsonw json = jsonw_start(out, 1);
	size_t count = 0;

	jsonw_list(&json);
	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (!op->verdict_count || !is_at_risk(result, op->name, &op->verdicts[0]))
			continue;
		count++;
		if (!op->shape_count)
			put_case(&json, op, 0);
		for (size_t j = 0; j < op->shape_count && j < CASES_OF_OPERATOR; j++)
			put_case(&json, op, j);
	}
	jsonw_list_end(&json);
	return count;
}

size_t plan_put_tests(const struct plan *plan, struct buf *out)
{
	static const struct str device = STR("DEVICE, PLUGIN = \"cpu\", \"\"\n"), cases = STR("CASES = []\n");
	CLEANUP(buf_clear) struct buf list = BUF_UNLIMITED;
	struct str text = str_from(first_day);
	size_t count = put_cases(plan, &list), at_device = str_find(text, device), at_cases = str_find(text, cases);

	if (!out || at_device > at_cases || at_cases == STR_NONE)
		return count;
	buf_add(out, str_sub(text, 0, at_device));
	buf_printf(out, "DEVICE, PLUGIN = \"%.*s\", \"%.*s\"\n", STR_ARG(target_kind_name(plan->release->target)),
		STR_ARG(target_plugin_name(plan->release->target)));
	buf_add(out, str_sub(text, at_device + device.len, at_cases));
	buf_printf(out, "CASES = %.*s\n", STR_ARG(str_trim(buf_str(&list))));
	buf_add(out, str_skip(text, at_cases + cases.len));
	return count;
}
