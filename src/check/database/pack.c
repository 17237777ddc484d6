#include "check/database/pack.h"

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "io/inflate.h"
#include "io/source.h"
#include "json/jsonw.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"

enum { MANIFEST_BYTES = 1 << 20 };

static const char first_line[] = "opcheck-pack 1";

void pack_clear(struct pack *pack)
{
	buf_clear(&pack->content);
}

/* --- writing */

static void put_sources(struct jsonw *json, const struct opdb *db)
{
	size_t count;
	const struct source *sources = opdb_sources(db, &count);

	jsonw_key_list(json, "sources");
	for (size_t i = 0; i < count; i++)
		jsonw_fill(json, "{'name': $, 'repository': $, 'ref': $, 'path': $}", sources[i].name,
			sources[i].repository, sources[i].ref, sources[i].path);
	jsonw_list_end(json);
}

static void put_counts(struct jsonw *json, const struct opdb_info *info)
{
	jsonw_key_object(json, "counts");
	jsonw_key_number(json, "releases", (int64_t)info->releases);
	jsonw_key_number(json, "torch_versions", (int64_t)info->torch_versions);
	jsonw_key_number(json, "names", (int64_t)info->names);
	jsonw_key_number(json, "facts", (int64_t)info->facts);
	jsonw_object_end(json);
}

static void put_manifest(struct buf *out, const struct opdb *db, struct str bytes)
{
	const struct opdb_info *info = opdb_info(db);
	struct jsonw json = jsonw_start(out, 0);
	char sha256[SHA256_HEX_BYTES];

	sha256_of(bytes, sha256);
	jsonw_object(&json);
	jsonw_key_number(&json, "schema", OPDB_VERSION);
	jsonw_fill(&json, "'build': $, 'built_at': $, 'facts_sha256': $", info->build, info->built_at, info->sha256);
	jsonw_key_number(&json, "bytes", (int64_t)bytes.len);
	jsonw_key_str(&json, "sha256", str_from(sha256));
	put_counts(&json, info);
	put_sources(&json, db);
	jsonw_object_end(&json);
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
	err_set(err, ERR_DB_DAMAGED, "the pack is damaged: %s", what);
	return err_hint(err, "copy it again from where it was made");
}

static struct str manifest_text(const cJSON *manifest, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(manifest, key));

	return text ? str_from(text) : STR("");
}

static int hold_against(const cJSON *manifest, struct pack *pack, struct err *err)
{
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(manifest, "schema");
	const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(manifest, "bytes");
	char sha256[SHA256_HEX_BYTES];

	if (!cJSON_IsNumber(schema) || !cJSON_IsNumber(bytes) || !manifest_text(manifest, "build").len)
		return damaged(err, "its manifest lacks something");
	if (schema->valuedouble != OPDB_VERSION) {
		err_set(err, ERR_DB_VERSION, "the pack has schema version %.0f, this opcheck reads version %d",
			schema->valuedouble, OPDB_VERSION);
		return err_hint(err, "install the pack that belongs to this version of opcheck");
	}
	if (bytes->valuedouble != (double)pack->database.len)
		return damaged(err, "the database in it has another length than its manifest says");
	sha256_of(pack->database, sha256);
	if (!str_eq(manifest_text(manifest, "sha256"), str_from(sha256)))
		return damaged(err, "the database in it has another SHA-256 than its manifest says");
	snprintf(pack->build, sizeof(pack->build), "%.*s", STR_ARG(manifest_text(manifest, "build")));
	snprintf(pack->facts_sha256, sizeof(pack->facts_sha256), "%.*s",
		STR_ARG(manifest_text(manifest, "facts_sha256")));
	return 0;
}

static int no_pack(struct err *err)
{
	err_set(err, ERR_DB_KIND, "this is no pack of opcheck");
	return err_hint(err, "make one with `opcheck db export PACK`");
}

int pack_take_apart(struct pack *pack, struct err *err)
{
	struct str rest = buf_str(&pack->content), line;
	cJSON *manifest;
	size_t end;
	int status;

	if (!str_cut(&rest, '\n', &line) || !str_eq(line, str_from(first_line)))
		return no_pack(err);
	end = rest.ptr ? str_find(str_sub(rest, 0, rest.len < MANIFEST_BYTES ? rest.len : MANIFEST_BYTES), STR("\n"))
		       : STR_NONE;
	if (end == STR_NONE)
		return damaged(err, "it has no manifest");
	pack->manifest = str_sub(rest, 0, end);
	pack->database = str_skip(rest, end + 1);
	manifest = cJSON_ParseWithLength(pack->manifest.ptr, pack->manifest.len);
	status = cJSON_IsObject(manifest) ? hold_against(manifest, pack, err) : damaged(err, "its manifest is no JSON");
	cJSON_Delete(manifest);
	return status;
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
