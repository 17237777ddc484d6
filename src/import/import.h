#pragma once
/*
 * New facts from files that a user or a user's machine has written, into the fact text.
 *
 * Every import reads the text in opdb_dir, works the new facts out, and only then writes the tables that changed, all
 * at once: after an error the text is as it was. Errors in a file name it and the line (ERR_IMPORT), those in the
 * fact text too (ERR_FACT); an existing fact is ERR_EXISTS unless force.
 */
#include "base/memory/buf.h"
#include "base/setup/err.h"
#include "base/view/str.h"

struct import_options {
	const char *opdb_dir;
	bool force;
	/* of the release of a machine */
	struct str release;      /* its name; empty: the plugin's version and "+local" */
	struct str date, commit; /* empty: as in the file, else today; none */
	struct str as;           /* "npu" or "musa" for a machine that has neither */
};
