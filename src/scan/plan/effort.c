#include "scan/plan/effort.h"

#include "base/value/decimal.h"
#include "base/value/words.h"
#include "opdb/text/tsv.h"

extern const char effort_text[];

enum { THOUSANDTHS = 1000, MOST_DAYS = 1000 * THOUSANDTHS };

static const struct str items[WORK_COUNT] = { STR("environment"), STR("profile"), STR("edits"), STR("hand"),
	STR("decisions"), STR("packages"), STR("flag"), STR("config"), STR("recipe"), STR("package"), STR("upgrade"),
	STR("avoid"), STR("port"), STR("test"), STR("slow"), STR("accuracy"), STR("throughput"), STR("cards"),
	STR("nodes") };

static int read_days(const struct tsv *rows, size_t cell, struct effort_work *work, struct err *err)
{
	if (!decimal_scaled(rows->cells[cell], THOUSANDTHS, &work->low) ||
		!decimal_scaled(rows->cells[cell + 1], THOUSANDTHS, &work->high) || work->low < 0 ||
		work->low > work->high || work->high > MOST_DAYS)
		return tsv_error(rows, err, "days of %.*s must be two numbers from 0 to 1000, the lower first",
			STR_ARG(rows->cells[0]));
	return 0;
}

int effort_open(struct effort_table *ret, struct err *err)
{
	enum { ITEM, LOW, HIGH, UNIT, WORK, WORK_ZH };
	struct tsv rows;
	int status = tsv_open(
		&rows, STR("effort.tsv"), str_from(effort_text), STR("item low high unit work work_zh"), err);
	size_t count = 0;

	*ret = (struct effort_table){ 0 };
	while (!status && (status = tsv_next(&rows, err)) > 0) {
		size_t at = STR_POSITION(items, WORK_COUNT, rows.cells[ITEM]);
		struct effort_work *work = &ret->works[at == STR_NONE ? 0 : at];

		if (at == STR_NONE || work->item.len)
			return tsv_error(&rows, err, "unknown or repeated item %.*s", STR_ARG(rows.cells[ITEM]));
		work->item = items[at];
		work->once = str_eq(rows.cells[UNIT], STR("once"));
		work->work[0] = rows.cells[WORK];
		work->work[1] = rows.cells[WORK_ZH];
		status = read_days(&rows, LOW, work, err);
		count++;
	}
	if (!status && count != WORK_COUNT)
		return err_set(err, ERR_INTERNAL, "effort.tsv lacks items");
	return status;
}

static int read_own(struct effort_table *table, struct str name, struct str text, struct err *err)
{
	struct tsv rows;
	int status = tsv_open(&rows, name, text, STR("item low high"), err);

	while (!status && (status = tsv_next(&rows, err)) > 0) {
		size_t at = STR_POSITION(items, WORK_COUNT, rows.cells[0]);

		if (at == STR_NONE) {
			tsv_error(&rows, err, "%.*s is not an item", STR_ARG(rows.cells[0]));
			return err_hint(err,
				"items: environment, profile, edits, hand, decisions, packages, flag, config, "
				"recipe, package, upgrade, avoid, port, test, slow, accuracy, throughput, "
				"cards, nodes");
		}
		status = read_days(&rows, 1, &table->works[at], err);
		table->works[at].given = true;
	}
	return status;
}

int effort_read(struct effort_table *table, struct str name, struct str text, struct err *err)
{
	if (!read_own(table, name, text, err))
		return 0;
	err->code = ERR_VALUE; /* it is an option's file, and not the database's */
	return -err->code;
}

struct effort_days effort_days_of(const struct effort_work *work, uint64_t count)
{
	int64_t times = count > MOST_DAYS ? MOST_DAYS : (int64_t)count;

	if (work->once)
		times = times > 0;
	return (struct effort_days){ work->low * times, work->high * times };
}
