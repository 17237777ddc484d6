#include "server/submission.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "check/targets.h"
#include "json/jsonw.h"
#include "opdb/db/lists.h"
#include "report/render.h"

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

/* The files that the body of a form was made of (server/body.h). */
static int take_files(struct request *request, struct submission *ret, struct err *err)
{
	struct submission_file *files;
	struct str *values, bytes, name;
	uint64_t from = 0;
	int status = 0;

	ret->file_count = request_values(request, "file", &values);
	ret->files = files = arena_alloc(&request->arena, (ret->file_count + 1) * sizeof(files[0]));
	for (size_t i = 0; i < ret->file_count && !status; i++) {
		files[i].span.from = from;
		if (!str_cut(&values[i], ' ', &bytes) || !decimal_unsigned(bytes, &files[i].span.bytes))
			status = err_set(err, ERR_VALUE, "'%s' is no file of the form", shown(bytes).text);
		else
			status = base_name(values[i], &name, err);
		if (!status)
			files[i].name = repaired_name(&request->arena, name);
		from += files[i].span.bytes;
	}
	free(values);
	return status;
}

/* All ?fail_on= as one list. */
static struct str gate_words_given(struct request *request)
{
	struct buf words = BUF_UNLIMITED;
	struct str *values, joined;
	size_t count = request_values(request, "fail_on", &values);

	for (size_t i = 0; i < count; i++)
		buf_printf(&words, "%s%.*s", i ? "," : "", STR_ARG(values[i]));
	joined = arena_keep(&request->arena, buf_str(&words));
	free(values);
	buf_clear(&words);
	return joined;
}

static int take_stated(const struct request *request, struct stated *ret, struct err *err)
{
	struct str *types, uncovered = request_value(request, "max_uncovered_time");
	size_t count = request_values(request, "dtype", &types);
	int given = request_switch(request, "require_dtypes", &ret->require_dtypes, err),
	    status = given < 0 ? given : 0;

	for (size_t i = 0; i < count && !status; i++)
		status = stated_set_types(ret, types[i], err);
	free(types);
	return status || !uncovered.len ? status : stated_set_uncovered(ret, uncovered, err);
}

int submission_read(struct request *request, struct submission *ret, struct err *err)
{
	struct str *targets;
	int status;

	*ret = (struct submission){ .torch = request_value(request, "torch") };
	status = display_name(request, &ret->name, err);
	if (!status)
		status = take_files(request, ret, err);
	if (!status)
		status = take_stated(request, &ret->stated, err);
	if (status)
		return status;
	ret->target_count = request_values(request, "target", &targets);
	ret->targets = memcpy(arena_alloc(&request->arena, (ret->target_count + 1) * sizeof(targets[0])), targets,
		ret->target_count * sizeof(targets[0]));
	free(targets);
	ret->fail_on = gate_words_given(request);
	return 0;
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

/* Nothing where nothing is stated: such a submit is the same as ever. */
static void put_stated(struct jsonw *json, const struct stated *stated)
{
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED, uncovered = BUF_UNLIMITED;
	struct str rest, word;

	stated_put_types(&types, stated);
	stated_put_uncovered(&uncovered, stated);
	rest = buf_str(&types);
	if (rest.len) {
		jsonw_key_list(json, "dtype");
		while (rest.len && str_cut(&rest, ',', &word))
			jsonw_str(json, word);
		jsonw_list_end(json);
	}
	if (uncovered.len)
		jsonw_key_str(json, "max_uncovered_time", buf_str(&uncovered));
	if (stated->require_dtypes)
		jsonw_key_bool(json, "require_dtypes", true);
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
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static struct str options_json(const struct settlement *settlement)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, words = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&text, 0);
	struct str rest, word;

	gate_put(&words, &settlement->policy.gate);
	rest = buf_str(&words);
	jsonw_object(&json);
	jsonw_key(&json, "targets");
	jsonw_list(&json);
	for (size_t i = 0; i < settlement->target_count; i++)
		jsonw_str(&json, settlement->targets[i]);
	jsonw_list_end(&json);
	if (settlement->asked) { /* the report says what it was */
		jsonw_key(&json, "asked");
		jsonw_list(&json);
		for (size_t i = 0; i < settlement->target_count; i++)
			jsonw_str(&json, settlement->asked[i]);
		jsonw_list_end(&json);
	}
	jsonw_key(&json, "fail_on");
	jsonw_list(&json);
	while (rest.len && str_cut(&rest, ',', &word))
		jsonw_str(&json, word);
	jsonw_list_end(&json);
	put_stated(&json, &settlement->submission->stated);
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
static void describe(struct settlement *settlement)
{
	struct record *record = &settlement->record;
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
	struct record *record = &settlement->record;

	record->verdict_count = result->target_count;
	record->verdicts = arena_alloc(settlement->arena, (result->target_count + 1) * sizeof(record->verdicts[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		record->verdicts[i] = (struct record_verdict){ arena_keep(settlement->arena, target->id),
			word_for(&verdict_words, target->verdict), word_for(&gate_state_words, target->gate),
			target->readiness.time.lo_ppm, target->readiness.time.hi_ppm };
	}
}

static bool blocks(enum op_status status)
{
	return status == OP_UNSUPPORTED || status == OP_NEEDS_PACKAGE || status == OP_CPU_FALLBACK;
}

/* Operators are in the order of their share. */
static void take_blockers(struct settlement *settlement, const struct result *result, size_t target)
{
	size_t taken = 0;

	for (size_t i = 0; i < result->operator_count && taken < settlement->limits->blockers; i++) {
		const struct result_operator *operator= & result->operators[i];

		if (target >= operator->verdict_count || !blocks(operator->verdicts[target].status))
			continue;
		MEM_PUSH(&settlement->blockers,
			((struct record_blocker){ settlement->record.verdicts[target].target,
				arena_keep(settlement->arena, operator->name),
				word_for(&op_status_words, operator->verdicts[target].status), operator->share_ppm }));
		taken++;
	}
}

void settlement_clear(struct settlement *settlement)
{
	mem_release(&settlement->blockers.items);
}

static const struct check_input *inputs_of(const struct settlement *settlement, const char *path)
{
	const struct submission *asked = settlement->submission;
	struct check_input *inputs = arena_alloc(settlement->arena, (asked->file_count + 1) * sizeof(inputs[0]));

	inputs[0] = (struct check_input){ .path = path, .name = settlement->record.name };
	for (size_t i = 0; i < asked->file_count; i++)
		inputs[i] = (struct check_input){ path, asked->files[i].name, &asked->files[i].span };
	return inputs;
}

int submission_check(struct settlement *settlement, const char *path, struct buf *ret_report, struct err *err)
{
	const struct submission *asked = settlement->submission;
	struct check_request request = { .inputs = inputs_of(settlement, path),
		.input_count = asked->file_count ? asked->file_count : 1,
		.db = settlement->db,
		.targets = settlement->asked ? settlement->asked : settlement->targets,
		.target_count = settlement->target_count,
		.torch = settlement->asked ? asked->torch : STR(""),
		.policy = &settlement->policy,
		.stated = asked->stated,
		.limits = settlement->limits };
	struct render_options options = { .lang = LANG_EN };
	struct result *result;
	int status = check_run(&request, &result, err);

	if (status)
		return status;
	status = stated_allows(&asked->stated, result, err);
	if (!status) {
		take_verdicts(settlement, result);
		for (size_t i = 0; i < result->target_count; i++)
			take_blockers(settlement, result, i);
		render_json(result, &options, ret_report);
	}
	result_free(result);
	return status;
}

int submission_settle(struct settlement *settlement, struct err *err)
{
	struct str words = settlement->submission->fail_on;
	int status = words.len ? gate_parse(&settlement->policy.gate, words, err) : 0;

	if (!status)
		status = choose_targets(settlement, err);
	if (!status)
		describe(settlement);
	return status;
}
