#include "server/jobs/spawner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/clock.h"

#ifdef OPCHECK_COVERAGE
#include <gcov.h>
#endif

enum { CLEAR_OF_PLACES = 16, MS = 1000 };

struct child {
	uint64_t number;
	pid_t pid;
	int pidfd;
	int64_t deadline_ms; /* of the monotonic clock */
	bool late;
};

/* The spawner's own process. */
struct nursery {
	const struct spawner_work *work;
	int socket;
	struct child children[SPAWNER_MOST_JOBS];
	size_t count;
};

/* Nothing of the service's ends with a process that it started. */
_Noreturn static void end_process(int status)
{
#ifdef OPCHECK_COVERAGE
	__gcov_dump();
#endif
	_exit(status);
}

/* --- a job's process */

/* Give the descriptors of a job their places; those that were prepared stay open behind them. */
static void give_places(const int *files, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		dup2(files[i], spawner_places[i]);
		close(files[i]);
	}
	close_range((unsigned)spawner_places[SPAWNER_FILES - 1] + 1, CLEAR_OF_PLACES - 1, 0);
}

_Noreturn static void run_child(const struct nursery *nursery, uint32_t kind, const int *files, size_t count)
{
	prctl(PR_SET_NAME, "opcheckd-job");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(nursery->socket);
	for (size_t i = 0; i < nursery->count; i++)
		close(nursery->children[i].pidfd);
	give_places(files, count);
	end_process(nursery->work->run(nursery->work->ctx, kind));
}

/* --- starting and ending jobs */

static void report_end(const struct nursery *nursery, const struct spawn_end *end)
{
	(void)!send(nursery->socket, end, sizeof(*end), MSG_NOSIGNAL);
}

static void start_job(struct nursery *nursery, const struct spawn *spawn, const int *files, size_t count)
{
	struct child child = { .number = spawn->number, .deadline_ms = clock_ms() + (int64_t)spawn->seconds * MS };

	nursery->work->prepare(nursery->work->ctx, spawn->number);
	child.pid = nursery->count < SPAWNER_MOST_JOBS ? fork() : -1;
	if (child.pid == 0)
		run_child(nursery, spawn->kind, files, count);
	child.pidfd = child.pid > 0 ? pidfd_open(child.pid, 0) : -1;
	if (child.pidfd >= 0) {
		nursery->children[nursery->count++] = child;
		return;
	}
	if (child.pid > 0) {
		kill(child.pid, SIGKILL);
		waitpid(child.pid, NULL, 0);
	}
	report_end(nursery, &(struct spawn_end){ .number = spawn->number, .never = true });
}

static void kill_job(struct nursery *nursery, uint64_t number)
{
	for (size_t i = 0; i < nursery->count; i++) {
		if (nursery->children[i].number == number)
			kill(nursery->children[i].pid, SIGKILL);
	}
}

static void kill_late(struct nursery *nursery)
{
	int64_t now = clock_ms();

	for (size_t i = 0; i < nursery->count; i++) {
		struct child *child = &nursery->children[i];

		if (child->late || child->deadline_ms > now)
			continue;
		child->late = true;
		kill(child->pid, SIGKILL);
	}
}

static void reap(struct nursery *nursery, size_t index)
{
	struct child child = nursery->children[index];
	struct spawn_end end = { .number = child.number, .late = child.late };
	struct rusage usage;
	int status;

	if (wait4(child.pid, &status, WNOHANG, &usage) != child.pid)
		return;
	close(child.pidfd);
	nursery->children[index] = nursery->children[--nursery->count];
	end.status = status;
	end.processor_ms = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * MS +
			   (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / MS;
	end.peak_kib = (uint64_t)usage.ru_maxrss;
	report_end(nursery, &end);
}

/* --- messages with descriptors */

union control {
	char bytes[CMSG_SPACE(sizeof(int) * SPAWNER_FILES)];
	struct cmsghdr align;
};

/* False when the service is gone. */
static bool take_message(struct nursery *nursery)
{
	struct spawn spawn;
	struct iovec part = { &spawn, sizeof(spawn) };
	union control control;
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)
	};
	ssize_t len = recvmsg(nursery->socket, &message, MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = len > 0 ? CMSG_FIRSTHDR(&message) : NULL;
	int files[SPAWNER_FILES];
	size_t count = 0;

	if (len < 0 && errno == EINTR)
		return true;
	if (len != sizeof(spawn))
		return false;
	if (header && header->cmsg_type == SCM_RIGHTS) {
		count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(files, CMSG_DATA(header), count * sizeof(int));
	}
	if (spawn.seconds)
		start_job(nursery, &spawn, files, count);
	else
		kill_job(nursery, spawn.number);
	for (size_t i = 0; i < count; i++)
		close(files[i]);
	return true;
}

static int wait_ms(const struct nursery *nursery)
{
	int64_t now = clock_ms(), least = -1;

	for (size_t i = 0; i < nursery->count; i++) {
		int64_t left = nursery->children[i].deadline_ms - now;

		if (!nursery->children[i].late && (least < 0 || left < least))
			least = left > 0 ? left : 0;
	}
	return least > INT32_MAX ? INT32_MAX : (int)least;
}

/* The socket alone stays of what the service had open; nothing else lies where a job has its places. */
static void clear_places(struct nursery *nursery)
{
	int nothing = open("/dev/null", O_RDWR);

	nursery->socket = fcntl(nursery->socket, F_DUPFD, CLEAR_OF_PLACES);
	close_range((unsigned)nursery->socket + 1, ~0U, 0);
	for (int fd = 0; fd < nursery->socket; fd++) {
		if (fd != STDERR_FILENO)
			dup2(nothing, fd);
	}
}

_Noreturn static void run_spawner(struct nursery *nursery)
{
	struct pollfd polled[SPAWNER_MOST_JOBS + 1];
	bool open = true;

	prctl(PR_SET_NAME, "opcheckd-spawn");
	clear_places(nursery);
	while (open) {
		polled[0] = (struct pollfd){ .fd = nursery->socket, .events = POLLIN };
		for (size_t i = 0; i < nursery->count; i++)
			polled[i + 1] = (struct pollfd){ .fd = nursery->children[i].pidfd, .events = POLLIN };
		if (poll(polled, nursery->count + 1, wait_ms(nursery)) < 0 && errno != EINTR)
			break;
		kill_late(nursery);
		for (size_t i = nursery->count; i-- > 0;) {
			if (polled[i + 1].revents)
				reap(nursery, i);
		}
		if (polled[0].revents)
			open = take_message(nursery);
	}
	for (size_t i = 0; i < nursery->count; i++)
		kill(nursery->children[i].pid, SIGKILL);
	end_process(0);
}

/* --- the service's side */

int spawner_start(const struct spawner_work *work, struct spawner *ret, struct err *err)
{
	struct nursery nursery = { .work = work };
	pid_t service = getpid(), process;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return err_os(err, ERR_INTERNAL, errno, "cannot make a socket for jobs");
	process = fork();
	if (process < 0) {
		close(ends[0]);
		close(ends[1]);
		return err_os(err, ERR_INTERNAL, errno, "cannot fork the process that starts jobs");
	}
	if (process == 0) {
		close(ends[0]);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		nursery.socket = ends[1];
		if (getppid() != service)
			_exit(0);
		run_spawner(&nursery);
	}
	close(ends[1]);
	*ret = (struct spawner){ ends[0], process };
	return 0;
}

int spawner_send(
	const struct spawner *spawner, const struct spawn *spawn, const int *files, size_t file_count, struct err *err)
{
	struct iovec part = { (void *)(uintptr_t)spawn, sizeof(*spawn) };
	union control control = { { 0 } };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	if (file_count) {
		struct cmsghdr *header = &control.align;

		message.msg_control = &control;
		message.msg_controllen = CMSG_SPACE(sizeof(int) * file_count);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int) * file_count);
		memcpy(CMSG_DATA(header), files, sizeof(int) * file_count);
	}
	if (sendmsg(spawner->socket, &message, MSG_NOSIGNAL) != sizeof(*spawn))
		return err_os(err, ERR_BUSY, errno, "the process that starts jobs does not answer");
	return 0;
}

bool spawner_receive(const struct spawner *spawner, struct spawn_end *ret)
{
	ssize_t len;

	do
		len = recv(spawner->socket, ret, sizeof(*ret), 0);
	while (len < 0 && errno == EINTR);
	return len == sizeof(*ret);
}

void spawner_stop(const struct spawner *spawner)
{
	shutdown(spawner->socket, SHUT_RDWR);
}

void spawner_close(struct spawner *spawner)
{
	spawner_stop(spawner);
	waitpid(spawner->process, NULL, 0);
	close(spawner->socket);
}
