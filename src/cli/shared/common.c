#include "cli/shared/common.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/decimal.h"
#include "base/value/shell.h"
#include "base/value/utf8.h"
#include "check/asked/policy_files.h"
#include "check/database/database.h"
#include "cli/shared/operands.h"
#include "cli/shared/progress.h"
#include "opdb/db/opdb.h"
#include "report/record/load.h"
#include "report/doc/headline.h"
#include "report/doc/textw.h"
#include "report/render.h"

extern const char messages_zh_cn[];

/* --- options */

void common_init(struct common_options *options, const char *formats)
{
	options->limits = limits_default();
	options->outputs.formats = formats;
}

void common_clear(struct common_options *options)
{
	opdb_close(options->opdb);
	free(options->dump);
	outputs_clear(&options->outputs);
	assumption_list_clear(&options->assumptions);
}

/* --- database */

struct pack_trust common_trust(const struct common_options *options)
{
	return (struct pack_trust){ &options->pack_keys, options->unsigned_packs };
}

int common_open_database(struct common_options *options, struct err *err)
{
	const struct pack_trust trust = common_trust(options);
	int status;

	if (!options->as_of.len)
		return database_open_with(options->db, &options->overlays, &options->limits, &options->opdb, err);
	if (options->db.len)
		return err_set(err, ERR_ARGUMENT, "--as-of and --db each name a database");
	status = database_open_pack(options->as_of.ptr, &trust, &options->limits, &options->opdb, err);
	return status ? status : database_lay_overlays(&options->opdb, &options->overlays, &options->limits, err);
}

/* --- language, colour, width */

void common_speak(struct str given)
{
	enum lang lang = lang_of_locale();

	lang_from(given, &lang);
	translation_set(lang == LANG_ZH_CN ? messages_zh_cn : "");
}

static int choose_language(struct str given, struct render_options *ret, struct err *err)
{
	ret->lang = lang_of_locale();
	ret->all_langs = str_eq(given, STR("all"));
	if (given.len && !ret->all_langs && !lang_from(given, &ret->lang)) {
		err_set(err, ERR_VALUE, "no language '%s'", shown(given).text);
		return err_hint(err, "use en or zh-CN, or all for a page that has both");
	}
	common_speak(given);
	return 0;
}

static bool is_variable_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && value[0];
}

static bool auto_color(void)
{
	const char *term = getenv("TERM");

	if (is_variable_set("NO_COLOR"))
		return false;
	if (is_variable_set("CLICOLOR_FORCE") || is_variable_set("FORCE_COLOR"))
		return true;
	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0;
}

static int choose_color(struct str given, bool *ret, struct err *err)
{
	if (!given.len || str_eq(given, STR("auto")))
		*ret = auto_color();
	else if (str_eq(given, STR("always")) || str_eq(given, STR("never")))
		*ret = str_eq(given, STR("always"));
	else
		return err_set(err, ERR_VALUE, "--color is auto, always or never, not '%s'", shown(given).text);
	return 0;
}

enum { USUAL_WIDTH = 80 };

/* $COLUMNS for standard output, else what the terminal says. */
static unsigned terminal_width(int fd, unsigned otherwise)
{
	enum { MIN = 60, MAX = 160 };
	const char *variable = fd == STDOUT_FILENO ? getenv("COLUMNS") : NULL;
	struct winsize size = { 0 };
	uint64_t columns = 0;

	if (variable)
		decimal_unsigned(str_from(variable), &columns);
	if (!columns && isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size))
		columns = size.ws_col;
	return !columns ? otherwise : columns < MIN ? MIN : columns > MAX ? MAX : (unsigned)columns;
}

/* Text on standard output without a format: the first screen, more of it with each -v. Reports have two levels of it,
   other answers one. */
static void choose_view(struct common_options *options)
{
	bool is_report = !options->outputs.formats;
	unsigned whole = is_report ? 2 : 1;
	struct render_options *printed = &options->outputs.printed;

	options->render.all = options->verbose > 0;
	*printed = options->render;
	if (options->outputs.format.len) {
		printed->width = 0;
		return;
	}
	printed->all = is_report ? options->verbose > whole : options->verbose > 0;
	if (is_report && options->quiet)
		printed->view = VIEW_WORDS;
	else if (options->summary)
		printed->view = VIEW_SUMMARY;
	else if (options->verbose < whole)
		printed->view = options->verbose ? VIEW_CAUSES : VIEW_SCREEN;
}

int common_settle(struct common_options *options, struct err *err)
{
	int status = choose_language(options->lang, &options->render, err);

	options->render.width = terminal_width(STDOUT_FILENO, USUAL_WIDTH);
	if (!status)
		status = choose_color(options->color, &options->render.color, err);
	if (!status)
		choose_view(options);
	return status ? status : outputs_settle(&options->outputs, err);
}

/* --- the work */

int common_write(const struct common_options *options, put_answer *put, const void *answer, struct err *err)
{
	return outputs_write(&options->outputs, &options->render, put, answer, err);
}

void common_name_dump(struct common_options *options, const struct arguments *dumps)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	if (dumps->count != 1 || strcmp(dumps->items[0], "-") == 0)
		return;
	shell_put_path(&name, str_from(dumps->items[0]));
	options->dump = strdup(buf_text(&name));
	options->outputs.printed.dump = str_from(options->dump);
}

int common_check(const struct common_options *options, struct check_request *request, const struct arguments *dumps,
	struct result **ret, struct err *err)
{
	struct check_input *inputs;
	struct progress progress;
	int status = operands_refuse_urls(dumps, err);

	if (status)
		return status;
	inputs = mem_zalloc((dumps->count + 1) * sizeof(inputs[0]));
	for (size_t i = 0; i < dumps->count; i++)
		inputs[i].path = dumps->items[i];
	request->inputs = inputs;
	request->input_count = dumps->count;
	request->db = options->opdb;
	request->limits = &options->limits;
	request->assumptions = &options->assumptions;
	request->left_out = progress_left_out;
	request->ctx = &progress;
	request->meter = &progress.meter;
	progress_start(&progress, options->quiet);
	status = check_run(request, ret, err);
	progress_stop(&progress);
	free(inputs);
	return status;
}

/* --- reports */

struct check_request common_request(const struct common_options *options)
{
	unsigned shows = 0;

	for (size_t i = 0; i < renderer_count; i++) {
		if (outputs_want(&options->outputs, str_from(renderers[i].name)))
			shows |= renderers[i].shows;
	}
	return (struct check_request){ .targets = options->targets.items,
		.target_count = options->targets.count,
		.torch = options->torch,
		.skip_digests = !(shows & SHOWS_DIGESTS),
		.skip_history = !(shows & SHOWS_HISTORY),
		.skip_releases = !(shows & SHOWS_RELEASES) };
}

int common_load_report(const struct common_options *options, const char *path, struct result **ret, struct err *err)
{
	enum { REPORT_BYTES = 1 << 30 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(REPORT_BYTES);
	int status = file_read_text(path, &options->limits, &text, NULL, err);

	if (status)
		return status;
	return report_load(buf_str(&text), ret, err) ? err_file(err, shown(str_from(path)).text) : 0;
}

static int put_report(const void *answer, struct str format, const struct render_options *options, struct buf *out,
	struct err *err UNUSED)
{
	render_report(renderer_find(format), answer, options, out);
	return 0;
}

/* The end of a run whose report went into files: the words of the first screen. */
static void print_summary(const struct common_options *options, const struct result *result)
{
	enum { MOST_LINES = 5 };

	for (size_t i = 0; i < result->target_count && i < MOST_LINES; i++) {
		const struct result_target *target = &result->targets[i];

		fprintf(stderr, "%.*s: %.*s%s\n", STR_ARG(target->id),
			STR_ARG(headline_word(options->render.lang, target->headline.word)),
			target->gate == GATE_FAILED ? translated(", the gate failed") : "");
	}
}

int common_write_report(const struct common_options *options, const struct result *result, struct err *err)
{
	int status = common_write(options, put_report, result, err);

	if (!status && !options->quiet && !outputs_print(&options->outputs))
		print_summary(options, result);
	return status;
}

void common_print_error(const struct err *err)
{
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED, text = BUF_UNLIMITED;
	struct textw terminal = { .out = &text, .width = terminal_width(STDERR_FILENO, UINT_MAX) };

	buf_printf(&line, translated("opcheck: %s%serror %s: %s"), err->where, err->where[0] ? ": " : "",
		err_name(err->code), err->text);
	textw_wrap(&terminal, buf_str(&line), 0, 2);
	if (err->hint[0]) {
		buf_reset(&line);
		buf_printf(&line, translated("hint: %s"), err->hint);
		buf_add(&text, STR("  "));
		textw_wrap(&terminal, buf_str(&line), 2, 2);
	}
	fputs(buf_text(&text), stderr);
}
