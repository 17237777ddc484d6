#include "report/record/load.h"

#include "assess/finding/headline.h"
#include "record/kinds.h"
#include "record/load.h"
#include "report/record/records.h"

/* --- what renderers rely on beyond the fields */

/* Both answers have a verdict on each target, in their order. */
static void check_question(struct loader *loader, const struct result *result, const struct result_question *question)
{
	for (size_t i = 0; i < question->answer_count; i++) {
		const struct result_answer *answer = &question->answers[i];

		if (answer->verdict_count != result->target_count ||
			!ALL(j, result->target_count, str_eq(answer->verdicts[j].target, result->targets[j].id)))
			loader_note(loader, "answers");
	}
}

/* Renderers find the verdicts on an operator, and the figures of a place, by the place of the target. */
static void check_targets(struct loader *loader, const struct result *result)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		const struct result_operator *op = &result->operators[i];

		if (op->verdict_count != result->target_count)
			loader_note(loader, "verdicts");
		for (size_t j = 0; j < result->target_count && !loader->missing; j++) {
			if (!str_eq(op->verdicts[j].target, result->targets[j].id))
				loader_note(loader, "verdicts");
		}
		if (op->first_seen && op->first_seen->input >= result->input_count)
			loader_note(loader, "first_seen");
	}
	for (size_t i = 0; i < result->question_count; i++)
		check_question(loader, result, &result->questions[i]);
	for (size_t i = 0; i < result->places.count; i++) {
		const struct result_place *place = &result->places.items[i];

		if (place->target_count != result->target_count)
			loader_note(loader, "modules");
		for (size_t j = 0; j < result->target_count && !loader->missing; j++) {
			if (!str_eq(place->targets[j].target, result->targets[j].id))
				loader_note(loader, "modules");
		}
	}
}

/* --- the report */

static const struct record version_record = { sizeof(struct str),
	(const struct field[]){ { "schema_version", &kind_text, { 0, sizeof(struct str) } }, { 0 } } };

/* Reads the version alone: the first look at the text. */
static int check_version(struct str json, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct loader loader = { .arena = &arena };
	struct str version = STR("");
	bool is_report = record_read(&loader, json, &version_record, &version);
	bool is_known = str_starts(version, STR("1."));

	arena_clear(&arena);
	if (loader.bad_at != SIZE_MAX) {
		err_set(err, ERR_REPORT, "not JSON from byte %zu on", loader.bad_at);
		return err_hint(err, "give a report made with `opcheck check DUMP -f json`");
	}
	if (!is_report) {
		err_set(err, ERR_REPORT, "this is not a report of opcheck");
		return err_hint(err, "make one with `opcheck check DUMP -f json`");
	}
	if (is_known)
		return 0;
	err_set(err, ERR_REPORT, "the report has another schema version than 1");
	return err_hint(err, "read it with the version of opcheck that wrote it");
}

static int load_text_of(struct str json, bool spends, struct result **ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED); /* about the size of the text, which the caller bounds */
	struct result *result;
	struct loader loader = { .spends = spends };
	int status = check_version(json, err);

	if (status)
		return status;
	result = arena_alloc(&arena, sizeof(*result));
	result->arena = arena;
	loader.arena = &result->arena;
	loader.shared = shared_new(loader.arena);
	result->shown_ppm = WHOLE_PPM;
	result->cost.steps = 1; /* of reports without a cost: figures are divided by it */
	record_load(&loader, &report_record, &(struct json_value){ JSON_OBJECT, false, str_trim(json) }, result);
	shared_free(loader.shared);
	check_targets(&loader, result);
	if (!result->cost.steps || (int64_t)result->cost.host_slowdown_milli < 0)
		loader_note(&loader, "cost");
	if (ANY(i, result->target_count, result->targets[i].count_count > OP_STATUS_COUNT))
		loader_note(&loader, "counts");
	if (loader.missing) {
		err_set(err, ERR_REPORT, "the report has no usable '%s'", loader.missing);
		result_free(result);
		return err_hint(err, "it was changed by hand or written by another program");
	}
	for (size_t i = 0; i < result->target_count; i++)
		headline_complete(&result->targets[i]);
	*ret = result;
	return 0;
}

int report_load(struct str json, struct result **ret, struct err *err)
{
	return load_text_of(json, false, ret, err);
}

int report_load_spending(struct buf *json, struct result **ret, struct err *err)
{
	int status = load_text_of(buf_str(json), true, ret, err);

	buf_clear(json);
	return status;
}
