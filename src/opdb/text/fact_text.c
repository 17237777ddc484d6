#include "opdb/text/fact_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/words.h"

enum { FILE_BYTES = 64 * 1024 * 1024, PATH_BYTES = 4096 };

static void close_file(FILE **file)
{
	if (*file)
		fclose(*file);
}

int fact_text_read(const char *path, struct buf *ret, struct err *err)
{
	CLEANUP(close_file) FILE *file = fopen(path, "re");
	char chunk[64 * 1024];
	size_t count;

	if (!file)
		return err_os(err, ERR_FACT, errno, "cannot open %s", path);
	while (!ret->full && (count = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(ret, (struct str){ chunk, count });
	if (ferror(file))
		return err_os(err, ERR_FACT, errno, "cannot read %s", path);
	if (ret->full)
		return err_set(err, ERR_LIMIT, "%s is larger than %zu bytes", path, ret->max_bytes);
	return 0;
}

int fact_text_load_file(const char *text_dir, struct str name, struct arena *arena, struct str *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(PATH_BYTES), text = BUF_INIT(FILE_BYTES);
	int code;

	buf_printf(&path, "%s/%.*s", text_dir, STR_ARG(name));
	if (path.full)
		return err_set(err, ERR_FACT, "the name of the directory is longer than %d bytes", PATH_BYTES);
	code = fact_text_read(buf_text(&path), &text, err);
	if (!code && !arena_copy(arena, buf_str(&text), ret))
		code = err_set(err, ERR_LIMIT, "the fact text is too large");
	return code;
}

int fact_text_load(const char *text_dir, struct arena *arena, struct fact_text *text, struct err *err)
{
	struct sha256 *sha;

	for (size_t i = 0; i < text->count; i++) {
		int code = fact_text_load_file(text_dir, text->files[i].name, arena, &text->files[i].text, err);

		if (code)
			return code;
	}
	qsort(text->files, text->count, sizeof(text->files[0]), str_order);
	sha = sha256_new();
	for (size_t i = 0; i < text->count; i++) {
		sha256_add_field(sha, text->files[i].name);
		sha256_add_field(sha, text->files[i].text);
	}
	sha256_end(sha, text->sha256);
	return 0;
}

struct str fact_text_find(const struct fact_text *text, struct str name)
{
	size_t at = STR_POSITION(text->files, text->count, name);

	return at == STR_NONE ? STR("") : text->files[at].text;
}
