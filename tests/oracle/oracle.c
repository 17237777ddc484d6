/*
 * Compares the resolver with an independent one: its answers for every overload on 22 releases, its counts on all 87.
 *
 * OPCHECK_REFERENCE_DIR names a folder that holds facts/resolved_ops.csv and facts/resolved_counts.csv; without it the
 * answers are those of some overloads of each release, from tests/reference/subset. The database is built from the fact text of OPCHECK_SOURCE_ROOT. differences.tsv beside this file
 * lists the rows in which this resolver is held to be right; a difference that is not listed, and a listed row that is
 * none, fails. Prints one line per difference and a summary.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/db/opdb.h"
#include "opdb/resolve/resolve.h"
#include "tests/unit/temporary.h"

/* The status of an operator on a release, by "target release op". */
struct verdict {
	struct str key;
	enum op_status status;
	bool seen;
};

struct verdicts {
	struct verdict *items;
	size_t count, capacity;
	struct map map;
};

struct oracle {
	struct opdb *db;
	struct resolver *resolver;
	struct arena arena;
	struct verdicts wanted, listed;
	unsigned long differences, rows;
	char separator; /* of the reference's cells */
	struct err err;
};

static bool status_from(struct str text, enum op_status *ret)
{
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		if (str_eq(op_status_name(i), text)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

static struct verdict *find(struct verdicts *verdicts, struct str key)
{
	struct map_cursor at = map_start(&verdicts->map, hash_str(hash_seed(), key));

	while (map_next(&verdicts->map, &at)) {
		if (str_eq(verdicts->items[at.index].key, key))
			return &verdicts->items[at.index];
	}
	return NULL;
}

/* The whole of a file, in the arena. Exits when it cannot be read: without it there is nothing to compare. */
static struct str read_file(struct arena *arena, const char *folder, const char *name)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096), text = BUF_INIT(64 << 20);
	struct str copy = STR("");
	char chunk[65536];
	size_t count;
	FILE *file;

	buf_printf(&path, "%s%s", folder, name);
	file = fopen(buf_text(&path), "re");
	if (!file) {
		perror(buf_text(&path));
		exit(EXIT_FAILURE);
	}
	while ((count = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(&text, (struct str){ chunk, count });
	fclose(file);
	arena_copy(arena, buf_str(&text), &copy);
	return copy;
}

/* Splits the first four cells, none of which is quoted, off a line. */
static bool split(struct str line, char separator, struct str cells[4])
{
	for (int i = 0; i < 4; i++) {
		if (!str_cut(&line, separator, &cells[i]))
			return false;
	}
	return true;
}

static struct str make_key(struct oracle *oracle, struct str target, struct str release, struct str op)
{
	CLEANUP(buf_clear) struct buf key = BUF_INIT(4096);
	struct str copy = STR("");

	buf_printf(&key, "%.*s@%.*s %.*s", STR_ARG(target), STR_ARG(release), STR_ARG(op));
	arena_copy(&oracle->arena, buf_str(&key), &copy);
	return copy;
}

static void load(struct oracle *oracle, struct str text, char separator, struct verdicts *ret)
{
	struct str line, cells[4];

	for (bool header = true; str_cut(&text, '\n', &line); header = false) {
		struct verdict verdict = { 0 };

		if (header || !split(line, separator, cells) || !status_from(cells[3], &verdict.status))
			continue;
		verdict.key = make_key(oracle, cells[0], cells[1], cells[2]);
		map_add(&ret->map, hash_str(hash_seed(), verdict.key), (uint32_t)ret->count);
		MEM_PUSH(ret, verdict);
	}
}

struct on_release {
	struct oracle *oracle;
	const struct release *release;
	uint64_t counts[OP_STATUS_COUNT];
};

/* Compares one overload with the reference, where that has its release. */
static int compare(void *ctx, const struct overload_answer *answer)
{
	struct on_release *on = ctx;
	struct oracle *oracle = on->oracle;
	struct str key = make_key(oracle, target_kind_name(on->release->target), on->release->ref, answer->name);
	struct verdict *wanted = find(&oracle->wanted, key), *listed = find(&oracle->listed, key);

	on->counts[answer->status]++;
	if (listed)
		listed->seen = true;
	if (!wanted)
		return 0;
	wanted->seen = true;
	oracle->rows++;
	if (answer->status == (listed ? listed->status : wanted->status) &&
		(!listed || listed->status != wanted->status))
		return 0;
	oracle->differences++;
	printf("%.*s: %.*s here (%.*s), reference %.*s\n", STR_ARG(key), STR_ARG(op_status_name(answer->status)),
		STR_ARG(answer->via), STR_ARG(op_status_name(wanted->status)));
	return 0;
}

/* Adds up the statuses of all base names that PyTorch has in the release's version. */
static int count_bases(struct oracle *oracle, const struct target *target, uint64_t *counts)
{
	struct name_list names = { 0 };
	int code = opdb_names_with_prefix(oracle->db, STR("aten::"), &oracle->arena, &names, &oracle->err);

	for (size_t i = 0; !code && i < names.count; i++) {
		struct answer answer;
		bool in_torch = false;

		code = resolve_base(oracle->resolver, target,
			&(struct op_query){ .ns = STR("aten"), .base = str_skip(names.items[i], 6), .dense = true },
			&answer, &oracle->err);
		for (size_t n = 0; !code && n < answer.overload_count; n++)
			in_torch |= answer.overloads[n].signature.len > 0;
		if (!code && in_torch)
			counts[answer.status]++;
	}
	return code;
}

/* Compares the counts of a release with the reference's line, whose first cells are target and release. */
static void compare_counts(struct oracle *oracle, struct str line, const struct on_release *on, const uint64_t *bases)
{
	CLEANUP(buf_clear) struct buf ours = BUF_INIT(4096);
	struct str rest = line, cell;
	uint64_t overloads = 0;

	for (int i = 0; i < 4; i++)
		str_cut(&rest, oracle->separator, &cell);
	for (int i = 0; i < OP_STATUS_COUNT; i++)
		overloads += on->counts[i];
	buf_printf(&ours, "%" PRIu64, overloads);
	for (int i = 0; i < OP_STATUS_COUNT; i++)
		buf_printf(&ours, "%c%" PRIu64, oracle->separator, on->counts[i]);
	for (int i = 0; i < OP_STATUS_COUNT; i++)
		buf_printf(&ours, "%c%" PRIu64, oracle->separator, bases[i]);
	if (str_eq(buf_str(&ours), rest))
		return;
	oracle->differences++;
	printf("%.*s: counts %s here, reference %.*s\n", STR_ARG(on->release->id), buf_text(&ours), STR_ARG(rest));
}

/* The line of the reference's counts that is about a release. */
static struct str counts_line(struct str text, char separator, const struct release *release)
{
	struct str line, cells[4];

	while (str_cut(&text, '\n', &line)) {
		if (split(line, separator, cells) && str_eq(cells[0], target_kind_name(release->target)) &&
			str_eq(cells[1], release->ref))
			return line;
	}
	return STR("");
}

static int compare_release(struct oracle *oracle, const struct release *release, struct str counts)
{
	struct on_release on = { .oracle = oracle, .release = release };
	struct target target = target_of(release);
	uint64_t bases[OP_STATUS_COUNT] = { 0 };
	int code = resolve_all(oracle->resolver, &target, compare, &on, &oracle->err);

	if (!code)
		code = count_bases(oracle, &target, bases);
	if (!code)
		compare_counts(oracle, counts_line(counts, oracle->separator, release), &on, bases);
	return code;
}

static void report_unseen(struct oracle *oracle, struct verdicts *verdicts, const char *what)
{
	for (size_t i = 0; i < verdicts->count; i++) {
		if (verdicts->items[i].seen)
			continue;
		oracle->differences++;
		printf("%.*s: %s\n", STR_ARG(verdicts->items[i].key), what);
	}
}

static void oracle_clear(struct oracle *oracle)
{
	free(oracle->wanted.items);
	free(oracle->listed.items);
	map_clear(&oracle->wanted.map);
	map_clear(&oracle->listed.map);
	arena_clear(&oracle->arena);
}

/* A table of the reference material, or of the subset in the sources. */
static struct str read_facts(struct oracle *oracle, const char *reference, const char *source_root, const char *name)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);

	buf_printf(&path, reference ? "/facts/%s.csv" : "/tests/reference/subset/facts/%s.tsv", name);
	return read_file(&oracle->arena, reference ? reference : source_root, buf_text(&path));
}

static int run(struct oracle *oracle, const char *reference, const char *source_root)
{
	struct str counts = read_facts(oracle, reference, source_root, "resolved_counts");
	const struct release *releases;
	size_t count;
	int code = 0;

	oracle->separator = reference ? ',' : '\t';
	load(oracle, read_facts(oracle, reference, source_root, "resolved_ops"), oracle->separator, &oracle->wanted);
	load(oracle, read_file(&oracle->arena, source_root, "/tests/oracle/differences.tsv"), '\t', &oracle->listed);
	releases = opdb_releases(oracle->db, &count);
	for (size_t i = 0; !code && i < count; i++)
		code = compare_release(oracle, &releases[i], counts);
	report_unseen(oracle, &oracle->wanted, "in the reference alone");
	report_unseen(oracle, &oracle->listed, "listed as a difference, but not an overload that was compared");
	printf("%lu of %zu rows compared on %zu releases, %lu differences\n", oracle->rows, oracle->wanted.count, count,
		oracle->differences);
	return code;
}

/* Builds the database in a file that is gone once it is open. */
static int open_database(struct oracle *oracle, const char *source_root)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
	char path[PATH_MAX];
	int fd = mkstemp(temporary_path(path, sizeof(path))), code;

	if (fd < 0) {
		perror(path);
		exit(EXIT_FAILURE);
	}
	close(fd);
	buf_printf(&text, "%s/opdb", source_root);
	code = opdb_build(buf_text(&text), path, &oracle->err);
	if (!code)
		code = opdb_open(path, &oracle->db, &oracle->err);
	unlink(path);
	return code;
}

int main(void)
{
	struct oracle oracle = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	const char *reference = getenv("OPCHECK_REFERENCE_DIR"), *source_root = getenv("OPCHECK_SOURCE_ROOT");
	int code;

	if (!source_root) {
		fputs("OPCHECK_SOURCE_ROOT is not set: meson test -C build oracle\n", stderr);
		return EXIT_FAILURE;
	}
	code = open_database(&oracle, source_root);
	if (!code) {
		oracle.resolver = resolver_new(oracle.db);
		code = run(&oracle, reference, source_root);
	}
	if (code)
		fprintf(stderr, "%s: %s\n", oracle.err.where, oracle.err.text);
	resolver_free(oracle.resolver);
	opdb_close(oracle.db);
	oracle_clear(&oracle);
	return code || oracle.differences || !oracle.rows ? EXIT_FAILURE : EXIT_SUCCESS;
}
