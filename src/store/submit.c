#include "store/submit.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "check/targets.h"
#include "json/jsonw.h"
#include "opdb/db/lists.h"
#include "report/render.h"

/* What one submit works with. */
struct submit {
	struct store *store;
	const struct opdb *db;
	const struct limits *limits;
	const struct submission *submission;
	struct arena *arena;
	struct policy policy; /* its gate alone */
	struct str *targets;  /* resolved ids */
	struct str *asked;    /* the same as the user wrote them; NULL: by their ids or bare names */
	size_t target_count;
	struct record record;
	struct err *err;
};

/* --- what is asked */

static int choose_targets(struct submit *submit)
{
	const struct submission *asked = submit->submission;
	struct target_list chosen;
	bool other = false;
	struct target_question question = { asked->targets, asked->target_count, asked->torch };
	int status = targets_choose(submit->db, &question, &chosen, submit->err);

	if (status)
		return status;
	submit->target_count = chosen.count;
	submit->targets = arena_alloc(submit->arena, chosen.count * sizeof(submit->targets[0]));
	for (size_t i = 0; i < chosen.count; i++) {
		submit->targets[i] = arena_keep(submit->arena, str_from(chosen.items[i].id));
		other |= chosen.asked.items[i].text.len > 0;
	}
	if (other)
		submit->asked = arena_alloc(submit->arena, chosen.count * sizeof(submit->asked[0]));
	for (size_t i = 0; i < chosen.count && other; i++)
		submit->asked[i] = chosen.asked.items[i].text.len
					   ? arena_keep(submit->arena, chosen.asked.items[i].text)
					   : submit->targets[i];
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

static struct str options_json(const struct submit *submit)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, words = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&text, 0);
	struct str rest, word;

	gate_put(&words, &submit->policy.gate);
	rest = buf_str(&words);
	jsonw_object(&json);
	jsonw_key(&json, "targets");
	jsonw_list(&json);
	for (size_t i = 0; i < submit->target_count; i++)
		jsonw_str(&json, submit->targets[i]);
	jsonw_list_end(&json);
	if (submit->asked) { /* the report says what it was */
		jsonw_key(&json, "asked");
		jsonw_list(&json);
		for (size_t i = 0; i < submit->target_count; i++)
			jsonw_str(&json, submit->asked[i]);
		jsonw_list_end(&json);
	}
	jsonw_key(&json, "fail_on");
	jsonw_list(&json);
	while (rest.len && str_cut(&rest, ',', &word))
		jsonw_str(&json, word);
	jsonw_list_end(&json);
	put_stated(&json, &submit->submission->stated);
	jsonw_object_end(&json);
	return arena_keep(submit->arena, str_trim(buf_str(&text)));
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
static void describe(struct submit *submit)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	struct record *record = &submit->record;
	struct sha256 *sha = sha256_new();
	char id[SHA256_HEX_BYTES];

	utf8_repair(&name, submit->submission->name);
	record->name = arena_keep(submit->arena, buf_str(&name));
	record->input_sha256 = arena_keep(submit->arena, upload_sha256(submit->submission->upload));
	record->input_bytes = upload_bytes(submit->submission->upload);
	record->options = options_json(submit);
	record->db_sha256 = arena_keep(submit->arena, opdb_info(submit->db)->digest);
	record->tool_version = str_from(check_version());
	sha256_add_field(sha, record->input_sha256);
	sha256_add_field(sha, record->name);
	sha256_add_field(sha, record->options);
	add_limits(sha, submit->limits);
	sha256_add_field(sha, record->db_sha256);
	sha256_add_field(sha, record->tool_version);
	sha256_end(sha, id);
	record->id = arena_keep(submit->arena, str_from(id));
}

/* --- the answer */

static void take_verdicts(struct submit *submit, const struct result *result)
{
	struct record *record = &submit->record;

	record->verdict_count = result->target_count;
	record->verdicts = arena_alloc(submit->arena, (result->target_count + 1) * sizeof(record->verdicts[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		record->verdicts[i] = (struct record_verdict){ arena_keep(submit->arena, target->id),
			word_for(&verdict_words, target->verdict), word_for(&gate_state_words, target->gate) };
	}
}

static int check_and_keep(struct submit *submit)
{
	struct check_input input = { upload_path(submit->submission->upload), submit->record.name };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = submit->db,
		.targets = submit->asked ? submit->asked : submit->targets,
		.target_count = submit->target_count,
		.torch = submit->asked ? submit->submission->torch : STR(""),
		.policy = &submit->policy,
		.stated = submit->submission->stated,
		.limits = submit->limits };
	struct render_options options = { .lang = LANG_EN };
	CLEANUP(buf_clear) struct buf report = BUF_UNLIMITED;
	struct result *result;
	int status = check_run(&request, &result, submit->err);

	if (status)
		return status;
	status = stated_allows(&submit->submission->stated, result, submit->err);
	if (!status) {
		take_verdicts(submit, result);
		render_json(result, &options, &report);
	}
	result_free(result);
	return status ? status
		      : store_keep(submit->store, &submit->record, buf_str(&report), submit->submission->upload,
				submit->arena, submit->err);
}

int store_submit(struct store *store, const struct opdb *db, const struct limits *limits,
	const struct submission *submission, struct arena *arena, struct record *ret, struct err *err)
{
	struct submit submit = {
		.store = store, .db = db, .limits = limits, .submission = submission, .arena = arena, .err = err
	};
	int status = submission->fail_on.len ? gate_parse(&submit.policy.gate, submission->fail_on, err) : 0;

	if (!status)
		status = choose_targets(&submit);
	if (status)
		return status;
	describe(&submit);
	status = store_find(store, submit.record.id, arena, ret, err);
	if (status)
		return status == 1 ? 0 : status;
	status = check_and_keep(&submit);
	if (status >= 0)
		*ret = submit.record;
	return status;
}
