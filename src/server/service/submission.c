#include "server/service/submission.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "json/walk.h"
#include "record/kind.h"
#include "record/kinds.h"
#include "record/load.h"
#include "record/nested.h"
#include "server/service/run_words.h"

enum { NAME_BYTES = 255 };

/* --- the record */

/* The terms under their names; the gate is always written. */
static void put_terms(struct jsonw *json, const struct field *field, const void *item)
{
	const struct term_value *at = *(void *const *)field_of(field, item), *end = at + field_count(field, item);

	if (at == end || at->term != &term_table[0]) {
		jsonw_key_list(json, "fail_on");
		jsonw_list_end(json);
	}
	while (at < end) {
		const struct term *term = at->term;
		char space[TERM_NAME_BYTES];

		jsonw_key(json, term_parameter(term, space));
		if (term->kind == TERM_SWITCH)
			jsonw_bool(json, true);
		else if (term->kind == TERM_WORD)
			jsonw_str(json, at->value);
		else
			jsonw_list(json);
		for (; term->kind == TERM_LIST && at < end && at->term == term; at++)
			jsonw_str(json, at->value);
		if (term->kind == TERM_LIST)
			jsonw_list_end(json);
		else
			at++;
	}
}

static const struct term *term_of_key(const struct json_value *name)
{
	char space[TERM_NAME_BYTES];

	return FIND(i, term_table, term_count, str_eq(name->raw, str_from(term_parameter(&term_table[i], space))));
}

static bool is_term(const struct json_value *name)
{
	return term_of_key(name);
}

static void load_term(
	struct loader *loader, const struct term *term, const struct json_value *value, struct submission *ret)
{
	struct json_walk walk = json_walk(term->kind == TERM_LIST ? value : &JSON_ABSENT);
	struct json_value name, one;

	if (term->kind == TERM_LIST ? value->kind != JSON_LIST
				    : term->kind == TERM_SWITCH && !json_is_word(value, "true"))
		loader_note(loader, term_name(term));
	else if (term->kind == TERM_SWITCH)
		ret->terms[ret->term_count++] = (struct term_value){ term, STR("true") };
	else if (term->kind == TERM_WORD)
		ret->terms[ret->term_count++] = (struct term_value){ term, load_text(loader, value, term_name(term)) };
	while (json_walk_next(&walk, &name, &one))
		ret->terms[ret->term_count++] = (struct term_value){ term, load_text(loader, &one, term_name(term)) };
}

static void load_terms(
	struct loader *loader, const struct field *field UNUSED, const struct json_value *object, void *item)
{
	struct submission *submission = item;
	struct json_walk walk = json_walk(object);
	struct json_value name, value;
	size_t most = 1;

	while (json_walk_next(&walk, &name, &value))
		most += 1 + json_count(&value);
	submission->terms = arena_alloc(loader->arena, most * sizeof(submission->terms[0]));
	walk = json_walk(object);
	while (json_walk_next(&walk, &name, &value)) {
		const struct term *term = term_of_key(&name);

		if (term)
			load_term(loader, term, &value, submission);
	}
}

static const struct kind kind_terms = { "terms", "object", MEMBER_ITEMS, sizeof(struct term_value), .is_inline = true,
	.has_key = is_term, .put = put_terms, .load = load_terms };

static const struct field waivers_fields[] = {
	{ "name", &kind_text, AT(submission_waivers, name) },
	{ "sha256", &kind_word, AT(submission_waivers, sha256), OPTIONAL },
	{ "project", &kind_bool, AT(submission_waivers, of_project), OPTIONAL },
	{ "text", &kind_text, AT(submission_waivers, text), OPTIONAL },
	{ 0 },
};
static const struct record waivers_record = { sizeof(struct submission_waivers), waivers_fields, .closed = true };

static const struct field file_fields[] = {
	{ "name", &kind_text, AT(submission_file, name) },
	{ "bytes", &kind_count, AT(submission_file, bytes) },
	{ "source", &kind_bool, AT(submission_file, is_source), OPTIONAL },
	{ 0 },
};
static const struct record file_record = { sizeof(struct submission_file), file_fields, .closed = true };

static const struct field fields[] = {
	{ "targets", &kind_texts, AT(submission, targets), .count = AT(submission, target_count) },
	{ "asked", &kind_texts, AT(submission, asked), OPTIONAL, .count = AT(submission, asked_count) },
	{ "terms", &kind_terms, AT(submission, terms), .count = AT(submission, term_count) },
	{ "baseline", &kind_word, AT(submission, baseline), OPTIONAL },
	{ "waivers", &kind_list, AT(submission, waivers), OPTIONAL, .count = AT(submission, waiver_count),
		.record = &waivers_record },
	{ "no_stacks", &kind_bool, AT(submission, no_stacks), OPTIONAL },
	{ "files", &kind_list, AT(submission, files), OPTIONAL, .count = AT(submission, file_count),
		.record = &file_record },
	{ "name", &kind_text, AT(submission, name), OPTIONAL },
	{ "torch", &kind_text, AT(submission, torch), OPTIONAL },
	{ "project", &kind_text, AT(submission, project), OPTIONAL },
	{ "model", &kind_text, AT(submission, model), OPTIONAL },
	{ "branch", &kind_text, AT(submission, branch), OPTIONAL },
	{ "commit", &kind_text, AT(submission, revision), OPTIONAL },
	{ "tags", &kind_text, AT(submission, tags), OPTIONAL },
	{ 0 },
};
const struct record submission_record = { sizeof(struct submission), fields, .closed = true };

struct str submission_json(const struct submission *submission, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&text, 0);

	record_put(&json, &submission_record, submission);
	return arena_keep(arena, str_trim(buf_str(&text)));
}

int submission_of_json(struct str json, struct arena *arena, struct submission *ret, struct err *err)
{
	struct loader loader = { .arena = arena };

	*ret = (struct submission){ 0 };
	if (record_read(&loader, json, &submission_record, ret))
		return 0;
	err_set(err, ERR_STORE_DAMAGED, "the options of a run cannot be read");
	if (loader.is_unknown)
		return err_hint(err, "a later version wrote '%s'", shown(str_from(loader.missing)).text);
	return loader.missing ? err_hint(err, "the value of '%s' is missing or invalid", loader.missing) : -err->code;
}

/* --- a form */

static struct str repaired_name(struct arena *arena, struct str name)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	utf8_repair(&text, name);
	return arena_keep(arena, buf_str(&text));
}

/* The last component of a path, "-" for none. ERR_VALUE for one that is too long. */
static int submission_name(struct str path, struct arena *arena, struct str *ret, struct err *err)
{
	struct str name = STR("-"), part;

	while (str_cut(&path, '/', &part)) {
		if (part.len)
			name = part;
	}
	*ret = repaired_name(arena, name);
	if (name.len <= NAME_BYTES)
		return 0;
	err_set(err, ERR_VALUE, "the name of the dump has more than %d bytes", NAME_BYTES);
	return err_hint(err, "give a shorter one with ?name=");
}

/* "4096 rank0.log", as server/http/body.h has it. Folders of a script are its module. */
static int take_file(
	struct str value, bool is_source, struct arena *arena, struct submission_file *ret, struct err *err)
{
	struct str bytes;

	ret->is_source = is_source;
	if (!str_cut(&value, ' ', &bytes) || !decimal_unsigned(bytes, &ret->bytes))
		return err_set(err, ERR_VALUE, "the form has no file '%s'", shown(bytes).text);
	if (!is_source)
		return submission_name(value, arena, &ret->name, err);
	ret->name = repaired_name(arena, value);
	return 0;
}

static int take_files(const struct parameters *form, struct arena *arena, struct submission *ret, struct err *err)
{
	size_t sources = 0;
	int status = 0;

	ret->files = arena_alloc(arena, (form->count + 1) * sizeof(ret->files[0]));
	for (size_t i = 0; i < form->count && !status; i++) {
		bool is_source = str_eq(form->items[i].name, STR("source"));

		if (!is_source && !str_eq(form->items[i].name, STR("file")))
			continue;
		sources += is_source;
		status = take_file(form->items[i].value, is_source, arena, &ret->files[ret->file_count++], err);
	}
	if (status || !sources || sources < ret->file_count)
		return status;
	err_set(err, ERR_ARGUMENT, "the form has scripts, but no dump");
	return err_hint(err, "send the dump as the field 'file', and scripts as fields 'source'");
}

static int take_terms(const struct parameters *form, struct arena *arena, struct submission *ret, struct err *err)
{
	int status = 0;

	ret->terms = arena_alloc(arena, (form->count + 1) * sizeof(ret->terms[0]));
	for (size_t i = 0; i < term_count && !status; i++) {
		const struct term *term = &term_table[i];
		char space[TERM_NAME_BYTES];
		const char *name = term_parameter(term, space);
		bool on = true;
		size_t count, k;
		struct str *values = parameters_values(form, name, arena, &count);

		if (term->kind == TERM_SWITCH && parameters_switch(form, name, &on, err) < 0)
			status = -err->code;
		for (k = term->kind == TERM_LIST || !count ? 0 : count - 1; k < count && on && !status; k++)
			ret->terms[ret->term_count++] = (struct term_value){ term, values[k] };
	}
	return status;
}

/* The name of a file, a line feed and its text. */
static int take_waivers(const struct parameters *form, struct arena *arena, struct submission *ret, struct err *err)
{
	static const char *const names[] = { "waivers", "project_waivers" };
	int status = 0;

	ret->waivers = arena_alloc(arena, (form->count + 1) * sizeof(ret->waivers[0]));
	for (size_t of_project = 0; of_project < ARRAY_SIZE(names); of_project++) {
		size_t count;
		struct str *values = parameters_values(form, names[of_project], arena, &count), name;

		for (size_t i = 0; i < count && !status; i++) {
			struct submission_waivers *waivers = &ret->waivers[ret->waiver_count++];

			str_cut(&values[i], '\n', &name);
			waivers->text = values[i];
			waivers->of_project = of_project;
			status = submission_name(name, arena, &waivers->name, err);
		}
	}
	return status;
}

int submission_of_form(const struct parameters *form, struct str file_name, struct arena *arena, struct submission *ret,
	struct err *err)
{
	struct str name = parameters_value(form, "name"), *tags;
	size_t tag_count;
	int status;

	*ret = (struct submission){ .torch = parameters_value(form, "torch"),
		.baseline = parameters_value(form, "baseline"),
		.no_stacks = parameters_value(form, "no_stacks").len > 0,
		.project = parameters_value(form, "project"),
		.model = parameters_value(form, "model"),
		.branch = parameters_value(form, "branch"),
		.revision = parameters_value(form, "commit") };
	ret->targets = parameters_values(form, "target", arena, &ret->target_count);
	tags = parameters_values(form, "tag", arena, &tag_count);
	status = submission_name(name.len ? name : file_name, arena, &ret->name, err);
	if (!status)
		status = take_files(form, arena, ret, err);
	if (!status)
		status = take_terms(form, arena, ret, err);
	if (!status)
		status = take_waivers(form, arena, ret, err);
	return status ? status : run_join_tags(tags, tag_count, arena, &ret->tags, err);
}

void submission_state_types(struct submission *submission, struct str types, struct arena *arena)
{
	const struct term_value stated = { term_named(STR("dtype")), types };
	struct term_value *terms = arena_alloc(arena, (submission->term_count + 1) * sizeof(terms[0]));
	size_t count = 0;
	bool placed = false;

	for (size_t i = 0; i < submission->term_count; i++) {
		if (!placed && submission->terms[i].term >= stated.term) {
			terms[count++] = stated;
			placed = true;
		}
		if (submission->terms[i].term != stated.term)
			terms[count++] = submission->terms[i];
	}
	if (!placed)
		terms[count++] = stated;
	submission->terms = terms;
	submission->term_count = count;
}
