/* The words of a result's enums, as reports and catalogues have them. */
#include "assess/model/words.h"

#include "assess/model/result.h"
#include "base/memory/mem.h"

/* Words of the enum in its order, the last argument what an unknown one means. */
#define WORDS(name, other, ...)                                                                                        \
	static const struct str name##_items[] = { __VA_ARGS__ };                                                      \
	const struct words name = { name##_items, ARRAY_SIZE(name##_items), other }

WORDS(verdict_words, VERDICT_INCONCLUSIVE, STR("ready"), STR("ready-with-warnings"), STR("inconclusive"),
	STR("blocked"));
WORDS(headline_words, HEADLINE_UNKNOWN, STR("STOPS"), STR("PACKAGE"), STR("UNKNOWN"), STR("RUNS SLOWLY"), STR("RUNS"));
WORDS(gate_state_words, GATE_FAILED, STR("none"), STR("passed"), STR("failed"));
WORDS(basis_words, BASIS_CALLS, STR("self_device_time"), STR("self_cpu_time"), STR("calls"));
WORDS(severity_words, SEVERITY_ERROR, STR("error"), STR("warning"), STR("note"));
WORDS(age_words, AGE_NEW, STR(""), STR("new"), STR("known"));
WORDS(waiver_words, WAIVER_EXPIRED, STR("applied"), STR("fact-changed"), STR("expired"));
WORDS(dynamic_words, DYNAMIC_UNKNOWN, STR("static"), STR("late"), STR("warm-up"), STR("unknown"), STR("last-batch"),
	STR("bounded"), STR("unbounded"), STR("data-dependent"));
WORDS(guide_words, GUIDE_STATIC, STR("static"), STR("dynamic"));
WORDS(where_words, WHERE_CALLED, STR(""), STR("called"), STR("ran"), STR("device"), STR("ai-cpu"), STR("host"),
	STR("raised"), STR("absent"));
WORDS(outcome_words, OUTCOME_NOT_OBSERVABLE, STR("predicted-better"), STR("predicted-worse"), STR("not-predicted"),
	STR("agrees"), STR("not-observable"), STR("device-only"), STR("not-seen"));
WORDS(agreement_words, AGREEMENT_NOT_OBSERVABLE, STR("not-observable"), STR("compared"));
WORDS(fix_words, FIX_SETTLE, STR("release"), STR("package"), STR("settle"), STR("replace"));
WORDS(effort_words, EFFORT_PORT, STR("flag"), STR("config"), STR("recipe"), STR("package"), STR("upgrade"),
	STR("avoid"), STR("port"));
WORDS(compile_words, COMPILES_BY_OPERATOR, STR("chip"), STR("operator"));
WORDS(source_action_words, SOURCE_CHECK, STR("must-change"), STR("check"), STR("fine"));
WORDS(call_origin_words, CALL_OF_API, STR("stack"), STR("api"));
WORDS(span_words, SPAN_UNKNOWN, STR("blocked"), STR("unknown"), STR("conditional"), STR("cpu-fallback"));
WORDS(place_words, PLACES_NONE, STR(""), STR("module"), STR("source"));

/* The statuses, and none. */
WORDS(predicted_words, OP_UNKNOWN, STR("native"), STR("native-jit"), STR("composite"), STR("equivalent"),
	STR("cpu-fallback"), STR("unsupported"), STR("needs-package"), STR("unknown"), STR(""));

/* Those of the database, and the result's own; by the number of the bit. */
WORDS(flag_words, OP_FLAG_COUNT + 2, STR("host-path"), STR("aicpu"), STR("jit-compile"), STR("dtype-limited"),
	STR("soc-limited"), STR("mixed-overloads"), STR("reported-broken"), STR("implied"), STR("inferred"),
	STR("overlay"), STR("untested"), STR("assumed"), STR("host-work"), STR("other"));
