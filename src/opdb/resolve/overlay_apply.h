#pragma once
/* What overlays make of the answers that follow from the shipped facts. */
#include "opdb/resolve/evidence.h"

/* Applies the overlays to an overload whose proof from the shipped facts is in *ret. */
void overlay_prove(
	const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret);

/* The same for the answer about a name that no overload of the release speaks for. */
void overlay_answer(const struct question *question, const struct name_facts *name, struct answer *ret);

/* Puts what holds for some dtypes, or for a chip that nobody named, into the answer: it may apply or not. */
void overlay_limit(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);
