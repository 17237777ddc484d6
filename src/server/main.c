/*
 * opcheckd: the service of opcheck. Browsers and programs send profiler dumps and get readiness reports.
 *
 * Exit status: 0 ended as told, 2 usage, 4 database, 5 address or store, 70 internal error.
 */
#include <dirent.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/utf8.h"
#include "check/check.h"
#include "check/config.h"
#include "check/database.h"
#include "server/access.h"
#include "server/handlers.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/queue.h"
#include "server/route.h"
#include "server/server.h"
#include "server/token_command.h"
#include "server/work.h"
#include "store/token.h"

/* The settings of the service; options of the same names win. */
static const struct config_key keys[] = {
	{ "", "listen", CONFIG_TEXT, "127.0.0.1:8787", NULL },
	{ "", "state-dir", CONFIG_PATH, NULL, "STATE_DIRECTORY", true },
	{ "", "db", CONFIG_PATH, NULL, "OPCHECK_DB", true },
	{ "", "overlay", CONFIG_PATH_LIST, NULL, "OPCHECK_OVERLAY", true },
	{ "", "threads", CONFIG_TEXT, NULL, NULL },
	{ "", "insecure", CONFIG_SWITCH, "false", NULL },
	{ "access", "host", CONFIG_LIST, NULL, NULL },
	{ "access", "trusted-proxy", CONFIG_LIST, NULL, NULL },
	{ "access", "anonymous", CONFIG_TEXT, NULL, NULL },
	{ "access", "proxy-users", CONFIG_TEXT, NULL, NULL },
	{ "limits", "limit", CONFIG_LIMITS, NULL, NULL },
	{ 0 },
};

enum {
	FEWEST_THREADS = 8,
	MOST_THREADS = 256,
	POLL_NS = 20 * 1000 * 1000,
	POLLS_A_SECOND = 50,
	ARENAS = 4,
	LARGE_BYTES = 256 * 1024
};

struct settings {
	struct str listen, state_dir, db;
	struct str_list overlays;
	unsigned threads;
	struct limits limits;
	struct access_settings access;
	struct token_options token;
	bool version, routes, check;
	struct str config;
	struct argument_vector given; /* what all of it was read from */
};

/* --- options */

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct settings *)ctx)->limits, value, err);
}

static int set_threads(void *ctx, struct str value, struct err *err)
{
	uint64_t count;

	if (!decimal_unsigned(value, &count) || count < 1 || count > MOST_THREADS) {
		err_set(err, ERR_VALUE, "'%s' is no number of threads", shown(value).text);
		return err_hint(err, "give a whole number from 1 to %d", MOST_THREADS);
	}
	((struct settings *)ctx)->threads = (unsigned)count;
	return 0;
}

static const struct option table[] = {
	{ 0, "listen", "HOST:PORT", "address (127.0.0.1:8787); port 0: any that is free", FIELD(settings, listen) },
	{ 0, "state-dir", "DIR", "where dumps and reports are kept", FIELD(settings, state_dir) },
	{ 0, "db", "FILE", "support database", FIELD(settings, db) },
	{ 0, "overlay", "FILE", "facts of your own site, repeatable", LIST(settings, overlays) },
	{ 0, "threads", "N", "threads (two a processor, at least 8)", CALL(set_threads) },
	{ 0, "limit", "NAME=N", "set a limit; `opcheck help limits` lists them", CALL(set_limit) },
	{ 0, "insecure", NULL, "listen where other machines can reach it", FIELD(settings, access.insecure) },
	{ 0, "host", "NAME", "a further name that requests may ask for, repeatable", LIST(settings, access.hosts),
		"access" },
	{ 0, "trusted-proxy", "ADDRESS", "whose X-Forwarded-* are believed, repeatable", LIST(settings, access.proxies),
		"access" },
	{ 0, "anonymous", "SCOPE", "what requests without a token may", FIELD(settings, access.anonymous),
		.topic = "access" },
	{ 0, "proxy-users", "SCOPE", "what users that a trusted proxy names may", FIELD(settings, access.proxy_users),
		.topic = "access" },
	{ 0, "name", "NAME", "of a token, for people", FIELD(settings, token.name), .topic = "token" },
	{ 0, "scope", "SCOPE", "of a token: read, submit or admin", FIELD(settings, token.scope), .topic = "token" },
	{ 0, "project", "NAME", "that a token is for", FIELD(settings, token.project), .topic = "token" },
	{ 0, "expires", "TIME", "of a token: 2027-01-31, 90d, 12h", FIELD(settings, token.expires), .topic = "token" },
	{ 0, "config", "FILE", "settings (/etc/opcheck/opcheckd.conf)", FIELD(settings, config) },
	{ 0, "check-config", NULL, "look whether the settings are right, and end", FIELD(settings, check) },
	{ 0, "version", NULL, "print the version", FIELD(settings, version) },
	{ 0, "routes", NULL, NULL, FIELD(settings, routes) },
	{ 0 },
};

static void print_help(void)
{
	struct buf text = BUF_INIT(1 << 16);

	buf_add(&text, STR("  opcheckd --state-dir ~/opcheck-state\n"
			   "  opcheckd --listen 127.0.0.1:9000 --limit upload-bytes=500M\n\n"
			   "Usage: opcheckd [OPTION]... [token add|list|revoke ID]\n\nOptions:\n"));
	options_put_help(&text, table);
	buf_add(&text, STR("\nThe state directory is --state-dir, $STATE_DIRECTORY, $XDG_STATE_HOME/opcheckd\n"
			   "or ~/.local/state/opcheckd. SIGTERM ends the service when running requests are\n"
			   "done.\n"));
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

static void print_routes(void)
{
	struct buf text = BUF_INIT(1 << 16);

	route_put_table(&text);
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

/* --- where things are */

static int choose_state_dir(const struct settings *settings, char ret[PATH_MAX], struct err *err)
{
	const char *from_manager = getenv("STATE_DIRECTORY"), *from_user = getenv("XDG_STATE_HOME"),
		   *home = getenv("HOME");
	int len;

	if (settings->state_dir.len)
		len = snprintf(ret, PATH_MAX, "%.*s", STR_ARG(settings->state_dir));
	else if (from_manager && from_manager[0])
		len = snprintf(ret, PATH_MAX, "%s", from_manager);
	else if (from_user && from_user[0])
		len = snprintf(ret, PATH_MAX, "%s/opcheckd", from_user);
	else if (home && home[0])
		len = snprintf(ret, PATH_MAX, "%s/.local/state/opcheckd", home);
	else {
		err_set(err, ERR_CONFIG, "there is no state directory");
		return err_hint(err, "give one with --state-dir");
	}
	return len < PATH_MAX ? 0 : err_set(err, ERR_CONFIG, "the path of the state directory is too long");
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
	status = database_open_at(service->db_path, &service->overlays, &service->limits, &db, err);
	if (!status)
		opdb_close(db);
	return status;
}

static unsigned usual_threads(void)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (processors * 2 < FEWEST_THREADS)
		return FEWEST_THREADS;
	return processors * 2 > MOST_THREADS ? MOST_THREADS : (unsigned)processors * 2;
}

/* --- running */

static const int endings[] = { SIGTERM, SIGINT };

enum { MICROSECONDS = 1000000 };

static sigset_t ending_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		sigaddset(&set, endings[i]);
	return set;
}

/* Lets running requests end. A second signal acts as if there were no handling: at once. */
static void drain(struct server *server, const struct limits *limits)
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

static int read_settings(struct config *config, struct settings *settings, struct arguments *ret, struct err *err);
static void clear_settings(struct settings *settings);

/* What came of SIGHUP. Requests under way may still look at an older one, so all live until the end. */
struct reload {
	struct config config;
	struct settings settings;
	struct access *access;
	struct reload *before;
};

static void reload_free(struct reload *reload)
{
	while (reload) {
		struct reload *before = reload->before;

		access_free(reload->access);
		clear_settings(&reload->settings);
		config_clear(&reload->config);
		free(reload);
		reload = before;
	}
}

/* Reads who may ask for what anew; on an error all stays as it is. */
static void reload_access(struct service *service, const struct settings *running, struct reload **last)
{
	CLEANUP(arguments_clear) struct arguments arguments = { 0 };
	struct reload *reload = mem_zalloc(sizeof(*reload));
	struct err err = { 0 };
	int status;

	reload->config = config_of(keys);
	reload->settings = (struct settings){ .given = running->given, .limits = limits_default() };
	status = read_settings(&reload->config, &reload->settings, &arguments, &err);
	if (!status)
		status = access_new(&reload->settings.access, &reload->access, &err);
	if (status) {
		log_error("", &err);
		reload_free(reload);
		return;
	}
	access_follow(reload->access, service->access);
	service->access = reload->access;
	reload->before = *last;
	*last = reload;
	log_line(LOG_LEVEL_NOTICE, "read the settings of [access] again");
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

/* Half of what the service manager waits for a sign of life; an hour where it does not. */
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
static void serve(
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
			reload_access(service, settings, reloads);
			notify("READY=1");
		} else if (server_lives(server)) {
			notify("WATCHDOG=1");
		}
	}
	notify("STOPPING=1");
	log_line(LOG_LEVEL_INFO, "ending, %u requests under way", server_active(server));
	drain(server, &service->limits);
}

static void announce(const struct listening *listening)
{
	printf("opcheckd: listening on %s\n", listening->name);
	fflush(stdout);
}

static int serve_on_socket(
	struct service *service, const struct spawner *spawner, const struct settings *settings, struct err *err)
{
	unsigned threads = settings->threads ? settings->threads : usual_threads();
	struct listening listening;
	struct reload *reloads = NULL;
	struct server *server = NULL;
	int status = listen_on(settings->listen, access_serves_others(service->access), &listening, err);

	if (status)
		return status;
	status = queue_start(service, spawner, &service->queue, err);
	if (!status)
		status = submits_resume(service, err);
	if (!status)
		status = server_start(service, &listening, threads, &server, err);
	if (status)
		close(listening.fd);
	if (!status) {
		announce(&listening);
		serve(service, server, settings, &reloads);
	}
	if (service->queue && !queue_stop(service->queue) && !status)
		status = err_set(err, ERR_INTERNAL, "the process that starts jobs has ended");
	if (server)
		server_stop(server);
	reload_free(reloads);
	return status;
}

/* Temporary files of this process and of jobs lie where uploads are, and count as what the service keeps. */
static void use_own_files(const char *state_dir)
{
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/incoming", state_dir) < PATH_MAX)
		setenv("TMPDIR", path, true);
}

static int run_service(const struct settings *settings, struct err *err)
{
	struct service service = {
		.db_path = database_path(settings->db), .overlays = settings->overlays, .limits = settings->limits
	};
	struct spawner_work work = { work_run, &service };
	struct spawner spawner;
	struct access *access = NULL;
	struct tokens *tokens = NULL;
	char state_dir[PATH_MAX];
	int status = choose_state_dir(settings, state_dir, err);

	if (!status)
		status = access_new(&settings->access, &access, err);
	if (status)
		return status;
	service.access = access;
	use_own_files(state_dir);
	status = look_at_database(&service, err);
	/* before there is a thread, or anything of the store that a job could inherit */
	if (!status)
		status = spawner_start(&work, &spawner, err);
	if (status) {
		access_free(access);
		return status;
	}
	status = store_open(state_dir, &service.store, err);
	if (!status)
		status = tokens_open(state_dir, false, &tokens, err);
	access_use_tokens(access, tokens);
	service.metrics = metrics_new();
	if (!status)
		status = serve_on_socket(&service, &spawner, settings, err);
	spawner_close(&spawner);
	store_close(service.store);
	tokens_close(tokens);
	metrics_free(service.metrics);
	access_free(access);
	return status;
}

/* --- configuration */

/* The --config of an argument vector, or "". */
static struct str config_given(struct argument_vector given)
{
	struct settings ignored = { .limits = limits_default() };
	struct arguments arguments;
	struct err err;
	struct str path = STR("");

	if (options_parse(table, given, &ignored, &arguments, &err) == 0) {
		path = ignored.config.ptr ? ignored.config : path;
		arguments_clear(&arguments);
	}
	clear_settings(&ignored);
	return path;
}

static int by_name_backwards(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*b)->d_name, (*a)->d_name);
}

static int is_conf(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && str_ends(str_from(entry->d_name), STR(".conf"));
}

/* conf.d/ *.conf beside the file: a later name wins, and all of them over the file. */
static int read_parts(struct config *config, const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX], part[PATH_MAX];
	struct dirent **entries = NULL;
	int count, status = 0;

	if (snprintf(directory, sizeof(directory), "%.*sconf.d", slash ? (int)(slash - path) + 1 : 0, path) >= PATH_MAX)
		return 0;
	count = scandir(directory, &entries, is_conf, by_name_backwards);
	for (int i = 0; i < count; i++) {
		if (!status && snprintf(part, sizeof(part), "%s/%s", directory, entries[i]->d_name) < PATH_MAX)
			status = config_read(config, part, false, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

/* The file that was given, else the usual one if it is there. */
static int read_config(struct config *config, struct str given, struct err *err)
{
	static const char usual[] = "/etc/opcheck/opcheckd.conf";
	const char *directory = getenv("CONFIGURATION_DIRECTORY");
	char path[PATH_MAX];
	int len, status;

	if (given.len)
		len = snprintf(path, sizeof(path), "%.*s", STR_ARG(given));
	else if (directory && directory[0])
		len = snprintf(path, sizeof(path), "%s/opcheckd.conf", directory);
	else
		len = snprintf(path, sizeof(path), "%s", usual);
	if (len >= PATH_MAX)
		return err_set(err, ERR_CONFIG, "the path of the configuration is too long");
	status = read_parts(config, path, err);
	if (!status && (given.len || access(path, F_OK) == 0))
		status = config_read(config, path, false, err);
	return status;
}

static int apply_configuration(struct config *config, struct settings *settings, struct err *err)
{
	struct argument_vector arguments = settings->given;
	CLEANUP(mem_release) bool *given = mem_zalloc(options_count(table) * sizeof(given[0]));
	bool help = false;
	int status = options_given(table, arguments, given, &help, err);

	if (status || help)
		return status;
	status = read_config(config, config_given(arguments), err);
	return status ? status : config_apply(config, &(struct config_use){ "opcheckd", table, given, settings }, err);
}

/* Files and environment first, then the options. */
static int read_settings(struct config *config, struct settings *settings, struct arguments *ret, struct err *err)
{
	int status = apply_configuration(config, settings, err);

	return status ? status : options_parse(table, settings->given, settings, ret, err);
}

static void clear_settings(struct settings *settings)
{
	free(settings->overlays.items);
	free(settings->access.hosts.items);
	free(settings->access.proxies.items);
}

/* What can be told without starting. */
static int check_settings(const struct config *config, const struct settings *settings, struct err *err)
{
	struct access *access = NULL;
	char state_dir[PATH_MAX];
	int status = choose_state_dir(settings, state_dir, err);

	if (!status)
		status = access_new(&settings->access, &access, err);
	access_free(access);
	for (size_t i = 0; i < config->files.count && !status; i++)
		printf("%s: OK\n", shown(config->files.items[i]).text);
	if (!status && !config->files.count)
		puts("no configuration file found");
	return status;
}

static int run_token_command(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	char state_dir[PATH_MAX];
	int status = choose_state_dir(settings, state_dir, err);

	return status ? status : token_command(state_dir, &settings->token, arguments, err);
}

static int start_program(struct config *config, int argc, char **argv, struct err *err)
{
	struct settings settings = { .listen = STR("127.0.0.1:8787"), .limits = limits_default() };
	struct arguments arguments = { 0 };
	int status;
	bool is_token;

	settings.given = (struct argument_vector){ argc - 1, argv + 1 };
	status = read_settings(config, &settings, &arguments, err);
	is_token = arguments.count && strcmp(arguments.items[0], "token") == 0;
	if (!status && arguments.count && !is_token)
		status = err_set(
			err, ERR_ARGUMENT, "unexpected argument '%s'", shown(str_from(arguments.items[0])).text);
	if (!status && arguments.help)
		print_help();
	else if (!status && settings.version)
		printf("opcheckd %s\n", check_version());
	else if (!status && settings.routes)
		print_routes();
	else if (!status && settings.check)
		status = check_settings(config, &settings, err);
	else if (!status && is_token)
		status = run_token_command(&settings, &arguments, err);
	else if (!status)
		status = run_service(&settings, err);
	clear_settings(&settings);
	arguments_clear(&arguments);
	return status;
}

int main(int argc, char **argv)
{
	sigset_t set = ending_signals();
	struct config config = config_of(keys);
	struct err err = { 0 };
	int status;

	setlocale(LC_CTYPE, "C.UTF-8");
	/* what the service keeps is for its own user; threads inherit the mask, so that main alone takes the signals */
	umask(0077);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* what a large answer took goes back to the system with it, and threads share what stays */
	mallopt(M_ARENA_MAX, ARENAS);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
	log_start();
	status = start_program(&config, argc, argv, &err);
	config_clear(&config);
	if (!status)
		return 0;
	log_error("", &err);
	return err_exit_status(err.code);
}
