#include "check/input/models.h"

#include <stdlib.h>

#include "base/value/version.h"
#include "base/view/ascii.h"
#include "check/input/ascend.h"
#include "op/profile_join.h"

enum { DATE_DIGITS = 6 };

/* --- words of names */

/* Words that tell ranks, steps and formats, also with a number behind: "rank3". */
static bool is_common(struct str word)
{
	static const struct str common = STR(
		"api ascend bin cpu csv cuda data db details device devices dump et execution export full gpu graph "
		"gz host html ipynb iter json kernel kineto local log logs md memory model node npu op operator "
		"operators out output preprocess prof profile profiler profiles profiling pt pytorch rank run stage "
		"statistic std stderr stdout step summary table tables tar task tb tgz time torch trace traces tsv "
		"txt view worker zip zst");

	while (word.len && is_digit(word.ptr[word.len - 1]))
		word.len--;
	return word.len < 2 || str_has_word(common, word);
}

static bool is_number(struct str word)
{
	return ALL(i, word.len, is_digit(word.ptr[i]));
}

/* The next word of letters and digits, in small letters. */
static bool next_word(struct str *text, struct buf *ret)
{
	size_t at = 0;

	buf_reset(ret);
	while (at < text->len && !is_alpha(text->ptr[at]) && !is_digit(text->ptr[at]))
		at++;
	for (; at < text->len && (is_alpha(text->ptr[at]) || is_digit(text->ptr[at])); at++)
		buf_printf(ret, "%c",
			is_lower(text->ptr[at]) || is_digit(text->ptr[at]) ? text->ptr[at] : text->ptr[at] - 'A' + 'a');
	*text = str_skip(*text, at);
	return ret->len;
}

/* A number counts behind a word that does: "resnet_50", not "run_50" or a date. */
static struct str words_of(struct arena *arena, struct str name)
{
	CLEANUP(buf_clear) struct buf words = BUF_UNLIMITED, word = BUF_UNLIMITED;
	bool counts = false;

	while (next_word(&name, &word)) {
		struct str one = buf_str(&word);

		counts = is_number(one) ? counts && one.len < DATE_DIGITS : !is_common(one);
		if (counts)
			buf_printf(&words, "%s%.*s", words.len ? " " : "", STR_ARG(one));
	}
	return arena_keep(arena, buf_str(&words));
}

/* The same up to the first dot of the base name, and all: "bert" and "bert dynamic" of "bert.dynamic.log". The files of
   torch_npu's profiler have the name of their folder, those of a worker of tensorboard none. */
static void read_name(struct model *model, struct arena *arena, struct str name, struct str worker)
{
	static const struct str marks[] = { STR("_ascend_pt"), STR("ASCEND_PROFILER_OUTPUT"), STR("PROF_") };
	struct str base, folder;
	size_t dot;

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		name = str_sub(name, 0, str_find(name, marks[i]) == STR_NONE ? name.len : str_find(name, marks[i]));
	base = path_base(name);
	folder = str_chop(name, base.len);
	dot = str_find(base, STR("."));

	if (worker.len && str_starts(base, worker))
		name = folder, dot = 0;
	model->words = words_of(arena, name);
	model->head = words_of(arena, str_sub(name, 0, dot == STR_NONE ? name.len : folder.len + dot));
}

static bool begins_with(struct str words, struct str other)
{
	return str_starts(words, other) && (words.len == other.len || !other.len || words.ptr[other.len] == ' ');
}

static bool have_one_name(const struct model *a, const struct model *b)
{
	return str_eq(a->head, b->head) && (begins_with(a->words, b->words) || begins_with(b->words, a->words));
}

/* --- versions */

/* The first and the last version of "2.8+", "1.10-2.2" or "2.6.0"; last is "" where it is open. */
static void split_era(struct str era, struct str *first, struct str *last)
{
	size_t dash = str_find(era, STR("-"));

	*first = dash == STR_NONE ? era : str_sub(era, 0, dash);
	*last = dash == STR_NONE ? era : str_skip(era, dash + 1);
	if (str_ends(era, STR("+")))
		*first = str_chop(era, 1), *last = STR("");
}

static bool ends_before(struct str last, struct str first)
{
	return last.len && version_cmp(last, first) < 0;
}

/* Unknown versions may be any. */
static bool may_be_one_version(const struct dump_facts *a, const struct dump_facts *b)
{
	struct str first[2], last[2];

	if (a->device.torch[0] && b->device.torch[0])
		return str_eq(str_from(a->device.torch), str_from(b->device.torch));
	if (!a->torch_era[0] || !b->torch_era[0])
		return true;
	split_era(str_from(a->torch_era), &first[0], &last[0]);
	split_era(str_from(b->torch_era), &first[1], &last[1]);
	return !ends_before(last[0], first[1]) && !ends_before(last[1], first[0]);
}

/* --- models */

static bool shows_run_of(const struct model *model, const struct read_dump *dump)
{
	const struct assess_input *input = &dump->input;

	for (size_t i = 0; i < model->dumps.held.count; i++) {
		const struct held_run *run = &model->dumps.held.items[i];

		if (profile_shows_one_run((struct profile *const[]){ run->part, dump->part },
			    (const bool[]){ run->cut, capture_hides_rows(input, 1) }))
			return true;
	}
	return false;
}

struct model *models_find(struct models *models, const struct read_dump *dump, struct str label)
{
	struct model added = { .facts = dump->input.dump };

	read_name(&added, models->arena, dump->name, label);
	for (size_t i = 0; i < models->list.count; i++) {
		struct model *model = &models->list.items[i];

		if (!models->apart)
			return model;
		if (may_be_one_version(&model->facts, &added.facts) &&
			(have_one_name(model, &added) || shows_run_of(model, dump)))
			return model;
	}
	added.profile = profile_new(models->limits);
	added.dumps.profile = added.profile;
	added.dumps.limits = models->limits;
	MEM_PUSH(&models->list, added);
	return &models->list.items[models->list.count - 1];
}

void models_finish(struct models *models)
{
	for (size_t i = 0; i < models->list.count; i++) {
		runs_finish(&models->list.items[i].dumps);
		profile_finish(models->list.items[i].profile);
	}
}

bool model_has_operator(const struct model *model)
{
	size_t count, i = 0;
	const struct profile_name *names = profile_names(model->profile, &count);

	while (i < count && names[i].name.name_class != NAME_OPERATOR)
		i++;
	return i < count;
}

void model_clear(struct model *model)
{
	profile_free(model->profile);
	runs_clear(&model->dumps);
}

void models_clear(struct models *models)
{
	for (size_t i = 0; i < models->list.count; i++)
		model_clear(&models->list.items[i]);
	free(models->list.items);
}
