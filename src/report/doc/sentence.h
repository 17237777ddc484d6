#pragma once
/* Finished sentences of errors and hints in a reader's language, from whichever process they come. */
#include "base/memory/buf.h"
#include "report/doc/catalog.h"

/* Appends the sentence as web/i18n/messages.zh-CN.txt has it, with its placeholders filled; in English for
   an English reader, and where no text fits. */
void sentence_put(struct buf *out, enum lang lang, struct str english);
