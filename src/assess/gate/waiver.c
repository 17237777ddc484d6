#include "assess/gate/waiver.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/ini.h"
#include "base/value/date.h"
#include "base/value/nearest.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"

enum { PATTERN_BYTES = 512 };

/* A file under way. */
struct waiver_reading {
	struct ini ini;
	struct arena *arena;
	struct waiver_list *list;
	size_t first; /* waiver of this file */
	struct err *err;
};

/* --- keys */

static const struct waiver_key {
	const char *name;
	size_t field;
	bool is_switch;
} keys[] = {
	{ "op", offsetof(struct waiver, patterns[WAIVER_OP]) },
	{ "rule", offsetof(struct waiver, patterns[WAIVER_RULE]) },
	{ "target", offsetof(struct waiver, patterns[WAIVER_TARGET]) },
	{ "module", offsetof(struct waiver, patterns[WAIVER_MODULE]) },
	{ "path", offsetof(struct waiver, patterns[WAIVER_PATH]) },
	{ "dtype", offsetof(struct waiver, patterns[WAIVER_DTYPE]) },
	{ "fingerprint", offsetof(struct waiver, patterns[WAIVER_FINGERPRINT]) },
	{ "until", offsetof(struct waiver, until) },
	{ "until_fact_changes", offsetof(struct waiver, until_fact_changes), true },
	{ "fact", offsetof(struct waiver, fact) },
	{ "reason", offsetof(struct waiver, reason) },
	{ "owner", offsetof(struct waiver, owner) },
	{ "ref", offsetof(struct waiver, ref) },
	{ "justification", offsetof(struct waiver, justification) },
};

static const struct str justifications = STR("not_executed accepted_slow rewritten_in_port wrong_fact other");

static int refuse_line(const struct waiver_reading *reading, unsigned line)
{
	return err_where(reading->err, "%s:%u", shown(reading->ini.name).text, line);
}

static int unknown_key(struct waiver_reading *reading, struct str key)
{
	struct nearest nearest = NEAREST_TO(key);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		nearest_offer(&nearest, str_from(keys[i].name));
	err_set(reading->err, ERR_WAIVER, "a waiver has no '%s'", shown(key).text);
	if (nearest.count)
		err_hint(reading->err, "did you mean %.*s?", STR_ARG(nearest.names[0]));
	else
		err_hint(reading->err,
			"it has op, rule, target, module, path, dtype, fingerprint, until, reason, owner ...");
	return refuse_line(reading, reading->ini.line);
}

static int set_switch(struct waiver_reading *reading, bool *field, struct str value)
{
	if (!str_eq(value, STR("true")) && !str_eq(value, STR("false"))) {
		err_set(reading->err, ERR_WAIVER, "'%s' is neither true nor false", shown(value).text);
		return refuse_line(reading, reading->ini.line);
	}
	*field = str_eq(value, STR("true"));
	return 0;
}

static int set_text(struct waiver_reading *reading, const struct waiver_key *key, struct str *field, struct str value)
{
	if (!value.len || value.len > PATTERN_BYTES || field->len) {
		err_set(reading->err, ERR_WAIVER, "%s %s", key->name,
			field->len ? "is given twice" : "needs a value of 1 to 512 bytes");
		return refuse_line(reading, reading->ini.line);
	}
	*field = arena_keep(reading->arena, value);
	return 0;
}

static int take_setting(struct waiver_reading *reading, const struct ini_item *item)
{
	struct waiver *waiver;

	if (reading->list->count == reading->first) {
		err_set(reading->err, ERR_WAIVER, "'%s' comes before the first waiver", shown(item->key).text);
		err_hint(reading->err, "begin with a line such as [waiver my-name-for-it]");
		return refuse_line(reading, reading->ini.line);
	}
	waiver = &reading->list->items[reading->list->count - 1];
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		char *field = (char *)waiver + keys[i].field;

		if (!str_eq(item->key, str_from(keys[i].name)))
			continue;
		return keys[i].is_switch ? set_switch(reading, (bool *)field, item->value)
					 : set_text(reading, &keys[i], (struct str *)(void *)field, item->value);
	}
	return unknown_key(reading, item->key);
}

static int begin_section(struct waiver_reading *reading, struct str section)
{
	const struct str word = STR("waiver");
	struct waiver waiver = { .file = reading->ini.name, .line = reading->ini.line };

	for (size_t i = 0; i < WAIVER_PATTERNS; i++)
		waiver.patterns[i] = STR("");
	waiver.until = waiver.reason = waiver.owner = waiver.ref = waiver.justification = waiver.fact = STR("");
	if (str_starts(section, word))
		waiver.id = str_trim(str_skip(section, word.len));
	if (!str_starts(section, word) || !waiver.id.len || waiver.id.len > 64 || !str_is_word(waiver.id, "-.")) {
		err_set(reading->err, ERR_WAIVER, "[%s] begins no waiver", shown(section).text);
		err_hint(reading->err, "write [waiver NAME]; a name has letters, digits, - _ and . (at most 64)");
		return refuse_line(reading, reading->ini.line);
	}
	for (size_t i = 0; i < reading->list->count; i++) {
		if (!str_eq(reading->list->items[i].id, waiver.id))
			continue;
		err_set(reading->err, ERR_WAIVER, "waiver '%.*s' exists already, at %s:%u", STR_ARG(waiver.id),
			shown(reading->list->items[i].file).text, reading->list->items[i].line);
		return refuse_line(reading, reading->ini.line);
	}
	if (reading->list->count == WAIVERS_MAX) {
		err_set(reading->err, ERR_WAIVER, "more than %d waivers", WAIVERS_MAX);
		return refuse_line(reading, reading->ini.line);
	}
	waiver.id = arena_keep(reading->arena, waiver.id);
	MEM_PUSH(reading->list, waiver);
	return 0;
}

/* Check a waiver as a whole. */
static int check_waiver(struct waiver_reading *reading, struct waiver *waiver)
{
	struct err *err = reading->err;

	if (!waiver->reason.len) {
		err_set(err, ERR_WAIVER, "waiver '%.*s' has no reason", STR_ARG(waiver->id));
		err_hint(err, "say why the finding is accepted: reason = ...");
	} else if (ALL(i, WAIVER_PATTERNS, !waiver->patterns[i].len)) {
		err_set(err, ERR_WAIVER, "waiver '%.*s' would waive everything", STR_ARG(waiver->id));
		err_hint(err, "give it one of op, rule, target, module, path, dtype or fingerprint");
	} else if (waiver->until.len && !date_days(waiver->until, &waiver->until_day)) {
		err_set(err, ERR_WAIVER, "'%s' is not a date", shown(waiver->until).text);
		err_hint(err, "write until = YYYY-MM-DD, the last day on which the waiver holds");
	} else if (waiver->until_fact_changes != (waiver->fact.len > 0)) {
		err_set(err, ERR_WAIVER, "until_fact_changes = true and fact belong together");
		err_hint(err, "fact is what the JSON report has under that name beside the finding");
	} else if (waiver->justification.len && !str_has_word(justifications, waiver->justification)) {
		err_set(err, ERR_WAIVER, "no justification '%s'", shown(waiver->justification).text);
		err_hint(err, "there are not_executed, accepted_slow, rewritten_in_port, wrong_fact and other");
	} else {
		return 0;
	}
	return refuse_line(reading, waiver->line);
}

int waivers_read(struct str text, struct str file, struct arena *arena, struct waiver_list *list, struct err *err)
{
	struct waiver_reading reading = { .arena = arena, .list = list, .first = list->count, .err = err };
	struct ini_item item;
	int status;

	reading.ini = ini_of(text, arena_keep(arena, file));
	while ((status = ini_next(&reading.ini, &item, err)) == 1) {
		status = item.key.len ? take_setting(&reading, &item) : begin_section(&reading, item.section);
		if (status)
			return status;
	}
	if (status) {
		err->code = ERR_WAIVER; /* an error of the grammar is one of the waiver file, too */
		return -ERR_WAIVER;
	}
	for (size_t i = reading.first; i < list->count && !status; i++)
		status = check_waiver(&reading, &list->items[i]);
	return status;
}

void waivers_clear(struct waiver_list *list)
{
	free(list->items);
	*list = (struct waiver_list){ 0 };
}

/* --- matching */

static bool pattern_fits(struct str pattern, struct str text)
{
	return !pattern.len || str_fits(pattern, text);
}

/* The pattern is one type; the finding may name several with commas between them. */
static bool fits_dtype(struct str pattern, struct str types)
{
	struct str type;

	if (!pattern.len)
		return true;
	while (str_cut(&types, ',', &type)) {
		if (str_fits(pattern, str_trim(type)))
			return true;
	}
	return false;
}

bool waiver_fits(const struct waiver *waiver, const struct result_finding *finding)
{
	const struct str *patterns = waiver->patterns;

	return pattern_fits(patterns[WAIVER_OP], finding->operator_name) &&
	       pattern_fits(patterns[WAIVER_RULE], str_from(finding->what.id)) &&
	       pattern_fits(patterns[WAIVER_TARGET], finding->target) &&
	       pattern_fits(patterns[WAIVER_MODULE], message_value(&finding->what, "module")) &&
	       pattern_fits(patterns[WAIVER_PATH], message_value(&finding->what, "path")) &&
	       fits_dtype(patterns[WAIVER_DTYPE], message_value(&finding->what, "dtypes")) &&
	       pattern_fits(patterns[WAIVER_FINGERPRINT], finding->fingerprint);
}

bool waiver_fits_operator(const struct waiver *waiver, struct str operator_name, struct str target)
{
	return ALL(i, WAIVER_PATTERNS, i == WAIVER_OP || i == WAIVER_TARGET || !waiver->patterns[i].len) &&
	       pattern_fits(waiver->patterns[WAIVER_OP], operator_name) &&
	       pattern_fits(waiver->patterns[WAIVER_TARGET], target);
}
