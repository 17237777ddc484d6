#include "tests/unit/store_fixture.h"
#include "tests/unit/temporary.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/gunzip.h"
#include "server/routes.h"
#include "server/service/work.h"
#include "server/pages/page_report.h"
#include "store/keep.h"

static struct fixture *database;

int store_group_setup(void **state)
{
	int status = fixture_build(state);

	database = *state;
	return status;
}

int store_group_teardown(void **state)
{
	*state = database;
	return fixture_clean(state);
}

int store_setup(void **state)
{
	struct store_fixture *fixture = mem_zalloc(sizeof(*fixture));
	struct err err = { 0 };

	fixture->database = database;
	fixture->arena = ARENA_INIT(ARENA_UNLIMITED);
	fixture->limits = limits_default();
	fixture->service = (struct service){ .db_path = database->path, .limits = &fixture->limits };
	if (!mkdtemp(temporary_path(fixture->directory, sizeof(fixture->directory))) ||
		store_open(&(struct store_place){ fixture->directory }, &fixture->service.store, &err)) {
		print_error("%s: %s\n", err.where, err.text);
		return -1;
	}
	*state = fixture;
	return 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	return remove(path);
}

int store_teardown(void **state)
{
	struct store_fixture *fixture = *state;

	store_close(fixture->service.store);
	nftw(fixture->directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	arena_clear(&fixture->arena);
	free(fixture);
	return 0;
}

void store_reopen(struct store_fixture *fixture)
{
	struct err err = { 0 };

	store_close(fixture->service.store);
	fixture->service.store = NULL;
	if (store_open(&(struct store_place){ fixture->directory }, &fixture->service.store, &err))
		fail_msg("%s: %s", err.where, err.text);
}

const char *state_path(struct store_fixture *fixture, const char *name)
{
	struct buf path = BUF_INIT(4096);
	const char *kept;

	buf_printf(&path, "%s/%s", fixture->directory, name);
	kept = arena_keep(&fixture->arena, buf_str(&path)).ptr;
	buf_clear(&path);
	return kept;
}

size_t state_count(struct store_fixture *fixture, const char *name)
{
	DIR *directory = opendir(state_path(fixture, name));
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		count += entry->d_name[0] != '.';
	closedir(directory);
	return count;
}

struct upload *upload_of(struct store_fixture *fixture, struct str text)
{
	struct upload *upload;
	struct err err = { 0 };

	assert_int_equal(upload_begin(fixture->service.store, UINT64_MAX, &upload, &err), 0);
	assert_int_equal(upload_add(upload, text, &err), 0);
	upload_end(upload);
	return upload;
}

int submit_here(struct store_fixture *fixture, struct upload *upload, struct submission *submission,
	struct stored_assessment *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf report = BUF_UNLIMITED, packed = BUF_UNLIMITED, path = BUF_INIT(4096);
	struct stored_document document = { .form = STR("json") };
	struct resolution resolution = { submission, fixture->database->db, &fixture->limits, &fixture->arena };
	int status, fd = -1;

	resolution.record.input_sha256 = upload_sha256(upload);
	resolution.record.input_bytes = upload_bytes(upload);
	status = submission_resolve(&resolution, err);
	if (!status)
		status = store_find(fixture->service.store, resolution.record.id, &fixture->arena, ret, err);
	if (status) {
		resolution_clear(&resolution);
		return status == 1 ? 0 : status;
	}
	assert_int_equal(upload_open(upload, &fd, err), 0);
	buf_printf(&path, "/proc/self/fd/%d", fd);
	status = submission_check(&resolution, buf_text(&path), &report, err);
	close(fd);
	assert_true(status || gzip_pack(buf_str(&report), &packed));
	document.id = resolution.record.id;
	document.packed = buf_str(&packed);
	document.bytes = report.len;
	if (!status)
		status = store_keep(fixture->service.store, &(struct entry){ &resolution.record, &document, upload },
			&fixture->arena, err);
	*ret = resolution.record;
	resolution_clear(&resolution);
	return status;
}

static int leave_open(const struct service *service, uint64_t memory_bytes, struct err *err)
{
	(void)service;
	(void)memory_bytes;
	(void)err;
	return 0;
}

int answer_here(struct store_fixture *fixture, struct request *request, struct reply *reply, struct err *err)
{
	int status = route_answer(&fixture->service, request, reply, err);
	struct job *job = request->job;

	if (status != ANSWER_LATER)
		return status;
	work_perform(&(struct workshop){ &fixture->service, page_put_assessment, leave_open }, job->kind, job->files,
		&job->outcome);
	job_read_outcome(job);
	assert_int_equal(job->err.code, 0);
	assert_int_equal(job->keep(&fixture->service, job, err), 0);
	return request->resume(&fixture->service, request, reply, err);
}

struct buf small_dump(void)
{
	return source_text("tests/fixtures/torch-1.13/transformer.a.log");
}
