#include "scan/find/word.h"

#include <stdio.h>

#include "base/view/ascii.h"
#include "scan/find/check_names.h"
#include "scan/source/setting.h"

void word_push(const struct word_source *words, uint32_t from, uint32_t to, const struct source_rule *rule)
{
	if (rule)
		check_place(
			words->check, (struct source_place){ .script = words->script,
					      .node = setting_push(&words->script->syntax, from, to, 0, SYN_AS_OTHER),
					      .from = from,
					      .to = to,
					      .rule = rule,
					      .name = arena_keep(&words->check->text, str_sub(words->text, from, to)),
					      .word = true });
}

const struct source_rule *word_rule(const struct word_source *words, enum text_group group, struct str text)
{
	const struct rule_book *book = words->check->book;
	const struct source_rule *best = NULL;

	for (size_t i = 0; i < book->rules.count; i++) {
		const struct source_rule *rule = &book->rules.items[i];

		if (rule->group == group && (!best || rule->name.len > best->name.len) && str_fits(rule->name, text))
			best = rule; /* the longest pattern says most */
	}
	return best;
}

const struct source_rule *word_setting(
	const struct word_source *words, struct str around, struct str name, struct str value)
{
	char text[2 * SOURCE_NAME_BYTES];
	int len;

	if (str_eq_fold(value, STR("true")))
		value = STR("true");
	len = snprintf(text, sizeof(text), "%.*s%s%.*s=%.*s", STR_ARG(around), around.len ? "." : "", STR_ARG(name),
		STR_ARG(value));
	return len >= 0 && (size_t)len < sizeof(text)
		       ? word_rule(words, TEXT_SETTING, (struct str){ text, (size_t)len })
		       : NULL;
}

uint32_t word_end(struct str text, uint32_t from, uint32_t to)
{
	while (from < to && is_word(text.ptr[from]))
		from++;
	return from;
}

void word_variable(const struct word_source *words, uint32_t from, uint32_t to)
{
	const struct source_rule *rule = rule_of_text(words->check->book, str_sub(words->text, from, to));

	word_push(words, from, to, rule && rule->group == TEXT_ENV ? rule : NULL);
}

/* --- packages */

const struct source_rule *word_build_rule(
	const struct word_source *words, uint32_t from, uint32_t to, uint32_t *ret_from, uint32_t *ret_to)
{
	size_t plus = str_find(str_sub(words->text, from, to), STR("+cu"));

	if (plus == STR_NONE)
		return NULL;
	*ret_from = from + (uint32_t)plus;
	*ret_to = word_end(words->text, *ret_from + 1, to);
	return word_rule(words, TEXT_BUILD, str_sub(words->text, *ret_from, *ret_to));
}

void word_build(const struct word_source *words, uint32_t from, uint32_t to)
{
	uint32_t at, end;
	const struct source_rule *rule = word_build_rule(words, from, to, &at, &end);

	word_push(words, at, end, rule);
}

/* By the name of a distribution, or of the module in it. */
static const struct source_rule *rule_of_distribution(const struct word_source *words, struct str name)
{
	char as_distribution[SOURCE_NAME_BYTES], as_module[SOURCE_NAME_BYTES];
	const struct source_rule *rule;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		as_distribution[i] = c == '_' || c == '.' ? '-' : c;
		as_module[i] = c == '-' || c == '.' ? '_' : c;
	}
	rule = word_rule(words, TEXT_PACKAGE, (struct str){ as_distribution, name.len });
	if (rule)
		return rule;
	rule = rule_exact(words->check->book, TEXT_NAME, (struct str){ as_module, name.len });
	return rule_is(rule, "src-package") || rule_is(rule, "src-tool") ? rule : NULL;
}

/* Where the name of a package begins in an address: behind "egg=", else as the last part of its path. */
static uint32_t name_in_address(struct str text, uint32_t from, uint32_t to)
{
	size_t egg = str_find(str_sub(text, from, to), STR("egg="));
	struct str path = str_sub(text, from, to);

	if (egg != STR_NONE)
		return from + (uint32_t)egg + 4;
	path = str_skip(path, str_find(path, STR("://")) + 3);
	path = str_skip(path, str_head(path, '/').len); /* "git@github.com" is not the end of the path */
	for (size_t i = 0; i < path.len; i++) {
		if (memchr("@#?", path.ptr[i], 3))
			path.len = i;
	}
	return (uint32_t)(str_tail(path, '/').ptr - text.ptr);
}

/* The end of a name; in an address before ".git" and the version of an archive. */
static uint32_t name_end(struct str text, uint32_t at, uint32_t to, bool is_address)
{
	while (at < to && (is_word(text.ptr[at]) || memchr("-.", text.ptr[at], 2)) &&
		!(is_address && (str_starts(str_sub(text, at, to), STR(".git")) ||
					(text.ptr[at] == '-' && at + 1 < to && is_digit(text.ptr[at + 1])))))
		at++;
	return at;
}

const struct source_rule *word_requirement(
	const struct word_source *words, uint32_t from, uint32_t to, uint32_t *ret_from, uint32_t *ret_to)
{
	size_t channel = str_find(str_sub(words->text, from, to), STR("::"));
	uint32_t at = channel == STR_NONE ? from : from + (uint32_t)channel + 2,
		 end = name_end(words->text, at, to, false);
	bool is_address = end < to && memchr("+:", words->text.ptr[end], 2) &&
			  str_has(str_sub(words->text, end, to), STR("://"));

	if (is_address) {
		at = name_in_address(words->text, at, to);
		end = name_end(words->text, at, to, true);
	}
	*ret_from = at;
	*ret_to = end;
	if (end == at || end - at > SOURCE_NAME_BYTES ||
		(end < to && !is_address && !memchr("[=<>!~@ \"';", words->text.ptr[end], 11)))
		return NULL;
	return rule_of_distribution(words, str_sub(words->text, at, end));
}

void word_package(const struct word_source *words, uint32_t from, uint32_t to)
{
	uint32_t at, end;
	const struct source_rule *rule = word_requirement(words, from, to, &at, &end);

	word_push(words, at, end, rule);
	word_build(words, from, to);
}

void word_index(const struct word_source *words, uint32_t from, uint32_t to)
{
	struct str word = str_sub(words->text, from, to);
	size_t at = str_find(word, STR("://"));

	if (at != STR_NONE)
		word_push(words, from, to, word_rule(words, TEXT_INDEX, str_skip(word, at + 3)));
}

void word_image(const struct word_source *words, uint32_t from, uint32_t to)
{
	word_push(words, from, to, word_rule(words, TEXT_IMAGE, str_sub(words->text, from, to)));
}

/* --- values */

static bool has_fold(struct str text, struct str part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		if (str_eq_fold(str_sub(text, i, i + part.len), part))
			return true;
	}
	return false;
}

/* Returns whether "--my-device" or a key is one that the program takes a device from. */
static bool is_device_option(const struct word_source *words, struct str name)
{
	char key[SOURCE_NAME_BYTES];

	while (name.len && name.ptr[0] == '-')
		name = str_skip(name, 1);
	if (!name.len || name.len > sizeof(key))
		return false;
	for (size_t i = 0; i < name.len; i++)
		key[i] = name.ptr[i] == '-' ? '_' : name.ptr[i];
	return is_device_name(words->check, (struct str){ key, name.len });
}

void word_value(const struct word_source *words, struct str name, uint32_t from, uint32_t to)
{
	const struct source_rule *rule = rule_of_text(words->check->book, str_sub(words->text, from, to));
	bool wanted = false;

	if (rule && rule->group == TEXT_VALUE)
		wanted = true;
	else if (rule && rule->group == TEXT_DEVICE)
		wanted = has_fold(name, STR("device")) || has_fold(name, STR("accelerator")) ||
			 has_fold(name, STR("map_location")) || is_device_option(words, name);
	else if (rule && rule->group == TEXT_BACKEND)
		wanted = has_fold(name, STR("backend")) || is_device_option(words, name);
	if (wanted)
		word_push(words, from, to, rule);
}
