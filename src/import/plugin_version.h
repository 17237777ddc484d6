#pragma once
/* For which versions of PyTorch an entry of op-plugin's list holds: "all_version", "v2.1, v2.2" or "[v2.1, newest]". */
#include "import/tree.h"

enum { PLUGIN_VERSIONS = 64 };

struct plugin_versions {
	const struct input *input;
	struct str all[PLUGIN_VERSIONS]; /* all_version, in its order */
	size_t count;
	struct str version; /* the one that is built for: "v2.7" */
};

/* Reads all_version, which must have the version. The view of version must outlive the struct. ERR_IMPORT. */
int plugin_versions_read(struct plugin_versions *versions, const struct input *input, const struct node *all,
	struct str version, struct err *err);

/* Whether the value of a key holds for the version; NULL holds for none. ERR_IMPORT for what is not understood. */
int plugin_versions_hold(const struct plugin_versions *versions, const struct node *value, bool *ret, struct err *err);

/* v2.9 before v2.10. False for what is no "vMAJOR.MINOR". */
bool plugin_version_number(struct str text, unsigned *ret);
