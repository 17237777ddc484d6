#include "cli/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cli/progress.h"
#include "io/outfile.h"

/* --- language, colour, width */

int common_lang(struct str given, enum lang *ret, struct err *err)
{
	static const char *const variables[] = { "OPCHECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG" };

	*ret = LANG_EN;
	if (given.len && !lang_from(given, ret)) {
		err_set(err, ERR_VALUE, "no language '%s'", shown(given).text);
		return err_hint(err, "use en or zh-CN");
	}
	for (size_t i = 0; !given.len && i < ARRAY_SIZE(variables); i++) {
		const char *value = getenv(variables[i]);

		if (value && value[0]) {
			lang_from(str_from(value), ret);
			break;
		}
	}
	return 0;
}

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0];
}

static bool auto_color(void)
{
	const char *term = getenv("TERM");

	if (is_set("NO_COLOR"))
		return false;
	if (is_set("CLICOLOR_FORCE") || is_set("FORCE_COLOR"))
		return true;
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

static int choose_color(struct str given, bool *ret, struct err *err)
{
	if (!given.len || str_eq(given, STR("auto")))
		*ret = auto_color();
	else if (str_eq(given, STR("always")) || str_eq(given, STR("never")))
		*ret = str_eq(given, STR("always"));
	else {
		err_set(err, ERR_VALUE, "--color is auto, always or never, not '%s'", shown(given).text);
		return -err->code;
	}
	return 0;
}

static unsigned terminal_width(void)
{
	enum { USUAL = 80, MIN = 60, MAX = 200 };
	struct winsize size;

	if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
		return USUAL;
	return size.ws_col < MIN ? MIN : size.ws_col > MAX ? MAX : size.ws_col;
}

/* --- outputs */

void outputs_clear(struct outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++)
		free(outputs->items[i].path);
	free(outputs->items);
	*outputs = (struct outputs){ 0 };
}

static int find_format(struct str name, const struct renderer **ret, struct err *err)
{
	struct buf known = BUF_INIT(256);

	*ret = renderer_find(name);
	if (*ret)
		return 0;
	for (size_t i = 0; i < renderer_count; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", renderers[i].name);
	err_set(err, ERR_VALUE, "no format '%s'", shown(name).text);
	err_hint(err, "formats are %s", buf_text(&known));
	buf_clear(&known);
	return -err->code;
}

/* --format=json */
int report_options_format(void *ctx, struct str value, struct err *err)
{
	return find_format(value, &((struct report_options *)ctx)->outputs.format, err);
}

/* --output=html=report.html */
int report_options_output(void *ctx, struct str value, struct err *err)
{
	struct outputs *outputs = &((struct report_options *)ctx)->outputs;
	struct str name, path = value;
	struct output output;
	int status;

	str_cut(&path, '=', &name);
	if (!path.ptr || !path.len) {
		err_set(err, ERR_VALUE, "--output needs a format and a path");
		return err_hint(err, "for example --output html=report.html");
	}
	status = find_format(name, &output.format, err);
	if (status)
		return status;
	output.path = strndup(path.ptr, path.len);
	MEM_PUSH(outputs, output);
	return 0;
}

int report_options_settle(struct report_options *options, struct err *err)
{
	int status = common_lang(options->lang, &options->render.lang, err);

	options->render.width = terminal_width();
	if (!status)
		status = choose_color(options->color, &options->render.color, err);
	for (size_t i = 0; i < options->outputs.count && !status; i++)
		status = outfile_check(options->outputs.items[i].path, options->outputs.replace, err);
	return status;
}

static int write_file(const struct outputs *outputs, const struct output *output, const struct result *result,
	const struct render_options *options, struct err *err)
{
	struct render_options plain = *options;
	struct buf text = BUF_UNLIMITED;
	int status;

	plain.color = false;
	plain.width = 0;
	output->format->render(result, &plain, &text);
	status = outfile_write(output->path, buf_str(&text), outputs->replace, err);
	buf_clear(&text);
	return status;
}

int common_print(struct str text, struct err *err)
{
	int status = outfile_put(STDOUT_FILENO, text, err);

	return status ? err_where(err, "standard output") : 0;
}

/* So that a run whose report went into files says how it ended. */
static void print_summary(const struct result *result)
{
	enum { MOST_LINES = 5 };

	for (size_t i = 0; i < result->target_count && i < MOST_LINES; i++) {
		const struct result_target *target = &result->targets[i];

		fprintf(stderr, "%.*s: %.*s%s\n", STR_ARG(target->id), STR_ARG(target->verdict),
			str_eq(target->gate, STR("failed")) ? ", the gate failed" : "");
	}
}

unsigned outputs_show(const struct outputs *outputs)
{
	unsigned shows = outputs->format ? outputs->format->shows : 0;

	for (size_t i = 0; i < outputs->count; i++)
		shows |= outputs->items[i].format->shows;
	return shows;
}

int outputs_write(const struct outputs *outputs, const struct result *result, const struct render_options *options,
	struct err *err)
{
	const struct renderer *format = outputs->format ? outputs->format : renderer_find(STR("text"));
	struct buf text = BUF_UNLIMITED;
	int status = 0;

	for (size_t i = 0; i < outputs->count && !status; i++)
		status = write_file(outputs, &outputs->items[i], result, options, err);
	if (status)
		return status;
	if (outputs->count && !outputs->format) {
		if (!outputs->quiet)
			print_summary(result);
		return 0;
	}
	format->render(result, options, &text);
	status = common_print(buf_str(&text), err);
	buf_clear(&text);
	return status;
}

int common_may_deliver(struct str path, bool replace, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 16);

	buf_add(&text, path);
	return path.len ? outfile_check(buf_text(&text), replace, err) : 0;
}

int common_deliver(struct str path, bool replace, struct str text, struct err *err)
{
	CLEANUP(buf_clear) struct buf name = BUF_INIT(1 << 16);

	if (!path.len)
		return common_print(text, err);
	buf_add(&name, path);
	return outfile_write(buf_text(&name), text, replace, err);
}

int common_check(struct check_request *request, const struct arguments *arguments, struct result **ret, struct err *err)
{
	struct check_input *inputs = mem_zalloc((arguments->count + 1) * sizeof(inputs[0]));
	struct progress progress;
	int status;

	for (size_t i = 0; i < arguments->count; i++)
		inputs[i].path = arguments->items[i];
	request->inputs = inputs;
	request->input_count = arguments->count;
	request->left_out = progress_left_out;
	request->ctx = &progress;
	request->meter = &progress.meter;
	progress_start(&progress, false);
	status = check_run(request, ret, err);
	progress_stop(&progress);
	free(inputs);
	return status;
}

int common_gate_status(const struct result *result)
{
	for (size_t i = 0; i < result->target_count; i++) {
		if (str_eq(result->targets[i].gate, STR("failed")))
			return 1;
	}
	return 0;
}
