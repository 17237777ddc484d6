#pragma once
/* Words of shell commands. */
#include "base/memory/buf.h"

/* Appends a word in single quotes, so that the shell takes every byte as it is. */
void sh_put_word(struct buf *out, struct str word);
