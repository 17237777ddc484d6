#pragma once
/* The releases meant by the versions in a user's report, which may name none. */
#include "opdb/model/release.h"

enum { RELEASE_WORDS = 4 };

/* Releases of one target, by place. */
struct release_set {
	uint64_t words[RELEASE_WORDS];
};

struct opdb;

bool release_set_has(const struct release_set *set, const struct release *release);

struct versions_named {
	enum target_kind target;
	struct str torch, plugin, date; /* "" where it is not said */
};

/* The releases that fit: those that the plugin's version names (pip package, branch, tag or the plugin's own number),
   else those for the version of PyTorch, else the development head for a version newer than all. A release that is
   younger than the report is meant only when nothing older fits. *ret_told: a version is given, and the set is about
   it; without one it holds every release of the target. */
struct release_set releases_meant(const struct opdb *db, const struct versions_named *told, bool *ret_told);

/* Places of documents. */
struct document_span {
	unsigned first, last;
};

/* Returns whether they include the document of a release, which has one, or one for the same plugin and any PyTorch. */
bool documents_have(struct document_span span, const struct release *release);
bool documents_of_plugin(const struct opdb *db, struct document_span span, const struct release *release);
