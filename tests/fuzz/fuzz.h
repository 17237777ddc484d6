#pragma once
/*
 * What every fuzz target needs. A target is a file with LLVMFuzzerTestOneInput; with libFuzzer it is driven by random inputs,
 * with replay.c by the files of its corpus, so that what was found once is held by every build.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/view/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Stops the run: what the target holds is not so. */
#define HOLD(condition)                                                                                                \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);                 \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

static inline struct str fuzz_text(const uint8_t *data, size_t size)
{
	return (struct str){ size ? (const char *)data : "", size };
}

/* The first byte, taken off; 0 when there is none. */
static inline unsigned fuzz_byte(struct str *text)
{
	unsigned byte = text->len ? (unsigned char)text->ptr[0] : 0;

	if (text->len)
		*text = str_skip(*text, 1);
	return byte;
}
