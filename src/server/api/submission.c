#include "server/api/submission.h"

#include <stdio.h>
#include <stdlib.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "check/asked/stated.h"
#include "check/asked/targets.h"
#include "check/check.h"
#include "json/jsonw.h"
#include "opdb/db/lists.h"
#include "report/answers/buckets.h"
#include "report/answers/survey_sections.h"
#include "report/record/records.h"
#include "scan/source/files.h"
#include "server/api/projects.h"

enum { NAME_BYTES = 255 };

/* --- what a request says */

/* Directories are left out; "-" is what a dump without a name is called. */
static int base_name(struct str name, struct str *ret, struct err *err)
{
	struct str part;

	*ret = STR("");
	while (str_cut(&name, '/', &part)) {
		if (part.len)
			*ret = part;
	}
	if (!ret->len)
		*ret = STR("-");
	if (ret->len <= NAME_BYTES)
		return 0;
	err_set(err, ERR_VALUE, "the name of the dump has more than %d bytes", NAME_BYTES);
	return err_hint(err, "give a shorter one with ?name=");
}

/* ?name=, else that of the form's file. */
static int display_name(const struct request *request, struct str *ret, struct err *err)
{
	struct str name = request_value(request, "name");

	return base_name(name.len ? name : request->file_name, ret, err);
}

static struct str repaired_name(struct arena *arena, struct str name)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	utf8_repair(&text, name);
	return arena_keep(arena, buf_str(&text));
}

/* The files that the body of a form was made of (server/http/body.h). */
static int take_files(struct request *request, struct submission *ret, struct err *err)
{
	size_t most = request->parameters.count;
	struct submission_file *files = arena_alloc(&request->arena, (most + 1) * sizeof(files[0]));
	uint64_t from = 0;
	int status = 0;

	ret->files = files;
	for (size_t i = 0; i < most && !status; i++) {
		const struct parameter *parameter = &request->parameters.items[i];
		struct submission_file *file = &files[ret->file_count];
		struct str name = parameter->value, bytes;

		file->is_source = str_eq(parameter->name, STR("source"));
		if (!file->is_source && !str_eq(parameter->name, STR("file")))
			continue;
		file->span.from = from;
		if (!str_cut(&name, ' ', &bytes) || !decimal_unsigned(bytes, &file->span.bytes))
			status = err_set(err, ERR_VALUE, "'%s' is no file of the form", shown(bytes).text);
		else if (!file->is_source) /* of a script, folders say which module it is */
			status = base_name(name, &name, err);
		if (!status)
			file->name = repaired_name(&request->arena, name);
		from += file->span.bytes;
		ret->file_count++;
		ret->source_count += file->is_source;
	}
	if (status || !ret->source_count || ret->source_count < ret->file_count)
		return status;
	err_set(err, ERR_ARGUMENT, "the form has scripts, but no dump");
	return err_hint(err, "send the dump as the field 'file', and scripts as fields 'source'");
}

/* All values of the terms. A switch that is off is not given. */
static int take_terms(struct request *request, struct submission *ret, struct err *err)
{
	size_t most = request->parameters.count + term_count;
	struct term_value *terms = arena_alloc(&request->arena, (most + 1) * sizeof(terms[0]));
	char space[TERM_NAME_BYTES];

	ret->terms = terms;
	for (size_t i = 0; i < term_count; i++) {
		const struct term *term = &term_table[i];
		const char *name = term_parameter(term, space);
		bool on = true;
		int given = term->kind == TERM_SWITCH ? request_switch(request, name, &on, err) : 1;
		struct str *values;
		size_t count = request_values(request, name, &values);

		for (size_t k = term->kind == TERM_LIST || !count ? 0 : count - 1; k < count && on; k++)
			terms[ret->term_count++] = (struct term_value){ term, values[k] };
		free(values);
		if (given < 0)
			return given;
	}
	return 0;
}

static const struct str *kept_values(struct request *request, const char *name, size_t *ret_count)
{
	struct str *values, *ret;

	*ret_count = request_values(request, name, &values);
	ret = memcpy(arena_alloc(&request->arena, (*ret_count + 1) * sizeof(values[0])), values,
		*ret_count * sizeof(values[0]));
	free(values);
	return ret;
}

int submission_read(struct request *request, struct submission *ret, struct err *err)
{
	int status;

	*ret = (struct submission){ .torch = request_value(request, "torch"),
		.baseline = request_value(request, "baseline"),
		.no_stacks = request_value(request, NO_STACKS).len > 0,
		.project_waivers = request_value(request, PROJECT_WAIVERS) };
	status = display_name(request, &ret->name, err);
	if (!status)
		status = take_files(request, ret, err);
	if (!status)
		status = take_terms(request, ret, err);
	ret->targets = kept_values(request, "target", &ret->target_count);
	ret->waivers = kept_values(request, "waivers", &ret->waiver_count);
	return status;
}

/* --- what is asked */

static int choose_targets(struct settlement *settlement, struct err *err)
{
	const struct submission *asked = settlement->submission;
	struct target_list chosen;
	bool other = false;
	struct target_question question = { asked->targets, asked->target_count, asked->torch };
	int status = targets_choose(settlement->db, &question, &chosen, err);

	if (status)
		return status;
	settlement->target_count = chosen.count;
	settlement->targets = arena_alloc(settlement->arena, chosen.count * sizeof(settlement->targets[0]));
	for (size_t i = 0; i < chosen.count; i++) {
		settlement->targets[i] = arena_keep(settlement->arena, str_from(chosen.items[i].id));
		other |= chosen.asked.items[i].text.len > 0;
	}
	if (other)
		settlement->asked = arena_alloc(settlement->arena, chosen.count * sizeof(settlement->asked[0]));
	for (size_t i = 0; i < chosen.count && other; i++)
		settlement->asked[i] = chosen.asked.items[i].text.len
					       ? arena_keep(settlement->arena, chosen.asked.items[i].text)
					       : settlement->targets[i];
	target_list_clear(&chosen);
	return 0;
}

static struct terms terms_of(struct settlement *settlement)
{
	return (struct terms){ &settlement->policy, &settlement->stated, &settlement->cost, &settlement->assumptions };
}

struct term_writer {
	struct jsonw *json;
	const struct term *list; /* whose values are being listed, or NULL */
};

static void end_list(struct term_writer *writer)
{
	if (writer->list)
		jsonw_list_end(writer->json);
	writer->list = NULL;
}

static void put_term(void *ctx, const struct term *term, struct str value)
{
	struct term_writer *writer = ctx;
	char space[TERM_NAME_BYTES];
	const char *name = term_parameter(term, space);

	if (term != writer->list)
		end_list(writer);
	if (term->kind == TERM_SWITCH) {
		jsonw_key_bool(writer->json, name, true);
	} else if (term->kind == TERM_WORD) {
		jsonw_key_str(writer->json, name, value);
	} else {
		if (!writer->list)
			jsonw_key_list(writer->json, name);
		writer->list = term;
		jsonw_str(writer->json, value);
	}
}

/* Terms that are not given are left out, but for the gate: such a submit is the same as ever. */
static void put_terms(struct jsonw *json, struct settlement *settlement)
{
	struct terms terms = terms_of(settlement);
	struct term_writer writer = { json };

	if (gate_is_empty(&settlement->policy.gate)) {
		jsonw_key_list(json, "fail_on");
		jsonw_list_end(json);
	}
	terms_each(&terms, put_term, &writer);
	end_list(&writer);
	if (settlement->submission->baseline.len)
		jsonw_key_str(json, "baseline", settlement->submission->baseline);
	if (!settlement->policy.waiver_file_count)
		return;
	jsonw_key_list(json, "waivers");
	for (size_t i = 0; i < settlement->policy.waiver_file_count; i++) {
		jsonw_fill(json, "{'name': $, 'sha256': $", settlement->policy.waiver_files[i].name,
			settlement->policy.waiver_files[i].sha256);
		if (i >= settlement->submission->waiver_count)
			jsonw_key_bool(json, "project", true);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void put_files(struct jsonw *json, const struct submission *submission)
{
	if (!submission->file_count)
		return;
	jsonw_key_list(json, "files");
	for (size_t i = 0; i < submission->file_count; i++) {
		jsonw_object(json);
		jsonw_key_str(json, "name", submission->files[i].name);
		jsonw_key_number(json, "bytes", (int64_t)submission->files[i].span.bytes);
		if (submission->files[i].is_source)
			jsonw_key_bool(json, "source", true);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static struct str options_json(struct settlement *settlement)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&text, 0);

	jsonw_object(&json);
	jsonw_key_list(&json, "targets");
	for (size_t i = 0; i < settlement->target_count; i++)
		jsonw_str(&json, settlement->targets[i]);
	jsonw_list_end(&json);
	if (settlement->asked) { /* the report says what it was */
		jsonw_key_list(&json, "asked");
		for (size_t i = 0; i < settlement->target_count; i++)
			jsonw_str(&json, settlement->asked[i]);
		jsonw_list_end(&json);
	}
	put_terms(&json, settlement);
	if (settlement->submission->no_stacks)
		jsonw_key_bool(&json, NO_STACKS, true);
	put_files(&json, settlement->submission);
	jsonw_object_end(&json);
	return arena_keep(settlement->arena, str_trim(buf_str(&text)));
}

static void add_limits(struct sha256 *sha, const struct limits *limits)
{
	for (size_t i = 0; i < limit_key_count; i++) {
		char value[24];

		if (limit_keys[i].service)
			continue;
		snprintf(value, sizeof(value), "%llu", (unsigned long long)limits_get(limits, &limit_keys[i]));
		sha256_add_field(sha, str_from(limit_keys[i].name));
		sha256_add_field(sha, str_from(value));
	}
}

/* Everything of the record that is known before the check. */
static void describe_record(struct settlement *settlement)
{
	struct stored_assessment *record = &settlement->record;
	struct sha256 *sha = sha256_new();
	char id[SHA256_HEX_BYTES];

	record->name = repaired_name(settlement->arena, settlement->submission->name);
	record->input_sha256 = arena_keep(settlement->arena, settlement->submission->input_sha256);
	record->input_bytes = settlement->submission->input_bytes;
	record->options = options_json(settlement);
	record->db_sha256 = arena_keep(settlement->arena, opdb_info(settlement->db)->digest);
	record->tool_version = str_from(check_version());
	sha256_add_field(sha, record->input_sha256);
	sha256_add_field(sha, record->name);
	sha256_add_field(sha, record->options);
	add_limits(sha, settlement->limits);
	sha256_add_field(sha, record->db_sha256);
	sha256_add_field(sha, record->tool_version);
	sha256_end(sha, id);
	record->id = arena_keep(settlement->arena, str_from(id));
}

/* --- the answer */

static void take_verdicts(struct settlement *settlement, const struct result *result)
{
	struct stored_assessment *record = &settlement->record;

	record->verdict_count = result->target_count;
	record->verdicts = arena_alloc(settlement->arena, (result->target_count + 1) * sizeof(record->verdicts[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		record->verdicts[i] = (struct stored_verdict){ arena_keep(settlement->arena, target->id),
			word_for(&verdict_words, target->verdict), word_for(&gate_state_words, target->gate),
			target->readiness.time.lo_ppm, target->readiness.time.hi_ppm };
	}
}

static void take_used(struct settlement *settlement, const struct result *result)
{
	size_t count = result->operator_count;

	if (count > settlement->limits->blockers)
		count = (size_t)settlement->limits->blockers;
	settlement->used = arena_alloc(settlement->arena, (count + 1) * sizeof(settlement->used[0]));
	for (; settlement->used_count < count; settlement->used_count++)
		settlement->used[settlement->used_count] = arena_keep(
			settlement->arena, result->operators[settlement->used_count].name);
}

static bool status_blocks(enum op_status status)
{
	return status == OP_UNSUPPORTED || status == OP_NEEDS_PACKAGE || status == OP_CPU_FALLBACK;
}

/* Operators are in the order of their share. */
static void take_blockers(struct settlement *settlement, const struct result *result, size_t target)
{
	size_t taken = 0;

	for (size_t i = 0; i < result->operator_count && taken < settlement->limits->blockers; i++) {
		const struct result_operator *op = &result->operators[i];

		if (target >= op->verdict_count || !status_blocks(op->verdicts[target].status))
			continue;
		MEM_PUSH(&settlement->blockers,
			((struct stored_blocker){ settlement->record.verdicts[target].target,
				arena_keep(settlement->arena, op->name),
				word_for(&op_status_words, op->verdicts[target].status), op->share_ppm }));
		taken++;
	}
}

void settlement_clear(struct settlement *settlement)
{
	mem_release(&settlement->blockers.items);
	policy_clear(&settlement->policy);
	assumption_list_clear(&settlement->assumptions);
}

/* A dump that is the only one goes by the name of the assessment. */
static void set_files(const struct settlement *settlement, const char *path, struct check_request *ret)
{
	const struct submission *asked = settlement->submission;
	struct check_input *inputs = arena_alloc(settlement->arena, (asked->file_count + 1) * sizeof(inputs[0]));
	struct source_part *scripts = arena_alloc(settlement->arena, (asked->source_count + 1) * sizeof(scripts[0]));

	ret->inputs = inputs;
	ret->scripts = scripts;
	inputs[0].path = path;
	for (size_t i = 0; i < asked->file_count; i++) {
		const struct submission_file *file = &asked->files[i];

		if (file->is_source)
			scripts[ret->script_count++] = (struct source_part){ file->name, path, &file->span };
		else
			inputs[ret->input_count++] = (struct check_input){ path, file->name, &file->span };
	}
	if (ret->input_count < 2)
		inputs[0].name = settlement->record.name;
	ret->input_count += !ret->input_count;
}

static struct check_request check_of(const struct settlement *settlement, const char *path)
{
	const struct submission *asked = settlement->submission;
	struct check_request request = { .db = settlement->db,
		.targets = settlement->asked ? settlement->asked : settlement->targets,
		.target_count = settlement->target_count,
		.torch = settlement->asked ? asked->torch : STR(""),
		.stated = settlement->stated,
		.cost = settlement->cost,
		.assumptions = &settlement->assumptions,
		.limits = settlement->limits };

	set_files(settlement, path, &request);
	return request;
}

int submission_answer(struct settlement *settlement, struct str form, const struct render_options *options,
	struct buf *ret, struct err *err)
{
	struct check_request request = check_of(settlement, "-");
	struct survey survey = { 0 };
	struct bucket_list buckets = { 0 };
	struct result *result;
	struct str kind;
	int status;

	str_cut(&form, '.', &kind);
	request.script_count = 0;
	request.skip_digests = !str_eq(form, STR("html"));
	if (str_eq(kind, STR("advice"))) {
		request.survey = &survey;
		request.target_count = 0;
		request.torch = STR("");
	} else {
		request.buckets = &buckets;
		request.skip_history = request.skip_releases = true;
	}
	status = check_run(&request, &result, err);
	if (status)
		return status;
	if (request.survey)
		survey_write(&survey, result, form, options, ret);
	else
		buckets_write(&buckets, result, form, options, ret);
	result_free(result);
	return 0;
}

static void drop_stacks(struct result *result)
{
	for (size_t i = 0; i < result->operator_count; i++)
		result->operators[i].callers = NULL;
	result->places.kind = PLACES_NONE;
}

int submission_check(struct settlement *settlement, const char *path, struct buf *ret_report, struct err *err)
{
	struct check_request request = check_of(settlement, path);
	struct render_options options = { .lang = LANG_EN };
	struct result *result;
	int status;

	request.policy = &settlement->policy;
	status = check_run(&request, &result, err);
	if (status)
		return status;
	if (settlement->submission->no_stacks)
		drop_stacks(result);
	status = stated_allows(&settlement->stated, result, err);
	if (!status) {
		take_verdicts(settlement, result);
		take_used(settlement, result);
		for (size_t i = 0; i < result->target_count; i++)
			take_blockers(settlement, result, i);
		render_json(result, &options, ret_report);
	}
	result_free(result);
	return status;
}

static int settle_terms(struct settlement *settlement, struct err *err)
{
	const struct submission *asked = settlement->submission;
	struct terms terms = terms_of(settlement);
	int status = terms_set_date(&settlement->policy, STR(""), err);

	for (size_t i = 0; i < asked->term_count && !status; i++)
		status = asked->terms[i].term->set(
			&(struct term_use){ &terms, asked->terms[i].term }, asked->terms[i].value, err);
	return status;
}

static int settle_waivers(struct settlement *settlement, struct str file, struct err *err)
{
	struct sha256 *sha = sha256_new();
	char sha256[SHA256_HEX_BYTES];
	struct str name, given;
	int status;

	str_cut(&file, '\n', &given);
	sha256_add(sha, file);
	sha256_end(sha, sha256);
	status = base_name(given, &name, err);
	return status ? status : policy_add_waivers(&settlement->policy, file, name, str_from(sha256), err);
}

int submission_settle(struct settlement *settlement, struct err *err)
{
	const struct submission *asked = settlement->submission;
	int status;

	policy_init(&settlement->policy);
	status = settle_terms(settlement, err);
	for (size_t i = 0; i < asked->waiver_count && !status; i++)
		status = settle_waivers(settlement, asked->waivers[i], err);
	if (!status && asked->project_waivers.len)
		status = settle_waivers(settlement, asked->project_waivers, err);
	if (!status)
		status = choose_targets(settlement, err);
	if (!status)
		describe_record(settlement);
	return status;
}

int submission_take_baseline(struct settlement *settlement, struct str report, struct err *err)
{
	return policy_take_baseline(&settlement->policy, report, settlement->submission->baseline, err);
}
