#pragma once
/*
 * A resolver caches facts of the database and holds the memory of answers.
 *
 * It belongs to one thread; texts of its answers live until resolver_free.
 */
#include "opdb/model/status.h"

struct name_facts;
struct opdb;
struct release;
struct resolver;

struct resolver *resolver_new(const struct opdb *db);

/* NULL is allowed. */
void resolver_free(struct resolver *resolver);

/* The database that it asks. */
const struct opdb *resolver_db(const struct resolver *resolver);

/* From now on reports of users are left out: answers are what registrations, documents and rules alone predict. */
void resolver_without_reported(struct resolver *resolver);

/* From now on reports whose source begins so are left out, too; "" for none. The text is the caller's. */
void resolver_without_repository(struct resolver *resolver, struct str repository);

/* Choose whether later answers have texts and evidence, the default, or statuses, flags, overloads and types alone,
   at a third of the cost. */
void resolver_set_texts(struct resolver *resolver, bool wanted);
