#pragma once
/* Whether files may be changed in place: git has what they were. */
#include "base/err.h"

/* 0 when the path lies in a work tree of git whose tracked files are as committed and the path has no file that git
   does not know. ERR_EXISTS otherwise, with what is in the way. No hook or program of the repository runs. */
int worktree_clean(const char *path, struct err *err);
