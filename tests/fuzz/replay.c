/* Runs a fuzz target over files and over the files of directories: replay_NAME PATH... */
#include <dirent.h>
#include <sys/stat.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "tests/fuzz/fuzz.h"

static size_t files;

static int run_file(const char *path)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 28);
	FILE *file = fopen(path, "re");
	char chunk[65536], *copy;
	size_t len;

	if (!file) {
		perror(path);
		return 1;
	}
	while ((len = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(&text, (struct str){ chunk, len });
	fclose(file);
	/* a copy of the very size, so that reading past it is found */
	copy = mem_resize(NULL, text.len, 1);
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput((const uint8_t *)copy, text.len);
	free(copy);
	files++;
	return 0;
}

static int run_path(const char *path)
{
	struct dirent **entries;
	struct stat info;
	int status = 0, count;

	if (stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
		return run_file(path);
	count = scandir(path, &entries, NULL, alphasort);
	if (count < 0) {
		perror(path);
		return 1;
	}
	for (int i = 0; i < count; i++) {
		CLEANUP(buf_clear) struct buf inside = BUF_INIT(1 << 16);

		buf_printf(&inside, "%s/%s", path, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			status |= run_path(buf_text(&inside));
		free(entries[i]);
	}
	free(entries);
	return status;
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= run_path(argv[i]);
	printf("%zu inputs\n", files);
	return status || !files;
}
