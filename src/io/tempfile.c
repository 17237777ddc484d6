#include "io/tempfile.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of the process. */
static struct {
	pthread_mutex_t lock;
	struct {
		int file;
		bool reserved, taken;
	} files[TEMPFILE_RESERVED];
} reserve = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int take_reserved(void)
{
	int file = -1;

	pthread_mutex_lock(&reserve.lock);
	for (int i = 0; i < TEMPFILE_RESERVED && file < 0; i++) {
		if (!reserve.files[i].reserved || reserve.files[i].taken)
			continue;
		reserve.files[i].taken = true;
		file = reserve.files[i].file;
	}
	pthread_mutex_unlock(&reserve.lock);
	return file;
}

static bool give_back(int file)
{
	bool reserved = false;

	pthread_mutex_lock(&reserve.lock);
	for (int i = 0; i < TEMPFILE_RESERVED && !reserved; i++) {
		reserved = reserve.files[i].taken && reserve.files[i].file == file;
		if (reserved)
			reserve.files[i].taken = ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0;
	}
	pthread_mutex_unlock(&reserve.lock);
	return reserved;
}

/* A file system without O_TMPFILE has a name for a moment. */
static int open_new(void)
{
	const char *folder = getenv("TMPDIR");
	char path[4096];
	int file;

	if (!folder || !*folder)
		folder = P_tmpdir;
	file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (file >= 0 || snprintf(path, sizeof(path), "%s/opcheck-XXXXXX", folder) >= (int)sizeof(path))
		return file;
	file = mkostemp(path, O_CLOEXEC);
	if (file >= 0)
		unlink(path);
	return file;
}

int tempfile_open(void)
{
	int file = take_reserved();

	return file >= 0 ? file : open_new();
}

void tempfile_close(int file)
{
	if (file >= 0 && !give_back(file))
		close(file);
}

void tempfile_reserve(void)
{
	for (int i = 0; i < TEMPFILE_RESERVED; i++) {
		reserve.files[i].file = open_new();
		reserve.files[i].reserved = reserve.files[i].file >= 0;
	}
}
