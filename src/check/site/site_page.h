#pragma once
/*
 * A page of a site: its frame, and the addresses of others.
 *
 *	struct site_page page = site_page_begin(site, lang, STR("recipes.html"), title);
 *	doc_section(&page.doc, ...); ...
 *	status = site_page_end(&page, err);
 * English pages are in the folder of the site, Chinese ones at the same paths below zh-CN. Every link is relative, so
 * a site works below any address and from files.
 */
#include "check/site/site_state.h"
#include "report/doc/doc_build.h"

struct site_page {
	struct site *site;
	enum lang lang;
	struct str path; /* below the folder of its language */
	struct doc doc;
	struct buf out;
};

struct site_page site_page_begin(struct site *site, enum lang lang, struct str path, struct str title);

/* Write it, and free what it holds. The errors of site_folder_write. */
int site_page_end(struct site_page *page, struct err *err);

/* Heading and first paragraph, by id. */
void site_page_title(struct site_page *page, const char *title, const char *about);

/* The paths below the folder of a language. */
struct str site_operator_path(struct arena *arena, struct str name);
struct str site_release_path(struct arena *arena, struct str id);
struct str site_recipe_path(struct arena *arena, struct str name);

/* The path below the folder of the site of a file in that of a language. */
struct str site_path_in(struct arena *arena, enum lang lang, struct str path);

/* The address of a path of the same language as seen from the page; a link to an operator's page in doc, which may be a
   row of the page's. */
struct str site_address(struct site_page *page, struct str path);
void site_link_operator(struct site_page *page, struct doc *doc, struct str name);
