#include "check/asked/config_keys.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/value/utf8.h"
#include "check/asked/terms.h"
#include "report/render.h"

#define GATED "check submit"
#define READING "check buckets op advise diff"

/* As the option takes it. */
static int check_term(const struct config_key *key, struct str value, struct err *err)
{
	struct policy policy = { 0 };
	struct stated stated = { 0 };
	const struct terms terms = { .policy = &policy, .stated = &stated };
	const struct term *term = term_named(str_from(key->name));

	return term->set(&(struct term_use){ &terms, term }, value, err);
}

static int check_limit(const struct config_key *key, struct str value, struct err *err)
{
	struct limits limits = limits_default();

	(void)key;
	return limits_set(&limits, value, err);
}

static int check_lang(const struct config_key *key, struct str value, struct err *err)
{
	enum lang lang;

	(void)key;
	if (lang_from(value, &lang))
		return 0;
	err_set(err, ERR_CONFIG, "no language '%s'", shown(value).text);
	return err_hint(err, "use en or zh-CN");
}

static int check_color(const struct config_key *key, struct str value, struct err *err)
{
	(void)key;
	if (str_eq(value, STR("auto")) || str_eq(value, STR("always")) || str_eq(value, STR("never")))
		return 0;
	return err_set(err, ERR_CONFIG, "color is auto, always or never, not '%s'", shown(value).text);
}

static int check_format(const struct config_key *key, struct str value, struct err *err)
{
	(void)key;
	if (renderer_find(value))
		return 0;
	return err_set(err, ERR_CONFIG, "no format '%s'", shown(value).text);
}

const struct config_key config_keys[] = {
	{ "", "target", CONFIG_LIST, "npu, musa", "OPCHECK_TARGET", .commands = READING " submit" },
	{ "", "torch", CONFIG_TEXT, NULL, "OPCHECK_TORCH", .commands = GATED },
	{ "", "dtype", CONFIG_LIST, NULL, "OPCHECK_DTYPE", .commands = GATED, .check = check_term },
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
	{ "gate", "fail-on", CONFIG_LIST, NULL, "OPCHECK_FAIL_ON", .commands = GATED, .check = check_term },
	{ "gate", "waivers", CONFIG_PATH_LIST, NULL, "OPCHECK_WAIVERS", .commands = GATED },
	{ "gate", "fail-on-expired-waiver", CONFIG_SWITCH, "false", "OPCHECK_FAIL_ON_EXPIRED_WAIVER",
		.commands = GATED },
	{ "gate", "baseline", CONFIG_PATH, NULL, "OPCHECK_BASELINE", .commands = GATED },
	{ "gate", "max-blocked-time", CONFIG_TEXT, NULL, "OPCHECK_MAX_BLOCKED_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "max-fallback-time", CONFIG_TEXT, NULL, "OPCHECK_MAX_FALLBACK_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "max-unknown-time", CONFIG_TEXT, NULL, "OPCHECK_MAX_UNKNOWN_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "max-dynamic-time", CONFIG_TEXT, NULL, "OPCHECK_MAX_DYNAMIC_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "min-readiness", CONFIG_TEXT, NULL, "OPCHECK_MIN_READINESS", .commands = GATED, .check = check_term },
	{ "gate", "max-aicpu-time", CONFIG_TEXT, NULL, "OPCHECK_MAX_AICPU_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "min-coverage", CONFIG_TEXT, NULL, "OPCHECK_MIN_COVERAGE", .commands = GATED, .check = check_term },
	{ "gate", "max-uncovered-time", CONFIG_TEXT, "5%", "OPCHECK_MAX_UNCOVERED_TIME", .commands = GATED,
		.check = check_term },
	{ "gate", "slow-time", CONFIG_TEXT, "5%", "OPCHECK_SLOW_TIME", .commands = GATED, .check = check_term },
	{ "gate", "require-dtypes", CONFIG_SWITCH, "false", "OPCHECK_REQUIRE_DTYPES", .commands = GATED },
	{ "limits", "limit", CONFIG_LIMITS, NULL, "OPCHECK_LIMIT", .check = check_limit },
	{ 0 },
};

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
