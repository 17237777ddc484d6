#include "opdb/db/overlay.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/date.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "opdb/db/facts.h"
#include "opdb/db/names.h"
#include "opdb/db/overlay_facts.h"
#include "opdb/db/timing_facts.h"
#include "opdb/model/dtype.h"
#include "opdb/text/axis.h"
#include "opdb/text/fact_text.h"
#include "opdb/text/tsv.h"

enum { LABEL_BYTES = 400, SHORT_DIGEST = 12, SCRATCH_BYTES = 256 * 1024 * 1024, NAME_LINES = 4096 };

enum column { OP, TARGET, RELEASES, CHIP, DTYPES, STATUS, FLAGS, REASON, EVIDENCE, DATE };

static const char columns[] = "op target releases chip dtypes status flags reason evidence date";

/* Flags that a site may know of; the others are the resolver's own. */
static const unsigned site_flags = FLAG_HOST_PATH | FLAG_AICPU | FLAG_JIT_COMPILE | FLAG_DTYPE_LIMITED |
				   FLAG_SOC_LIMITED | FLAG_REPORTED_BROKEN;

/* An overlay while it is read. After a failure its memory stays in the handle's arena; the caller ends. */
struct overlay_reading {
	struct opdb *db;
	struct overlays *overlays;
	struct overlay file;
	size_t first; /* of its facts */
	struct tsv tsv;
	struct axis releases[TARGET_COUNT];
	struct arena scratch;
	struct facts facts;
	struct err *err;
};

const struct overlay *opdb_overlays(const struct opdb *db, size_t *ret_count)
{
	*ret_count = db->overlays ? db->overlays->files.count : 0;
	return *ret_count ? db->overlays->files.items : NULL;
}

static int too_large(struct err *err)
{
	return err_set(err, ERR_LIMIT, "the overlay takes too much memory");
}

/* --- cells */

/* "ns::base.overload" */
static int read_name(struct overlay_reading *reading, struct overlay_fact *ret)
{
	struct str text = reading->tsv.cells[OP];
	size_t colons = str_find(text, STR("::"));

	if (colons == STR_NONE || !colons || colons + 2 == text.len)
		return tsv_error(&reading->tsv, reading->err,
			"\"%.*s\" is not an operator: its namespace is missing, as in aten::add", STR_ARG(text));
	ret->ns = str_sub(text, 0, colons);
	ret->overload = str_skip(text, colons + 2);
	str_cut(&ret->overload, '.', &ret->base);
	return 0;
}

static int unknown_name(struct overlay_reading *reading, struct str name)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(LABEL_BYTES);
	struct name_list near = { 0 };
	struct err ignored;

	tsv_error(&reading->tsv, reading->err, "unknown operator \"%.*s\"", STR_ARG(name));
	if (opdb_nearest_names(reading->db, name, &reading->scratch, &near, &ignored) || !near.count)
		return -reading->err->code;
	for (size_t i = 0; i < near.count; i++)
		buf_printf(&list, "%s%.*s", i ? ", " : "", STR_ARG(near.items[i]));
	return err_hint(reading->err, "did you mean %s?", buf_text(&list));
}

/* A name must be known where the database knows its namespace; a site's own namespaces are its own affair. */
static int check_name(struct overlay_reading *reading, const struct overlay_fact *fact)
{
	struct str full = reading->tsv.cells[OP], op = str_skip(full, fact->ns.len + 2);
	const struct name_facts *name;
	struct name_list known = { .max = 1 };
	int code = facts_get(&reading->facts, fact->ns, fact->base, &name, reading->err);

	if (!code)
		code = opdb_names_with_prefix(
			reading->db, str_sub(full, 0, fact->ns.len + 2), &reading->scratch, &known, reading->err);
	if (code)
		return code;
	if (known.count && !name->overloads && !name->packages)
		return unknown_name(reading, str_sub(full, 0, fact->ns.len + 2 + fact->base.len));
	if (fact->overload.ptr && !facts_overload(name, op))
		return tsv_error(&reading->tsv, reading->err, "unknown overload \"%.*s\"", STR_ARG(full));
	return 0;
}

static int read_releases(struct overlay_reading *reading, struct overlay_fact *fact)
{
	const struct tsv *tsv = &reading->tsv;
	const struct axis *axis;
	struct str rest = tsv->cells[RELEASES], name;
	unsigned char *places;
	enum span_result result;
	struct span span;

	if (!target_kind_from(tsv->cells[TARGET], &fact->target))
		return tsv_error(
			tsv, reading->err, "\"%.*s\" is not a target: npu or musa", STR_ARG(tsv->cells[TARGET]));
	axis = &reading->releases[fact->target];
	places = arena_alloc(&reading->db->arena, axis->count + 1);
	if (!places)
		return too_large(reading->err);
	fact->places = places;
	if (!rest.len)
		return tsv_error(tsv, reading->err, "no releases: name them, or \"*\" for all");
	if (str_eq(rest, STR("*"))) {
		memset(places, 1, axis->count);
		return 0;
	}
	while ((result = axis_span(axis, &rest, &span, &name)) == SPAN_OK)
		memset(places + span.first, 1, span.last - span.first + 1);
	if (result == SPAN_REVERSED)
		return tsv_error(tsv, reading->err, "the span up to \"%.*s\" ends before it begins", STR_ARG(name));
	if (result == SPAN_UNKNOWN) {
		tsv_error(tsv, reading->err, "unknown release \"%.*s\" of %.*s", STR_ARG(name),
			STR_ARG(tsv->cells[TARGET]));
		return err_hint(reading->err,
			"`opcheck targets` lists them; leave out the v, and write 2.7.1-dev for a branch's head");
	}
	return 0;
}

static int read_chip(struct overlay_reading *reading, struct overlay_fact *fact)
{
	struct str name = reading->tsv.cells[CHIP], spelling;

	if (!name.len)
		return 0;
	fact->chip = chip_find(fact->target, name, &spelling);
	return fact->chip ? 0 : tsv_error(&reading->tsv, reading->err, "unknown chip \"%.*s\"", STR_ARG(name));
}

static int read_dtypes(struct overlay_reading *reading, struct overlay_fact *fact)
{
	fact->dtypes = reading->tsv.cells[DTYPES];
	if (dtypes_from(fact->dtypes, &fact->types))
		return 0;
	tsv_error(&reading->tsv, reading->err, "\"%.*s\" is not a list of dtypes", STR_ARG(fact->dtypes));
	return err_hint(reading->err, "join them by blanks: bf16 fp16 fp32 fp64 int8 int32 int64 bool complex64");
}

static int read_status(struct overlay_reading *reading, struct overlay_fact *fact)
{
	struct str word = reading->tsv.cells[STATUS];

	fact->has_status = op_status_from(word, &fact->status);
	if (word.len && !fact->has_status)
		return tsv_error(&reading->tsv, reading->err, "\"%.*s\" is not a status", STR_ARG(word));
	return 0;
}

static bool flag_from(struct str word, unsigned *ret)
{
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (site_flags & (1u << i) && str_eq(word, op_flag_name(i))) {
			*ret |= 1u << i;
			return true;
		}
	}
	return false;
}

static int read_flags(struct overlay_reading *reading, struct overlay_fact *fact)
{
	struct str rest = reading->tsv.cells[FLAGS], word = { 0 };

	while (rest.len && str_cut(&rest, ' ', &word)) {
		if (!flag_from(word, &fact->flags))
			return tsv_error(&reading->tsv, reading->err, "\"%.*s\" is not a flag that an overlay may set",
				STR_ARG(word));
	}
	if (!fact->has_status && !fact->flags)
		return tsv_error(&reading->tsv, reading->err, "the line has neither a status nor a flag");
	return 0;
}

static int read_origin(struct overlay_reading *reading, struct overlay_fact *fact)
{
	const struct tsv *tsv = &reading->tsv;

	fact->reason = tsv->cells[REASON];
	fact->evidence = tsv->cells[EVIDENCE];
	fact->date = tsv->cells[DATE];
	if (!fact->reason.len)
		return tsv_error(tsv, reading->err, "no reason: say why the site knows better");
	if (!fact->evidence.len)
		return tsv_error(tsv, reading->err, "no evidence: give an address, or say in words what was observed");
	if (fact->date.len && !date_has_shape(fact->date))
		return tsv_error(tsv, reading->err, "\"%.*s\" is not a date", STR_ARG(fact->date));
	return 0;
}

/* --- lines */

static bool same_subject(const struct overlay_fact *a, const struct overlay_fact *b)
{
	return str_eq(a->ns, b->ns) && str_eq(a->base, b->base) && str_eq(a->overload, b->overload) &&
	       a->target == b->target && a->chip == b->chip && a->types == b->types;
}

/* Two lines of one file about the same thing are contradictory or redundant. NAME_LINES about one name are more than
   enough. */
static int check_overlap(struct overlay_reading *reading, const struct overlay_fact *fact, uint64_t hash)
{
	const struct axis *axis = &reading->releases[fact->target];
	struct map_cursor at = map_start(&reading->overlays->map, hash);
	size_t lines = 0;

	while (map_next(&reading->overlays->map, &at)) {
		const struct overlay_fact *other = &reading->overlays->items[at.index];

		if (++lines == NAME_LINES)
			return tsv_error(&reading->tsv, reading->err, "more than %d lines about \"%.*s\"", NAME_LINES,
				STR_ARG(fact->base));
		if (at.index < reading->first || !same_subject(fact, other))
			continue;
		for (size_t place = 0; place < axis->count; place++) {
			if (fact->places[place] && other->places[place])
				return tsv_error(&reading->tsv, reading->err,
					"line %zu has \"%.*s\" on \"%.*s\" as well", other->line,
					STR_ARG(reading->tsv.cells[OP]), STR_ARG(axis->items[place]));
		}
	}
	return 0;
}

static int put_label(struct overlay_reading *reading, struct overlay_fact *fact)
{
	CLEANUP(buf_clear) struct buf label = BUF_INIT(LABEL_BYTES);

	buf_printf(&label, "%.*s:%zu (%.*s)", STR_ARG(reading->file.name), fact->line, SHORT_DIGEST,
		reading->file.sha256.ptr);
	return arena_copy(&reading->db->arena, buf_str(&label), &fact->label) ? 0 : too_large(reading->err);
}

static int read_line(struct overlay_reading *reading)
{
	static int (*const readers[])(struct overlay_reading *, struct overlay_fact *) = {
		read_name,
		read_releases,
		read_chip,
		read_dtypes,
		read_status,
		read_flags,
		read_origin,
		put_label,
	};
	struct overlay_fact fact = { .overlay = reading->overlays->files.count, .line = reading->tsv.line };
	uint64_t hash;
	int code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(readers) && !code; i++)
		code = readers[i](reading, &fact);
	if (!code)
		code = check_name(reading, &fact);
	if (code)
		return code;
	hash = hash_str(hash_str(hash_seed(), fact.ns), fact.base);
	code = check_overlap(reading, &fact, hash);
	if (code)
		return code;
	map_add(&reading->overlays->map, hash, (uint32_t)reading->overlays->count);
	MEM_PUSH(reading->overlays, fact);
	reading->file.facts++;
	return 0;
}

static int read_lines(struct overlay_reading *reading, struct str text)
{
	int more = tsv_open(&reading->tsv, reading->file.name, text, str_from(columns), reading->err);

	while (!more && (more = tsv_next(&reading->tsv, reading->err)) > 0)
		more = read_line(reading);
	return more;
}

/* --- the file */

/* The digest of a database and its overlays, which a kept assessment is found by. */
static int put_digest(struct opdb *db, struct err *err)
{
	struct sha256 *sha = sha256_new();
	char hex[SHA256_HEX_BYTES];

	sha256_add_field(sha, db->info.sha256);
	for (size_t i = 0; i < db->overlays->files.count; i++) {
		sha256_add_field(sha, db->overlays->files.items[i].name);
		sha256_add_field(sha, db->overlays->files.items[i].sha256);
	}
	sha256_end(sha, hex);
	return arena_copy(&db->arena, str_from(hex), &db->info.digest) ? 0 : too_large(err);
}

/* Copies what outlives the call: the facts point into the text. */
static int keep_text(struct overlay_reading *reading, struct str name, struct str *text)
{
	CLEANUP(buf_clear) struct buf printable = BUF_INIT(LABEL_BYTES);
	struct sha256 *sha = sha256_new();
	char hex[SHA256_HEX_BYTES];

	sha256_add(sha, *text);
	sha256_end(sha, hex);
	utf8_printable(&printable, name);
	return arena_copy(&reading->db->arena, *text, text) &&
			       arena_copy(&reading->db->arena, buf_str(&printable), &reading->file.name) &&
			       arena_copy(&reading->db->arena, str_from(hex), &reading->file.sha256)
		       ? 0
		       : too_large(reading->err);
}

/* A handle whose overlay failed answers without it: the facts that were read are taken back with their index. */
static void take_back(struct opdb *db, size_t first)
{
	struct overlays *overlays = db->overlays;

	overlays->count = first;
	map_clear(&overlays->map);
	for (size_t i = 0; i < first; i++)
		map_add(&overlays->map, hash_str(hash_str(hash_seed(), overlays->items[i].ns), overlays->items[i].base),
			(uint32_t)i);
}

int opdb_add_overlay_text(struct opdb *db, struct str name, struct str text, struct err *err)
{
	struct overlay_reading reading = { .db = db, .scratch = ARENA_INIT(SCRATCH_BYTES), .err = err };
	int code;

	db->overlays = db->overlays ? db->overlays : mem_zalloc(sizeof(*db->overlays));
	reading.overlays = db->overlays;
	reading.first = db->overlays->count;
	reading.facts = (struct facts){ .db = db, .arena = &reading.scratch };
	for (size_t i = 0; i < db->releases.count; i++)
		axis_add(&reading.releases[db->releases.items[i].target], db->releases.items[i].name);
	code = keep_text(&reading, name, &text)
		       ?: timing_overlay_add(db, reading.file.name, text, &reading.file.facts, err);
	if (code == TIMING_NOT)
		code = read_lines(&reading, text);
	if (!code) {
		MEM_PUSH(&db->overlays->files, reading.file);
		code = put_digest(db, err);
	} else {
		take_back(db, reading.first);
	}
	for (size_t i = 0; i < TARGET_COUNT; i++)
		axis_clear(&reading.releases[i]);
	facts_clear(&reading.facts);
	arena_clear(&reading.scratch);
	return code;
}

int opdb_add_overlay(struct opdb *db, const char *path, size_t max_bytes, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(max_bytes);
	int code = fact_text_read(path, &text, err);

	return code ? code : opdb_add_overlay_text(db, str_from(str_file_name(path)), buf_str(&text), err);
}
