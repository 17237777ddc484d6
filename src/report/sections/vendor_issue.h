#pragma once
/*
 * A draft of an issue for the vendor of a plugin: the status of an operator on a release, its evidence, and a
 * reproduction.
 */
#include "assess/model/result_operator.h"
#include "report/doc/doc_build.h"

struct vendor_issue {
	struct str operator_name;
	struct str said;  /* of the operator on the release, beside its status; or "" */
	const char *rule; /* of that finding, or NULL */
	const struct result_verdict *verdict;
	const struct issue_version {
		struct str name, value; /* left out where the value is "" */
	} * versions;
	size_t version_count;
	struct str fallback;              /* fate of an operator without a kernel */
	struct str tool, build;           /* versions of opcheck and of its database */
	struct str code;                  /* a program that shows it, or "" */
	bool invented;                    /* its arguments are */
	const struct result_shape *calls; /* as recorded */
	size_t call_count;
	const struct issue_way {
		struct str text, sources; /* addresses joined by ' ' */
	} * ways;                         /* to do without it */
	size_t way_count;
};

/* Titles and sections, of which empty ones are left out. */
void vendor_issue_build(struct doc *doc, const struct vendor_issue *issue);

/* A program that does what a recipe's code replaces, on the device of a target; it lives in the document's arena. */
struct str issue_code_of_recipe(struct doc *doc, struct str target, struct str code);

/* Appends the start of such a program: the plugin's import and its device. */
void issue_put_device(struct buf *out, struct str target);
