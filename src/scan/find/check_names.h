#pragma once
/* Imports and calls of scripts. */
#include "scan/find/check.h"

/* Notes a place, by the name of its rule where it has none; one without from and to; nothing without a rule. */
void check_place(struct check *check, struct source_place place);
void check_use(struct check *check, const struct script *script, uint32_t node, const struct source_rule *rule);

/* Notes the members that the classes of a script have under the name of one of a tensor; before check_names of all. */
void check_own_names(struct check *check, const struct script *script);

/* Methods of the project that move to CUDA under CUDA's name: after all others. */
void check_methods(struct check *check, const struct script *script);

/* Imports, attributes, calls and arguments. */
void check_names(struct check *check, const struct script *script);

/* The row of an argument of a class of Lightning, of any module: "Trainer(accelerator=gpu)", "Trainer(gpus=)"; NULL:
   none. */
const struct source_rule *rule_of_option(
	const struct check *check, const struct syntax *syntax, uint32_t keyword, struct str key);

/* Returns whether the expression comes from another library, such as numpy, or from a class of the project that
   defines the name itself: then it is not a tensor. */
bool is_foreign(const struct check *check, const struct script *script, uint32_t node, struct str method);

/* The callees: qualified names, else "torch.Tensor.split" if the object may be a tensor. Returns their number. */
size_t names_of_call(const struct check *check, const struct script *script, uint32_t call, struct arena *arena,
	struct str ret[MEANINGS_MOST]);
