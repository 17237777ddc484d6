#pragma once
/*
 * What every page of the service has around its content: head, navigation, language switch, foot.
 *
 *	struct page page = page_begin(request, out, title);
 *	doc_section(&page.doc, ...); ...
 *	page_end(&page);
 *
 * Its content is a document; forms are figures in it, which write themselves into `out`.
 */
#include "opdb/db/opdb.h"
#include "report/doc_build.h"
#include "report/markup.h"
#include "server/reply.h"

struct page {
	struct buf *out;
	const struct request *request;
	enum lang lang;
	struct doc doc;
};

/* Everything up to and with the start of the main element, or of the body for a page that brings its own. */
struct page page_begin(const struct request *request, struct buf *out, struct str title);
struct page page_begin_bare(const struct request *request, struct buf *out, struct str title);

/* The foot and the end. */
void page_end(struct page *page);
void page_end_bare(struct page *page);

/* A text of the catalogue, in a form. */
void page_label(const struct page *page, const char *id);

/* A text of the catalogue with text in `backticks` as code, in the open block; as a paragraph. */
void page_pieces(struct page *page, const char *id);
void page_prose(struct page *page, const char *id);

/* href="...": the literal path, then one encoded segment ("": none); keeps the language that was asked for. */
void page_href(struct page *page, const char *path, struct str segment);

/* The same addresses for a link, and one with a query. */
struct str page_address(struct page *page, const char *path, struct str segment);
struct str page_address_query(struct page *page, const char *path, const struct parameter *query, size_t count);

/* "https://host", where clients reach the service. */
struct str page_origin(struct page *page);

/* A hidden field that keeps the language that was asked for, in a form that is sent with GET. */
void page_keep_lang(const struct page *page);

/* That field, a button with a label of the catalogue, and the end of such a form. */
void page_end_form(const struct page *page, const char *button);

/* A hidden field that says that the form is one of the caller's session, where there is one. */
void page_put_csrf(const struct page *page);

/* Heading and first paragraph. */
void page_title(struct page *page, const char *title, const char *about);

/* The reply that a page goes into. */
void page_reply(struct reply *reply, const struct request *request);

/* On to another page, in the language that was asked for. */
void page_go_on(struct reply *reply, struct request *request, struct str address);

/* What the pages call a target; the options of a select element with its releases. In page_targets.c. */
const char *page_target_label(enum target_kind target);
void page_put_releases(const struct page *page, const struct opdb *db, enum target_kind target, bool newest_chosen);

/* The form for dumps; the page and the database are there until the page ends. In page_upload.c. */
void page_put_upload(struct page *page, const struct opdb *db);

/* The whole page of an assessment, with lists of at most that many rows; the request has its address. */
struct result;
void page_put_assessment(const struct request *request, const struct result *result, unsigned rows, struct buf *out);

/* asset.c: appends the address of "/assets/app.css" with its digest, under which it never changes. */
void asset_put_address(struct buf *out, const char *path);
