#include "check/lookup/lookup_facts.h"

#include "assess/judge/judgement.h"
#include "check/lookup/lookup_units.h"
#include "opdb/db/note.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/dtype.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/records.h"

/* --- what the records name beside members of the answers */

struct slow_cast {
	unsigned from, to; /* a number; enum dtype */
};

struct shown_argument {
	struct argument_limit limit;
	struct str source;
};

struct shown_note {
	struct note note;
	struct str about;
	enum evidence_kind evidence;
	bool release_named, lost, against_kernels;
};

/* The facts on one target. */
struct shown_facts {
	struct str target;
	struct lookup_answer answer;
	struct result_types types;
	bool jit_compile;
	struct npu_cast *casts;
	size_t cast_count;
	struct slow_cast *slow_casts;
	size_t slow_cast_count;
	struct shown_argument *arguments;
	struct shown_note *notes;
};

struct shown_operator {
	struct str name, overload, api;
	struct result_verdict *verdicts;
	struct shown_facts *facts; /* NULL: of an operator that a Python name calls */
	size_t target_count;
	struct recipe_list recipes;
};

struct shown_lookup {
	const struct lookup *api; /* NULL: the question was about an operator */
	struct shown_operator *operators;
	size_t operator_count;
};

/* --- kinds */

static void put_percent(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_decimal(json, *(const unsigned *)field_of(field, item), 2);
}

static void put_kernel(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_str(json, *(const bool *)field_of(field, item) ? STR("acl_op") : STR("aclnn"));
}

/* NULL: "" */
static void put_release_id(struct jsonw *json, const struct field *field, const void *item)
{
	const struct release *release = *(const struct release *const *)field_of(field, item);

	jsonw_str(json, release ? release->id : STR(""));
}

static const struct kind kind_release_id = { "release", "string", MEMBER_POINTER, .put = put_release_id };
static const struct kind kind_percent = { "percent", "number", MEMBER_UNSIGNED, .most = 1000000, .put = put_percent };
static const struct kind kind_kernel = { "kernel", "string", MEMBER_BOOL, .put = put_kernel };

/* --- records */

/* clang-format off */
static const struct record overload_record = { sizeof(struct overload_answer), (const struct field[]){
	{ "name", &kind_text, AT(overload_answer, name) },
	{ "signature", &kind_text, AT(overload_answer, signature) },
	{ "status", &kind_enum, AT(overload_answer, status), .words = &op_status_words },
	{ "via", &kind_text, AT(overload_answer, via) },
	{ 0 } } };

static const struct record backward_record = { sizeof(struct lookup_backward), (const struct field[]){
	{ "name", &kind_text, AT(lookup_backward, base) },
	{ "status", &kind_enum, AT(lookup_backward, status), .words = &op_status_words },
	{ 0 } } };

static const struct record unit_record = { sizeof(struct unit_answer), (const struct field[]){
	{ "unit", &kind_enum, AT(unit_answer, unit), .words = &unit_words },
	{ "dtypes", &kind_flags, AT(unit_answer, dtypes), .words = &dtype_words },
	{ "kernels", &kind_text, AT(unit_answer, kernels) },
	{ "note", &kind_text, AT(unit_answer, note) },
	{ "when", &kind_text, AT(unit_answer, when_en) },
	{ 0 } } };

static const struct record cast_record = { sizeof(struct npu_cast), (const struct field[]){
	{ "kernel", &kind_kernel, AT(npu_cast, acl_op) },
	{ "argument", &kind_text, AT(npu_cast, argument) },
	{ "dtypes", &kind_flags, AT(npu_cast, dtypes), .words = &dtype_words },
	{ "becomes", &kind_text, AT(npu_cast, becomes) },
	{ 0 } } };

static const struct record slow_cast_record = { sizeof(struct slow_cast), (const struct field[]){
	{ "from", &kind_enum, AT(slow_cast, from), .words = &dtype_words },
	{ "to", &kind_flags, AT(slow_cast, to), .words = &dtype_words },
	{ 0 } } };

static const struct record source_record = { sizeof(struct evidence), (const struct field[]){
	{ "ref", &kind_text, AT(evidence, ref) },
	{ 0 } }, .bare = true };

static const struct record units_record = { sizeof(struct shown_facts), (const struct field[]){
	{ "cann", &kind_text, AT(shown_facts, answer.answer.units.cann) },
	{ "nearest", &kind_bool, AT(shown_facts, answer.answer.units.nearest) },
	{ "rows", &kind_list, AT(shown_facts, answer.answer.units.lines),
		.count = AT(shown_facts, answer.answer.units.count), .record = &unit_record },
	{ "jit_compile", &kind_bool, AT(shown_facts, jit_compile) },
	{ "casts", &kind_list, AT(shown_facts, casts), .count = AT(shown_facts, cast_count), .record = &cast_record },
	{ "slow_casts", &kind_list, AT(shown_facts, slow_casts), .count = AT(shown_facts, slow_cast_count),
		.record = &slow_cast_record },
	{ "sources", &kind_list, AT(shown_facts, answer.answer.units.evidence),
		.count = AT(shown_facts, answer.answer.units.evidence_count), .record = &source_record },
	{ 0 } } };

static const struct record collective_record = { sizeof(struct collective_fact), (const struct field[]){
	{ "reduce_op", &kind_text, AT(collective_fact, reduce_op) },
	{ "supported", &kind_bool, AT(collective_fact, supported) },
	{ "dtypes", &kind_flags, AT(collective_fact, dtypes), .words = &dtype_words },
	{ "note", &kind_text, AT(collective_fact, note) },
	{ 0 } } };

static const struct record package_record = { sizeof(struct package_fact), (const struct field[]){
	{ "package", &kind_text, AT(package_fact, package) },
	{ "since", &kind_text, AT(package_fact, since) },
	{ "last", &kind_text, AT(package_fact, last) },
	{ "argument", &kind_text, AT(package_fact, argument) },
	{ "takes", &kind_flags, AT(package_fact, takes), .words = &dtype_words },
	{ "refuses", &kind_flags, AT(package_fact, refuses), .words = &dtype_words },
	{ "not_tested", &kind_flags, AT(package_fact, skips), .words = &dtype_words },
	{ "how", &kind_text, AT(package_fact, how) },
	{ "note", &kind_text, AT(package_fact, note) },
	{ 0 } } };

static const struct record argument_record = { sizeof(struct shown_argument), (const struct field[]){
	{ "operator", &kind_text, AT(shown_argument, limit.op) },
	{ "test", &kind_text, AT(shown_argument, limit.test) },
	{ "when", &kind_text, AT(shown_argument, limit.en) },
	{ "source", &kind_text, AT(shown_argument, source) },
	{ 0 } } };

static const struct record note_record = { sizeof(struct shown_note), (const struct field[]){
	{ "about", &kind_text, AT(shown_note, about) },
	{ "evidence", &kind_enum, AT(shown_note, evidence), .words = &evidence_kind_words },
	{ "release_named", &kind_bool, AT(shown_note, release_named) },
	{ "lost", &kind_bool, AT(shown_note, lost) },
	{ "against_kernels", &kind_bool, AT(shown_note, against_kernels) },
	{ "text", &kind_text, AT(shown_note, note.text) },
	{ "source", &kind_text, AT(shown_note, note.ref) },
	{ "date", &kind_text, AT(shown_note, note.date) },
	{ 0 } } };

static const struct record run_record = { sizeof(struct transition), (const struct field[]){
	{ "status", &kind_enum, AT(transition, status), .words = &op_status_words },
	{ "from", &kind_release_id, AT(transition, release) },
	{ "to", &kind_release_id, AT(transition, last) },
	{ 0 } } };

static const struct record release_record = { sizeof(struct release), (const struct field[]){
	{ "id", &kind_text, AT(release, id) },
	{ 0 } }, .bare = true };

static const struct record facts_record = { sizeof(struct shown_facts), (const struct field[]){
	{ "target", &kind_text, AT(shown_facts, target) }, /* the key of a map */
	{ "overloads", &kind_list, AT(shown_facts, answer.answer.overloads),
		.count = AT(shown_facts, answer.answer.overload_count), .record = &overload_record },
	{ "backward", &kind_list, AT(shown_facts, answer.backward), .count = AT(shown_facts, answer.backward_count),
		.record = &backward_record },
	{ "takes", &kind_flags, AT(shown_facts, types.takes), .words = &dtype_words },
	{ "refuses", &kind_flags, AT(shown_facts, types.refuses), .words = &dtype_words },
	{ "tested", &kind_flags, AT(shown_facts, types.tested), .words = &dtype_words },
	{ "aicpu", &kind_flags, AT(shown_facts, types.aicpu), .words = &dtype_words },
	{ "aicpu_if", &kind_flags, AT(shown_facts, types.aicpu_if), .words = &dtype_words },
	{ "units", &kind_object, .record = &units_record },
	{ "collectives", &kind_pointers, AT(shown_facts, answer.answer.library.collectives),
		.count = AT(shown_facts, answer.answer.library.collective_count), .record = &collective_record },
	{ "packages", &kind_pointers, AT(shown_facts, answer.answer.library.packages),
		.count = AT(shown_facts, answer.answer.library.package_count), .record = &package_record },
	{ "arguments", &kind_list, AT(shown_facts, arguments), .count = AT(shown_facts, answer.answer.argument_count),
		.record = &argument_record },
	{ "dense_only", &kind_text, AT(shown_facts, answer.sparse.kernel), OPTIONAL },
	{ "instead", &kind_text, AT(shown_facts, answer.instead), OPTIONAL },
	{ "notes", &kind_list, AT(shown_facts, notes), .count = AT(shown_facts, answer.answer.note_count),
		.record = &note_record },
	{ "releases", &kind_list, AT(shown_facts, answer.history.transitions),
		.count = AT(shown_facts, answer.history.count), .record = &run_record },
	{ "earliest", &kind_release_id, AT(shown_facts, answer.history.earliest) },
	{ "backports", &kind_pointers, AT(shown_facts, answer.history.backports),
		.count = AT(shown_facts, answer.history.backport_count), .record = &release_record },
	{ 0 } } };

static const struct record operator_record = { sizeof(struct shown_operator), (const struct field[]){
	{ "name", &kind_text, AT(shown_operator, name) },
	{ "overload", &kind_text, AT(shown_operator, overload), OPTIONAL },
	{ "api", &kind_text, AT(shown_operator, api), OPTIONAL },
	{ "verdicts", &kind_map, AT(shown_operator, verdicts), .count = AT(shown_operator, target_count),
		.record = &verdict_by_target },
	{ "facts", &kind_map, AT(shown_operator, facts), OPTIONAL, .count = AT(shown_operator, target_count),
		.when = AT(shown_operator, facts), .record = &facts_record },
	{ "recipes", &kind_list, AT(shown_operator, recipes.items), OPTIONAL,
		.count = AT(shown_operator, recipes.count), .when = AT(shown_operator, facts),
		.record = &recipe_record },
	{ 0 } } };

static const struct record status_record = { sizeof(struct result_verdict), (const struct field[]){
	{ "target", &kind_text, AT(result_verdict, target) }, /* the key of a map */
	{ "status", &kind_enum, AT(result_verdict, status), .words = &op_status_words },
	{ 0 } }, .bare = true };

static const struct record call_record = { sizeof(struct lookup_call), (const struct field[]){
	{ "operator", &kind_text, AT(lookup_call, call.name) },
	{ "forward", &kind_percent, AT(lookup_call, call.forward) },
	{ "backward", &kind_percent, AT(lookup_call, call.backward) },
	{ "statuses", &kind_map, AT(lookup_call, verdicts), .count = AT(lookup_call, verdict_count),
		.record = &status_record },
	{ 0 } } };

static const struct record api_record = { sizeof(struct lookup), (const struct field[]){
	{ "name", &kind_text, AT(lookup, api) },
	{ "calls", &kind_list, AT(lookup, calls), .count = AT(lookup, call_count), .record = &call_record },
	{ 0 } } };

const struct record lookup_record = { sizeof(struct shown_lookup), (const struct field[]){
	{ "api", &kind_pointer, AT(shown_lookup, api), OPTIONAL, .record = &api_record },
	{ "operators", &kind_list, AT(shown_lookup, operators), .count = AT(shown_lookup, operator_count),
		.record = &operator_record },
	{ 0 } } };
/* clang-format on */

/* --- the structs that they are of */

static void show_casts(const struct unit_report *units, struct arena *arena, struct shown_facts *ret)
{
	size_t count = 0;

	for (const struct npu_cast *cast = units->casts; cast; cast = cast->next)
		count++;
	ret->casts = arena_alloc(arena, (count + 1) * sizeof(ret->casts[0]));
	for (const struct npu_cast *cast = units->casts; cast; cast = cast->next) {
		if (cast->acl_op ? units->compiles : units->calls_cann)
			ret->casts[ret->cast_count++] = *cast;
	}
	ret->slow_casts = arena_alloc(arena, DTYPE_COUNT * sizeof(ret->slow_casts[0]));
	for (unsigned i = 0; units->slow_casts && i < DTYPE_COUNT; i++) {
		if (units->slow_casts[i])
			ret->slow_casts[ret->slow_cast_count++] = (struct slow_cast){ i, units->slow_casts[i] };
	}
	ret->jit_compile = units->calls_cann && units->compiles;
}

static void show_notes(const struct answer *answer, struct arena *arena, struct shown_facts *ret)
{
	ret->notes = arena_alloc(arena, (answer->note_count + 1) * sizeof(ret->notes[0]));
	for (size_t i = 0; i < answer->note_count; i++) {
		const struct note_answer *note = &answer->notes[i];

		ret->notes[i] = (struct shown_note){ *note->note, note_kind_name(note->note->kind), note->evidence,
			note->release_named, note->lost, lookup_is_against_kernels(answer, note->note) };
	}
	ret->arguments = arena_alloc(arena, (answer->argument_count + 1) * sizeof(ret->arguments[0]));
	for (size_t i = 0; i < answer->argument_count; i++)
		ret->arguments[i] = (struct shown_argument){ *answer->arguments[i], answer->argument_refs[i] };
}

static void show_operator(const struct lookup *lookup, struct arena *arena, struct shown_operator *ret)
{
	*ret = (struct shown_operator){ .name = lookup->name,
		.overload = lookup->overload,
		.api = lookup->api,
		.verdicts = arena_alloc(arena, (lookup->count + 1) * sizeof(ret->verdicts[0])),
		.facts = arena_alloc(arena, (lookup->count + 1) * sizeof(ret->facts[0])),
		.target_count = lookup->count,
		.recipes = lookup->recipes };
	for (size_t i = 0; i < lookup->count; i++) {
		ret->verdicts[i] = lookup->answers[i].judgement.verdict;
		ret->facts[i] = (struct shown_facts){ .target = str_from(lookup->answers[i].target->id),
			.answer = lookup->answers[i],
			.types = types_taken(&lookup->answers[i].answer) };
		show_casts(&lookup->answers[i].answer.units, arena, &ret->facts[i]);
		show_notes(&lookup->answers[i].answer, arena, &ret->facts[i]);
	}
}

void lookup_put_json(const struct lookup *lookup, struct buf *out)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct jsonw json = jsonw_start(out, 2);
	struct shown_lookup shown = { .api = lookup->api.len ? lookup : NULL,
		.operators = arena_alloc(&arena, (lookup->call_count + 1) * sizeof(shown.operators[0])) };

	if (lookup->name.len)
		show_operator(lookup, &arena, &shown.operators[shown.operator_count++]);
	for (size_t i = 0; i < lookup->call_count && !lookup->name.len; i++)
		shown.operators[shown.operator_count++] = (struct shown_operator){ .name = lookup->calls[i].call.name,
			.api = lookup->api,
			.verdicts = lookup->calls[i].verdicts,
			.target_count = lookup->calls[i].verdict_count };
	record_put(&json, &lookup_record, &shown);
}
