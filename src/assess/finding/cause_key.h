#pragma once
/*
 * The cause that a finding belongs to: one thing that a person does about it.
 *
 * A package is installed, a data type avoided, a recipe applied: findings that share one share a cause, whatever their
 * rules and targets. Other findings share a cause by the family of their rule.
 */
#include "assess/model/result.h"
#include "base/memory/mem.h"

struct cause_key {
	const char *family; /* a rule, "recipe" or "type" */
	struct str origin;  /* what the findings share beyond their rule: a package, a type, a recipe; "" */
};

struct cause_keys {
	MEM_LIST(struct cause_recipe {
		struct str name;
		bool grave;     /* advised for an error or a warning */
		bool by_values; /* advised for shapes that depend on values */
	})
	recipes;
};

/* Collects what decides the keys; cause_keys_clear frees it. */
struct cause_keys cause_keys_of(const struct result_finding *const *findings, size_t count);
void cause_keys_clear(struct cause_keys *keys);

/* Returns the key of a finding that does not follow from another one. */
struct cause_key cause_key_of(const struct cause_keys *keys, const struct result_finding *finding);

/* Returns the first advice with a recipe, or NULL, and its name, or "". */
const struct message *cause_recipe_advice(const struct result_finding *finding);
struct str cause_recipe_of(const struct result_finding *finding);
