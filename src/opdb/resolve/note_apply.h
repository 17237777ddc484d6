#pragma once
/* Apply notes (opdb/db/note.h) to an answer. */
#include "opdb/resolve/evidence.h"

/* Adds the notes that hold for the question to the answer: its list, its flags, what is certain. */
void notes_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);
