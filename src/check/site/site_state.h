#pragma once
/* The facts that all pages of a site show: its releases, and the status of every operator on them. */
#include "check/asked/targets.h"
#include "check/lookup/recipe_list.h"
#include "check/site/site_folder.h"

struct site {
	const struct opdb *db;
	const char *version;               /* of the program */
	const struct target_list *targets; /* shown in detail */
	struct target *releases; /* with a page of their own: those of a family stand together, oldest first */
	size_t release_count;
	struct str *names; /* "aten::add", in their order */
	size_t name_count;
	unsigned char *statuses; /* enum op_status: of a name on each target, then on each release */
	struct recipe_list recipes;
	struct arena arena;
	struct site_folder folder;
};

/* Find the newest releases of each family among the targets, at most `newest`, and judge every operator on them.
   ERR_DB_DAMAGED, ERR_LIMIT. site_state_clear frees it, also after an error. */
int site_state_find(struct site *site, size_t newest, struct err *err);
void site_state_clear(struct site *site);

static inline const unsigned char *site_statuses(const struct site *site, size_t name)
{
	return &site->statuses[name * (site->targets->count + site->release_count)];
}

/* The place of a name, or name_count. */
size_t site_find_name(const struct site *site, struct str name);
