#pragma once
/*
 * The edits that a port to one kind of device makes in a program's scripts, and what it leaves for a person.
 *
 * An edit replaces the bytes of a use of the device, as parsed, and carries its rule; all other bytes stay: encoding,
 * line ends, layout. A script is edited only if the result is valid Python, settings only if it is valid YAML or
 * TOML. An edited text has no findings, so a second port edits nothing.
 */
#include "report/doc/catalog.h"
#include "scan/port/port_edits.h"

/* A place that is left to a person; its expression is "" where something is missing. */
struct port_left {
	struct str path, name, expression, replacement;
	uint32_t line, column;
	const char *rule;
	enum source_action action;
};

/* A file that is edited. */
struct port_script {
	struct str path, bytes;
	struct port_edit *edits; /* in the order of the file, none inside another */
	size_t edit_count;
	struct str ported; /* the bytes after it */
};

struct port {
	struct arena arena;
	struct program program;
	enum target_kind target;
	MEM_LIST(struct port_script) scripts; /* with edits */
	MEM_LIST(struct port_left) left;
	size_t edits, covered; /* without the imports of the plugin */
	bool transferred;      /* the program has imported transfer_to_npu already */
};

/* Returns as program_read; reading the files again may fail, too. Clear it in any case. */
int port_run(const struct program_request *request, enum target_kind target, struct port *ret, struct err *err);
void port_clear(struct port *port);
