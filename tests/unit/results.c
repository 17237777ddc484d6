#include "tests/unit/results.h"

#include "base/value/figure.h"
#include "base/memory/mem.h"

/* What a name of a dump may be: markup, escapes, quotes, a formula, reading direction, wide characters, and long. */
#define EVIL_TEXT                                                                                                      \
	"=HYPERLINK(\"http://x\"),</script><img src=x onerror='alert(1)'>\x1b[2J\r\n\t&amp;\"'`\\ "                    \
	"\xe2\x80\xae\xe8\xae\xad\xe7\xbb\x83"                                                                         \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" \
	"aaaaaaaaaaaaaa "                                                                                              \
	"\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad" \
	"\xe7\xbb\x83\xe8\xae\xad"                                                                                     \
	"\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83\xe8\xae\xad\xe7\xbb\x83" \
	"\xe8\xae\xad\xe7\xbb\x83"

struct texts {
	struct str name, file, version, target; /* an operator, an input, the tool, a target */
};

static struct message *message(struct arena *arena, const char *id, struct str operator_name)
{
	struct message *message = arena_alloc(arena, sizeof(*message));

	*message = message_of(id);
	message_add(message, "operator", operator_name);
	message_add(message, "target", STR("npu"));
	message_add(message, "status", STR("unsupported"));
	message_add(message, "overloads", operator_name);
	return message;
}

static struct result_verdict verdict(
	struct arena *arena, const struct texts *texts, struct str target, enum op_status status)
{
	struct result_verdict verdict = { .target = target,
		.status = status,
		.flags = FLAG_HOST_PATH | FLAG_INFERRED,
		.via = texts->name,
		.since = STR("npu@1"),
		.until = STR("") };

	verdict.overloads = arena_alloc(arena, sizeof(verdict.overloads[0]));
	verdict.overloads[verdict.overload_count++] = (struct result_overload){ texts->name, OP_CPU_FALLBACK };
	verdict.conditions = message(arena, "op-overload", texts->name);
	verdict.condition_count = 1;
	verdict.evidence = arena_alloc(arena, 2 * sizeof(verdict.evidence[0]));
	verdict.evidence[verdict.evidence_count++] = (struct result_evidence){ EVIDENCE_SOURCE,
		STR("https://example.org/a?b=1&c=2") };
	verdict.evidence[verdict.evidence_count++] = (struct result_evidence){ EVIDENCE_INFERRED, texts->name };
	verdict.advice = message(arena, "advice-release", texts->name);
	verdict.advice_count = 1;
	return verdict;
}

static void add_operator(struct result *result, const struct texts *texts, struct str name, int64_t share_ppm)
{
	struct arena *arena = &result->arena;
	struct result_operator *op = &result->operators[result->operator_count++];

	*op = (struct result_operator){ .name = name,
		.calls = 7,
		.self_cpu_ns = -1500,
		.cpu_total_ns = FIGURE_MAX,
		.self_device_ns = 1,
		.share_ppm = share_ppm,
		.shape_total = 300 };
	op->shapes = arena_alloc(arena, 2 * sizeof(op->shapes[0]));
	op->shapes[0] = (struct result_shape){
		.dims = STR("[[2,3],[],[[4],[5]]]"), .overload = texts->name, .calls = 4, .cut = true
	};
	op->shapes[0].steps = arena_alloc(arena, 2 * sizeof(struct result_runs));
	op->shapes[0].steps[op->shapes[0].step_count++] = (struct result_runs){ 1, 3 };
	op->shapes[0].steps[op->shapes[0].step_count++] = (struct result_runs){ 5, 5 };
	op->shapes[1] = (struct result_shape){ .dims = STR(""), .overload = STR(""), .calls = 3 };
	op->shape_count = 2;
	op->dynamic = (struct result_dynamic){ .kind = DYNAMIC_UNBOUNDED,
		.distinct = 300,
		.guide_rule = GUIDE_DYNAMIC,
		.evidence = *message(arena, "dynamic-size", name) };
	op->dynamic.dims = arena_alloc(arena, sizeof(op->dynamic.dims[0]));
	op->dynamic.dims[op->dynamic.dim_count++] = (struct result_dim){ 1, 0, 2, -1, 99, 5, 4, 12 };
	op->verdicts = arena_alloc(arena, 2 * sizeof(op->verdicts[0]));
	op->verdicts[op->verdict_count++] = verdict(arena, texts, texts->target, OP_UNSUPPORTED);
	op->verdicts[op->verdict_count++] = verdict(arena, texts, STR("musa@v2.7.1"), OP_NATIVE_JIT);
}

static struct result_fix fix(struct arena *arena, enum fix_kind kind, struct str what)
{
	struct result_fix fix = { .kind = kind,
		.what = what,
		.effort = EFFORT_UPGRADE,
		.operator_total = 9,
		.readiness = { 400000, 666667 },
		.coverage = { 500000, 1000000 },
		.blockers = 1 };

	fix.operators = arena_alloc(arena, sizeof(fix.operators[0]));
	fix.operators[fix.operator_count++] = what;
	return fix;
}

static void add_costs(struct arena *arena, const struct texts *texts, struct result_target *target)
{
	enum { FIXES = 20 };
	static const enum fix_kind kinds[] = { FIX_RELEASE, FIX_PACKAGE, FIX_REPLACE, FIX_SETTLE };

	target->fixes = arena_alloc(arena, FIXES * sizeof(target->fixes[0]));
	for (size_t i = 0; i < FIXES; i++)
		target->fixes[target->fix_count++] = fix(arena, kinds[i % 4], texts->name);
	target->fixes_left = 3;
	target->compiling = arena_alloc(arena, sizeof(*target->compiling));
	*target->compiling = (struct result_compiling){ COMPILES_BY_CHIP, 7, 90, 60, true, 90000, 180000 };
	target->host_transfers = arena_alloc(arena, sizeof(*target->host_transfers));
	*target->host_transfers = (struct result_fallback){ .calls = 14,
		.bytes_to_host = 123456789,
		.bytes_to_device = 999,
		.assumed_bytes = 5,
		.unsized_calls = 2,
		.copy_ns = FIGURE_MAX,
		.host_ns = 1234567,
		.step_ns = (FIGURE_MAX + 1234567) / 3,
		.host_known = true,
		.ordered = true,
		.runs_lo = 4,
		.runs_hi = 4,
		.longest = { texts->name, texts->name, 3, 12 } };
	target->host_transfers->items = arena_alloc(arena, sizeof(target->host_transfers->items[0]));
	target->host_transfers->items[target->host_transfers->item_count++] = (struct result_host_transfer){
		texts->name, 14, 123456789, 999, FIGURE_MAX, 1234567
	};
}

/* A module in a module, and one beside them. */
static void add_places(struct result *result, const struct texts *texts)
{
	static const uint32_t depths[] = { 0, 1, 0 };
	struct arena *arena = &result->arena;

	result->cost = (struct result_cost){ 3, 7053999, 12000000000, 1500, 2, true };
	result->places.kind = PLACES_MODULES;
	result->places.left_out = 11;
	result->places.items = arena_alloc(arena, ARRAY_SIZE(depths) * sizeof(result->places.items[0]));
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		struct result_place *place = &result->places.items[result->places.count++];

		*place = (struct result_place){
			.path = texts->name, .depth = depths[i], .calls = 70, .operators = 2, .share_ppm = 700000
		};
		place->targets = arena_alloc(arena, 2 * sizeof(place->targets[0]));
		place->target_count = 2;
		place->targets[0] = (struct result_place_target){ 100000, 200000, 300000, 200000, 100000, 1,
			texts->target };
		place->targets[1] = (struct result_place_target){ 700000, 700000, 0, 0, 0, 0, STR("musa@v2.7.1") };
	}
}

static struct result_target target(struct arena *arena, struct str id, enum verdict verdict)
{
	struct result_interval whole = { 333333, 666667 };
	struct result_target target = { .id = id,
		.plugin = STR("26.0.0"),
		.torch = STR("2.7.1"),
		.cann = STR("8.3"),
		.date = STR("2026-08-22"),
		.fallback = STR("runs on the CPU"),
		.readiness = { whole, whole, whole },
		.coverage = { whole, whole, { 0, 1000000 } },
		.verdict = verdict,
		.gate = GATE_FAILED };

	target.counts = arena_alloc(arena, 2 * sizeof(target.counts[0]));
	target.counts[target.count_count++] = (struct result_count){ OP_NATIVE, 1, 333333 };
	target.counts[target.count_count++] = (struct result_count){ OP_UNSUPPORTED, 1, 666667 };
	return target;
}

static void add_finding(struct result *result, const struct texts *texts, const char *rule, enum severity severity)
{
	struct result_verdict about = verdict(&result->arena, texts, texts->target, OP_NATIVE);

	result->findings[result->finding_count++] = (struct result_finding){ .what = *message(
										     &result->arena, rule, texts->name),
		.severity = severity,
		.operator_name = texts->name,
		.target = texts->target,
		.share_ppm = 500000,
		.evidence = about.evidence,
		.evidence_count = about.evidence_count,
		.advice = about.advice,
		.advice_count = about.advice_count,
		.fingerprint = STR("0123456789abcdef") };
}

static struct result *make(const struct texts *texts)
{
	enum { FINDINGS = 60, IGNORED = 40 };
	struct arena first = ARENA_INIT(ARENA_UNLIMITED);
	struct result *result = arena_alloc(&first, sizeof(*result));
	struct arena *arena;

	result->arena = first;
	arena = &result->arena;
	result->tool_version = texts->version;
	result->db = (struct result_db){ STR("4fe508dc0cfc"), STR("2026-08-22T00:00:00Z"), STR("4fe508") };
	result->basis = BASIS_CPU_TIME;
	result->inputs = arena_alloc(arena, sizeof(result->inputs[0]));
	result->inputs[result->input_count++] = (struct result_input){ .name = texts->file,
		.sha256 = STR("abc"),
		.format = STR("table"),
		.encoding = STR("utf-8+gb18030"),
		.compression = STR("gzip"),
		.torch_era = STR("2.8+"),
		.bytes = 77,
		.steps = 3,
		.tables = 4,
		.ranks = 2,
		.rows = 900,
		.skipped_lines = 1,
		.capture = { true, false, true, true, true, true, 5, 6,
			message(arena, "capture-lines-skipped", texts->name), 1 } };
	result->operators = arena_alloc(arena, 2 * sizeof(result->operators[0]));
	add_operator(result, texts, texts->name, 666667);
	add_operator(result, texts, STR("aten::mul"), 333333);
	result->ignored = arena_alloc(arena, IGNORED * sizeof(result->ignored[0]));
	for (size_t i = 0; i < IGNORED; i++)
		result->ignored[result->ignored_count++] = (struct result_ignored){ texts->name,
			i < 20 ? NAME_LABEL : NAME_RUNTIME, i };
	result->targets = arena_alloc(arena, 2 * sizeof(result->targets[0]));
	result->targets[result->target_count++] = target(arena, texts->target, VERDICT_BLOCKED);
	result->targets[result->target_count++] = target(arena, STR("musa@v2.7.1"), VERDICT_INCONCLUSIVE);
	add_costs(arena, texts, &result->targets[0]);
	add_places(result, texts);
	result->assumptions = arena_alloc(arena, sizeof(result->assumptions[0]));
	result->assumptions[result->assumption_count++] = (struct result_assumption){ texts->name, OP_NATIVE };
	result->findings = arena_alloc(arena, FINDINGS * sizeof(result->findings[0]));
	for (size_t i = 0; i < FINDINGS; i++)
		add_finding(result, texts, i < 30 ? "op-unsupported" : "op-compiles",
			i < 30 ? SEVERITY_ERROR : SEVERITY_NOTE);
	result->warnings = message(arena, "version-mismatch", texts->name);
	result->warning_count = 1;
	return result;
}

struct result *result_plain(void)
{
	return make(&(struct texts){ STR("aten::add"), STR("profiler.log"), STR("0.1.0"), STR("npu@v2.7.1-26.0.0") });
}

struct result *result_hostile(void)
{
	return make(&(struct texts){ STR(EVIL_TEXT), STR(EVIL_TEXT),
		STR("1.2.3-a-very-long-version-that-no-one-would-ever-print-but-somebody-may-write-into-a-report-by-"
		    "hand-to-see-what-happens"),
		STR("npu@v2.7.1-26.0.0-and-so-on-until-no-column-of-any-table-is-wide-enough-for-it-any-more-and-then-"
		    "still-further-on") });
}
