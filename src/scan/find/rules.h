#pragma once
/*
 * Names and texts of scripts with what a port does to them: the fact text of opdb/scripts, compiled in.
 *
 * A name is a qualified one ("torch.cuda.Stream"; "torch.cuda.*" covers all in it without a row), a method
 * (".cuda()"), an attribute (".is_cuda") or an argument ("pin_memory=True"). A text is that of a string literal, and
 * its group says in which contexts it counts.
 */
#include "assess/model/result_source.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"

enum text_group {
	TEXT_NAME,
	TEXT_DEVICE,
	TEXT_BACKEND,
	TEXT_ENV,
	TEXT_TYPE,
	TEXT_PROVIDER,
	TEXT_SORT,
	TEXT_VALUE, /* of any setting: "flash_attention_2" */
	TEXT_TOOL,
	TEXT_PACKAGE,
	TEXT_BUILD,
	TEXT_INDEX,
	TEXT_IMAGE,
	TEXT_SETTING         /* "key=value" */
};                           /* from TEXT_PACKAGE on patterns, and not in Python */
enum { SOURCE_TARGETS = 2 }; /* npu, musa */

struct source_rule {
	struct str name;
	enum text_group group;
	const char *rule; /* as in assess/model/rule.h */
	struct {
		enum source_action action;
		struct str instead; /* "": no known replacement */
	} on[SOURCE_TARGETS];
	struct str sources; /* addresses, joined by blanks */
};

struct rule_book {
	MEM_LIST(struct source_rule) rules;
	struct map by_name;
};

/* Reads the text in the program. ERR_INTERNAL for a malformed text. Clear it in any case. */
int rule_book_open(struct rule_book *ret, struct err *err);
void rule_book_clear(struct rule_book *book);

static inline bool rule_is(const struct source_rule *rule, const char *id)
{
	return rule && strcmp(rule->rule, id) == 0;
}

/* A name without its last part; "" when it has but one. */
struct str name_around(struct str name);

/* The row of exactly this name; of a name, or of all that is in a name around it; of the package that a module belongs
   to. NULL: none. */
const struct source_rule *rule_exact(const struct rule_book *book, enum text_group group, struct str name);
const struct source_rule *rule_of_name(const struct rule_book *book, struct str name);
const struct source_rule *rule_of_package(const struct rule_book *book, struct str module);

/* The row for the text of a string literal with "{}" for its replacements. */
const struct source_rule *rule_of_text(const struct rule_book *book, struct str text);
