#include "store/engine/directory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where this fails, the owner cannot read the entry, and says so. */
static void give(const char *path, const struct stat *above)
{
	struct stat entry;

	if (geteuid() == 0 && lstat(path, &entry) == 0 && entry.st_uid != above->st_uid)
		(void)!lchown(path, above->st_uid, above->st_gid);
}

static int make_one(const char *path, struct stat *above, struct err *err)
{
	if (mkdir(path, 0700) == 0)
		give(path, above);
	else if (errno != EEXIST)
		return err_os(err, ERR_STORE, errno, "cannot make the state directory");
	return stat(path, above) ? err_os(err, ERR_STORE, errno, "cannot make the state directory") : 0;
}

int directory_make(const char *path, struct err *err)
{
	char part[PATH_MAX];
	size_t len = strlen(path);
	struct stat above = { .st_uid = geteuid(), .st_gid = getegid() };
	int status = 0;

	if (len >= sizeof(part))
		return err_set(err, ERR_STORE, "the path of the state directory is too long");
	memcpy(part, path, len + 1);
	for (size_t i = 1; i <= len && !status; i++) {
		if (path[i] != '/' && path[i])
			continue;
		part[i] = '\0';
		status = make_one(part, &above, err);
		part[i] = path[i];
	}
	return status;
}

void directory_share(const char *directory, const char *name)
{
	char path[PATH_MAX];
	struct stat above;

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) < PATH_MAX && stat(directory, &above) == 0)
		give(path, &above);
}
