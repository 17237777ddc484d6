#include "store/blobs/blobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/mem.h"
#include "store/blobs/directory.h"
#include "store/blobs/rows.h"

enum { GRACE_SECONDS = 3600 };

/* The first one takes what is put; files of the state directory are read beside it. */
struct blobs {
	struct blob_keeper *keepers[2];
	size_t count;
	uint64_t grace;
};

static bool is_directory(const struct store_place *place)
{
	return place->blobs ? strcmp(place->blobs, "directory") == 0 : !place->url;
}

int blobs_new(const struct store_place *place, struct blobs **ret, struct err *err)
{
	struct blobs *blobs = mem_zalloc(sizeof(*blobs));
	int status = 0;

	if (!is_directory(place)) {
		blobs->grace = GRACE_SECONDS;
		status = blob_rows_new(place, &blobs->keepers[blobs->count++], err);
	}
	if (!status)
		status = blob_directory_new(place, &blobs->keepers[blobs->count++], err);
	if (status)
		blobs_free(blobs);
	else
		*ret = blobs;
	return status;
}

void blobs_free(struct blobs *blobs)
{
	if (!blobs)
		return;
	for (size_t i = 0; i < blobs->count; i++) {
		if (blobs->keepers[i])
			blobs->keepers[i]->kind->free(blobs->keepers[i]);
	}
	free(blobs);
}

uint64_t blobs_grace(const struct blobs *blobs)
{
	return blobs->grace;
}

bool blobs_in_bucket(const struct blobs *blobs)
{
	const char *place = blobs->keepers[0]->place->blobs;

	return place && str_starts(str_from(place), STR("s3://"));
}

int blobs_put(struct blobs *blobs, struct blob_file *file, struct err *err)
{
	return blobs->keepers[0]->kind->put(blobs->keepers[0], file, err);
}

int blobs_open(struct blobs *blobs, struct str sha256, struct blob_file *ret, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < blobs->count && !status; i++)
		status = blobs->keepers[i]->kind->open(blobs->keepers[i], sha256, ret, err);
	return status;
}

int blobs_mark(struct blobs *blobs, struct engine *writer, struct str sha256, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < blobs->count && !status; i++)
		status = blobs->keepers[i]->kind->mark(blobs->keepers[i], writer, sha256, err);
	if (!status)
		return err_set(err, ERR_BUSY, "the dump was removed meanwhile");
	return status < 0 ? status : 0;
}

int blobs_release(struct blobs *blobs, struct engine *writer, struct str sha256, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < blobs->count && !status; i++)
		status = blobs->keepers[i]->kind->release(blobs->keepers[i], writer, sha256, err);
	return status;
}

int blobs_collect(struct blobs *blobs, const struct blob_collection *collection, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < blobs->count && !status; i++)
		status = blobs->keepers[i]->kind->collect(blobs->keepers[i], collection, err);
	return status;
}

struct blob_look blobs_look(struct blobs *blobs, struct str sha256)
{
	struct blob_look look = { -1, -1 };
	struct err ignored;
	int found = 0;

	for (size_t i = 0; i < blobs->count && found != 1; i++)
		found = blobs->keepers[i]->kind->look(blobs->keepers[i], sha256, &look, &ignored);
	return look;
}

void blobs_doubt(struct blobs *blobs, struct str sha256)
{
	struct err ignored;

	if (blobs->keepers[0]->kind->doubt)
		blobs->keepers[0]->kind->doubt(blobs->keepers[0], sha256, &ignored);
}

int blobs_check(struct blobs *blobs, struct err *err)
{
	return blobs->keepers[0]->kind->check ? blobs->keepers[0]->kind->check(blobs->keepers[0], err) : 0;
}
