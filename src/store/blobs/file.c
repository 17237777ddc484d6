#include "store/blobs/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/buf.h"

int blob_file_error(const char *path, int errno_value, const char *what, struct err *err)
{
	bool is_full = errno_value == ENOSPC || errno_value == EDQUOT || errno_value == EFBIG;

	err_os(err, is_full ? ERR_STORE_FULL : ERR_STORE, errno_value, "%s", what);
	return err_file(err, path);
}

int blob_file_new(const char *directory, struct blob_file *ret, struct err *err)
{
	struct buf path = BUF_UNLIMITED;

	buf_printf(&path, "%s/incoming/XXXXXX", directory);
	*ret = (struct blob_file){ .path = buf_take(&path), .is_copy = true };
	ret->fd = mkostemp(ret->path, O_CLOEXEC);
	if (ret->fd >= 0)
		return 0;
	free(ret->path);
	ret->path = NULL;
	return blob_file_error(directory, errno, "cannot take an upload", err);
}

int blob_file_add(const struct blob_file *file, struct str bytes, struct err *err)
{
	while (bytes.len) {
		ssize_t written = write(file->fd, bytes.ptr, bytes.len);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return blob_file_error(file->path, errno, "cannot write the upload", err);
		bytes = str_skip(bytes, (size_t)written);
	}
	return 0;
}

void blob_file_close(struct blob_file *file)
{
	if (file->is_copy && file->path)
		unlink(file->path);
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	*file = (struct blob_file){ .fd = -1 };
}
