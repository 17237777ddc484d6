#include "opdb/model/work_class.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/view/ascii.h"

extern const char classes_text[];

static const struct str class_items[] = { STR("none"), STR("matmul"), STR("conv"), STR("attention"), STR("optimizer"),
	STR("norm"), STR("softmax"), STR("pool"), STR("sort"), STR("gather"), STR("random"), STR("fill"), STR("copy"),
	STR("reduction"), STR("elementwise"), STR("custom"), STR("aicpu"), [WORK_COUNT] = STR("*") };
const struct words work_words = { class_items, WORK_COUNT, WORK_CUSTOM };
const struct words ratio_words = { class_items, WORK_COUNT + 1, WORK_COUNT };

/* Namespaces whose operators are named as those of aten. */
static const struct str namespaces[] = { STR("aten"), STR("flash_attn"), STR("torchvision"), STR("npu") };

struct class_row {
	struct str vocabulary, pattern; /* of a name */
	struct work work;
};

static MEM_LIST(struct class_row) rows;
static pthread_once_t parsed = PTHREAD_ONCE_INIT;

static void parse_rows(void)
{
	enum { MICRO = 1000000 };
	struct str text = str_from(classes_text), line = { 0 }, cells[4], number;

	while (text.len && str_cut(&text, '\n', &line)) {
		struct class_row row;
		unsigned class;
		int64_t value;

		for (size_t i = 0; i < ARRAY_SIZE(cells); i++)
			str_cut(&line, '\t', &cells[i]);
		if (!word_find(&work_words, cells[1], &class))
			continue; /* the names of the columns */
		row = (struct class_row){ .vocabulary = cells[0],
			.work = { (enum work_class) class, cells[2], { 0 } } };
		for (size_t i = 0; i < WORK_NUMBERS && str_cut(&cells[3], ',', &number); i++) {
			if (decimal_scaled(number, MICRO, &value))
				row.work.numbers[i] = (double)value / MICRO;
		}
		while (line.len && str_cut(&line, ' ', &row.pattern))
			MEM_PUSH(&rows, row);
	}
}

__attribute__((destructor)) static void free_rows(void)
{
	free(rows.items);
}

static const struct work custom = { .class = WORK_CUSTOM, .formula = STR("none") };

/* The first row that fits, letters of either case. */
static struct work work_in(struct str vocabulary, struct str name)
{
	char lower[WORK_NAME_BYTES];
	const struct class_row *row;

	pthread_once(&parsed, parse_rows);
	if (!name.len || name.len > sizeof(lower))
		return custom;
	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)(name.ptr[i] | (is_alpha(name.ptr[i]) ? 0x20 : 0));
	row = FIND(i, rows.items, rows.count,
		str_eq(rows.items[i].vocabulary, vocabulary) &&
			str_fits(rows.items[i].pattern, (struct str){ lower, name.len }));
	return row ? row->work : custom;
}

struct work work_of(struct str ns, struct str base)
{
	if (!STR_IS_AMONG(namespaces, ARRAY_SIZE(namespaces), ns))
		return custom;
	while (base.len > 1 && str_ends(base, STR("_")))
		base = str_chop(base, 1);
	return work_in(STR("aten"), base);
}

struct work work_of_kernel(struct str type)
{
	return work_in(STR("cann"), type);
}
