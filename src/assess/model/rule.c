#include "assess/model/rule.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"

const struct rule rules[] = {
	{ "op-unsupported", SEVERITY_ERROR, false },
	{ "op-needs-package", SEVERITY_ERROR, false },
	{ "op-unknown", SEVERITY_WARNING, false },
	{ "op-cpu-fallback", SEVERITY_WARNING, false },
	{ "op-overload", SEVERITY_WARNING, false },
	{ "op-sparse", SEVERITY_WARNING, false },
	{ "op-out-variant", SEVERITY_WARNING, false },
	{ "op-called-by-name", SEVERITY_WARNING, false },
	{ "op-dtype", SEVERITY_WARNING, false },
	{ "op-dtype-if", SEVERITY_WARNING, false },
	{ "op-dtype-open", SEVERITY_NOTE, false },
	{ "op-reported", SEVERITY_WARNING, false },
	{ "op-name-cut", SEVERITY_WARNING, false },
	{ "op-overlay-limit", SEVERITY_WARNING, false },
	{ "op-overlay", SEVERITY_NOTE, false },
	{ "op-host-path", SEVERITY_WARNING, false },
	{ "op-aicpu", SEVERITY_WARNING, false },
	{ "op-argument", SEVERITY_WARNING, false },
	{ "op-chip", SEVERITY_WARNING, false },
	{ "op-slow-path", SEVERITY_NOTE, false },
	{ "op-reported-broken", SEVERITY_WARNING, false },
	{ "op-reported-crash", SEVERITY_WARNING, false },
	{ "op-reported-wrong", SEVERITY_WARNING, false },
	{ "op-reported-possible", SEVERITY_NOTE, false },
	{ "op-untested", SEVERITY_WARNING, false },
	{ "op-calls", SEVERITY_NOTE, false },
	{ "op-implied", SEVERITY_WARNING, false },
	{ "op-compiles", SEVERITY_WARNING, false },
	{ "dtype-fp64", SEVERITY_NOTE, false },
	{ "dtype-complex", SEVERITY_NOTE, false },
	{ "dtype-bf16", SEVERITY_NOTE, false },
	{ "dtype-fp8", SEVERITY_NOTE, false },
	{ "dtype-int64-keys", SEVERITY_NOTE, false },
	{ "dtype-bool", SEVERITY_NOTE, false },
	{ "shape-recompile", SEVERITY_WARNING, false },
	{ "shape-data-dependent", SEVERITY_NOTE, false },
	{ "shape-follows", SEVERITY_NOTE, false },
	{ "shape-varying", SEVERITY_NOTE, false },
	{ "observed-raised", SEVERITY_ERROR, false },
	{ "observed-fallback", SEVERITY_WARNING, false },
	{ "observed-aicpu", SEVERITY_WARNING, false },
	{ "observed-aicpu-kernel", SEVERITY_WARNING, false },
	{ "src-device-string", SEVERITY_ERROR, false },
	{ "src-device-call", SEVERITY_ERROR, false },
	{ "src-device-api", SEVERITY_ERROR, false },
	{ "src-device-api-missing", SEVERITY_ERROR, false },
	{ "src-device-answer", SEVERITY_ERROR, false },
	{ "src-tensor-type", SEVERITY_ERROR, false },
	{ "src-backend", SEVERITY_ERROR, false },
	{ "src-data-parallel", SEVERITY_ERROR, false },
	{ "src-amp", SEVERITY_ERROR, false },
	{ "src-env", SEVERITY_ERROR, false },
	{ "src-flag", SEVERITY_WARNING, false },
	{ "src-vendor-flag", SEVERITY_WARNING, false },
	{ "src-absent-flag", SEVERITY_WARNING, false },
	{ "src-pin-memory", SEVERITY_WARNING, false },
	{ "src-framework", SEVERITY_ERROR, false },
	{ "src-too-new", SEVERITY_ERROR, false },
	{ "src-api-unsupported", SEVERITY_ERROR, false },
	{ "src-extension", SEVERITY_ERROR, false },
	{ "src-package", SEVERITY_ERROR, false },
	{ "src-tool", SEVERITY_ERROR, false },
	{ "src-image", SEVERITY_ERROR, false },
	{ "src-provider", SEVERITY_ERROR, false },
	{ "src-profiler", SEVERITY_ERROR, false },
	{ "src-compile", SEVERITY_WARNING, false },
	{ "src-dynamic", SEVERITY_WARNING, false },
	{ "src-dynamic-script", SEVERITY_WARNING, false },
	{ "scan-unread", SEVERITY_WARNING, false },
	{ "scan-broken", SEVERITY_WARNING, false },
	{ "scan-skipped", SEVERITY_NOTE, false },
	{ "capture-truncated", SEVERITY_WARNING, true },
	{ "capture-table-cut", SEVERITY_WARNING, true },
	{ "capture-top-level", SEVERITY_WARNING, true },
	{ "capture-headless", SEVERITY_WARNING, true },
	{ "capture-lines-broken", SEVERITY_WARNING, true },
	{ "capture-rows-skipped", SEVERITY_WARNING, true },
	{ "capture-cap", SEVERITY_WARNING, true },
	{ "capture-compiled", SEVERITY_WARNING, true },
	{ "capture-device-uncovered", SEVERITY_WARNING, true },
	{ "capture-rows-uncovered", SEVERITY_WARNING, true },
	{ "capture-uncovered-rows", SEVERITY_WARNING, false },
	{ "capture-uncovered-graphs", SEVERITY_WARNING, false },
	{ "capture-uncovered-before", SEVERITY_WARNING, false },
	{ "capture-uncovered-compiled", SEVERITY_WARNING, false },
	{ "capture-uncovered-functions", SEVERITY_WARNING, false },
	{ "capture-uncovered-unlinked", SEVERITY_WARNING, false },
	{ "capture-collectives", SEVERITY_NOTE, false },
	{ "capture-graph-recorded", SEVERITY_WARNING, false },
	{ "capture-device-time", SEVERITY_NOTE, false },
	{ "capture-damaged", SEVERITY_WARNING, true },
	{ "capture-trace-cut", SEVERITY_WARNING, true },
	{ "capture-events-skipped", SEVERITY_WARNING, true },
	{ "capture-schema", SEVERITY_NOTE, false },
	{ "capture-steps-unplaced", SEVERITY_NOTE, false },
	{ "capture-device-unmatched", SEVERITY_NOTE, false },
	{ "capture-unsorted", SEVERITY_WARNING, false },
	{ "capture-links-partial", SEVERITY_NOTE, false },
	{ "capture-frames-dropped", SEVERITY_NOTE, false },
	{ "capture-details-dropped", SEVERITY_NOTE, false },
	{ "capture-long-lines", SEVERITY_WARNING, true },
	{ "capture-names-cut", SEVERITY_NOTE, false },
	{ "capture-shapes-cut", SEVERITY_NOTE, false },
	{ "capture-no-shapes", SEVERITY_WARNING, false },
	{ "capture-no-dtypes", SEVERITY_NOTE, false },
	{ "capture-some-shapes", SEVERITY_NOTE, false },
	{ "capture-one-step", SEVERITY_WARNING, false },
	{ "capture-averaged", SEVERITY_WARNING, false },
	{ "capture-no-steps", SEVERITY_WARNING, false },
	{ "capture-aicpu", SEVERITY_WARNING, false },
	{ "capture-device-tasks", SEVERITY_NOTE, false },
	{ "capture-no-times", SEVERITY_WARNING, false },
	{ "capture-lines-skipped", SEVERITY_NOTE, false },
	{ "capture-streams-merged", SEVERITY_NOTE, false },
	{ "capture-steps-coarse", SEVERITY_NOTE, false },
	{ "capture-compiling-steps", SEVERITY_NOTE, false },
	{ "capture-views", SEVERITY_NOTE, false },
	{ "assume-unused", SEVERITY_WARNING, false },
	{ "target-named", SEVERITY_NOTE, false },
	{ "target-newest", SEVERITY_NOTE, false },
	{ "target-newest-pip", SEVERITY_NOTE, false },
	{ "constraint-collective-dtype", SEVERITY_WARNING, false },
	{ "constraint-collective-operation", SEVERITY_WARNING, false },
	{ "constraint-collective-reduction", SEVERITY_NOTE, false },
	{ "constraint-collectives", SEVERITY_NOTE, false },
	{ "constraint-data-parallel", SEVERITY_WARNING, false },
	{ "constraint-torchscript", SEVERITY_NOTE, false },
	{ "constraint-autocast", SEVERITY_WARNING, false },
	{ "constraint-sparse", SEVERITY_WARNING, false },
	{ "constraint-compile-listed", SEVERITY_NOTE, false },
	{ "constraint-compile-not-listed", SEVERITY_WARNING, false },
	{ "constraint-compile-unknown", SEVERITY_NOTE, false },
	{ "input-two-formats", SEVERITY_WARNING, false },
	{ "mode-inference-only", SEVERITY_NOTE, false },
	{ "mode-training-only", SEVERITY_NOTE, false },
	{ "mode-no-optimizer", SEVERITY_NOTE, false },
	{ "input-left-out", SEVERITY_NOTE, false },
	{ "input-models", SEVERITY_NOTE, false },
	{ "input-twice", SEVERITY_WARNING, false },
	{ "input-one-run", SEVERITY_NOTE, false },
	{ "ranks-missing", SEVERITY_NOTE, false },
	{ "version-mismatch", SEVERITY_NOTE, false },
	{ "waiver-expired", SEVERITY_WARNING, false },
	{ "waiver-expires-soon", SEVERITY_NOTE, false },
	{ "waiver-fact-changed", SEVERITY_WARNING, false },
	{ "waiver-unused", SEVERITY_WARNING, false },
	{ "baseline-other", SEVERITY_WARNING, false },
	{ "chip-assumed", SEVERITY_NOTE, false },
	{ "chip-not-told-apart", SEVERITY_NOTE, false },
};
const size_t rule_count = ARRAY_SIZE(rules);

const struct rule *rule_find(struct str id)
{
	return FIND(i, rules, rule_count, str_eq(str_from(rules[i].id), id));
}

/* --- effort */

/* The effort of a piece of advice or, without one, of a rule. */
static const struct {
	const char *id;
	enum effort effort;
} efforts[] = {
	{ "advice-package", EFFORT_PACKAGE },
	{ "advice-package-of", EFFORT_PACKAGE },
	{ "advice-package-since", EFFORT_PACKAGE },
	{ "advice-package-from", EFFORT_PACKAGE },
	{ "advice-package-between", EFFORT_PACKAGE },
	{ "advice-package-version", EFFORT_PACKAGE },
	{ "advice-package-branch", EFFORT_PACKAGE },
	{ "advice-equivalent", EFFORT_RECIPE },
	{ "advice-release", EFFORT_UPGRADE },
	{ "op-needs-package", EFFORT_PACKAGE },
	{ "op-overload", EFFORT_CONFIG },
	{ "op-called-by-name", EFFORT_CONFIG },
	{ "op-name-cut", EFFORT_CONFIG },
	{ "op-compiles", EFFORT_FLAG },
	{ "op-host-path", EFFORT_RECIPE },
	{ "shape-recompile", EFFORT_RECIPE },
	{ "shape-varying", EFFORT_RECIPE },
	{ "shape-data-dependent", EFFORT_RECIPE },
};

/* EFFORT_COUNT where it asks for none. */
static enum effort effort_of_message(const struct message *message)
{
	bool by_types = false;
	unsigned effort;

	for (size_t i = 0; i < message->count; i++) {
		if (str_eq(str_from(message->params[i].name), STR("effort")))
			return word_find(&effort_words, message->params[i].value, &effort) ? effort : EFFORT_COUNT;
		by_types |= str_eq(str_from(message->params[i].name), STR("dtypes"));
	}
	if (by_types && str_eq(str_from(message->id), STR("op-unsupported")))
		return EFFORT_AVOID;
	for (size_t i = 0; i < ARRAY_SIZE(efforts); i++) {
		if (str_eq(str_from(efforts[i].id), str_from(message->id)))
			return efforts[i].effort;
	}
	return EFFORT_COUNT;
}

enum effort effort_of(const struct result_finding *finding)
{
	enum effort least = EFFORT_COUNT;

	for (size_t i = 0; i < finding->advice_count; i++) {
		enum effort effort = effort_of_message(&finding->advice[i]);

		least = effort < least ? effort : least;
	}
	if (least == EFFORT_COUNT)
		least = effort_of_message(&finding->what);
	return least == EFFORT_COUNT ? EFFORT_PORT : least;
}
