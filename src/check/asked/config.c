#include "check/asked/config.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/ini.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

enum { FILE_BYTES = 1 << 20 };

struct config config_of(const struct config_key *keys)
{
	return (struct config){ .keys = keys, .arena = ARENA_INIT(ARENA_UNLIMITED) };
}

void config_clear(struct config *config)
{
	free(config->items);
	free(config->files.items);
	arena_clear(&config->arena);
	*config = config_of(config->keys);
}

/* --- one setting */

/* A file that is being read. */
struct config_reading {
	struct config *config;
	struct ini ini;
	struct str directory;
	bool repository;
	struct err *err;
};

static int reading_error(const struct config_reading *reading)
{
	reading->err->code = ERR_CONFIG;
	return ini_where(&reading->ini, reading->err);
}

static bool has_section(const struct config *config, struct str section)
{
	for (const struct config_key *key = config->keys; key->name; key++) {
		if (str_eq(str_from(key->section), section))
			return true;
	}
	return false;
}

static const struct config_key *find_key(const struct config *config, const struct ini_item *item)
{
	for (const struct config_key *key = config->keys; key->name; key++) {
		if (str_eq(str_from(key->section), item->section) &&
			(key->kind == CONFIG_LIMITS || str_eq(str_from(key->name), item->key)))
			return key;
	}
	return NULL;
}

static int unknown_setting(const struct config_reading *reading, const struct ini_item *item)
{
	struct nearest nearest = NEAREST_TO(item->key);

	err_set(reading->err, ERR_CONFIG, "unknown setting '%s'", shown(item->key).text);
	for (const struct config_key *key = reading->config->keys; key->name; key++) {
		if (str_eq(str_from(key->name), item->key))
			err_hint(reading->err, "it belongs %s%s",
				key->section[0] ? "into the section " : "before all sections", key->section);
		nearest_offer(&nearest, str_from(key->name));
	}
	if (nearest.count)
		err_hint(reading->err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	else
		err_hint(reading->err, "see the manual page of the program");
	return reading_error(reading);
}

static bool is_path(const struct config_key *key)
{
	return key->kind == CONFIG_PATH || key->kind == CONFIG_PATH_LIST;
}

/* The value as the option takes it. */
static struct str settle_value(
	const struct config_reading *reading, const struct config_key *key, const struct ini_item *item)
{
	bool is_limit = key->kind == CONFIG_LIMITS, is_relative = is_path(key) && item->value.ptr[0] != '/';
	struct str before = is_limit ? item->key : is_relative ? reading->directory : STR("");

	return arena_printf(
		&reading->config->arena, "%.*s%s%.*s", STR_ARG(before), is_limit ? "=" : "", STR_ARG(item->value));
}

static int check_switch(struct str value, struct err *err)
{
	return str_eq(value, STR("true")) || str_eq(value, STR("false"))
		       ? 0
		       : err_set(err, ERR_CONFIG, "'%s' is not true or false", shown(value).text);
}

static int check_value(const struct config_reading *reading, const struct config_key *key, struct str value)
{
	if (key->private && reading->repository) {
		err_set(reading->err, ERR_CONFIG, "'%s' cannot be set by the file of a repository", key->name);
		err_hint(reading->err, "a repository must not choose it; set it in ~/.config/opcheck/opcheck.conf");
		return reading_error(reading);
	}
	if (key->kind == CONFIG_SWITCH && check_switch(value, reading->err))
		return reading_error(reading);
	return key->check && key->check(key, value, reading->err) ? reading_error(reading) : 0;
}

static bool takes_several(const struct config_key *key)
{
	return key->kind == CONFIG_LIST || key->kind == CONFIG_PATH_LIST || key->kind == CONFIG_LIMITS;
}

static int check_single(const struct config_reading *reading, const struct config_key *key)
{
	const struct config *config = reading->config;

	for (size_t i = 0; i < config->count && !takes_several(key); i++) {
		if (config->items[i].key != key || config->items[i].file != config->files.count)
			continue;
		err_set(reading->err, ERR_CONFIG, "'%s' is already set in line %u", key->name, config->items[i].line);
		return reading_error(reading);
	}
	return 0;
}

static int take_item(const struct config_reading *reading, const struct ini_item *item)
{
	struct config *config = reading->config;
	const struct config_key *key = find_key(config, item);
	struct config_value value = { .key = key, .line = reading->ini.line, .file = config->files.count };
	int status;

	if (!key)
		return unknown_setting(reading, item);
	if (!item->value.len) {
		err_set(reading->err, ERR_CONFIG, "'%s' has no value", key->name);
		return reading_error(reading);
	}
	value.value = settle_value(reading, key, item);
	value.origin = reading->ini.name;
	status = check_value(reading, key, value.value) ?: check_single(reading, key);
	if (!status)
		MEM_PUSH(config, value);
	return status;
}

static int begin_section(const struct config_reading *reading, struct str section)
{
	if (has_section(reading->config, section))
		return 0;
	err_set(reading->err, ERR_CONFIG, "no section '%s'", shown(section).text);
	err_hint(reading->err, "see the manual page of the program");
	return reading_error(reading);
}

/* --- files */

static struct str directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (struct str){ path, (size_t)(slash - path) + 1 } : STR("");
}

int config_read_text(struct config *config, struct str text, const char *path, bool repository, struct err *err)
{
	struct str name = arena_keep(&config->arena, str_from(path));
	struct config_reading reading = { .config = config,
		.ini = ini_of(text, name),
		.directory = directory_of(name.ptr),
		.repository = repository,
		.err = err };
	struct ini_item item;
	int status;

	while ((status = ini_next(&reading.ini, &item, err)) == 1) {
		status = item.key.len ? take_item(&reading, &item) : begin_section(&reading, item.section);
		if (status)
			return status;
	}
	if (!status)
		MEM_PUSH(&config->files, name);
	return status;
}

int config_read(struct config *config, const char *path, bool repository, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(FILE_BYTES);
	char chunk[4096];
	size_t count;
	FILE *file = fopen(path, "re");

	if (!file) {
		err_os(err, ERR_CONFIG, errno, "cannot open");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	while ((count = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(&text, (struct str){ chunk, count });
	count = (size_t)ferror(file);
	fclose(file);
	if (!count && !text.full)
		return config_read_text(config, buf_str(&text), path, repository, err);
	err_set(err, ERR_CONFIG, count ? "cannot read" : "larger than 1 MiB");
	return err_where(err, "%s", shown(str_from(path)).text);
}

/* The root directory is "". */
static bool has_file(struct str directory, const char *name)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(2 * PATH_MAX);

	buf_printf(&path, "%.*s/%s", STR_ARG(directory), name);
	return access(buf_text(&path), F_OK) == 0;
}

static bool is_repository(struct str directory)
{
	static const char *const marks[] = { ".git", ".hg", ".svn", ".bzr", ".jj" };

	return ANY(i, ARRAY_SIZE(marks), has_file(directory, marks[i]));
}

static struct str parent_of(struct str directory)
{
	size_t last = str_tail(directory, '/').len;

	return last < directory.len ? str_chop(directory, last + 1) : STR("");
}

/* The repository that a directory is in; outside of one the directory itself. */
static struct str repository_of(struct str directory)
{
	for (struct str root = directory;; root = parent_of(root)) {
		if (is_repository(root))
			return root;
		if (!root.len)
			return directory;
	}
}

struct str config_find(struct config *config, const char *name)
{
	char path[PATH_MAX];
	struct str directory, root;

	if (!getcwd(path, sizeof(path)))
		return STR("");
	directory = str_from(path[1] ? path : "");
	root = repository_of(directory);
	while (!has_file(directory, name)) {
		if (directory.len <= root.len)
			return STR("");
		directory = parent_of(directory);
	}
	return arena_printf(&config->arena, "%.*s/%s", STR_ARG(directory), name);
}

/* --- options */

const struct config_value *config_next(
	const struct config *config, const struct config_key *key, const struct config_value *after)
{
	for (size_t i = after ? (size_t)(after - config->items) + 1 : 0; i < config->count; i++) {
		if (config->items[i].key == key && (!after || config->items[i].file == after->file))
			return &config->items[i];
	}
	return NULL;
}

const char *config_variable(const struct config_key *key)
{
	const char *value = key->variable ? getenv(key->variable) : NULL;

	return value && value[0] ? value : NULL;
}

/* An option that is to be set, and the key for it. */
struct setting {
	const struct option *option;
	const struct config_key *key;
	void *ctx;
};

static int set_option(const struct setting *setting, struct str value, struct err *err)
{
	bool is_switch = setting->key->kind == CONFIG_SWITCH;

	if (is_switch && !str_eq(value, STR("true")))
		return 0;
	if (!option_set(setting->option, setting->ctx, is_switch ? STR("") : value, err))
		return 0;
	err->code = ERR_CONFIG;
	return -ERR_CONFIG;
}

/* The parts of a list in a variable: paths with a colon between them, anything else with commas. */
static int set_parts(struct config *config, const struct setting *setting, const char *variable, struct err *err)
{
	struct str text = arena_keep(&config->arena, str_from(variable));
	const struct config_key *key = setting->key;
	const char *separators = !takes_several(key) ? "" : is_path(key) ? ":" : ",";
	int status = 0;

	for (size_t from = 0, to; from <= text.len && !status; from = to + 1) {
		struct str part;

		for (to = from; to < text.len && !strchr(separators, text.ptr[to]); to++)
			;
		part = arena_keep(
			&config->arena, str_trim(str_sub(text, from, to))); /* ends with a NUL, as an argument does */
		if (part.len && key->check)
			status = key->check(key, part, err);
		if (part.len && !status)
			status = set_option(setting, part, err);
	}
	return status;
}

static int apply_variable(struct config *config, const struct setting *setting, struct err *err)
{
	const struct config_key *key = setting->key;
	const char *variable = config_variable(key);
	int status = 0;

	if (key->variable_read_elsewhere)
		return 0;
	if (key->kind == CONFIG_SWITCH)
		status = check_switch(str_from(variable), err);
	if (!status)
		status = set_parts(config, setting, variable, err);
	if (!status)
		return 0;
	err->code = ERR_CONFIG;
	return err_where(err, "$%s", key->variable);
}

static int apply_value(const struct setting *setting, const struct config_value *value, struct err *err)
{
	if (!set_option(setting, value->value, err))
		return 0;
	return err_where(err, "%s:%u", shown(value->origin).text, value->line);
}

/* Every limit by itself: the weakest file first, so that stronger ones win. */
static int apply_limits(const struct config *config, const struct setting *setting, struct err *err)
{
	int status = 0;

	for (size_t file = config->files.count; file-- && !status;) {
		for (size_t i = 0; i < config->count && !status; i++) {
			if (config->items[i].key == setting->key && config->items[i].file == file)
				status = apply_value(setting, &config->items[i], err);
		}
	}
	return status;
}

static const struct config_key *key_of(const struct config *config, const struct option *option, const char *command)
{
	for (const struct config_key *key = config->keys; key->name; key++) {
		/* a program's own option named --limit is not one of the limits */
		bool is_other = key->kind == CONFIG_LIMITS && !option->set;

		if (option->help && str_eq(str_from(key->name), str_from(option->name)) && !is_other &&
			(!key->commands || str_has_word(str_from(key->commands), str_from(command))))
			return key;
	}
	return NULL;
}

bool config_concerns(const struct config *config, const struct option *options, const char *command)
{
	for (; options->name; options++) {
		if (key_of(config, options, command))
			return true;
	}
	return false;
}

int config_apply(struct config *config, const struct config_use *use, struct err *err)
{
	int status = 0;

	for (size_t i = 0; use->options[i].name && !status; i++) {
		const struct config_key *key = key_of(config, &use->options[i], use->command);
		struct setting setting = { &use->options[i], key, use->ctx };
		const struct config_value *value = NULL;

		if (!key || (use->given[i] && key->kind != CONFIG_LIMITS))
			continue;
		if (key->kind == CONFIG_LIMITS) /* those of the command line come after and win one by one */
			status = apply_limits(config, &setting, err);
		if (!status && config_variable(key))
			status = apply_variable(config, &setting, err);
		while (!status && !config_variable(key) && key->kind != CONFIG_LIMITS &&
			(value = config_next(config, key, value)))
			status = apply_value(&setting, value, err);
	}
	return status;
}
