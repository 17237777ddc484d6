#pragma once
/* Where tests put what they write: the directory that TMPDIR names, /tmp without. */
#include <stdio.h>
#include <stdlib.h>

/* A template for mkdtemp or mkstemp; a path that does not fit ends the test. */
static inline char *temporary_path(char *ret, size_t size)
{
	const char *directory = getenv("TMPDIR");

	if (snprintf(ret, size, "%s/opcheck-XXXXXX", directory && *directory ? directory : "/tmp") >= (int)size)
		abort();
	return ret;
}
