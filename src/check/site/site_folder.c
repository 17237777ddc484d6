#include "check/site/site_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/value/utf8.h"
#include "io/outfile.h"
#include "report/doc/frame.h"

enum { MARK_WITHIN = 256 };

static int fail_at(const struct site_folder *folder, struct str path, const char *what, struct err *err)
{
	err_os(err, ERR_OUTPUT, errno, "%s", what);
	return err_where(err, "%s%s%.*s", shown(str_from(folder->path)).text, path.len ? "/" : "", STR_ARG(path));
}

static bool is_site(int folder)
{
	char head[MARK_WITHIN];
	int fd = openat(folder, "index.html", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	ssize_t got = fd < 0 ? 0 : read(fd, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	return got > 0 && str_has((struct str){ head, (size_t)got }, STR(FRAME_OF_FILE));
}

/* A stream over a folder, which leaves fd open. */
static DIR *list_folder(int fd)
{
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = again < 0 ? NULL : fdopendir(again);

	if (!stream && again >= 0)
		close(again);
	return stream;
}

static int refuse_others(const struct site_folder *folder, struct err *err)
{
	DIR *stream = list_folder(folder->fd);
	const struct dirent *entry;
	bool empty = true;

	if (!stream)
		return fail_at(folder, STR(""), "cannot list the folder", err);
	while (empty && (entry = readdir(stream)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	closedir(stream);
	if (empty || is_site(folder->fd))
		return 0;
	err_set(err, ERR_EXISTS, "the folder has files that are not of a site");
	err_hint(err, "name a new folder, an empty one, or one that `opcheck site` wrote");
	return err_where(err, "%s", shown(str_from(folder->path)).text);
}

int site_folder_open(struct site_folder *folder, const char *path, struct err *err)
{
	*folder = (struct site_folder){ .fd = -1, .path = path, .arena = ARENA_INIT(ARENA_UNLIMITED) };
	if (mkdir(path, 0777) && errno != EEXIST)
		return fail_at(folder, STR(""), "cannot make the folder", err);
	folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder->fd < 0)
		return fail_at(folder, STR(""), "cannot open the folder", err);
	return refuse_others(folder, err);
}

void site_folder_close(struct site_folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	free(folder->files.items);
	map_clear(&folder->by_path);
	arena_clear(&folder->arena);
}

/* Opens the folder of a path below the site, and makes it; links are not followed. */
static int open_below(const struct site_folder *folder, struct str path, bool make)
{
	int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct str part;

	while (fd >= 0 && path.len && str_cut(&path, '/', &part)) {
		char name[NAME_MAX + 1] = "";
		int parent = fd;

		memcpy(name, part.ptr, part.len < NAME_MAX ? part.len : NAME_MAX);
		if (make)
			mkdirat(parent, name, 0777);
		fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
		close(parent);
	}
	return fd;
}

static struct str folder_of(struct str path)
{
	struct str file = str_tail(path, '/');

	return file.len == path.len ? STR("") : str_chop(path, file.len + 1);
}

int site_folder_write(struct site_folder *folder, struct str path, struct str bytes, struct err *err)
{
	struct str kept = arena_keep(&folder->arena, path);
	const char *name = arena_printf(&folder->arena, "%.*s", STR_ARG(str_tail(path, '/'))).ptr;
	int parent = open_below(folder, folder_of(path), true), fd = -1, status = 0;

	if (parent >= 0) {
		unlinkat(parent, name, 0); /* a link elsewhere would be written through */
		fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		close(parent);
	}
	if (fd < 0)
		return fail_at(folder, path, "cannot write", err);
	status = outfile_put(fd, bytes, err);
	if (close(fd) && !status)
		status = err_os(err, ERR_OUTPUT, errno, "cannot write");
	if (status)
		return err_where(err, "%s/%.*s", shown(str_from(folder->path)).text, STR_ARG(path));
	folder->bytes += bytes.len;
	map_add_name(&folder->by_path, kept, (uint32_t)folder->files.count);
	MEM_PUSH(&folder->files, ((struct site_file){ kept }));
	return 0;
}

int site_folder_sweep(struct site_folder *folder, struct str below, struct err *err)
{
	int fd = open_below(folder, below, false), status = 0;
	DIR *stream = fd < 0 ? NULL : list_folder(fd);
	const struct dirent *entry;

	if (!stream)
		status = fail_at(folder, below, "cannot list the folder", err);
	while (!status && (entry = readdir(stream))) {
		struct str path = arena_printf(&folder->arena, "%.*s/%s", STR_ARG(below), entry->d_name);

		/* a page, and not of this site */
		if (str_ends(path, STR(".html")) && MAP_FIND(&folder->by_path, folder->files.items, path) == MAP_NONE &&
			unlinkat(fd, entry->d_name, 0))
			status = fail_at(folder, path, "cannot remove this page of an earlier site", err);
	}
	if (stream)
		closedir(stream);
	if (fd >= 0)
		close(fd);
	return status;
}
