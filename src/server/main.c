/*
 * opcheckd: the service of opcheck. Browsers and programs send profiler dumps and get readiness reports.
 *
 * Exit status: 0 ended by a signal, 2 usage, 4 database, 5 address or store, 70 internal error.
 */
#include <cjson/cJSON.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/check.h"
#include "report/doc/sentence.h"
#include "server/http/route.h"
#include "server/jobs/log.h"
#include "server/routes.h"
#include "server/run.h"
#include "server/service/health.h"
#include "server/service/service.h"
#include "server/settings.h"
#include "store/backup.h"
#include "store/migrate.h"

enum { ARENAS = 4, LARGE_BYTES = 256 * 1024 };

static void print_help(void)
{
	struct buf text = BUF_INIT(1 << 16);

	buf_add(&text,
		STR("  opcheckd --state-dir ~/opcheck-state\n"
		    "  opcheckd --listen 127.0.0.1:9000 --limit upload-bytes=500M\n\n"
		    "Usage: opcheckd [OPTION]... [token add|list|revoke ID|backup DIR|migrate|health]\n\nOptions:\n"));
	settings_put_help(&text);
	buf_add(&text, STR("\nThe state directory is --state-dir, the setting state-dir, $STATE_DIRECTORY,\n"
			   "$XDG_STATE_HOME/opcheckd, /var/lib/opcheck for root and its owner, or\n"
			   "~/.local/state/opcheckd. SIGTERM ends the service when running requests are\n"
			   "done.\n"));
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

static void print_routes(void)
{
	struct buf text = BUF_INIT(1 << 16);

	route_put_table(&routes, &text);
	fputs(buf_text(&text), stdout);
	buf_clear(&text);
}

/* The checks of --check, without starting. */
static int check_settings(const struct settings *settings, struct err *err)
{
	const struct str_list *files = &settings->config.files;
	struct access *access = NULL;
	struct settings_store at;
	int status = settings_store(settings, &at, err);

	if (!status)
		status = access_new(&settings->access, &access, err);
	access_free(access);
	if (!status)
		status = webhook_check(&settings->webhook, err);
	for (size_t i = 0; i < files->count && !status; i++)
		printf("%s: OK\n", shown(files->items[i]).text);
	if (!status && !files->count)
		puts("no configuration file found");
	if (!status)
		printf("state directory: %s\n", shown(str_from(at.directory)).text);
	return status;
}

static int run_token_command(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	struct settings_store at;
	int status = settings_store(settings, &at, err);

	return status ? status : token_command(&at.place, &settings->token, arguments, err);
}

/* A dump stays in a bucket for an hour after a row needed it last. */
static const char *postgresql_backup(const struct store_place *place)
{
	struct str blobs = str_from(place->blobs ? place->blobs : "database");

	if (str_eq(blobs, STR("directory")))
		return "stop the service, run pg_dump, then copy the directory dumps";
	return str_eq(blobs, STR("database")) ? "run pg_dump, which has the dumps, too"
					      : "run pg_dump, then copy the bucket within the hour";
}

static int run_backup(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	struct settings_store at;
	struct backup done;
	int status = settings_store(settings, &at, err);

	if (!status && arguments->count != 2) {
		err_set(err, ERR_ARGUMENT, "backup needs one new or empty directory");
		return err_hint(err, "for example opcheckd backup --state-dir /var/lib/opcheck /backup/monday");
	}
	if (!status && at.place.url) {
		err_set(err, ERR_ARGUMENT, "backup copies stores of SQLite alone");
		return err_hint(err, "%s", postgresql_backup(&at.place));
	}
	if (!status)
		status = store_backup(at.directory, arguments->items[1], &done, err);
	if (!status)
		printf("%s: %llu assessments, %llu dumps of %llu bytes\n", shown(str_from(arguments->items[1])).text,
			(unsigned long long)done.assessments, (unsigned long long)done.dumps,
			(unsigned long long)done.bytes);
	if (!status && at.place.blobs && strcmp(at.place.blobs, "directory") != 0)
		puts("copy the bucket within the hour: it has the other dumps");
	return status;
}

static void remove_scratch(const char *scratch)
{
	static const char *const entries[] = { "/lock", "/backup.lock", "/incoming", "/dumps", "" };
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(entries); i++) {
		if (snprintf(path, sizeof(path), "%s%s", scratch, entries[i]) < PATH_MAX)
			remove(path); /* a directory with files stays */
	}
}

/* Uploads of the store in PostgreSQL lie beside the other one for the time of the move. */
static int read_ends(
	const struct settings *settings, struct settings_store ends[2], char scratch[PATH_MAX], struct err *err)
{
	struct str directory = str_starts(settings->from, STR("sqlite:")) ? settings->from : settings->to;
	int status;

	if (!str_starts(directory, STR("sqlite:")) ||
		snprintf(scratch, PATH_MAX, "%.*s/migrating", STR_ARG(str_skip(directory, strlen("sqlite:")))) >=
			PATH_MAX)
		scratch[0] = '\0';
	status = settings_store_at(settings, settings->from, scratch, &ends[0], err);
	return status ? status : settings_store_at(settings, settings->to, scratch, &ends[1], err);
}

/* The service does so, too, where its role may change tables. */
static int bring_up_to_date(const struct settings *settings, struct err *err)
{
	struct settings_store at;
	struct store *store = NULL;
	int status = settings_store(settings, &at, err);

	if (!status)
		status = store_open(&at.place, &store, err);
	store_close(store);
	if (!status)
		printf("the store has schema version %u\n", store_schema_version());
	return status;
}

static int run_migrate(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	struct settings_store ends[2];
	char scratch[PATH_MAX];
	struct migration done;
	int status;

	if (arguments->count != 1)
		return err_set(err, ERR_ARGUMENT, "migrate takes no arguments");
	if (!settings->from.len && !settings->to.len)
		return bring_up_to_date(settings, err);
	status = read_ends(settings, ends, scratch, err);
	if (!status)
		status = store_migrate(&ends[0].place, &ends[1].place, &done, err);
	if (!settings->state_dir.len && scratch[0])
		remove_scratch(scratch);
	if (!status)
		printf("%llu assessments, %llu runs, %llu dumps and documents of %llu bytes are the same in both "
		       "stores\n",
			(unsigned long long)done.assessments, (unsigned long long)done.runs,
			(unsigned long long)done.dumps, (unsigned long long)done.bytes);
	if (!status && done.shortened)
		printf("%llu names of operators over 512 bytes were shortened in both\n",
			(unsigned long long)done.shortened);
	return status;
}

static int run_health(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	if (arguments->count != 1)
		return err_set(err, ERR_ARGUMENT, "health takes no arguments");
	return health_check(settings->listen, err);
}

/* Commands; without one the service runs. */
static const struct {
	const char *name;
	int (*run)(const struct settings *settings, const struct arguments *arguments, struct err *err);
} commands[] = { { "token", run_token_command }, { "backup", run_backup }, { "migrate", run_migrate },
	{ "health", run_health } };

static int run_command(const struct settings *settings, const struct arguments *arguments, struct err *err)
{
	if (!arguments->count)
		return service_run(settings, err);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(arguments->items[0], commands[i].name) == 0)
			return commands[i].run(settings, arguments, err);
	}
	return err_set(err, ERR_ARGUMENT, "unexpected argument '%s'", shown(str_from(arguments->items[0])).text);
}

static int start_program(int argc, char **argv, struct err *err)
{
	CLEANUP(settings_clear) struct settings settings = settings_of((struct argument_vector){ argc - 1, argv + 1 });
	CLEANUP(arguments_clear) struct arguments arguments = { 0 };
	int status = settings_read(&settings, &arguments, err);

	if (!status && arguments.help)
		print_help();
	else if (!status && settings.version)
		printf("opcheckd %s\n", check_version());
	else if (!status && settings.routes)
		print_routes();
	else if (!status && settings.check)
		status = check_settings(&settings, err);
	else if (!status)
		status = run_command(&settings, &arguments, err);
	return status;
}

static void put_in(enum lang lang, char *text, size_t size)
{
	CLEANUP(buf_clear) struct buf sentence = BUF_UNLIMITED;

	sentence_put(&sentence, lang, str_from(text));
	snprintf(text, size, "%s", buf_text(&sentence));
}

/* Put an error into the language of the terminal. */
static void speak(struct err *err)
{
	enum lang lang = lang_of_locale();

	put_in(lang, err->text, sizeof(err->text));
	put_in(lang, err->hint, sizeof(err->hint));
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	int status;

	/* cJSON waits for memory like the rest; what it reads is not damaged because memory is out */
	cJSON_InitHooks(&(cJSON_Hooks){ mem_zalloc, free });
	setlocale(LC_CTYPE, "C.UTF-8");
	/* what the service keeps is for its own user */
	umask(0077);
	service_block_signals();
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* what a large answer took goes back to the system with it, and threads share what stays */
	mallopt(M_ARENA_MAX, ARENAS);
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, LARGE_BYTES);
	log_start();
	status = start_program(argc, argv, &err);
	if (!status)
		return 0;
	if (isatty(STDERR_FILENO)) /* a log is English */
		speak(&err);
	log_error("", &err);
	return err_exit_status(err.code);
}
