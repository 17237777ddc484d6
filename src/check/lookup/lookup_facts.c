#include "check/lookup/lookup_facts.h"

#include "assess/judge/judgement.h"
#include "check/lookup/lookup_calls.h"
#include "check/lookup/lookup_library.h"
#include "check/lookup/lookup_put.h"
#include "check/lookup/lookup_units.h"
#include "json/jsonw.h"
#include "opdb/db/note.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/history.h"
#include "report/record/records.h"

static void put_overloads(struct jsonw *json, const struct answer *answer)
{
	jsonw_key_list(json, "overloads");
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *overload = &answer->overloads[i];

		jsonw_fill(json, "{'name': $, 'signature': $, 'status': $, 'via': $}", overload->name,
			overload->signature, op_status_name(overload->status), overload->via);
	}
	jsonw_list_end(json);
}

static void put_note(struct jsonw *json, const struct answer *told, const struct note_answer *answer)
{
	const struct note *note = answer->note;

	jsonw_fill(
		json, "{'about': $, 'evidence': $", note_kind_name(note->kind), evidence_kind_name(answer->evidence));
	jsonw_key_bool(json, "release_named", answer->release_named);
	jsonw_key_bool(json, "release_told", answer->release_named); /* its earlier name, written until 1.0 */
	jsonw_key_bool(json, "lost", answer->lost);
	jsonw_key_bool(json, "against_kernels", lookup_is_against_kernels(told, note));
	jsonw_fill(json, "'text': $, 'source': $, 'date': $}", note->text, note->ref, note->date);
}

static void put_arguments(struct jsonw *json, const struct answer *answer)
{
	jsonw_key_list(json, "arguments");
	for (size_t i = 0; i < answer->argument_count; i++) {
		const struct argument_limit *limit = answer->arguments[i];

		jsonw_fill(json, "{'operator': $, 'test': $, 'when': $, 'source': $}", limit->op, limit->test,
			limit->en, answer->argument_refs[i]);
	}
	jsonw_list_end(json);
}

static void put_releases(struct jsonw *json, const struct history *history)
{
	jsonw_key_list(json, "releases");
	for (size_t i = 0; i < history->count; i++) {
		const struct transition *run = &history->transitions[i];

		jsonw_fill(json, "{'status': $, 'from': $, 'to': $}", op_status_name(run->status), run->release->id,
			run->last->id);
	}
	jsonw_fill(json, "], 'earliest': $, 'backports': [", history->earliest ? history->earliest->id : STR(""));
	for (size_t i = 0; i < history->backport_count; i++)
		jsonw_str(json, history->backports[i]->id);
	jsonw_list_end(json);
}

static void put_backward(struct jsonw *json, const struct lookup_answer *answer)
{
	jsonw_key_list(json, "backward");
	for (size_t i = 0; i < answer->backward_count; i++)
		jsonw_fill(json, "{'name': $, 'status': $}", answer->backward[i].base,
			op_status_name(answer->backward[i].status));
	jsonw_list_end(json);
}

static void put_facts(const struct lookup_answer *answer, struct jsonw *json)
{
	struct result_types types = types_taken(&answer->answer);

	jsonw_object(json);
	put_overloads(json, &answer->answer);
	put_backward(json, answer);
	lookup_put_types_json(json, "takes", types.takes);
	lookup_put_types_json(json, "refuses", types.refuses);
	lookup_put_types_json(json, "tested", types.tested);
	lookup_put_types_json(json, "aicpu", types.aicpu);
	lookup_put_types_json(json, "aicpu_if", types.aicpu_if);
	lookup_put_units_json(&answer->answer, json);
	lookup_put_library_json(&answer->answer, json);
	put_arguments(json, &answer->answer);
	if (answer->sparse.layouts)
		jsonw_key_str(json, "dense_only", answer->sparse.kernel);
	if (answer->instead.len)
		jsonw_key_str(json, "instead", answer->instead);
	jsonw_key_list(json, "notes");
	for (size_t i = 0; i < answer->answer.note_count; i++)
		put_note(json, &answer->answer, &answer->answer.notes[i]);
	jsonw_list_end(json);
	put_releases(json, &answer->history);
	jsonw_object_end(json);
}

static void put_operator_json(const struct lookup *lookup, struct jsonw *json)
{
	jsonw_fill(json, "{'name': $", lookup->name);
	if (lookup->overload.len)
		jsonw_key_str(json, "overload", lookup->overload);
	if (lookup->api.len)
		jsonw_key_str(json, "api", lookup->api);
	jsonw_key_object(json, "verdicts");
	for (size_t i = 0; i < lookup->count; i++)
		record_put_key(
			json, lookup->answers[i].target->id, &verdict_record, &lookup->answers[i].judgement.verdict);
	jsonw_fill(json, "}, 'facts': {");
	for (size_t i = 0; i < lookup->count; i++) {
		jsonw_key(json, lookup->answers[i].target->id);
		put_facts(&lookup->answers[i], json);
	}
	jsonw_object_end(json);
	recipe_list_put_json(&lookup->recipes, json);
	jsonw_object_end(json);
}

static void put_call_json(const struct lookup *lookup, const struct lookup_call *call, struct jsonw *json)
{
	jsonw_fill(json, "{'name': $, 'api': $, 'verdicts': {", call->call.name, lookup->api);
	for (size_t i = 0; i < lookup->targets->count; i++)
		record_put_key(json, lookup->targets->items[i].id, &verdict_record, &call->verdicts[i]);
	jsonw_fill(json, "}}");
}

void lookup_put_json(const struct lookup *lookup, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	lookup_put_calls_json(lookup, &json);
	jsonw_key_list(&json, "operators");
	if (lookup->name.len)
		put_operator_json(lookup, &json);
	for (size_t i = 0; i < lookup->call_count && !lookup->name.len; i++)
		put_call_json(lookup, &lookup->calls[i], &json);
	jsonw_fill(&json, "]}");
}
