#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/asked/config.h"
#include "check/asked/config_keys.h"
#include "check/asked/policy_files.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "report/doc/textw.h"

static const struct option config_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	{ 0 },
};

/* --- one setting */

/* A setting, its value and where that is from. */
struct shown_setting {
	struct str section, name, value, origin;
};

static const struct field setting_fields[] = {
	{ "section", &kind_text, AT(shown_setting, section) },
	{ "name", &kind_text, AT(shown_setting, name) },
	{ "value", &kind_text, AT(shown_setting, value) },
	{ "origin", &kind_text, AT(shown_setting, origin) },
	{ 0 },
};
static const struct record setting_record = { sizeof(struct shown_setting), setting_fields };
static const struct sheet_shape setting_shape = { "config.title", &setting_record };

struct shown_settings {
	const struct config *config;
	struct shown_setting *items;
	size_t count, capacity;
	struct arena arena;
};

static void add_setting(struct shown_settings *shown, const struct config_key *key, const char *name, struct str value,
	struct str origin)
{
	MEM_PUSH(shown, ((struct shown_setting){ str_from(key->section), str_from(name),
				arena_keep(&shown->arena, value), arena_keep(&shown->arena, origin) }));
}

static void add_key(struct shown_settings *shown, const struct config_key *key)
{
	const struct config_value *first = config_next(shown->config, key, NULL);
	const char *variable = config_variable(key);
	CLEANUP(buf_clear) struct buf origin = BUF_UNLIMITED;

	if (variable) {
		buf_printf(&origin, "$%s", key->variable);
		add_setting(shown, key, key->name, str_from(variable), buf_str(&origin));
	} else if (!first) {
		add_setting(shown, key, key->name, str_from(key->initial ? key->initial : "-"), STR("default"));
	}
	for (const struct config_value *value = variable ? NULL : first; value;
		value = config_next(shown->config, key, value)) {
		buf_reset(&origin);
		buf_printf(&origin, "%.*s:%u", STR_ARG(value->origin), value->line);
		add_setting(shown, key, key->name, value->value, buf_str(&origin));
	}
}

/* The strongest file that sets a limit, or NULL. */
static const struct config_value *file_with_limit(
	const struct config *config, const struct config_key *key, struct str name)
{
	const struct config_value *found = NULL;

	for (size_t i = 0; i < config->count; i++) {
		struct str value = config->items[i].value, limit;

		str_cut(&value, '=', &limit);
		/* of one file the last line counts, of several files the first */
		if (config->items[i].key == key && str_eq(limit, name) &&
			(!found || found->file == config->items[i].file))
			found = &config->items[i];
	}
	return found;
}

/* The value that a variable has for a limit ("a=1,b=2"); "" when it has none. */
static struct str limit_in(const char *variable, struct str name)
{
	struct str rest = str_from(variable ? variable : ""), part, found = STR("");

	while (str_cut(&rest, ',', &part)) {
		struct str value = str_trim(part), limit;

		str_cut(&value, '=', &limit);
		if (str_eq(limit, name) && value.ptr)
			found = value;
	}
	return found;
}

static void add_limit(struct shown_settings *shown, const struct config_key *key, const struct limit_key *limit)
{
	const struct config_value *value = file_with_limit(shown->config, key, str_from(limit->name));
	struct str from_variable = limit_in(config_variable(key), str_from(limit->name));
	CLEANUP(buf_clear) struct buf origin = BUF_UNLIMITED;
	char number[24];

	if (from_variable.len) {
		add_setting(shown, key, limit->name, from_variable, STR("$OPCHECK_LIMIT"));
	} else if (value) {
		buf_printf(&origin, "%.*s:%u", STR_ARG(value->origin), value->line);
		add_setting(shown, key, limit->name, str_skip(value->value, strlen(limit->name) + 1), buf_str(&origin));
	} else {
		snprintf(number, sizeof(number), "%llu", (unsigned long long)limit->initial);
		add_setting(shown, key, limit->name, str_from(number), STR("default"));
	}
}

static void add_settings(struct shown_settings *shown)
{
	for (const struct config_key *key = shown->config->keys; key->name; key++) {
		if (key->kind != CONFIG_LIMITS) {
			add_key(shown, key);
			continue;
		}
		for (size_t i = 0; i < limit_key_count; i++) {
			if (!limit_keys[i].service)
				add_limit(shown, key, &limit_keys[i]);
		}
	}
}

/* --- formats */

static void show_text(const void *answer, struct buf *out)
{
	enum { NAME = 24, VALUE = 24 };
	const struct shown_settings *shown = answer;
	struct str section = STR("");

	for (size_t i = 0; i < shown->count; i++) {
		const struct shown_setting *setting = &shown->items[i];
		CLEANUP(buf_clear) struct buf value = textw_printable(setting->value);
		CLEANUP(buf_clear) struct buf origin = textw_printable(setting->origin);

		if (!str_eq(setting->section, section))
			buf_printf(out, "[%.*s]\n", STR_ARG(setting->section));
		section = setting->section;
		buf_printf(out, "%-*.*s %-*s %s\n", NAME, STR_ARG(setting->name), VALUE, buf_text(&value),
			buf_text(&origin));
	}
}

static int show_json(const void *answer, struct buf *out, struct err *err UNUSED)
{
	const struct shown_settings *shown = answer;
	struct jsonw json = jsonw_start(out, 2);

	jsonw_fill(&json, "{'files': [");
	for (size_t i = 0; i < shown->config->files.count; i++)
		jsonw_str(&json, shown->config->files.items[i]);
	jsonw_list_end(&json);
	record_put_list(&json, "settings", &setting_record, shown->items, shown->count);
	jsonw_object_end(&json);
	return 0;
}

static void show_rows(const void *answer, struct sheet *sheet)
{
	const struct shown_settings *shown = answer;

	sheet_rows(sheet, shown->items, shown->count);
}

static int show_settings(const struct common_options *options, const struct config *config, struct err *err)
{
	struct shown_settings shown = { .config = config, .arena = ARENA_INIT(ARENA_UNLIMITED) };
	int status;

	add_settings(&shown);
	status = common_write(options, put_table,
		&(struct table_answer){ &shown, &setting_shape, show_rows, show_text, show_json }, err);
	free(shown.items);
	arena_clear(&shown.arena);
	return status;
}

/* --- checking */

static const struct config_key *key_named(const char *name)
{
	for (const struct config_key *key = config_keys(); key->name; key++) {
		if (strcmp(key->name, name) == 0)
			return key;
	}
	return NULL;
}

/* The files of waivers and the baseline that the configuration names. */
static int check_policy_files(const struct config *config, struct policy *policy, struct err *err)
{
	struct limits limits = limits_default();
	const struct config_value *value = NULL;
	int status = 0;

	while (!status && (value = config_next(config, key_named("waivers"), value)))
		status = policy_read_waivers(policy, value->value.ptr, &limits, err);
	value = config_next(config, key_named("baseline"), NULL);
	return status || !value ? status : policy_read_baseline(policy, value->value.ptr, &limits, err);
}

static int check_files(const struct config *config, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct policy policy;
	int status;

	policy_init(&policy);
	status = check_policy_files(config, &policy, err);
	policy_clear(&policy);
	for (size_t i = 0; i < config->files.count && !status; i++) {
		utf8_printable(&out, config->files.items[i]);
		buf_add(&out, STR(": OK\n"));
	}
	if (!status && !config->files.count)
		buf_add(&out, STR("no configuration file found\n"));
	return status ? status : output_print(buf_str(&out), err);
}

static int run_config(void *ctx, const struct arguments *arguments, struct err *err)
{
	const struct common_options *options = ctx;
	struct str action = str_from(arguments->items[0]);
	const char *path = arguments->count > 1 ? arguments->items[1] : NULL;
	CLEANUP(config_clear) struct config config = config_of(config_keys());
	int status = 0;

	if (!str_eq(action, STR("show")) && !str_eq(action, STR("check"))) {
		err_set(err, ERR_ARGUMENT, "opcheck config has no '%s'", shown(action).text);
		return err_hint(err, "use `opcheck config show` or `opcheck config check [FILE]`");
	}
	if (path)
		status = config_read(&config, path, str_ends(str_from(path), STR(".opcheck.conf")), err);
	else
		status = config_read_usual(&config, err);
	if (!status && str_eq(action, STR("show")))
		status = show_settings(options, &config, err);
	else if (!status)
		status = check_files(&config, err);
	return status;
}

const struct command cmd_config = {
	.name = "config",
	.summary = "show every setting and its origin, or check a file",
	.usage = "show|check [FILE] [OPTION]...",
	.examples = "  opcheck config show\n"
		    "  opcheck config check .opcheck.conf",
	.options = config_table,
	.options_size = sizeof(struct common_options),
	.formats = "text json csv md html",
	.operand = "show or check",
	.min_operands = 1,
	.max_operands = 2,
	.run = run_config,
};
