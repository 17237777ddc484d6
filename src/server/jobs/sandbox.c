#include "server/jobs/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory/mem.h"

enum { MOST_FILES = 64 };

/* Sanitizers map memory as they like, and counters of lines are written to files. */
#ifdef OPCHECK_COVERAGE
#define INSTRUMENTED 1
#elif defined(__has_feature)
#define INSTRUMENTED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#else
#define INSTRUMENTED 0
#endif

/* System calls of reading, assessing and rendering, and of libc for them. */
static const char *const allowed[] = { "brk", "clock_getres", "clock_gettime", "clock_nanosleep", "close", "dup",
	"eventfd2", "exit", "exit_group", "fadvise64", "fstat", "ftruncate", "futex", "getcpu", "getpid", "getrandom",
	"getrusage", "gettid", "lseek", "madvise", "mremap", "munmap", "poll", "ppoll", "pread64", "pwrite64", "read",
	"readv", "restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sched_getaffinity",
	"sched_yield", "set_robust_list", "set_tid_address", "sigaltstack", "sysinfo", "uname", "write", "writev" };

/* System calls that an instrumented program is denied. */
static const char *const refused[] = { "bind", "connect", "execve", "execveat", "kill", "ptrace", "rename", "renameat",
	"renameat2", "socket", "unlink", "unlinkat" };

/* Address space of the program and its libraries before a job begins, from proc(5); 0: unknown. */
static rlim_t mapped_bytes(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lu", &pages) != 1) /* NOLINT(cert-err34-c): the kernel writes this number */
		pages = 0;
	fclose(file);
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static int limit_resources(const struct sandbox *sandbox)
{
	const struct {
		__rlimit_resource_t resource;
		rlim_t most;
	} bounds[] = {
		{ RLIMIT_AS, INSTRUMENTED ? RLIM_INFINITY : mapped_bytes() + sandbox->memory_bytes },
		{ RLIMIT_CPU, sandbox->processor_seconds },
		{ RLIMIT_FSIZE, sandbox->file_bytes },
		{ RLIMIT_NOFILE, MOST_FILES },
		{ RLIMIT_CORE, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		struct rlimit limit;

		if (getrlimit(bounds[i].resource, &limit))
			return -1;
		if (limit.rlim_max > bounds[i].most)
			limit.rlim_max = bounds[i].most;
		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(bounds[i].resource, &limit))
			return -1;
	}
	return 0;
}

/* Names that this machine's processor does not have are none that it could call. */
static int add_names(scmp_filter_ctx filter, uint32_t action, const char *const *names, size_t count)
{
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		int number = seccomp_syscall_resolve_name(names[i]);

		if (number >= 0)
			status = seccomp_rule_add(filter, action, number, 0);
	}
	return status;
}

/* Calls that depend on what they are given: threads but no processes, an end of this process but of no other, memory
   but no code, its own limits to read, a file by its descriptor, and of fcntl what libc, SQLite and the readers do. */
static int add_conditions(scmp_filter_ctx filter)
{
#define FCNTL(command)                                                                                                 \
	{                                                                                                              \
		SCMP_SYS(fcntl), 1,                                                                                    \
		{                                                                                                      \
			SCMP_A1(SCMP_CMP_EQ, (command))                                                                \
		}                                                                                                      \
	}
	const struct {
		int call;
		unsigned count;
		struct scmp_arg_cmp conditions[2];
	} rules[] = {
		{ SCMP_SYS(clone), 1, { SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD) } },
		{ SCMP_SYS(tgkill), 1, { SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()) } },
		{ SCMP_SYS(mmap), 1, { SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0) } },
		{ SCMP_SYS(mprotect), 1, { SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0) } },
		{ SCMP_SYS(prlimit64), 2, { SCMP_A0(SCMP_CMP_EQ, 0), SCMP_A2(SCMP_CMP_EQ, 0) } },
		{ SCMP_SYS(newfstatat), 1, { SCMP_A3(SCMP_CMP_EQ, AT_EMPTY_PATH) } },
		FCNTL(F_DUPFD),
		FCNTL(F_DUPFD_CLOEXEC),
		FCNTL(F_GETFD),
		FCNTL(F_SETFD),
		FCNTL(F_GETFL),
		FCNTL(F_GETLK),
		FCNTL(F_SETLK),
	};
#undef FCNTL
	/* libc takes clone, whose flags can be seen, when there is no clone3 */
	int status = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);

	for (size_t i = 0; i < ARRAY_SIZE(rules) && !status; i++)
		status = seccomp_rule_add_array(
			filter, SCMP_ACT_ALLOW, rules[i].call, rules[i].count, rules[i].conditions);
	return status;
}

static int filter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(INSTRUMENTED ? SCMP_ACT_ALLOW : SCMP_ACT_ERRNO(EPERM));
	int status = filter ? 0 : -ENOMEM;

	if (!status && INSTRUMENTED)
		status = add_names(filter, SCMP_ACT_ERRNO(EPERM), refused, ARRAY_SIZE(refused));
	if (!status && !INSTRUMENTED)
		status = add_names(filter, SCMP_ACT_ALLOW, allowed, ARRAY_SIZE(allowed));
	if (!status && !INSTRUMENTED)
		status = add_conditions(filter);
	if (!status)
		status = seccomp_load(filter);
	seccomp_release(filter);
	return status;
}

int sandbox_enter(const struct sandbox *sandbox, struct err *err)
{
	int status;

	if (limit_resources(sandbox))
		return err_os(err, ERR_INTERNAL, errno, "cannot limit a job");
	status = filter_calls();
	return status ? err_os(err, ERR_INTERNAL, -status, "cannot isolate a job") : 0;
}
