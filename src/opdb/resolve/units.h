#pragma once
/* On which unit of an NPU an operator runs, by type (opdb/db/unit_fact.h). */
#include "opdb/resolve/evidence.h"
#include "opdb/resolve/resolve.h"

/* Adds to the answer what the kernels of CANN say for the question's release and chip; without a chip for 910B, which
   most have. Only registrations that call CANN's API are looked at. */
void units_apply(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret);

/* The condition under which a kernel of CANN runs on the AI CPU, or NULL if unknown. */
const struct unit_condition *unit_condition_of(const struct opdb *db, struct str kernel);
