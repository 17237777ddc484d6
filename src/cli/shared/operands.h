#pragma once
/* Operands of a command: advice on URLs, missing files, scripts. */
#include "base/setup/err.h"
#include "base/setup/opt.h"

/* ERR_OPEN for a URL among the operands, with the command that fetches it. */
int operands_refuse_urls(const struct arguments *arguments, struct err *err);

/* Give an error about one of the operands a hint: the nearest name for a missing file, the matches of a pattern that
   the shell left alone, the command for a script. Returns the error's negative code. */
int operands_hint(const struct arguments *arguments, struct err *err);
