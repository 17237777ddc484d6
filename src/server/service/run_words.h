#pragma once
/* Words of runs: names of projects, models, branches and commits, and tags. */
#include "server/service/submission.h"
#include "store/run.h"

/* Returns whether a text has control characters. */
bool run_has_control(struct str text);

/* ERR_VALUE for a name that is not one; what: its kind, "model". */
int run_check_word(const char *what, struct str text, struct err *err);

/* Check those of a submission. */
int run_check_words(const struct submission *submission, struct err *err);

/* Join tags, of which a value may hold several: each once, in the order of their bytes. ERR_VALUE. */
int run_join_tags(const struct str *values, size_t count, struct arena *arena, struct str *ret, struct err *err);
