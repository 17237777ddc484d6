#include "check/database/pack.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "io/inflate.h"
#include "io/source.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "record/kinds.h"
#include "record/nested.h"

enum { MANIFEST_BYTES = 1 << 20 };

static const char first_line[] = "opcheck-pack 1";

void pack_clear(struct pack *pack)
{
	buf_clear(&pack->content);
}

/* --- the manifest */

struct manifest {
	struct opdb_info info;
	uint64_t schema, bytes;
	struct str sha256;
	const struct source *sources;
	size_t source_count;
};

/* clang-format off */
static const struct record source_record = { sizeof(struct source), (const struct field[]){
	{ "name", &kind_text, AT(source, name) },
	{ "repository", &kind_text, AT(source, repository) },
	{ "ref", &kind_text, AT(source, ref) },
	{ "path", &kind_text, AT(source, path) },
	{ 0 } } };

static const struct record counts_record = { sizeof(struct opdb_info), (const struct field[]){
	{ "releases", &kind_count, AT(opdb_info, releases) },
	{ "torch_versions", &kind_count, AT(opdb_info, torch_versions) },
	{ "names", &kind_count, AT(opdb_info, names) },
	{ "facts", &kind_count, AT(opdb_info, facts) },
	{ 0 } } };

static const struct record manifest_record = { sizeof(struct manifest), (const struct field[]){
	{ "schema", &kind_count, AT(manifest, schema) },
	{ "build", &kind_text, AT(manifest, info.build) },
	{ "built_at", &kind_text, AT(manifest, info.built_at), LATER },
	{ "facts_sha256", &kind_text, AT(manifest, info.sha256), LATER },
	{ "bytes", &kind_count, AT(manifest, bytes) },
	{ "sha256", &kind_text, AT(manifest, sha256), LATER },
	{ "counts", &kind_object, AT(manifest, info), LATER, .record = &counts_record },
	{ "sources", &kind_list, AT(manifest, sources), LATER, .count = AT(manifest, source_count),
		.record = &source_record },
	{ 0 } } };
/* clang-format on */

/* --- writing */

static void put_manifest(struct buf *out, const struct opdb *db, struct str bytes)
{
	struct jsonw json = jsonw_start(out, 0);
	char sha256[SHA256_HEX_BYTES];
	struct manifest manifest = { .info = *opdb_info(db), .schema = OPDB_VERSION, .bytes = bytes.len };

	sha256_of(bytes, sha256);
	manifest.sha256 = str_from(sha256);
	manifest.sources = opdb_sources(db, &manifest.source_count);
	record_put(&json, &manifest_record, &manifest);
}

/* The manifest is one line: whatever the writer breaks into lines is joined, which JSON allows between its tokens. */
static void join_lines(struct buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		if (text->ptr[i] == '\n')
			text->ptr[i] = ' ';
	}
}

int pack_put(const struct opdb *db, struct str bytes, struct buf *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf manifest = BUF_INIT(MANIFEST_BYTES), content = BUF_INIT(ret->max_bytes);

	put_manifest(&manifest, db, bytes);
	join_lines(&manifest);
	buf_printf(&content, "%s\n%.*s\n", first_line, STR_ARG(buf_str(&manifest)));
	buf_add(&content, bytes);
	if (manifest.full || content.full || !zstd_pack(buf_str(&content), ret))
		return err_set(err, ERR_LIMIT, "the database is too large for a pack");
	return 0;
}

/* --- reading */

int pack_read_file(const char *path, const struct limits *limits, struct buf *ret, struct err *err)
{
	struct limits bounded = *limits;
	struct source *source;
	struct str chunk;
	int status;

	bounded.input_bytes = ret->max_bytes;
	status = source_open(path, &bounded, &source, err);
	if (status)
		return err_file(err, shown(str_from(path)).text);
	while ((status = source_next(source, &chunk, err)) == 1)
		buf_add(ret, chunk);
	if (!status && source_facts(source)->damaged)
		status = err_set(err, ERR_DB_DAMAGED, "the file is cut or damaged");
	source_close(source);
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}

static int damaged(struct err *err, const char *what)
{
	err_set(err, ERR_DB_DAMAGED, "the pack is damaged: %s", translated(what));
	return err_hint(err, "copy it again from where it was made");
}

static int check_manifest(const struct manifest *manifest, struct pack *pack, struct err *err)
{
	char sha256[SHA256_HEX_BYTES];

	if (manifest->schema != OPDB_VERSION) {
		err_set(err, ERR_DB_VERSION, "the pack has schema version %" PRIu64 ", this opcheck reads version %d",
			manifest->schema, OPDB_VERSION);
		return err_hint(err, "install the pack that belongs to this version of opcheck");
	}
	if (manifest->bytes != pack->database.len)
		return damaged(err, "the database in it has another length than its manifest says");
	sha256_of(pack->database, sha256);
	if (!str_eq(manifest->sha256, str_from(sha256)))
		return damaged(err, "the database in it has another SHA-256 than its manifest says");
	snprintf(pack->build, sizeof(pack->build), "%.*s", STR_ARG(manifest->info.build));
	snprintf(pack->facts_sha256, sizeof(pack->facts_sha256), "%.*s", STR_ARG(manifest->info.sha256));
	return 0;
}

static int read_manifest(struct pack *pack, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct loader loader = { .arena = &arena };
	struct manifest manifest = { 0 };

	if (!record_read(&loader, pack->manifest, &manifest_record, &manifest))
		return damaged(
			err, loader.bad_at != SIZE_MAX ? "its manifest is not JSON" : "its manifest lacks something");
	return manifest.info.build.len ? check_manifest(&manifest, pack, err)
				       : damaged(err, "its manifest lacks something");
}

static int no_pack(struct err *err)
{
	err_set(err, ERR_DB_KIND, "this is not a pack of opcheck");
	return err_hint(err, "make one with `opcheck db export PACK`");
}

int pack_take_apart(struct pack *pack, struct err *err)
{
	struct str rest = buf_str(&pack->content), line;
	size_t end;

	if (!str_cut(&rest, '\n', &line) || !str_eq(line, str_from(first_line)))
		return no_pack(err);
	end = rest.ptr ? str_find(str_sub(rest, 0, rest.len < MANIFEST_BYTES ? rest.len : MANIFEST_BYTES), STR("\n"))
		       : STR_NONE;
	if (end == STR_NONE)
		return damaged(err, "it has no manifest");
	pack->manifest = str_sub(rest, 0, end);
	pack->database = str_skip(rest, end + 1);
	return read_manifest(pack, err);
}

int pack_read(const char *path, const struct limits *limits, struct pack *ret, struct err *err)
{
	int status;

	*ret = (struct pack){ .content = BUF_INIT(limits->pack_bytes) };
	status = pack_read_file(path, limits, &ret->content, err);
	if (!status && ret->content.full)
		status = err_set(err, ERR_LIMIT, "the pack holds more than %zu bytes", ret->content.max_bytes);
	if (!status)
		status = pack_take_apart(ret, err);
	return status ? err_where(err, "%s", shown(str_from(path)).text) : 0;
}
