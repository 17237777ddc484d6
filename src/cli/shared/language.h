#pragma once
/* The language of a run: that given, else that of $OPCHECK_LANG, LC_ALL, LC_MESSAGES or LANG, the first that is set. */
#include "base/setup/err.h"
#include "report/doc/sheet.h"

/* Let errors and help be in the language given, "" for that of the locale; before it they are English. */
void language_speak(struct str given);

/* Set the language of a report, of errors and of help. "all": that of the locale, and both on a page.
   ERR_VALUE. */
int language_choose(struct str given, struct render_options *ret, struct err *err);
