#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/asked/config.h"
#include "check/asked/config_keys.h"
#include "check/asked/policy_files.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"

static const struct option config_table[] = {
	OPTIONS_OUTPUT("text (default), json, csv, md, html"),
	{ 0 },
};

/* --- one setting */

/* A setting, its value and where that is from. */
struct shown_setting {
	const char *section, *name;
	struct str value, origin;
};

typedef void put_setting(void *ctx, const struct shown_setting *setting);

struct settings_walk {
	const struct config *config;
	put_setting *put;
	void *ctx;
};

static void put_file_values(
	const struct settings_walk *walk, const struct config_key *key, const struct config_value *value)
{
	for (; value; value = config_next(walk->config, key, value)) {
		CLEANUP(buf_clear) struct buf origin = BUF_UNLIMITED;

		buf_printf(&origin, "%.*s:%u", STR_ARG(value->origin), value->line);
		walk->put(
			walk->ctx, &(struct shown_setting){ key->section, key->name, value->value, buf_str(&origin) });
	}
}

static void put_key(const struct settings_walk *walk, const struct config_key *key)
{
	const struct config_value *first = config_next(walk->config, key, NULL);
	const char *variable = config_variable(key);
	struct shown_setting setting = { key->section, key->name, str_from(key->initial ? key->initial : "-"),
		STR("default") };
	CLEANUP(buf_clear) struct buf origin = BUF_UNLIMITED;

	if (variable) {
		buf_printf(&origin, "$%s", key->variable);
		setting.value = str_from(variable);
		setting.origin = buf_str(&origin);
		walk->put(walk->ctx, &setting);
	} else if (first) {
		put_file_values(walk, key, first);
	} else {
		walk->put(walk->ctx, &setting);
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

static void put_limit(const struct settings_walk *walk, const struct config_key *key, const struct limit_key *limit)
{
	const struct config_value *value = file_with_limit(walk->config, key, str_from(limit->name));
	struct str from_variable = limit_in(config_variable(key), str_from(limit->name));
	CLEANUP(buf_clear) struct buf origin = BUF_UNLIMITED;
	char number[24];
	struct shown_setting setting = { key->section, limit->name, STR(""), STR("default") };

	snprintf(number, sizeof(number), "%llu", (unsigned long long)limit->initial);
	setting.value = str_from(number);
	if (from_variable.len) {
		setting.value = from_variable;
		setting.origin = STR("$OPCHECK_LIMIT");
	} else if (value) {
		setting.value = str_skip(value->value, strlen(limit->name) + 1);
		buf_printf(&origin, "%.*s:%u", STR_ARG(value->origin), value->line);
		setting.origin = buf_str(&origin);
	}
	walk->put(walk->ctx, &setting);
}

static void put_settings(const struct settings_walk *walk)
{
	for (const struct config_key *key = walk->config->keys; key->name; key++) {
		if (key->kind != CONFIG_LIMITS) {
			put_key(walk, key);
			continue;
		}
		for (size_t i = 0; i < limit_key_count; i++) {
			if (!limit_keys[i].service)
				put_limit(walk, key, &limit_keys[i]);
		}
	}
}

/* --- as text and as JSON */

struct text_settings {
	struct buf *out;
	const char *section; /* the one that is open */
};

static void put_text(void *ctx, const struct shown_setting *setting)
{
	enum { NAME = 24, VALUE = 24 };
	struct text_settings *text = ctx;
	CLEANUP(buf_clear) struct buf value = BUF_UNLIMITED, origin = BUF_UNLIMITED;

	if (strcmp(setting->section, text->section) != 0)
		buf_printf(text->out, "[%s]\n", setting->section);
	text->section = setting->section;
	utf8_printable(&value, setting->value);
	utf8_printable(&origin, setting->origin);
	buf_printf(text->out, "%-*s %-*s %s\n", NAME, setting->name, VALUE, buf_text(&value), buf_text(&origin));
}

static void put_json(void *ctx, const struct shown_setting *setting)
{
	struct jsonw *json = ctx;

	jsonw_fill(json, "{'section': $, 'name': $, 'value': $, 'origin': $}", str_from(setting->section),
		str_from(setting->name), setting->value, setting->origin);
}

static int show_json(const void *answer, struct buf *out, struct err *err)
{
	const struct config *config = answer;
	struct jsonw json = jsonw_start(out, 2);
	struct settings_walk walk = { config, put_json, &json };

	(void)err;
	jsonw_fill(&json, "{'files': [");
	for (size_t i = 0; i < config->files.count; i++)
		jsonw_str(&json, config->files.items[i]);
	jsonw_fill(&json, "], 'settings': [");
	put_settings(&walk);
	jsonw_fill(&json, "]}");
	return 0;
}

static void put_row(void *ctx, const struct shown_setting *setting)
{
	struct sheet *sheet = ctx;

	sheet_cells(sheet, str_from(setting->section), str_from(setting->name), setting->value, setting->origin);
}

static void show_rows(const void *answer, struct sheet *sheet)
{
	put_settings(&(struct settings_walk){ answer, put_row, sheet });
}

static void show_text(const void *answer, struct buf *out)
{
	struct text_settings text = { out, "" };

	put_settings(&(struct settings_walk){ answer, put_text, &text });
}

static const char *const setting_heads[] = { "section", "name", "value", "origin" };
static const struct sheet_shape setting_shape = { "config.title", setting_heads, ARRAY_SIZE(setting_heads) };

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
	struct config config = config_of(config_keys());
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
		status = common_write(options, put_table,
			&(struct table_answer){ &config, &setting_shape, show_json, show_text, show_rows }, err);
	else if (!status)
		status = check_files(&config, err);
	config_clear(&config);
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
