#include "check/asked/config_keys.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "check/asked/terms.h"
#include "report/render.h"

struct key_list {
	struct config_key *items;
	size_t count, capacity;
	bool ended;
};

#define GATED "check submit"
#define READING "check buckets op advise diff"

/* In the form of the option. */
static int check_term(const struct config_key *key, struct str value, struct err *err)
{
	struct policy policy = { 0 };
	struct stated stated = { 0 };
	const struct terms terms = { .policy = &policy, .stated = &stated };
	const struct term *term = term_named(str_from(key->name));

	return term->set(&(struct term_use){ &terms, term }, value, err);
}

static int check_limit(const struct config_key *key UNUSED, struct str value, struct err *err)
{
	struct limits limits = limits_default();

	return limits_set(&limits, value, err);
}

static int check_lang(const struct config_key *key UNUSED, struct str value, struct err *err)
{
	enum lang lang;

	if (lang_from(value, &lang))
		return 0;
	err_set(err, ERR_CONFIG, "no language '%s'", shown(value).text);
	return err_hint(err, "use en or zh-CN");
}

static int check_color(const struct config_key *key UNUSED, struct str value, struct err *err)
{
	if (str_eq(value, STR("auto")) || str_eq(value, STR("always")) || str_eq(value, STR("never")))
		return 0;
	return err_set(err, ERR_CONFIG, "color is auto, always or never, not '%s'", shown(value).text);
}

static int check_format(const struct config_key *key UNUSED, struct str value, struct err *err)
{
	if (renderer_find(value))
		return 0;
	return err_set(err, ERR_CONFIG, "no format '%s'", shown(value).text);
}

/* Of the program; the terms that are settings follow in their section. */
static const struct config_key own_keys[] = {
	{ "", "target", CONFIG_LIST, "npu, musa", "OPCHECK_TARGET", .commands = READING " submit" },
	{ "", "torch", CONFIG_TEXT, NULL, "OPCHECK_TORCH", .commands = GATED },
	{ "", "db", CONFIG_PATH, "beside the program", "OPCHECK_DB", true, .commands = READING " targets version" },
	{ "", "overlay", CONFIG_PATH_LIST, NULL, "OPCHECK_OVERLAY", true, .commands = READING },
	{ "", "server", CONFIG_TEXT, NULL, "OPCHECK_SERVER", true, .private = true },
	{ "", "token-file", CONFIG_PATH, NULL, NULL, .private = true },
	{ "", "ca-file", CONFIG_PATH, NULL, NULL, .private = true },
	{ "", "proxy", CONFIG_TEXT, NULL, NULL, .private = true },
	{ "", "format", CONFIG_TEXT, "text", "OPCHECK_FORMAT", .commands = GATED, .check = check_format },
	{ "", "lang", CONFIG_TEXT, "of the locale", "OPCHECK_LANG", true, .commands = READING " submit convert",
		.check = check_lang },
	{ "", "color", CONFIG_TEXT, "auto", "OPCHECK_COLOR", .commands = GATED " convert", .check = check_color },
	{ "gate", "waivers", CONFIG_PATH_LIST, NULL, "OPCHECK_WAIVERS", .commands = GATED },
	{ "gate", "baseline", CONFIG_PATH, NULL, "OPCHECK_BASELINE", .commands = GATED },
	{ "limits", "limit", CONFIG_LIMITS, NULL, "OPCHECK_LIMIT", .check = check_limit },
	{ 0 },
};

static struct config_key key_of(const struct term *term)
{
	static const enum config_kind kinds[] = {
		[TERM_WORD] = CONFIG_TEXT, [TERM_LIST] = CONFIG_LIST, [TERM_SWITCH] = CONFIG_SWITCH
	};

	return (struct config_key){ term->section, term_name(term), kinds[term->kind], term->initial, term->variable,
		.commands = GATED, .check = term->kind == TERM_SWITCH ? NULL : check_term };
}

static void add_terms(struct key_list *list, const char *section)
{
	for (size_t i = 0; i < term_count; i++) {
		if (term_table[i].section && strcmp(term_table[i].section, section) == 0)
			MEM_PUSH(list, key_of(&term_table[i]));
	}
}

const struct config_key *config_keys(void)
{
	static struct key_list list; /* for as long as the program runs */

	for (const struct config_key *key = own_keys; !list.ended; key++) {
		MEM_PUSH(&list, *key);
		list.ended = !key->name;
		if (key->name && (!key[1].name || strcmp(key->section, key[1].section) != 0))
			add_terms(&list, key->section);
	}
	return list.items;
}

/* --- files */

/* A file that need not be there. */
static int read_if_there(struct config *config, const char *path, struct err *err)
{
	return access(path, F_OK) == 0 ? config_read(config, path, false, err) : 0;
}

static int read_of_user(struct config *config, struct err *err)
{
	const char *directory = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	bool is_named = directory && directory[0];

	if (!is_named && !(home && home[0]))
		return 0;
	return read_if_there(config,
		arena_printf(&config->arena, "%s%s/opcheck/opcheck.conf", is_named ? directory : home,
			is_named ? "" : "/.config")
			.ptr,
		err);
}

int config_read_usual(struct config *config, struct err *err)
{
	const char *alone = getenv("OPCHECK_CONFIG");
	struct str found;
	int status = 0;

	if (alone && alone[0])
		return strcmp(alone, "none") == 0 ? 0 : config_read(config, alone, false, err);
	found = config_find(config, ".opcheck.conf");
	if (found.len)
		status = config_read(config, found.ptr, true, err);
	if (!status)
		status = read_of_user(config, err);
	return status ? status : read_if_there(config, "/etc/opcheck/opcheck.conf", err);
}
