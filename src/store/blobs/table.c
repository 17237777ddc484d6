#include "store/blobs/table.h"

#include "record/kinds.h"
#include "store/blobs/kind.h"

/* clang-format off */
static const struct record found_row = { sizeof(struct blob_row), (const struct field[]){
	{ "bytes", &kind_count, AT(blob_row, bytes) },
	{ "stored_at", &kind_count, AT(blob_row, stored_at) },
	{ "place", &kind_text, AT(blob_row, place) },
	{ 0 } } };

static const struct record doomed_row = { sizeof(struct blob_row), (const struct field[]){
	{ "sha256", &kind_text, AT(blob_row, sha256) },
	{ "place", &kind_text, AT(blob_row, place) },
	{ 0 } } };

static const struct record claimed_row = { sizeof(struct blob_row), (const struct field[]){
	{ "stored_at", &kind_count, AT(blob_row, stored_at) },
	{ 0 } } };

static const struct record blob_part_row = { sizeof(struct blob_part), (const struct field[]){
	{ "content", &kind_text, AT(blob_part, content) },
	{ 0 } } };
/* clang-format on */

#define IS_OVERDUE "unused_at > 0 AND unused_at < ?1"
#define IS_DOOMED "SELECT 1 FROM blob WHERE " IS_OVERDUE " AND sha256 = ?2 AND stored_at <= 0"

static const struct statement_text texts[BLOB_STATEMENTS] = {
	/* the transaction of the mark waits for the disk, and with it for all that was written before */
	[BLOB_BEGIN] = { "BEGIN IMMEDIATE",
		/* another service may store the same bytes, which takes as long as a statement may */
		"BEGIN; SET LOCAL synchronous_commit = off; SET LOCAL lock_timeout = 0" },
	[BLOB_COMMIT] = { "COMMIT" },
	[BLOB_ROLLBACK] = { "ROLLBACK" },
	[BLOB_FIND] = { "SELECT bytes, stored_at, place FROM blob WHERE sha256 = ?", .row = &found_row },
	/* one that is needed stays so; another one waits for its mark from now on */
	[BLOB_CLAIM] = { "INSERT INTO blob (sha256, bytes, place, stored_at, unused_at) VALUES (:sha256, :bytes, "
			 ":place, 0, :unused_at)"
			 " ON CONFLICT (sha256) DO UPDATE SET"
			 " unused_at = CASE WHEN blob.unused_at = 0 THEN 0 ELSE excluded.unused_at END,"
			 " place = CASE WHEN blob.stored_at > 0 THEN blob.place ELSE excluded.place END,"
			 " stored_at = CASE WHEN blob.stored_at > 0 THEN blob.stored_at ELSE 0 END"
			 " RETURNING stored_at",
		.row = &claimed_row },
	[BLOB_STORED] = { "UPDATE blob SET stored_at = ?2 WHERE sha256 = ?1 AND place = ?3 AND stored_at >= 0"
			  " RETURNING 1" },
	[BLOB_DOUBT] = { "UPDATE blob SET stored_at = 0 WHERE sha256 = ?" },
	[BLOB_DROP_PARTS] = { "DELETE FROM blob_part WHERE sha256 = ?" },
	[BLOB_ADD_PART] = { "INSERT INTO blob_part (sha256, part, content) VALUES (:sha256, :part, :content)" },
	[BLOB_PART] = { "SELECT content FROM blob_part WHERE sha256 = ? AND part = ?", .row = &blob_part_row },
	[BLOB_DOOM] = { "UPDATE blob SET stored_at = CASE WHEN stored_at < 0 THEN stored_at ELSE 0 END "
			"WHERE " IS_OVERDUE " AND sha256 IN (SELECT sha256 FROM blob AS old WHERE " IS_OVERDUE
			" AND " BLOB_IS_UNUSED("old.sha256") " ORDER BY unused_at LIMIT ?2) RETURNING sha256, place",
		.row = &doomed_row },
	[BLOB_HOLD_DOOMED] = { IS_DOOMED, IS_DOOMED " FOR UPDATE" },
	/* its bytes may be gone, or going: a put that began before does not count */
	[BLOB_SPOIL] = { "UPDATE blob SET stored_at = -1 WHERE sha256 = ?" },
	[BLOB_DROP] = { "DELETE FROM blob WHERE sha256 = ?" },
};

int blob_end(struct engine *engine, int status, struct err *err)
{
	struct err ignored;

	if (status >= 0)
		status = engine_run(engine, BLOB_COMMIT, BIND_NOTHING, err);
	if (status < 0)
		engine_run(engine, BLOB_ROLLBACK, BIND_NOTHING, &ignored);
	return status;
}

/* --- connections */

int blob_link_open(struct blob_link *link, const struct store_place *place, struct err *err)
{
	static const struct engine_table table = { texts, BLOB_STATEMENTS };

	pthread_mutex_init(&link->lock, NULL);
	return engine_open(place, &table, false, &link->engine, err);
}

void blob_link_close(struct blob_link *link)
{
	engine_close(link->engine);
	pthread_mutex_destroy(&link->lock);
}

struct engine *blob_link_lock(struct blob_link *link)
{
	pthread_mutex_lock(&link->lock);
	return link->engine;
}
