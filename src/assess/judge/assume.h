#pragma once
/* A user's assumption on an operator for a what-if; it replaces the facts. */
#include "assess/judge/judgement.h"
#include "base/setup/err.h"

struct assumption {
	struct str name; /* "aten::nms" */
	enum op_status status;
};

struct assumption_list {
	struct assumption *items;
	size_t count, capacity; /* on the heap */
	struct arena names;
};

void assumption_list_clear(struct assumption_list *list);

/* Parses one more, such as "torchvision::nms=native"; a name without a namespace is one of aten. A later one about an
   operator takes the place of an earlier. ERR_VALUE. */
int assumption_list_add(struct assumption_list *list, struct str text, struct err *err);

/* The assumption about an operator, or NULL. list may be NULL. */
const struct assumption *assumption_about(const struct assumption_list *list, struct str name);

/* Judge by the assumption instead of by what is known: the verdict's conditions, advice and evidence go, a flag and a
   text say what was assumed. */
void assume_judgement(struct arena *arena, const struct assumption *assumption, struct judgement *judgement);
