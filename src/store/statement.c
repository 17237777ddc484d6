#include "store/statement.h"

#include "store/rows.h"

/* Writers take turns in SQLite. In PostgreSQL those that add do not wait for each other (schema/store-pg-0019.sql). */

/* SQLite joins in the order of CROSS JOIN; PostgreSQL plans by itself. */

/* Of a project, or of any for "". */
#define SEEN_BY(parameter) "(" parameter " = '' OR project = " parameter ")"

/* The blob of a document, or "". */
#define BLOB_OF "CASE WHEN length(content) = 0 THEN sha256 ELSE '' END AS text"

/* SQLite keeps the order of the page. */
#define LIST_PROJECT                                                                                                   \
	"SELECT " RECORD_COLUMNS ", (SELECT min(created_at) FROM run WHERE assessment = place AND project = ?1) AS "   \
	"seen_at FROM (SELECT DISTINCT assessment AS place FROM run WHERE project = ?1 AND assessment < ?2"            \
	" ORDER BY assessment DESC LIMIT ?3) AS page CROSS JOIN assessment WHERE number = place"

#define STANDINGS                                                                                                      \
	"SELECT s.project, s.model, s.branch, s.target, run.id AS run, run.created_at, run.revision, "                 \
	"verdict.verdict, gate,"                                                                                       \
	" readiness_lo, readiness_hi FROM standing AS s CROSS JOIN run CROSS JOIN verdict WHERE run.number = s.run"    \
	" AND verdict.assessment = run.assessment AND verdict.target = s.target"

/* Looks at no more runs than the page has rows, whatever the planner expects of parameters that may be "". */
#define STANDINGS_IN_ORDER                                                                                             \
	"SELECT s.project, s.model, s.branch, s.target, run.id AS run, run.created_at, run.revision, "                 \
	"verdict.verdict, gate, readiness_lo, readiness_hi FROM standing AS s CROSS JOIN LATERAL (SELECT * FROM "      \
	"verdict WHERE assessment = s.assessment AND target = s.target OFFSET 0) AS verdict CROSS JOIN LATERAL "       \
	"(SELECT * FROM run WHERE number = s.run OFFSET 0) AS run WHERE TRUE"

#define WANTED                                                                                                         \
	"(?4 = '' OR instr(lower(s.model), lower(?4)) > 0) AND ?5 IN ('', s.model) AND ?6 IN ('', s.branch)"           \
	" AND ?7 IN ('', s.target) AND ?8 IN ('', verdict.verdict)"

#define AFTER_MODEL                                                                                                    \
	" AND (s.project, s.model, s.branch) > (?3, ?1, ?2) AND " WANTED                                               \
	" ORDER BY s.project, s.model, s.branch, s.target LIMIT ?9"
#define AFTER_MODEL_OF_PROJECT                                                                                         \
	" AND s.project = ?3 AND (s.model, s.branch) > (?1, ?2) AND " WANTED                                           \
	" ORDER BY s.model, s.branch, s.target LIMIT ?9"
#define OF_MODEL " AND s.project = ?1 AND s.model = ?2 ORDER BY s.branch, s.target LIMIT ?3"

/* The page first: a run has one assessment. */
#define TREND_RUNS "project = ?1 AND model = ?2 AND branch = ?3 AND run.number < ?4 ORDER BY run.number DESC"

/* Ranking looks at all runs: PostgreSQL leaves it out when ages alone are bounded. */
#define RANKED_RUNS                                                                                                    \
	"SELECT number, created_at, row_number() OVER w AS place, sum(stored_bytes) OVER w AS bytes FROM run WHERE "   \
	"kept = 0"
#define BY_PROJECT "PARTITION BY project ORDER BY number DESC"
#define OVER_BOUNDS "(?2 > 0 AND place > ?2) OR (?3 > 0 AND bytes > ?3)"

#define VERDICTS "SELECT assessment, target, verdict, gate, readiness_lo, readiness_hi FROM verdict WHERE "

#define RUN_TEXT "name || ' ' || model || ' ' || branch || ' ' || revision || ' ' || tags"

#define TOKEN_COLUMNS                                                                                                  \
	"token.id, token.name, token.scope, token.project, coalesce(token.parent, '') AS parent, token.created_at,"    \
	" token.expires_at, token.revoked_at, token.last_used_at, token.minute_requests, token.hour_bytes, token.jobs"

/* A token holds unless it, or the one that made it, was revoked or is past its time. */
#define HOLDS(table, now) table ".revoked_at = 0 AND (" table ".expires_at = 0 OR " table ".expires_at > " now ")"

#define CLAIM_WORK                                                                                                     \
	"UPDATE ticket SET holder = ?2, held_until = ?3, start_number = (SELECT coalesce(max(start_number), 0) + 1"    \
	" FROM ticket), read_bytes = 0, attempts = attempts + 1 WHERE id = (SELECT id FROM ticket WHERE id = ?1"       \
	" AND status = 'queued' AND held_until <= ?4"

#define CLAIM_DELIVERY                                                                                                 \
	"UPDATE delivery SET due_at = ?2 WHERE number = (SELECT number FROM delivery WHERE due_at <= ?1"               \
	" ORDER BY due_at, number LIMIT 1"
#define DELIVERED " RETURNING number, attempts, (SELECT id FROM run WHERE run.number = delivery.run) AS run"

/* clang-format off */
const struct statement_text statement_texts[STATEMENT_COUNT] = {
	[STATEMENT_BEGIN] = { "BEGIN IMMEDIATE", "BEGIN; SELECT pg_advisory_xact_lock(1869640563, 2)" },
	[STATEMENT_BEGIN_ADDING] = { "BEGIN IMMEDIATE", "BEGIN; SELECT begin_adding()" },
	[STATEMENT_SIGNAL_CHANGE] = { "SELECT 1 LIMIT 0", "SELECT pg_notify('opcheck', 'change')" },
	[STATEMENT_FOLD] = { "SELECT 1 LIMIT 0", "SELECT fold_runs()" },
	[STATEMENT_SETTLED] = { "SELECT 9223372036854775807 AS number",
		"SELECT settled_runs() AS number", .row = &number_row },
	[STATEMENT_SNAPSHOT] = { "BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" },
	[STATEMENT_COMMIT] = { "COMMIT" },
	[STATEMENT_ROLLBACK] = { "ROLLBACK" },
	[STATEMENT_FIND] = { "SELECT " RECORD_COLUMNS " FROM assessment WHERE id = ?", .row = &stored_row },
	[STATEMENT_LIST] = { "SELECT " RECORD_COLUMNS ", created_at AS seen_at FROM assessment WHERE number < ?2 "
		"ORDER BY number DESC LIMIT ?3", .row = &found_row },
	[STATEMENT_LIST_PROJECT] = { LIST_PROJECT, LIST_PROJECT " ORDER BY number DESC", .row = &found_row },
	[STATEMENT_COUNT_PROJECT] = { "SELECT count(DISTINCT assessment) AS number FROM run "
		"WHERE project = ?", .row = &number_row },
	[STATEMENT_FIND_LIKE] = { "SELECT " RECORD_COLUMNS ", coalesce((SELECT run.created_at FROM run "
		"WHERE run.assessment = assessment.number AND project = ?2 ORDER BY run.number "
		"LIMIT 1), '') AS seen_at FROM assessment WHERE assessment.id >= ?1 AND assessment.id < ?1 || 'g' "
		"AND (?2 = '' OR EXISTS (SELECT 1 FROM run WHERE assessment = assessment.number AND project = ?2)) "
		"ORDER BY assessment.id LIMIT ?3", .row = &found_row },
	[STATEMENT_NEIGHBOURS] = { "SELECT (SELECT max(id) FROM assessment WHERE id < ?1) AS id_before, "
		"(SELECT min(id) FROM assessment WHERE id > ?1) AS id_after", .row = &neighbours_row },
	[STATEMENT_COUNT_ALL] = { "SELECT count(*) AS number FROM assessment", .row = &number_row },
	[STATEMENT_VERDICTS] = { VERDICTS "assessment IN (SELECT value FROM json_each(?)) ORDER BY assessment, place",
		VERDICTS "assessment = ANY (CAST(? AS bigint[])) ORDER BY assessment, place", .row = &verdict_row },
	[STATEMENT_REPORT] = { "SELECT json AS text FROM assessment JOIN report ON assessment = number "
		"WHERE id = ?", .row = &text_row },
	[STATEMENT_ADD] = { "INSERT INTO assessment (id, created_at, name, input_sha256, input_bytes, options, "
		"db_sha256, tool_version, stored_bytes, basis, shown) VALUES (:id, :created_at, :name, :input_sha256, "
		":input_bytes, :options, :db_sha256, :tool_version, :stored_bytes, :basis, :shown) "
		"ON CONFLICT (id) DO NOTHING RETURNING number", .row = &number_row },
	[STATEMENT_ADD_VERDICT] = { "INSERT INTO verdict (assessment, place, target, verdict, gate, readiness_lo, "
		"readiness_hi) VALUES (:assessment, :place, :target, :verdict, :gate, :readiness_lo, :readiness_hi)" },
	[STATEMENT_ADD_BLOCKER] = { "INSERT INTO blocker (assessment, target, operator, status, share) "
		"VALUES (:assessment, :target, :operator, :status, :share) ON CONFLICT DO NOTHING" },
	[STATEMENT_DOCUMENT] = { "SELECT bytes, document.sha256, content FROM assessment JOIN document ON assessment = "
		"number WHERE id = ? AND form = ?", .row = &document_row },
	[STATEMENT_TICKET] = { "SELECT created_at, status, assessment, input_sha256, asked, code, text, hint, place, "
		"project, owner, input_bytes, read_bytes, status = 'queued' AND start_number > 0 "
		"AND held_until > ?2 AS running, awaited, run, answer, attempts, holder = '' AS rests "
		"FROM ticket WHERE id = ?1", .row = &ticket_row },
	[STATEMENT_ADD_TICKET] = { "INSERT INTO ticket (id, created_at, status, assessment, input_sha256, asked, code, "
		"text, hint, place, holder, held_until, project, owner) VALUES (:id, :created_at, 'queued', "
		":assessment, :input_sha256, :asked, 0, '', '', '', :holder, :held_until, :project, :owner)" },
	[STATEMENT_END_TICKET] = { "UPDATE ticket SET status = :status, code = :code, text = :text, hint = :hint, "
		"place = :place, assessment = coalesce(nullif(:assessment, ''), assessment), run = :run, answer = "
		":answer WHERE id = :id AND status = 'queued' AND :holder IN ('', holder) RETURNING awaited, "
		"key_owner, key", .row = &ended_row },
	[STATEMENT_TAKE_TICKET] = { "UPDATE ticket SET holder = ?1, held_until = ?2 WHERE id = (SELECT id FROM ticket "
		"WHERE status = 'queued' AND held_until <= ?3 AND holder <> ?1 ORDER BY created_at, id LIMIT 1) "
		"RETURNING id", .row = &ticket_id_row },
	[STATEMENT_RETURN_TICKET] = { "UPDATE ticket SET holder = '', held_until = ?2, start_number = 0, attempts = 0 "
		"WHERE id = ?1 AND ?3 IN ('', holder)" },
	[STATEMENT_RENEW_TICKETS] = { "UPDATE ticket SET held_until = ?2 WHERE status = 'queued' AND holder = ?1" },
	[STATEMENT_FREE_TICKETS] = { "UPDATE ticket SET holder = '', held_until = 0 WHERE status = 'queued'" },
	[STATEMENT_DROP_TICKETS] = { "DELETE FROM ticket WHERE status <> 'queued' AND (created_at < ?1 OR id IN "
		"(SELECT id FROM ticket WHERE status <> 'queued' ORDER BY created_at DESC, id "
		"LIMIT 9223372036854775807 OFFSET ?2))" },
	[STATEMENT_ADD_RUN] = { "INSERT INTO run (id, assessment, created_at, project, name, model, branch, revision, "
		"tags, verdict, kept, stored_bytes) SELECT :id, number, :created_at, :project, :name, coalesce((SELECT "
		"model FROM former_model WHERE former_model.project = :project AND former_model.name = :model), "
		":model), :branch, :revision, :tags, coalesce((SELECT verdict FROM verdict "
		"WHERE assessment = :assessment ORDER BY instr(:verdicts, verdict) DESC LIMIT 1), 'ready'), :kept, "
		"stored_bytes FROM assessment WHERE number = :assessment RETURNING number, id, verdict, "
		"model", .row = &added_run_row },
	[STATEMENT_ADD_TEXT] = { "INSERT INTO run_text (rowid, text) SELECT number, " RUN_TEXT
		" FROM run WHERE number = ?" },
	[STATEMENT_DROP_TEXT] = { "DELETE FROM run_text WHERE rowid = ?" },
	[STATEMENT_ADD_TAG] = { "INSERT INTO run_tag (tag, run) VALUES (:tag, :run)" },
	[STATEMENT_FIND_RUNS] = { "SELECT " RUN_COLUMNS " FROM run CROSS JOIN assessment WHERE assessment.number = "
		"run.assessment AND run.id >= ?1 AND run.id < ?1 || 'g' AND " SEEN_BY("?2") " ORDER BY run.id "
		"LIMIT ?3", .row = &run_row },
	[STATEMENT_CHANGE_RUN] = { "UPDATE run SET name = coalesce(?3, name), tags = coalesce(?4, tags), kept = "
		"coalesce(?5, kept) WHERE id = ?1 AND " SEEN_BY("?2") " RETURNING number", .row = &number_row },
	[STATEMENT_DROP_TAGS] = { "DELETE FROM run_tag WHERE run = ?" },
	[STATEMENT_KEEP] = { "UPDATE run SET kept = ?3 WHERE assessment = (SELECT number FROM assessment "
		"WHERE id = ?1) AND " SEEN_BY("?2") " RETURNING number" },
	[STATEMENT_RUNS_OF] = { "SELECT number FROM run WHERE assessment = (SELECT number FROM assessment "
		"WHERE id = ?1) AND " SEEN_BY("?2"), .row = &number_row },
	[STATEMENT_STANDINGS] = { STANDINGS AFTER_MODEL, STANDINGS_IN_ORDER AFTER_MODEL, .row = &latest_row },
	[STATEMENT_STANDINGS_PROJECT] = { STANDINGS AFTER_MODEL_OF_PROJECT,
		STANDINGS_IN_ORDER AFTER_MODEL_OF_PROJECT, .row = &latest_row },
	[STATEMENT_BRANCHES] = { STANDINGS OF_MODEL, STANDINGS_IN_ORDER OF_MODEL, .row = &latest_row },
	[STATEMENT_RECENT_MODELS] = { "SELECT project, model, branch FROM run WHERE number > (SELECT max(number) "
		"FROM run) - ?2 AND model <> '' AND " SEEN_BY("?1") " ORDER BY number DESC", .row = &branch_row },
	[STATEMENT_TREND] = { "SELECT " RUN_COLUMNS " FROM run CROSS JOIN assessment WHERE assessment.number = "
		"run.assessment AND " TREND_RUNS " LIMIT ?5",
		"SELECT " RUN_COLUMNS " FROM (SELECT * FROM run WHERE " TREND_RUNS " LIMIT ?5) AS run "
		"JOIN assessment ON assessment.number = run.assessment ORDER BY run.number DESC", .row = &run_row },
	[STATEMENT_DEMAND] = { "WITH page AS (SELECT target, operator, status, runs, share FROM demand_rollup "
		"WHERE scope = ?1 AND (?2 = '' OR target = ?2) AND (-runs, -share, target, operator, status) > (-?4, "
		"-?5, ?6, ?7, ?8) ORDER BY runs DESC, share DESC, target, operator, status LIMIT ?3) "
		"SELECT page.target, page.operator, status, runs, coalesce((SELECT models FROM held_rollup AS held "
		"WHERE scope = ?1 AND held.target = page.target AND held.operator = page.operator), 0) AS models, "
		"share / runs AS mean_share, share FROM page", .row = &demand_row },
	[STATEMENT_RUN_GOES] = { "SELECT assessment, kept FROM run WHERE number = ?", .row = &removable_row },
	[STATEMENT_HAS_RUNS] = { "SELECT 1 FROM run WHERE assessment = ? LIMIT 1" },
	[STATEMENT_DROP_RUN] = { "DELETE FROM run WHERE number = ?" },
	[STATEMENT_DOOMED] = { "SELECT number FROM (" RANKED_RUNS " WINDOW w AS (" BY_PROJECT ")) AS ranked "
		"WHERE created_at < ?1 OR " OVER_BOUNDS " LIMIT ?4",
		"(SELECT number FROM run WHERE kept = 0 AND created_at < ?1 LIMIT ?4) UNION (SELECT number FROM ("
		RANKED_RUNS " AND (?2 > 0 OR ?3 > 0) WINDOW w AS (" BY_PROJECT ")) AS ranked WHERE " OVER_BOUNDS
		" LIMIT ?4) LIMIT ?4", .row = &number_row },
	[STATEMENT_BEGIN_MONTH] = { "SELECT 1 LIMIT 0", "SELECT begin_month(replace(substr(?1, 1, 7), '-', '_'))" },
	[STATEMENT_ONLY_RUNS] = { "SELECT 0 AS number LIMIT 0",
		"SELECT number FROM only_runs(old_month(?1), ?2) AS number", .row = &number_row },
	[STATEMENT_DROP_MONTH] = { "SELECT 0 AS number LIMIT 0",
		"SELECT number FROM drop_month(?1) AS number WHERE number IS NOT NULL", .row = &number_row },
	[STATEMENT_GOES] = { "SELECT input_sha256 AS text FROM assessment WHERE number = ?", .row = &text_row },
	[STATEMENT_DROP_DOCUMENTS] = { "DELETE FROM document WHERE assessment = ? RETURNING "
		BLOB_OF, .row = &text_row },
	[STATEMENT_DROP_FORMS] = { "DELETE FROM document WHERE assessment = (SELECT number FROM assessment "
		"WHERE id = ?1) AND form IN (SELECT form FROM document WHERE assessment = (SELECT number "
		"FROM assessment WHERE id = ?1) AND instr(form, ?2) = 1 AND form <> ?3 ORDER BY form "
		"LIMIT 9223372036854775807 OFFSET ?4) RETURNING " BLOB_OF, .row = &text_row },
	[STATEMENT_DROP_REPORT] = { "DELETE FROM report WHERE assessment = ?" },
	[STATEMENT_ADD_USED] = { "INSERT INTO used (assessment, operator) VALUES (:assessment, :operator) "
		"ON CONFLICT DO NOTHING" },
	[STATEMENT_USES] = { "SELECT operator, CAST(sum(runs) AS BIGINT) AS runs FROM operator_use WHERE ?1 = '' "
		"OR project = ?1 GROUP BY operator ORDER BY sum(runs) DESC, operator LIMIT ?2", .row = &use_row },
	[STATEMENT_DROP_BLOCKERS] = { "DELETE FROM blocker WHERE assessment = ?" },
	[STATEMENT_DROP_VERDICTS] = { "DELETE FROM verdict WHERE assessment = ?" },
	[STATEMENT_DROP] = { "DELETE FROM assessment WHERE number = ?" },
	[STATEMENT_KEY] = { "SELECT asked_sha256, created_at, held_until, status, answer FROM request_key "
		"WHERE owner = ? AND key = ?", .row = &key_row },
	[STATEMENT_TAKE_KEY] = { "INSERT INTO request_key AS old (owner, key, asked_sha256, created_at, holder, "
		"held_until, status, answer) VALUES (:owner, :key, :asked_sha256, :created_at, :holder, :held_until, "
		"0, '') ON CONFLICT (owner, key) DO UPDATE SET asked_sha256 = excluded.asked_sha256, created_at = "
		"excluded.created_at, holder = excluded.holder, held_until = excluded.held_until, status = 0, answer = "
		"'' WHERE (old.status > 0 AND old.created_at <= :created_at - :seconds) OR (old.status = 0 "
		"AND old.held_until <= :created_at AND NOT EXISTS (SELECT 1 FROM ticket WHERE key_owner = :owner "
		"AND ticket.key = :key AND ticket.status = 'queued')) RETURNING status" },
	[STATEMENT_ANSWER_KEY] = { "UPDATE request_key SET status = ?3, answer = ?4 WHERE owner = ?1 AND key = ?2" },
	[STATEMENT_HOLD_KEY] = { "UPDATE request_key SET held_until = held_until WHERE owner = ?1 AND key = ?2 "
		"AND holder = ?3 AND status = 0 RETURNING status" },
	[STATEMENT_DROP_KEY] = { "DELETE FROM request_key WHERE owner = ?1 AND key = ?2 AND status = 0 "
		"AND ?3 IN ('', holder) AND NOT EXISTS (SELECT 1 FROM ticket WHERE key_owner = ?1 AND ticket.key = ?2 "
		"AND ticket.status = 'queued')" },
	[STATEMENT_RENEW_KEYS] = { "UPDATE request_key SET held_until = ?2 WHERE status = 0 AND holder = ?1" },
	[STATEMENT_FREE_KEYS] = { "DELETE FROM request_key WHERE status = 0" },
	[STATEMENT_DROP_KEYS] = { "DELETE FROM request_key WHERE created_at <= ?1 AND (status > 0 "
		"OR held_until <= ?2)" },
	[STATEMENT_ADD_AUDIT] = { "INSERT INTO audit (at, who, address, action, subject, status, request) "
		"VALUES (:at, :who, :address, :action, :subject, :status, :request)" },
	[STATEMENT_AUDITS] = { "SELECT number, at, who, address, action, subject, status, request FROM audit "
		"WHERE number < ? ORDER BY number DESC LIMIT ?", .row = &audit_row },
	[STATEMENT_DROP_AUDITS] = { "DELETE FROM audit WHERE at < ?1 OR number <= (SELECT max(number) "
		"FROM audit) - ?2" },
	[STATEMENT_ADD_DELIVERY] = { "INSERT INTO delivery (run, due_at) VALUES (:run, :due_at)" },
	[STATEMENT_DELIVERY] = { "SELECT delivery.number, attempts, run.id AS run FROM delivery CROSS JOIN run "
		"WHERE run.number = delivery.run AND due_at <= ? ORDER BY due_at, delivery.number "
		"LIMIT 1", .row = &delivery_row },
	[STATEMENT_POSTPONE_DELIVERY] = { "UPDATE delivery SET attempts = attempts + 1, due_at = ?2 "
		"WHERE number = ?1" },
	[STATEMENT_DROP_DELIVERY] = { "DELETE FROM delivery WHERE number = ?" },
	[STATEMENT_PROJECT_WAIVERS] = { "SELECT text FROM project_waivers WHERE project = ?", .row = &text_row },
	[STATEMENT_SET_PROJECT_WAIVERS] = { "INSERT INTO project_waivers (project, changed_at, text) "
		"VALUES (:project, :changed_at, :text) ON CONFLICT (project) DO UPDATE SET changed_at = "
		"excluded.changed_at, text = excluded.text" },
	[STATEMENT_MODEL_RUN] = { "SELECT number FROM run WHERE project = ?1 AND model = ?2 "
		"LIMIT 1", .row = &number_row },
	[STATEMENT_KEEP_MODEL] = { "UPDATE run SET kept = ?3 WHERE project = ?1 AND model = ?2" },
	[STATEMENT_RENAME_RUNS] = { "UPDATE run SET model = ?3 WHERE project = ?1 AND model = ?2" },
	[STATEMENT_RENAME_LATEST] = { "UPDATE standing SET model = ?3 WHERE project = ?1 AND model = ?2" },
	[STATEMENT_RENAME_TEXTS] = { "UPDATE run_text SET text = (SELECT " RUN_TEXT " FROM run "
		"WHERE number = run_text.rowid) WHERE rowid IN (SELECT number FROM run WHERE project = ?1 "
		"AND model = ?3)" },
	[STATEMENT_TAKE_FORMER] = { "DELETE FROM former_model WHERE project = ?1 AND name = ?3" },
	[STATEMENT_MOVE_FORMER] = { "UPDATE former_model SET model = ?3 WHERE project = ?1 AND model = ?2" },
	[STATEMENT_ADD_FORMER] = { "INSERT INTO former_model (project, name, model) VALUES (:project, :name, :model)" },
	[STATEMENT_FORMER] = { "SELECT project, model FROM former_model WHERE ?1 IN ('', project) AND name = ?2 "
		"ORDER BY project LIMIT 1", .row = &model_row },
	[STATEMENT_FIND_TOKEN] = { "SELECT " TOKEN_COLUMNS ", token.secret_sha256 FROM token "
		"LEFT JOIN token AS parent ON parent.id = token.parent WHERE token.id = ?1 AND " HOLDS("token", "?2")
		" AND (token.parent IS NULL OR (" HOLDS("parent", "?2") "))", .row = &found_token_row },
	[STATEMENT_ADD_TOKEN] = { "INSERT INTO token (id, secret_sha256, name, scope, project, parent, created_at, "
		"expires_at, minute_requests, hour_bytes, jobs) VALUES (:id, :secret_sha256, :name, :scope, :project, "
		"nullif(:parent, ''), :created_at, :expires_at, :minute_requests, :hour_bytes, :jobs)" },
	[STATEMENT_USE_TOKEN] = { "UPDATE token SET last_used_at = ?2 WHERE id = ?1" },
	[STATEMENT_TOKENS] = { "SELECT " TOKEN_COLUMNS " FROM token WHERE parent IS NULL "
		"ORDER BY created_at, id", .row = &token_row },
	[STATEMENT_REVOKE_TOKEN] = { "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND parent IS NULL RETURNING id" },
	[STATEMENT_TOKENS_EXIST] = { "SELECT 1 FROM token WHERE parent IS NULL AND " HOLDS("token", "?1") " LIMIT 1" },
	[STATEMENT_FORGET_SESSIONS] = { "DELETE FROM token WHERE parent IS NOT NULL AND expires_at <= ?1" },
	[STATEMENT_END_SESSION] = { "DELETE FROM token WHERE parent IS NOT NULL AND id = ?1 AND expires_at > ?2" },
	[STATEMENT_WORK_COUNT] = { "SELECT (SELECT count(*) FROM ticket WHERE status = 'queued' "
		"AND start_number = 0) AS waiting, (SELECT count(*) FROM ticket WHERE status = 'queued' "
		"AND caller = ?) AS of_caller", .row = &work_count_row },
	[STATEMENT_ADD_WORK] = { "INSERT INTO ticket (id, created_at, status, assessment, input_sha256, asked, code, "
		"text, hint, place, project, name, owner, caller, facts, input_bytes, awaited, key_owner, key, "
		"starts_before) VALUES (:id, :created_at, 'queued', :assessment, :input_sha256, :asked, 0, '', '', '', "
		":project, :name, :owner, :caller, :facts, :input_bytes, :awaited, :key_owner, :key, "
		"(SELECT coalesce(max(start_number), 0) FROM ticket))" },
	[STATEMENT_WORK] = { "SELECT id, name, owner, caller, project, facts, holder, input_bytes, read_bytes, "
		"starts_before, start_number, held_until, awaited, (SELECT coalesce(max(start_number), 0) "
		"FROM ticket) AS starts FROM ticket WHERE status = 'queued' ORDER BY created_at, id "
		"LIMIT ?", .row = &work_row },
	[STATEMENT_CLAIM_WORK] = { CLAIM_WORK ") RETURNING id", CLAIM_WORK " FOR UPDATE SKIP LOCKED) RETURNING id" },
	[STATEMENT_HOLD_WORK] = { "UPDATE ticket SET held_until = ?3, read_bytes = ?4 WHERE id = ?1 AND holder = ?2 "
		"AND status = 'queued' RETURNING id" },
	[STATEMENT_ACKNOWLEDGE_WORK] = { "UPDATE ticket SET awaited = 0 WHERE id = ? AND status = 'queued' "
		"AND awaited = 1 RETURNING awaited, key_owner, key", .row = &ended_row },
	[STATEMENT_RELEASE_WORK] = { "UPDATE ticket SET holder = '', held_until = 0, start_number = 0, attempts = 0 "
		"WHERE status = 'queued' AND holder = ?" },
	[STATEMENT_BEAT] = { "INSERT INTO replica (holder, alive_until, facts, claims) VALUES (:holder, :alive_until, "
		":facts, :claims) ON CONFLICT (holder) DO UPDATE SET alive_until = excluded.alive_until, facts = "
		"excluded.facts, claims = excluded.claims" },
	[STATEMENT_REPLICAS] = { "SELECT holder, alive_until, facts, claims FROM replica "
		"ORDER BY holder", .row = &replica_row },
	[STATEMENT_DROP_REPLICA] = { "DELETE FROM replica WHERE holder = ?1 OR alive_until < ?2" },
	[STATEMENT_CALL_REPLICAS] = { "SELECT 1", "SELECT 1 FROM pg_notify('opcheck', 'services')" },
	[STATEMENT_TAKE_DUTY] = { "INSERT INTO duty AS old (name, holder, held_until) VALUES (:name, :holder, "
		":held_until) ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = "
		"excluded.held_until WHERE old.holder = :holder OR old.held_until <= :now RETURNING name" },
	[STATEMENT_DROP_DUTIES] = { "DELETE FROM duty WHERE holder = ?" },
	[STATEMENT_CLAIM_DELIVERY] = { CLAIM_DELIVERY ")" DELIVERED,
		CLAIM_DELIVERY " FOR UPDATE SKIP LOCKED)" DELIVERED, .row = &delivery_row },
	[STATEMENT_ADD_DOCUMENT] = { "INSERT INTO document (assessment, form, bytes, sha256, content) "
		"SELECT number, :form, :bytes, :sha256, :content FROM assessment WHERE id = :id "
		"ON CONFLICT (assessment, form) DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, "
		"content = excluded.content" },
};
