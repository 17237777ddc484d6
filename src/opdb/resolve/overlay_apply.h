#pragma once
/* Apply overlays to the answers from the shipped facts. */
#include "opdb/resolve/evidence.h"

/* Applies the overlays to an overload whose proof from the shipped facts is in *ret. */
void overlay_prove(
	const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret);

/* The same for the answer about a name that no overload of the release speaks for. */
void overlay_answer(const struct question *question, const struct name_facts *name, struct answer *ret);

/* Add facts on some dtypes, or on a chip that the question leaves open, to the answer: they may apply or not. */
void overlay_limit(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);
