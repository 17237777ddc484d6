/*
 * A whole import over a small fact text, the first byte says of what: it succeeds, and says the same when repeated, or it is
 * refused with a place and changes nothing.
 */
#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "import/import.h"
#include "import/registrations.h"
#include "import/reported.h"
#include "import/table.h"
#include "opdb/build/tables.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/temporary.h"

enum { PATH_BYTES = 256 };

static char folder[PATH_BYTES];

static const struct {
	const char *file;
	int (*import)(const struct import_options *, const char *, struct buf *, struct err *);
} kinds[] = { { "reported.csv", import_reported }, { "registrations.tsv", import_registrations } };

static const char *const tables[] = { "npu/releases.tsv", "npu/versions.tsv", "npu/support.tsv", "musa/releases.tsv",
	"musa/support.tsv", "torch/versions.tsv", "sources.tsv" };

static const char *path_of(const char *file)
{
	static char paths[16][PATH_BYTES];
	static unsigned next;
	char *path = paths[next++ % ARRAY_SIZE(paths)];

	snprintf(path, PATH_BYTES, "%.180s/%.64s", folder, file);
	return path;
}

static void write_file(const char *file, struct str text)
{
	FILE *out = fopen(path_of(file), "we");

	HOLD(out);
	HOLD(fwrite(text.ptr, 1, text.len, out) == text.len);
	HOLD(fclose(out) == 0);
}

static void write_table(const char *file)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);

	if (strcmp(file, "sources.tsv") == 0)
		buf_add(&text, STR("# source\ttarget\trepository\tref\tpath\tkind\tremark\n"));
	else
		fact_put_header(&text, fact_table_columns(file));
	if (strcmp(file, "torch/versions.tsv") == 0)
		buf_add(&text, STR("2.7.1\t2.7.1\t0\ttorch\n"));
	write_file(file, buf_str(&text));
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
	(void)info;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static void remove_folder(void)
{
	nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static void prepare(void)
{
	static bool made;

	if (!made) {
		HOLD(mkdtemp(temporary_path(folder, sizeof(folder))));
		atexit(remove_folder);
		HOLD(!mkdir(path_of("npu"), 0700) && !mkdir(path_of("musa"), 0700) && !mkdir(path_of("torch"), 0700));
		made = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		write_table(tables[i]);
	unlink(path_of("reported.tsv"));
}

static int run(unsigned kind, bool force, struct buf *report, struct err *err)
{
	struct import_options options = { .opdb_dir = folder, .force = force, .date = STR("2026-01-01") };

	return kinds[kind].import(&options, path_of(kinds[kind].file), report, err);
}

static struct buf read_table(const char *file)
{
	struct buf text = BUF_INIT(1 << 20);
	FILE *in = fopen(path_of(file), "re");
	char chunk[4096];
	size_t len;

	HOLD(in);
	while ((len = fread(chunk, 1, sizeof(chunk), in)) > 0)
		buf_add(&text, (struct str){ chunk, len });
	fclose(in);
	return text;
}

/* Takes the texts of all tables, or compares them with those taken. */
static void tables_text(struct buf *texts, bool compare)
{
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		struct buf text = read_table(tables[i]);

		HOLD(!compare || str_eq(buf_str(&text), buf_str(&texts[i])));
		if (compare)
			buf_clear(&texts[i]);
		texts[i] = text;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	unsigned kind = fuzz_byte(&text) % ARRAY_SIZE(kinds);
	struct buf report = BUF_INIT(1 << 16), texts[ARRAY_SIZE(tables)] = { 0 };
	struct err err = { 0 };

	prepare();
	write_file(kinds[kind].file, text);
	tables_text(texts, false);
	if (run(kind, false, &report, &err)) {
		HOLD(err.text[0] && (err.where[0] || err.code == ERR_VALUE || err.code == ERR_EXISTS));
		tables_text(texts, true);
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
			buf_clear(&texts[i]);
		tables_text(texts, false);
		HOLD(run(kind, true, &report, &err) == 0);
		tables_text(texts, true);
	}
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		buf_clear(&texts[i]);
	buf_clear(&report);
	return 0;
}
