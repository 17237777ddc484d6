#pragma once
/* Pages of models and what they share: where a model's page is, and the ways between the pages of a team. */
#include "server/page.h"
#include "server/service.h"
#include "store/team.h"

/* Of a model in a project and a branch, "" of none; what of it is shown, NULL: its trend. */
struct str model_address(struct page *page, const struct trend_query *model, const char *view);

/* Forms to rename, keep and remove a model; the run is its newest. In page_run.c. */
void page_put_model_forms(struct page *page, const struct run *run);

/* Links to pass on, in the open block: to the report of the newest run, shortened, and to the badge. */
void model_put_links(struct page *page, const struct trend_query *model, const struct run *newest);

/* A way to another page or another part of this one. */
struct page_tab {
	const char *label;
	struct str address;
	bool here;
};
void page_put_tabs(struct page *page, const struct page_tab *tabs, size_t count);

/* A badge that follows the newest run of a model; its check in CI: jobs to copy, and that badge. In page_ci.c. */
struct str model_badge(struct page *page, const struct trend_query *model);
void page_put_ci(struct page *page, const struct trend_query *model);

/* The ways between models, fleet and demand. */
void team_put_tabs(struct page *page);

/* A cell with what each target came to, and one with a moment: "2026-08-22 10:11 UTC". */
void page_cell_verdicts(struct doc *doc, const struct record *record);
void page_cell_time(struct page *page, struct str stamp);

/* Whether another branch begins at this standing. */
bool team_begins_branch(const struct standing_list *list, size_t at);

/* Where a list of branches goes on: "PROJECT\nMODEL\nBRANCH", as no word has a line feed. ERR_VALUE. */
int team_take_cursor(const struct request *request, struct standing_query *ret, struct err *err);
struct str team_cursor(struct request *request, const struct standing_list *list); /* "": there are no more */
