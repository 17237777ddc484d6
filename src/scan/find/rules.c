#include "scan/find/rules.h"

#include <stdlib.h>

#include "assess/model/rule.h"
#include "base/memory/hash.h"
#include "base/view/ascii.h"

extern const char scripts_names[], scripts_strings[];

static const struct str group_names[] = { STR(""), STR("device"), STR("backend"), STR("env"), STR("type"),
	STR("provider"), STR("sort"), STR("value"), STR("tool"), STR("package"), STR("build"), STR("index"),
	STR("image"), STR("setting") };

static const struct words groups = { group_names, ARRAY_SIZE(group_names), TEXT_NAME };
static const struct str action_names[] = { STR("must"), STR("check"), STR("fine") };
static const struct words actions = { action_names, ARRAY_SIZE(action_names), 0 };

static uint64_t hash_of(enum text_group group, struct str name)
{
	return hash_str(hash_seed() + group, name);
}

static bool read_group(struct str *line, struct source_rule *rule)
{
	struct str word = { 0 };
	unsigned group = TEXT_NAME;

	if (str_cut(line, '\t', &word))
		word_find(&groups, word, &group);
	rule->group = (enum text_group)group;
	return group != TEXT_NAME;
}

static bool read_rule(struct str line, bool has_group, struct source_rule *ret)
{
	struct str cell = { 0 };
	const struct rule *rule;
	unsigned action;

	if (!str_cut(&line, '\t', &ret->name) || (has_group && !read_group(&line, ret)) || !str_cut(&line, '\t', &cell))
		return false;
	rule = rule_find(cell);
	ret->rule = rule ? rule->id : NULL;
	for (size_t i = 0; i < SOURCE_TARGETS; i++) {
		if (!str_cut(&line, '\t', &cell) || !word_find(&actions, cell, &action) ||
			!str_cut(&line, '\t', &ret->on[i].instead))
			return false;
		ret->on[i].action = (enum source_action)action;
		if (str_eq(ret->on[i].instead, STR(".")))
			ret->on[i].instead = STR("");
	}
	ret->sources = line;
	return ret->rule && line.len;
}

static int read_table(struct rule_book *book, struct str text, bool has_group, struct err *err)
{
	struct str line = { 0 };

	str_cut(&text, '\n', &line); /* the names of the columns */
	while (text.len && str_cut(&text, '\n', &line)) {
		struct source_rule rule = { 0 };

		if (!read_rule(line, has_group, &rule))
			return err_set(err, ERR_INTERNAL, "opdb/scripts has an invalid row: %.*s", STR_ARG(line));
		map_add(&book->by_name, hash_of(rule.group, rule.name), (uint32_t)book->rules.count);
		MEM_PUSH(&book->rules, rule);
	}
	return 0;
}

int rule_book_open(struct rule_book *ret, struct err *err)
{
	int status;

	*ret = (struct rule_book){ 0 };
	status = read_table(ret, str_from(scripts_names), false, err);
	return status ? status : read_table(ret, str_from(scripts_strings), true, err);
}

void rule_book_clear(struct rule_book *book)
{
	free(book->rules.items);
	map_clear(&book->by_name);
}

const struct source_rule *rule_exact(const struct rule_book *book, enum text_group group, struct str name)
{
	struct map_cursor at = map_start(&book->by_name, hash_of(group, name));

	while (map_next(&book->by_name, &at)) {
		const struct source_rule *rule = &book->rules.items[at.index];

		if (rule->group == group && str_eq(rule->name, name))
			return rule;
	}
	return NULL;
}

struct str name_around(struct str name)
{
	size_t last = str_tail(name, '.').len;

	return str_chop(name, last < name.len ? last + 1 : last);
}

const struct source_rule *rule_of_name(const struct rule_book *book, struct str name)
{
	const struct source_rule *rule = rule_exact(book, TEXT_NAME, name);
	struct str around = name;

	while (!rule && (around = name_around(around)).len) {
		char pattern[SOURCE_NAME_BYTES];

		if (around.len + 2 > sizeof(pattern))
			continue;
		memcpy(pattern, around.ptr, around.len);
		memcpy(pattern + around.len, ".*", 2);
		rule = rule_exact(book, TEXT_NAME, (struct str){ pattern, around.len + 2 });
	}
	return rule;
}

const struct source_rule *rule_of_package(const struct rule_book *book, struct str module)
{
	for (; module.len; module = name_around(module)) {
		const struct source_rule *rule = rule_exact(book, TEXT_NAME, module);

		if (rule)
			return rule;
	}
	return NULL;
}

const struct source_rule *rule_of_text(const struct rule_book *book, struct str text)
{
	const struct source_rule *rule = NULL;

	for (size_t group = TEXT_DEVICE; !rule && group <= TEXT_TOOL; group++)
		rule = rule_exact(book, (enum text_group)group, text);
	if (!rule && str_starts(text, STR("cuda:")) &&
		str_is_word(str_skip(text, 5), "{}%.:")) /* a number, or a placeholder */
		rule = rule_exact(book, TEXT_DEVICE, STR("cuda:*"));
	if (!rule && str_starts(text, STR("NCCL_")))
		rule = rule_exact(book, TEXT_ENV, STR("NCCL_*"));
	if (!rule && str_starts(text, STR("TORCH_NCCL_")))
		rule = rule_exact(book, TEXT_ENV, STR("TORCH_NCCL_*"));
	if (!rule && str_starts(text, STR("nvidia-smi ")))
		rule = rule_exact(book, TEXT_TOOL, STR("nvidia-smi"));
	return rule;
}
