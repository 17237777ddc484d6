#include "assess/compare/changes_gate.h"

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/value/words.h"

static const struct str fail_names[FAIL_WORDS] = {
	[FAIL_NEW] = STR("new"),
	[FAIL_WORSE] = STR("worse"),
	[FAIL_TIME] = STR("time"),
	[FAIL_SHAPES] = STR("shapes"),
	[FAIL_INCOMPARABLE] = STR("incomparable"),
};
static const struct words fail_words = { fail_names, FAIL_WORDS, FAIL_WORDS };

struct str change_word_name(enum change_word word)
{
	return word_for(&fail_words, word);
}

int change_words_parse(unsigned *ret, struct str list, struct err *err)
{
	struct str word;
	unsigned which;

	while (str_cut(&list, ',', &word)) {
		if (!word_find(&fail_words, str_trim(word), &which)) {
			err_set(err, ERR_VALUE, "a comparison cannot fail on '%s'", shown(word).text);
			return err_hint(err, "use new, worse, time, shapes or incomparable");
		}
		*ret |= 1u << which;
	}
	return 0;
}

static bool operator_counts(const struct operator_change *change, enum change_word word)
{
	if (word == FAIL_TIME)
		return change->kinds & CHANGE_OPERATOR_SHARE && change->after->share_ppm > change->before->share_ppm;
	return (word == FAIL_WORSE && change->kinds & CHANGE_OPERATOR_WORSE) ||
	       (word == FAIL_SHAPES && change->kinds & CHANGE_OPERATOR_SHAPES);
}

static size_t count_of(const struct changes *changes, enum change_word word)
{
	size_t count = word == FAIL_INCOMPARABLE ? changes->note_count : 0;

	for (size_t i = 0; i < changes->new_count && word == FAIL_NEW; i++)
		count += changes->findings[i].finding->severity != SEVERITY_NOTE;
	for (size_t i = 0; i < changes->target_count && word == FAIL_WORSE; i++)
		count += changes->targets[i].worse;
	for (size_t i = 0; i < changes->operator_count; i++)
		count += operator_counts(&changes->operators[i], word);
	return count;
}

/* Notes that leave changes unseen, and the words they count for. */
static const struct {
	const char *note;
	unsigned words;
} unseen[] = {
	{ "diff.basis", 1 << FAIL_NEW | 1 << FAIL_WORSE | 1 << FAIL_TIME | 1 << FAIL_SHAPES },
	{ "diff.captures", 1 << FAIL_NEW | 1 << FAIL_WORSE | 1 << FAIL_TIME | 1 << FAIL_SHAPES },
	{ "diff.no-target", 1 << FAIL_NEW | 1 << FAIL_WORSE },
	{ "diff.no-operator", 1 << FAIL_TIME | 1 << FAIL_SHAPES },
	{ "diff.no-shapes", 1 << FAIL_SHAPES },
};

static const struct message *note_with(const struct changes *changes, const char *id)
{
	return FIND(i, changes->notes, changes->note_count, strcmp(changes->notes[i].id, id) == 0);
}

struct change_check changes_check(const struct changes *changes, enum change_word word)
{
	struct change_check check = { .count = count_of(changes, word) };
	bool none_is_new = word == FAIL_NEW && !check.count && changes->before->shown_ppm < changes->after->shown_ppm;

	for (size_t i = 0; i < ARRAY_SIZE(unseen) && !check.unseen; i++) {
		/* the second shows more, and all of that is known */
		if (unseen[i].words >> word & 1 && !(none_is_new && strcmp(unseen[i].note, "diff.captures") == 0))
			check.unseen = note_with(changes, unseen[i].note);
	}
	return check;
}
