#include "server/service/run_json.h"

void verdict_put_json(struct jsonw *json, const struct stored_verdict *verdict)
{
	jsonw_fill(json, "'id': $, 'verdict': $, 'gate': $", verdict->target, verdict->verdict, verdict->gate);
	if (verdict->readiness_lo_ppm < 0)
		return;
	jsonw_key_object(json, "readiness");
	jsonw_key_decimal(json, "lo", verdict->readiness_lo_ppm, 6);
	jsonw_key_decimal(json, "hi", verdict->readiness_hi_ppm, 6);
	jsonw_object_end(json);
}

static void put_verdicts(struct jsonw *json, const struct stored_assessment *record)
{
	jsonw_key_list(json, "targets");
	for (size_t i = 0; i < record->verdict_count; i++) {
		jsonw_object(json);
		verdict_put_json(json, &record->verdicts[i]);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void put_input(struct jsonw *json, const struct stored_assessment *record)
{
	jsonw_fill(json, "'input': {'sha256': $", record->input_sha256);
	jsonw_key_number(json, "bytes", (int64_t)record->input_bytes);
	jsonw_object_end(json);
}

static void put_tags(struct jsonw *json, struct str tags)
{
	struct str tag;

	jsonw_key_list(json, "tags");
	while (tags.len && str_cut(&tags, ' ', &tag))
		jsonw_str(json, tag);
	jsonw_list_end(json);
}

static void put_run_members(struct jsonw *json, const struct run *run)
{
	jsonw_fill(json, "'id': $, 'created_at': $, 'project': $, 'name': $, 'model': $, 'branch': $, 'commit': $",
		run->id, run->created_at, run->project, run->name, run->model, run->branch, run->revision);
	put_tags(json, run->tags);
	jsonw_key_bool(json, "kept", run->kept);
	jsonw_key_str(json, "verdict", run->verdict);
}

void run_put_json(struct jsonw *json, const struct run *run)
{
	struct str id = run->record.id;

	jsonw_object(json);
	put_run_members(json, run);
	jsonw_key_str(json, "assessment", id);
	put_input(json, &run->record);
	put_verdicts(json, &run->record);
	jsonw_fill(json,
		"'links': {'self': '/api/v1/runs/$', 'assessment': '/api/v1/assessments/$', "
		"'report': '/api/v1/assessments/$/report', 'page': '/assessments/$'}}",
		run->id, id, id, id);
}

void run_put_point_json(struct jsonw *json, const struct run *run)
{
	jsonw_fill(json, "{'run': $, 'created_at': $, 'project': $, 'branch': $, 'commit': $", run->id, run->created_at,
		run->project, run->branch, run->revision);
	put_verdicts(json, &run->record);
	jsonw_object_end(json);
}

static void put_run(struct jsonw *json, const struct run *run)
{
	jsonw_key_object(json, "run");
	put_run_members(json, run);
	jsonw_fill(json, "'links': {'self': '/api/v1/runs/$'", run->id);
	if (run->former.len)
		jsonw_fill(json, "'changes': '/api/v1/compare?a=$&b=$', 'changes_page': '/compare?a=$&b=$'",
			run->former, run->record.id, run->former, run->record.id);
	jsonw_fill(json, "}}");
}

void assessment_put_json(struct jsonw *json, const struct stored_assessment *record, const struct run *run)
{
	jsonw_fill(json, "{'id': $, 'created_at': $, 'name': $", record->id, record->created_at, record->name);
	put_input(json, record);
	jsonw_key(json, "options");
	jsonw_raw(json, record->options);
	jsonw_fill(json, "'db': {'sha256': $}, 'tool': {'name': 'opcheck', 'version': $}", record->db_sha256,
		record->tool_version);
	put_verdicts(json, record);
	if (run)
		put_run(json, run);
	jsonw_fill(json,
		"'links': {'self': '/api/v1/assessments/$', 'report': '/api/v1/assessments/$/report', "
		"'page': '/assessments/$'}}",
		record->id, record->id, record->id);
}
