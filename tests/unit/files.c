#include "tests/unit/files.h"
#include "tests/unit/temporary.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void source_path(struct buf *ret, const char *file)
{
	const char *root = getenv("OPCHECK_SOURCE_ROOT");

	assert_non_null(root);
	buf_printf(ret, "%s/%s", root, file);
}

void file_read(const char *path, struct buf *ret)
{
	FILE *file = fopen(path, "re");
	char chunk[65536];
	size_t count;

	assert_non_null(file);
	while ((count = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(ret, (struct str){ chunk, count });
	fclose(file);
}

void file_write(const char *path, struct str bytes)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
	assert_int_equal(fclose(file), 0);
}

struct buf source_text(const char *file)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);
	struct buf text = BUF_INIT(1 << 26);

	source_path(&path, file);
	file_read(buf_text(&path), &text);
	return text;
}

void scratch_make(struct scratch *scratch)
{
	assert_non_null(mkdtemp(temporary_path(scratch->directory, sizeof(scratch->directory))));
}

const char *scratch_path(struct scratch *scratch, const char *name)
{
	snprintf(scratch->path, sizeof(scratch->path), "%s/%s", scratch->directory, name);
	return scratch->path;
}

/* Calls each (NULL: nothing) for the files of the directory; returns their number. */
static size_t walk(const char *directory, int (*each)(const char *path))
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		buf_printf(&path, "%s/%s", directory, entry->d_name);
		if (each)
			each(buf_text(&path));
		count++;
	}
	closedir(dir);
	return count;
}

size_t scratch_count(const struct scratch *scratch)
{
	return walk(scratch->directory, NULL);
}

void scratch_remove(struct scratch *scratch)
{
	walk(scratch->directory, unlink);
	rmdir(scratch->directory);
}
