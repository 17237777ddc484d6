#include "report/answers/changes_json.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/record/load.h"
#include "report/record/records.h"

enum { PLACES = 6 };

static void put_side(struct jsonw *json, const char *key, const struct result *result)
{
	jsonw_key(json, key);
	jsonw_fill(json, "{'inputs': [");
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_fill(json, "{'name': $, 'sha256': $}", result->inputs[i].name, result->inputs[i].sha256);
	jsonw_fill(json, "], 'tool_version': $, 'db_build': $, 'basis': $}", result->tool_version, result->db.build,
		word_for(&basis_words, result->basis));
}

/* key: {"verdict", "readiness", "coverage"} or null */
static void put_figures(struct jsonw *json, const char *key, const struct result_target *target)
{
	jsonw_key(json, key);
	if (!target) {
		jsonw_raw(json, STR("null"));
		return;
	}
	jsonw_fill(json, "{'verdict': $", word_for(&verdict_words, target->verdict));
	record_put_key(json, "readiness", &coverage_record, &target->readiness);
	record_put_key(json, "coverage", &coverage_record, &target->coverage);
	jsonw_object_end(json);
}

static void put_targets(struct jsonw *json, const struct changes *changes)
{
	jsonw_key_list(json, "targets");
	for (size_t i = 0; i < changes->target_count; i++) {
		const struct target_change *target = &changes->targets[i];

		jsonw_fill(json, "{'id': $", target->id);
		jsonw_key_bool(json, "worse", target_change_is_worse(target));
		put_figures(json, "before", target->before);
		put_figures(json, "after", target->after);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void put_findings(struct jsonw *json, const struct changes *changes, bool are_new)
{
	jsonw_key_list(json, are_new ? "new" : "fixed");
	for (size_t i = 0; i < changes->finding_count; i++) {
		const struct result_finding *finding = changes->findings[i].finding;

		if (changes->findings[i].is_new != are_new)
			continue;
		jsonw_fill(json, "{'severity': $, 'operator': $, 'target': $",
			word_for(&severity_words, finding->severity), finding->operator_name, finding->target);
		jsonw_key_decimal(json, "time_share", finding->share_ppm, PLACES);
		record_put_key(json, "statement", &message_record, &finding->what);
		jsonw_fill(json, "'fingerprint': $}", finding->fingerprint);
	}
	jsonw_list_end(json);
}

static void put_operator_side(struct jsonw *json, const char *key, const struct result_operator *op)
{
	jsonw_key(json, key);
	if (!op) {
		jsonw_raw(json, STR("null"));
		return;
	}
	jsonw_object(json);
	jsonw_key_number(json, "calls", (int64_t)op->calls);
	jsonw_key_decimal(json, "time_share", op->share_ppm, PLACES);
	jsonw_key_str(json, "shapes", word_for(&dynamic_words, op->dynamic.kind));
	jsonw_key_number(json, "shape_count", (int64_t)op->dynamic.distinct);
	jsonw_object_end(json);
}

/* With same_dumps also what both verdicts come of. */
static void put_status(struct jsonw *json, const struct status_change *status, bool same_dumps)
{
	jsonw_fill(json, "{'target': $, 'before': $, 'after': $", status->target, op_status_name(status->before),
		op_status_name(status->after));
	jsonw_key_bool(json, "worse", status->worse);
	if (same_dumps) {
		jsonw_key_object(json, "facts");
		record_put_key(json, "before", &verdict_record, status->then);
		record_put_key(json, "after", &verdict_record, status->now);
		jsonw_object_end(json);
	}
	jsonw_object_end(json);
}

static void put_operator(struct jsonw *json, const struct operator_change *change, bool same_dumps)
{
	static const char *const names[] = { "added", "removed", "better", "worse", "time", "shapes" };

	jsonw_fill(json, "{'name': $, 'changes': [", change->name);
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		if (change->kinds >> i & 1)
			jsonw_str(json, str_from(names[i]));
	}
	jsonw_list_end(json);
	put_operator_side(json, "before", change->before);
	put_operator_side(json, "after", change->after);
	jsonw_key_list(json, "statuses");
	for (size_t i = 0; i < change->status_count; i++)
		put_status(json, &change->statuses[i], same_dumps);
	jsonw_fill(json, "]}");
}

static void put_gate(struct jsonw *json, const struct changes_view *view)
{
	jsonw_fill(json, "'gate': $, 'checks': [",
		!view->fail_on       ? STR("none")
		: changes_fail(view) ? STR("failed")
				     : STR("passed"));
	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		size_t count = changes_count(view->changes, (enum change_word)i);

		if (!(view->fail_on >> i & 1))
			continue;
		jsonw_fill(json, "{'name': $", change_word_name((enum change_word)i));
		jsonw_key_bool(json, "failed", count);
		jsonw_key_number(json, "counted", (int64_t)count);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

void changes_put_json(const struct changes_view *view, const struct render_options *options, struct buf *out)
{
	const struct changes *changes = view->changes;
	struct jsonw json = jsonw_start(out, 2);

	(void)options; /* no language, no width */
	jsonw_fill(&json, "{'schema_version': $", STR(REPORT_SCHEMA_VERSION));
	put_side(&json, "before", changes->before);
	put_side(&json, "after", changes->after);
	record_put_list(&json, "notes", &message_record, changes->notes, changes->note_count);
	put_gate(&json, view);
	put_targets(&json, changes);
	put_findings(&json, changes, true);
	put_findings(&json, changes, false);
	jsonw_key_list(&json, "operators");
	for (size_t i = 0; i < changes->operator_count; i++)
		put_operator(&json, &changes->operators[i], changes->same_dumps);
	jsonw_fill(&json, "]}");
}
