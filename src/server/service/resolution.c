#include "server/service/resolution.h"

#include <stdio.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "check/asked/targets.h"
#include "check/check.h"
#include "opdb/db/lists.h"
#include "report/answers/buckets.h"
#include "report/answers/survey_sections.h"
#include "report/record/records.h"
#include "scan/source/files.h"
#include "store/operator_key.h"

/* --- before the check */

static int choose_targets(struct resolution *resolution, struct err *err)
{
	const struct submission *asked = resolution->submission;
	struct target_list chosen;
	bool other = false;
	struct target_question question = { asked->targets, asked->target_count, asked->torch };
	int status = targets_choose(resolution->db, &question, &chosen, err);

	if (status)
		return status;
	resolution->target_count = chosen.count;
	resolution->targets = arena_alloc(resolution->arena, chosen.count * sizeof(resolution->targets[0]));
	for (size_t i = 0; i < chosen.count; i++) {
		resolution->targets[i] = arena_keep(resolution->arena, str_from(chosen.items[i].id));
		other |= chosen.asked.items[i].text.len > 0;
	}
	if (other)
		resolution->asked = arena_alloc(resolution->arena, chosen.count * sizeof(resolution->asked[0]));
	for (size_t i = 0; i < chosen.count && other; i++)
		resolution->asked[i] = chosen.asked.items[i].text.len
					       ? arena_keep(resolution->arena, chosen.asked.items[i].text)
					       : resolution->targets[i];
	target_list_clear(&chosen);
	return 0;
}

static struct terms terms_of(struct resolution *resolution)
{
	return (struct terms){ &resolution->policy, &resolution->stated, &resolution->cost, &resolution->assumptions };
}

static void take_term(void *ctx, const struct term *term, struct str value)
{
	struct resolution *resolution = ctx;

	MEM_PUSH(&resolution->terms, ((struct term_value){ term, arena_keep(resolution->arena, value) }));
}

/* Only digests of waivers are options. */
static void put_digests(const struct resolution *resolution, struct submission *options)
{
	const struct policy *policy = &resolution->policy;

	options->waivers = arena_alloc(
		resolution->arena, (policy->waiver_file_count + 1) * sizeof(options->waivers[0]));
	for (size_t i = 0; i < policy->waiver_file_count; i++)
		options->waivers[i] = (struct submission_waivers){ .name = policy->waiver_files[i].name,
			.sha256 = policy->waiver_files[i].sha256,
			.of_project = resolution->submission->waivers[i].of_project };
}

/* The options that the report depends on, in the one form that the same meaning always has. */
static struct str options_json(struct resolution *resolution)
{
	const struct submission *asked = resolution->submission;
	struct submission options = { .targets = resolution->targets,
		.target_count = resolution->target_count,
		.asked = resolution->asked,
		.asked_count = resolution->asked ? resolution->target_count : 0,
		.baseline = asked->baseline,
		.waiver_count = resolution->policy.waiver_file_count,
		.no_stacks = asked->no_stacks,
		.files = asked->files,
		.file_count = asked->file_count };
	struct terms terms = terms_of(resolution);

	terms_each(&terms, take_term, resolution);
	options.terms = resolution->terms.items;
	options.term_count = resolution->terms.count;
	put_digests(resolution, &options);
	return submission_json(&options, resolution->arena);
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
static void describe_record(struct resolution *resolution)
{
	struct stored_assessment *record = &resolution->record;
	struct sha256 *sha = sha256_new();
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	char id[SHA256_HEX_BYTES];

	utf8_repair(&name, resolution->submission->name);
	record->name = arena_keep(resolution->arena, buf_str(&name));
	record->options = options_json(resolution);
	record->db_sha256 = arena_keep(resolution->arena, opdb_info(resolution->db)->digest);
	record->tool_version = str_from(check_version());
	sha256_add_field(sha, record->input_sha256);
	sha256_add_field(sha, record->name);
	sha256_add_field(sha, record->options);
	add_limits(sha, resolution->limits);
	sha256_add_field(sha, record->db_sha256);
	sha256_add_field(sha, record->tool_version);
	sha256_end(sha, id);
	record->id = arena_keep(resolution->arena, str_from(id));
}

static int resolve_terms(struct resolution *resolution, struct err *err)
{
	const struct submission *asked = resolution->submission;
	struct terms terms = terms_of(resolution);
	int status = terms_set_date(&resolution->policy, STR(""), err);

	for (size_t i = 0; i < asked->term_count && !status; i++)
		status = asked->terms[i].term->set(
			&(struct term_use){ &terms, asked->terms[i].term }, asked->terms[i].value, err);
	return status;
}

int submission_resolve(struct resolution *resolution, struct err *err)
{
	const struct submission *asked = resolution->submission;
	int status;

	policy_init(&resolution->policy);
	status = resolve_terms(resolution, err);
	for (size_t i = 0; i < asked->waiver_count && !status; i++) {
		const struct submission_waivers *waivers = &asked->waivers[i];
		char sha256[SHA256_HEX_BYTES];

		sha256_of(waivers->text, sha256);
		status = policy_add_waivers(&resolution->policy, waivers->text, waivers->name, str_from(sha256), err);
	}
	if (!status)
		status = choose_targets(resolution, err);
	if (!status)
		describe_record(resolution);
	return status;
}

void resolution_clear(struct resolution *resolution)
{
	mem_release(&resolution->blockers.items);
	mem_release(&resolution->terms.items);
	policy_clear(&resolution->policy);
	assumption_list_clear(&resolution->assumptions);
}

/* --- the check */

static void take_verdicts(struct resolution *resolution, const struct result *result)
{
	struct stored_assessment *record = &resolution->record;

	record->basis = word_for(&basis_words, result->basis);
	record->shown_ppm = result->shown_ppm;
	record->verdict_count = result->target_count;
	record->verdicts = arena_alloc(resolution->arena, (result->target_count + 1) * sizeof(record->verdicts[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		record->verdicts[i] = (struct stored_verdict){ arena_keep(resolution->arena, target->id),
			word_for(&verdict_words, target->verdict), word_for(&gate_state_words, target->gate),
			target->readiness.time.lo_ppm, target->readiness.time.hi_ppm };
	}
}

static void take_used(struct resolution *resolution, const struct result *result)
{
	size_t count = result->operator_count;

	if (count > resolution->limits->blockers)
		count = (size_t)resolution->limits->blockers;
	resolution->used = arena_alloc(resolution->arena, (count + 1) * sizeof(resolution->used[0]));
	for (; resolution->used_count < count; resolution->used_count++)
		resolution->used[resolution->used_count] = operator_key(
			resolution->arena, result->operators[resolution->used_count].name);
}

static bool status_blocks(enum op_status status)
{
	return status == OP_UNSUPPORTED || status == OP_NEEDS_PACKAGE || status == OP_CPU_FALLBACK;
}

/* Operators are in the order of their share. */
static void take_blockers(struct resolution *resolution, const struct result *result, size_t target)
{
	size_t taken = 0;

	for (size_t i = 0; i < result->operator_count && taken < resolution->limits->blockers; i++) {
		const struct result_operator *op = &result->operators[i];

		if (target >= op->verdict_count || !status_blocks(op->verdicts[target].status))
			continue;
		MEM_PUSH(&resolution->blockers,
			((struct stored_blocker){ resolution->record.verdicts[target].target,
				called_with(resolution->arena, operator_key(resolution->arena, op->name),
					op->verdicts[target].dtypes),
				word_for(&op_status_words, op->verdicts[target].status), op->share_ppm }));
		taken++;
	}
}

/* A dump that is the only one goes by the name of the assessment. */
static void set_files(const struct resolution *resolution, const char *path, struct check_request *ret)
{
	const struct submission *asked = resolution->submission;
	struct file_span *spans = arena_alloc(resolution->arena, (asked->file_count + 1) * sizeof(spans[0]));
	struct check_input *inputs = arena_alloc(resolution->arena, (asked->file_count + 1) * sizeof(inputs[0]));
	struct source_part *scripts = arena_alloc(resolution->arena, (asked->file_count + 1) * sizeof(scripts[0]));
	uint64_t from = 0;

	ret->inputs = inputs;
	ret->scripts = scripts;
	inputs[0].path = path;
	for (size_t i = 0; i < asked->file_count; i++) {
		const struct submission_file *file = &asked->files[i];

		spans[i] = (struct file_span){ from, file->bytes };
		from += file->bytes;
		if (file->is_source)
			scripts[ret->script_count++] = (struct source_part){ file->name, path, &spans[i] };
		else
			inputs[ret->input_count++] = (struct check_input){ path, file->name, &spans[i] };
	}
	if (ret->input_count < 2)
		inputs[0].name = resolution->record.name;
	ret->input_count += !ret->input_count;
}

static struct check_request check_of(const struct resolution *resolution, const char *path)
{
	const struct submission *asked = resolution->submission;
	struct check_request request = { .db = resolution->db,
		.targets = resolution->asked ? resolution->asked : resolution->targets,
		.target_count = resolution->target_count,
		.torch = resolution->asked ? asked->torch : STR(""),
		.stated = resolution->stated,
		.cost = resolution->cost,
		.assumptions = &resolution->assumptions,
		.limits = resolution->limits };

	set_files(resolution, path, &request);
	return request;
}

int submission_answer(struct resolution *resolution, struct str form, const struct render_options *options,
	struct buf *ret, struct err *err)
{
	struct check_request request = check_of(resolution, "-");
	struct survey_options survey = { 0 };
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
		survey_write(result, form, options, ret);
	else
		buckets_write(&buckets, result, form, options, ret);
	result_free(result);
	return 0;
}

int submission_check(struct resolution *resolution, const char *path, struct buf *ret_report, struct err *err)
{
	struct check_request request = check_of(resolution, path);
	struct render_options options = { .lang = LANG_EN };
	struct result *result;
	int status;

	request.policy = &resolution->policy;
	status = check_run(&request, &result, err);
	if (status)
		return status;
	if (resolution->submission->no_stacks) {
		for (size_t i = 0; i < result->operator_count; i++)
			result->operators[i].callers = NULL;
		result->places.kind = PLACES_NONE;
	}
	status = stated_allows(&resolution->stated, result, err);
	if (!status) {
		take_verdicts(resolution, result);
		take_used(resolution, result);
		for (size_t i = 0; i < result->target_count; i++)
			take_blockers(resolution, result, i);
		render_json(result, &options, ret_report);
	}
	result_free(result);
	return status;
}

int submission_take_baseline(struct resolution *resolution, struct str report, struct err *err)
{
	return policy_take_baseline(&resolution->policy, report, resolution->submission->baseline, err);
}
