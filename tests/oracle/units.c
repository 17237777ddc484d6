/*
 * Every row of facts/aten_aicpu.tsv against the resolver: the unit that runs an overload with a type on a chip.
 *
 * OPCHECK_REFERENCE_DIR names the folder; without it the rows are those in tests/reference/subset. A row names a version of torch_npu: it is held
 * against every final release of that version that registers a kernel of the overload. What no release registers is
 * counted. Prints one line per difference and a summary.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "opdb/build/build.h"
#include "opdb/db/lists.h"
#include "opdb/db/opdb.h"
#include "opdb/model/dtype.h"
#include "opdb/resolve/resolve.h"
#include "tests/unit/temporary.h"

enum { MOST_UNREGISTERED_PERCENT = 3 };
enum { OP, RELEASE, CHIP, VERDICT, DTYPES, CELLS };

struct held {
	struct opdb *db;
	struct resolver *resolver;
	size_t rows, unregistered, differences;
};

static enum unit unit_wanted(struct str verdict)
{
	enum unit unit;

	if (str_eq(verdict, STR("aicore+")))
		return UNIT_HELPER;
	if (str_eq(verdict, STR("aicore-undeclared")))
		return UNIT_UNDECLARED;
	unit_from(verdict, &unit);
	return unit;
}

static enum unit unit_of(const struct answer *answer, unsigned type)
{
	for (size_t i = 0; i < answer->units.count; i++) {
		if (answer->units.lines[i].dtypes & type)
			return answer->units.lines[i].unit;
	}
	return UNIT_UNKNOWN;
}

/* Whether the release has a kernel of the overload; then every type of the row is compared. */
static int compare_on(
	struct held *held, const struct str *cells, const struct release *release, bool *ret, struct err *err)
{
	static const struct str spaces[] = { { "aten", 4 }, { "npu", 3 } };
	struct str op = cells[OP], base = base_of(op), usual, word = { 0 }, types = cells[DTYPES];
	struct target target = target_of(release);
	struct answer answer;
	struct str overload = overload_of(op).len ? overload_of(op) : STR("default");
	int code = 0;

	target.chip = chip_find(TARGET_NPU, cells[CHIP], &usual);
	for (size_t i = 0; i < ARRAY_SIZE(spaces) && !code && !(i && answer.units.count); i++)
		code = resolve_base(held->resolver, &target,
			&(struct op_query){ spaces[i], base, overload, READING_REACHED }, &answer, err);
	if (code || !answer.units.count || answer.units.nearest)
		return code;
	*ret = true;
	while (types.len && str_cut(&types, ' ', &word)) {
		enum unit found = unit_of(&answer, dtype_from(word)), wanted = unit_wanted(cells[VERDICT]);

		if (found == wanted)
			continue;
		held->differences++;
		printf("%.*s %.*s on %.*s:%.*s: %.*s here, %.*s in the table\n", STR_ARG(op), STR_ARG(word),
			STR_ARG(release->id), STR_ARG(cells[CHIP]), STR_ARG(unit_name(found)),
			STR_ARG(unit_name(wanted)));
	}
	return 0;
}

static int compare_row(struct held *held, const struct str *cells, struct err *err)
{
	size_t count;
	const struct release *releases = opdb_target_releases(held->db, TARGET_NPU, &count);
	bool registered = false;
	int code = 0;

	held->rows++;
	for (size_t i = 0; i < count && !code; i++) {
		if (str_eq(releases[i].plugin, cells[RELEASE]))
			code = compare_on(held, cells, &releases[i], &registered, err);
	}
	held->unregistered += !registered;
	return code;
}

/* Every line but the first, which names the columns. */
static int compare_rows(struct held *held, const char *path, struct err *err)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	int code = 0;

	if (!file || getline(&line, &room, file) < 0)
		code = err_os(err, ERR_OPEN, errno, "cannot read %s", path);
	while (!code && getline(&line, &room, file) > 0) {
		struct str text = str_from(line), rest = { 0 }, cells[CELLS] = { 0 };

		str_cut(&text, '\n', &rest);
		for (size_t i = 0; i < CELLS; i++)
			str_cut(&rest, '\t', &cells[i]);
		code = compare_row(held, cells, err);
	}
	free(line);
	if (file)
		fclose(file);
	return code;
}

static int open_database(struct held *held, const char *source_root, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
	char path[PATH_MAX];
	int fd = mkstemp(temporary_path(path, sizeof(path))), code;

	if (fd < 0)
		return err_set(err, ERR_OUTPUT, "cannot make a file");
	close(fd);
	buf_printf(&text, "%s/opdb", source_root);
	code = opdb_build(buf_text(&text), path, err);
	if (!code)
		code = opdb_open(path, &held->db, err);
	unlink(path);
	return code;
}

int main(void)
{
	const char *reference = getenv("OPCHECK_REFERENCE_DIR"), *source_root = getenv("OPCHECK_SOURCE_ROOT");
	CLEANUP(buf_clear) struct buf table = BUF_INIT(4096);
	struct held held = { 0 };
	struct err err = { 0 };
	int code;

	if (!source_root) {
		fputs("OPCHECK_SOURCE_ROOT is not set: meson test -C build oracle_units\n", stderr);
		return EXIT_FAILURE;
	}
	buf_printf(&table, "%s%s/facts/aten_aicpu.tsv", reference ? reference : source_root,
		reference ? "" : "/tests/reference/subset");
	code = open_database(&held, source_root, &err);
	if (!code) {
		held.resolver = resolver_new(held.db);
		code = compare_rows(&held, buf_text(&table), &err);
	}
	if (code)
		fprintf(stderr, "%s: %s\n", err.where, err.text);
	printf("%zu rows, %zu of overloads that no release of the version registers, %zu differences\n", held.rows,
		held.unregistered, held.differences);
	resolver_free(held.resolver);
	opdb_close(held.db);
	return code || !held.rows || held.differences || held.unregistered * 100 > held.rows * MOST_UNREGISTERED_PERCENT
		       ? EXIT_FAILURE
		       : EXIT_SUCCESS;
}
