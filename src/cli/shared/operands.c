#include "cli/shared/operands.h"

#include <dirent.h>
#include <glob.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/value/nearest.h"
#include "base/value/shell.h"
#include "base/value/utf8.h"

enum { HINT_BYTES = 400, MOST_MATCHES = 8, MOST_FILES = 10000 };

/* --- URLs */

static int refuse_url(struct str url, struct err *err)
{
	CLEANUP(buf_clear) struct buf word = BUF_INIT(HINT_BYTES);

	shell_put_word(&word, str_from(shown(url).text));
	err_set(err, ERR_OPEN, "this is a URL, and opcheck reads files");
	err_hint(err, "curl -L %s | opcheck check -", buf_text(&word));
	return err_where(err, "%s", shown(url).text);
}

int operands_refuse_urls(const struct arguments *arguments, struct err *err)
{
	for (size_t i = 0; i < arguments->count; i++) {
		if (strstr(arguments->items[i], "://") && access(arguments->items[i], F_OK) != 0)
			return refuse_url(str_from(arguments->items[i]), err);
	}
	return 0;
}

/* --- missing files */

static bool hint_pattern(const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_INIT(HINT_BYTES);
	glob_t found;

	if (!strpbrk(path, "*?[") || glob(path, 0, NULL, &found))
		return false;
	for (size_t i = 0; i < found.gl_pathc && i < MOST_MATCHES; i++) {
		if (i)
			buf_byte(&list, ' ');
		shell_put_word(&list, str_from(shown(str_from(found.gl_pathv[i])).text));
	}
	err_hint(err, "the shell did not expand it, drop the quotes; %zu files match: %s", (size_t)found.gl_pathc,
		buf_text(&list));
	globfree(&found);
	return true;
}

/* The file of the same folder with the nearest name. */
static void hint_neighbour(struct str path, struct err *err)
{
	struct str name = str_tail(path, '/'), folder = str_chop(path, name.len);
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(buf_clear) struct buf word = BUF_INIT(HINT_BYTES);
	const struct dirent *entry;
	struct nearest nearest = NEAREST_TO(name);
	DIR *files = opendir(folder.len ? arena_printf(&arena, "%.*s", STR_ARG(folder)).ptr : ".");

	if (!files)
		return;
	for (size_t i = 0; i < MOST_FILES && (entry = readdir(files)); i++)
		nearest_offer(&nearest, arena_keep(&arena, str_from(entry->d_name)));
	closedir(files);
	if (!nearest.count)
		return;
	shell_put_word(&word,
		str_from(shown(arena_printf(&arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(nearest.names[0]))).text));
	err_hint(err, "did you mean %s?", buf_text(&word));
}

/* --- scripts */

static void hint_script(struct str path, struct err *err)
{
	CLEANUP(buf_clear) struct buf word = BUF_INIT(HINT_BYTES);
	bool notebook = str_ends(path, STR(".ipynb"));

	if (!notebook && !str_ends(path, STR(".py")))
		return;
	shell_put_word(&word, str_from(shown(path).text));
	err->hint[0] = '\0';
	err_hint(err,
		notebook ? "this is a notebook: opcheck scan %s; `opcheck snippet` shows how to record a dump"
			 : "this is a script: opcheck scan %s; `opcheck snippet` shows how to record a dump",
		buf_text(&word));
}

int operands_hint(const struct arguments *arguments, struct err *err)
{
	for (size_t i = 0; i < arguments->count; i++) {
		const char *path = arguments->items[i];
		struct str where = str_from(err->where);

		if (!str_starts(where, str_from(shown(str_from(path)).text)))
			continue;
		if (err->code == ERR_NO_TABLE || err->code == ERR_FORMAT || err->code == ERR_UNREAD)
			hint_script(str_from(path), err);
		else if (err->code == ERR_OPEN && !err->hint[0] && access(path, F_OK) != 0 && !hint_pattern(path, err))
			hint_neighbour(str_from(path), err);
	}
	return -err->code;
}
