#include "opdb/model/work_class.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"

extern const char classes_text[];

static const struct str class_items[WORK_COUNT] = {
	[WORK_NONE] = STR("none"),
	[WORK_MATMUL] = STR("matmul"),
	[WORK_CONV] = STR("conv"),
	[WORK_ATTENTION] = STR("attention"),
	[WORK_OPTIMIZER] = STR("optimizer"),
	[WORK_NORM] = STR("norm"),
	[WORK_SOFTMAX] = STR("softmax"),
	[WORK_POOL] = STR("pool"),
	[WORK_SORT] = STR("sort"),
	[WORK_GATHER] = STR("gather"),
	[WORK_RANDOM] = STR("random"),
	[WORK_FILL] = STR("fill"),
	[WORK_COPY] = STR("copy"),
	[WORK_REDUCTION] = STR("reduction"),
	[WORK_ELEMENTWISE] = STR("elementwise"),
	[WORK_CUSTOM] = STR("custom"),
	[WORK_AICPU] = STR("aicpu"),
};
const struct words work_words = { class_items, WORK_COUNT, WORK_CUSTOM };

static const struct str vocabularies[] = { STR("aten"), STR("cann") };
/* Namespaces whose operators are named as those of aten. */
static const struct str namespaces[] = { STR("aten"), STR("flash_attn"), STR("torchvision"), STR("npu") };

struct class_row {
	unsigned class;
	struct str names;
};

static MEM_LIST(struct class_row) rows[ARRAY_SIZE(vocabularies)];
static pthread_once_t parsed = PTHREAD_ONCE_INIT;

static void parse_rows(void)
{
	struct str text = str_from(classes_text), line = { 0 }, cell;

	while (text.len && str_cut(&text, '\n', &line)) {
		struct class_row row;
		size_t at;

		str_cut(&line, '\t', &cell);
		at = STR_POSITION(vocabularies, ARRAY_SIZE(vocabularies), cell);
		if (at == STR_NONE || !str_cut(&line, '\t', &cell) || !word_find(&work_words, cell, &row.class))
			continue;
		row.names = line;
		MEM_PUSH(&rows[at], row);
	}
}

__attribute__((destructor)) static void free_rows(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		free(rows[i].items);
}

static bool fits_one(struct str patterns, struct str name)
{
	struct str pattern;

	while (patterns.len && str_cut(&patterns, ' ', &pattern)) {
		if (str_fits(pattern, name))
			return true;
	}
	return false;
}

/* The first class that fits, letters of either case. */
static enum work_class class_in(size_t vocabulary, struct str name)
{
	char lower[WORK_NAME_BYTES];

	pthread_once(&parsed, parse_rows);
	if (!name.len || name.len > sizeof(lower))
		return WORK_CUSTOM;
	for (size_t i = 0; i < name.len; i++)
		lower[i] = (char)(name.ptr[i] | (is_alpha(name.ptr[i]) ? 0x20 : 0));
	for (size_t i = 0; i < rows[vocabulary].count; i++) {
		if (fits_one(rows[vocabulary].items[i].names, (struct str){ lower, name.len }))
			return rows[vocabulary].items[i].class;
	}
	return WORK_CUSTOM;
}

enum work_class work_class_of(struct str ns, struct str base)
{
	if (!STR_IS_AMONG(namespaces, ARRAY_SIZE(namespaces), ns))
		return WORK_CUSTOM;
	while (base.len > 1 && str_ends(base, STR("_")))
		base = str_chop(base, 1);
	return class_in(0, base);
}

enum work_class work_class_of_kernel(struct str type)
{
	return class_in(1, type);
}
