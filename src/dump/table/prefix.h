#pragma once
/*
 * Prefixes that launchers and loggers put before every line: "[rank0]: ", "2024-05-06 10:00:01,123 INFO train.py:88 -
 * ", "trainer-1  | ", "(EngineCore_DP0 pid=44565) ", "> ".
 *
 * A prefix is learnt from the line of dashes after it. Digits that count time are wildcards; digits that name a rank,
 * a process or a container are part of the identity, and they make the prefix the name of a stream.
 */
#include "base/memory/buf.h"

enum { MAX_PREFIX_BYTES = 256 };

struct prefix {
	char text[MAX_PREFIX_BYTES];
	bool wild[MAX_PREFIX_BYTES]; /* this digit and its run may be any digits */
	size_t len;
	size_t solid_len; /* without blanks at its end: an empty line may have lost them */
};

/* Learns from the text before the dashes; false when it is empty, blank or too long. */
bool prefix_learn(struct prefix *prefix, struct str text);

/* Bytes of line that the prefix takes, or STR_NONE. */
size_t prefix_match(const struct prefix *prefix, struct str line);

/* Appends what identifies the stream: the prefix without its wildcards and outer blanks; nothing when it names no
   rank. */
void prefix_label(const struct prefix *prefix, struct buf *buf);
