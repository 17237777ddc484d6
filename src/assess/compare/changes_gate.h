#pragma once
/* The gate of a comparison: words for changes, each with a check. */
#include "assess/compare/changes.h"

/* Changes on which a comparison may fail. */
enum change_word { FAIL_NEW, FAIL_WORSE, FAIL_TIME, FAIL_SHAPES, FAIL_INCOMPARABLE, FAIL_WORDS };

/* "new" ... Static text. */
struct str change_word_name(enum change_word word);

/* Reads a list of words into bits. ERR_VALUE. */
int change_words_parse(unsigned *words, struct str list, struct err *err);

/* A check of the gate. It passes if no change counts and all could be seen. */
struct change_check {
	size_t count;                 /* of the changes that the word covers */
	const struct message *unseen; /* note on what leaves such changes unseen; NULL: none does */
};
struct change_check changes_check(const struct changes *changes, enum change_word word);

static inline bool change_check_fails(struct change_check check)
{
	return check.count || check.unseen;
}
