#pragma once
/* Files without a name in the folder for temporary files ($TMPDIR): readable, writable, gone when they are closed. */

/* Opens one, or takes a reserved one, which is empty; -1 on failure. */
int tempfile_open(void);

/* Closes one; a reserved one is emptied and waits for the next tempfile_open. */
void tempfile_close(int file);

/* Opens some beforehand, for a process that may open none later: TEMPFILE_RESERVED at one time. */
enum { TEMPFILE_RESERVED = 2 };
void tempfile_reserve(void);
