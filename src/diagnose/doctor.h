#pragma once
/*
 * Check that plugin, PyTorch and CANN of a machine match, by the releases of the database. It does not know which
 * drivers a CANN needs, nor which MUSA SDK a torch_musa; the answer says so.
 */
#include "assess/model/message.h"
#include "base/memory/mem.h"
#include "diagnose/machine.h"
#include "diagnose/variables.h"
#include "opdb/db/lists.h"
#include "report/doc/doc.h"

enum doctor_kind { DOCTOR_PART, DOCTOR_FIT, DOCTOR_INSTALL, DOCTOR_VARIABLE };
enum doctor_state { DOCTOR_NOTE, DOCTOR_FITS, DOCTOR_WRONG, DOCTOR_CHECK, DOCTOR_UNKNOWN };

struct doctor_row {
	enum doctor_kind kind;
	enum doctor_state state;
	struct str name, value; /* of a part or a variable; a fit has the part that is in question */
	struct str place;       /* its source; sources of a meaning */
	struct message text;    /* id NULL: said has it, or there is nothing to say */
	struct str said[2];     /* by enum lang */
};

enum doctor_verdict { VERDICT_FITS, VERDICT_DOES_NOT_FIT, VERDICT_NOTHING_FOUND };

struct doctor {
	struct machine machine;
	MEM_LIST(struct doctor_row) rows;
	enum doctor_verdict verdict;
};

/* Looks at the machine and compares it with the releases. ERR_FACT as variables_in_force. Clear it in any case. */
int doctor_examine(const struct machine_search *search, const struct opdb *db, struct doctor *ret, struct err *err);

/* Compares the versions that are in the machine already: rows of parts, of what does not fit, and what does. Nothing
   where PyTorch or the plugin is not there. */
void doctor_compare(struct doctor *doctor, const struct opdb *db);
void doctor_clear(struct doctor *doctor);
