#pragma once
/* Words of shell commands. */
#include "base/memory/buf.h"

/* Append a word that a shell takes byte by byte: as it is where that is safe, else in single quotes; always quoted. */
void shell_put_word(struct buf *out, struct str word);
void shell_put_quoted(struct buf *out, struct str word);

/* The same for a file: "./" keeps a name that begins with "-" from being an option. */
void shell_put_path(struct buf *out, struct str path);
