/* `opcheck runs`, `fleet` and `demand`: lists of a team's server as tables. */
#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "cli/shared/client.h"
#include "cli/shared/command.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "report/doc/textw.h"

struct list_options {
	struct common_options common;
	struct client_options client;
	struct str project, model, branch, target, tag, verdict, search, sort, limit;
	size_t most; /* --limit as a number */
};

/* clang-format off */
#define OPTIONS_LIST \
	OPTIONS_OUTPUT("text (default), json, csv, md, html"), \
	OPTION_LANG, \
	{ 0, "limit", "N", "list at most this many (100)", FIELD(list_options, limit) }

#define OPTION_PROJECT { 0, "project", "NAME", "only runs of this project", FIELD(list_options, project) }
#define OPTION_ON_TARGET { 0, "target", "ID", "only on this release", FIELD(list_options, target) }
#define OPTIONS_WORDS \
	OPTION_PROJECT, \
	{ 0, "model", "NAME", "only runs of this model", FIELD(list_options, model) }, \
	{ 0, "branch", "NAME", "only runs of this branch", FIELD(list_options, branch) }, \
	{ 0, "verdict", "WORD", "only with this verdict, such as blocked", FIELD(list_options, verdict) }

static const struct option runs_table[] = {
	OPTIONS_SERVER(list_options),
	OPTIONS_WORDS,
	{ 0, "tag", "WORD", "only runs with this tag", FIELD(list_options, tag) },
	{ 0, "search", "TEXT", "part of a name, model, branch, commit or tag", FIELD(list_options, search) },
	{ 0, "sort", "KEY", "created_at, model, branch, verdict; - reverses it", FIELD(list_options, sort) },
	OPTIONS_LIST,
	{ 0 },
};

static const struct option fleet_table[] = {
	OPTIONS_SERVER(list_options),
	OPTIONS_WORDS,
	OPTION_ON_TARGET,
	{ 0, "search", "TEXT", "part of the name of a model", FIELD(list_options, search) },
	OPTIONS_LIST,
	{ 0 },
};

static const struct option demand_table[] = {
	OPTIONS_SERVER(list_options),
	OPTION_PROJECT,
	OPTION_ON_TARGET,
	OPTIONS_LIST,
	{ 0 },
};
/* clang-format on */

/* --- the lists */

struct list_column {
	const char *head, *member;
	const char *inner;   /* member of that member; NULL: none */
	unsigned char width; /* in text; 0: not there */
};

struct list_kind {
	const char *path;
	const char *cells; /* member of an item whose objects are rows of their own; NULL: an item is a row */
	const struct list_column *columns;
	size_t column_count;
	const char *title; /* id */
};

enum { MOST_COLUMNS = 16, MOST_ITEMS = 10000, USUAL_ITEMS = 100 };

static const struct list_column run_columns[] = {
	{ "run", "id", NULL, 16 },
	{ "created_at", "created_at", NULL, 20 },
	{ "verdict", "verdict", NULL, 19 },
	{ "model", "model", NULL, 12 },
	{ "branch", "branch", NULL, 9 },
	{ "project", "project", NULL, 0 },
	{ "name", "name", NULL, 0 },
	{ "commit", "commit", NULL, 0 },
	{ "tags", "tags", NULL, 0 },
	{ "assessment", "assessment", NULL, 0 },
};
static const struct list_column fleet_columns[] = {
	{ "project", "project", NULL, 0 },
	{ "model", "model", NULL, 14 },
	{ "branch", "branch", NULL, 9 },
	{ "target", "id", NULL, 22 },
	{ "verdict", "verdict", NULL, 19 },
	{ "readiness_lo", "readiness", "lo", 12 },
	{ "readiness_hi", "readiness", "hi", 0 },
	{ "run", "run", NULL, 0 },
	{ "commit", "commit", NULL, 0 },
	{ "created_at", "created_at", NULL, 0 },
};
static const struct list_column demand_columns[] = {
	{ "target", "target", NULL, 18 },
	{ "status", "status", NULL, 13 },
	{ "runs", "runs", NULL, 6 },
	{ "models", "models", NULL, 6 },
	{ "mean_time_share", "mean_time_share", NULL, 15 },
	{ "operator", "operator", NULL, 17 },
};

static const struct list_kind runs_kind = { "/api/v1/runs", NULL, run_columns, ARRAY_SIZE(run_columns), "runs.title" };
static const struct list_kind fleet_kind = { "/api/v1/fleet", "targets", fleet_columns, ARRAY_SIZE(fleet_columns),
	"fleet.title" };
static const struct list_kind demand_kind = { "/api/v1/demand", NULL, demand_columns, ARRAY_SIZE(demand_columns),
	"demand.title" };

/* --- rows */

struct list_answer {
	const struct list_kind *kind;
	cJSON *items;
	bool more;
};

/* A row of a list: an item, and the one of its cells that the row is about. */
struct list_row {
	const cJSON *item, *cell;
};

static void put_value(struct buf *out, const cJSON *value)
{
	const cJSON *part;

	if (cJSON_IsString(value)) {
		buf_add(out, str_from(value->valuestring));
	} else if (cJSON_IsNumber(value)) {
		char *number = cJSON_PrintUnformatted(value);

		buf_add(out, str_from(number));
		cJSON_free(number);
	} else if (cJSON_IsArray(value)) {
		cJSON_ArrayForEach(part, value) buf_printf(
			out, "%s%s", part == value->child ? "" : " ", cJSON_IsString(part) ? part->valuestring : "");
	}
}

static struct buf value_of(const struct list_row *row, const struct list_column *column)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(row->cell, column->member);

	if (!value)
		value = cJSON_GetObjectItemCaseSensitive(row->item, column->member);
	put_value(&text, column->inner ? cJSON_GetObjectItemCaseSensitive(value, column->inner) : value);
	return textw_printable(buf_str(&text));
}

/* --- formats */

/* Cells are texts, a column each. */
struct list_table {
	struct field fields[MOST_COLUMNS + 1];
	struct record record;
	unsigned char widths[MOST_COLUMNS];
	struct sheet_shape shape;
};

static void set_table(struct list_table *table, const struct list_kind *kind)
{
	*table = (struct list_table){ .record = { kind->column_count * sizeof(struct str), table->fields },
		.shape = { kind->title, &table->record, .widths = table->widths } };
	for (size_t i = 0; i < kind->column_count; i++) {
		table->fields[i] = (struct field){ kind->columns[i].head, &kind_text,
			{ i * sizeof(struct str), sizeof(struct str) } };
		table->widths[i] = kind->columns[i].width;
	}
}

static void put_team_row(struct sheet *sheet, const struct list_kind *kind, struct list_row row)
{
	struct buf values[MOST_COLUMNS];
	struct str cells[MOST_COLUMNS];

	for (size_t i = 0; i < kind->column_count; i++) {
		values[i] = value_of(&row, &kind->columns[i]);
		cells[i] = buf_str(&values[i]);
	}
	sheet_row(sheet, cells);
	for (size_t i = 0; i < kind->column_count; i++)
		buf_clear(&values[i]);
}

static void put_team_rows(const void *list, struct sheet *sheet)
{
	const struct list_answer *answer = list;
	const struct list_kind *kind = answer->kind;
	const cJSON *item, *cell;

	cJSON_ArrayForEach(item, answer->items)
	{
		if (!kind->cells)
			put_team_row(sheet, kind, (struct list_row){ item, NULL });
		cJSON_ArrayForEach(cell, cJSON_GetObjectItemCaseSensitive(item, kind->cells))
			put_team_row(sheet, kind, (struct list_row){ item, cell });
	}
}

static int put_team_json(const void *list, struct buf *out, struct err *err UNUSED)
{
	const struct list_answer *answer = list;
	struct jsonw json = jsonw_start(out, 2);
	const cJSON *item;

	jsonw_fill(&json, "{'items': [");
	cJSON_ArrayForEach(item, answer->items)
	{
		char *text = cJSON_PrintUnformatted(item);

		jsonw_raw(&json, str_from(text));
		cJSON_free(text);
	}
	jsonw_list_end(&json);
	jsonw_key_bool(&json, "more", answer->more);
	jsonw_object_end(&json);
	return 0;
}

/* --- the commands */

static int settle_most(struct list_options *options, struct err *err)
{
	uint64_t number = USUAL_ITEMS;

	if (options->limit.len && (!decimal_unsigned(options->limit, &number) || number < 1 || number > MOST_ITEMS)) {
		err_set(err, ERR_VALUE, "'%s' is not a value of --limit", shown(options->limit).text);
		return err_hint(err, "give a whole number from 1 to %zu", (size_t)MOST_ITEMS);
	}
	options->most = (size_t)number;
	return 0;
}

static int fetch_list(const struct list_options *options, struct list_answer *answer, struct err *err)
{
	const struct client_field filters[] = { { "project", options->project }, { "model", options->model },
		{ "branch", options->branch }, { "target", options->target }, { "tag", options->tag },
		{ "verdict", options->verdict }, { "q", options->search }, { "sort", options->sort } };
	struct client_list list = { answer->kind->path, filters, ARRAY_SIZE(filters), options->most };
	struct client *client = NULL;
	int status = client_open_usual(&options->client, &client, err);

	if (!status)
		status = client_list(client, &list, answer->items, &answer->more, err);
	client_close(client);
	return status;
}

static int run_list(struct list_options *options, const struct list_kind *kind, struct err *err)
{
	struct list_answer answer = { .kind = kind, .items = cJSON_CreateArray() };
	struct list_table columns;
	const struct table_answer table = { &answer, &columns.shape, put_team_rows, .json = put_team_json };
	int status = settle_most(options, err);

	set_table(&columns, kind);
	if (!status)
		status = fetch_list(options, &answer, err);
	if (!status)
		status = common_write(&options->common, put_table, &table, err);
	if (!status && answer.more) {
		fprintf(stderr, translated("opcheck: %zu listed, there are more; --limit N lists up to %zu"),
			options->most, (size_t)MOST_ITEMS);
		fputc('\n', stderr);
	}
	cJSON_Delete(answer.items);
	return status;
}

static int run_runs(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	return run_list(ctx, &runs_kind, err);
}

static int run_fleet(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	return run_list(ctx, &fleet_kind, err);
}

static int run_demand(void *ctx, const struct arguments *arguments UNUSED, struct err *err)
{
	return run_list(ctx, &demand_kind, err);
}

const struct command cmd_runs = {
	.name = "runs",
	.summary = "list the runs on a server",
	.usage = "--server URL [OPTION]...",
	.examples = "  opcheck runs --server http://127.0.0.1:8787 --model llama --branch main",
	.options = runs_table,
	.options_size = sizeof(struct list_options),
	.formats = "text json csv md html",
	.run = run_runs,
};

const struct command cmd_fleet = {
	.name = "fleet",
	.summary = "list the models on a server with their verdicts on each target",
	.usage = "--server URL [OPTION]...",
	.examples = "  opcheck fleet --server http://127.0.0.1:8787 --verdict blocked",
	.options = fleet_table,
	.options_size = sizeof(struct list_options),
	.formats = "text json csv md html",
	.run = run_fleet,
};

const struct command cmd_demand = {
	.name = "demand",
	.summary = "list the operators that block most runs on a server",
	.usage = "--server URL [OPTION]...",
	.examples = "  opcheck demand --server http://127.0.0.1:8787",
	.options = demand_table,
	.options_size = sizeof(struct list_options),
	.formats = "text json csv md html",
	.run = run_demand,
};
