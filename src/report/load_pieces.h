#pragma once
/* Reading pieces of a JSON report that several of its parts have. */
#include "assess/model/result.h"
#include "report/values.h"

/* Loads every child of a list (or of an object, keyed) by a function of (loader, child, target). */
#define LOAD(loader, object, key, keyed, items, count, load)                                                           \
	do {                                                                                                           \
		const cJSON *child;                                                                                    \
		size_t at = 0;                                                                                         \
		(items) = value_list(loader, object, key, keyed, sizeof((items)[0]), &(count), &child);                \
		for (; child && at < (count); child = child->next)                                                     \
			load(loader, child, &(items)[at++]);                                                           \
	} while (0)
#define LOAD_LIST(loader, object, key, items, count, load) LOAD(loader, object, key, false, items, count, load)
#define LOAD_OBJECT(loader, object, key, items, count, load) LOAD(loader, object, key, true, items, count, load)

void load_message(struct loader *loader, const cJSON *object, struct message *ret);

/* The verdict record that stands under its target's id. */
void load_verdict(struct loader *loader, const cJSON *object, struct result_verdict *ret);
