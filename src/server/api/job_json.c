#include "server/api/job_json.h"

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "server/http/problem.h"
#include "server/jobs/queue_look.h"
#include "server/service/link_kind.h"

static void put_problem(struct jsonw *json, const struct field *field UNUSED, const void *item)
{
	const struct job_view *job = item;

	jsonw_object(json);
	problem_put_members(json, job->lang, &job->ticket.err);
	jsonw_object_end(json);
}

static bool has_result(const void *item)
{
	return str_eq(((const struct job_view *)item)->ticket.status, STR("succeeded"));
}

static const struct kind kind_problem = { "problem", "object", MEMBER_STRUCT, .put = put_problem };
static const struct link_kind self = LINK_KIND("/api/v1/jobs/$"), result = LINK_KIND("/api/v1/assessments/$");

/* clang-format off */
static const struct record progress_record = { sizeof(struct queue_look), (const struct field[]){
	{ "read_bytes", &kind_count, AT(queue_look, read_bytes) },
	{ "input_bytes", &kind_count, AT(queue_look, input_bytes) },
	{ 0 } } };

static const struct record links_record = { sizeof(struct job_view), (const struct field[]){
	{ "self", &self.kind, AT(job_view, ticket.id) },
	{ "result", &result.kind, AT(job_view, ticket.assessment), OPTIONAL, .is_written = has_result },
	{ 0 } } };

const struct record job_record = { sizeof(struct job_view), (const struct field[]){
	{ "id", &kind_text, AT(job_view, ticket.id) },
	{ "status", &kind_text, AT(job_view, status) },
	{ "created_at", &kind_text, AT(job_view, ticket.created_at) },
	{ "progress", &kind_pointer_or_null, AT(job_view, look), .record = &progress_record },
	{ "links", &kind_object, .record = &links_record },
	{ "problem", &kind_problem, AT(job_view, ticket.err), OPTIONAL, .when = AT(job_view, ticket.err.code) },
	{ 0 } } };
