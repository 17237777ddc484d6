#pragma once
/*
 * Agreement by what was observed rather than by row: distinct operators, types and chips of strict rows.
 *
 * A key agrees when all of its rows do (key_agrees); one for which rows report different outcomes stands apart. Keys of
 * third-party namespaces are one part, whatever was observed.
 */
#include "check/score/score.h"

enum key_part { KEYS_PLAIN, KEYS_AICPU, KEYS_DTYPES, KEYS_OTHER, KEYS_THIRD_PARTY, KEY_PARTS };

struct key_tally {
	size_t keys[KEY_PARTS], agreeing[KEY_PARTS], false_green[KEY_PARTS];
	size_t apart;          /* keys with two outcomes */
	size_t native, alarms; /* rows, strict ones */
};

struct key_tally score_keys(const struct score *score);

extern const char *const key_part_titles[KEY_PARTS];

/* Prints them. */
void score_put_keys(const struct score *score, struct buf *out);

/* (operator, type) pairs of aten that are called so on a target, over the documented types. */
struct called {
	size_t operators, aicpu, maybe_aicpu, strided, refused; /* strided: if the result is not contiguous */
};

int score_called(const struct opdb *db, const struct target *target, struct called *ret, struct err *err);
