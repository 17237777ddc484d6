/* The contract of the store, for any implementation: a row of `kinds` opens one on a fresh directory. */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "store/audit.h"
#include "store/db.h"
#include "store/delivery.h"
#include "store/keep.h"
#include "store/replicas.h"
#include "store/request_key.h"
#include "store/retention.h"
#include "store/project.h"
#include "store/run_list.h"
#include "store/team.h"
#include "store/ticket.h"
#include "store/token.h"
#include "store/replicas.h"
#include "store/work.h"
#include "tests/unit/check.h"
#include "tests/unit/cluster.h"
#include "tests/unit/temporary.h"

enum { DAY = 24 * 3600, ID_BYTES = 65, NAME_BYTES = 96 };

static const struct store_kind {
	const char *name;
	bool in_cluster; /* of PostgreSQL, whose tables each test finds empty */
} kinds[] = { { "sqlite" }, { "postgresql", true } };

struct place {
	const struct store_kind *kind;
	char directory[256], url[CLUSTER_URL_BYTES];
	struct store *store;
	struct arena arena;
};

static int open_store(struct place *place, struct err *err)
{
	struct store_place at = { place->directory, place->kind->in_cluster ? place->url : NULL };

	return store_open(&at, &place->store, err);
}

/* A database for each test takes ten times as long. */
static bool empty_tables(void)
{
	return cluster_run("DO $$ BEGIN EXECUTE (SELECT 'TRUNCATE ' || string_agg('opcheck.' || tablename, ', ')"
			   " || ' RESTART IDENTITY' FROM pg_tables WHERE schemaname = 'opcheck'"
			   " AND tablename <> 'schema_version'); END $$");
}

static int open_place(void **state)
{
	struct place *place = mem_zalloc(sizeof(*place));
	struct err err = { 0 };

	place->kind = *state;
	place->arena = ARENA_INIT(ARENA_UNLIMITED);
	if (place->kind->in_cluster && !empty_tables())
		return -1;
	if (place->kind->in_cluster)
		cluster_put_url("postgres", place->url);
	if (!mkdtemp(temporary_path(place->directory, sizeof(place->directory))) || open_store(place, &err)) {
		print_error("%s: %s\n", err.where, err.text);
		return -1;
	}
	*state = place;
	return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

static int close_place(void **state)
{
	struct place *place = *state;

	store_close(place->store);
	nftw(place->directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	arena_clear(&place->arena);
	free(place);
	return 0;
}

/* As after a crash: what was acknowledged is there. */
static void open_again(struct place *place)
{
	struct err err = { 0 };

	store_close(place->store);
	place->store = NULL;
	assert_int_equal(open_store(place, &err), 0);
}

/* Leases of a service that ended are over at once where it had the store to itself, else when they expire. */
static uint64_t after_crash(const struct place *place, uint64_t now, uint64_t until)
{
	return place->kind->in_cluster ? until : now;
}

/* --- what is stored */

static struct str id_of(struct place *place, unsigned number)
{
	char id[ID_BYTES];

	snprintf(id, sizeof(id), "%064u", number);
	return arena_keep(&place->arena, str_from(id));
}

static struct upload *upload_text(struct place *place, const char *text)
{
	struct upload *upload;
	struct err err = { 0 };

	assert_int_equal(upload_begin(place->store, UINT64_MAX, &upload, &err), 0);
	assert_int_equal(upload_add(upload, str_from(text), &err), 0);
	upload_end(upload);
	return upload;
}

static int keep_in(struct place *place, unsigned number, const char *project, bool kept)
{
	static struct stored_verdict verdict = { { "npu@v1", 6 }, { "ready", 5 }, { "none", 4 }, 1, 2 };
	static struct stored_blocker blocker = { { "npu@v1", 6 }, { "aten::x", 7 }, { "unsupported", 11 }, 5000 };
	char text[32];
	struct upload *upload;
	struct err err = { 0 };
	int status;

	snprintf(text, sizeof(text), "dump %06u", number);
	upload = upload_text(place, text);
	status = store_keep(place->store,
		&(struct entry){
			&(struct stored_assessment){ .id = id_of(place, number),
				.name = STR("a.log"),
				.options = STR("{}"),
				.db_sha256 = STR("db"),
				.tool_version = STR("1"),
				.input_sha256 = upload_sha256(upload),
				.input_bytes = upload_bytes(upload),
				.basis = STR("self_cpu_time"),
				.shown_ppm = 610000,
				.verdicts = &verdict,
				.verdict_count = 1 },
			&(struct stored_document){ id_of(place, number), STR("json"), STR("packed report"), 99 },
			upload,
			&(struct run){ .project = str_from(project),
				.kept = kept,
				.model = STR("llama"),
				.blockers = &blocker,
				.blocker_count = 1 },
		},
		&place->arena, &err);
	upload_free(upload);
	return status;
}

static bool has(struct place *place, unsigned number)
{
	struct stored_document report = { id_of(place, number), STR("json") };
	struct stored_assessment record;
	struct err err = { 0 };
	int found = store_find(place->store, id_of(place, number), &place->arena, &record, &err);

	assert_int_equal(store_document(place->store, &report, &place->arena, &err), found);
	if (found) {
		struct upload *dump;

		assert_int_equal(record.verdict_count, 1);
		assert_int_equal(upload_of_dump(place->store, record.input_sha256, &dump, &err), 0);
		upload_free(dump);
	}
	return found;
}

static int remove_number(struct place *place, unsigned number)
{
	struct err err = { 0 };

	return store_remove(place->store, &(struct id_like){ id_of(place, number) }, &err);
}

static void an_assessment_is_there_whole_until_it_is_removed(void **state)
{
	struct place *place = *state;
	struct stored_assessment record;
	struct err err = { 0 };

	assert_int_equal(keep_in(place, 1, "vision", false), 1);
	assert_int_equal(keep_in(place, 1, "vision", false), 0);
	open_again(place);
	assert_true(has(place, 1));
	assert_int_equal(store_find(place->store, id_of(place, 1), &place->arena, &record, &err), 1);
	assert_int_equal(record.verdicts[0].readiness_hi_ppm, 2);
	assert_str(record.basis, "self_cpu_time");
	assert_int_equal(record.shown_ppm, 610000);
	assert_int_equal(remove_number(place, 1), 1);
	assert_false(has(place, 1));
	assert_int_equal(remove_number(place, 1), 0);
	assert_int_equal(store_set_kept(place->store, &(struct id_like){ id_of(place, 1) }, true, &err), 0);
	assert_int_equal(keep_in(place, 1, "", false), 1);
}

static void a_dump_goes_with_the_last_one_that_needs_it(void **state)
{
	struct place *place = *state;
	struct ticket ticket = { .id = STR("t"), .assessment = STR("a"), .asked = STR("asked") };
	struct lease lease = { STR("one"), 1000, 2000 };
	struct upload *upload = upload_text(place, "dump 000001"), *dump;
	struct err err = { 0 };

	ticket.input_sha256 = arena_keep(&place->arena, upload_sha256(upload));
	assert_int_equal(store_keep_ticket(place->store, &ticket, upload, &lease, &err), 0);
	upload_free(upload);
	keep_in(place, 1, "", false);
	assert_int_equal(remove_number(place, 1), 1);
	assert_int_equal(upload_of_dump(place->store, ticket.input_sha256, &dump, &err), 0);
	upload_free(dump);
	ticket.status = STR("failed");
	assert_int_equal(store_end_ticket(place->store, &ticket, STR(""), &err), 1);
	if (blobs_grace(place->store->blobs)) {
		struct blob_collection past_grace = { .before = store_now(place->store) + 1 };

		assert_int_equal(upload_of_dump(place->store, ticket.input_sha256, &dump, &err), 0);
		upload_free(dump);
		assert_int_equal(blobs_collect(place->store->blobs, &past_grace, &err), 0);
	}
	assert_int_not_equal(upload_of_dump(place->store, ticket.input_sha256, &dump, &err), 0);
}

static bool has_form(struct place *place, const char *form)
{
	struct stored_document document = { id_of(place, 1), str_from(form) };
	struct err err = { 0 };

	return store_document(place->store, &document, &place->arena, &err) == 1;
}

static void a_kind_of_forms_is_bounded_and_no_other(void **state)
{
	static const char *const forms[] = { "changes-b", "changes-a", "changes-c", "changes-d" };
	struct place *place = *state;
	struct stored_document document = { id_of(place, 1), STR("html"), STR("packed"), 9 };
	struct err err = { 0 };

	keep_in(place, 1, "", false);
	assert_int_equal(store_keep_document(place->store, &document, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		document.form = str_from(forms[i]);
		assert_int_equal(store_keep_document_of(place->store, &document, STR("changes-"), 2, &err), 0);
	}
	assert_true(has_form(place, "changes-a") && has_form(place, "changes-d"));
	assert_false(has_form(place, "changes-b") || has_form(place, "changes-c"));
	assert_true(has_form(place, "html") && has_form(place, "json"));
}

/* --- runs */

static struct run_list runs_found(struct place *place, struct run_query query)
{
	struct run_list list;
	struct err err = { 0 };

	query.page.max = query.page.max ? query.page.max : 100;
	assert_int_equal(store_list_runs(place->store, &query, &place->arena, &list, &err), 0);
	return list;
}

static void an_assessment_goes_with_its_last_run(void **state)
{
	struct place *place = *state;
	struct run second = { .project = STR("audio"), .model = STR("whisper") };
	struct err err = { 0 };

	assert_int_equal(keep_in(place, 1, "vision", false), 1);
	assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &second, &err), 1);
	assert_int_equal(store_add_run(place->store, id_of(place, 9), &place->arena, &(struct run){ 0 }, &err), 0);
	assert_int_equal(second.id.len, RUN_ID_BYTES);
	assert_str(second.name, "a.log");
	assert_str(second.verdict, "ready");
	assert_int_equal(store_remove_run(place->store, second.id, STR("vision"), &err), 0);
	assert_int_equal(store_remove(place->store, &(struct id_like){ id_of(place, 1), STR("vision") }, &err), 1);
	assert_true(has(place, 1));
	assert_int_equal(runs_found(place, (struct run_query){ 0 }).total, 1);
	assert_int_equal(store_remove_run(place->store, second.id, STR("audio"), &err), 1);
	assert_false(has(place, 1));
	assert_int_equal(runs_found(place, (struct run_query){ 0 }).total, 0);
}

static void a_project_sees_its_own_runs_alone(void **state)
{
	struct place *place = *state;
	struct run other = { .project = STR("audio") };
	struct stored_assessment records[2];
	struct run runs[2];
	struct stored_list list;
	struct err err = { 0 };

	keep_in(place, 1, "vision", false);
	keep_in(place, 2, "vision", false);
	assert_int_equal(store_add_run(place->store, id_of(place, 2), &place->arena, &other, &err), 1);
	assert_int_equal(runs_found(place, (struct run_query){ .page.project = STR("audio") }).total, 1);
	assert_int_equal(runs_found(place, (struct run_query){ .page.project = STR("other") }).total, 0);
	assert_int_equal(
		store_list(place->store, &(struct list_page){ 0, 9, STR("audio") }, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.total, 1);
	assert_true(str_eq(list.items[0].id, id_of(place, 2)));
	assert_int_equal(store_find_like(place->store, &(struct id_like){ STR("00000000"), STR("audio"), 2 },
				 &place->arena, records, &err),
		1);
	assert_int_equal(store_find_like(place->store, &(struct id_like){ STR("00000000"), STR(""), 2 }, &place->arena,
				 records, &err),
		2);
	assert_int_equal(store_find_like(place->store, &(struct id_like){ id_of(place, 1), STR("audio"), 2 },
				 &place->arena, records, &err),
		0);
	assert_int_equal(store_find_runs(place->store, &(struct id_like){ other.id, STR("vision"), 2 }, &place->arena,
				 runs, &err),
		0);
	assert_int_equal(
		store_change_run(place->store, &(struct run_change){ .id = other.id, .project = STR("vision") }, &err),
		0);
	assert_int_equal(
		store_set_kept(place->store, &(struct id_like){ id_of(place, 1), STR("audio") }, true, &err), 0);
}

static void an_id_is_shortened_as_far_as_no_other_begins_like_it(void **state)
{
	struct place *place = *state;
	struct err err = { 0 };
	size_t letters;

	keep_in(place, 12, "", false);
	assert_int_equal(store_shortest(place->store, id_of(place, 12), &letters, &err), 0);
	assert_int_equal(letters, ID_SHORTEST);
	keep_in(place, 13, "", false);
	keep_in(place, 4, "", false);
	assert_int_equal(store_shortest(place->store, id_of(place, 12), &letters, &err), 0);
	assert_int_equal(letters, ID_BYTES - 1);
	assert_int_equal(store_shortest(place->store, id_of(place, 4), &letters, &err), 0);
	assert_int_equal(letters, ID_BYTES - 2);
}

static void shares_compare_over_nearly_the_same_part_of_one_basis(void **state)
{
	static const struct {
		struct stored_assessment before, after;
		bool compares;
	} cases[] = {
		{ { .basis = STR("self_cpu_time"), .shown_ppm = 1000000 },
			{ .basis = STR("self_cpu_time"), .shown_ppm = 950001 }, true },
		{ { .basis = STR("self_cpu_time"), .shown_ppm = 1000000 },
			{ .basis = STR("self_cpu_time"), .shown_ppm = 950000 }, false },
		{ { .basis = STR("self_cpu_time"), .shown_ppm = 610000 },
			{ .basis = STR("self_cpu_time"), .shown_ppm = 660000 }, false },
		{ { .basis = STR("self_cpu_time"), .shown_ppm = 1000000 },
			{ .basis = STR("self_device_time"), .shown_ppm = 1000000 }, false },
		{ { .basis = STR("self_cpu_time"), .shown_ppm = 1000000 },
			{ .basis = STR("calls"), .shown_ppm = 1000000 }, false },
		{ { .basis = STR("") }, { .basis = STR("calls"), .shown_ppm = 1000000 }, true },
		{ { .basis = STR("calls"), .shown_ppm = 1000000 }, { .basis = STR("") }, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(stored_shares_compare(&cases[i].before, &cases[i].after), cases[i].compares);
}

static void a_trend_has_the_base_of_each_run(void **state)
{
	struct place *place = *state;
	struct trend_query query = { .model = STR("llama"), .max = 9 };
	struct run_list runs;
	struct err err = { 0 };

	keep_in(place, 1, "", false);
	assert_int_equal(store_list_trend(place->store, &query, &place->arena, &runs, &err), 0);
	assert_int_equal(runs.count, 1);
	assert_str(runs.items[0].record.basis, "self_cpu_time");
	assert_int_equal(runs.items[0].record.shown_ppm, 610000);
}

static void add_runs(struct place *place)
{
	const struct run runs[] = {
		{ .model = STR("llama"), .branch = STR("main"), .tags = STR("nightly"), .project = STR("a") },
		{ .model = STR("llama"), .branch = STR("topic"), .tags = STR("nightly release") },
		{ .model = STR("bert"), .branch = STR("main"), .name = STR("100% \"quoted\"") },
	};

	keep_in(place, 1, "", false);
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		struct run run = runs[i];
		struct err err = { 0 };

		assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), 1);
	}
}

/* Number 1 is the run of keep_in, whose model is llama. */
static void runs_are_found_by_what_they_are(void **state)
{
	const struct {
		struct run_query query;
		const char *found;
	} cases[] = {
		{ { .model = STR("llama") }, "321" },
		{ { .model = STR("llama"), .ascending = true }, "123" },
		{ { .branch = STR("main") }, "42" },
		{ { .tag = STR("nightly") }, "32" },
		{ { .tag = STR("night") }, "" },
		{ { .verdict = STR("ready") }, "4321" },
		{ { .verdict = STR("blocked") }, "" },
		{ { .search = STR("LLAM") }, "321" },
		{ { .search = STR("\"quoted") }, "4" },
		{ { .search = STR("100%") }, "4" },
		{ { .search = STR("a* OR b") }, "" },
		{ { .search = STR("llama"), .tag = STR("release"), .branch = STR("topic") }, "3" },
		{ { .tag = STR("nightly"), .page.project = STR("a") }, "2" },
	};
	struct place *place = *state;

	add_runs(place);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct run_list list = runs_found(place, cases[i].query);
		char found[8] = "";

		for (size_t k = 0; k < list.count; k++)
			snprintf(found + k, sizeof(found) - k, "%u", (unsigned)list.items[k].number);
		assert_string_equal(found, cases[i].found);
		assert_int_equal(list.total, strlen(cases[i].found));
	}
}

static void a_list_goes_on_where_it_ended_while_runs_arrive(void **state)
{
	struct place *place = *state;
	struct run_query query = { .page.max = 2 };
	struct run_list list;

	add_runs(place);
	list = runs_found(place, query);
	assert_int_equal(list.items[1].number, 3);
	assert_true(list.more);
	keep_in(place, 2, "", false);
	query.page.before = 3;
	list = runs_found(place, query);
	assert_int_equal(list.count, 2);
	assert_int_equal(list.items[0].number, 2);
	assert_false(list.more);
}

static void a_run_is_renamed_and_found_by_its_new_words(void **state)
{
	struct place *place = *state;
	struct run_change change = { .name = STR("best one"), .tags = STR("gold") };
	struct err err = { 0 };

	add_runs(place);
	change.id = runs_found(place, (struct run_query){ .tag = STR("release") }).items[0].id;
	assert_int_equal(store_change_run(place->store, &change, &err), 1);
	open_again(place);
	assert_int_equal(runs_found(place, (struct run_query){ .search = STR("best one") }).total, 1);
	assert_int_equal(runs_found(place, (struct run_query){ .search = STR("release") }).total, 0);
	assert_int_equal(runs_found(place, (struct run_query){ .tag = STR("release") }).total, 0);
	assert_int_equal(runs_found(place, (struct run_query){ .tag = STR("gold") }).total, 1);
}

/* --- retention: every case keeps numbers 1 to 6, of which 1 is kept for good and 4 is of another project */

static void what_goes_is_what_is_over_a_bound_and_not_kept(void **state)
{
	static const struct {
		struct retention retention;
		const char *left;
	} cases[] = {
		{ { .project_assessments = 0 }, "123456" },
		{ { .project_assessments = 2 }, "1456" },
		{ { .project_assessments = 1 }, "146" },
		/* a dump of 11 bytes and a report of 13 */
		{ { .project_bytes = 2 * 24 }, "1456" },
		{ { .project_bytes = 1 }, "1" },
		{ { .days = 1 }, "123456" },
		{ { .days = 1, .now = 3 * DAY }, "1" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct place *place = *state;
		struct retention retention = cases[i].retention;
		char left[8] = "";
		uint64_t count;
		struct err err = { 0 };

		for (unsigned number = 1; number <= 6; number++) {
			remove_number(place, number);
			keep_in(place, number, number == 4 ? "other" : "", number == 1);
		}
		retention.now += (uint64_t)time(NULL);
		assert_int_equal(store_sweep(place->store, &retention, &count, &err), 0);
		for (unsigned number = 1; number <= 6; number++) {
			if (has(place, number))
				left[strlen(left)] = (char)('0' + number);
		}
		assert_string_equal(left, cases[i].left);
		assert_int_equal(count, 6 - strlen(left));
	}
}

static void what_is_kept_no_more_goes(void **state)
{
	struct place *place = *state;
	struct retention retention = { .now = (uint64_t)time(NULL) + 3 * DAY, .days = 1 };
	struct err err = { 0 };
	uint64_t count;

	keep_in(place, 1, "", false);
	assert_int_equal(store_set_kept(place->store, &(struct id_like){ id_of(place, 1) }, true, &err), 1);
	assert_int_equal(store_sweep(place->store, &retention, &count, &err), 0);
	assert_true(has(place, 1));
	assert_int_equal(store_set_kept(place->store, &(struct id_like){ id_of(place, 1) }, false, &err), 1);
	assert_int_equal(store_sweep(place->store, &retention, &count, &err), 0);
	assert_false(has(place, 1));
}

/* --- deliveries */

static struct delivery delivery_at(struct place *place, uint64_t now)
{
	struct delivery delivery;
	struct err err = { 0 };

	assert_true(store_next_delivery(place->store, &(struct lease){ STR("one"), now, now }, &place->arena, &delivery,
			    &err) >= 0);
	return delivery;
}

static void a_run_is_delivered_once_it_is_wanted_until_it_is_taken(void **state)
{
	enum { PAUSE = 1000 };
	struct place *place = *state;
	uint64_t now = (uint64_t)time(NULL) + 1;
	struct delivery first, second;
	struct err err = { 0 };

	assert_int_equal(keep_in(place, 1, "vision", false), 1);
	assert_int_equal(delivery_at(place, now).number, 0);
	store_want_deliveries(place->store);
	assert_int_equal(keep_in(place, 2, "vision", false), 1);
	assert_int_equal(keep_in(place, 3, "speech", false), 1);
	first = delivery_at(place, now);
	assert_str(first.run.record.id, id_of(place, 2).ptr);
	assert_true(first.has_before && first.attempts == 0 && first.before.record.verdict_count == 1);
	assert_str(first.before.record.id, id_of(place, 1).ptr);
	assert_int_equal(store_postpone_delivery(place->store, first.number, now + PAUSE, &err), 0);
	second = delivery_at(place, now);
	assert_str(second.run.project, "speech");
	assert_false(second.has_before); /* which is of another project */
	assert_int_equal(store_end_delivery(place->store, second.number, &err), 0);
	assert_int_equal(delivery_at(place, now).number, 0);
	open_again(place);
	assert_int_equal(delivery_at(place, now + PAUSE).attempts, 1);
	assert_int_equal(store_remove(place->store, &(struct id_like){ id_of(place, 2) }, &err), 1);
	assert_int_equal(delivery_at(place, now + PAUSE).number, 0);
}

/* --- tickets and their leases */

static void add_ticket(struct place *place, const char *id, uint64_t at)
{
	struct upload *upload = upload_text(place, id);
	struct ticket ticket = {
		.id = str_from(id), .assessment = STR("a"), .asked = STR("asked"), .input_sha256 = upload_sha256(upload)
	};
	struct err err = { 0 };

	assert_int_equal(
		store_keep_ticket(place->store, &ticket, upload, &(struct lease){ STR("one"), at, at + 10 }, &err), 0);
	upload_free(upload);
}

static const char *taken(struct place *place, const char *holder, uint64_t now)
{
	struct ticket ticket;
	struct err err = { 0 };
	int found = store_take_ticket(
		place->store, &(struct lease){ str_from(holder), now, now + 10 }, &place->arena, &ticket, &err);

	assert_true(found >= 0);
	if (found)
		assert_str(ticket.asked, "asked");
	return found ? ticket.id.ptr : "none";
}

static void a_ticket_is_taken_when_its_lease_is_over(void **state)
{
	struct place *place = *state;
	struct err err = { 0 };

	add_ticket(place, "second", 105);
	add_ticket(place, "first", 100);
	assert_string_equal(taken(place, "two", 109), "none");
	assert_string_equal(taken(place, "two", 110), "first");
	assert_string_equal(taken(place, "two", 111), "none");
	assert_int_equal(store_renew(place->store, &(struct lease){ STR("one"), 111, 1000 }, &err), 0);
	assert_string_equal(
		taken(place, "two", 200), "none"); /* its own is not taken twice, the other one is renewed */
	assert_string_equal(taken(place, "three", 200), "first");
	assert_int_equal(
		store_return_ticket(place->store, STR("first"), &(struct lease){ STR("two"), .until = 1 }, &err), 0);
	assert_string_equal(taken(place, "two", 205), "none"); /* the lease is another's */
	assert_int_equal(
		store_return_ticket(place->store, STR("first"), &(struct lease){ STR("three"), .until = 300 }, &err),
		0);
	assert_string_equal(taken(place, "two", 299), "none");
	assert_string_equal(taken(place, "two", 300), "first");
}

static void a_crash_ends_leases_and_no_ticket(void **state)
{
	struct place *place = *state;

	add_ticket(place, "first", 100);
	open_again(place);
	assert_string_equal(taken(place, "two", after_crash(place, 101, 110)), "first");
}

static void a_clock_that_jumps_gives_nothing_twice(void **state)
{
	struct place *place = *state;

	add_ticket(place, "first", 1000000);
	assert_string_equal(taken(place, "one", 9000000), "none");
	assert_string_equal(taken(place, "two", 10), "none");
	assert_string_equal(taken(place, "two", 9000000), "first");
	assert_string_equal(taken(place, "two", 10), "none");
}

static void tickets_go_by_age_and_number_when_they_are_over(void **state)
{
	struct place *place = *state;
	struct retention retention = { .now = 100 * DAY, .ticket_days = 30, .tickets = 2 };
	const char *ids[] = { "old", "a", "b", "c", "queued" };
	bool there[] = { false, false, true, true, true };
	struct err err = { 0 };
	uint64_t count;

	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		struct ticket ticket = { .id = str_from(ids[i]), .status = STR("succeeded"), .input_sha256 = STR("x") };

		add_ticket(place, ids[i], (i == 1 || i == 2 || i == 3 ? 90 + i : 10) * DAY);
		if (i < 4)
			assert_int_equal(store_end_ticket(place->store, &ticket, STR(""), &err), 1);
	}
	assert_int_equal(store_sweep(place->store, &retention, &count, &err), 0);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		struct ticket ticket = { .id = str_from(ids[i]) };

		assert_int_equal(store_find_ticket(place->store, &ticket, &place->arena, &err), there[i]);
	}
}

/* --- keys of requests */

static int take_key(struct place *place, const char *owner, char asked, uint64_t now)
{
	char digest[ID_BYTES];
	struct request_key key = { str_from(owner), STR("key"), { digest, ID_BYTES - 1 } };
	struct err err = { 0 };
	int status;

	memset(digest, asked, sizeof(digest));
	status = store_take_key(place->store, &(struct lease){ STR("one"), now, now + 10 }, &place->arena, &key, &err);
	if (status == 0) {
		assert_int_equal(key.status, 201);
		assert_str(key.answer, "answer");
	}
	return status;
}

static void answer_key(struct place *place, unsigned status)
{
	struct err err = { 0 };

	assert_int_equal(store_answer_key(place->store,
				 &(struct request_key){ STR("me"), STR("key"), STR(""), status, STR("answer") }, &err),
		0);
}

static void a_key_is_done_once_a_day(void **state)
{
	struct place *place = *state;

	assert_int_equal(take_key(place, "me", 'a', 100), 1);
	assert_int_equal(take_key(place, "me", 'a', 101), -ERR_KEY_BUSY);
	assert_int_equal(take_key(place, "me", 'b', 101), -ERR_KEY_OTHER);
	assert_int_equal(take_key(place, "you", 'b', 101), 1);
	answer_key(place, 201);
	open_again(place);
	assert_int_equal(take_key(place, "me", 'a', 5000), 0);
	assert_int_equal(take_key(place, "me", 'b', 5000), -ERR_KEY_OTHER);
	assert_int_equal(take_key(place, "me", 'b', 99 + DAY), -ERR_KEY_OTHER);
	assert_int_equal(take_key(place, "me", 'b', 100 + DAY), 1);
}

static void a_key_that_nobody_answers_is_free_again(void **state)
{
	struct place *place = *state;

	assert_int_equal(take_key(place, "me", 'a', 100), 1);
	answer_key(place, 0);
	assert_int_equal(take_key(place, "me", 'b', 101), 1);
	assert_int_equal(take_key(place, "me", 'c', 200), 1); /* its lease is over */
	open_again(place);
	assert_int_equal(take_key(place, "me", 'a', after_crash(place, 201, 210)), 1);
}

/* The service ends before it says what became of the request. */
static void a_key_is_answered_with_its_run(void **state)
{
	struct place *place = *state;
	struct request_key key = { STR("me"), STR("key"), id_of(place, 7) };
	struct run run = { .claim = { STR("me"), STR("key"), STR(""), STR(""), 201, 201 } };
	struct lease lease = { STR("one"), 100, 110 };
	struct err err = { 0 };

	keep_in(place, 1, "", false);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), 1);
	key.status = 0;
	assert_int_equal(store_answer_key(place->store, &key, &err), 0); /* which has its answer */
	open_again(place);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 0);
	assert_int_equal(key.status, 201);
	assert_true(str_eq(key.answer, run.id));
}

static void a_ticket_answers_its_key_and_ends_with_its_run(void **state)
{
	struct place *place = *state;
	struct request_key key = { STR("me"), STR("key"), id_of(place, 7) };
	struct ticket ticket = { .id = STR("t"),
		.assessment = STR("a"),
		.asked = STR("asked"),
		.key = { STR("me"), STR("key"), STR(""), 202, STR("t") } };
	struct run run = { .claim.ticket = STR("t") };
	struct upload *upload = upload_text(place, "dump 000001");
	struct lease lease = { STR("one"), 100, 110 };
	struct err err = { 0 };

	ticket.input_sha256 = arena_keep(&place->arena, upload_sha256(upload));
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(store_keep_ticket(place->store, &ticket, upload, &lease, &err), 0);
	upload_free(upload);
	keep_in(place, 1, "", false);
	assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), 1);
	open_again(place);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 0);
	assert_int_equal(key.status, 202);
	assert_str(key.answer, "t");
	assert_int_equal(store_take_ticket(place->store, &lease, &place->arena, &ticket, &err), 0);
	assert_int_equal(store_find_ticket(place->store, &ticket, &place->arena, &err), 1);
	assert_str(ticket.status, "succeeded");
	assert_true(str_eq(ticket.assessment, id_of(place, 1)));
}

/* --- jobs that services share */

static int add_work_of(struct place *place, const char *id, bool awaited, const char *holder)
{
	struct upload *upload = upload_text(place, id);
	struct work_entry entry = {
		.ticket = { .id = str_from(id),
			.assessment = STR("a"),
			.asked = STR("asked"),
			.input_sha256 = upload_sha256(upload),
			.key = { STR("me"), str_from(id), STR(""), 202, str_from(id), str_from(holder) } },
		.name = STR("a.log"),
		.owner = STR("vision"),
		.caller = STR("me"),
		.facts = STR("facts"),
		.input_bytes = 7,
		.awaited = awaited
	};
	struct err err = { 0 };
	int status = store_add_work(place->store, &entry, upload, &err);

	upload_free(upload);
	return status;
}

static int add_work(struct place *place, const char *id, bool awaited)
{
	return add_work_of(place, id, awaited, "");
}

static int claim(struct place *place, const char *id, const char *holder, uint64_t now)
{
	struct ticket ticket = { .id = str_from(id) };
	struct lease lease = { str_from(holder), now, now + 10 };
	struct err err = { 0 };

	return store_claim_work(place->store, &lease, &place->arena, &ticket, &err);
}

static int keep_claimed(struct place *place, const char *id, const char *holder)
{
	struct run run = {
		.claim = { .ticket = str_from(id), .holder = str_from(holder), .status = 200, .status_new = 201 }
	};
	struct err err = { 0 };

	return store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err);
}

static struct ticket ticket_named(struct place *place, const char *id)
{
	struct ticket ticket = { .id = str_from(id) };
	struct err err = { 0 };

	assert_int_equal(store_find_ticket(place->store, &ticket, &place->arena, &err), 1);
	return ticket;
}

static void a_job_is_kept_by_the_one_whose_lease_holds(void **state)
{
	struct place *place = *state;
	struct lease lease = { STR("one"), 105, 115 };
	struct err err = { 0 };
	uint64_t runs;

	keep_in(place, 1, "", false);
	assert_int_equal(add_work(place, "t", false), 0);
	assert_int_equal(claim(place, "t", "one", 100), 1);
	assert_int_equal(claim(place, "t", "two", 109), 0);
	assert_int_equal(store_hold_work(place->store, STR("t"), &lease, 3, &err), 1);
	assert_int_equal(claim(place, "t", "two", 114), 0);
	assert_int_equal(ticket_named(place, "t").read_bytes, 3);
	assert_int_equal(claim(place, "t", "two", 115), 1); /* the first one has died, or is too slow */
	assert_int_equal(store_hold_work(place->store, STR("t"), &lease, 4, &err), 0);
	assert_int_equal(keep_claimed(place, "t", "one"), -ERR_BUSY);
	assert_int_equal(keep_claimed(place, "t", "two"), 1);
	assert_int_equal(keep_claimed(place, "t", "two"), -ERR_BUSY);
	runs = runs_found(place, (struct run_query){ .page.max = 9 }).count;
	assert_int_equal(runs, 2);
	assert_str(ticket_named(place, "t").status, "succeeded");
	assert_int_equal(claim(place, "t", "three", 9999), 0);
}

static void services_that_began_a_job_are_counted_until_one_gives_it_back(void **state)
{
	struct place *place = *state;
	struct err err = { 0 };

	assert_int_equal(add_work(place, "t", false), 0);
	assert_int_equal(ticket_named(place, "t").attempts, 0);
	assert_int_equal(claim(place, "t", "one", 100), 1);
	assert_int_equal(claim(place, "t", "two", 105), 0);
	assert_int_equal(claim(place, "t", "two", 110), 1);
	assert_int_equal(ticket_named(place, "t").attempts, 2);
	assert_int_equal(store_leave(place->store, STR("two"), &err), 0);
	assert_int_equal(ticket_named(place, "t").attempts, 0);
	assert_int_equal(claim(place, "t", "three", 120), 1);
	assert_int_equal(ticket_named(place, "t").attempts, 1);
}

static void a_job_whose_client_waits_answers_its_key_at_its_end(void **state)
{
	struct place *place = *state;
	struct request_key key = { STR("me"), STR("t"), id_of(place, 7) };
	struct lease lease = { STR("web"), 100, 110 }, later = { STR("other"), 500, 510 };
	struct ticket ticket = { .id = STR("u"), .status = STR("failed"), .input_sha256 = STR("none") };
	struct err err = { 0 };

	keep_in(place, 1, "", false);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(add_work(place, "t", true), 0);
	/* the service that has the request has died: its job goes on */
	assert_int_equal(store_take_key(place->store, &later, &place->arena, &key, &err), -ERR_KEY_BUSY);
	assert_int_equal(claim(place, "t", "one", 100), 1);
	assert_int_equal(keep_claimed(place, "t", "one"), 1);
	assert_int_equal(store_take_key(place->store, &later, &place->arena, &key, &err), 0);
	assert_int_equal(key.status, 200);
	assert_true(str_eq(key.answer, ticket_named(place, "t").run));
	assert_int_equal(store_acknowledge_work(place->store, STR("t"), 202, &err), 0);

	key.key = STR("u");
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(add_work(place, "u", true), 0);
	assert_int_equal(store_end_ticket(place->store, &ticket, STR(""), &err), 1); /* then the key is free */
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);

	key.key = STR("v");
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(add_work(place, "v", true), 0);
	assert_int_equal(store_acknowledge_work(place->store, STR("v"), 202, &err), 1);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 0);
	assert_str(key.answer, "v");
}

/* Its service stood still, or waited for the database, until the lease was over. */
static void work_of_a_key_that_another_service_took_over_is_not_kept(void **state)
{
	struct place *place = *state;
	struct request_key late = { STR("me"), STR("t"), id_of(place, 7), .holder = STR("late") }, key = late;
	struct lease lease = { STR("late"), 100, 110 }, later = { STR("other"), 500, 510 };
	struct run run = { .claim = { STR("me"), STR("t"), STR(""), STR("late"), 201, 201 } };
	struct err err = { 0 };

	keep_in(place, 1, "", false);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &late, &err), 1);
	assert_int_equal(store_take_key(place->store, &later, &place->arena, &key, &err), 1);
	assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), -ERR_KEY_BUSY);
	assert_int_equal(add_work_of(place, "t", true, "late"), -ERR_KEY_BUSY);
	assert_int_equal(store_answer_key(place->store, &late, &err), 0); /* it is the other one's still */
	assert_int_equal(store_take_key(place->store, &later, &place->arena, &key, &err), -ERR_KEY_BUSY);
	assert_int_equal(add_work_of(place, "t", true, "other"), 0);
}

/* The answer to a commit may be lost: the request failed, and its job is there. */
static void a_failed_request_leaves_its_key_to_a_job_that_is_queued(void **state)
{
	struct place *place = *state;
	struct request_key key = { STR("me"), STR("t"), id_of(place, 7), .holder = STR("web") };
	struct lease lease = { STR("web"), 100, 110 };
	struct ticket ticket = { .id = STR("t"), .status = STR("failed"), .input_sha256 = STR("none") };
	struct err err = { 0 };

	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
	assert_int_equal(add_work_of(place, "t", true, "web"), 0);
	assert_int_equal(store_answer_key(place->store, &key, &err), 0);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), -ERR_KEY_BUSY);
	assert_int_equal(store_end_ticket(place->store, &ticket, STR(""), &err), 1);
	assert_int_equal(store_take_key(place->store, &lease, &place->arena, &key, &err), 1);
}

static void jobs_are_listed_counted_and_given_back(void **state)
{
	struct place *place = *state;
	struct work_count count;
	struct work_list list;
	struct err err = { 0 };

	add_work(place, "a", false);
	assert_int_equal(claim(place, "a", "one", 100), 1);
	add_work(place, "b", true);
	assert_int_equal(store_count_work(place->store, STR("me"), &count, &err), 0);
	assert_true(count.waiting == 1 && count.of_caller == 2);
	assert_int_equal(store_list_work(place->store, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 2);
	assert_true(list.items[0].start_number == 1 && list.items[1].start_number == 0);
	assert_true(list.items[1].starts_before == 1 && list.items[1].starts == 1 && list.items[1].awaited);
	assert_str(list.items[1].owner, "vision");
	assert_int_equal(store_leave(place->store, STR("one"), &err), 0);
	assert_int_equal(claim(place, "a", "two", 101), 1);
}

static void services_that_live_share_duties(void **state)
{
	struct place *place = *state;
	uint64_t now = store_now(place->store);
	struct replica_row row = { STR("one"), now + 100, STR("facts"), true };
	struct replica_list list;
	struct err err = { 0 };

	assert_int_equal(store_beat(place->store, &row, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 1);
	row = (struct replica_row){ STR("two"), now - 1, STR("facts"), false };
	assert_int_equal(store_beat(place->store, &row, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 1); /* the second is past its time */
	assert_str(list.items[0].holder, "one");
	assert_int_equal(store_take_duty(place->store, STR("x"), &(struct lease){ STR("one"), 100, 110 }, &err), 1);
	assert_int_equal(store_take_duty(place->store, STR("x"), &(struct lease){ STR("two"), 109, 120 }, &err), 0);
	assert_int_equal(store_take_duty(place->store, STR("x"), &(struct lease){ STR("one"), 109, 119 }, &err), 1);
	assert_int_equal(store_take_duty(place->store, STR("x"), &(struct lease){ STR("two"), 119, 129 }, &err), 1);
}

/* --- the audit log */

static void the_audit_log_goes_by_age_and_number(void **state)
{
	struct place *place = *state;
	struct retention retention = { .now = 100 * DAY, .audit_days = 10, .audits = 3 };
	struct audit entries[6] = { { 0 } };
	struct audit_list list;
	struct err err = { 0 };
	uint64_t count;

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		entries[i] = (struct audit){ .at = (i < 2 ? 10 : 95) * DAY,
			.who = STR("token a"),
			.address = STR("::1"),
			.action = STR("POST /x"),
			.subject = STR("id"),
			.request = STR("r"),
			.status = 200 + (unsigned)i };
	assert_int_equal(store_add_audits(place->store, entries, ARRAY_SIZE(entries), &err), 0);
	assert_int_equal(store_list_audits(place->store, &(struct list_page){ 0, 5 }, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 5);
	assert_true(list.more);
	assert_int_equal(list.items[0].status, 205);
	assert_str(list.items[0].who, "token a");
	assert_int_equal(store_list_audits(place->store, &(struct list_page){ list.items[4].number, 5 }, &place->arena,
				 &list, &err),
		0);
	assert_int_equal(list.count, 1);
	assert_int_equal(store_sweep(place->store, &retention, &count, &err), 0);
	assert_int_equal(store_list_audits(place->store, &(struct list_page){ 0, 9 }, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.items[2].status, 203);
}

/* --- many rows, text, tokens */

static void a_run_goes_in_and_comes_out_with_all_its_rows(void **state)
{
	enum { TARGETS = 40, OPERATORS = 450 };

	struct place *place = *state;
	struct upload *upload = upload_text(place, "a dump");
	struct stored_verdict verdicts[TARGETS];
	struct stored_blocker blockers[OPERATORS];
	struct str used[OPERATORS];
	struct run run = { .project = STR("p"),
		.blockers = blockers,
		.blocker_count = OPERATORS,
		.used = used,
		.used_count = OPERATORS,
		.tags = STR("a b c") };
	struct demand_list demand;
	struct use_list uses;
	struct stored_assessment record;
	struct err err = { 0 };

	for (unsigned i = 0; i < TARGETS; i++)
		verdicts[i] = (struct stored_verdict){ arena_printf(&place->arena, "npu@v%u", TARGETS - i),
			STR("ready"), STR("none"), i, i };
	for (unsigned i = 0; i < OPERATORS; i++) {
		used[i] = arena_printf(&place->arena, "aten::op%03u", i);
		blockers[i] = (struct stored_blocker){ STR("npu@v1"), used[i], STR("unsupported"), i };
	}
	assert_int_equal(store_keep(place->store,
				 &(struct entry){ &(struct stored_assessment){ .id = id_of(place, 1),
							  .name = STR("a.log"),
							  .options = STR("{}"),
							  .db_sha256 = STR("db"),
							  .tool_version = STR("1"),
							  .input_sha256 = upload_sha256(upload),
							  .input_bytes = upload_bytes(upload),
							  .verdicts = verdicts,
							  .verdict_count = TARGETS },
					 &(struct stored_document){ id_of(place, 1), STR("json"), STR("packed"), 9 },
					 upload, &run },
				 &place->arena, &err),
		1);
	upload_free(upload);
	assert_int_equal(store_find(place->store, id_of(place, 1), &place->arena, &record, &err), 1);
	assert_int_equal(record.verdict_count, TARGETS);
	for (unsigned i = 0; i < TARGETS; i++) {
		assert_true(str_eq(record.verdicts[i].target, verdicts[i].target));
		assert_int_equal(record.verdicts[i].readiness_lo_ppm, i);
	}
	assert_int_equal(store_list_demand(place->store, &(struct demand_query){ .max = 2 * OPERATORS }, &place->arena,
				 &demand, &err),
		0);
	assert_int_equal(demand.count, OPERATORS);
	assert_str(demand.items[0].op, "aten::op449");
	assert_int_equal(store_list_uses(place->store, &(struct use_query){ STR("p"), 2 * OPERATORS }, &place->arena,
				 &uses, &err),
		0);
	assert_int_equal(uses.count, OPERATORS);
}

static void lists_of_runs_have_the_verdicts_of_each(void **state)
{
	struct place *place = *state;
	struct run_list list;
	struct err err = { 0 };

	assert_int_equal(keep_in(place, 1, "", false), 1);
	assert_int_equal(keep_in(place, 2, "", false), 1);
	assert_int_equal(keep_in(place, 1, "", false), 0); /* the same assessment once more */
	assert_int_equal(
		store_list_runs(place->store, &(struct run_query){ .page.max = 9 }, &place->arena, &list, &err), 0);
	assert_int_equal(list.count, 3);
	for (size_t i = 0; i < list.count; i++) {
		assert_int_equal(list.items[i].record.verdict_count, 1);
		assert_str(list.items[i].record.verdicts[0].target, "npu@v1");
	}
}

static void text_is_utf8_without_nul(void **state)
{
	static const struct str cases[] = { { "a\xff\xfe"
					      "b",
						    4 },
		{ "a\0b", 3 }, { "\xed\xa0\x80", 3 } };
	struct place *place = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct request_key key = { STR("owner"), cases[i], STR("asked") };
		struct stored_list list;
		struct err err = { 0 };

		assert_int_equal(
			store_take_key(place->store, &(struct lease){ STR("one"), 1, 2 }, &place->arena, &key, &err),
			-ERR_VALUE);
		assert_int_equal(
			store_list(place->store, &(struct list_page){ 0, 1, cases[i] }, &place->arena, &list, &err),
			-ERR_VALUE);
	}
}

static void words_of_others_are_repaired(void **state)
{
	struct place *place = *state;
	struct run run = { .name = { "a\xff\0b", 4 }, .model = STR("m") };
	struct ticket ticket = { .id = STR("ticket"), .status = STR("failed") };
	struct run_list list;
	struct err err = { 0 };

	assert_int_equal(keep_in(place, 1, "", false), 1);
	assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), 1);
	assert_int_equal(
		store_list_runs(place->store, &(struct run_query){ .page.max = 1 }, &place->arena, &list, &err), 0);
	assert_str(list.items[0].name, "a\xef\xbf\xbd\xef\xbf\xbd"
				       "b");
	add_ticket(place, "ticket", 1);
	err_set(&ticket.err, ERR_FORMAT, "cut in a letter: \xe4\xb8");
	ticket.input_sha256 = STR("none");
	assert_int_equal(store_end_ticket(place->store, &ticket, STR(""), &err), 1);
	assert_int_equal(store_find_ticket(place->store, &ticket, &place->arena, &err), 1);
	assert_string_equal(ticket.err.text, "cut in a letter: \xef\xbf\xbd");
}

static void text_is_compared_by_its_bytes(void **state)
{
	static const char *const models[] = { "Z", "a", "a b", "ab", "b", "\xc3\xa4" };
	struct place *place = *state;
	struct latest_list latest;
	struct err err = { 0 };

	for (size_t i = ARRAY_SIZE(models); i-- > 0;) {
		struct run run = { .model = str_from(models[i]) };

		assert_int_equal(i + 1 == ARRAY_SIZE(models) ? keep_in(place, 1, "", false) : 1, 1);
		assert_int_equal(store_add_run(place->store, id_of(place, 1), &place->arena, &run, &err), 1);
	}
	assert_int_equal(
		store_list_latest(place->store, &(struct latest_query){ .max = 20 }, &place->arena, &latest, &err), 0);
	assert_int_equal(latest.count, ARRAY_SIZE(models) + 1);
	assert_str(latest.items[5].model, "llama");
	for (size_t i = 0; i < 5; i++)
		assert_str(latest.items[i].model, models[i]);
	assert_str(latest.items[6].model, models[5]);
}

static time_t ahead;

/* The clock of this machine, of which the test may change the time. */
time_t time(time_t *ret)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret)
		*ret = now.tv_sec + ahead;
	return now.tv_sec + ahead;
}

static void times_are_those_of_the_database(void **state)
{
	enum { NEAR = 600 };

	struct place *place = *state;
	uint64_t right = (uint64_t)time(NULL), expected;
	char text[STORED_TIME_BYTES];
	struct run_list list;
	struct err err = { 0 };

	ahead = DAY;
	expected = place->kind->in_cluster ? right : right + DAY;
	assert_in_range(store_now(place->store), expected, expected + NEAR);
	assert_int_equal(keep_in(place, 1, "", false), 1);
	ahead = 0;
	assert_int_equal(
		store_list_runs(place->store, &(struct run_query){ .page.max = 1 }, &place->arena, &list, &err), 0);
	stored_time(expected - 1, text);
	assert_true(str_cmp(list.items[0].created_at, str_from(text)) > 0);
	stored_time(expected + NEAR, text);
	assert_true(str_cmp(list.items[0].created_at, str_from(text)) < 0);
}

static void count_token(void *ctx, const struct token *token)
{
	assert_str(token->name, "ci");
	*(int *)ctx += 1;
}

static void a_token_is_valid_until_it_is_revoked(void **state)
{
	struct place *place = *state;
	struct store_place at = { place->directory, place->kind->in_cluster ? place->url : NULL };
	struct token wanted = { .name = STR("ci"), .scope = STR("submit"), .project = STR("p") }, found;
	char text[TOKEN_TEXT_BYTES], session[TOKEN_TEXT_BYTES];
	struct tokens *tokens = NULL;
	struct err err = { 0 };
	int count = 0;

	assert_int_equal(tokens_open(&at, false, &tokens, &err), 0);
	assert_false(tokens_exist(tokens));
	assert_int_equal(tokens_add(tokens, &wanted, text, &err), 0);
	assert_true(tokens_exist(tokens));
	assert_int_equal(tokens_find(tokens, str_from(text), &place->arena, &found, &err), 1);
	assert_str(found.project, "p");
	wanted.parent = found.id;
	wanted.expires_at = found.created_at + DAY;
	assert_int_equal(tokens_add(tokens, &wanted, session, &err), 0);
	assert_int_equal(tokens_list(tokens, count_token, &count, &err), 0);
	assert_int_equal(count, 1);
	assert_int_equal(tokens_find(tokens, str_from(session), &place->arena, &found, &err), 1);
	assert_int_equal(tokens_revoke(tokens, wanted.parent, &err), 1);
	assert_int_equal(tokens_find(tokens, str_from(text), &place->arena, &found, &err), 0);
	assert_int_equal(tokens_find(tokens, str_from(session), &place->arena, &found, &err), 0);
	tokens_close(tokens);
}

#define contract(function)                                                                                             \
	{                                                                                                              \
#function, function, open_place, close_place, NULL                                                     \
	}

/* The first store makes the tables. */
static int make_tables(void **state)
{
	struct place place = { .kind = &kinds[1] };
	struct err err = { 0 };
	int status;

	(void)state;
	cluster_put_url("postgres", place.url);
	if (!mkdtemp(temporary_path(place.directory, sizeof(place.directory))))
		return -1;
	status = open_store(&place, &err);
	if (status)
		print_error("%s: %s\n", err.where, err.text);
	store_close(place.store);
	nftw(place.directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	return status;
}

static int stop_cluster(void **state)
{
	(void)state;
	cluster_stop();
	return 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		contract(an_assessment_is_there_whole_until_it_is_removed),
		contract(a_dump_goes_with_the_last_one_that_needs_it),
		contract(a_kind_of_forms_is_bounded_and_no_other),
		contract(an_assessment_goes_with_its_last_run),
		contract(a_project_sees_its_own_runs_alone),
		contract(an_id_is_shortened_as_far_as_no_other_begins_like_it),
		contract(shares_compare_over_nearly_the_same_part_of_one_basis),
		contract(a_trend_has_the_base_of_each_run),
		contract(runs_are_found_by_what_they_are),
		contract(a_list_goes_on_where_it_ended_while_runs_arrive),
		contract(a_run_is_renamed_and_found_by_its_new_words),
		contract(what_goes_is_what_is_over_a_bound_and_not_kept),
		contract(what_is_kept_no_more_goes),
		contract(a_run_is_delivered_once_it_is_wanted_until_it_is_taken),
		contract(a_ticket_is_taken_when_its_lease_is_over),
		contract(a_crash_ends_leases_and_no_ticket),
		contract(a_clock_that_jumps_gives_nothing_twice),
		contract(tickets_go_by_age_and_number_when_they_are_over),
		contract(a_key_is_done_once_a_day),
		contract(a_key_that_nobody_answers_is_free_again),
		contract(a_key_is_answered_with_its_run),
		contract(a_ticket_answers_its_key_and_ends_with_its_run),
		contract(a_job_is_kept_by_the_one_whose_lease_holds),
		contract(services_that_began_a_job_are_counted_until_one_gives_it_back),
		contract(a_job_whose_client_waits_answers_its_key_at_its_end),
		contract(work_of_a_key_that_another_service_took_over_is_not_kept),
		contract(a_failed_request_leaves_its_key_to_a_job_that_is_queued),
		contract(jobs_are_listed_counted_and_given_back),
		contract(services_that_live_share_duties),
		contract(the_audit_log_goes_by_age_and_number),
		contract(a_run_goes_in_and_comes_out_with_all_its_rows),
		contract(lists_of_runs_have_the_verdicts_of_each),
		contract(text_is_utf8_without_nul),
		contract(words_of_others_are_repaired),
		contract(text_is_compared_by_its_bytes),
		contract(a_token_is_valid_until_it_is_revoked),
		contract(times_are_those_of_the_database),
	};
	enum { TESTS = ARRAY_SIZE(tests) };

	static struct CMUnitTest all[ARRAY_SIZE(kinds) * TESTS];
	static char names[ARRAY_SIZE(kinds) * TESTS][NAME_BYTES];
	bool has_cluster = cluster_start();
	size_t count = has_cluster ? ARRAY_SIZE(all) : TESTS;

	for (size_t i = 0; i < count; i++) {
		const struct store_kind *kind = &kinds[i / TESTS];

		all[i] = tests[i % TESTS];
		snprintf(names[i], NAME_BYTES, "%s_%s", kind->name, all[i].name);
		all[i].name = names[i];
		all[i].initial_state = (void *)(uintptr_t)kind;
	}
	return _cmocka_run_group_tests(
		"contract", all, count, has_cluster ? make_tables : NULL, has_cluster ? stop_cluster : NULL);
}
