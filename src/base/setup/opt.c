#include "base/setup/opt.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"

static const struct option *by_name(const struct option *options, struct str name)
{
	for (; options->name; options++) {
		if (str_eq(str_from(options->name), name))
			return options;
	}
	return NULL;
}

static const struct option *by_letter(const struct option *options, char letter)
{
	for (; options->name; options++) {
		if (options->short_name == letter)
			return options;
	}
	return NULL;
}

/* Options of other programs, and what to write where a command has that option. */
static const struct {
	struct str name, option;
	const char *write;
} other_names[] = {
	{ STR("json"), STR("format"), "-f json" },
	{ STR("csv"), STR("format"), "-f csv" },
	{ STR("markdown"), STR("format"), "-f md" },
	{ STR("md"), STR("format"), "-f md" },
	{ STR("html"), STR("output"), "-o report.html" },
	{ STR("pdf"), STR("output"), "-o report.html, then print that page" },
	{ STR("device"), STR("target"), "-t npu or -t musa" },
	{ STR("npu"), STR("target"), "-t npu" },
	{ STR("musa"), STR("target"), "-t musa" },
	{ STR("language"), STR("lang"), "--lang zh-CN" },
};

static int unknown_option(const struct option *options, struct str name, struct err *err)
{
	struct nearest nearest = NEAREST_TO(name);

	err_set(err, ERR_OPTION, "unknown option '--%s'", shown(name).text);
	for (size_t i = 0; i < ARRAY_SIZE(other_names); i++) {
		if (str_eq(other_names[i].name, name) && by_name(options, other_names[i].option))
			return err_hint(err, "write %s", translated(other_names[i].write));
	}
	for (; options->name; options++) {
		if (options->help)
			nearest_offer(&nearest, str_from(options->name));
	}
	nearest_offer(&nearest, STR("help"));
	if (nearest.count)
		return err_hint(err, "did you mean --%.*s?", STR_ARG(nearest.names[0]));
	return err_hint(err, "--help lists the options");
}

static int missing_value(const struct option *option, struct err *err)
{
	err_set(err, ERR_ARGUMENT, "option --%s needs a value", option->name);
	return err_hint(err, "write --%s=%s", option->name, option->value);
}

/* A walk over the arguments. */
struct argument_walk {
	const struct option *options;
	struct argument_vector from;
	int at;
	void *ctx;
	bool *given; /* only notes which options are there; NULL: sets them */
	struct arguments *arguments;
	struct err *err;
};

int option_set(const struct option *option, void *ctx, struct str value, struct err *err)
{
	char *field = (char *)ctx + option->field;

	if (option->set)
		return option->set(ctx, value, err);
	if (option->set_named)
		return option->set_named(ctx, option->name, value, err);
	if (option->repeated)
		MEM_PUSH((struct str_list *)(void *)field, value);
	else if (option->value)
		*(struct str *)field = value;
	else
		*(bool *)field = true;
	return 0;
}

static int apply_option(struct argument_walk *walk, const struct option *option, struct str value)
{
	if (!walk->given)
		return option_set(option, walk->ctx, value, walk->err);
	walk->given[option - walk->options] = true;
	return 0;
}

/* The value behind an option: glued to it, or the next argument. */
static int take_value(struct argument_walk *walk, const struct option *option, struct str glued)
{
	if (!option->value)
		return apply_option(walk, option, STR(""));
	if (glued.ptr)
		return apply_option(walk, option, glued);
	if (walk->at + 1 >= walk->from.count)
		return missing_value(option, walk->err);
	return apply_option(walk, option, str_from(walk->from.items[++walk->at]));
}

static int take_long(struct argument_walk *walk, struct str text)
{
	struct str name, value = text;
	const struct option *option;

	str_cut(&value, '=', &name);
	if (str_eq(name, STR("help"))) {
		walk->arguments->help = true;
		return 0;
	}
	option = by_name(walk->options, name);
	if (!option)
		return unknown_option(walk->options, name, walk->err);
	if (!option->value && value.ptr) {
		err_set(walk->err, ERR_OPTION, "option --%s takes no value", option->name);
		return -walk->err->code;
	}
	return take_value(walk, option, value);
}

/* One letter, or several switches in a row: "-qv", "-fjson". */
static int take_short(struct argument_walk *walk, struct str letters)
{
	while (letters.len) {
		const struct option *option = by_letter(walk->options, letters.ptr[0]);
		struct str rest = str_skip(letters, 1);
		int status;

		if (letters.ptr[0] == 'h' && !option) {
			walk->arguments->help = true;
			return 0;
		}
		if (!option) {
			err_set(walk->err, ERR_OPTION, "unknown option '-%s'", shown(str_sub(letters, 0, 1)).text);
			return err_hint(walk->err, "--help lists the options");
		}
		if (option->value)
			return take_value(walk, option, rest.len ? rest : (struct str){ 0 });
		status = apply_option(walk, option, STR(""));
		if (status)
			return status;
		letters = rest;
	}
	return 0;
}

static int take_argument(struct argument_walk *walk, bool *options_ended)
{
	struct str text = str_from(walk->from.items[walk->at]);

	if (*options_ended || text.len < 2 || text.ptr[0] != '-') {
		walk->arguments->items[walk->arguments->count++] = walk->from.items[walk->at];
		return 0;
	}
	if (str_eq(text, STR("--"))) {
		*options_ended = true;
		return 0;
	}
	if (text.ptr[1] == '-')
		return take_long(walk, str_skip(text, 2));
	return take_short(walk, str_skip(text, 1));
}

static int walk_arguments(struct argument_walk *walk)
{
	bool options_ended = false;
	int status = 0;

	*walk->arguments = (struct arguments){ .items = mem_zalloc(((size_t)walk->from.count + 1) *
								   sizeof(walk->arguments->items[0])) };
	for (; walk->at < walk->from.count && !status; walk->at++)
		status = take_argument(walk, &options_ended);
	if (status)
		arguments_clear(walk->arguments);
	return status;
}

int options_parse(
	const struct option *options, struct argument_vector given, void *ctx, struct arguments *ret, struct err *err)
{
	struct argument_walk walk = { .options = options, .from = given, .ctx = ctx, .arguments = ret, .err = err };

	return walk_arguments(&walk);
}

int options_given(
	const struct option *options, struct argument_vector given, bool *ret_given, bool *ret_help, struct err *err)
{
	CLEANUP(arguments_clear) struct arguments arguments = { 0 };
	struct argument_walk walk = {
		.options = options, .from = given, .given = ret_given, .arguments = &arguments, .err = err
	};
	int status = walk_arguments(&walk);

	if (!status)
		*ret_help = arguments.help;
	return status;
}

void arguments_clear(struct arguments *arguments)
{
	free(arguments->items);
	*arguments = (struct arguments){ 0 };
}

enum { OPTION_COLUMNS = 26 };

/* A word in capitals stands for a value and has a translation of its own: "[FORMAT=]PATH". */
static bool is_capital(char c)
{
	return (c >= 'A' && c <= 'Z') || c == '_';
}

void options_put_usage(struct buf *buf, struct str usage)
{
	while (usage.len) {
		CLEANUP(buf_clear) struct buf word = BUF_INIT(80);
		size_t len = 0;

		while (len < usage.len && is_capital(usage.ptr[len]))
			len++;
		buf_add(&word, str_sub(usage, 0, len));
		buf_add(buf, len ? str_from(translated(buf_text(&word))) : str_sub(usage, 0, 1));
		usage = str_skip(usage, len ? len : 1);
	}
}

static void put_help(struct buf *buf, const struct option *option)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(200);
	size_t columns;

	buf_printf(&text, "%s%c%s --%s%s", option->short_name ? "-" : " ",
		option->short_name ? option->short_name : ' ', option->short_name ? "," : " ", option->name,
		option->value ? "=" : "");
	options_put_usage(&text, str_from(option->value ? option->value : ""));
	columns = utf8_columns(buf_str(&text));
	buf_printf(buf, "  %s", buf_text(&text));
	if (columns > OPTION_COLUMNS)
		buf_printf(buf, "\n  %-*s", OPTION_COLUMNS, "");
	else
		buf_printf(buf, "%-*s", OPTION_COLUMNS - (int)columns, "");
	buf_printf(buf, " %s\n", translated(option->help));
}

void options_put_help(struct buf *buf, const struct option *options)
{
	for (; options->name; options++) {
		if (options->help && !options->topic)
			put_help(buf, options);
	}
	buf_printf(buf, "  %-*s %s\n", OPTION_COLUMNS, "-h, --help", translated("this text"));
}

void options_put_topic(struct buf *buf, const struct option *options, const char *topic)
{
	for (; options->name; options++) {
		if (options->topic && strcmp(options->topic, topic) == 0)
			put_help(buf, options);
	}
}

void options_clear(const struct option *options, void *ctx)
{
	for (const struct option *option = options; option->name; option++) {
		if (option->repeated)
			mem_release(&((struct str_list *)(void *)((char *)ctx + option->field))->items);
	}
}

size_t options_count(const struct option *options)
{
	size_t count = 0;

	while (options[count].name)
		count++;
	return count;
}
