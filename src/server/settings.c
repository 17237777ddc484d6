#include "server/settings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "store/blobs/bucket_address.h"

#define UNIT_DIRECTORY "/var/lib/opcheck" /* StateDirectory= of deploy/opcheckd.service.in */

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct settings *)ctx)->limits, value, err);
}

static int set_threads(void *ctx, struct str value, struct err *err)
{
	uint64_t count;

	if (!decimal_unsigned(value, &count) || count < 1 || count > SETTINGS_MOST_THREADS) {
		err_set(err, ERR_VALUE, "'%s' is not a number of threads", shown(value).text);
		return err_hint(err, "give a whole number from 1 to %d", SETTINGS_MOST_THREADS);
	}
	((struct settings *)ctx)->threads = (unsigned)count;
	return 0;
}

static int set_role(void *ctx, struct str value, struct err *err)
{
	static const struct str roles[] = {
		[ROLE_ALL] = STR("all"), [ROLE_WEB] = STR("web"), [ROLE_WORKER] = STR("worker")
	};
	size_t role = STR_POSITION(roles, ARRAY_SIZE(roles), value);

	if (role != STR_NONE) {
		((struct settings *)ctx)->role = (enum role)role;
		return 0;
	}
	err_set(err, ERR_VALUE, "'%s' is not a role", shown(value).text);
	return err_hint(err, "give all, web or worker");
}

/* Every setting: its section and name in a file, its kind and default, its variable and whether other programs read
   it, then its option. Options win over variables, and those over files. */
#define SETTINGS(ROW)                                                                                                  \
	ROW("", "listen", CONFIG_TEXT, "127.0.0.1:8787", "OPCHECKD_LISTEN", false, "HOST:PORT",                        \
		"address (127.0.0.1:8787); port 0: any that is free", FIELD(settings, listen))                         \
	ROW("", "state-dir", CONFIG_PATH, NULL, "OPCHECKD_STATE_DIR", false, "DIR",                                    \
		"where dumps and reports are kept", FIELD(settings, state_dir))                                        \
	ROW("", "store", CONFIG_TEXT, NULL, "OPCHECKD_STORE", false, "ADDRESS",                                        \
		"database of PostgreSQL: postgresql://USER@HOST/NAME", FIELD(settings, store))                         \
	ROW("", "store-password-file", CONFIG_PATH, NULL, "OPCHECKD_STORE_PASSWORD_FILE", false, "FILE",               \
		"whose first line is the password of the database", FIELD(settings, store_password_file),              \
		.topic = "store")                                                                                      \
	ROW("", "blobs", CONFIG_TEXT, NULL, "OPCHECKD_BLOBS", false, "PLACE",                                          \
		"where dumps are: directory, database, s3://BUCKET", FIELD(settings, blobs), .topic = "store")         \
	ROW("", "blobs-key-file", CONFIG_PATH, NULL, "OPCHECKD_BLOBS_KEY_FILE", false, "FILE",                         \
		"whose lines are the id and the secret of the bucket's key", FIELD(settings, blobs_key_file),          \
		.topic = "store")                                                                                      \
	ROW("", "role", CONFIG_TEXT, "all", "OPCHECKD_ROLE", false, "ROLE",                                            \
		"web: other services do the jobs; worker: this one does jobs alone", CALL(set_role), .topic = "store") \
	ROW("", "db", CONFIG_PATH, NULL, "OPCHECK_DB", true, "FILE", "support database", FIELD(settings, db))          \
	ROW("", "overlay", CONFIG_PATH_LIST, NULL, "OPCHECK_OVERLAY", true, "FILE",                                    \
		"facts of your own site, repeatable", LIST(settings, overlays))                                        \
	ROW("", "threads", CONFIG_TEXT, NULL, "OPCHECKD_THREADS", false, "N", "threads (two a processor, at least 8)", \
		CALL(set_threads))                                                                                     \
	ROW("limits", "limit", CONFIG_LIMITS, NULL, "OPCHECKD_LIMIT", false, "NAME=N",                                 \
		"set a limit; `opcheck help limits` lists them", CALL(set_limit))                                      \
	ROW("", "insecure", CONFIG_SWITCH, "false", "OPCHECKD_INSECURE", false, NULL,                                  \
		"listen where other machines can reach it", FIELD(settings, access.insecure))                          \
	ROW("", "no-stacks", CONFIG_SWITCH, "false", "OPCHECKD_NO_STACKS", false, NULL,                                \
		"reports do not say where programs call operators", FIELD(settings, no_stacks))                        \
	ROW("access", "host", CONFIG_LIST, NULL, "OPCHECKD_HOST", false, "NAME",                                       \
		"a further name that requests may ask for, repeatable", LIST(settings, access.hosts), "access")        \
	ROW("access", "trusted-proxy", CONFIG_LIST, NULL, "OPCHECKD_TRUSTED_PROXY", false, "ADDRESS",                  \
		"whose X-Forwarded-* are believed, repeatable", LIST(settings, access.proxies), "access")              \
	ROW("access", "anonymous", CONFIG_TEXT, NULL, "OPCHECKD_ANONYMOUS", false, "SCOPE",                            \
		"what requests without a token may", FIELD(settings, access.anonymous), .topic = "access")             \
	ROW("access", "proxy-users", CONFIG_TEXT, NULL, "OPCHECKD_PROXY_USERS", false, "SCOPE",                        \
		"what users that a trusted proxy names may", FIELD(settings, access.proxy_users), .topic = "access")   \
	ROW("", "webhook", CONFIG_TEXT, NULL, "OPCHECKD_WEBHOOK", false, "URL", "which hears of each run",             \
		FIELD(settings, webhook.url), .topic = "webhook")                                                      \
	ROW("", "webhook-secret", CONFIG_PATH, NULL, "OPCHECKD_WEBHOOK_SECRET", false, "FILE",                         \
		"whose first line signs what it hears", FIELD(settings, webhook.secret_file), .topic = "webhook")      \
	ROW("", "webhook-events", CONFIG_TEXT, "finished", "OPCHECKD_WEBHOOK_EVENTS", false, "EVENT",                  \
		"finished: each run; regressed: those, and incomparable ones", FIELD(settings, webhook.events),        \
		.topic = "webhook")                                                                                    \
	ROW("", "webhook-private", CONFIG_SWITCH, "false", "OPCHECKD_WEBHOOK_PRIVATE", false, NULL,                    \
		"it may be on this machine or a private network", FIELD(settings, webhook.private_addresses),          \
		.topic = "webhook")

#define AS_KEY(section, name, kind, initial, variable, elsewhere, value, help, ...)                                    \
	{ section, name, kind, initial, variable, elsewhere },
#define AS_OPTION(section, name, kind, initial, variable, elsewhere, value, help, ...)                                 \
	{ 0, name, value, help, __VA_ARGS__ },

static const struct config_key keys[] = { SETTINGS(AS_KEY){ 0 } };

static const struct option table[] = {
	SETTINGS(AS_OPTION)
	/* of commands, and of the program alone */
	{ 0, "name", "NAME", "of a token, for people", FIELD(settings, token.name), .topic = "token" },
	{ 0, "scope", "SCOPE", "of a token: read, submit or admin", FIELD(settings, token.scope), .topic = "token" },
	{ 0, "project", "NAME", "that a token is for", FIELD(settings, token.project), .topic = "token" },
	{ 0, "expires", "TIME", "of a token: 2027-01-31, 90d, 12h", FIELD(settings, token.expires), .topic = "token" },
	{ 0, "requests", "N", "that a token may make a minute", FIELD(settings, token.requests), .topic = "token" },
	{ 0, "bytes", "N", "that a token may send an hour; K, M, G", FIELD(settings, token.bytes), .topic = "token" },
	{ 0, "jobs", "N", "of a token that wait or run", FIELD(settings, token.jobs), .topic = "token" },
	{ 0, "from", "ADDRESS", "store to migrate: sqlite:DIR or postgresql://...", FIELD(settings, from),
		.topic = "store" },
	{ 0, "to", "ADDRESS", "empty store that it becomes", FIELD(settings, to), .topic = "store" },
	{ 0, "config", "FILE", "settings (/etc/opcheck/opcheckd.conf)", FIELD(settings, config_file) },
	{ 0, "check-config", NULL, "look whether the settings are right, and end", FIELD(settings, check) },
	{ 0, "version", NULL, "print the version", FIELD(settings, version) },
	{ 0, "routes", NULL, NULL, FIELD(settings, routes) },
	{ 0 },
};

void settings_put_help(struct buf *out)
{
	options_put_help(out, table);
}

struct settings settings_of(struct argument_vector given)
{
	return (struct settings){
		.listen = STR("127.0.0.1:8787"), .limits = limits_default(), .given = given, .config = config_of(keys)
	};
}

void settings_clear(struct settings *settings)
{
	options_clear(table, settings);
	config_clear(&settings->config);
}

/* The unit's own directory: of root, who sets it up before the first start, and of the service's user. */
static bool has_unit_directory(void)
{
	struct stat info;

	return geteuid() == 0 || (stat(UNIT_DIRECTORY, &info) == 0 && info.st_uid == geteuid());
}

/* The directory of the store. ERR_CONFIG when nothing names one. */
static int settings_state_dir(const struct settings *settings, char ret[PATH_MAX], struct err *err)
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
	else if (has_unit_directory())
		len = snprintf(ret, PATH_MAX, "%s", UNIT_DIRECTORY);
	else if (home && home[0])
		len = snprintf(ret, PATH_MAX, "%s/.local/state/opcheckd", home);
	else {
		err_set(err, ERR_CONFIG, "the state directory is missing");
		return err_hint(err, "give one with --state-dir");
	}
	return len < PATH_MAX ? 0 : err_set(err, ERR_CONFIG, "the path of the state directory is too long");
}

static int copy_setting(struct str value, char ret[PATH_MAX], struct err *err)
{
	int len = snprintf(ret, PATH_MAX, "%.*s", STR_ARG(value));

	return len < PATH_MAX ? 0 : err_set(err, ERR_CONFIG, "a setting of the store is too long");
}

static int copy_database(const struct settings *settings, struct settings_store *ret, struct err *err)
{
	int status;

	if (settings->role && !settings->store.len) {
		err_set(err, ERR_CONFIG, "a role needs a store that services share");
		return err_hint(err, "give the address of a database with --store, or leave --role out");
	}
	if (!settings->store.len)
		return 0;
	if (!str_starts(settings->store, STR("postgresql://")) && !str_starts(settings->store, STR("postgres://"))) {
		err_set(err, ERR_VALUE, "the address of the store does not begin with postgresql://");
		return err_hint(err, "leave --store out for SQLite in the state directory");
	}
	ret->place.url = ret->url;
	status = copy_setting(settings->store, ret->url, err);
	if (status || !settings->store_password_file.len)
		return status;
	ret->place.password_file = ret->password_file;
	return copy_setting(settings->store_password_file, ret->password_file, err);
}

static int check_blobs(const struct settings_store *at, struct err *err)
{
	struct str blobs = str_from(at->blobs);

	if (str_starts(blobs, STR("s3://")))
		return bucket_address_check(at->blobs, err);
	if (str_eq(blobs, STR("database")) && !at->place.url) {
		err_set(err, ERR_VALUE, "dumps are kept in a database of PostgreSQL alone");
		return err_hint(err, "give its address with --store");
	}
	if (str_eq(blobs, STR("database")) || str_eq(blobs, STR("directory")))
		return 0;
	err_set(err, ERR_VALUE, "'%s' is not a place of dumps", shown(blobs).text);
	return err_hint(err, "give directory, database or s3://BUCKET");
}

static int copy_blobs(const struct settings *settings, struct settings_store *ret, struct err *err)
{
	int status = copy_setting(settings->blobs, ret->blobs, err);

	if (status || !settings->blobs.len)
		return status;
	ret->place.blobs = ret->blobs;
	status = copy_setting(settings->blobs_key_file, ret->blobs_key_file, err);
	if (settings->blobs_key_file.len)
		ret->place.blobs_key_file = ret->blobs_key_file;
	return status ? status : check_blobs(ret, err);
}

int settings_store(const struct settings *settings, struct settings_store *ret, struct err *err)
{
	int status = settings_state_dir(settings, ret->directory, err);

	ret->place = (struct store_place){ ret->directory };
	if (!status)
		status = copy_database(settings, ret, err);
	return status ? status : copy_blobs(settings, ret, err);
}

int settings_store_at(const struct settings *settings, struct str address, const char *scratch,
	struct settings_store *ret, struct err *err)
{
	struct settings given = *settings;
	bool is_sqlite = str_starts(address, STR("sqlite:"));

	given.store = is_sqlite ? STR("") : address;
	if (is_sqlite)
		given.state_dir = str_skip(address, strlen("sqlite:"));
	else if (!given.state_dir.len)
		given.state_dir = str_from(scratch);
	if (is_sqlite && !str_starts(given.blobs, STR("s3://")))
		given.blobs = STR("");
	if (!address.len || !given.state_dir.len) {
		err_set(err, ERR_ARGUMENT, "migrate needs two stores, --from and --to");
		return err_hint(err, "for example --from sqlite:/var/lib/opcheck --to postgresql://opcheck@db/opcheck");
	}
	return settings_store(&given, ret, err);
}

/* --- configuration files */

/* The --config of an argument vector, or "". */
static struct str config_given(struct argument_vector given)
{
	CLEANUP(settings_clear) struct settings ignored = settings_of(given);
	struct arguments arguments;
	struct err err;
	struct str path = STR("");

	if (options_parse(table, given, &ignored, &arguments, &err) == 0) {
		path = ignored.config_file.ptr ? ignored.config_file : path;
		arguments_clear(&arguments);
	}
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
	const char *directory = getenv("CONFIGURATION_DIRECTORY"), *variable = getenv("OPCHECKD_CONFIG");
	char path[PATH_MAX];
	int len, status;

	if (!given.len && variable)
		given = str_from(variable);
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

static int apply_configuration(struct settings *settings, struct err *err)
{
	struct argument_vector arguments = settings->given;
	CLEANUP(mem_release) bool *given = mem_zalloc(options_count(table) * sizeof(given[0]));
	bool help = false;
	int status = options_given(table, arguments, given, &help, err);

	if (status || help)
		return status;
	status = read_config(&settings->config, config_given(arguments), err);
	return status ? status
		      : config_apply(
				&settings->config, &(struct config_use){ "opcheckd", table, given, settings }, err);
}

/* A dump is put in one request, of at most 5 GB: docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html */
static int check_upload_bytes(const struct settings *settings, struct err *err)
{
	static const uint64_t most = 5000000000;

	if (!str_starts(settings->blobs, STR("s3://")) || settings->limits.upload_bytes <= most)
		return 0;
	err_set(err, ERR_CONFIG, "a bucket takes dumps of at most 5 GB, and upload-bytes is more");
	return err_hint(err, "set the limit upload-bytes to 4G or less");
}

int settings_read(struct settings *settings, struct arguments *ret, struct err *err)
{
	int status = apply_configuration(settings, err);

	if (!status)
		status = options_parse(table, settings->given, settings, ret, err);
	return status ? status : check_upload_bytes(settings, err);
}
