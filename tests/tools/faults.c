/*
 * A library to preload: what a program asks of the machine fails when a test wants it to. The test writes into the
 * file that OPCHECK_FAULTS names, which every process of the program has mapped.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <seccomp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* In this order in the file: tests/faults.py. */
struct faults {
	_Atomic int64_t generation; /* whose allocations count: of the program 0, of its children 1, of theirs 2 */
	_Atomic int64_t allocations;
	_Atomic int64_t first, last; /* which of them fail, counted from 1 */
	_Atomic int64_t failed;
	_Atomic int64_t syncs; /* so many more of them succeed; -1: all do */
	_Atomic int64_t clock; /* seconds that the clock on the wall is ahead */
	_Atomic int64_t read_only;
};

static struct faults *faults;
static int64_t generation;
static dev_t device; /* of the file, and of what becomes read-only */

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static void count_generation(void)
{
	generation++;
}

__attribute__((constructor)) static void map_faults(void)
{
	const char *path = getenv("OPCHECK_FAULTS");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	struct stat info;
	void *mapped;

	if (fd < 0 || fstat(fd, &info))
		return;
	mapped = mmap(NULL, sizeof(*faults), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (mapped == MAP_FAILED)
		return;
	device = info.st_dev;
	pthread_atfork(NULL, NULL, count_generation);
	faults = mapped;
}

/* --- memory */

/* libseccomp does not survive it. A job calls it when it has taken nothing yet of what it may take. */
static bool is_spared;

scmp_filter_ctx seccomp_init(uint32_t action)
{
	scmp_filter_ctx (*real)(uint32_t action);

	*(void **)&real = dlsym(RTLD_NEXT, "seccomp_init");
	is_spared = true;
	return real(action);
}

void seccomp_release(scmp_filter_ctx filter)
{
	void (*real)(scmp_filter_ctx filter);

	*(void **)&real = dlsym(RTLD_NEXT, "seccomp_release");
	real(filter);
	is_spared = false;
}

static bool is_out(void)
{
	int64_t number;

	if (!faults || is_spared || atomic_load(&faults->generation) != generation)
		return false;
	number = atomic_fetch_add(&faults->allocations, 1) + 1;
	if (number < atomic_load(&faults->first) || number > atomic_load(&faults->last))
		return false;
	atomic_fetch_add(&faults->failed, 1);
	errno = ENOMEM;
	return true;
}

void *malloc(size_t bytes)
{
	return is_out() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return is_out() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	return is_out() ? NULL : __libc_realloc(memory, bytes);
}

/* --- the disk */

static int sync_file(long call, int fd)
{
	if (faults && atomic_load(&faults->syncs) >= 0 && atomic_fetch_sub(&faults->syncs, 1) <= 0) {
		atomic_store(&faults->syncs, 0);
		errno = EIO;
		return -1;
	}
	return (int)syscall(call, fd);
}

int fsync(int fd)
{
	return sync_file(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return sync_file(SYS_fdatasync, fd);
}

/* What was opened before fails, too, as when the kernel has found an error: all but the log. */
static bool may_write(int fd)
{
	struct stat info;

	if (!faults || !atomic_load(&faults->read_only) || fd == STDERR_FILENO || fstat(fd, &info) ||
		!S_ISREG(info.st_mode) || info.st_dev != device)
		return true;
	errno = EROFS;
	return false;
}

static bool may_change(const char *path)
{
	if (!faults || !atomic_load(&faults->read_only) || strncmp(path, "/dev/", 5) == 0)
		return true;
	errno = EROFS;
	return false;
}

/* A call of the C library that changes the disk, and that library's own. */
#define CHANGING(name, allowed, parameters, arguments, otherwise)                                                      \
	__typeof__(otherwise) name parameters                                                                          \
	{                                                                                                              \
		__typeof__(otherwise)(*real) parameters;                                                               \
                                                                                                                       \
		*(void **)&real = dlsym(RTLD_NEXT, #name);                                                             \
		return (allowed) ? real arguments : (otherwise);                                                       \
	}

CHANGING(write, may_write(fd), (int fd, const void *bytes, size_t count), (fd, bytes, count), (ssize_t)-1)
CHANGING(pwrite64, may_write(fd), (int fd, const void *bytes, size_t count, off64_t at), (fd, bytes, count, at),
	(ssize_t)-1)
CHANGING(ftruncate64, may_write(fd), (int fd, off64_t bytes), (fd, bytes), -1)
CHANGING(rename, may_change(to), (const char *from, const char *to), (from, to), -1)
CHANGING(unlink, may_change(path), (const char *path), (path), -1)
CHANGING(mkostemp, may_change(path), (char *path, int flags), (path, flags), -1)
CHANGING(mkostemp64, may_change(path), (char *path, int flags), (path, flags), -1)

static int open_file(const char *path, int flags, mode_t mode)
{
	bool changes = (flags & O_ACCMODE) != O_RDONLY || (flags & O_CREAT);

	return !changes || may_change(path) ? (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode) : -1;
}

#define OPENING(name)                                                                                                  \
	int name(const char *path, int flags, ...)                                                                     \
	{                                                                                                              \
		va_list args;                                                                                          \
		mode_t mode;                                                                                           \
                                                                                                                       \
		va_start(args, flags);                                                                                 \
		mode = va_arg(args, mode_t);                                                                           \
		va_end(args);                                                                                          \
		return open_file(path, flags, mode);                                                                   \
	}

OPENING(open)
OPENING(open64)

/* --- the clock on the wall */

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	int status = (int)syscall(SYS_clock_gettime, clock, ret);

	if (faults && clock == CLOCK_REALTIME && status == 0)
		ret->tv_sec += atomic_load(&faults->clock);
	return status;
}

time_t time(time_t *ret)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (ret)
		*ret = now.tv_sec;
	return now.tv_sec;
}

int gettimeofday(struct timeval *ret, void *zone)
{
	struct timespec now;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &now);
	*ret = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	return 0;
}
