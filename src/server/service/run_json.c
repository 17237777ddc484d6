#include "server/service/run_json.h"

#include "record/kinds.h"
#include "record/nested.h"
#include "server/service/link_kind.h"

/* --- kinds */

static void put_options(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_raw(json, *(const struct str *)field_of(field, item));
}

static const struct kind kind_options = { "options", "object", MEMBER_TEXT, .put = put_options };

static const struct link_kind tool_name = LINK_KIND("opcheck"), run_self = LINK_KIND("/api/v1/runs/$"),
			      assessment_self = LINK_KIND("/api/v1/assessments/$"),
			      assessment_report = LINK_KIND("/api/v1/assessments/$/report"),
			      assessment_page = LINK_KIND("/assessments/$");

/* Of the assessment before, which a run replaces, and its own. */
static void put_changes(struct jsonw *json, const struct field *field, const void *item)
{
	const struct run *run = item;

	jsonw_fill(json, ((const struct link_kind *)(const void *)field->kind)->pattern, run->former, run->record.id);
}

static const struct link_kind changes = { { "link", "string", MEMBER_TEXT, .put = put_changes },
	"'/api/v1/compare?a=$&b=$'" };
static const struct link_kind changes_page = { { "link", "string", MEMBER_TEXT, .put = put_changes },
	"'/compare?a=$&b=$'" };

/* --- verdicts */

static bool has_readiness(const void *item)
{
	return ((const struct stored_verdict *)item)->readiness_lo_ppm >= 0;
}

/* clang-format off */
static const struct record readiness_record = { sizeof(struct stored_verdict), (const struct field[]){
	{ "lo", &kind_share, AT(stored_verdict, readiness_lo_ppm) },
	{ "hi", &kind_share, AT(stored_verdict, readiness_hi_ppm) },
	{ 0 } } };

const struct record target_verdict_record = { sizeof(struct stored_verdict), (const struct field[]){
	{ "id", &kind_text, AT(stored_verdict, target) },
	{ "verdict", &kind_text, AT(stored_verdict, verdict) },
	{ "gate", &kind_text, AT(stored_verdict, gate) },
	{ "readiness", &kind_object, .flags = OPTIONAL, .record = &readiness_record, .is_written = has_readiness },
	{ 0 } } };

static const struct record input_record = { sizeof(struct stored_assessment), (const struct field[]){
	{ "sha256", &kind_text, AT(stored_assessment, input_sha256) },
	{ "bytes", &kind_count, AT(stored_assessment, input_bytes) },
	{ 0 } } };

/* --- runs */

static const struct record member_record = { sizeof(struct run), (const struct field[]){
	{ "id", &kind_text, AT(run, id) },
	{ "created_at", &kind_text, AT(run, created_at) },
	{ "project", &kind_text, AT(run, project) },
	{ "name", &kind_text, AT(run, name) },
	{ "model", &kind_text, AT(run, model) },
	{ "branch", &kind_text, AT(run, branch) },
	{ "commit", &kind_text, AT(run, revision) },
	{ "tags", &kind_joined, AT(run, tags) },
	{ "kept", &kind_bool, AT(run, kept) },
	{ "verdict", &kind_text, AT(run, verdict) },
	{ 0 } } };

static const struct record run_links = { sizeof(struct run), (const struct field[]){
	{ "self", &run_self.kind, AT(run, id) },
	{ "assessment", &assessment_self.kind, AT(run, record.id) },
	{ "report", &assessment_report.kind, AT(run, record.id) },
	{ "page", &assessment_page.kind, AT(run, record.id) },
	{ 0 } } };

const struct record run_record = { sizeof(struct run), (const struct field[]){
	{ "run", &kind_inline, .record = &member_record },
	{ "assessment", &kind_text, AT(run, record.id) },
	{ "input", &kind_object, AT(run, record), .record = &input_record },
	{ "targets", &kind_list, AT(run, record.verdicts), .count = AT(run, record.verdict_count),
		.record = &target_verdict_record },
	{ "links", &kind_object, .record = &run_links },
	{ 0 } } };

static bool has_basis(const void *item)
{
	return ((const struct run_point *)item)->run.record.basis.len > 0;
}

const struct record run_point_record = { sizeof(struct run_point), (const struct field[]){
	{ "run", &kind_text, AT(run_point, run.id) },
	{ "created_at", &kind_text, AT(run_point, run.created_at) },
	{ "project", &kind_text, AT(run_point, run.project) },
	{ "branch", &kind_text, AT(run_point, run.branch) },
	{ "commit", &kind_text, AT(run_point, run.revision) },
	{ "basis", &kind_text, AT(run_point, run.record.basis), OPTIONAL },
	{ "shown", &kind_share, AT(run_point, run.record.shown_ppm), OPTIONAL, .is_written = has_basis },
	{ "captures_differ", &kind_bool, AT(run_point, captures_differ) },
	{ "targets", &kind_list, AT(run_point, run.record.verdicts), .count = AT(run_point, run.record.verdict_count),
		.record = &target_verdict_record },
	{ 0 } } };

/* --- assessments */

static const struct record submit_links = { sizeof(struct run), (const struct field[]){
	{ "self", &run_self.kind, AT(run, id) },
	{ "changes", &changes.kind, AT(run, former), OPTIONAL },
	{ "changes_page", &changes_page.kind, AT(run, former), OPTIONAL },
	{ 0 } } };

static const struct record submit_record = { sizeof(struct run), (const struct field[]){
	{ "run", &kind_inline, .record = &member_record },
	{ "links", &kind_object, .record = &submit_links },
	{ 0 } } };

static const struct record db_record = { sizeof(struct stored_assessment), (const struct field[]){
	{ "sha256", &kind_text, AT(stored_assessment, db_sha256) },
	{ 0 } } };

static const struct record tool_record = { sizeof(struct stored_assessment), (const struct field[]){
	{ "name", &tool_name.kind },
	{ "version", &kind_text, AT(stored_assessment, tool_version) },
	{ 0 } } };

static const struct record assessment_links = { sizeof(struct stored_assessment), (const struct field[]){
	{ "self", &assessment_self.kind, AT(stored_assessment, id) },
	{ "report", &assessment_report.kind, AT(stored_assessment, id) },
	{ "page", &assessment_page.kind, AT(stored_assessment, id) },
	{ 0 } } };

const struct record assessment_record = { sizeof(struct assessment_view), (const struct field[]){
	{ "id", &kind_text, AT(assessment_view, record.id) },
	{ "created_at", &kind_text, AT(assessment_view, record.created_at) },
	{ "name", &kind_text, AT(assessment_view, record.name) },
	{ "input", &kind_object, AT(assessment_view, record), .record = &input_record },
	{ "options", &kind_options, AT(assessment_view, record.options) },
	{ "db", &kind_object, AT(assessment_view, record), .record = &db_record },
	{ "tool", &kind_object, AT(assessment_view, record), .record = &tool_record },
	{ "targets", &kind_list, AT(assessment_view, record.verdicts),
		.count = AT(assessment_view, record.verdict_count), .record = &target_verdict_record },
	{ "run", &kind_pointer, AT(assessment_view, run), OPTIONAL, .record = &submit_record },
	{ "links", &kind_object, AT(assessment_view, record), .record = &assessment_links },
	{ 0 } } };
