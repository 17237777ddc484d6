#pragma once
/*
 * Restrictions of a job's process, once it has opened its files: memory, processor time and files up to its limits,
 * and the system calls of a program that computes. It can open nothing (io/tempfile.h has reserved files), and can
 * neither reach the network, start processes nor signal others, so a defect in a reader exposes that job's own input
 * alone.
 *
 * A program with sanitizers needs calls of its own and far more addresses: there only what would do harm is refused.
 */
#include <stdint.h>

#include "base/setup/err.h"

struct sandbox {
	uint64_t memory_bytes;      /* of addresses, beside those of the program */
	uint64_t processor_seconds; /* then SIGXCPU */
	uint64_t file_bytes;        /* of one file */
};

/* Takes the rest of the process's rights away, for good. ERR_INTERNAL where the system cannot do that. */
int sandbox_enter(const struct sandbox *sandbox, struct err *err);
