/* Configuration files: refused with a position, or every setting can be applied. */
#include "base/memory/mem.h"
#include "check/asked/config.h"
#include "check/asked/config_keys.h"
#include "tests/fuzz/fuzz.h"

struct options {
	struct str_list lists;
	struct str text;
	struct limits limits;
	bool on;
};

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct options *)ctx)->limits, value, err);
}

static const struct option table[] = {
	{ 't', "target", "T", "", LIST(options, lists) },
	{ 0, "lang", "L", "", FIELD(options, text) },
	{ 0, "fail-on", "F", "", LIST(options, lists) },
	{ 0, "waivers", "W", "", LIST(options, lists) },
	{ 0, "fail-on-expired-waiver", NULL, "", FIELD(options, on) },
	{ 0, "limit", "N", "", CALL(set_limit) },
	{ 0 },
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const bool given[8];
	struct str text = fuzz_text(data, size);
	struct options options = { .limits = limits_default() };
	struct config config = config_of(config_keys());
	struct err err = { 0 };
	int status = config_read_text(&config, text, "fuzz.conf", fuzz_byte(&text) & 1, &err);

	HOLD(status == 0 || (status == -ERR_CONFIG && err.where[0] && err.text[0] && !strpbrk(err.text, "\x1b\n")));
	HOLD(status || config_apply(&config, &(struct config_use){ "check", table, given, &options }, &err) == 0);
	for (size_t i = 0; i < options.lists.count; i++)
		HOLD(options.lists.items[i].len && !options.lists.items[i].ptr[options.lists.items[i].len]);
	free(options.lists.items);
	config_clear(&config);
	return 0;
}
