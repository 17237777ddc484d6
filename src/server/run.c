#include "server/run.h"

#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/sha256.h"
#include "check/database/database.h"
#include "io/members.h"
#include "server/http/cache.h"
#include "server/http/metrics.h"
#include "server/http/response.h"
#include "server/http/streams.h"
#include "server/jobs/log.h"
#include "server/jobs/queue.h"
#include "server/pages/page_report.h"
#include "server/routes.h"
#include "server/server.h"
#include "server/service/databases.h"
#include "server/service/housekeeping.h"
#include "server/service/replica.h"
#include "server/service/resume.h"
#include "server/service/service.h"
#include "server/service/work.h"
#include "server/settings.h"
#include "store/replicas.h"
#include "store/token.h"
#include "store/work.h"

/* Each thread looks through its own connections only, so that idle ones cost the less the more threads there are. */
enum { FEWEST_THREADS = 8, POLL_NS = 20 * 1000 * 1000, POLLS_A_SECOND = 50, MICROSECONDS = 1000000 };

static sigset_t ending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	return set;
}

void service_block_signals(void)
{
	sigset_t set = ending_signals();

	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

/* Lets running requests end. A second signal acts as if there were no handling: at once. */
static void drain_requests(struct server *server, const struct limits *limits)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	sigset_t set = ending_signals();

	server_close(server);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	for (uint64_t polls = limits->stop_seconds * POLLS_A_SECOND; polls && server_active(server); polls--)
		nanosleep(&pause, NULL);
	if (server_active(server))
		log_line(LOG_LEVEL_NOTICE, "%u requests are cut off", server_active(server));
}

static bool str_list_eq(const struct str_list *a, const struct str_list *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++)
		same = str_eq(a->items[i], b->items[i]);
	return same;
}

/* Raise the number of descriptors as far as it goes. A connection has one and its answer another; some are for the rest
   of the service. */
static void fit_connections(struct limits *limits)
{
	enum { OTHER_FILES = 128, A_CONNECTION = 2, FEWEST = 64 };
	struct rlimit files;
	rlim_t most;

	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &files))
		return;
	most = files.rlim_cur > OTHER_FILES ? (files.rlim_cur - OTHER_FILES) / A_CONNECTION : 0;
	most = most < FEWEST ? FEWEST : most;
	if (limits->connections > most)
		limits->connections = most;
}

/* The result of SIGHUP. Requests under way may still look at an older one, so all live until the end. */
struct reload {
	struct settings settings;
	struct limits limits;
	struct access *access;
	struct reload *before;
};

static void reload_free(struct reload *reload)
{
	while (reload) {
		struct reload *before = reload->before;

		access_free(reload->access);
		settings_clear(&reload->settings);
		free(reload);
		reload = before;
	}
}

static void tell_of_start(const char *name)
{
	log_line(LOG_LEVEL_NOTICE, "the new %s counts from the next start", name);
}

/* The running limits, with what may change of the others. */
static struct limits live_limits(const struct limits *running, const struct limits *read)
{
	struct limits limits = *running;

	for (size_t i = 0; i < limit_key_count; i++) {
		const struct limit_key *key = &limit_keys[i];

		if (limits_get(running, key) == limits_get(read, key))
			continue;
		if (key->live)
			limits_copy(&limits, read, key);
		else
			tell_of_start(key->name);
	}
	return limits;
}

/* Settings that need a restart. */
static void compare_settings(const struct settings *running, const struct settings *read)
{
	const struct {
		const char *name;
		bool differs;
	} kinds[] = {
		{ "listen", !str_eq(running->listen, read->listen) },
		{ "state-dir", !str_eq(running->state_dir, read->state_dir) },
		{ "store", !str_eq(running->store, read->store) },
		{ "blobs", !str_eq(running->blobs, read->blobs) },
		{ "blobs-key-file", !str_eq(running->blobs_key_file, read->blobs_key_file) },
		{ "store-password-file", !str_eq(running->store_password_file, read->store_password_file) },
		{ "role", running->role != read->role },
		{ "db", !str_eq(running->db, read->db) },
		{ "overlay", !str_list_eq(&running->overlays, &read->overlays) },
		{ "threads", running->threads != read->threads },
		{ "webhook", !str_eq(running->webhook.url, read->webhook.url) },
		{ "webhook-secret", !str_eq(running->webhook.secret_file, read->webhook.secret_file) },
		{ "webhook-events", !str_eq(running->webhook.events, read->webhook.events) },
		{ "no-stacks", running->no_stacks != read->no_stacks },
		{ "webhook-private", running->webhook.private_addresses != read->webhook.private_addresses },
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (kinds[i].differs)
			tell_of_start(kinds[i].name);
	}
}

/* Reads all settings anew; on an error all stays as it is. */
static void reload_settings(struct service *service, const struct settings *running, struct reload **last)
{
	CLEANUP(arguments_clear) struct arguments arguments = { 0 };
	struct reload *reload = mem_zalloc(sizeof(*reload));
	struct err err = { 0 };
	int status;

	reload->settings = settings_of(running->given);
	status = settings_read(&reload->settings, &arguments, &err);
	if (!status)
		status = access_new(&reload->settings.access, &reload->access, &err);
	if (status) {
		log_error("", &err);
		reload_free(reload);
		return;
	}
	fit_connections(&reload->settings.limits);
	access_follow(reload->access, service->access);
	reload->limits = live_limits(service->limits, &reload->settings.limits);
	compare_settings(running, &reload->settings);
	service->access = reload->access;
	service->limits = &reload->limits;
	reload->before = *last;
	*last = reload;
	log_line(LOG_LEVEL_NOTICE, "read the settings again");
}

static void notify_reloading(void)
{
	struct timespec now;
	char state[80];

	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%llu",
		(unsigned long long)now.tv_sec * MICROSECONDS + (unsigned long long)now.tv_nsec / 1000);
	notify(state);
}

/* Half the watchdog interval of the service manager; an hour without one. */
static struct timespec watch_pause(void)
{
	const char *variable = getenv("WATCHDOG_USEC");
	uint64_t usec;

	if (!variable || !decimal_unsigned(str_from(variable), &usec) || !usec)
		return (struct timespec){ .tv_sec = 3600 };
	usec /= 2;
	return (struct timespec){ (time_t)(usec / MICROSECONDS), (long)(usec % MICROSECONDS) * 1000 };
}

/* Until a signal that ends, or the end of the spawner, which signals. */
static void serve_until_signal(
	struct service *service, struct server *server, const struct settings *settings, struct reload **reloads)
{
	const struct timespec pause = watch_pause();
	sigset_t set = ending_signals();
	int number;

	sigaddset(&set, SIGHUP);
	notify("READY=1");
	while ((number = sigtimedwait(&set, NULL, &pause)) < 0 || number == SIGHUP) {
		if (number == SIGHUP) {
			notify_reloading();
			reload_settings(service, settings, reloads);
			notify("READY=1");
		} else if (server_lives(server)) {
			notify("WATCHDOG=1");
		}
	}
	notify("STOPPING=1");
	log_line(LOG_LEVEL_INFO, "ending, %u requests under way", server_active(server));
	replica_rest(service->replica);
	streams_end(service->streams);
	drain_requests(server, service->limits);
}

static void claim_next_job(const struct service *service)
{
	store_poke(service->store);
}

static int serve_on_socket(
	struct service *service, const struct spawner *spawner, const struct settings *settings, struct err *err)
{
	long usual = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	unsigned threads = settings->threads               ? settings->threads
			   : usual < FEWEST_THREADS        ? FEWEST_THREADS
			   : usual > SETTINGS_MOST_THREADS ? SETTINGS_MOST_THREADS
							   : (unsigned)usual;
	struct listening listening;
	struct reload *reloads = NULL;
	struct server *server = NULL;
	struct webhook *webhook = NULL;
	int status = listen_on(settings->listen, access_serves_others(service->access), &listening, err);

	if (status)
		return status;
	status = webhook_start(service, &settings->webhook, &webhook, err);
	if (!status)
		status = queue_start(&(struct queue_setup){ service, &service->limits, spawner, claim_next_job },
			&service->queue, err);
	if (!status)
		status = store_is_shared(service->store) ? replica_start(service, err) : submits_resume(service, err);
	if (!status)
		status = housekeeper_start(service, &service->housekeeper, err);
	if (!status)
		status = streams_start(&service->streams, err);
	if (!status)
		status = server_start(service, &listening, threads, &server, err);
	if (status)
		close(listening.fd);
	if (!status) {
		printf("opcheckd: listening on %s\n", listening.name);
		fflush(stdout);
		serve_until_signal(service, server, settings, &reloads);
	}
	if (service->queue && !queue_stop(service->queue) && !status)
		status = err_set(err, ERR_INTERNAL, "the process that starts jobs has ended");
	streams_end(service->streams);
	if (server)
		server_stop(server);
	streams_free(service->streams);
	webhook_stop(webhook);
	housekeeper_stop(service->housekeeper);
	replica_stop(service->replica);
	queue_free(service->queue);
	service->queue = NULL;
	reload_free(reloads);
	return status;
}

/* The service starts without a database and answers 503 until there is one, but says so. It does not start with an
   overlay that the database contradicts. */
static int look_at_database(const struct service *service, struct err *err)
{
	struct opdb *db = NULL;
	int status;

	if (opdb_open(service->db_path, &db, err)) {
		log_error("", err);
		return 0;
	}
	opdb_close(db);
	status = database_open_at(service->db_path, &service->overlays, service->limits, &db, err);
	if (!status)
		opdb_close(db);
	return status;
}

/* Temporary files of this process and of jobs lie where uploads are, and count as what the service keeps. */
static void use_own_files(const char *state_dir)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/incoming", state_dir) < PATH_MAX)
		setenv("TMPDIR", path, true);
}

static struct cache *spare_memory;

/* Requests end and give theirs back, jobs are processes of their own. After some seconds the manager of the service is
   to start it again. */
static bool wait_for_memory(unsigned tries)
{
	enum { MOST_TRIES = 50, PAUSE_NS = 100 * 1000 * 1000 };
	const struct timespec pause = { .tv_nsec = PAUSE_NS };

	if (tries == MEM_FAILED)
		return false;
	if (tries == 0) {
		log_line(LOG_LEVEL_ERROR, "memory is out: what the cache has goes, and who wants more waits");
		cache_empty(spare_memory);
		malloc_trim(0);
	} else {
		nanosleep(&pause, NULL);
	}
	return tries < MOST_TRIES;
}

static int serve_waiting_for_memory(
	struct service *service, const struct spawner *spawner, const struct settings *settings, struct err *err)
{
	int status;

	spare_memory = service->cache;
	mem_on_failure(wait_for_memory);
	status = serve_on_socket(service, spawner, settings, err);
	mem_on_failure(NULL);
	return status;
}

int service_run(const struct settings *settings, struct err *err)
{
	struct limits limits = settings->limits;
	struct service service = { .db_path = database_path(settings->db),
		.overlays = settings->overlays,
		.no_stacks = settings->no_stacks,
		.claims = settings->role != ROLE_WEB,
		.answers = settings->role != ROLE_WORKER,
		.limits = &limits };
	struct workshop shop = { &service, page_put_assessment, work_shut_in };
	struct spawner_work work = { work_prepare, work_run, &shop };
	struct spawner spawner;
	struct access *access = NULL;
	struct tokens *tokens = NULL;
	struct settings_store at;
	int status;

	if (settings_store(settings, &at, err) || access_new(&settings->access, &access, err))
		return -err->code;
	fit_connections(&limits);
	service.access = access;
	secret_random(service.holder, sizeof(service.holder) / 2);
	use_own_files(at.directory);
	sha256_free(sha256_new()); /* libcrypto sets itself up, which it does not survive when memory is out */
	members_prepare();         /* jobs open no files */
	status = look_at_database(&service, err);
	service.databases = databases_new(service.db_path, &service.overlays, service.limits);
	/* before there is a thread, or anything of the store that a job could inherit */
	if (!status)
		status = spawner_start(&work, &spawner, err);
	if (status) {
		databases_free(service.databases);
		access_free(access);
		return status;
	}
	at.place.query_seconds = limits.query_seconds;
	status = store_open(&at.place, &service.store, err);
	if (!status)
		status = store_bound_readers(
			service.store, (unsigned)(limits.workers + limits.readers), limits.query_seconds, err);
	if (!status)
		status = tokens_open(&at.place, false, &tokens, err);
	access_use_tokens(access, tokens);
	service.metrics = metrics_new(&routes);
	service.cache = cache_new(service.limits->cache_bytes, response_drop);
	if (!status)
		status = serve_waiting_for_memory(&service, &spawner, settings, err);
	spawner_close(&spawner);
	store_close(service.store);
	tokens_close(tokens);
	metrics_free(service.metrics);
	databases_free(service.databases);
	cache_free(service.cache);
	access_free(access);
	return status;
}
