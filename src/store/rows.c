#include "store/rows.h"

#include "record/kinds.h"
#include "record/nested.h"
#include "store/audit.h"
#include "store/delivery.h"
#include "store/model.h"
#include "store/project.h"
#include "store/team.h"

/* clang-format off */

const struct record number_row = { sizeof(struct number_row), (const struct field[]){
	{ "number", &kind_count, AT(number_row, number) },
	{ 0 } } };

const struct record text_row = { sizeof(struct text_row), (const struct field[]){
	{ "text", &kind_text, AT(text_row, text) },
	{ 0 } } };

/* --- assessments */

const struct record stored_row = { sizeof(struct stored_assessment), (const struct field[]){
	{ "assessment_number", &kind_count, AT(stored_assessment, number) },
	{ "assessment_id", &kind_text, AT(stored_assessment, id) },
	{ "assessed_at", &kind_text, AT(stored_assessment, created_at) },
	{ "dump_name", &kind_text, AT(stored_assessment, name) },
	{ "input_sha256", &kind_text, AT(stored_assessment, input_sha256) },
	{ "input_bytes", &kind_count, AT(stored_assessment, input_bytes) },
	{ "options", &kind_text, AT(stored_assessment, options) },
	{ "db_sha256", &kind_text, AT(stored_assessment, db_sha256) },
	{ "tool_version", &kind_text, AT(stored_assessment, tool_version) },
	{ "basis", &kind_text, AT(stored_assessment, basis) },
	{ "shown", &kind_number, AT(stored_assessment, shown_ppm) },
	{ 0 } } };

const struct record found_row = { sizeof(struct found_row), (const struct field[]){
	{ "record", &kind_inline, AT(found_row, record), .record = &stored_row },
	{ "seen_at", &kind_text, AT(found_row, seen_at) },
	{ 0 } } };

const struct record neighbours_row = { sizeof(struct neighbours_row), (const struct field[]){
	{ "id_before", &kind_text, AT(neighbours_row, before) },
	{ "id_after", &kind_text, AT(neighbours_row, after) },
	{ 0 } } };

static const struct record stored_verdict_row = { sizeof(struct stored_verdict), (const struct field[]){
	{ "target", &kind_text, AT(stored_verdict, target) },
	{ "verdict", &kind_text, AT(stored_verdict, verdict) },
	{ "gate", &kind_text, AT(stored_verdict, gate) },
	{ "readiness_lo", &kind_number, AT(stored_verdict, readiness_lo_ppm) },
	{ "readiness_hi", &kind_number, AT(stored_verdict, readiness_hi_ppm) },
	{ 0 } } };

const struct record verdict_row = { sizeof(struct verdict_row), (const struct field[]){
	{ "assessment", &kind_count, AT(verdict_row, assessment) },
	{ "verdict", &kind_inline, AT(verdict_row, verdict), .record = &stored_verdict_row },
	{ 0 } } };

const struct record document_row = { sizeof(struct document_row), (const struct field[]){
	{ "bytes", &kind_count, AT(document_row, document.bytes) },
	{ "sha256", &kind_text, AT(document_row, sha256) },
	{ "content", &kind_text, AT(document_row, document.packed) },
	{ 0 } } };

/* --- runs */

const struct record run_row = { sizeof(struct run), (const struct field[]){
	{ "number", &kind_count, AT(run, number) },
	{ "id", &kind_text, AT(run, id) },
	{ "created_at", &kind_text, AT(run, created_at) },
	{ "project", &kind_text, AT(run, project) },
	{ "name", &kind_text, AT(run, name) },
	{ "model", &kind_text, AT(run, model) },
	{ "branch", &kind_text, AT(run, branch) },
	{ "revision", &kind_text, AT(run, revision) },
	{ "tags", &kind_text, AT(run, tags) },
	{ "verdict", &kind_text, AT(run, verdict) },
	{ "kept", &kind_bool, AT(run, kept) },
	{ "record", &kind_inline, AT(run, record), .record = &stored_row },
	{ 0 } } };

const struct record added_run_row = { sizeof(struct run), (const struct field[]){
	{ "number", &kind_count, AT(run, number) },
	{ "id", &kind_text, AT(run, id) },
	{ "verdict", &kind_text, AT(run, verdict) },
	{ "model", &kind_text, AT(run, model) },
	{ 0 } } };

const struct record removable_row = { sizeof(struct removable_row), (const struct field[]){
	{ "assessment", &kind_count, AT(removable_row, assessment) },
	{ "kept", &kind_bool, AT(removable_row, kept) },
	{ 0 } } };

const struct record delivery_row = { sizeof(struct delivery), (const struct field[]){
	{ "number", &kind_count, AT(delivery, number) },
	{ "attempts", &kind_count, AT(delivery, attempts) },
	{ "run", &kind_text, AT(delivery, run.id) },
	{ 0 } } };

/* --- models, projects, teams */

const struct record model_row = { sizeof(struct model_name), (const struct field[]){
	{ "project", &kind_text, AT(model_name, project) },
	{ "model", &kind_text, AT(model_name, model) },
	{ 0 } } };

const struct record branch_row = { sizeof(struct trend_query), (const struct field[]){
	{ "project", &kind_text, AT(trend_query, project) },
	{ "model", &kind_text, AT(trend_query, model) },
	{ "branch", &kind_text, AT(trend_query, branch) },
	{ 0 } } };

const struct record latest_row = { sizeof(struct latest_run), (const struct field[]){
	{ "project", &kind_text, AT(latest_run, project) },
	{ "model", &kind_text, AT(latest_run, model) },
	{ "branch", &kind_text, AT(latest_run, branch) },
	{ "run", &kind_text, AT(latest_run, run) },
	{ "created_at", &kind_text, AT(latest_run, created_at) },
	{ "revision", &kind_text, AT(latest_run, revision) },
	{ "result", &kind_inline, AT(latest_run, verdict), .record = &stored_verdict_row },
	{ 0 } } };

const struct record demand_row = { sizeof(struct demand), (const struct field[]){
	{ "target", &kind_text, AT(demand, target) },
	{ "operator", &kind_text, AT(demand, op) },
	{ "status", &kind_text, AT(demand, status) },
	{ "runs", &kind_count, AT(demand, runs) },
	{ "models", &kind_count, AT(demand, models) },
	{ "mean_share", &kind_number, AT(demand, mean_share_ppm) },
	{ "share", &kind_count, AT(demand, share_ppm) },
	{ 0 } } };

const struct record use_row = { sizeof(struct operator_use), (const struct field[]){
	{ "operator", &kind_text, AT(operator_use, op) },
	{ "runs", &kind_count, AT(operator_use, runs) },
	{ 0 } } };

/* --- requests and who may make them */

const struct record key_row = { sizeof(struct key_row), (const struct field[]){
	{ "asked_sha256", &kind_text, AT(key_row, asked_sha256) },
	{ "created_at", &kind_count, AT(key_row, created_at) },
	{ "held_until", &kind_count, AT(key_row, held_until) },
	{ "status", &kind_index, AT(key_row, key.status) },
	{ "answer", &kind_text, AT(key_row, key.answer) },
	{ 0 } } };

const struct record ticket_id_row = { sizeof(struct ticket), (const struct field[]){
	{ "id", &kind_text, AT(ticket, id) },
	{ 0 } } };

const struct record ticket_row = { sizeof(struct ticket_row), (const struct field[]){
	{ "created_at", &kind_text, AT(ticket_row, ticket.created_at) },
	{ "status", &kind_text, AT(ticket_row, ticket.status) },
	{ "assessment", &kind_text, AT(ticket_row, ticket.assessment) },
	{ "input_sha256", &kind_text, AT(ticket_row, ticket.input_sha256) },
	{ "asked", &kind_text, AT(ticket_row, ticket.asked) },
	{ "code", &kind_count, AT(ticket_row, code) },
	{ "text", &kind_text, AT(ticket_row, text) },
	{ "hint", &kind_text, AT(ticket_row, hint) },
	{ "place", &kind_text, AT(ticket_row, place) },
	{ "project", &kind_text, AT(ticket_row, ticket.project) },
	{ "owner", &kind_text, AT(ticket_row, ticket.owner) },
	{ "input_bytes", &kind_count, AT(ticket_row, ticket.input_bytes) },
	{ "read_bytes", &kind_count, AT(ticket_row, ticket.read_bytes) },
	{ "running", &kind_bool, AT(ticket_row, ticket.running) },
	{ "awaited", &kind_bool, AT(ticket_row, ticket.awaited) },
	{ "run", &kind_text, AT(ticket_row, ticket.run) },
	{ "answer", &kind_index, AT(ticket_row, ticket.answer) },
	{ "attempts", &kind_count, AT(ticket_row, ticket.attempts) },
	{ "rests", &kind_bool, AT(ticket_row, ticket.rests) },
	{ 0 } } };

const struct record ended_row = { sizeof(struct ended_row), (const struct field[]){
	{ "awaited", &kind_bool, AT(ended_row, awaited) },
	{ "key_owner", &kind_text, AT(ended_row, key.owner) },
	{ "key", &kind_text, AT(ended_row, key.key) },
	{ 0 } } };

const struct record work_row = { sizeof(struct work_item), (const struct field[]){
	{ "id", &kind_text, AT(work_item, ticket) },
	{ "name", &kind_text, AT(work_item, name) },
	{ "owner", &kind_text, AT(work_item, owner) },
	{ "caller", &kind_text, AT(work_item, caller) },
	{ "project", &kind_text, AT(work_item, project) },
	{ "facts", &kind_text, AT(work_item, facts) },
	{ "holder", &kind_text, AT(work_item, holder) },
	{ "input_bytes", &kind_count, AT(work_item, input_bytes) },
	{ "read_bytes", &kind_count, AT(work_item, read_bytes) },
	{ "starts_before", &kind_count, AT(work_item, starts_before) },
	{ "start_number", &kind_count, AT(work_item, start_number) },
	{ "held_until", &kind_count, AT(work_item, held_until) },
	{ "awaited", &kind_bool, AT(work_item, awaited) },
	{ "starts", &kind_count, AT(work_item, starts) },
	{ 0 } } };

const struct record work_count_row = { sizeof(struct work_count), (const struct field[]){
	{ "waiting", &kind_count, AT(work_count, waiting) },
	{ "of_caller", &kind_count, AT(work_count, of_caller) },
	{ 0 } } };

const struct record replica_row = { sizeof(struct replica_row), (const struct field[]){
	{ "holder", &kind_text, AT(replica_row, holder) },
	{ "alive_until", &kind_count, AT(replica_row, alive_until) },
	{ "facts", &kind_text, AT(replica_row, facts) },
	{ "claims", &kind_bool, AT(replica_row, claims) },
	{ 0 } } };

const struct record audit_row = { sizeof(struct audit), (const struct field[]){
	{ "number", &kind_count, AT(audit, number) },
	{ "at", &kind_count, AT(audit, at) },
	{ "who", &kind_text, AT(audit, who) },
	{ "address", &kind_text, AT(audit, address) },
	{ "action", &kind_text, AT(audit, action) },
	{ "subject", &kind_text, AT(audit, subject) },
	{ "status", &kind_index, AT(audit, status) },
	{ "request", &kind_text, AT(audit, request) },
	{ 0 } } };

const struct record token_row = { sizeof(struct token), (const struct field[]){
	{ "id", &kind_text, AT(token, id) },
	{ "name", &kind_text, AT(token, name) },
	{ "scope", &kind_text, AT(token, scope) },
	{ "project", &kind_text, AT(token, project) },
	{ "parent", &kind_text, AT(token, parent) },
	{ "created_at", &kind_count, AT(token, created_at) },
	{ "expires_at", &kind_count, AT(token, expires_at) },
	{ "revoked_at", &kind_count, AT(token, revoked_at) },
	{ "last_used_at", &kind_count, AT(token, last_used_at) },
	{ "minute_requests", &kind_count, AT(token, minute_requests) },
	{ "hour_bytes", &kind_count, AT(token, hour_bytes) },
	{ "jobs", &kind_count, AT(token, jobs) },
	{ 0 } } };

const struct record found_token_row = { sizeof(struct token_row), (const struct field[]){
	{ "token", &kind_inline, AT(token_row, token), .record = &token_row },
	{ "secret_sha256", &kind_text, AT(token_row, secret_sha256) },
	{ 0 } } };
