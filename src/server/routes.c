#include "server/routes.h"

#include "base/memory/mem.h"
#include "server/api/assessments.h"
#include "server/api/audit.h"
#include "server/api/compare.h"
#include "server/api/lists.h"
#include "server/api/meta.h"
#include "server/api/operators.h"
#include "server/api/projects.h"
#include "server/api/reports.h"
#include "server/api/runs.h"
#include "server/api/team.h"
#include "server/api/tickets.h"
#include "server/http/asset.h"
#include "server/pages/page_admin.h"
#include "server/pages/page_compare.h"
#include "server/pages/page_fleet.h"
#include "server/pages/page_help.h"
#include "server/pages/page_home.h"
#include "server/pages/page_login.h"
#include "server/pages/page_model.h"
#include "server/pages/page_models.h"
#include "server/pages/page_operators.h"
#include "server/pages/page_report.h"
#include "server/pages/page_run.h"
#include "server/pages/page_targets.h"

#define API "/api/v1"

static const struct route rows[] = {
	{ "POST", API "/assessments", "name target torch baseline project model branch commit tag wait lang",
		answer_submit, false, SCOPE_SUBMIT, .texts = "waivers", .terms = true },
	{ "GET", API "/jobs/{job}", "lang", answer_job, false },
	{ "DELETE", API "/jobs/{job}", "lang", answer_cancel, false, SCOPE_SUBMIT },
	{ "GET", API "/assessments", "limit cursor fields lang", answer_assessments, false, .slow = true,
		.fields = "id created_at name input options db tool targets links" },
	{ "GET", API "/assessments/{id}", "lang", answer_assessment, false },
	{ "PATCH", API "/assessments/{id}", "kept lang", answer_keep, false, SCOPE_SUBMIT },
	{ "DELETE", API "/assessments/{id}", "lang", answer_remove, false, SCOPE_ADMIN },
	{ "GET", API "/assessments/{id}/report", "lang", answer_report, false, .formats = true },
	{ "GET", API "/assessments/{id}/all_ops.txt", "lang", answer_list, false },
	{ "GET", API "/assessments/{id}/dynamic_ops.txt", "lang", answer_list, false },
	{ "GET", API "/assessments/{id}/advice", "lang", answer_beside, false },
	{ "GET", API "/assessments/{id}/buckets", "lang", answer_beside, false },
	{ "GET", API "/runs", "project model branch tag verdict q sort limit cursor fields lang", answer_runs, false,
		.slow = true,
		.fields = "id created_at project name model branch commit tags kept verdict assessment input targets "
			  "links" },
	{ "GET", API "/runs/{run}", "lang", answer_run, false },
	{ "POST", API "/runs/{run}/judgement", "dtype wait lang", answer_rejudge, false, SCOPE_SUBMIT },
	{ "PATCH", API "/runs/{run}", "name tag kept lang", answer_change_run, false, SCOPE_SUBMIT },
	{ "DELETE", API "/runs/{run}", "lang", answer_remove_run, false, SCOPE_ADMIN },
	{ "GET", API "/projects/{project}", "lang", answer_project, false },
	{ "GET", API "/projects/{project}/waivers", "lang", answer_waivers, false },
	{ "PUT", API "/projects/{project}/waivers", "lang", answer_set_waivers, false, SCOPE_SUBMIT, .texts = "waivers",
		.text = true },
	{ "GET", API "/models", "project model branch limit cursor fields lang", answer_models, false, .slow = true,
		.fields = "run created_at project model branch commit basis shown captures_differ targets" },
	{ "PATCH", API "/models/{model}", "project name kept lang", answer_change_model, false, SCOPE_SUBMIT },
	{ "DELETE", API "/models/{model}", "project lang", answer_remove_model, false, SCOPE_ADMIN },
	{ "GET", API "/fleet", "project model branch target verdict q limit cursor fields lang", answer_fleet, false,
		.slow = true, .fields = "project model branch targets" },
	{ "GET", API "/demand", "project target limit cursor fields lang", answer_demand, false, .slow = true,
		.fields = "target operator status runs models mean_time_share" },
	{ "GET", API "/demand.md", "project target limit lang", answer_demand_draft, false, .slow = true },
	{ "GET", API "/targets", "lang", answer_targets, false },
	{ "GET", API "/operators", "q target torch limit cursor fields lang", answer_operators, false,
		.fields = "name statuses", .slow = true },
	{ "GET", API "/operators/{name}", "target torch lang", answer_operator, false },
	{ "GET", API "/compare", "a b fail_on lang", answer_compare, false },
	{ "GET", API "/version", "lang", answer_version, false },
	{ "GET", API "/audit", "limit cursor fields lang", answer_audit, false, SCOPE_ADMIN, .slow = true,
		.fields = "at who address action subject status request_id" },
	{ "GET", "/openapi.json", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/healthz", "", answer_alive, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/readyz", "", answer_ready, false, SCOPE_OPEN },
	{ "GET", "/", "cursor lang", page_home, true },
	{ "GET", "/assessments/{id}", "lang", page_assessment, true },
	{ "GET", "/fleet", "project cursor lang", page_fleet, true, .slow = true },
	{ "GET", "/demand", "project target lang", page_demand, true, .slow = true },
	{ "POST", "/example", "lang", answer_example, true, SCOPE_SUBMIT, true },
	{ "GET", "/models", "q project cursor lang", page_models, true, .slow = true },
	{ "GET", "/models/{model}", "project branch view lang", page_model, true, .slow = true },
	{ "POST", "/models/{model}", "project name kept remove lang", answer_model_form, true, SCOPE_SUBMIT, true },
	{ "GET", "/models/{model}/badge.svg", "project branch lang", answer_model_badge, false },
	{ "GET", "/runs/{run}", "lang", page_run, true },
	{ "POST", "/runs/{run}", "name tag kept remove lang", answer_run_form, true, SCOPE_SUBMIT, true },
	{ "POST", "/runs/{run}/judgement", "dtype lang", answer_rejudge, true, SCOPE_SUBMIT, true },
	{ "GET", "/compare", "a b fail_on lang", page_compare, true },
	{ "GET", "/targets", "from to lang", page_targets, true, .slow = true },
	{ "GET", "/operators", "q status target cursor lang", page_operators, true, .slow = true },
	{ "GET", "/operators/{name}", "target torch lang", page_operator, true },
	{ "GET", "/metrics", "", answer_metrics, false },
	{ "GET", "/login", "next lang", page_login, true, SCOPE_OPEN },
	{ "POST", "/login", "next lang", answer_login, true, SCOPE_OPEN, true },
	{ "POST", "/logout", "lang", answer_logout, true, SCOPE_OPEN, true },
	{ "GET", "/help", "lang", page_help, true, SCOPE_OPEN },
	{ "GET", "/tokens", "lang", page_tokens, true, SCOPE_ADMIN },
	{ "POST", "/tokens", "name scope project expires lang", answer_token_form, true, SCOPE_ADMIN, true },
	{ "POST", "/tokens/{token}", "sure lang", answer_token_end, true, SCOPE_ADMIN, true },
	{ "GET", "/queue", "lang", page_queue, true, SCOPE_ADMIN },
	{ "POST", "/queue/{job}", "sure lang", answer_queue_form, true, SCOPE_ADMIN, true },
	{ "GET", "/problems/{code}", "lang", page_problem, true, SCOPE_OPEN },
	{ "GET", "/assets/app.css", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/assets/app.js", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/assets/report.css", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/assets/report.js", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/assets/example.log", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
	{ "GET", "/assets/icon.svg", "v", answer_asset, false, SCOPE_OPEN, .quick = true },
};
const struct route_table routes = { rows, ARRAY_SIZE(rows) };
