#pragma once
/* A program run without a shell. */
#include "base/memory/buf.h"

/* Runs words[0], found as execvp does, with no standard input and no standard error; words end with NULL. Appends what
   it prints to out, up to its maximum: the rest is read and dropped. A program that prints longer than the seconds
   (0: without end) is killed. Returns its exit status, PROCESS_NOT_STARTED, or PROCESS_ENDED_EARLY for one that was
   killed or ended by a signal. */
enum { PROCESS_NOT_STARTED = -1, PROCESS_ENDED_EARLY = -2 };
int process_run(const char *const *words, uint64_t seconds, struct buf *out);
