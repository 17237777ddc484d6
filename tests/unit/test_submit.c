/* The use case of the service: the same submit is the same assessment, and its report is that of `opcheck check`. */
#include <stdlib.h>

#include "check/check.h"
#include "io/inflate.h"
#include "report/record/records.h"
#include "server/service/resolution.h"
#include "server/service/ticketing.h"
#include "tests/unit/store_fixture.h"

/* 1 for a new assessment, 0 for one that was there, or the error. */
static int submit_as(struct store_fixture *fixture, struct str text, struct submission submission,
	struct stored_assessment *ret, struct err *err)
{
	struct upload *upload = upload_of(fixture, text);
	int status;

	if (!submission.name.len)
		submission.name = STR("a.log");
	status = submit_here(fixture, upload, &submission, ret, err);
	upload_free(upload);
	return status;
}

static void the_same_submit_is_the_same_assessment(void **state)
{
	struct store_fixture *fixture = *state;
	struct buf dump = small_dump();
	struct str short_name = STR("npu"), id;
	struct stored_assessment first, second, third;
	struct err err = { 0 };

	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ 0 }, &first, &err), 1);
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ 0 }, &second, &err), 0);
	assert_true(str_eq(first.id, second.id));
	assert_true(str_eq(first.created_at, second.created_at));
	/* a name for a release and its id are one thing */
	assert_int_equal(submit_as(fixture, buf_str(&dump),
				 (struct submission){ .targets = &short_name, .target_count = 1 }, &second, &err),
		1);
	id = second.verdicts[0].target;
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ .targets = &id, .target_count = 1 },
				 &third, &err),
		0);
	assert_true(str_eq(second.id, third.id));
	buf_clear(&dump);
}

static void whatever_is_asked_otherwise_is_another_assessment(void **state)
{
	struct store_fixture *fixture = *state;
	struct str musa = STR("musa");
	struct submission others[] = {
		{ .name = STR("b.log") },
		{ .targets = &musa, .target_count = 1 },
		{ .terms = &(struct term_value){ &term_table[0], STR("unsupported") }, .term_count = 1 },
	};
	struct buf dump = small_dump();
	struct stored_assessment first, other;
	struct err err = { 0 };

	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ 0 }, &first, &err), 1);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		assert_int_equal(submit_as(fixture, buf_str(&dump), others[i], &other, &err), 1);
		assert_false(str_eq(first.id, other.id));
	}
	fixture->limits.listed_shapes++;
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ 0 }, &other, &err), 1);
	fixture->limits.upload_bytes++; /* no report depends on it */
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ 0 }, &other, &err), 0);
	assert_int_equal(state_count(fixture, "dumps"), 1);
	buf_clear(&dump);
}

static void words_of_the_gate_in_any_order_are_one_gate(void **state)
{
	struct store_fixture *fixture = *state;
	struct term_value gates[] = { { &term_table[0], STR("unknown,dynamic-bounded,unsupported") },
		{ &term_table[0], STR("unsupported, unknown,unknown,dynamic-bounded") } };
	struct buf dump = small_dump();
	struct stored_assessment first, second;
	struct err err = { 0 };

	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ .terms = &gates[0], .term_count = 1 },
				 &first, &err),
		1);
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ .terms = &gates[1], .term_count = 1 },
				 &second, &err),
		0);
	assert_true(str_has(first.options, STR("[\"unsupported\", \"unknown\", \"dynamic-bounded\"]")));
	buf_clear(&dump);
}

static void the_report_is_that_of_a_check(void **state)
{
	struct store_fixture *fixture = *state;
	struct buf dump = small_dump(), path = BUF_INIT(4096), stored = BUF_INIT(1 << 24), direct = BUF_INIT(1 << 24);
	struct render_options options = { .lang = LANG_EN };
	struct check_input input;
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = fixture->database->db,
		.torch = STR(""),
		.limits = &fixture->limits };
	struct stored_document document = { .form = STR("json") };
	struct result *result;
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ .name = STR("x/\x1b[31m\"<b>'.log") },
				 &record, &err),
		1);
	document.id = record.id;
	assert_int_equal(store_document(fixture->service.store, &document, &fixture->arena, &err), 1);
	assert_true(gzip_unpack(document.packed, &stored));
	source_path(&path, "tests/fixtures/torch-1.13/transformer.a.log");
	input = (struct check_input){ buf_text(&path), STR("x/\x1b[31m\"<b>'.log") };
	assert_int_equal(check_run(&request, &result, &err), 0);
	render_json(result, &options, &direct);
	result_free(result);
	assert_true(str_eq(buf_str(&stored), buf_str(&direct)));
	buf_clear(&dump);
	buf_clear(&path);
	buf_clear(&stored);
	buf_clear(&direct);
}

static void what_fails_is_not_kept(void **state)
{
	struct store_fixture *fixture = *state;
	struct str nowhere = STR("npu@0.1");
	struct term_value gate = { &term_table[0], STR("everything") };
	struct buf dump = small_dump();
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(
		submit_as(fixture, STR("no table here\n"), (struct submission){ 0 }, &record, &err), -ERR_NO_TABLE);
	assert_int_equal(submit_as(fixture, STR(""), (struct submission){ 0 }, &record, &err), -ERR_EMPTY);
	assert_int_equal(
		submit_as(fixture, STR("\x89PNG\r\n\x1a\n\1\2\3\4\5\6\7"), (struct submission){ 0 }, &record, &err),
		-ERR_FORMAT);
	assert_int_equal(submit_as(fixture, buf_str(&dump),
				 (struct submission){ .targets = &nowhere, .target_count = 1 }, &record, &err),
		-ERR_TARGET);
	assert_int_equal(submit_as(fixture, buf_str(&dump), (struct submission){ .terms = &gate, .term_count = 1 },
				 &record, &err),
		-ERR_VALUE);
	assert_int_equal(state_count(fixture, "dumps"), 0);
	assert_int_equal(state_count(fixture, "incoming"), 0);
	buf_clear(&dump);
}

static void an_error_in_the_input_names_it_as_the_client_does(void **state)
{
	struct store_fixture *fixture = *state;
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(submit_as(fixture, STR("no table here\n"), (struct submission){ .name = STR("mine.log") },
				 &record, &err),
		-ERR_NO_TABLE);
	assert_string_equal(err.where, "mine.log");
}

static void a_name_that_is_no_text_is_repaired(void **state)
{
	struct store_fixture *fixture = *state;
	struct buf dump = small_dump();
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(
		submit_as(fixture, buf_str(&dump), (struct submission){ .name = STR("a\xff.log") }, &record, &err), 1);
	assert_str(record.name, "a\xef\xbf\xbd.log");
	buf_clear(&dump);
}

static void a_job_that_is_over_is_not_acknowledged(void **state)
{
	struct store_fixture *fixture = *state;
	struct job *job = job_new(JOB_CHECK);
	struct err err = { 0 };

	snprintf(job->ticket, sizeof(job->ticket), "over");
	assert_int_equal(ticket_acknowledge(&fixture->service, job, &err), -ERR_BUSY);
	job_release(job);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		store_test(the_same_submit_is_the_same_assessment),
		store_test(whatever_is_asked_otherwise_is_another_assessment),
		store_test(words_of_the_gate_in_any_order_are_one_gate),
		store_test(the_report_is_that_of_a_check),
		store_test(what_fails_is_not_kept),
		store_test(an_error_in_the_input_names_it_as_the_client_does),
		store_test(a_name_that_is_no_text_is_repaired),
		store_test(a_job_that_is_over_is_not_acknowledged),
	};

	return run_store_group(tests);
}
