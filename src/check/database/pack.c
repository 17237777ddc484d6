#include "check/database/pack.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/ed25519.h"
#include "base/value/utf8.h"
#include "io/inflate.h"
#include "io/source.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "record/kinds.h"
#include "record/nested.h"

struct keyring_key {
	char hex[ED25519_KEY_HEX_BYTES];
};

struct keyring {
	MEM_LIST(struct keyring_key) keys;
};

enum { MOST_KEYS = 200, MOST_KEY_BYTES = 16 * 1024 };

static const char usual_keys[] = "/etc/opcheck/keys.d";

static void keyring_clear(struct keyring *keyring)
{
	free(keyring->keys.items);
	*keyring = (struct keyring){ 0 };
}

static bool keyring_has(const struct keyring *keyring, struct str key)
{
	return ANY(i, keyring->keys.count, str_eq(str_from(keyring->keys.items[i].hex), key));
}

static int add_file(struct keyring *keyring, const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf pem = BUF_INIT(MOST_KEY_BYTES);
	struct keyring_key key;
	struct limits limits = limits_default();
	int status;

	if (keyring->keys.count >= MOST_KEYS)
		return err_set(err, ERR_LIMIT, "there are more than %d keys", MOST_KEYS);
	status = whole_read(path, &limits, &pem, err);
	if (status)
		return status;
	if (!ed25519_read_key(buf_str(&pem), key.hex)) {
		err_set(err, ERR_VALUE, "this is not the public part of an Ed25519 key");
		err_hint(err, "`openssl pkey -pubout -in KEY` writes the public part of a key");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	MEM_PUSH(&keyring->keys, key);
	return 0;
}

static int is_key_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && str_ends(str_from(entry->d_name), STR(".pem"));
}

/* -1 when it is no folder. */
static int add_folder(struct keyring *keyring, const char *folder, struct err *err)
{
	struct dirent **entries = NULL;
	int count = scandir(folder, &entries, is_key_file, alphasort), status = 0;
	char path[PATH_MAX];

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		free(entries[i]);
		status = status ? status : add_file(keyring, path, err);
	}
	free(entries);
	return count < 0 ? -1 : status;
}

/* Reads keys from files and from the files NAME.pem in folders; without any path from /etc/opcheck/keys.d, which may be
   missing. ERR_OPEN, ERR_LIMIT, ERR_VALUE for a file that is no such key. Clear *ret in any case. */
static int keyring_read(const struct str_list *paths, struct keyring *ret, struct err *err)
{
	int status = 0;

	*ret = (struct keyring){ 0 };
	if (!paths->count) {
		status = add_folder(ret, usual_keys, err);
		if (status != -1 || errno == ENOENT)
			return status == -1 ? 0 : status;
		return err_os(err, ERR_OPEN, errno, "cannot read %s", usual_keys);
	}
	for (size_t i = 0; i < paths->count && !status; i++) {
		status = add_folder(ret, paths->items[i].ptr, err);
		if (status == -1)
			status = add_file(ret, paths->items[i].ptr, err);
	}
	return status;
}

enum { MANIFEST_BYTES = 1 << 20, MOST_SIGNATURES = 8 };

/* The first lines; programs of before version 1.0 know the first one alone. */
static const char unsigned_line[] = "opcheck-pack 1", signed_line[] = "opcheck-pack 2";

void pack_clear(struct pack *pack)
{
	buf_clear(&pack->content);
}

/* --- files */

int whole_read(const char *path, const struct limits *limits, struct buf *ret, struct err *err)
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

/* --- the manifest */

struct manifest {
	struct opdb_info info;
	uint64_t schema, bytes;
	struct str sha256;
	const struct source *sources;
	size_t source_count;
};

struct pack_signature {
	struct str key, value;
};

struct signatures {
	const struct pack_signature *items;
	size_t count;
};

/* clang-format off */
static const struct record signature_record = { sizeof(struct pack_signature), (const struct field[]){
	{ "key", &kind_text, AT(pack_signature, key) },
	{ "signature", &kind_text, AT(pack_signature, value) },
	{ 0 } } };

static const struct record signatures_record = { sizeof(struct signatures), (const struct field[]){
	{ "signatures", &kind_list, AT(signatures, items), .count = AT(signatures, count),
		.record = &signature_record },
	{ 0 } } };

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

/* Signs the first line and the manifest with each of the keys. */
static int put_signatures(struct buf *out, const struct str_list *keys, struct str manifest, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(2 * MANIFEST_BYTES);
	struct jsonw json = jsonw_start(out, 0);
	struct ed25519_signature made[MOST_SIGNATURES];
	struct pack_signature items[MOST_SIGNATURES];

	if (keys->count > MOST_SIGNATURES)
		return err_set(err, ERR_LIMIT, "a pack has at most %d signatures", MOST_SIGNATURES);
	buf_printf(&text, "%s\n%.*s", signed_line, STR_ARG(manifest));
	for (size_t i = 0; i < keys->count; i++) {
		CLEANUP(buf_clear) struct buf pem = BUF_INIT(MANIFEST_BYTES);
		struct limits limits = limits_default();

		if (whole_read(keys->items[i].ptr, &limits, &pem, err))
			return -err->code;
		if (!ed25519_sign(buf_str(&pem), buf_str(&text), &made[i])) {
			err_set(err, ERR_VALUE, "this is not a private Ed25519 key without a passphrase");
			err_hint(err, "`openssl genpkey -algorithm ed25519 -out KEY` makes one");
			return err_where(err, "%s", shown(keys->items[i]).text);
		}
		items[i] = (struct pack_signature){ str_from(made[i].key), str_from(made[i].value) };
	}
	record_put(&json, &signatures_record, &(struct signatures){ items, keys->count });
	join_lines(out);
	return 0;
}

int pack_put(
	const struct opdb *db, struct str bytes, const struct str_list *signing_keys, struct buf *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf manifest = BUF_INIT(MANIFEST_BYTES), content = BUF_INIT(ret->max_bytes);
	CLEANUP(buf_clear) struct buf signatures = BUF_INIT(MANIFEST_BYTES);

	put_manifest(&manifest, db, bytes);
	join_lines(&manifest);
	if (signing_keys->count && put_signatures(&signatures, signing_keys, buf_str(&manifest), err))
		return -err->code;
	buf_printf(&content, "%s\n", signing_keys->count ? signed_line : unsigned_line);
	if (signing_keys->count)
		buf_printf(&content, "%s\n", buf_text(&signatures));
	buf_printf(&content, "%s\n", buf_text(&manifest));
	buf_add(&content, bytes);
	if (manifest.full || content.full || !zstd_pack(buf_str(&content), ret))
		return err_set(err, ERR_LIMIT, "the database is too large for a pack");
	return 0;
}

/* --- reading */

static int damaged(struct err *err, const char *what)
{
	err_set(err, ERR_DB_DAMAGED, "the pack is damaged: %s", translated(what));
	return err_hint(err, "copy it again from where it was made");
}

static int check_manifest(const struct manifest *manifest, struct pack *pack, struct err *err)
{
	if (!manifest->info.build.len)
		return damaged(err, "its manifest lacks something");
	if (manifest->schema != OPDB_VERSION) {
		err_set(err, ERR_DB_VERSION, "the pack has schema version %" PRIu64 ", this opcheck reads version %d",
			manifest->schema, OPDB_VERSION);
		return err_hint(err, "install the pack that belongs to this version of opcheck");
	}
	snprintf(pack->build, sizeof(pack->build), "%.*s", STR_ARG(manifest->info.build));
	snprintf(pack->facts_sha256, sizeof(pack->facts_sha256), "%.*s", STR_ARG(manifest->info.sha256));
	snprintf(pack->sha256, sizeof(pack->sha256), "%.*s", STR_ARG(manifest->sha256));
	return 0;
}

static int read_manifest(struct pack *pack, uint64_t *ret_bytes, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct loader loader = { .arena = &arena };
	struct manifest manifest = { 0 };

	if (!record_read(&loader, pack->manifest, &manifest_record, &manifest))
		return damaged(
			err, loader.bad_at != SIZE_MAX ? "its manifest is not JSON" : "its manifest lacks something");
	*ret_bytes = manifest.bytes;
	return check_manifest(&manifest, pack, err);
}

static int no_pack(struct err *err)
{
	err_set(err, ERR_DB_KIND, "this is not a pack of opcheck");
	return err_hint(err, "make one with `opcheck db export PACK`");
}

/* The next line of the head, which is bounded. */
static bool take_line(struct str *rest, struct str *ret_line)
{
	struct str bounded = str_sub(*rest, 0, rest->len < MANIFEST_BYTES ? rest->len : MANIFEST_BYTES);
	size_t end = rest->ptr ? str_find(bounded, STR("\n")) : STR_NONE;

	if (end == STR_NONE)
		return false;
	*ret_line = str_sub(*rest, 0, end);
	*rest = str_skip(*rest, end + 1);
	return true;
}

static int take_head(struct pack *pack, uint64_t *ret_bytes, struct err *err)
{
	struct str content = buf_str(&pack->content), rest = content, line;
	bool is_signed;

	if (!take_line(&rest, &line))
		return no_pack(err);
	is_signed = str_eq(line, str_from(signed_line));
	if (!is_signed && !str_eq(line, str_from(unsigned_line)))
		return no_pack(err);
	if ((is_signed && !take_line(&rest, &pack->signatures)) || !take_line(&rest, &pack->manifest))
		return damaged(err, "it has no manifest");
	pack->database = rest;
	pack->head = str_sub(content, 0, content.len - rest.len);
	return read_manifest(pack, ret_bytes, err);
}

int pack_take_head(struct pack *pack, struct err *err)
{
	uint64_t bytes;

	return take_head(pack, &bytes, err);
}

int pack_take_apart(struct pack *pack, struct err *err)
{
	char sha256[SHA256_HEX_BYTES];
	uint64_t bytes;
	int status = take_head(pack, &bytes, err);

	if (status)
		return status;
	if (bytes != pack->database.len)
		return damaged(err, "the database in it has another length than its manifest says");
	sha256_of(pack->database, sha256);
	return strcmp(pack->sha256, sha256) == 0
		       ? 0
		       : damaged(err, "the database in it has another SHA-256 than its manifest says");
}

/* --- signatures */

static int check_signature(const struct pack_signature *signature, const struct keyring *keyring, struct str text,
	bool *ret_trusted, struct err *err)
{
	if (!ed25519_fits(signature->key, signature->value, text)) {
		err_set(err, ERR_DB_SIGNATURE, "a signature of the pack does not fit its content");
		return err_hint(err, "copy it again from where it was made; do not use this one");
	}
	*ret_trusted |= keyring_has(keyring, signature->key);
	return 0;
}

static int check_signatures(const struct pack *pack, const struct keyring *keyring, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(buf_clear) struct buf text = BUF_INIT(2 * MANIFEST_BYTES);
	struct loader loader = { .arena = &arena };
	struct signatures signatures = { 0 };
	bool trusted = false;
	int status = 0;

	if (!record_read(&loader, pack->signatures, &signatures_record, &signatures) || !signatures.count)
		return damaged(err, "its signatures cannot be read");
	if (signatures.count > MOST_SIGNATURES)
		return err_set(err, ERR_LIMIT, "a pack has at most %d signatures", MOST_SIGNATURES);
	buf_printf(&text, "%s\n%.*s", signed_line, STR_ARG(pack->manifest));
	for (size_t i = 0; i < signatures.count && !status; i++)
		status = check_signature(&signatures.items[i], keyring, buf_str(&text), &trusted, err);
	if (status || trusted)
		return status;
	err_set(err, ERR_DB_SIGNATURE, "the pack is signed with an unknown key: %.16s...",
		shown(signatures.items[0].key).text);
	return err_hint(err, "put the public key into /etc/opcheck/keys.d, or name it with --key");
}

static int check_trust(const struct pack *pack, const struct pack_trust *trust, struct err *err)
{
	CLEANUP(keyring_clear) struct keyring keyring = { 0 };

	if (!pack->signatures.len) {
		if (trust->unsigned_too)
			return 0;
		err_set(err, ERR_DB_SIGNATURE, "the pack has no signature");
		return err_hint(err, "ask for a signed one, or add --unsigned: reports then say so");
	}
	if (keyring_read(trust->keys, &keyring, err))
		return -err->code;
	return check_signatures(pack, &keyring, err);
}

int pack_read(const char *path, const struct limits *limits, const struct pack_trust *trust, struct pack *ret,
	struct err *err)
{
	int status;

	*ret = (struct pack){ .content = BUF_INIT(limits->pack_bytes) };
	status = whole_read(path, limits, &ret->content, err);
	if (!status && ret->content.full)
		status = err_set(err, ERR_LIMIT, "the pack holds more than %zu bytes", ret->content.max_bytes);
	if (!status)
		status = pack_take_apart(ret, err);
	if (!status)
		status = check_trust(ret, trust, err);
	return status ? err_where(err, "%s", shown(str_from(path)).text) : 0;
}
