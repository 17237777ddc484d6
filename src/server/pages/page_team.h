#pragma once
/* Common parts of the pages of a team: addresses of models, links between the pages, cells of their tables. */
#include "server/pages/page.h"
#include "store/team.h"

/* Returns the address of a model in a project and a branch, "" of none, NULL: of its newest run; view: what of it is
   shown, NULL: its trend. */
struct str model_address(struct page *page, const struct trend_query *model, const char *view);

/* Returns the address of a badge that follows the newest run of a model. */
struct str model_badge(struct page *page, const struct trend_query *model);

/* Put links to pass on, in the open block: to the report of the newest run, shortened, and to the badge. */
void model_put_links(struct page *page, const struct trend_query *model, const struct run *newest);

/* A way to another page or another part of this one. */
struct page_tab {
	const char *label;
	struct str address;
	bool here;
};
void page_put_tabs(struct page *page, const struct page_tab *tabs, size_t count);

/* Put the ways between models, fleet and demand. */
void team_put_tabs(struct page *page);

/* A hidden field of a form: the project that the address names. */
void page_keep_project(struct page *page);

/* Put a cell with what each target came to, and one with a moment: "2026-08-22 10:11 UTC". */
void page_cell_verdicts(struct doc *doc, const struct stored_assessment *record);
void page_cell_time(struct page *page, struct str stamp);
