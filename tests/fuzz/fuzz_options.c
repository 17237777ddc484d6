/* What stands on a command line: limits, gates, options, languages, addresses. Arguments are separated by line feeds. */
#include "assess/gate/gate.h"
#include "base/setup/limits.h"
#include "base/memory/mem.h"
#include "base/setup/opt.h"
#include "base/value/url.h"
#include "base/value/utf8.h"
#include "report/doc/catalog.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_ARGUMENTS = 64 };

struct choices {
	struct limits limits;
	struct gate gate;
	struct str text;
	bool quiet, force;
};

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct choices *)ctx)->limits, value, err);
}

static int set_gate(void *ctx, struct str value, struct err *err)
{
	return gate_parse(&((struct choices *)ctx)->gate, value, err);
}

static const struct option table[] = {
	{ 'q', "quiet", NULL, "say nothing", FIELD(choices, quiet) },
	{ 0, "force", NULL, "replace files", FIELD(choices, force) },
	{ 't', "text", "TEXT", "any text", FIELD(choices, text) },
	{ 0, "limit", "NAME=N", "set a limit", CALL(set_limit) },
	{ 0, "fail-on", "LIST", "what fails", CALL(set_gate) },
	{ 0 },
};

static void hold_error(int status, const struct err *err)
{
	size_t bad_at;

	HOLD(status == 0 || (status == -err->code && err_name(err->code) && err->text[0]));
	HOLD(status == 0 || utf8_valid(str_from(err->text), &bad_at));
	HOLD(status == 0 || !strpbrk(err->text, "\x1b\n\x07"));
}

static void hold_gate(const struct gate *gate)
{
	CLEANUP(buf_clear) struct buf words = BUF_INIT(10000), again = BUF_INIT(10000);
	struct gate same = { 0 };
	struct err err;

	gate_put(&words, gate, ',');
	if (gate_is_empty(gate))
		return;
	HOLD(gate_parse(&same, buf_str(&words), &err) == 0);
	gate_put(&again, &same, ',');
	HOLD(str_eq(buf_str(&words), buf_str(&again)));
}

static void hold_url(struct str text)
{
	CLEANUP(buf_clear) struct buf encoded = BUF_INIT(1 << 20);
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str decoded;

	url_decode(text, &arena, &decoded);
	url_put(&encoded, text);
	if (!memchr(text.ptr, '\0', text.len))
		HOLD(url_decode(buf_str(&encoded), &arena, &decoded) && str_eq(decoded, text));
	arena_clear(&arena);
}

static void parse_vector(char *text)
{
	char *argv[MOST_ARGUMENTS + 1] = { 0 };
	struct choices choices = { .limits = limits_default(), .text = STR("") };
	struct arguments arguments = { 0 };
	struct err err = { 0 };
	bool given[ARRAY_SIZE(table)] = { false }, help = false;
	int argc = 0, status, given_status;

	while (text && argc < MOST_ARGUMENTS) {
		char *end = strchr(text, '\n');

		if (end)
			*end = '\0';
		argv[argc++] = text;
		text = end ? end + 1 : NULL;
	}
	given_status = options_given(table, (struct argument_vector){ argc, argv }, given, &help, &err);
	status = options_parse(table, (struct argument_vector){ argc, argv }, &choices, &arguments, &err);
	HOLD(status ||
		(!given_status && help == arguments.help)); /* looking through finds no error that setting does not */
	hold_error(status, &err);
	HOLD(status == 0 || !arguments.items);
	HOLD(arguments.count <= (size_t)argc);
	hold_gate(&choices.gate);
	arguments_clear(&arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	CLEANUP(buf_clear) struct buf copy = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct gate gate = { 0 };
	struct err err = { 0 };
	enum lang lang;

	if (size > 4096)
		return 0;
	hold_error(limits_set(&limits, text, &err), &err);
	hold_error(gate_parse(&gate, text, &err), &err);
	lang_from(text, &lang);
	hold_url(text);
	buf_add(&copy, text);
	parse_vector(copy.ptr);
	return 0;
}
